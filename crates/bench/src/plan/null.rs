//! Rows on the null engine, where only the program runs: the loop, huge volumes, many jobs; and the
//! time from exec to exit.

use super::*;

/// The loop by itself: time and instructions.
pub fn rows() -> Vec<BenchRow> {
    let counted = |id, title, words: &str, most| {
        let ours = Contestant { name: OURS, work: BenchWork::CountOurs(words.into()) };
        let fio = Contestant { name: FIO, work: BenchWork::CountFio(words.into()) };
        row(id, title, BenchDevice::Nothing)
            .runs([ours, fio])
            .asks(Instructions, OURS, Alone, AtMost(most))
            .asks(Instructions, FIO, Alone, Stated)
            .once()
    };
    let deep = format!("{NULL} --iodepth=32");
    vec![
        row("null-1", "null, depth 1, random", BenchDevice::Nothing)
            .both(NULL)
            .asks(Iops, OURS, Over(FIO), AtLeast(8.0))
            .asks(NsEach, OURS, Alone, Stated),
        row("null-32", "null, depth 32, random", BenchDevice::Nothing)
            .both(&deep)
            .asks(Iops, OURS, Over(FIO), Stated)
            .asks(NsEach, OURS, Alone, Stated),
        counted("null-1-instructions", "null, depth 1, callgrind", NULL, 150.0),
        counted("null-32-instructions", "null, depth 32, callgrind", &deep, 200.0),
    ]
}

/// Start and end, and the memory of very large jobs.
pub fn starts() -> Vec<BenchRow> {
    let whole = |name, work: fn(String) -> BenchWork, words: &str| {
        let words = format!("--name=b --output-format=json --bs=4k {words}");
        Contestant { name, work: work(words) }
    };
    let many = "--ioengine=null --rw=randread --size=1g --numjobs=1000 --number_ios=100 --thread \
                --group_reporting";
    let one = "--ioengine=psync --rw=read --size=4k --number_ios=1 --filename={file}";
    let huge = |size| format!("--ioengine=null --rw=randread --size={size}");
    let mapless = |size| format!("{} --norandommap", huge(size));
    vec![
        row("random-16t", "null, random over 16 TiB", BenchDevice::Nothing)
            .both(&huge("16t"))
            .runs([ours("no map", &mapless("16t"))])
            .asks(Iops, OURS, Over("no map"), AtLeast(0.95))
            .asks(ResidentMib, OURS, Alone, AtMost(32.0))
            .asks(ResidentMib, FIO, Alone, Stated),
        row("random-1p", "null, random over 1 PiB", BenchDevice::Nothing)
            .runs([ours(OURS, &huge("1024t")), ours("no map", &mapless("1024t"))])
            .asks(Iops, OURS, Over("no map"), AtLeast(0.95))
            .asks(ResidentMib, OURS, Alone, AtMost(32.0)),
        row("thousand-jobs", "null, 1,000 jobs of 100 I/Os", BenchDevice::Nothing)
            .runs([whole(OURS, BenchWork::Ours, many), whole(FIO, BenchWork::Fio, many)])
            .asks(WallMs, OURS, Over(FIO), AtMost(0.5))
            .asks(WallMs, OURS, Alone, Stated)
            .asks(ResidentMib, OURS, Alone, AtMost(64.0))
            .asks(ResidentMib, FIO, Alone, Stated),
        row("one-io", "one I/O on an existing file, exec to exit", BenchDevice::Cached)
            .runs([whole(OURS, BenchWork::Ours, one), whole(FIO, BenchWork::Fio, one)])
            .asks(WallMs, OURS, Alone, AtMost(30.0))
            .asks(WallMs, FIO, Alone, Stated),
    ]
}
