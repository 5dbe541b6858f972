//! The size of a file system and its free space, from `statfs`.

use crate::{Host, HostError, Space};
use std::path::Path;

impl Host {
    /// Size and free space of the file system that `path`, or its nearest existing parent, is on.
    ///
    /// # Errors
    /// [`HostError::Read`] if the kernel refuses, [`HostError::NotReal`] on a fixture.
    pub fn file_system(&self, path: &Path) -> Result<Space, HostError> {
        self.must_be_real("the space on a file system")?;
        let absolute = std::path::absolute(path)
            .map_err(|source| HostError::Read { path: path.to_owned(), source })?;
        let here = absolute.ancestors().find(|parent| parent.exists()).unwrap_or(Path::new("/"));
        let failed = |error: rustix::io::Errno| HostError::Read {
            path: here.to_owned(),
            source: error.into(),
        };
        let about = rustix::fs::statfs(here).map_err(failed)?;
        // f_frsize is the unit of the counts; file systems that leave it 0 mean f_bsize.
        let unit = match about.f_frsize {
            0 => about.f_bsize as u64,
            unit => unit as u64,
        };
        Ok(Space {
            total_bytes: about.f_blocks.saturating_mul(unit),
            free_bytes: about.f_bfree.saturating_mul(unit),
            available_bytes: about.f_bavail.saturating_mul(unit),
            fstype: name_of_magic(about.f_type as u64 as u32),
        })
    }
}

/// Names from the kernel's include/uapi/linux/magic.h and, for ZFS, from its own documentation.
fn name_of_magic(magic: u32) -> String {
    let name = match magic {
        0x0000_ef53 => "ext4",
        0x5846_5342 => "xfs",
        0x9123_683e => "btrfs",
        0xca45_1a4e => "bcachefs",
        0x2fc1_2fc1 => "zfs",
        0xf2f5_2010 => "f2fs",
        0x0102_1994 => "tmpfs",
        0x8584_58f6 => "ramfs",
        0x794c_7630 => "overlay",
        0x0000_6969 => "nfs",
        0xff53_4d42 => "cifs",
        0xfe53_4d42 => "smb2",
        0x00c3_6400 => "ceph",
        0x0bd0_0bd0 => "lustre",
        0x0102_1997 => "9p",
        0x6573_5546 => "fuse",
        0x0000_4d44 => "vfat",
        0x2011_bab0 => "exfat",
        0x7366_746e => "ntfs3",
        0x5265_4973 => "reiserfs",
        0x3153_464a => "jfs",
        0x7371_7368 => "squashfs",
        0x0000_9fa0 => "proc",
        0x6265_6572 => "sysfs",
        _ => return format!("{magic:#x}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_magic_is_shown_as_it_is() {
        assert_eq!(name_of_magic(0xef53), "ext4");
        assert_eq!(name_of_magic(0x1234), "0x1234");
    }

    #[test]
    fn the_space_of_a_path_to_be_made_is_its_parents() {
        let folder = tempfile::tempdir().unwrap();
        let space = Host::real().file_system(&folder.path().join("a/b/c")).unwrap();
        assert_eq!(space.total_bytes, Host::real().file_system(folder.path()).unwrap().total_bytes);
        assert!(space.total_bytes >= space.free_bytes);
        assert!(space.free_bytes >= space.available_bytes);
    }
}
