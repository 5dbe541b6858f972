//! A server's answer instead of a result (`nfsstat3`, RFC 1813, section 2.6).

use crate::xdr::{Xdr, XdrError, XdrReader, XdrWriter};
use fathom_vocab::ErrorNumber;
use std::fmt;

/// An answer's status; 0 is success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NfsStatus(pub u32);

impl NfsStatus {
    /// Success.
    pub const OK: NfsStatus = NfsStatus(0);
    /// There is no such file.
    pub const NOENT: NfsStatus = NfsStatus(2);
    /// The caller may not.
    pub const ACCES: NfsStatus = NfsStatus(13);
    /// The name exists already.
    pub const EXIST: NfsStatus = NfsStatus(17);
    /// It is no folder.
    pub const NOTDIR: NfsStatus = NfsStatus(20);
    /// It is a folder.
    pub const ISDIR: NfsStatus = NfsStatus(21);
    /// No space is left.
    pub const NOSPC: NfsStatus = NfsStatus(28);
    /// The export is read-only.
    pub const ROFS: NfsStatus = NfsStatus(30);
    /// The handle leads nowhere any more.
    pub const STALE: NfsStatus = NfsStatus(70);
    /// Try again later.
    pub const JUKEBOX: NfsStatus = NfsStatus(10_008);

    /// Its name in the protocol, without `NFS3ERR_`; none for a number that the protocol lacks.
    pub fn name(self) -> Option<&'static str> {
        STATUSES.iter().find(|row| row.0 == self.0).map(|row| row.1)
    }

    /// The corresponding error of the system.
    pub fn errno(self) -> ErrorNumber {
        let row = STATUSES.iter().find(|row| row.0 == self.0);
        ErrorNumber::new(row.map_or(ErrorNumber::EIO.get(), |row| row.2))
    }

    /// Advice; empty if its name is clear.
    pub fn advice(self) -> &'static str {
        match self {
            Self::ACCES => "the server refuses this user; look at squashing and the file's owner",
            Self::ROFS => "the export is read-only",
            Self::STALE => "the file was removed or the export made anew; start again",
            NfsStatus(69) => "the quota is used up; free some space, or give a smaller size=",
            _ => "",
        }
    }
}

/// With its advice; the alternate form (`{:#}`) has only its name.
impl fmt::Display for NfsStatus {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(to, "NFS3ERR_{name} ({})", self.0)?,
            None => write!(to, "status {}, which the protocol does not have", self.0)?,
        }
        match self.advice() {
            // Its advice is on files.
            _ if to.alternate() => Ok(()),
            "" => Ok(()),
            advice => write!(to, ": {advice}"),
        }
    }
}

impl Xdr for NfsStatus {
    fn write(&self, to: &mut XdrWriter) {
        to.u32(self.0);
    }
    fn read(from: &mut XdrReader<'_>) -> Result<NfsStatus, XdrError> {
        from.u32().map(NfsStatus)
    }
}

/// Number, name, and the error number of Linux.
const STATUSES: [(u32, &str, i32); 28] = [
    (1, "PERM", 1),
    (2, "NOENT", 2),
    (5, "IO", 5),
    (6, "NXIO", 6),
    (13, "ACCES", 13),
    (17, "EXIST", 17),
    (18, "XDEV", 18),
    (19, "NODEV", 19),
    (20, "NOTDIR", 20),
    (21, "ISDIR", 21),
    (22, "INVAL", 22),
    (27, "FBIG", 27),
    (28, "NOSPC", 28),
    (30, "ROFS", 30),
    (31, "MLINK", 31),
    (63, "NAMETOOLONG", 36),
    (66, "NOTEMPTY", 39),
    (69, "DQUOT", 122),
    (70, "STALE", 116),
    (71, "REMOTE", 66),
    (10_001, "BADHANDLE", 116),
    (10_002, "NOT_SYNC", 5),
    (10_003, "BAD_COOKIE", 5),
    (10_004, "NOTSUPP", 95),
    (10_005, "TOOSMALL", 22),
    (10_006, "SERVERFAULT", 121),
    (10_007, "BADTYPE", 22),
    (10_008, "JUKEBOX", 11),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_told_by_name_and_number() {
        assert_eq!(NfsStatus(5).to_string(), "NFS3ERR_IO (5)");
        assert!(NfsStatus::ROFS.to_string().contains("read-only"));
        assert!(NfsStatus::ACCES.to_string().contains("refuses this user; look at squashing"));
        assert_eq!(format!("{:#}", NfsStatus::ACCES), "NFS3ERR_ACCES (13)");
        assert!(NfsStatus(4711).to_string().contains("4711"));
        assert_eq!(NfsStatus::NOSPC.errno().get(), 28);
        assert_eq!(NfsStatus::STALE.errno(), ErrorNumber::ESTALE);
        assert_eq!(NfsStatus(4711).errno(), ErrorNumber::EIO);
    }
}
