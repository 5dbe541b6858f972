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
    let same = blocks(|buffers| buffers.scramble = Some(false), 4096, 20);
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
fn a_pattern_begins_with_each_block() {
    let set = |buffers: &mut Buffers| {
        (buffers.pattern, buffers.scramble) = (b"abc".to_vec(), Some(false));
    };
    let got = blocks(set, 1000, 3);
    assert!(got.iter().all(|block| block.iter().enumerate().all(|(k, &b)| b == b"abc"[k % 3])));
}

/// Kinds of content, of options in their order: all blocks alike, or none, or half of them; and the
/// share of bytes that are the pattern or zero. Each line was seen of fio 3.33 and 3.42.
const OBSERVED: &[(&str, &str, f64, f64)] = &[
    ("", "none", 0.0, 0.0),
    ("scramble_buffers=0", "all", 0.0, 0.0),
    ("refill_buffers scramble_buffers=0", "none", 0.0, 0.0),
    ("zero_buffers", "all", 0.0, 1.0),
    ("zero_buffers refill_buffers", "all", 0.0, 1.0),
    ("zero_buffers scramble_buffers=1", "none", 0.0, 1.0),
    ("scramble_buffers=1 zero_buffers", "none", 0.0, 1.0),
    ("zero_buffers dedupe_percentage=50", "half", 0.0, 0.0),
    ("zero_buffers buffer_compress_percentage=50", "none", 0.0, 0.5),
    ("buffer_pattern=0x55", "all", 1.0, 0.0),
    ("zero_buffers buffer_pattern=0x55", "all", 1.0, 0.0),
    ("buffer_pattern=0x55 zero_buffers", "all", 1.0, 0.0),
    ("buffer_pattern=0x55 scramble_buffers=1", "none", 1.0, 0.0),
    ("scramble_buffers=1 buffer_pattern=0x55", "all", 1.0, 0.0),
    ("buffer_pattern=0x55 refill_buffers scramble_buffers=1", "all", 1.0, 0.0),
    ("buffer_pattern=0x55 dedupe_percentage=50", "half", 0.0, 0.0),
    ("dedupe_percentage=50 buffer_pattern=0x55", "all", 0.0, 0.0),
    ("buffer_pattern=0x55 buffer_compress_percentage=50", "none", 0.5, 0.0),
    ("buffer_pattern=0x55 buffer_compress_percentage=100", "all", 1.0, 0.0),
    ("buffer_compress_percentage=50 dedupe_percentage=50 buffer_pattern=0x55", "half", 0.5, 0.0),
    ("buffer_compress_percentage=0", "all", 0.0, 0.0),
    ("buffer_compress_percentage=0 refill_buffers", "none", 0.0, 0.0),
    ("buffer_compress_percentage=100", "all", 0.0, 1.0),
    ("buffer_compress_percentage=100 dedupe_percentage=50", "half", 0.0, 0.0),
    ("dedupe_percentage=100", "all", 0.0, 0.0),
    ("dedupe_percentage=50 scramble_buffers=1", "half", 0.0, 0.0),
];

/// The last block, since changes add up: in fio to 15 % of a pattern.
#[test]
fn options_combine_as_in_fio() {
    for &(words, alike, pattern, zero) in OBSERVED {
        let options: Vec<_> = words
            .split_whitespace()
            .map(|word| word.split_once('=').unwrap_or((word, "")))
            .collect();
        let job = fathom_job::job_from_options("j", &options).expect("options of fio");
        let got = blocks(|buffers| *buffers = job.buffers, 4096, 200);
        let seen = match distinct(&got, 4096) {
            1 => "all",
            200 => "none",
            60..140 => "half",
            _ => "few",
        };
        let share = |value: u8| {
            let bytes = got[199].iter().filter(|&&byte| byte == value).count();
            bytes as f64 / 4096.0
        };
        let near = |share: f64, want: f64| (share - want).abs() < 0.16;
        let right = seen == alike && near(share(0x55), pattern) && near(share(0), zero);
        assert!(right, "{words}: {seen}, pattern {}, zero {}", share(0x55), share(0));
    }
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
                (buffers.dedupe_percentage, buffers.refill) = (percent, true);
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
