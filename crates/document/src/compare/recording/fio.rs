//! fio's own JSON as named figures.
//!
//! It contains no intervals. For rates it has their number, mean and deviation, which are taken as
//! intervals of unknown order. For latency it has only the spread of single I/Os, which does not
//! show the confidence of the mean. Clones listed separately are added up, and then no spread is
//! known.

use super::{Recording, RecordingEntry};
use fathom_analysis::Estimate;
use fathom_analysis::{Known, judged_p99_ns};
use fathom_message::Message;
use fathom_vocab::Direction;
use serde_json::Value;

/// Jobs of the same name in a direction, added up.
struct Sum {
    name: String,
    direction: Direction,
    clones: u32,
    iops: f64,
    bytes_per_s: f64,
    ios: f64,
    waited_ns: f64,
    /// The 99th percentile, of completion where fio does not give that of whole latencies.
    p99_ns: Option<f64>,
    iops_spread: (f64, u64),
    bytes_spread: (f64, u64),
}

/// The figures of fio's `document`, and its omitted parts.
pub fn recording(name: String, document: &Value) -> Recording {
    let (mut sums, mut notes) = (Vec::new(), Vec::new());
    for job in document["jobs"].as_array().into_iter().flatten() {
        let name = job["jobname"].as_str().unwrap_or("job");
        let error = job["error"].as_i64().unwrap_or(0);
        if error != 0 {
            notes.push(Message::new("recording-error").with("name", name).with("error", error));
        }
        for direction in Direction::ALL {
            add(&mut sums, name, direction, &job[direction.name()]);
        }
    }
    Recording {
        name,
        kind: document["fio version"].as_str().unwrap_or_default().to_owned(),
        entries: sums.into_iter().map(Sum::entry).collect(),
        notes,
        ..Recording::default()
    }
}

fn add(sums: &mut Vec<Sum>, name: &str, direction: Direction, of: &Value) {
    let number = |key: &str| of[key].as_f64().unwrap_or(0.0);
    let ios = number("total_ios");
    if ios <= 0.0 {
        return;
    }
    // `bw_bytes` came with fio 3; `bw` in KiB/s was there before.
    let bytes_per_s = of["bw_bytes"].as_f64().unwrap_or(number("bw") * 1024.0);
    let sum = Sum {
        name: name.to_owned(),
        direction,
        clones: 1,
        iops: number("iops"),
        bytes_per_s,
        ios,
        waited_ns: of["lat_ns"]["mean"].as_f64().unwrap_or(0.0) * ios,
        p99_ns: ["lat_ns", "clat_ns"]
            .into_iter()
            .find_map(|key| of[key]["percentile"]["99.000000"].as_f64())
            .and_then(|p99_ns| judged_p99_ns(ios as u64, p99_ns)),
        iops_spread: (number("iops_stddev"), number("iops_samples") as u64),
        bytes_spread: (number("bw_dev") * 1024.0, number("bw_samples") as u64),
    };
    match sums.iter_mut().find(|other| other.name == name && other.direction == direction) {
        None => sums.push(sum),
        Some(other) => {
            other.clones += 1;
            other.iops += sum.iops;
            other.bytes_per_s += sum.bytes_per_s;
            other.ios += sum.ios;
            other.waited_ns += sum.waited_ns;
            // Percentiles of several do not add up.
            other.p99_ns = None;
        }
    }
}

impl Sum {
    fn entry(self) -> RecordingEntry {
        let rate = |mean: f64, (std_dev, samples): (f64, u64)| match (self.clones, samples) {
            (1, 1..) => Known::judged(mean, Estimate::of_summary(mean, std_dev, samples)),
            _ => Known::bare(mean),
        };
        RecordingEntry {
            iops: rate(self.iops, self.iops_spread),
            bytes_per_s: rate(self.bytes_per_s, self.bytes_spread),
            latency_ns: Known::bare(self.waited_ns / self.ios),
            p99_ns: self.p99_ns.map(Known::bare),
            name: self.name,
            direction: self.direction,
            load: None,
        }
    }
}
