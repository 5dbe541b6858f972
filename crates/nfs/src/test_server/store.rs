//! The files of a test server, and the procedures on them.

use super::ServerState;
use crate::proto::*;
use crate::status::NfsStatus;
use crate::xdr::{Xdr, XdrError, XdrReader, XdrWriter};
use std::collections::{BTreeMap, HashMap};

/// Number of the folder that the export begins with.
const ROOT: u64 = 1;

#[derive(Clone, Debug)]
struct StoredFile {
    kind: u32,
    data: Vec<u8>,
    names: BTreeMap<String, u64>,
}

/// Files in memory.
#[derive(Debug)]
pub struct FileStore {
    files: HashMap<u64, StoredFile>,
    next: u64,
    verifier: u64,
    /// Ranges that were written unstable and not committed: file, offset, length.
    unstable: Vec<(u64, u64, u64)>,
    writes: u64,
}

impl Default for FileStore {
    fn default() -> FileStore {
        let root = StoredFile { kind: kind::FOLDER, data: Vec::new(), names: BTreeMap::new() };
        let files = HashMap::from([(ROOT, root)]);
        FileStore { files, next: ROOT + 1, verifier: 1, unstable: Vec::new(), writes: 0 }
    }
}

impl FileStore {
    /// The handle of the export's first folder.
    pub fn root() -> NfsHandle {
        NfsHandle(ROOT.to_be_bytes().to_vec())
    }

    /// The content of a file in the first folder.
    pub fn data(&self, name: &str) -> Option<&[u8]> {
        let number = self.files.get(&ROOT)?.names.get(name)?;
        self.files.get(number).map(|file| file.data.as_slice())
    }

    /// Puts a file into the first folder.
    pub fn put(&mut self, name: &str, data: Vec<u8>) {
        self.put_kind(name, kind::REGULAR, data);
    }

    /// Puts something of a kind into the first folder.
    pub fn put_kind(&mut self, name: &str, kind: u32, data: Vec<u8>) {
        self.add(ROOT, name, StoredFile { kind, data, names: BTreeMap::new() });
    }

    /// Removes a file whose handle is known.
    pub fn take_away(&mut self, name: &str) {
        let number = self.files.get_mut(&ROOT).and_then(|root| root.names.remove(name));
        number.and_then(|number| self.files.remove(&number));
    }

    /// Names in the first folder.
    pub fn names(&self) -> Vec<String> {
        self.files.get(&ROOT).map(|root| root.names.keys().cloned().collect()).unwrap_or_default()
    }

    /// Changes the verifier, as after a restart: unstable data becomes zeros.
    pub fn forget_unstable(&mut self) {
        self.verifier += 1;
        for (number, offset, len) in std::mem::take(&mut self.unstable) {
            let file = self.files.get_mut(&number);
            let range = offset as usize..(offset + len) as usize;
            if let Some(lost) = file.and_then(|file| file.data.get_mut(range)) {
                lost.fill(0);
            }
        }
    }

    fn add(&mut self, folder: u64, name: &str, file: StoredFile) -> u64 {
        let number = self.next;
        self.next += 1;
        self.files.insert(number, file);
        if let Some(folder) = self.files.get_mut(&folder) {
            folder.names.insert(name.to_owned(), number);
        }
        number
    }

    fn number(&self, handle: &[u8]) -> Result<u64, NfsStatus> {
        let number = handle.try_into().map(u64::from_be_bytes).map_err(|_| NfsStatus::STALE)?;
        if self.files.contains_key(&number) { Ok(number) } else { Err(NfsStatus::STALE) }
    }

    fn attributes(&self, number: u64) -> Result<NfsAttributes, NfsStatus> {
        let file = self.files.get(&number).ok_or(NfsStatus::STALE)?;
        let size = file.data.len() as u64;
        let (kind, used, fileid) = (file.kind, size, number);
        Ok(NfsAttributes { kind, fileid, size, used, links: 1, ..Default::default() })
    }

    fn verifier(&self) -> NfsVerifier {
        self.verifier.to_be_bytes()
    }

    fn lookup(&self, call: &NameCall) -> Result<u64, NfsStatus> {
        let folder = self.number(&call.folder.0)?;
        let folder = self.files.get(&folder).ok_or(NfsStatus::STALE)?;
        match folder.kind {
            kind::FOLDER => folder.names.get(&call.name).copied().ok_or(NfsStatus::NOENT),
            _ => Err(NfsStatus::NOTDIR),
        }
    }
}

type Answer<T> = Result<T, NfsStatus>;

/// Does a procedure, and writes its result.
pub(super) fn perform(
    procedure: NfsProcedure,
    from: &mut XdrReader<'_>,
    state: &mut ServerState,
    to: &mut XdrWriter,
) -> Result<(), XdrError> {
    use NfsProcedure as P;
    match procedure {
        P::Null => {}
        P::Read => read(&Xdr::read(from)?, state, to),
        P::Write => write_result(&write(&WriteCall::read(from)?, state), to),
        P::Commit => write_result(&commit(&Xdr::read(from)?, state), to),
        P::GetAttr => {
            let file = NfsHandle::read(from)?;
            let store = &state.store;
            write_result(&store.number(&file.0).and_then(|file| store.attributes(file)), to);
        }
        P::SetAttr => write_result(&set_attributes(&Xdr::read(from)?, state), to),
        P::Lookup => write_result(&lookup(&Xdr::read(from)?, state), to),
        P::Access => write_result(&granted(&Xdr::read(from)?, state), to),
        P::Create => {
            let call = CreateCall::read(from)?;
            let is_there = call.guarded && state.store.lookup(&call.place).is_ok();
            let made = match is_there {
                true => Err(NfsStatus::EXIST),
                false => create(&call.place, kind::REGULAR, state),
            };
            write_result(&made, to);
        }
        P::MkDir => {
            let call = MkDirCall::read(from)?;
            write_result(&create(&call.place, kind::FOLDER, state), to);
        }
        P::Remove | P::RmDir => write_result(&remove(&Xdr::read(from)?, state), to),
        P::ReadDirPlus => write_result(&list(&Xdr::read(from)?, state), to),
        P::FsStat | P::PathConf | P::FsInfo => tell_limits(procedure, state, to),
    }
    Ok(())
}

fn tell_limits(procedure: NfsProcedure, state: &ServerState, to: &mut XdrWriter) {
    let max = match state.misbehaviour.transfer_max {
        0 => 1 << 20,
        max => max,
    };
    let info = FsInfoReply { read_max: max, write_max: max, ..FsInfoReply::default() };
    match procedure {
        NfsProcedure::FsInfo => write_result(&Ok(info), to),
        NfsProcedure::FsStat => write_result(&Ok(space(state)), to),
        _ => write_result(&Ok(PathConfReply { name_max: 255, ..PathConfReply::default() }), to),
    }
}

/// The remaining space; 1 TiB if there is any.
fn space(state: &ServerState) -> FsStatReply {
    let total = match state.misbehaviour.room {
        0 => 1 << 40,
        room => room,
    };
    let used: u64 = state.store.files.values().map(|file| file.data.len() as u64).sum();
    let free = total.saturating_sub(used);
    FsStatReply { total, free, available: free, ..FsStatReply::default() }
}

fn shown(state: &ServerState, number: u64) -> Option<NfsAttributes> {
    let shown = state.store.attributes(number).ok();
    shown.filter(|_| !state.misbehaviour.no_attributes)
}

fn may_change(state: &ServerState) -> Answer<()> {
    if state.misbehaviour.read_only { Err(NfsStatus::ROFS) } else { Ok(()) }
}

fn lookup(call: &NameCall, state: &ServerState) -> Answer<LookupReply> {
    let number = state.store.lookup(call)?;
    let file = NfsHandle(number.to_be_bytes().to_vec());
    Ok(LookupReply { file, attributes: shown(state, number), folder: None })
}

fn granted(call: &AccessCall, state: &ServerState) -> Answer<AccessReply> {
    let number = state.store.number(&call.file.0)?;
    let mask = if state.misbehaviour.read_only { access::READ } else { u32::MAX };
    Ok(AccessReply { attributes: shown(state, number), granted: call.wanted & mask })
}

fn set_attributes(call: &SetAttrCall, state: &mut ServerState) -> Answer<NfsChange> {
    may_change(state)?;
    let number = state.store.number(&call.file.0)?;
    let file = state.store.files.get_mut(&number).ok_or(NfsStatus::STALE)?;
    if let Some(size) = call.settings.size {
        file.data.resize(size as usize, 0);
    }
    Ok(NfsChange::default())
}

fn create(place: &NameCall, kind: u32, state: &mut ServerState) -> Answer<CreateReply> {
    may_change(state)?;
    let number = match state.store.lookup(place) {
        Ok(_) if kind == kind::FOLDER => return Err(NfsStatus::EXIST),
        Ok(number) => number,
        Err(NfsStatus::NOENT) => {
            let folder = state.store.number(&place.folder.0)?;
            let file = StoredFile { kind, data: Vec::new(), names: BTreeMap::new() };
            state.store.add(folder, &place.name, file)
        }
        Err(status) => return Err(status),
    };
    let file = Some(NfsHandle(number.to_be_bytes().to_vec()));
    Ok(CreateReply { file, attributes: shown(state, number), folder: NfsChange::default() })
}

fn remove(place: &NameCall, state: &mut ServerState) -> Answer<NfsChange> {
    may_change(state)?;
    let number = state.store.lookup(place)?;
    let folder = state.store.number(&place.folder.0)?;
    if let Some(folder) = state.store.files.get_mut(&folder) {
        folder.names.remove(&place.name);
    }
    state.store.files.remove(&number);
    Ok(NfsChange::default())
}

fn list(call: &ReadDirPlusCall, state: &ServerState) -> Answer<ReadDirPlusReply> {
    let folder = state.store.number(&call.folder.0)?;
    let folder = state.store.files.get(&folder).ok_or(NfsStatus::STALE)?;
    let all: Vec<_> = match state.misbehaviour.endless_folders {
        true => folder.names.iter().take(1).zip(call.cookie + 1..).collect(),
        false => folder.names.iter().zip(1u64..).collect(),
    };
    let rest = all.into_iter().filter(|(_, cookie)| *cookie > call.cookie).take(2);
    let entries: Vec<NfsEntry> = rest
        .map(|((name, number), cookie)| NfsEntry {
            fileid: *number,
            name: name.clone(),
            cookie,
            attributes: shown(state, *number),
            file: None,
        })
        .collect();
    let last = entries.last().map_or(call.cookie, |entry| entry.cookie);
    let is_endless = state.misbehaviour.endless_folders;
    let eof = !is_endless && last >= folder.names.len() as u64;
    Ok(ReadDirPlusReply { folder: None, verifier: [1; 8], entries, eof })
}

/// How much of a transfer is done.
fn done_bytes(asked: usize, state: &mut ServerState) -> usize {
    let short = &mut state.misbehaviour.short;
    if *short == 0 || asked < 2 {
        return asked;
    }
    *short -= 1;
    asked / 2
}

fn read(call: &RangeCall, state: &mut ServerState, to: &mut XdrWriter) {
    let number = match state.store.number(&call.file.0) {
        Ok(number) => number,
        Err(status) => return status.write(to),
    };
    let count = done_bytes(call.count as usize, state);
    let attributes = shown(state, number);
    let data = state.store.files.get(&number).map_or(&[][..], |file| &file.data);
    let from = (call.offset as usize).min(data.len());
    let end = (from + count).min(data.len());
    state.read_bytes += (end - from) as u64;
    to.u32(0);
    ReadReply { attributes, eof: end == data.len(), data: &data[from..end] }.write(to);
}

fn write(call: &WriteCall<'_>, state: &mut ServerState) -> Answer<WriteReply> {
    may_change(state)?;
    let number = state.store.number(call.file)?;
    let count = done_bytes(call.data.len(), state);
    let (from, end) = (call.offset as usize, call.offset as usize + count);
    let room = state.misbehaviour.room;
    if room > 0 && end as u64 > room {
        return Err(NfsStatus::NOSPC);
    }
    state.stabilities[call.stability as usize] += 1;
    state.written_bytes += count as u64;
    let store = &mut state.store;
    let file = store.files.get_mut(&number).ok_or(NfsStatus::STALE)?;
    file.data.resize(file.data.len().max(end), 0);
    file.data[from..end].copy_from_slice(&call.data[..count]);
    if call.stability == WriteStability::Unstable {
        store.unstable.push((number, from as u64, count as u64));
    }
    let verifier = store.verifier();
    store.writes += 1;
    let forgets = state.misbehaviour.forgets_after;
    if forgets > 0 && store.writes.is_multiple_of(forgets) {
        store.forget_unstable();
    }
    let committed = state.misbehaviour.committed.unwrap_or(call.stability);
    let change = NfsChange::default();
    Ok(WriteReply { change, count: count as u32, committed, verifier })
}

fn commit(call: &RangeCall, state: &mut ServerState) -> Answer<CommitReply> {
    let number = state.store.number(&call.file.0)?;
    state.store.unstable.retain(|(file, ..)| *file != number);
    Ok(CommitReply { change: NfsChange::default(), verifier: state.store.verifier() })
}
