//! The procedures of NFS version 3 (RFC 1813) for a benchmark: arguments and results.
//!
//! Both directions are here, writing and reading of each, so that a test server uses the same
//! definitions and properties can compare both. Results of a failed call contain attributes that
//! are not needed; they are left unread.

use crate::status::NfsStatus;
use crate::xdr::{Xdr, XdrError, XdrReader, XdrWriter, xdr_struct};

/// A procedure's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum NfsProcedure {
    /// Does nothing.
    Null = 0,
    /// Attributes of a file.
    GetAttr = 1,
    /// Changes attributes.
    SetAttr = 2,
    /// Handle of a name.
    Lookup = 3,
    /// The caller's rights.
    Access = 4,
    /// Reads data.
    Read = 6,
    /// Writes data.
    Write = 7,
    /// Makes a file.
    Create = 8,
    /// Makes a folder.
    MkDir = 9,
    /// Removes a file.
    Remove = 12,
    /// Removes a folder.
    RmDir = 13,
    /// Names in a folder, with attributes and handles.
    ReadDirPlus = 17,
    /// Space on the volume.
    FsStat = 18,
    /// The server's abilities.
    FsInfo = 19,
    /// Limits of names.
    PathConf = 20,
    /// Makes unstable writes durable.
    Commit = 21,
}

impl NfsProcedure {
    /// All that are here.
    pub const ALL: [NfsProcedure; 16] = [
        NfsProcedure::Null,
        NfsProcedure::GetAttr,
        NfsProcedure::SetAttr,
        NfsProcedure::Lookup,
        NfsProcedure::Access,
        NfsProcedure::Read,
        NfsProcedure::Write,
        NfsProcedure::Create,
        NfsProcedure::MkDir,
        NfsProcedure::Remove,
        NfsProcedure::RmDir,
        NfsProcedure::ReadDirPlus,
        NfsProcedure::FsStat,
        NfsProcedure::FsInfo,
        NfsProcedure::PathConf,
        NfsProcedure::Commit,
    ];

    /// As the protocol spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::GetAttr => "GETATTR",
            Self::SetAttr => "SETATTR",
            Self::Lookup => "LOOKUP",
            Self::Access => "ACCESS",
            Self::Read => "READ",
            Self::Write => "WRITE",
            Self::Create => "CREATE",
            Self::MkDir => "MKDIR",
            Self::Remove => "REMOVE",
            Self::RmDir => "RMDIR",
            Self::ReadDirPlus => "READDIRPLUS",
            Self::FsStat => "FSSTAT",
            Self::FsInfo => "FSINFO",
            Self::PathConf => "PATHCONF",
            Self::Commit => "COMMIT",
        }
    }

    /// The procedure of a number, if it is here.
    pub fn numbered(number: u32) -> Option<NfsProcedure> {
        Self::ALL.into_iter().find(|procedure| *procedure as u32 == number)
    }
}

/// Longest handle.
const HANDLE_MAX: u32 = 64;
/// Longest name.
const NAME_MAX: u32 = 1024;
/// Longest data of one READ or WRITE.
const DATA_MAX: u32 = fathom_vocab::NFS_TRANSFER_MAX;

/// A server's identifier of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NfsHandle(pub Vec<u8>);

impl Xdr for NfsHandle {
    fn write(&self, to: &mut XdrWriter) {
        to.opaque(&self.0);
    }
    fn read(from: &mut XdrReader<'_>) -> Result<NfsHandle, XdrError> {
        from.opaque("handle", HANDLE_MAX).map(|bytes| NfsHandle(bytes.to_vec()))
    }
}

impl Xdr for String {
    fn write(&self, to: &mut XdrWriter) {
        to.opaque(self.as_bytes());
    }
    fn read(from: &mut XdrReader<'_>) -> Result<String, XdrError> {
        let bytes = from.opaque("name", NAME_MAX)?;
        let text = std::str::from_utf8(bytes).map_err(|_| XdrError::NotText { what: "name" })?;
        Ok(text.to_owned())
    }
}

/// The kind of a file: `ftype3`.
pub mod kind {
    /// A regular file.
    pub const REGULAR: u32 = 1;
    /// A folder.
    pub const FOLDER: u32 = 2;
    /// A symbolic link.
    pub const LINK: u32 = 5;
}

/// The caller's rights: bits of ACCESS.
pub mod access {
    /// Read data.
    pub const READ: u32 = 0x01;
    /// Write over data.
    pub const MODIFY: u32 = 0x04;
    /// Write beyond the end, make files.
    pub const EXTEND: u32 = 0x08;
}

/// Something that a server lists by its own verifier of eight bytes.
pub type NfsVerifier = [u8; 8];

xdr_struct! {
    /// Attributes of a file (`fattr3`).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct NfsAttributes {
        /// One of [`kind`].
        pub kind: u32,
        /// Permissions.
        pub mode: u32,
        /// Number of names.
        pub links: u32,
        /// Owner.
        pub uid: u32,
        /// Group of the owner.
        pub gid: u32,
        /// How many bytes it has.
        pub size: u64,
        /// How many bytes it takes.
        pub used: u64,
        /// Number of a device.
        pub device: [u8; 8],
        /// The file system that it is on.
        pub fsid: u64,
        /// Its number there.
        pub fileid: u64,
        /// Last read: seconds, nanoseconds.
        pub accessed: [u8; 8],
        /// Last write.
        pub modified: [u8; 8],
        /// Last change of attributes.
        pub changed: [u8; 8],
    }
}

xdr_struct! {
    /// Size and times before a change (`wcc_attr`).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct NfsSizeAndTimes {
        /// Bytes.
        pub size: u64,
        /// Last write.
        pub modified: [u8; 8],
        /// Last change of attributes.
        pub changed: [u8; 8],
    }
}

xdr_struct! {
    /// A file before and after a change (`wcc_data`).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct NfsChange {
        /// Before.
        pub before: Option<NfsSizeAndTimes>,
        /// After.
        pub after: Option<NfsAttributes>,
    }
}

/// Attributes to set (`sattr3`): those that are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NfsSettings {
    /// Permissions.
    pub mode: Option<u32>,
    /// How many bytes it has.
    pub size: Option<u64>,
}

impl Xdr for NfsSettings {
    fn write(&self, to: &mut XdrWriter) {
        self.mode.write(to);
        // Owner and group.
        to.u32(0);
        to.u32(0);
        self.size.write(to);
        // Times.
        to.u32(0);
        to.u32(0);
    }
    fn read(from: &mut XdrReader<'_>) -> Result<NfsSettings, XdrError> {
        let mode = Xdr::read(from)?;
        let _owner: (Option<u32>, Option<u32>) = (Xdr::read(from)?, Xdr::read(from)?);
        let size = Xdr::read(from)?;
        for _ in 0..2 {
            // A client's time follows a 2.
            if from.u32()? == 2 {
                from.u64()?;
            }
        }
        Ok(NfsSettings { mode, size })
    }
}

xdr_struct! {
    /// Arguments of SETATTR.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct SetAttrCall {
        /// The file.
        pub file: NfsHandle,
        /// The attributes to set.
        pub settings: NfsSettings,
        /// Only if it was last changed at that time.
        pub guard: Option<u64>,
    }
}

xdr_struct! {
    /// A name in a folder: arguments of LOOKUP, REMOVE, RMDIR.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct NameCall {
        /// The folder.
        pub folder: NfsHandle,
        /// The name.
        pub name: String,
    }
}

xdr_struct! {
    /// Result of LOOKUP.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct LookupReply {
        /// The file found.
        pub file: NfsHandle,
        /// Its attributes.
        pub attributes: Option<NfsAttributes>,
        /// The folder's.
        pub folder: Option<NfsAttributes>,
    }
}

xdr_struct! {
    /// Arguments of ACCESS.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct AccessCall {
        /// The file.
        pub file: NfsHandle,
        /// Bits of [`access`].
        pub wanted: u32,
    }
}

xdr_struct! {
    /// Result of ACCESS.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct AccessReply {
        /// The file's attributes.
        pub attributes: Option<NfsAttributes>,
        /// Bits of [`access`].
        pub granted: u32,
    }
}

xdr_struct! {
    /// Arguments of READ and, without data, of COMMIT's range.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct RangeCall {
        /// The file.
        pub file: NfsHandle,
        /// Its offset.
        pub offset: u64,
        /// How many bytes.
        pub count: u32,
    }
}

/// Result of READ; its data stays in the receive buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadReply<'a> {
    /// The file's attributes.
    pub attributes: Option<NfsAttributes>,
    /// Whether the file ends there.
    pub eof: bool,
    /// The data.
    pub data: &'a [u8],
}

impl<'a> ReadReply<'a> {
    /// Writes it.
    pub fn write(&self, to: &mut XdrWriter) {
        self.attributes.write(to);
        to.u32(self.data.len() as u32);
        to.bool(self.eof);
        to.opaque(self.data);
    }

    /// Reads it.
    ///
    /// # Errors
    /// If the bytes are something else.
    pub fn read(from: &mut XdrReader<'a>) -> Result<ReadReply<'a>, XdrError> {
        let attributes = Xdr::read(from)?;
        let count = from.u32()?;
        let eof = from.bool()?;
        let data = from.opaque("data", DATA_MAX)?;
        // The count and the data's length are the same; less is believed.
        let data = &data[..data.len().min(count as usize)];
        Ok(ReadReply { attributes, eof, data })
    }
}

/// How durable a write is (`stable_how`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum WriteStability {
    /// Until a COMMIT it may be lost with the server.
    #[default]
    Unstable = 0,
    /// Data is durable, with the metadata to read it.
    DataSync = 1,
    /// All of it is durable.
    FileSync = 2,
}

impl Xdr for WriteStability {
    fn write(&self, to: &mut XdrWriter) {
        to.u32(*self as u32);
    }
    fn read(from: &mut XdrReader<'_>) -> Result<WriteStability, XdrError> {
        match from.u32()? {
            0 => Ok(WriteStability::Unstable),
            1 => Ok(WriteStability::DataSync),
            2 => Ok(WriteStability::FileSync),
            value => Err(XdrError::Unknown { what: "stability", value }),
        }
    }
}

/// Arguments of WRITE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteCall<'a> {
    /// Handle of the file.
    pub file: &'a [u8],
    /// Its offset.
    pub offset: u64,
    /// How durable it is to be.
    pub stability: WriteStability,
    /// The data.
    pub data: &'a [u8],
}

impl<'a> WriteCall<'a> {
    /// Writes it.
    pub fn write(&self, to: &mut XdrWriter) {
        to.opaque(self.file);
        to.u64(self.offset);
        to.u32(self.data.len() as u32);
        self.stability.write(to);
        to.opaque(self.data);
    }

    /// Reads it.
    ///
    /// # Errors
    /// If the bytes are something else.
    pub fn read(from: &mut XdrReader<'a>) -> Result<WriteCall<'a>, XdrError> {
        let file = from.opaque("handle", HANDLE_MAX)?;
        let offset = from.u64()?;
        from.u32()?;
        let stability = Xdr::read(from)?;
        Ok(WriteCall { file, offset, stability, data: from.opaque("data", DATA_MAX)? })
    }
}

xdr_struct! {
    /// Result of WRITE.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct WriteReply {
        /// The file before and after.
        pub change: NfsChange,
        /// How many bytes were written.
        pub count: u32,
        /// How durable they are.
        pub committed: WriteStability,
        /// A different one means that unstable writes may be lost.
        pub verifier: NfsVerifier,
    }
}

/// Arguments of CREATE: an existing file is left unchanged, or refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CreateCall {
    /// Where, and the name.
    pub place: NameCall,
    /// Whether an existing file is refused (GUARDED).
    pub guarded: bool,
    /// Attributes of the new file.
    pub settings: NfsSettings,
}

impl Xdr for CreateCall {
    fn write(&self, to: &mut XdrWriter) {
        self.place.write(to);
        to.bool(self.guarded);
        self.settings.write(to);
    }
    fn read(from: &mut XdrReader<'_>) -> Result<CreateCall, XdrError> {
        let place = Xdr::read(from)?;
        let guarded = from.bool()?;
        Ok(CreateCall { place, guarded, settings: Xdr::read(from)? })
    }
}

xdr_struct! {
    /// Arguments of MKDIR.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct MkDirCall {
        /// Where, and the name.
        pub place: NameCall,
        /// Attributes of the new folder.
        pub settings: NfsSettings,
    }
}

xdr_struct! {
    /// Result of CREATE and MKDIR.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct CreateReply {
        /// The new file, if the server returns it.
        pub file: Option<NfsHandle>,
        /// Its attributes.
        pub attributes: Option<NfsAttributes>,
        /// The folder before and after.
        pub folder: NfsChange,
    }
}

xdr_struct! {
    /// Arguments of READDIRPLUS.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct ReadDirPlusCall {
        /// The folder.
        pub folder: NfsHandle,
        /// Where to go on; 0 is the beginning.
        pub cookie: u64,
        /// The verifier of that cookie.
        pub verifier: NfsVerifier,
        /// Bytes of names at most.
        pub names_max: u32,
        /// Bytes of the reply at most.
        pub reply_max: u32,
    }
}

xdr_struct! {
    /// A name in a folder.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct NfsEntry {
        /// Number of the file.
        pub fileid: u64,
        /// Its name.
        pub name: String,
        /// Where to go on after it.
        pub cookie: u64,
        /// Its attributes.
        pub attributes: Option<NfsAttributes>,
        /// Its handle.
        pub file: Option<NfsHandle>,
    }
}

/// Result of READDIRPLUS.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadDirPlusReply {
    /// The folder's attributes.
    pub folder: Option<NfsAttributes>,
    /// To be sent with a cookie.
    pub verifier: NfsVerifier,
    /// The entries.
    pub entries: Vec<NfsEntry>,
    /// Whether that is the end.
    pub eof: bool,
}

impl Xdr for ReadDirPlusReply {
    fn write(&self, to: &mut XdrWriter) {
        self.folder.write(to);
        self.verifier.write(to);
        for entry in &self.entries {
            to.bool(true);
            entry.write(to);
        }
        to.bool(false);
        to.bool(self.eof);
    }
    fn read(from: &mut XdrReader<'_>) -> Result<ReadDirPlusReply, XdrError> {
        let (folder, verifier) = (Xdr::read(from)?, Xdr::read(from)?);
        let mut entries = Vec::new();
        // Each takes bytes of the message, so that their number has a bound.
        while from.bool()? {
            entries.push(Xdr::read(from)?);
        }
        Ok(ReadDirPlusReply { folder, verifier, entries, eof: from.bool()? })
    }
}

xdr_struct! {
    /// Result of FSSTAT.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct FsStatReply {
        /// The folder's attributes.
        pub attributes: Option<NfsAttributes>,
        /// Bytes in all.
        pub total: u64,
        /// Bytes that are free.
        pub free: u64,
        /// Bytes that the caller may use.
        pub available: u64,
        /// Files in all.
        pub files: u64,
        /// Files that may still be made.
        pub free_files: u64,
        /// Those that the caller may make.
        pub available_files: u64,
        /// Seconds for which this is valid.
        pub invariant_s: u32,
    }
}

xdr_struct! {
    /// Result of FSINFO.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct FsInfoReply {
        /// The folder's attributes.
        pub attributes: Option<NfsAttributes>,
        /// The longest READ.
        pub read_max: u32,
        /// The READ that the server likes best.
        pub read_preferred: u32,
        /// READs should be a multiple of this.
        pub read_multiple: u32,
        /// The longest WRITE.
        pub write_max: u32,
        /// The WRITE that the server likes best.
        pub write_preferred: u32,
        /// WRITEs should be a multiple of this.
        pub write_multiple: u32,
        /// Bytes of READDIR that the server likes best.
        pub folder_preferred: u32,
        /// The longest file.
        pub file_max: u64,
        /// How exact its times are.
        pub time_delta: [u8; 8],
        /// Its abilities: links, times.
        pub properties: u32,
    }
}

xdr_struct! {
    /// Result of PATHCONF.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct PathConfReply {
        /// The file's attributes.
        pub attributes: Option<NfsAttributes>,
        /// Names that a file may have.
        pub links_max: u32,
        /// Longest name.
        pub name_max: u32,
        /// Whether longer ones are refused.
        pub no_truncation: bool,
        /// Whether only root may change owners.
        pub owner_restricted: bool,
        /// Whether case makes no difference.
        pub case_insensitive: bool,
        /// Whether case is preserved.
        pub case_preserving: bool,
    }
}

xdr_struct! {
    /// Result of COMMIT.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct CommitReply {
        /// The file before and after.
        pub change: NfsChange,
        /// One that differs from a write's means that the write may be lost.
        pub verifier: NfsVerifier,
    }
}

/// Reads a result that begins with a status.
///
/// # Errors
/// If the bytes are something else.
pub fn read_result<T: Xdr>(from: &mut XdrReader<'_>) -> Result<Result<T, NfsStatus>, XdrError> {
    match NfsStatus::read(from)? {
        NfsStatus::OK => T::read(from).map(Ok),
        status => Ok(Err(status)),
    }
}

/// Writes a result with its status.
pub fn write_result<T: Xdr>(result: &Result<T, NfsStatus>, to: &mut XdrWriter) {
    match result {
        Ok(value) => {
            to.u32(0);
            value.write(to);
        }
        Err(status) => status.write(to),
    }
}

#[cfg(test)]
mod tests;
