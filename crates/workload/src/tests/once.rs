//! With the map, each block comes exactly once a pass.

use super::*;
use proptest::prelude::*;
use std::collections::HashSet;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]
    #[test]
    fn each_block_once(blocks in 1u64..3000, bs in 1u64..5000, start in 0u64..1 << 40,
                       tail in 0u64..5000, seed: u64, mix in 0u8..=100) {
        let mut job = reads(true, bs);
        job.pattern.rw.write = mix < 100;
        job.pattern.rwmixread = mix;
        let extent = file(start, blocks * bs + tail % bs);
        let mut workload = Workload::new(&job, &[extent], seed).unwrap();
        for _ in 0..3 {
            let ios = pass(&mut workload);
            let seen: HashSet<u64> = ios.iter().map(|io| io.offset).collect();
            prop_assert_eq!(ios.len() as u64, blocks);
            prop_assert_eq!(seen.len() as u64, blocks);
            prop_assert!(ios.iter().all(|io| (io.offset - start) % bs == 0
                && io.offset + bs <= start + extent.len));
            workload.restart();
        }
    }
}

#[test]
fn passes_seeds_and_clones_have_orders_of_their_own() {
    let job = reads(true, 512);
    let one = |seed, passes| {
        let mut workload = Workload::new(&job, &[file(0, 512_000)], seed).unwrap();
        (0..passes).map(|_| (pass(&mut workload), workload.restart()).0).collect::<Vec<_>>()
    };
    let mut orders = one(1, 3);
    orders.extend((0..3).flat_map(|clone| one(crate::seed_for(&job, clone, 0), 1)));
    let alike = |a: &[Io], b: &[Io]| a.iter().zip(b).filter(|(a, b)| a == b).count();
    for (number, a) in orders.iter().enumerate() {
        // Fixed points of a shuffle: one on average.
        assert!(orders[number + 1..].iter().all(|b| alike(a, b) < 20));
    }
    assert_eq!(one(1, 3), one(1, 3));
}
