//! What is read back, against the last writer of each byte.

use super::*;
use fathom_job::job_from_options;
use proptest::prelude::*;

fn job(line: &str) -> JobSpec {
    let options = line.split_whitespace().map(|word| word.split_once('=').unwrap());
    job_from_options("j", &options.collect::<Vec<_>>()).unwrap()
}

/// At most `count` writes of a job in their order, over all its passes.
fn writes(job: &JobSpec, files: &[FileExtent], count: usize) -> Vec<Io> {
    let mut workload = Workload::new(job, files, 7).unwrap();
    let mut writes = Vec::new();
    let mut passes_left = job.extent.loops;
    while writes.len() < count && passes_left > 0 {
        match workload.next_io() {
            Some(io) if io.dir == Direction::Write => writes.push(io),
            Some(_) => {}
            None => {
                passes_left -= 1;
                workload.restart();
            }
        }
    }
    writes
}

fn read_back(job: &JobSpec, files: &[FileExtent], count: u64) -> Vec<(Io, ExpectedWrite)> {
    let mut back = ReadBack::new(job, files, 7, count).unwrap();
    let mut reads = Vec::new();
    while let Some(io) = back.workload.next_io() {
        let expected = back.expected(reads.len() as u64);
        reads.push((io, expected));
    }
    reads
}

#[test]
fn a_pass_over_a_map_is_replayed_without_a_table() {
    let files = [FileExtent::whole(64 << 10), FileExtent::whole(32 << 10)];
    for line in ["rw=randwrite bs=4k", "rw=write bs=4k", "rw=randrw bs=4k"] {
        let job = job(line);
        assert!(WorkloadPlan::new(&job, &files).unwrap().writes_once(&job), "{line}");
        let written = writes(&job, &files, 9);
        let expected: Vec<(Io, ExpectedWrite)> = (0..)
            .zip(written)
            .map(|(n, io)| {
                (Io { dir: Direction::Read, ..io }, ExpectedWrite { number: n, since: n })
            })
            .collect();
        assert_eq!(read_back(&job, &files, 9), expected, "{line}");
    }
}

proptest! {
    /// Each byte's last writer, remembered one by one.
    #[test]
    fn what_is_read_back_is_what_was_written_last(
        line in prop::sample::select(vec![
            "rw=randwrite norandommap=1 bs=4k",
            "rw=randwrite bs=1k-8k bs_unaligned=1 norandommap=1",
            "rw=randwrite bs=4k loops=3",
            "rw=write bs=4k io_size=300k",
            "rw=randwrite random_distribution=zipf:1.1 bs=2k",
            "rw=randrw percentage_random=50 bs=4k",
            "rw=randwrite:4 bs=4k",
            "rw=randrw bsrange=1k-8k",
        ]),
        count in 1u64..150,
        depth in 1u32..9,
    ) {
        const LEN: u64 = 96 << 10;
        let mut job = job(line);
        job.engine.engine = fathom_vocab::IoEngine::Libaio;
        job.engine.iodepth = depth;
        let files = [FileExtent::whole(LEN)];
        let written = writes(&job, &files, count as usize);
        let count = written.len() as u64;
        let mut last = vec![None; LEN as usize];
        for (number, io) in written.iter().enumerate() {
            last[io.offset as usize..][..io.len as usize].fill(Some(number as u64));
        }
        let reads = read_back(&job, &files, count);
        for (io, expected) in &reads {
            let bytes = &last[io.offset as usize..][..io.len as usize];
            prop_assert!(bytes.iter().all(|byte| *byte == Some(expected.number)), "{io:?}");
            prop_assert!(expected.number - expected.since < u64::from(depth));
        }
        // With one I/O in flight, all is read that was not written over in part.
        if depth == 1 {
            let whole = written.iter().enumerate().filter(|(number, io)| {
                let bytes = &last[io.offset as usize..][..io.len as usize];
                bytes.iter().all(|byte| *byte == Some(*number as u64))
            });
            prop_assert_eq!(whole.count(), reads.len());
        }
    }
}
