//! Contents as a compressor and a deduplicator see them.

use super::*;
use std::collections::HashSet;

fn blocks(set: impl FnOnce(&mut Buffers), bs: usize, count: u64) -> Vec<Vec<u8>> {
    let mut buffers = Buffers::default();
    set(&mut buffers);
    let mut filler = BufferFiller::new(&buffers, bs, 9);
    let mut slot = vec![0xaa; bs];
    filler.init(&mut slot);
    (0..count)
        .map(|k| {
            filler.prepare(&mut slot, k * bs as u64, 5);
            slot.clone()
        })
        .collect()
}

fn compressed_share(blocks: &[Vec<u8>]) -> f64 {
    let packed = |block: &Vec<u8>| zstd::bulk::compress(block, 3).map_or(0, |out| out.len());
    let whole: usize = blocks.iter().map(Vec::len).sum();
    blocks.iter().map(packed).sum::<usize>() as f64 / whole as f64
}

fn distinct(blocks: &[Vec<u8>], unit: usize) -> usize {
    blocks.iter().flat_map(|block| block.chunks(unit)).collect::<HashSet<_>>().len()
}

#[test]
fn default_is_random_and_each_sector_changes() {
    let got = blocks(|_| {}, 4096, 500);
    assert_eq!(distinct(&got, 512), 500 * 8);
    assert!(compressed_share(&got) > 0.99);
    let differ = |a: &[u8], b: &[u8]| a.iter().zip(b).filter(|(a, b)| a != b).count();
    assert!(got.windows(2).all(|two| differ(&two[0], &two[1]) <= 8 * 16), "a few bytes only");
    let same = blocks(|buffers| buffers.scramble = false, 4096, 20);
    assert_eq!(distinct(&same, 4096), 1);
}

#[test]
fn refilled_buffers_share_nothing() {
    let got = blocks(|buffers| buffers.refill = true, 4096, 200);
    assert_eq!(distinct(&got, 8), 200 * 512);
    assert!(compressed_share(&got) > 0.99);
    let ones: u32 = got.iter().flatten().map(|byte| byte.count_ones()).sum();
    // 6.5 standard deviations of 6.5 million fair bits.
    assert!((f64::from(ones) - 3_276_800.0).abs() < 6.5 * 1280.0, "{ones}");
}

#[test]
fn zeros_and_patterns_stay() {
    let zero = |buffers: &mut Buffers| {
        buffers.zero = true;
        buffers.refill = true;
    };
    assert!(blocks(zero, 1000, 3).iter().flatten().all(|&byte| byte == 0));
    let got = blocks(|buffers| buffers.pattern = b"abc".to_vec(), 1000, 3);
    assert!(got.iter().all(|block| block.iter().enumerate().all(|(k, &b)| b == b"abc"[k % 3])));
}

#[test]
fn compresses_to_what_was_asked() {
    for (bs, chunk) in [(65536, 512), (65536, 4096), (65536, 0), (4096, 0)] {
        for percent in (0..=100).step_by(10) {
            let set = |buffers: &mut Buffers| {
                buffers.compress_percentage = Some(percent);
                buffers.compress_chunk = chunk;
            };
            let share = compressed_share(&blocks(set, bs, 16));
            let want = 1.0 - f64::from(percent) / 100.0;
            assert!((share - want).abs() < 0.03, "{bs}/{chunk}: {share} for {want}");
        }
    }
}

/// Repeats are drawn one by one: 6.5 standard deviations over 4,000 draws are at most 0.052.
#[test]
fn repeats_as_many_as_asked() {
    for percent in [0u8, 10, 30, 50, 70, 90, 100] {
        for compress_percentage in [None, Some(50)] {
            let set = |buffers: &mut Buffers| {
                buffers.dedupe_percentage = percent;
                buffers.compress_percentage = compress_percentage;
            };
            let got = blocks(set, 512, 4000);
            let repeated = 1.0 - distinct(&got, 512) as f64 / 4000.0;
            let want = f64::from(percent) / 100.0;
            assert!((repeated - want).abs() < 0.052, "{repeated} for {want}");
        }
    }
}

#[test]
fn odd_lengths_are_filled_to_the_end() {
    for bs in [1, 7, 8, 31, 33, 511, 513, 1000] {
        for compress_percentage in [None, Some(30)] {
            let buffers = Buffers { compress_percentage, ..Buffers::default() };
            let filled = |before: u8| {
                let mut slot = vec![before; bs];
                BufferFiller::new(&buffers, bs, 3).init(&mut slot);
                slot
            };
            assert_eq!(filled(0), filled(255), "{bs}");
        }
        let scrambled = blocks(|_| {}, bs, 64);
        assert!(distinct(&scrambled, bs) > if bs == 1 { 40 } else { 60 }, "{bs}");
    }
}
