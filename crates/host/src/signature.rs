//! The content of a device, by the signatures that file systems, partition tables and volume
//! managers write near its start.
//!
//! A signature at the end of the device (md 0.90 and 1.0, a GPT's second copy) is not searched: a
//! device with only that is rare, and one read at the start is cheap. The order matters if several
//! signatures are present: a partition table last, because boot sectors of FAT contain its two
//! bytes as well.

use crate::{Host, HostError};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How many bytes from the start [`identify`] reads: ZFS's label ends at 256 KiB.
pub const SIGNATURE_BYTES: usize = 256 * 1024;

/// A signature: its offset, its bytes, its owner.
type Mark = (usize, &'static [u8], &'static str);

/// The offset of each signature, from each format's own documentation.
const MARKS: &[Mark] = &[
    (0, b"XFSB", "xfs"),
    (0, b"LUKS\xba\xbe", "LUKS encryption"),
    (0, b"hsqs", "squashfs"),
    (0, b"bluestore block device", "Ceph BlueStore"),
    (0, b"dmvdo001", "VDO"),
    (3, b"NTFS    ", "NTFS"),
    (3, b"EXFAT   ", "exFAT"),
    (54, b"FAT1", "FAT"),
    (82, b"FAT32   ", "FAT"),
    (32, b"ORCLDISK", "Oracle ASM"),
    (0, b"\xfc\x4e\x2b\xa9", "md RAID member"),
    (4096, b"\xfc\x4e\x2b\xa9", "md RAID member"),
    (4120, b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81", "bcache"),
    (4120, b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef", "bcachefs"),
    (1024, b"\x10\x20\xf5\xf2", "f2fs"),
    (1024, b"\xe2\xe1\xf5\xe0", "erofs"),
    (1080, b"\x53\xef", "ext2, ext3 or ext4"),
    (4086, b"SWAPSPACE2", "swap"),
    (8182, b"SWAPSPACE2", "swap"),
    (16374, b"SWAPSPACE2", "swap"),
    (65526, b"SWAPSPACE2", "swap"),
    (0x8001, b"CD001", "ISO 9660"),
    (0x10034, b"ReIsEr", "reiserfs"),
    (0x10040, b"_BHRfS_M", "btrfs"),
    (512, b"EFI PART", "a GPT partition table"),
    (4096, b"EFI PART", "a GPT partition table"),
];

/// The owner of `start`, the first bytes of a device; `None` if unknown.
///
/// Any length is accepted; with fewer than [`SIGNATURE_BYTES`] some signatures cannot be seen.
pub fn identify(start: &[u8]) -> Option<&'static str> {
    let stands = |(at, mark, _): &&Mark| start.get(*at..*at + mark.len()) == Some(*mark);
    let marked = MARKS.iter().find(stands).map(|(_, _, name)| *name);
    marked
        .or_else(|| is_lvm(start).then_some("LVM physical volume"))
        .or_else(|| is_zfs(start).then_some("ZFS"))
        .or_else(|| is_mbr(start).then_some("an MBR partition table"))
}

impl Host {
    /// The content of the device or file, by its first bytes: a file system, a partition table, a
    /// volume manager's label. `None` if unknown.
    ///
    /// # Errors
    /// [`HostError::Read`] if it cannot be read, [`HostError::NotReal`] on a fixture.
    pub fn data_on(&self, path: &Path) -> Result<Option<&'static str>, HostError> {
        self.must_be_real("reading a device's first bytes")?;
        let failed = |source| HostError::Read { path: path.to_owned(), source };
        let mut start = Vec::with_capacity(SIGNATURE_BYTES);
        let file = File::open(path).map_err(failed)?;
        file.take(SIGNATURE_BYTES as u64).read_to_end(&mut start).map_err(failed)?;
        Ok(identify(&start))
    }
}

/// Whether the result of [`identify`] is a partition table.
pub fn is_partition_table(name: &str) -> bool {
    name.ends_with("partition table")
}

/// LVM's label is in one of the first four sectors.
fn is_lvm(start: &[u8]) -> bool {
    (0..4).map(|sector| sector * 512).any(|at| {
        start.get(at..at + 8) == Some(b"LABELONE")
            && start.get(at + 24..at + 32) == Some(b"LVM2 001")
    })
}

/// ZFS's uberblocks fill the second half of its first label, in either byte order.
fn is_zfs(start: &[u8]) -> bool {
    const MAGIC: u64 = 0x00ba_b10c;
    (128 * 1024..256 * 1024).step_by(1024).any(|at| {
        let magic = start.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        magic.is_some_and(|bytes| {
            u64::from_le_bytes(bytes) == MAGIC || u64::from_be_bytes(bytes) == MAGIC
        })
    })
}

/// Two bytes are too weak a signature: the four entries must look like partitions, and one be in
/// use.
fn is_mbr(start: &[u8]) -> bool {
    let Some(entries) = start.get(446..510) else { return false };
    let status_is_sound = entries.chunks(16).all(|entry| matches!(entry[0], 0x00 | 0x80));
    let in_use = |entry: &[u8]| entry[4] != 0 && entry[12..16] != [0; 4];
    start.get(510..512) == Some(b"\x55\xaa") && status_is_sound && entries.chunks(16).any(in_use)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_mark_is_found_alone() {
        for (at, mark, name) in MARKS {
            let mut start = vec![0u8; SIGNATURE_BYTES];
            start[*at..*at + mark.len()].copy_from_slice(mark);
            assert_eq!(identify(&start), Some(*name));
        }
    }

    #[test]
    fn zfs_and_lvm_are_found_by_their_rules() {
        let mut start = vec![0u8; SIGNATURE_BYTES];
        start[132 * 1024..132 * 1024 + 8].copy_from_slice(&0x00ba_b10cu64.to_be_bytes());
        assert_eq!(identify(&start), Some("ZFS"));
        let mut start = vec![0u8; 4096];
        start[512..520].copy_from_slice(b"LABELONE");
        assert_eq!(identify(&start), None);
        start[536..544].copy_from_slice(b"LVM2 001");
        assert_eq!(identify(&start), Some("LVM physical volume"));
    }

    #[test]
    fn nothing_is_seen_in_zeros_or_in_the_two_bytes_alone() {
        assert_eq!(identify(&[]), None);
        let mut start = vec![0u8; SIGNATURE_BYTES];
        assert_eq!(identify(&start), None);
        start[510..512].copy_from_slice(b"\x55\xaa");
        assert_eq!(identify(&start), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..6000)) {
            identify(&bytes);
        }
    }
}
