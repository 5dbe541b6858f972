//! What a system says of a file or device: its kind, its size, and the number by which it is told
//! from every other.

/// What something in a file system is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSort {
    /// A file with data.
    Regular,
    /// A folder.
    Folder,
    /// A symbolic link, or what stands for one.
    Link,
    /// A block device; on Windows a disk or a volume as a whole.
    Block,
    /// A pipe.
    Pipe,
    /// A socket.
    Socket,
    /// Some other special file.
    Other,
}

/// Which file or device of this machine it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileNumber {
    /// A file: its file system and its number there. On Windows the serial number of its volume
    /// and its file index.
    File {
        /// `st_dev`.
        device: u64,
        /// `st_ino`.
        inode: u64,
    },
    /// A block device. On Windows the number of the partition, 0 for all of the disk, and that of
    /// the disk.
    Device {
        /// The number of its driver.
        major: u32,
        /// Its own.
        minor: u32,
    },
}

/// What is known of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// What it is.
    pub sort: FileSort,
    /// Which it is.
    pub number: FileNumber,
    /// Its length in bytes; 0 of a device.
    pub len_bytes: u64,
    /// Bytes that it takes on its device.
    pub used_bytes: u64,
    /// Names that it has; 0 where it was removed and is still open.
    pub links: u64,
}
