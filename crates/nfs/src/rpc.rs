//! ONC RPC version 2 over TCP (RFC 5531): calls with AUTH_SYS, replies, and records.
//!
//! A record is a message in fragments, each with its length before it. An announced length is
//! compared with [`RECORD_MAX`] before a byte is stored.

use crate::xdr::{Xdr, XdrError, XdrReader, XdrWriter};

/// Maximum message length: a READ of 64 MiB, the most that any server offers, with its headers.
pub const RECORD_MAX: usize = (64 << 20) + 4096;
/// Set in the mark of the last fragment of a record.
const LAST: u32 = 0x8000_0000;
const CALL: u32 = 0;
const REPLY: u32 = 1;
const RPC_VERSION: u32 = 2;
const AUTH_SYS: u32 = 1;
/// Longest body of a credential or verifier.
const AUTH_MAX: u32 = 400;
/// Groups beside the first that a credential carries at most.
const GROUPS_MAX: usize = 16;

/// A program of RPC and its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RpcProgram {
    /// Its number.
    pub number: u32,
    /// Its version.
    pub version: u32,
}

impl RpcProgram {
    /// The port mapper.
    pub const PORTMAP: RpcProgram = RpcProgram { number: 100_000, version: 2 };
    /// NFS version 3.
    pub const NFS: RpcProgram = RpcProgram { number: 100_003, version: 3 };
    /// MOUNT version 3.
    pub const MOUNT: RpcProgram = RpcProgram { number: 100_005, version: 3 };

    /// Its common name.
    pub fn name(self) -> &'static str {
        match self {
            Self::PORTMAP => "port mapper",
            Self::NFS => "NFS version 3",
            Self::MOUNT => "MOUNT version 3",
            _ => "an RPC program",
        }
    }
}

/// The user, in AUTH_SYS.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RpcCredential {
    /// User.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// More groups; those after the sixteenth are left out, as AUTH_SYS has no place for them.
    pub groups: Vec<u32>,
}

/// Head of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RpcCall {
    /// The number that its reply carries.
    pub xid: u32,
    /// The program.
    pub program: RpcProgram,
    /// The procedure.
    pub procedure: u32,
    /// The user; none means AUTH_NONE.
    pub credential: Option<RpcCredential>,
}

impl Xdr for RpcCall {
    fn write(&self, to: &mut XdrWriter) {
        write_call(self.xid, self.program, self.procedure, self.credential.as_ref(), to);
    }

    fn read(from: &mut XdrReader<'_>) -> Result<RpcCall, XdrError> {
        let xid = from.u32()?;
        expect(from, CALL, "call")?;
        expect(from, RPC_VERSION, "version of RPC")?;
        let program = RpcProgram { number: from.u32()?, version: from.u32()? };
        let procedure = from.u32()?;
        let flavor = from.u32()?;
        let body = from.opaque("credential", AUTH_MAX)?;
        let credential = (flavor == AUTH_SYS).then(|| read_credential(body)).transpose()?;
        from.u32()?;
        from.opaque("verifier", AUTH_MAX)?;
        Ok(RpcCall { xid, program, procedure, credential })
    }
}

/// Writes the head of a call. It does not take the credential: every I/O makes a call.
pub(crate) fn write_call(
    xid: u32,
    program: RpcProgram,
    procedure: u32,
    credential: Option<&RpcCredential>,
    to: &mut XdrWriter,
) {
    to.words([xid, CALL, RPC_VERSION, program.number, program.version, procedure]);
    match credential {
        None => to.words([0; 2]),
        Some(credential) => write_credential(credential, to),
    }
    to.words([0; 2]);
}

fn expect(from: &mut XdrReader<'_>, wanted: u32, what: &'static str) -> Result<(), XdrError> {
    match from.u32()? {
        value if value == wanted => Ok(()),
        value => Err(XdrError::Unknown { what, value }),
    }
}

fn write_credential(credential: &RpcCredential, to: &mut XdrWriter) {
    let groups = &credential.groups[..credential.groups.len().min(GROUPS_MAX)];
    let count = groups.len() as u32;
    to.words([AUTH_SYS, 4 * (5 + count)]);
    // Stamp, an empty name of the machine, user, group, number of groups.
    to.words([0, 0, credential.uid, credential.gid, count]);
    groups.iter().for_each(|group| to.u32(*group));
}

fn read_credential(body: &[u8]) -> Result<RpcCredential, XdrError> {
    let mut from = XdrReader::new(body);
    from.u32()?;
    from.opaque("name of the machine", 255)?;
    let (uid, gid, count) = (from.u32()?, from.u32()?, from.u32()?);
    if count as usize > GROUPS_MAX {
        let max = GROUPS_MAX as u32;
        return Err(XdrError::Long { what: "list of groups", len: count, max });
    }
    let groups = (0..count).map(|_| from.u32()).collect::<Result<_, _>>()?;
    Ok(RpcCredential { uid, gid, groups })
}

/// Why a server refused a call, by the rules of RPC.
#[fathom_text::translated]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RpcRefusal {
    /// It speaks other versions of RPC.
    #[error("the server speaks RPC versions {low} to {high} only")]
    RpcMismatch {
        /// The lowest version.
        low: u32,
        /// The highest version.
        high: u32,
    },
    /// It does not take who calls (`auth_stat`).
    #[error("the server does not take our credential (auth_stat {0}){hint}",
            hint = auth_hint(*.0))]
    Denied(u32),
    /// It does not have the program.
    #[error("the server does not offer that program")]
    NoProgram,
    /// It has other versions of the program.
    #[error("the server offers versions {low} to {high} of that program only")]
    ProgramMismatch {
        /// The lowest version.
        low: u32,
        /// The highest version.
        high: u32,
    },
    /// The program does not have the procedure.
    #[error("the server does not have that procedure")]
    NoProcedure,
    /// It could not read the arguments.
    #[error("the server could not read the call")]
    Garbage,
    /// It failed in itself.
    #[error("the server failed in itself (SYSTEM_ERR)")]
    System,
}

fn auth_hint(stat: u32) -> &'static str {
    match stat {
        5 => "; it takes calls from ports below 1024 only, for which root is needed",
        _ => "",
    }
}

/// Head of a reply; the procedure's result follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RpcReply {
    /// The number of the call.
    pub xid: u32,
    /// Whether the call was done.
    pub outcome: Result<(), RpcRefusal>,
}

impl Xdr for RpcReply {
    fn write(&self, to: &mut XdrWriter) {
        use RpcRefusal as No;
        // An accepted call's reply has an empty verifier of two words.
        let words: &[u32] = match &self.outcome {
            Ok(()) => &[0, 0, 0, 0],
            Err(No::NoProgram) => &[0, 0, 0, 1],
            Err(No::ProgramMismatch { low, high }) => &[0, 0, 0, 2, *low, *high],
            Err(No::NoProcedure) => &[0, 0, 0, 3],
            Err(No::Garbage) => &[0, 0, 0, 4],
            Err(No::System) => &[0, 0, 0, 5],
            Err(No::RpcMismatch { low, high }) => &[1, 0, *low, *high],
            Err(No::Denied(stat)) => &[1, 1, *stat],
        };
        [self.xid, REPLY].iter().chain(words).for_each(|word| to.u32(*word));
    }

    fn read(from: &mut XdrReader<'_>) -> Result<RpcReply, XdrError> {
        let xid = from.u32()?;
        expect(from, REPLY, "reply")?;
        let outcome = match from.u32()? {
            0 => read_accepted(from)?,
            1 => Err(read_denied(from)?),
            value => return Err(XdrError::Unknown { what: "state of a reply", value }),
        };
        Ok(RpcReply { xid, outcome })
    }
}

fn read_accepted(from: &mut XdrReader<'_>) -> Result<Result<(), RpcRefusal>, XdrError> {
    from.u32()?;
    from.opaque("verifier", AUTH_MAX)?;
    Ok(Err(match from.u32()? {
        0 => return Ok(Ok(())),
        1 => RpcRefusal::NoProgram,
        2 => RpcRefusal::ProgramMismatch { low: from.u32()?, high: from.u32()? },
        3 => RpcRefusal::NoProcedure,
        4 => RpcRefusal::Garbage,
        5 => RpcRefusal::System,
        value => return Err(XdrError::Unknown { what: "status of a reply", value }),
    }))
}

fn read_denied(from: &mut XdrReader<'_>) -> Result<RpcRefusal, XdrError> {
    match from.u32()? {
        0 => Ok(RpcRefusal::RpcMismatch { low: from.u32()?, high: from.u32()? }),
        1 => Ok(RpcRefusal::Denied(from.u32()?)),
        value => Err(XdrError::Unknown { what: "reason of a refusal", value }),
    }
}

/// Begins a record: its mark is filled in by [`end_record`].
pub(crate) fn begin_record(bytes: Vec<u8>) -> XdrWriter {
    let mut writer = XdrWriter::reusing(bytes);
    writer.u32(0);
    writer
}

/// Ends a record of one fragment: its bytes.
pub(crate) fn end_record(mut writer: XdrWriter) -> Vec<u8> {
    let len = writer.bytes().len().saturating_sub(4) as u32;
    writer.put_u32(0, LAST | len);
    writer.into_bytes()
}

/// Assembles records from received pieces of any size.
#[derive(Debug)]
pub struct RecordReader {
    /// Received bytes; those before `at` were returned.
    bytes: Vec<u8>,
    at: usize,
    filled: usize,
    /// Fragments of the incomplete record.
    parts: Vec<u8>,
    /// Whether they are a record that was returned.
    parts_are_whole: bool,
    /// The start of the last taken fragment.
    last_from: usize,
    /// How long a record may be.
    max: usize,
}

/// A record is longer than any reply may be.
#[fathom_text::translated]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a record of {len} bytes or more is announced, and no reply is longer than {max}")]
pub struct RecordTooLong {
    /// The announced length.
    pub len: usize,
    /// The maximum.
    pub max: usize,
}

impl RecordReader {
    /// Takes records of at most `max` bytes.
    pub fn new(max: usize) -> RecordReader {
        RecordReader {
            bytes: Vec::new(),
            at: 0,
            filled: 0,
            parts: Vec::new(),
            parts_are_whole: false,
            last_from: 0,
            max,
        }
    }

    /// Space for at least `least` coming bytes; report their number by [`RecordReader::received`].
    pub fn room(&mut self, least: usize) -> &mut [u8] {
        if self.at == self.filled {
            (self.at, self.filled) = (0, 0);
        }
        if self.bytes.len() - self.filled < least {
            self.bytes.copy_within(self.at..self.filled, 0);
            (self.at, self.filled) = (0, self.filled - self.at);
            if self.bytes.len() - self.filled < least {
                self.bytes.resize(self.filled + least, 0);
            }
        }
        &mut self.bytes[self.filled..]
    }

    /// Reports that this number of bytes was put into the space.
    pub fn received(&mut self, bytes: usize) {
        self.filled = (self.filled + bytes).min(self.bytes.len());
    }

    /// Copies bytes in.
    pub fn push(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.received(bytes.len());
    }

    /// Discards all received bytes, for a connection that has ended.
    pub fn clear(&mut self) {
        (self.at, self.filled) = (0, 0);
        self.parts.clear();
        self.parts_are_whole = false;
    }

    /// How many bytes are missing before the next fragment is whole; 0 if that is not known.
    pub fn missing(&self) -> usize {
        let waiting = &self.bytes[self.at..self.filled];
        let Some(mark) = waiting.first_chunk::<4>() else { return 0 };
        let len = (u32::from_be_bytes(*mark) & !LAST) as usize;
        (len + 4).saturating_sub(waiting.len()).min(self.max)
    }

    /// The last returned record, from its byte `at` on.
    pub fn last_record(&self, at: usize) -> &[u8] {
        let whole = match self.parts_are_whole {
            true => &self.parts,
            false => &self.bytes[self.last_from..self.at],
        };
        whole.get(at..).unwrap_or_default()
    }

    /// The next complete record, once it has arrived.
    ///
    /// # Errors
    /// If one is announced that is too long.
    pub fn next_record(&mut self) -> Result<Option<&[u8]>, RecordTooLong> {
        if std::mem::take(&mut self.parts_are_whole) {
            self.parts.clear();
        }
        loop {
            let waiting = &self.bytes[self.at..self.filled];
            let Some(mark) = waiting.first_chunk::<4>() else { return Ok(None) };
            let mark = u32::from_be_bytes(*mark);
            let len = (mark & !LAST) as usize;
            if self.parts.len() + len > self.max {
                return Err(RecordTooLong { len: self.parts.len() + len, max: self.max });
            }
            if waiting.len() < len + 4 {
                return Ok(None);
            }
            let from = self.at + 4;
            (self.last_from, self.at) = (from, from + len);
            match (mark & LAST != 0, self.parts.is_empty()) {
                (true, true) => return Ok(Some(&self.bytes[from..self.at])),
                (last, _) => {
                    self.parts.extend_from_slice(&self.bytes[from..self.at]);
                    if last {
                        self.parts_are_whole = true;
                        return Ok(Some(&self.parts));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record(parts: &[&[u8]]) -> Vec<u8> {
        let mut all = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let last = if at + 1 == parts.len() { LAST } else { 0 };
            all.extend((part.len() as u32 | last).to_be_bytes());
            all.extend_from_slice(part);
        }
        all
    }

    fn refusal() -> impl Strategy<Value = RpcRefusal> {
        use RpcRefusal as No;
        let two = any::<(u32, u32)>();
        prop_oneof![
            two.prop_map(|(low, high)| No::RpcMismatch { low, high }),
            two.prop_map(|(low, high)| No::ProgramMismatch { low, high }),
            any::<u32>().prop_map(No::Denied),
            Just(No::NoProgram),
            Just(No::NoProcedure),
            Just(No::Garbage),
            Just(No::System),
        ]
    }

    proptest! {
        #[test]
        fn replies_are_read_as_written(xid: u32, refusal in prop::option::of(refusal())) {
            let reply = RpcReply { xid, outcome: refusal.map_or(Ok(()), Err) };
            let mut writer = XdrWriter::default();
            reply.write(&mut writer);
            prop_assert_eq!(RpcReply::read(&mut XdrReader::new(writer.bytes())), Ok(reply));
        }

        #[test]
        fn calls_are_read_as_written(
            xid: u32, procedure: u32, uid: u32, gid: u32,
            groups in prop::collection::vec(any::<u32>(), 0..=16), anonymous: bool,
        ) {
            let credential = (!anonymous).then_some(RpcCredential { uid, gid, groups });
            let call = RpcCall { xid, program: RpcProgram::NFS, procedure, credential };
            let mut writer = XdrWriter::default();
            call.write(&mut writer);
            prop_assert_eq!(RpcCall::read(&mut XdrReader::new(writer.bytes())), Ok(call));
        }

        #[test]
        fn records_come_whole_however_they_are_cut(
            records in prop::collection::vec(
                prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 1..4), 1..6),
            pieces in prop::collection::vec(1usize..60, 1..40),
        ) {
            let wire: Vec<u8> = records.iter()
                .flat_map(|parts| record(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>()))
                .collect();
            let mut reader = RecordReader::new(1024);
            let (mut found, mut rest) = (Vec::new(), &wire[..]);
            let mut pieces = pieces.into_iter().cycle();
            while !rest.is_empty() {
                let piece = pieces.next().unwrap().min(rest.len());
                reader.push(&rest[..piece]);
                rest = &rest[piece..];
                while let Some(record) = reader.next_record().unwrap() {
                    found.push(record.to_vec());
                }
            }
            let whole: Vec<Vec<u8>> = records.iter().map(|parts| parts.concat()).collect();
            prop_assert_eq!(found, whole);
        }

        #[test]
        fn hostile_bytes_are_no_panic(bytes: Vec<u8>) {
            let mut reader = RecordReader::new(256);
            reader.push(&bytes);
            while let Ok(Some(record)) = reader.next_record() {
                prop_assert!(record.len() <= 256);
            }
            let _ = RpcReply::read(&mut XdrReader::new(&bytes));
            let _ = RpcCall::read(&mut XdrReader::new(&bytes));
        }
    }

    #[test]
    fn four_gigabytes_are_refused_before_they_come() {
        let mut reader = RecordReader::new(RECORD_MAX);
        reader.push(&[0xff; 4]);
        assert!(reader.next_record().is_err());
        assert!(reader.missing() <= RECORD_MAX);
        // Nor does it help to announce them in parts.
        let mut reader = RecordReader::new(64);
        reader.push(&record(&[&[1; 40], &[2; 40]]));
        assert_eq!(reader.next_record(), Err(RecordTooLong { len: 80, max: 64 }));
    }

    #[test]
    fn a_port_that_is_too_high_is_said() {
        assert!(RpcRefusal::Denied(5).to_string().contains("below 1024"));
    }
}
