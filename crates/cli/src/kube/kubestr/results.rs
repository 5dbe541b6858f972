//! kubestr's text of fio's figures, made from fio's JSON.

use serde_json::Value;

/// The text of a whole result.
pub fn text(result: &Value) -> String {
    let globals = &result["global options"];
    let mut text = format!(
        "FIO version - {}\nGlobal options - ioengine={} verify={} direct={} gtod_reduce={}\n\n",
        word(&result["fio version"]),
        word(&globals["ioengine"]),
        word(&globals["verify"]),
        word(&globals["direct"]),
        word(&globals["gtod_reduce"]),
    );
    for job in members(&result["jobs"]) {
        text += &format!("{}\n", job_text(job));
    }
    text += "Disk stats (read/write):\n";
    for disk in members(&result["disk_util"]) {
        text += &disk_text(disk);
    }
    text
}

fn job_text(job: &Value) -> String {
    let options = &job["job options"];
    let mut text = format!(
        "JobName: {}\n  blocksize={} filesize={} iodepth={} rw={}\n",
        word(&options["name"]),
        word(&options["bs"]),
        word(&options["size"]),
        word(&options["iodepth"]),
        word(&options["rw"]),
    );
    for direction in ["read", "write"] {
        let stats = &job[direction];
        if number(&stats["iops"]) != 0.0 || whole(&stats["bw"]) != 0 {
            text += &format!("{direction}:\n{}\n", stats_text(stats));
        }
    }
    text
}

fn stats_text(stats: &Value) -> String {
    format!(
        "  IOPS={} BW(KiB/s)={}\n  iops: min={} max={} avg={}\n  bw(KiB/s): min={} max={} avg={}",
        float(&stats["iops"]),
        whole(&stats["bw"]),
        whole(&stats["iops_min"]),
        whole(&stats["iops_max"]),
        float(&stats["iops_mean"]),
        whole(&stats["bw_min"]),
        whole(&stats["bw_max"]),
        float(&stats["bw_mean"]),
    )
}

fn disk_text(disk: &Value) -> String {
    format!(
        "  {}: ios={}/{} merge={}/{} ticks={}/{} in_queue={}, util={}%\n",
        word(&disk["name"]),
        whole(&disk["read_ios"]),
        whole(&disk["write_ios"]),
        whole(&disk["read_merges"]),
        whole(&disk["write_merges"]),
        whole(&disk["read_ticks"]),
        whole(&disk["write_ticks"]),
        whole(&disk["in_queue"]),
        float(&disk["util"]),
    )
}

fn members(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

fn whole(value: &Value) -> i64 {
    value.as_i64().unwrap_or_default()
}

/// As a four-byte float, like kubestr.
fn float(value: &Value) -> String {
    format!("{:.6}", number(value) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_text_of_a_result_is_kubestrs() {
        let stats = json!({"iops": 982.05078, "bw": 3944, "iops_min": 479, "iops_max": 1916,
            "iops_mean": 998.566667, "bw_min": 1919, "bw_max": 7664, "bw_mean": 3995.0});
        let job = json!({
            "job options": {"name": "read_iops", "bs": "4K", "iodepth": "64", "size": "2G",
                "rw": "randread"},
            "read": stats, "write": {"iops": 0.0, "bw": 0},
        });
        let disk = json!({"name": "rbd4", "read_ios": 30022, "write_ios": 11982, "read_merges": 0,
            "write_merges": 313, "read_ticks": 1_028_675, "write_ticks": 1_022_768,
            "in_queue": 2_063_740, "util": 99.67});
        let globals = json!({"ioengine": "libaio", "verify": "0", "direct": "1",
            "gtod_reduce": "1"});
        let result = json!({"fio version": "fio-3.36", "global options": globals, "jobs": [job],
            "disk_util": [disk]});
        assert_eq!(
            text(&result),
            "FIO version - fio-3.36\n\
             Global options - ioengine=libaio verify=0 direct=1 gtod_reduce=1\n\n\
             JobName: read_iops\n  blocksize=4K filesize=2G iodepth=64 rw=randread\nread:\n\
             \x20 IOPS=982.050781 BW(KiB/s)=3944\n  iops: min=479 max=1916 avg=998.566650\n\
             \x20 bw(KiB/s): min=1919 max=7664 avg=3995.000000\n\n\
             Disk stats (read/write):\n\
             \x20 rbd4: ios=30022/11982 merge=0/313 ticks=1028675/1022768 in_queue=2063740, \
             util=99.669998%\n"
        );
    }
}
