//! The kernel's counters of each block device, and the difference between two readings.
//!
//! Layout: the kernel's Documentation/admin-guide/iostats.rst. Counts and sectors are as wide as
//! the machine's word; the times are 32-bit milliseconds and wrap after 49 days of busy time, so
//! only these are subtracted modulo 2^32. A count that decreased means that the device was replaced
//! by another with the same name.

use crate::{DiskStats, Host, HostError};
use std::path::Path;

impl Host {
    /// Counters of every block device; one read of one file, so that it can be sampled often.
    ///
    /// # Errors
    /// [`HostError::Read`] if `/proc/diskstats` cannot be read.
    pub fn disk_stats(&self) -> Result<Vec<DiskStats>, HostError> {
        Ok(parse_disk_stats(&self.bytes("/proc/diskstats")?))
    }

    /// Counters of one device: cheaper than [`Host::disk_stats`] on a machine with many.
    ///
    /// # Errors
    /// [`HostError::NoDevice`] if there is none with that name.
    pub fn disk_stats_of(&self, name: &str) -> Result<DiskStats, HostError> {
        let missing = || HostError::NoDevice { what: name.to_owned() };
        let folder = Path::new("/sys/class/block").join(name);
        let (major, minor) = self.number_of(name).ok_or_else(missing)?;
        let text = self.text(folder.join("stat")).ok_or_else(missing)?;
        let mut stats = DiskStats { name: name.to_owned(), major, minor, ..Default::default() };
        stats.set_columns(text.split_whitespace()).ok_or_else(missing)?;
        Ok(stats)
    }
}

impl DiskStats {
    /// Reads the counters from the columns after the name, as in `/sys/block/NAME/stat`. Columns
    /// that an older kernel lacks are 0; fewer than the eleven of Linux 2.6 are no reading.
    fn set_columns<'a>(&mut self, columns: impl Iterator<Item = &'a str>) -> Option<()> {
        let mut found = [0u64; 17];
        let mut count = 0;
        for (slot, column) in found.iter_mut().zip(columns) {
            *slot = column.parse().ok()?;
            count += 1;
        }
        if count < 11 {
            return None;
        }
        [
            self.read_ios,
            self.read_merges,
            self.read_sectors,
            self.read_ticks_ms,
            self.write_ios,
            self.write_merges,
            self.write_sectors,
            self.write_ticks_ms,
            self.in_flight,
            self.io_ticks_ms,
            self.queue_ms,
            self.discard_ios,
            self.discard_merges,
            self.discard_sectors,
            self.discard_ticks_ms,
            self.flush_ios,
            self.flush_ticks_ms,
        ] = found;
        Some(())
    }
}

/// Reads `/proc/diskstats`; lines of another shape are passed over.
pub fn parse_disk_stats(text: &[u8]) -> Vec<DiskStats> {
    let text = String::from_utf8_lossy(text);
    text.lines().filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<DiskStats> {
    let mut columns = line.split_whitespace();
    let mut stats = DiskStats {
        major: columns.next()?.parse().ok()?,
        minor: columns.next()?.parse().ok()?,
        name: columns.next()?.to_owned(),
        ..Default::default()
    };
    stats.set_columns(columns)?;
    Some(stats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk_deltas;
    use proptest::prelude::*;

    const TEXT: &[u8] = b"\
 254       0 vda 100 1 800 50 200 2 1600 70 3 90 120 5 6 7 8 9 10\n\
   8       1 sda1 1 2 3 4 5 6 7 8 9 10 11\n\
   8       2 short 1 2 3\n\
 not a line\n";

    #[test]
    fn columns_land_in_their_fields() {
        let stats = parse_disk_stats(TEXT);
        assert_eq!(stats.len(), 2);
        let vda = &stats[0];
        assert_eq!((vda.read_ios, vda.read_merges, vda.read_sectors), (100, 1, 800));
        assert_eq!((vda.write_ios, vda.write_sectors, vda.write_ticks_ms), (200, 1600, 70));
        assert_eq!((vda.in_flight, vda.io_ticks_ms, vda.queue_ms), (3, 90, 120));
        assert_eq!((vda.discard_ios, vda.discard_ticks_ms), (5, 8));
        assert_eq!((vda.flush_ios, vda.flush_ticks_ms), (9, 10));
        assert_eq!((stats[1].queue_ms, stats[1].discard_ios), (11, 0));
    }

    #[test]
    fn a_new_or_replaced_device_counts_from_zero_and_a_lost_one_is_left_out() {
        let stats = parse_disk_stats(TEXT);
        let mut replaced = stats[0].clone();
        replaced.read_ios = 7;
        let deltas = disk_deltas(&stats, std::slice::from_ref(&replaced));
        assert_eq!(deltas, [replaced]);
        assert_eq!(disk_deltas(&[], &stats), stats);
    }

    #[test]
    fn times_wrap_at_32_bits() {
        let mut earlier = parse_disk_stats(TEXT).swap_remove(0);
        let mut later = earlier.clone();
        earlier.io_ticks_ms = u64::from(u32::MAX) - 9;
        later.io_ticks_ms = 15;
        assert_eq!(later.since(&earlier).unwrap().io_ticks_ms, 25);
        assert_eq!(later.since(&earlier).unwrap().utilisation(50), 0.5);
        assert_eq!(later.since(&earlier).unwrap().utilisation(0), 0.0);
    }

    fn reading() -> impl Strategy<Value = DiskStats> {
        proptest::array::uniform16(0u64..1 << 28).prop_map(|numbers| {
            let mut stats = DiskStats { name: "vda".into(), major: 254, ..Default::default() };
            for (slot, number) in stats.counts_mut().into_iter().zip(numbers) {
                *slot = number;
            }
            for (slot, number) in stats.ticks_mut().into_iter().zip(&numbers[10..]) {
                *slot = *number;
            }
            stats
        })
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            parse_disk_stats(&bytes);
        }

        #[test]
        fn any_line_of_numbers_comes_back(numbers in proptest::array::uniform17(any::<u64>())) {
            let words: Vec<String> = numbers.iter().map(u64::to_string).collect();
            let line = format!(" 8 0 sda {}\n", words.join(" "));
            let stats = parse_disk_stats(line.as_bytes());
            prop_assert_eq!(stats.len(), 1);
            let total: u128 = numbers.iter().map(|&n| u128::from(n)).sum();
            let read = stats[0].counts().into_iter().chain(stats[0].ticks());
            let sum: u128 = read.chain([stats[0].in_flight]).map(u128::from).sum();
            prop_assert_eq!(sum, total);
        }

        #[test]
        fn differences_add_up(first in reading(), step in reading(), other in reading()) {
            let mut middle = first.clone();
            middle.add(&step);
            let mut last = middle.clone();
            last.add(&other);
            let mut total = middle.since(&first).unwrap();
            total.add(&last.since(&middle).unwrap());
            prop_assert_eq!(total.counts(), last.since(&first).unwrap().counts());
            prop_assert_eq!(total.ticks(), last.since(&first).unwrap().ticks());
        }
    }
}
