//! Sequences observed of fio 3.33 (null engine, `write_iolog`), in 512-byte sectors.

use super::*;
use fathom_job::{FileService, RandomGenerator, ReadWrite};
use fathom_vocab::Direction::{self, Read, Trim, Write};

const BS: u64 = 4096;

fn job(set: impl FnOnce(&mut JobSpec)) -> JobSpec {
    let mut job = reads(false, BS);
    set(&mut job);
    job
}

fn sectors(job: &JobSpec, files: &[FileExtent]) -> Vec<u64> {
    let mut workload = Workload::new(job, files, 1).unwrap();
    pass(&mut workload).iter().map(|io| io.offset / 512).collect()
}

fn places(job: &JobSpec, files: &[FileExtent]) -> Vec<(Direction, u32, u64)> {
    let mut workload = Workload::new(job, files, 1).unwrap();
    pass(&mut workload).iter().map(|io| (io.dir, io.file, io.offset / 512)).collect()
}

fn kib(kib: u64) -> [FileExtent; 1] {
    [file(0, kib << 10)]
}

#[test]
fn a_tail_is_left_out_and_amounts_round_up() {
    let with = |bs: u64, size: u64, io_size: Option<u64>| {
        let mut job = reads(false, bs << 10);
        job.extent.io_size = io_size.map(|kib| JobSize::Bytes(kib << 10));
        sectors(&job, &kib(size)).len()
    };
    assert_eq!(with(4, 30, None), 7);
    assert_eq!(with(12, 64, None), 5);
    assert_eq!(with(12, 64, Some(128)), 10);
    assert_eq!(with(4, 16, Some(40)), 10);
    assert_eq!(with(4, 16, Some(42)), 11);
    let mut drawn = reads(true, 12 << 10);
    drawn.pattern.norandommap = true;
    assert_eq!(sectors(&drawn, &kib(64)).len(), 6);
    drawn.pattern.norandommap = false;
    assert_eq!(sectors(&drawn, &kib(64)).len(), 5);
    assert_eq!(sectors(&job(|job| job.extent.number_ios = Some(3)), &kib(64)), [0, 8, 16]);
}

#[test]
fn a_pass_goes_on_where_the_last_was_cut_short() {
    let mut workload =
        Workload::new(&job(|job| job.extent.number_ios = Some(3)), &kib(32), 1).unwrap();
    let mut next = || {
        let got: Vec<u64> = pass(&mut workload).iter().map(|io| io.offset / 512).collect();
        workload.restart();
        got
    };
    assert_eq!((next(), next(), next()), (vec![0, 8, 16], vec![24, 32, 40], vec![48, 56, 0]));
}

#[test]
fn skips() {
    let skip = |skip: i64, size: u64, io_size: Option<u64>| {
        let job = job(|job| {
            job.pattern.rw_suffix = Some(skip << 10);
            job.extent.io_size = io_size.map(|kib| JobSize::Bytes(kib << 10));
        });
        sectors(&job, &kib(size))
    };
    assert_eq!(skip(8, 64, None), [0, 24, 48, 72, 96, 120]);
    assert_eq!(skip(8, 64, Some(128)).len(), 32);
    assert_eq!(skip(8, 64, Some(128))[..8], [0, 24, 48, 72, 96, 120, 0, 24]);
    assert_eq!(skip(4, 64, None)[6..10], [96, 112, 0, 16]);
    assert_eq!(skip(4, 64, None).len(), 16);
    assert_eq!(skip(5, 64, None), [0, 18, 36, 54, 72, 90, 108]);
    assert_eq!(skip(16, 84, None), [0, 40, 80, 120, 160]);
    let twice = [0, 40, 80, 120, 160, 0, 40, 80, 120, 160];
    assert_eq!((skip(16, 88, None).len(), &skip(16, 88, None)[..10]), (22, &twice[..]));
    assert_eq!((skip(16, 86, None).len(), &skip(16, 86, None)[..10]), (22, &twice[..]));
    assert_eq!(skip(16, 83, None), [0, 40, 80, 120]);
    assert_eq!(skip(60, 64, None), [0; 16]);
    assert_eq!(skip(-8, 66, None)[..4], [0, 116, 108, 100]);
    let back: Vec<u64> = std::iter::once(0).chain((0..15).rev().map(|k| k * 8)).collect();
    assert_eq!(skip(-8, 64, None), back);
}

/// Where a skip leads beyond the whole file, it continues at the start; beyond a part of it, the job
/// ends (fio's HOWTO, `size`, item 4). With an offset fio counts that twice.
#[test]
fn skips_in_a_part_of_a_file() {
    let part = |skip: i64, start: u64, len: u64, file_len: u64| {
        let job = job(|job| job.pattern.rw_suffix = Some(skip << 10));
        let extent = FileExtent { start: start << 10, len: len << 10, file_len: file_len << 10 };
        sectors(&job, &[extent])
    };
    assert_eq!(part(12, 0, 1024, 1024).len(), 256);
    assert_eq!(part(12, 0, 1024, 2048), (0..64).map(|k| k * 32).collect::<Vec<_>>());
    assert_eq!(part(12, 0, 1024, 1028).len(), 64);
    assert_eq!(part(3072, 0, 64, 2048), [0; 16]);
    assert_eq!(part(16, 32, 64, 96), [64, 104, 144, 184]);
    assert_eq!(part(64, 32, 64, 96), [64]);
    assert_eq!(part(96, 32, 64, 96)[..3], [64, 128, 128]);
    assert_eq!(part(1024, 512, 256, 1024), [1024]);
}

/// `trimwrite` with `io_size`: trims alone count within a round over the files, and the writes with
/// them towards another.
#[test]
fn trims_and_writes_of_an_io_size() {
    for (kib, trims) in [(40, 10), (100, 25), (120, 25), (200, 25), (204, 50), (400, 50), (420, 75)]
    {
        let job = job(|job| {
            job.pattern.rw =
                ReadWrite { read: false, write: true, trim: true, random: false, trimwrite: true };
            job.extent.io_size = Some(JobSize::Bytes(kib << 10));
        });
        assert_eq!(sectors(&job, &self::kib(100)).len(), 2 * trims, "io_size={kib}k");
    }
}

/// As fio 3.33 does: each file in full, whatever the number of files and their order.
#[test]
fn skips_over_several_files() {
    let services = [
        FileService::Sequential,
        FileService::RoundRobin(1),
        FileService::RoundRobin(3),
        FileService::Random(1),
    ];
    for service in services {
        for files in [1, 2, 3, 7] {
            for (kib, ios) in [(256, 64), (88, 22), (84, 5)] {
                let job = job(|job| {
                    job.pattern.rw_suffix = Some(16 << 10);
                    job.target.file_service = service;
                });
                let extents = vec![file(0, kib << 10); files];
                let mut workload = Workload::new(&job, &extents, 1).unwrap();
                for number in 0..3 {
                    let count = pass(&mut workload).len();
                    assert_eq!(count, ios * files, "pass {number}: {service:?} {files} {kib}");
                    workload.restart();
                }
            }
        }
    }
    let part = job(|job| job.pattern.rw_suffix = Some(16 << 10));
    let sectors = sectors(&part, &[file(20 << 10, 80 << 10)]);
    assert_eq!(sectors, [40, 80, 120, 160], "a part of a file is gone through once");
}

#[test]
fn trims_are_followed_by_writes() {
    let trimwrite = |service, files: &[FileExtent], ios| {
        let job = job(|job| {
            job.pattern.rw =
                ReadWrite { read: false, write: true, trim: true, random: false, trimwrite: true };
            job.target.file_service = service;
            job.extent.number_ios = ios;
        });
        places(&job, files)
    };
    let one = trimwrite(FileService::RoundRobin(1), &kib(64), Some(2));
    assert_eq!(one, [(Trim, 0, 0), (Write, 0, 0), (Trim, 0, 8), (Write, 0, 8)]);
    let three = [file(0, 8192); 3];
    let got = trimwrite(FileService::RoundRobin(1), &three, None);
    let want: Vec<_> = (0..12u32)
        .map(|k| {
            let dir = if k / 3 % 2 == 0 { Trim } else { Write };
            (dir, k % 3, u64::from(k / 6) * 8)
        })
        .collect();
    assert_eq!(got, want);
    let cut = trimwrite(FileService::RoundRobin(1), &three, Some(2));
    assert_eq!(cut, [(Trim, 0, 0), (Trim, 1, 0), (Write, 0, 0), (Write, 1, 0)]);
}

#[test]
fn files_are_served_in_turn() {
    let served = |service, files: &[FileExtent]| {
        let job = job(|job| job.target.file_service = service);
        places(&job, files).iter().map(|&(_, file, _)| file).collect::<Vec<_>>()
    };
    let three = [file(0, 12 << 10); 3];
    assert_eq!(served(FileService::RoundRobin(1), &three), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    assert_eq!(served(FileService::RoundRobin(2), &three), [0, 0, 1, 1, 2, 2, 0, 1, 2]);
    assert_eq!(served(FileService::Sequential, &three), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
    let uneven = [file(0, 4 << 10), file(0, 16 << 10), file(0, 100), file(0, 8 << 10)];
    assert_eq!(served(FileService::RoundRobin(1), &uneven), [0, 1, 3, 1, 3, 1, 1]);
    let mut random = served(FileService::Random(1), &uneven);
    random.sort_unstable();
    assert_eq!(random, [0, 1, 1, 1, 1, 3, 3]);
}

#[test]
fn runs_of_random_jobs() {
    let runs = |identical| {
        let mut job = reads(true, BS);
        job.pattern.rw_suffix = Some(4);
        job.pattern.rw_identical = identical;
        sectors(&job, &kib(1024))
    };
    assert!(runs(true).chunks(4).all(|run| run.iter().all(|&at| at == run[0])));
    let steps = runs(false);
    let jumps = steps.windows(2).filter(|two| two[1] != two[0] + 8).count();
    assert_eq!(steps.len(), 256);
    assert!((50..=80).contains(&jumps), "{jumps}");
}

/// The amount rounds up, whatever the end of the file leaves of a run.
#[test]
fn runs_round_up() {
    for (size, ios) in [(64, 22), (66, 22), (63, 21)] {
        for seed in 1..=20 {
            let mut job = reads(true, 3 << 10);
            job.pattern.rw_suffix = Some(5);
            let mut workload = Workload::new(&job, &kib(size), seed).unwrap();
            assert_eq!(pass(&mut workload).len(), ios, "{size}k");
        }
    }
}

/// Files of unequal lengths get as many I/Os each, where offsets are drawn.
#[test]
fn drawn_offsets_leave_no_file_out() {
    for share in [100, 50] {
        let mut job = reads(true, BS);
        job.pattern.norandommap = true;
        job.pattern.percentage_random = PerDirection::splat(share);
        let at = places(&job, &[file(0, 16 << 10), file(0, 256 << 10)]);
        let short = at.iter().filter(|io| io.1 == 0).count();
        assert_eq!((at.len(), short), (68, 34), "{share} % random");
    }
}

/// `lfsr` visits each block once whatever `norandommap` says, as fio's test t0021 wants it.
#[test]
fn lfsr_needs_no_map() {
    for generator in [None, Some(RandomGenerator::Tausworthe64), Some(RandomGenerator::Lfsr)] {
        let mut job = reads(true, BS);
        job.pattern.norandommap = true;
        job.pattern.random_generator = generator;
        let at: std::collections::HashSet<u64> = sectors(&job, &kib(1024)).into_iter().collect();
        assert_eq!(at.len() == 256, generator == Some(RandomGenerator::Lfsr), "{generator:?}");
    }
}

/// Offsets of 32 bits are multiples of 256 among 2^40 blocks of a byte, as seen of fio.
#[test]
fn tausworthe_reaches_every_so_many_blocks() {
    let huge = [FileExtent::whole(1 << 40)];
    for (generator, exceeds, coarse) in [
        (None, true, false),
        (Some(RandomGenerator::Tausworthe), true, true),
        (Some(RandomGenerator::Tausworthe64), false, false),
    ] {
        let mut job = reads(true, 1);
        job.pattern.norandommap = true;
        job.extent.number_ios = Some(100);
        job.pattern.random_generator = generator;
        let exceeding = Workload::file_beyond_tausworthe(&job, &huge);
        assert_eq!(exceeding, exceeds.then_some(0), "{generator:?}");
        let mut workload = Workload::new(&job, &huge, 1).unwrap();
        assert_eq!(pass(&mut workload).iter().all(|io| io.offset % 256 == 0), coarse);
        job.pattern.bs = PerDirection::splat(BlockSize::Fixed(257));
        assert_eq!(Workload::file_beyond_tausworthe(&job, &huge), None);
    }
}

/// Passes that round up come to the amount of all, rounded up once.
#[test]
fn what_a_pass_exceeds_counts_in_the_next() {
    let ios = |set: &dyn Fn(&mut JobSpec), size: u64, loops: usize| {
        let mut workload = Workload::new(&job(set), &kib(size), 1).unwrap();
        let pass = |_| (pass(&mut workload).len(), workload.restart()).0;
        (0..loops).map(pass).sum::<usize>()
    };
    let backwards = |job: &mut JobSpec| {
        job.pattern.rw_suffix = Some(-8 << 10);
        job.pattern.bs = PerDirection::splat(BlockSize::Fixed(3 << 10));
    };
    assert_eq!(ios(&backwards, 100, 4), 134);
    let drawn = |job: &mut JobSpec| {
        (job.pattern.rw.random, job.pattern.norandommap) = (true, true);
        job.pattern.bs = PerDirection::splat(BlockSize::Fixed(12 << 10));
    };
    assert_eq!(ios(&drawn, 64, 4), 22);
    let mixed = |job: &mut JobSpec| job.pattern.rw.write = true;
    assert_eq!(ios(&mixed, 66, 4), 66);
}

/// An alignment to the blocks themselves leaves them their map.
#[test]
fn blocks_aligned_to_themselves_come_once() {
    let distinct = |align: u64| {
        let mut job = reads(true, BS);
        job.pattern.blockalign = PerDirection::splat(align);
        sectors(&job, &kib(1024)).into_iter().collect::<std::collections::HashSet<_>>().len()
    };
    assert_eq!(distinct(BS), 256);
    assert!(distinct(BS / 2) < 256);
}

/// `loops` beside an `io_size` beyond the file: whole rounds, until both are reached.
#[test]
fn loops_of_an_io_size() {
    let rounds = |random, loops, io_size: u64, size: u64| {
        let mut job = reads(random, BS);
        job.extent.loops = loops;
        job.extent.io_size = Some(JobSize::Bytes(io_size << 10));
        Workload::rounds(&job, &kib(size))
    };
    for random in [false, true] {
        assert_eq!(rounds(random, 2, 300, 100), Some(3));
        assert_eq!(rounds(random, 5, 300, 100), Some(5));
        assert_eq!(rounds(random, 2, 250, 100), Some(3));
        assert_eq!(rounds(random, 3, 2048, 1000), Some(3));
        assert_eq!(rounds(random, 1, 300, 100), None);
        assert_eq!(rounds(random, 5, 40, 100), None);
    }
}

/// A mix in order goes on until the amount is reached, each direction from its own place, unless
/// one of them leaves less than a block of the file.
#[test]
fn mixes_in_order_round_up() {
    let mixed = |reads: u8, block: u64, size: u64, io_size: Option<u64>, seed: u64| {
        let job = job(|job| {
            job.pattern.rw.write = true;
            job.pattern.rwmixread = reads;
            job.pattern.bs = PerDirection::splat(BlockSize::Fixed(block << 10));
            job.extent.io_size = io_size.map(|kib| JobSize::Bytes(kib << 10));
        });
        pass(&mut Workload::new(&job, &kib(size), seed).unwrap())
    };
    for (block, size, io_size, ios) in [
        (4, 66, None, 17),
        (4, 66, Some(200), 50),
        (12, 64, Some(1024), 86),
        (4, 64, Some(200), 50),
    ] {
        assert_eq!(mixed(50, block, size, io_size, 1).len(), ios, "{block} {size} {io_size:?}");
    }
    let one_sided = (1..100).map(|seed| mixed(90, 12, 64, None, seed)).filter(|ios| {
        let reads = ios.iter().filter(|io| io.dir == Read).count();
        assert!(ios.len() == 6 || reads == 5 && ios.len() == 5, "{ios:?}");
        ios.len() == 5
    });
    assert!((1..99).contains(&one_sided.count()));
}

/// Draws of a mix are independent: 6.5 standard deviations of a share over 100,000 are at most
/// 0.0103.
#[test]
fn mixes_converge() {
    for random in [false, true] {
        for percent in [0u8, 1, 30, 50, 70, 99, 100] {
            let mut job = reads(random, 512);
            job.pattern.rw.write = true;
            job.pattern.rwmixread = percent;
            let mut workload = Workload::new(&job, &[file(0, 51_200_000)], 3).unwrap();
            let ios = pass(&mut workload);
            let share = ios.iter().filter(|io| io.dir == Read).count() as f64 / ios.len() as f64;
            let want = f64::from(percent) / 100.0;
            assert!((share - want).abs() < 0.0103, "{share} for {want}");
            let exact = percent != 0 && percent != 100;
            assert!(exact || share == want);
        }
    }
}

#[test]
fn percentage_random_is_the_share_of_jumps() {
    for percent in [0u8, 25, 75, 100] {
        let mut job = reads(true, 512);
        job.pattern.percentage_random = PerDirection::splat(percent);
        let at = sectors(&job, &[file(0, 51_200_000)]);
        let steps = at.windows(2).filter(|two| two[1] == two[0] + 1).count();
        let share = steps as f64 / at.len() as f64;
        assert!((share - 1.0 + f64::from(percent) / 100.0).abs() < 0.0103, "{share}");
    }
}

#[test]
fn a_map_too_large_is_refused_by_name() {
    let mut job = reads(true, BS);
    job.pattern.bs = PerDirection::splat(BlockSize::Range(4096, 8192));
    let volume = [file(0, 1 << 50)];
    let error = Workload::new(&job, &volume, 1).unwrap_err().to_string();
    assert!(error.contains("norandommap") && error.contains("softrandommap"), "{error}");
    job.pattern.softrandommap = true;
    assert!(Workload::new(&job, &volume, 1).unwrap().next_io().is_some());
    let small = Workload::new(&reads(true, 4096), &[file(0, 4095)], 1).unwrap_err();
    assert!(small.to_string().contains("no block fits"), "{small}");
}

#[test]
fn alignment_of_its_own_has_no_map() {
    let mut job = reads(true, BS);
    job.pattern.blockalign = PerDirection::splat(16 << 10);
    let at = sectors(&job, &kib(64));
    assert_eq!(at.len(), 16);
    assert!(at.iter().all(|at| at % 32 == 0));
}

/// Seen by strace of fio 3.33: eight files of 16 KiB.
#[test]
fn few_files_are_worked_on_at_a_time() {
    let eight = [file(0, 16 << 10); 8];
    let order = |openfiles: u32, service: FileService| {
        let job = job(|job| {
            job.target.openfiles = openfiles;
            job.target.file_service = service;
        });
        places(&job, &eight).iter().map(|place| place.1.to_string()).collect::<String>()
    };
    assert_eq!(order(2, FileService::RoundRobin(1)), "01010101232323234545454567676767");
    assert_eq!(order(3, FileService::RoundRobin(1)), "01201201201234534534534567676767");
    assert_eq!(order(2, FileService::RoundRobin(2)), "00110011223322334455445566776677");
    assert_eq!(order(2, FileService::Sequential), "00001111222233334444555566667777");
    let all = order(0, FileService::RoundRobin(1));
    assert_eq!(
        (all.as_str(), order(20, FileService::RoundRobin(1))),
        (&*"01234567".repeat(4), all.clone())
    );
    // A file that is done makes room for one other.
    let uneven = |openfiles: u32, blocks: &[u64]| {
        let files: Vec<FileExtent> = blocks.iter().map(|blocks| file(0, blocks << 12)).collect();
        let job = job(|job| job.target.openfiles = openfiles);
        places(&job, &files).iter().map(|place| place.1).collect::<Vec<u32>>()
    };
    assert_eq!(uneven(2, &[1, 3, 2, 1]), [0, 1, 1, 2, 1, 2, 3]);
    assert_eq!(uneven(2, &[3, 1, 2, 1, 2]), [0, 1, 0, 2, 0, 2, 3, 4, 4]);
    assert_eq!(uneven(3, &[3, 1, 2, 1, 2, 1]), [0, 1, 2, 0, 2, 3, 0, 4, 5, 4]);
}
