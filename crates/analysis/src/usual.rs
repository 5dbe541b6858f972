//! For which kind of storage a latency is usual.
//!
//! The ranges are orders of magnitude, those of the glossary's tables (a test holds both together).
//! Between two ranges the message names both neighbours.

use fathom_message::{Message, list};

/// A kind of storage, and the latencies that are usual for it.
struct StorageKind {
    /// Its name in the catalogue.
    name: &'static str,
    /// In microseconds, both ends included.
    usual_us: (f64, f64),
}

/// Kinds of storage by a read, the fastest first.
const READS: [StorageKind; 5] = [
    StorageKind { name: "usual-memory", usual_us: (0.0, 10.0) },
    StorageKind { name: "usual-nvme", usual_us: (60.0, 120.0) },
    StorageKind { name: "usual-sata", usual_us: (80.0, 200.0) },
    StorageKind { name: "usual-cloud", usual_us: (300.0, 2_000.0) },
    StorageKind { name: "usual-hard-disk", usual_us: (5_000.0, 15_000.0) },
];

/// The same by a flush. What a protected cache holds is safe at once.
const FLUSHES: [StorageKind; 5] = [
    StorageKind { name: "usual-protected", usual_us: (20.0, 100.0) },
    StorageKind { name: "usual-unprotected", usual_us: (500.0, 5_000.0) },
    StorageKind { name: "usual-cloud", usual_us: (500.0, 5_000.0) },
    StorageKind { name: "usual-sata", usual_us: (1_000.0, 10_000.0) },
    StorageKind { name: "usual-hard-disk", usual_us: (5_000.0, 20_000.0) },
];

/// For which kind of storage a read of so many nanoseconds is usual.
pub fn of_read(ns: f64) -> Message {
    judged(ns / 1e3, &READS)
}

/// The same of a flush.
pub fn of_flush(ns: f64) -> Message {
    judged(ns / 1e3, &FLUSHES)
}

/// How a latency in microseconds compares with kinds of storage.
fn judged(us: f64, kinds: &[StorageKind]) -> Message {
    let name = |kind: &StorageKind| Message::new(kind.name);
    let is_usual = |kind: &&StorageKind| (kind.usual_us.0..=kind.usual_us.1).contains(&us);
    let usual: Vec<Message> = kinds.iter().filter(is_usual).map(name).collect();
    if !usual.is_empty() {
        return Message::new("usual-for").part("kinds", list::choices(usual));
    }
    let faster = kinds.iter().rev().find(|kind| kind.usual_us.1 < us);
    let slower = kinds.iter().find(|kind| kind.usual_us.0 > us);
    match (faster, slower) {
        (Some(faster), Some(slower)) => {
            Message::new("usual-between").part("faster", name(faster)).part("slower", name(slower))
        }
        (None, Some(kind)) => Message::new("usual-faster").part("kind", name(kind)),
        (Some(kind), None) => Message::new("usual-slower").part("kind", name(kind)),
        // Not a number.
        (None, None) => Message::verbatim(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::{Lang, glossary};

    #[test]
    fn a_latency_is_usual_for_a_kind_or_stands_between_two() {
        for (us, expected) in [
            (3.0, "usual for memory or a cache"),
            (30.0, "faster than an NVMe SSD usually is, slower than memory or a cache"),
            (63.0, "usual for an NVMe SSD"),
            (100.0, "usual for an NVMe SSD or a SATA SSD"),
            (250.0, "faster than a network volume of a cloud usually is, slower than a SATA SSD"),
            (900.0, "usual for a network volume of a cloud"),
            (40_000.0, "slower than a hard disk usually is"),
        ] {
            assert_eq!(judged(us, &READS).text(Lang::En), expected);
            assert!(judged(us, &READS).text(Lang::Ko).contains("일반"), "{us}");
        }
    }

    #[test]
    fn a_flush_is_compared_with_flushes() {
        for (us, expected) in [
            (9.0, "faster than an NVMe SSD with power-loss protection usually is"),
            (60.0, "usual for an NVMe SSD with power-loss protection"),
            (
                228.0,
                "faster than an NVMe SSD without power-loss protection usually is, slower than an \
                 NVMe SSD with power-loss protection",
            ),
            (30_000.0, "slower than a hard disk usually is"),
        ] {
            assert_eq!(judged(us, &FLUSHES).text(Lang::En), expected);
            assert!(judged(us, &FLUSHES).text(Lang::Ko).contains("일반"), "{us}");
        }
        let told = judged(700.0, &FLUSHES).text(Lang::En);
        assert!(told.ends_with("protection or a network volume of a cloud"), "{told}");
    }

    /// `60 to 120 us`, `5 to 15 ms`, `below 10 us`.
    fn written((low, high): (f64, f64)) -> String {
        match (low, high) {
            (0.0, high) => format!("below {high} us"),
            (low, high) if high < 1e3 => format!("{low} to {high} us"),
            (low, high) => format!("{} to {} ms", low / 1e3, high / 1e3),
        }
    }

    #[test]
    fn the_ranges_are_those_of_the_glossary() {
        let usual = glossary::usual(glossary::text(Lang::En));
        assert_eq!(usual.len(), 2);
        for (section, kinds) in usual.iter().zip([&READS, &FLUSHES]) {
            let mut of_glossary: Vec<&str> = section.rows.iter().map(|row| row[1]).collect();
            let mut own: Vec<String> = kinds.iter().map(|kind| written(kind.usual_us)).collect();
            of_glossary.sort_unstable();
            own.sort_unstable();
            assert_eq!(own, of_glossary);
        }
    }
}
