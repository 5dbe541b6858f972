//! The system's facts about a file or device: its kind, its size, and its unique number.

/// The kind of entry in a file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSort {
    /// A file with data.
    Regular,
    /// A folder.
    Folder,
    /// A symbolic link, or an equivalent.
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

/// The number of a file or device on this machine.
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
        /// Its minor number.
        minor: u32,
    },
}

/// The facts about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// Its kind.
    pub sort: FileSort,
    /// Its number.
    pub number: FileNumber,
    /// Its length in bytes; 0 of a device.
    pub len_bytes: u64,
    /// Bytes that it takes on its device.
    pub used_bytes: u64,
    /// Names that it has; 0 if it was removed and is still open.
    pub links: u64,
}
