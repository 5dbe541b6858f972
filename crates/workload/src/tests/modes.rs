//! Every combination of options: I/Os are inside their extents, are aligned, and end.

use super::*;
use fathom_job::{Distribution, FileService};
use proptest::prelude::*;

fn sizes() -> impl Strategy<Value = BlockSize> {
    prop_oneof![
        (1u64..20).prop_map(|n| BlockSize::Fixed(n * 512)),
        (1u64..10, 0u64..20).prop_map(|(a, b)| BlockSize::Range(a * 512, (a + b) * 512)),
        (1u64..20, 1u64..20, 1u8..99)
            .prop_map(|(a, b, w)| BlockSize::Split(vec![(a * 512, w), (b * 512, 100 - w)])),
    ]
}

fn distribution() -> impl Strategy<Value = Distribution> {
    let center = || prop::option::of(0.0..=1.0f64);
    prop_oneof![
        4 => Just(Distribution::Uniform),
        1 => (0.1..3.0f64, center()).prop_map(|(theta, center)| Distribution::Zipf { theta, center }),
        1 => (0.05..0.95f64, center()).prop_map(|(h, center)| Distribution::Pareto { h, center }),
        1 => (0.0..100.0f64, center())
            .prop_map(|(deviation, center)| Distribution::Normal { deviation, center }),
        1 => (1u8..100, 1u8..100).prop_map(|(a, b)| Distribution::Zoned(vec![(a, b), (100 - a, 100 - b)])),
        1 => (1u8..100, 1u64..1 << 20).prop_map(|(a, b)| Distribution::ZonedAbs(vec![(a, b), (100 - a, b)])),
    ]
}

fn service() -> impl Strategy<Value = FileService> {
    prop_oneof![
        (1u32..5).prop_map(FileService::RoundRobin),
        (1u32..5).prop_map(FileService::Random),
        Just(FileService::Sequential),
    ]
}

prop_compose! {
    fn pattern()(read in sizes(), write in sizes(), random: bool, kind in 0..5, mix in 0u8..=100,
                 distribution in distribution(), norandommap: bool, unaligned: bool,
                 seq_rand: bool, share in prop_oneof![2 => Just(100u8), 1 => 0u8..=100],
                 align in prop_oneof![3 => Just(0u64), 1 => (1u64..16).prop_map(|n| n * 512)],
                 suffix in prop_oneof![2 => Just(None), 1 => (1i64..6).prop_map(Some)],
                 identical: bool) -> fathom_job::Pattern {
        let mut pattern = fathom_job::Pattern::default();
        pattern.rw.random = random;
        pattern.rw.read = matches!(kind, 0 | 1);
        pattern.rw.write = matches!(kind, 1 | 2 | 4);
        pattern.rw.trim = matches!(kind, 3 | 4);
        pattern.rw.trimwrite = kind == 4;
        pattern.bs = PerDirection { read, write: write.clone(), trim: write };
        pattern.rwmixread = mix;
        pattern.distribution = PerDirection::splat(distribution);
        pattern.norandommap = norandommap;
        pattern.bs_unaligned = unaligned;
        pattern.bs_is_seq_rand = seq_rand;
        pattern.percentage_random = PerDirection::splat(share);
        pattern.blockalign = PerDirection::splat(align);
        pattern.rw_suffix = suffix.map(|n| if random { n } else { (n - 3) * 4096 });
        pattern.rw_identical = identical;
        pattern
    }
}

prop_compose! {
    fn jobs()(pattern in pattern(), service in service(), io_size in prop::option::of(1u64..1 << 20),
              ios in prop::option::of(1u64..500)) -> JobSpec {
        let mut job = JobSpec { pattern, ..JobSpec::default() };
        job.target.file_service = service;
        job.extent.io_size = io_size.map(JobSize::Bytes);
        job.extent.number_ios = ios;
        job
    }
}

fn extents() -> impl Strategy<Value = Vec<FileExtent>> {
    let one = (0u64..1 << 44, 0u64..200_000).prop_map(|(start, len)| file(start, len));
    (prop::collection::vec(one, 0..6), 20_480u64..300_000).prop_map(|(mut files, len)| {
        files.push(file(512, len));
        files
    })
}

/// The size and alignment that an I/O may have.
fn check(job: &JobSpec, files: &[FileExtent], io: &Io) -> Result<(), TestCaseError> {
    let extent = files[io.file as usize];
    prop_assert!(io.offset >= extent.start && io.len > 0, "{:?}", io);
    prop_assert!(io.offset + u64::from(io.len) <= extent.start + extent.len, "{:?}", io);
    // Backwards steps count from the end of the file.
    if !job.pattern.bs_unaligned && job.pattern.rw_suffix.is_none_or(|skip| skip >= 0) {
        prop_assert_eq!((io.offset - extent.start) % 512, 0, "{:?}", io);
        prop_assert_eq!(io.len % 512, 0, "{:?}", io);
    }
    let bs = &job.pattern.bs;
    let most = bs.iter().map(|(_, sizes)| sizes.max()).max().unwrap_or(0);
    prop_assert!(u64::from(io.len) <= most);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]
    #[test]
    fn inside_aligned_and_finite(job in jobs(), files in extents(), seed: u64) {
        let mut workload = Workload::new(&job, &files, seed).unwrap();
        let mut twin = Workload::new(&job, &files, seed).unwrap();
        let total: u64 = files.iter().map(|file| file.len).sum();
        let limit = job.extent.io_size.map_or(total, |size| match size {
            JobSize::Bytes(bytes) => bytes,
            JobSize::Percent(_) => total,
        });
        for _ in 0..3 {
            let ios = pass(&mut workload);
            prop_assert!(!ios.is_empty());
            prop_assert_eq!(&ios, &pass(&mut twin));
            for io in &ios {
                check(&job, &files, io)?;
            }
            let counted = |io: &&Io| !job.pattern.rw.trimwrite || io.dir == Direction::Trim;
            let (last, before): (Vec<_>, u64) = {
                let counted: Vec<&Io> = ios.iter().filter(counted).collect();
                let before = counted[..counted.len() - 1].iter().map(|io| u64::from(io.len)).sum();
                (counted, before)
            };
            prop_assert!(before < limit, "went on after {} of {}", before, limit);
            prop_assert!(last.len() as u64 <= job.extent.number_ios.unwrap_or(u64::MAX));
            prop_assert_eq!(workload.next_io(), None, "None stays None");
            workload.restart();
            twin.restart();
        }
    }

    #[test]
    fn both_ways_agree(bs in 1u64..16, blocks in 1u64..200, random: bool, norandommap: bool,
                       mix in 0u8..=100, of in 1u64..600, seed: u64, wrap: bool) {
        let mut job = reads(random, bs * 512);
        job.pattern.rw.write = true;
        job.pattern.rwmixread = mix;
        job.pattern.norandommap = norandommap;
        job.extent.io_size = wrap.then_some(JobSize::Bytes(of * bs * 512));
        let files = [file(4096, blocks * bs * 512)];
        let mut quick = Workload::new(&job, &files, seed).unwrap();
        let mut general = Workload::new_general(&job, &files, seed);
        for _ in 0..4 {
            prop_assert_eq!(pass(&mut quick), pass(&mut general));
            quick.restart();
            general.restart();
        }
    }

    #[test]
    fn mixed_sizes_cover_once(files in extents(), read in sizes(), write in sizes(),
                              mix in 0u8..=100, service in service(), seed: u64) {
        let mut job = reads(true, 512);
        job.pattern.rw.write = true;
        job.pattern.rwmixread = mix;
        job.pattern.bs = PerDirection { read, write: write.clone(), trim: write };
        job.target.file_service = service;
        let mut workload = Workload::new(&job, &files, seed).unwrap();
        for _ in 0..2 {
            let mut seen = std::collections::HashSet::new();
            for io in pass(&mut workload) {
                for sector in 0..u64::from(io.len) / 512 {
                    prop_assert!(seen.insert((io.file, io.offset + sector * 512)), "{:?} again", io);
                }
            }
            workload.restart();
        }
    }
}
