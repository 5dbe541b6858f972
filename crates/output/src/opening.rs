//! Lines printed before the run: a description of each job, layout of files, the number of starts.

use crate::figures::{FigureUnit, short};
use fathom_stats::JobSetup;
use fathom_vocab::{Direction, printable};

/// `NAME: (g=0): rw=…, bs=(R) …, ioengine=…, iodepth=…` of a job's first clone.
pub fn job_line(name: &str, group_id: u32, setup: &JobSetup) -> String {
    let base = if setup.kb_base == 1000 { 1000 } else { 1024 };
    let figures = if setup.significant_figures == 0 { 4 } else { setup.significant_figures };
    let size = |bytes| short(bytes, figures, base, FigureUnit::Bytes);
    let sizes = Direction::ALL.map(|dir| {
        let (min, max) = setup.bs[dir];
        let letter = ["R", "W", "T"][dir.index()];
        format!("({letter}) {}-{}", size(min), size(max))
    });
    format!(
        "{}: (g={group_id}): rw={}, bs={}, ioengine={}, iodepth={}",
        printable::line(name),
        setup.rw,
        sizes.join(", "),
        setup.ioengine,
        setup.iodepth,
    )
}

/// The line for the second and further clones of a job.
pub const CLONES_LINE: &str = "...";

/// What fio says of each clone whose engine has no depth.
pub const NO_DEPTH_LINE: &str = "note: both iodepth >= 1 and synchronous I/O engine are selected, \
     queue depth will be capped at 1";

/// `Starting 2 threads and 1 process`; threads come first, and zero is not mentioned.
pub fn starting_line(processes: usize, threads: usize) -> String {
    let count = |number, one: &str, many: &str| {
        let noun = if number == 1 { one } else { many };
        format!("{number} {noun}")
    };
    let threads_text = count(threads, "thread", "threads");
    let processes_text = count(processes, "process", "processes");
    match (processes, threads) {
        (_, 0) => format!("Starting {processes_text}"),
        (0, _) => format!("Starting {threads_text}"),
        _ => format!("Starting {threads_text} and {processes_text}"),
    }
}

/// Two lines about a file with more blocks than 32 random bits can reach.
pub fn beyond_tausworthe(file: &str, switches: bool) -> String {
    let advice = match switches {
        true => {
            "Switching to tausworthe64. Use the random_generator= option to get rid of this \
             warning."
        }
        false => "Use the random_generator= option to switch to lfsr or tausworthe64.",
    };
    let file = printable::line(file);
    format!("fio: file {file} exceeds 32-bit tausworthe random generator.\nfio: {advice}")
}

/// `NAME: Laying out IO file (1 file / 8MiB)`, for the files of one clone of `total_bytes`.
pub fn layout_line(name: &str, files: usize, total_bytes: u64) -> String {
    let (name, mib) = (printable::line(name), total_bytes >> 20);
    if files == 1 {
        return format!("{name}: Laying out IO file (1 file / {mib}MiB)");
    }
    format!("{name}: Laying out IO files ({files} files / total {mib}MiB)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_vocab::PerDirection;

    #[test]
    fn a_job_as_fio_announces_it() {
        let setup = JobSetup {
            rw: "randrw".to_owned(),
            bs: PerDirection { read: (4096, 16384), write: (8192, 8192), trim: (8192, 8192) },
            ioengine: "psync".to_owned(),
            iodepth: 1,
            ..JobSetup::default()
        };
        assert_eq!(
            job_line("longername", 0, &setup),
            "longername: (g=0): rw=randrw, bs=(R) 4096B-16.0KiB, (W) 8192B-8192B, \
             (T) 8192B-8192B, ioengine=psync, iodepth=1"
        );
    }

    #[test]
    fn starting_in_words() {
        assert_eq!(starting_line(1, 0), "Starting 1 process");
        assert_eq!(starting_line(3, 0), "Starting 3 processes");
        assert_eq!(starting_line(0, 4), "Starting 4 threads");
        assert_eq!(starting_line(1, 2), "Starting 2 threads and 1 process");
    }

    #[test]
    fn laying_out_one_file_or_more() {
        assert_eq!(layout_line("b", 1, 8 << 20), "b: Laying out IO file (1 file / 8MiB)");
        assert_eq!(layout_line("b", 3, 7 << 20), "b: Laying out IO files (3 files / total 7MiB)");
    }
}
