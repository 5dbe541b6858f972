//! Finding an export: the port mapper (RFC 1833) and MOUNT version 3 (RFC 1813, appendix I).

use crate::proto::NfsHandle;
use crate::xdr::{Xdr, XdrError, XdrReader, XdrWriter, xdr_struct};

/// Port of the port mapper.
pub const PORTMAP_PORT: u16 = 111;
/// GETPORT of the port mapper.
pub const GETPORT: u32 = 3;
/// MNT of MOUNT.
pub const MNT: u32 = 1;
/// UMNT of MOUNT.
pub const UMNT: u32 = 3;
/// Most credentials that an export may list.
const FLAVORS_MAX: u32 = 64;

xdr_struct! {
    /// Arguments of GETPORT.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct GetPortCall {
        /// Number of the program.
        pub program: u32,
        /// Its version.
        pub version: u32,
        /// 6 is TCP.
        pub protocol: u32,
        /// Of no meaning here.
        pub port: u32,
    }
}

/// Result of MNT.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MountReply {
    /// The root of the export.
    pub root: NfsHandle,
    /// Credentials that it takes.
    pub flavors: Vec<u32>,
}

impl Xdr for MountReply {
    fn write(&self, to: &mut XdrWriter) {
        self.root.write(to);
        to.u32(self.flavors.len() as u32);
        self.flavors.iter().for_each(|flavor| to.u32(*flavor));
    }
    fn read(from: &mut XdrReader<'_>) -> Result<MountReply, XdrError> {
        let root = Xdr::read(from)?;
        let len = from.u32()?;
        if len > FLAVORS_MAX {
            let what = "list of credentials";
            return Err(XdrError::Long { what, len, max: FLAVORS_MAX });
        }
        let flavors = (0..len).map(|_| from.u32()).collect::<Result<_, _>>()?;
        Ok(MountReply { root, flavors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_as_written_and_lists_are_bounded() {
        let reply = MountReply { root: NfsHandle(vec![1, 2, 3]), flavors: vec![1, 390_003] };
        let mut writer = XdrWriter::default();
        reply.write(&mut writer);
        assert_eq!(MountReply::read(&mut XdrReader::new(writer.bytes())), Ok(reply));
        let mut long = XdrWriter::default();
        NfsHandle::default().write(&mut long);
        long.u32(u32::MAX);
        assert!(MountReply::read(&mut XdrReader::new(long.bytes())).is_err());
        let call = GetPortCall { program: 1, version: 2, protocol: 6, port: 0 };
        let mut writer = XdrWriter::default();
        call.write(&mut writer);
        assert_eq!(GetPortCall::read(&mut XdrReader::new(writer.bytes())), Ok(call));
    }
}
