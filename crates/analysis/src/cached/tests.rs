//! Caches, holes, memory and other cases, each from the facts of a caller.

use super::*;
use crate::noise::assert_whole;
use fathom_message::{Lang, Tell};
use proptest::prelude::*;

const MIB: u64 = 1 << 20;

fn reads(seen_bytes: u64) -> CacheInputs {
    CacheInputs {
        seen: Some(CounterBytes { by: ByteCounter::Device, bytes: seen_bytes, merges: 0 }),
        direct: DirectIo::Verified,
        medium: Medium::Device,
        filesystem: "ext4".into(),
        ..CacheInputs::new(Direction::Read, 100 * MIB)
    }
}

fn unknown() -> CacheInputs {
    CacheInputs::new(Direction::Read, 100 * MIB)
}

#[test]
fn what_the_device_saw_whole_was_not_cached() {
    for seen in [90, 100, 103] {
        let finding = find_cached(&reads(seen * MIB));
        assert_eq!((finding.verdict, finding.tone()), (CacheVerdict::NotCached, Tone::Good));
    }
    // Where nobody verified that I/O is direct, more may be what the kernel read ahead.
    let asked = CacheInputs { direct: DirectIo::Asked, ..reads(110 * MIB) };
    assert_eq!(find_cached(&asked).verdict, CacheVerdict::NotCached);
    assert_eq!(find_cached(&reads(110 * MIB)).verdict, CacheVerdict::SawMore { times: 1.1 });
    assert_eq!(
        find_cached(&reads(100 * MIB)).to_string(),
        "No cache of this machine took part in the reads: the device saw 100 % of the test's \
         bytes and direct I/O was verified. One inside the storage would not show."
    );
}

#[test]
fn what_the_device_did_not_see_was_cached() {
    for (seen, share, tone) in
        [(89, 0.11, Tone::Warning), (40, 0.6, Tone::Bad), (0, 1.0, Tone::Bad)]
    {
        let finding = find_cached(&CacheInputs { direct: DirectIo::Buffered, ..reads(seen * MIB) });
        let CacheVerdict::Cached { share: found } = finding.verdict else { panic!("{finding}") };
        assert!((found - share).abs() < 1e-9, "{finding}");
        assert_eq!(finding.tone(), tone);
    }
    let finding = find_cached(&CacheInputs {
        direct: DirectIo::Ignored,
        filesystem: "zfs".into(),
        working_set_bytes: Some(1 << 30),
        memory_bytes: Some(8 << 30),
        ..reads(10 * MIB)
    });
    assert_eq!(
        finding.to_string(),
        "90 % of the reads came to a cache before the device: the device saw 10 % of the test's \
         bytes; zfs took direct I/O and buffered all the same; and the working set is 12 % of memory."
    );
}

#[test]
fn tmpfs_is_memory_whatever_else_is_known() {
    let finding = find_cached(&CacheInputs {
        medium: Medium::Memory,
        filesystem: "tmpfs".into(),
        ..reads(100 * MIB)
    });
    assert_eq!((finding.verdict, finding.tone()), (CacheVerdict::Memory, Tone::Bad));
    assert!(finding.to_string().starts_with("These reads are memory's and no storage's: tmpfs is"));
}

#[test]
fn a_device_that_did_more_did_it_for_somebody_else_too() {
    let finding = find_cached(&reads(250 * MIB));
    assert_eq!(finding.verdict, CacheVerdict::SawMore { times: 2.5 });
    assert_eq!(finding.tone(), Tone::Warning);
    assert!(finding.to_string().contains("the device saw 2.5 times the test's bytes"), "{finding}");
}

#[test]
fn io_in_the_other_direction_is_not_the_tests() {
    let other = |ios: f64, bytes: f64| CacheInputs {
        other: Some(ForeignBytes { direction: Direction::Write, ios, bytes }),
        ..reads(100 * MIB)
    };
    let finding = find_cached(&other(0.3, 0.02));
    assert_eq!(finding.verdict, CacheVerdict::Foreign { times: 0.02 });
    let text = finding.to_string();
    let expected = "Other I/O ran on the device during the reads: for each 100 I/Os of the test the \
                    device did 30 other writes, with 2.0 % of the test's bytes. Beside it, the \
                    device saw 100 % of the test's bytes and direct I/O was verified. ";
    assert!(text.starts_with(expected), "{text}");
    assert!(
        finding.tell().text(Lang::Ko).contains("테스트의 I/O 100건마다 장치에서 다른 쓰기 30건")
    );
    // What a file system writes for itself is no program's.
    assert_eq!(find_cached(&other(0.01, 0.03)).verdict, CacheVerdict::NotCached);
}

/// 2,000 writes a second beside 43,000 reads, and 3,000 reads beside 119,000, on a loop device.
#[test]
fn a_little_of_somebody_else_shows_on_a_device_without_a_file_system() {
    let bare = |seen_mib: u64, ios: f64| CacheInputs {
        direct: DirectIo::Verified,
        medium: Medium::Device,
        filesystem: String::new(),
        seconds: 12.0,
        other: Some(ForeignBytes { direction: Direction::Write, ios, bytes: ios }),
        ..CacheInputs {
            seen: Some(CounterBytes { by: ByteCounter::Device, bytes: seen_mib * MIB, merges: 0 }),
            ..CacheInputs::new(Direction::Read, 1000 * MIB)
        }
    };
    let verdict = |inputs: &CacheInputs| find_cached(inputs).verdict;
    assert_eq!(verdict(&bare(1000, 0.018)), CacheVerdict::Foreign { times: 0.018 });
    assert_eq!(verdict(&bare(1025, 0.0)), CacheVerdict::SawMore { times: 1.025 });
    assert_eq!(verdict(&bare(1000, 0.004)), CacheVerdict::NotCached);
    // A file system's records may be as much, and so may a look at a table of partitions be of
    // few I/Os.
    let on_ext4 = |inputs| CacheInputs { filesystem: "ext4".into(), ..inputs };
    assert_eq!(verdict(&on_ext4(bare(1000, 0.018))), CacheVerdict::NotCached);
    assert_eq!(verdict(&on_ext4(bare(1025, 0.0))), CacheVerdict::NotCached);
    let few = CacheInputs {
        issued_bytes: 10 * MIB,
        seen: Some(CounterBytes { by: ByteCounter::Device, bytes: 10 * MIB + 200_000, merges: 0 }),
        ..bare(0, 0.0)
    };
    assert_eq!(verdict(&few), CacheVerdict::NotCached);
}

#[test]
fn a_loop_device_by_the_page_cache_is_suspected() {
    let finding = find_cached(&CacheInputs { cache_beneath: true, ..reads(100 * MIB) });
    assert_eq!(finding.verdict, CacheVerdict::Suspected);
    assert_eq!(
        finding.to_string(),
        "A cache may have served part of the reads: the device is a file in this machine's page cache \
         (losetup --direct-io=on goes around it)."
    );
}

/// An NFS client that answers faster than the network can, by its own counters and by the floor.
#[test]
fn faster_than_the_network_is_not_the_network() {
    let floor = LatencyFloor { floor_ns: 250e3, of: FloorOf::RoundTrip, share_below: 0.7 };
    let inputs = CacheInputs {
        medium: Medium::Network,
        filesystem: "nfs".into(),
        floor: Some(floor),
        ..unknown()
    };
    let finding = find_cached(&inputs);
    assert_eq!(finding.verdict, CacheVerdict::Cached { share: 0.7 });
    assert!(
        finding
            .to_string()
            .contains("70 % of I/Os were faster than the network's round trip of 250 us"),
        "{finding}"
    );
    let seen = Some(CounterBytes { by: ByteCounter::NfsClient, bytes: 20 * MIB, merges: 0 });
    let finding = find_cached(&CacheInputs { seen, ..inputs.clone() });
    assert_eq!(finding.verdict, CacheVerdict::Cached { share: 0.8 });
    // A few that beat it are clocks and chance.
    let few = Some(LatencyFloor { share_below: 0.01, ..floor });
    let finding = find_cached(&CacheInputs { floor: few, ..inputs });
    assert_eq!(finding.verdict, CacheVerdict::NotEnough);
}

#[test]
fn holes_look_like_a_cache_and_are_none() {
    let finding = find_cached(&CacheInputs { unwritten_share: Some(0.9), ..reads(10 * MIB) });
    assert_eq!(finding.verdict, CacheVerdict::Unwritten { share: 0.9 });
    assert!(finding.to_string().contains("Fill the file first"));
    // Holes that explain too little of it leave a cache; a write fills them.
    let finding = find_cached(&CacheInputs { unwritten_share: Some(0.2), ..reads(10 * MIB) });
    assert_eq!(finding.verdict, CacheVerdict::Cached { share: 0.9 });
    let writes =
        CacheInputs { direction: Direction::Write, unwritten_share: Some(0.9), ..reads(10 * MIB) };
    assert_eq!(find_cached(&writes).verdict, CacheVerdict::Cached { share: 0.9 });
}

#[test]
fn signs_without_a_counter_are_a_suspicion() {
    let suspicious = [
        CacheInputs { direct: DirectIo::Buffered, ..unknown() },
        CacheInputs { direct: DirectIo::Ignored, ..unknown() },
        CacheInputs { unwritten_share: Some(0.1), ..unknown() },
        CacheInputs { offsets: Offsets::Repeated, ..unknown() },
        CacheInputs { compressible_share: Some(0.5), ..unknown() },
        // What a counter on this side cannot see.
        CacheInputs { offsets: Offsets::Repeated, ..reads(100 * MIB) },
        CacheInputs { compressible_share: Some(0.5), ..reads(100 * MIB) },
    ];
    for inputs in suspicious {
        let finding = find_cached(&inputs);
        assert_eq!(finding.verdict, CacheVerdict::Suspected, "{finding}");
        assert_eq!(finding.tone(), Tone::Warning);
    }
    let plain = [
        unknown(),
        CacheInputs { direct: DirectIo::Verified, ..unknown() },
        CacheInputs { issued_bytes: 0, ..reads(0) },
    ];
    for inputs in plain {
        assert_eq!(find_cached(&inputs).verdict, CacheVerdict::NotEnough);
    }
    let repeated =
        CacheInputs { direction: Direction::Write, offsets: Offsets::Repeated, ..reads(100 * MIB) };
    assert_eq!(find_cached(&repeated).verdict, CacheVerdict::NotCached);
}

#[test]
fn reads_that_the_device_counted_to_the_byte_came_from_it() {
    let cold = CacheInputs {
        direct: DirectIo::Buffered,
        working_set_bytes: Some(1 << 30),
        memory_bytes: Some(8 << 30),
        ..reads(100 * MIB)
    };
    assert_eq!(find_cached(&cold).verdict, CacheVerdict::NotCached);
    // Readahead may hide what the cache answered, and writes arrive later.
    let ahead = CacheInputs { issued_bytes: 95 * MIB, ..cold.clone() };
    assert_eq!(find_cached(&ahead).verdict, CacheVerdict::Suspected);
    let writes = CacheInputs { direction: Direction::Write, ..cold };
    assert_eq!(find_cached(&writes).verdict, CacheVerdict::Suspected);
}

#[test]
fn a_large_working_set_is_no_sign() {
    let inputs = CacheInputs {
        direct: DirectIo::Buffered,
        working_set_bytes: Some(20 << 30),
        memory_bytes: Some(8 << 30),
        ..unknown()
    };
    let fits = |finding: &CacheFinding| {
        finding.signs.iter().any(|sign| matches!(sign, CacheSign::FitsMemory { .. }))
    };
    assert!(!fits(&find_cached(&inputs)));
    assert!(fits(&find_cached(&CacheInputs { working_set_bytes: Some(4 << 30), ..inputs })));
}

proptest! {
    /// Bytes times k change nothing; the cached share is what is missing.
    #[test]
    fn shares_do_not_depend_on_how_much_there_was(
        issued in 1u64..1 << 40, part in 0.0..0.89f64, k in 1u64..1000,
    ) {
        let seen_bytes = (issued as f64 * part) as u64;
        let of = |k: u64| {
            let seen = Some(CounterBytes { by: ByteCounter::Device, bytes: seen_bytes * k, merges: 0 });
            find_cached(&CacheInputs { seen, ..CacheInputs::new(Direction::Read, issued * k) })
        };
        let CacheVerdict::Cached { share } = of(1).verdict else { panic!("{}", of(1)) };
        let CacheVerdict::Cached { share: larger } = of(k).verdict else { panic!("{}", of(k)) };
        prop_assert!((share - larger).abs() < 1e-12);
        prop_assert!((share - (1.0 - seen_bytes as f64 / issued as f64)).abs() < 1e-12);
    }

    #[test]
    fn any_input_is_survived(
        bytes in any::<[u64; 5]>(), shares in any::<[f64; 4]>(), known in any::<bool>(),
    ) {
        let finding = find_cached(&CacheInputs {
            seen: known.then_some(CounterBytes { by: ByteCounter::Device, bytes: bytes[1], merges: bytes[2] }),
            working_set_bytes: Some(bytes[3]),
            memory_bytes: Some(bytes[4]),
            direct: DirectIo::Buffered,
            unwritten_share: Some(shares[0]),
            compressible_share: Some(shares[1]),
            floor: Some(LatencyFloor {
                floor_ns: shares[2],
                of: FloorOf::Medium,
                share_below: shares[3],
            }),
            ..CacheInputs::new(Direction::Read, bytes[0])
        });
        assert_whole(&finding);
        if let CacheVerdict::Cached { share } = finding.verdict {
            prop_assert!((0.0..=1.0).contains(&share));
        }
    }
}

#[test]
fn many_times_what_was_issued_is_no_share_and_what_says_no_more_is_left_out() {
    let told = |direction, ios, bytes| CacheSign::OtherDirection { direction, ios, bytes }.tell();
    let writes = |ios, bytes| told(Direction::Write, ios, bytes).text(Lang::En);
    let each = "for each 100 I/Os of the test the device did";
    let many = "other writes, with 22 times the test's bytes";
    assert_eq!(writes(0.15, 21.89), format!("{each} 15 {many}"));
    assert_eq!(writes(9.94, 9.95), format!("{each} 994 other writes"));
    assert_eq!(writes(0.005, 0.005), format!("{each} 0.5 other writes"));
    let reads = told(Direction::Read, 19.55, 2801.11);
    let english = "for each I/O of the test the device did 20 other reads, with 2,801 times the \
                   test's bytes";
    assert_eq!(reads.text(Lang::En), english);
    let korean = "테스트의 I/O 1건마다 장치에서 다른 읽기 20건 실행(바이트로는 테스트의 2,801배)";
    assert_eq!(reads.text(Lang::Ko), korean);
    let more = CacheSign::Counter { by: ByteCounter::Device, times: 2527.3 }.tell();
    assert_eq!(more.text(Lang::En), "the device saw 2,527 times the test's bytes");
}
