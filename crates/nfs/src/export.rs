//! A mounted export, and blocking calls on it, for the time before and after measured I/O.
//!
//! Names are looked up part by part from the export's root; a link or a `..` in one is refused, so
//! that no name leads out of the export.

use crate::error::NfsError;
use crate::link::{LinkPlan, NfsLink};
use crate::mount::{GETPORT, GetPortCall, MNT, MountReply, PORTMAP_PORT, UMNT};
use crate::proto::*;
use crate::rpc::{RpcCredential, RpcProgram};
use crate::socket;
use crate::status::NfsStatus;
use crate::wire::CallHead;
use crate::xdr::{Xdr, XdrError, XdrReader, XdrWriter};
use fathom_vocab::{NfsUrl, is_nfs_name};
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a call may take.
const CALL_TIME: Duration = Duration::from_secs(30);
/// How long a call waits after JUKEBOX before it is made again.
const JUKEBOX_WAIT: Duration = Duration::from_millis(100);
/// Maximum size of READ and WRITE unless the server or the URL sets a smaller one: 1 MiB, as in the
/// kernel's own client.
const TRANSFER_MAX: u32 = 1 << 20;

/// An export that is mounted.
#[derive(Debug)]
pub struct NfsExport {
    url: NfsUrl,
    server: SocketAddr,
    credential: RpcCredential,
    root: NfsHandle,
    read_max: u32,
    write_max: u32,
    link: Mutex<NfsLink>,
    /// How long a call may take.
    call_time: Duration,
}

/// A file of an export, as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NfsFound {
    /// Its handle.
    pub handle: NfsHandle,
    /// Its attributes.
    pub attributes: NfsAttributes,
}

/// The user in a call: the content of AUTH_SYS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NfsCaller {
    /// The number of the user.
    pub uid: u32,
    /// The number of its group.
    pub gid: u32,
}

impl NfsFound {
    /// Whether it is a folder.
    pub fn is_folder(&self) -> bool {
        self.attributes.kind == kind::FOLDER
    }

    /// Whether it is a file with data.
    pub fn is_file(&self) -> bool {
        self.attributes.kind == kind::REGULAR
    }
}

impl NfsExport {
    /// Mounts the export of `url`, and queries the server's abilities. `caller` is the default
    /// user.
    ///
    /// # Errors
    /// If it cannot be reached, with advice.
    pub fn mount(url: &NfsUrl, caller: NfsCaller) -> Result<NfsExport, NfsError> {
        let address = address_of(url)?;
        let credential = RpcCredential {
            uid: url.arguments.uid.unwrap_or(caller.uid),
            gid: url.arguments.gid.unwrap_or(caller.gid),
            groups: Vec::new(),
        };
        let (mount, nfs) = (url.arguments.mountport, url.arguments.nfsport);
        let mount = port(url, address, RpcProgram::MOUNT, mount, "mountport")?;
        let root = mount_root(url, mount, &credential)?;
        let server = port(url, address, RpcProgram::NFS, nfs, "nfsport")?;
        let link = connect(server, RpcProgram::NFS)?;
        let export = NfsExport {
            url: url.clone(),
            server,
            credential,
            root,
            read_max: TRANSFER_MAX,
            write_max: TRANSFER_MAX,
            link: Mutex::new(link),
            call_time: CALL_TIME,
        };
        export.with_limits()
    }

    /// Mounts the export for the path of `url`: the path itself, or the nearest parent folder that
    /// the server allows to mount. The remainder of the path is a name in it, which may be empty.
    ///
    /// # Errors
    /// The server's error for the whole path, if no parent folder can be mounted either.
    pub fn find(url: &NfsUrl, caller: NfsCaller) -> Result<(NfsExport, String), NfsError> {
        let whole = NfsExport::mount_folder(url, caller);
        let Err(NfsError::Export { .. }) = whole else {
            return whole.map(|export| (export, String::new()));
        };
        let mut above = url.export.as_str();
        while let Some((shorter, _)) = above.rsplit_once('/').filter(|(path, _)| !path.is_empty()) {
            above = shorter;
            match NfsExport::mount_folder(&url.at(above), caller) {
                Ok(export) => return Ok((export, url.export[above.len() + 1..].to_owned())),
                Err(NfsError::Export { .. }) => {}
                Err(why) => return Err(why),
            }
        }
        whole.map(|export| (export, String::new()))
    }

    /// As [`NfsExport::mount`], but also for servers that allow mounting a file.
    fn mount_folder(url: &NfsUrl, caller: NfsCaller) -> Result<NfsExport, NfsError> {
        let export = NfsExport::mount(url, caller)?;
        if export.attributes(&export.root, "/")?.kind == kind::FOLDER {
            return Ok(export);
        }
        let (server, status) = (url.server.clone(), NfsStatus::NOTDIR);
        Err(NfsError::Export { server, export: url.export.clone(), status })
    }

    /// The same with calls that take no longer than `time`.
    #[must_use]
    pub fn with_call_time(self, time: Duration) -> NfsExport {
        NfsExport { call_time: time, ..self }
    }

    /// How long a call may take.
    pub fn call_time(&self) -> Duration {
        self.call_time
    }

    /// Adopts the limits of the server and the URL.
    fn with_limits(self) -> Result<NfsExport, NfsError> {
        let root = self.root.clone();
        let info: FsInfoReply = self.ask(NfsProcedure::FsInfo, "/", |to| root.write(to))?;
        let limit = |server: u32, asked: Option<u32>| {
            let server = if server == 0 { TRANSFER_MAX } else { server };
            asked.unwrap_or(TRANSFER_MAX).min(server)
        };
        let read_max = limit(info.read_max, self.url.arguments.rsize);
        let write_max = limit(info.write_max, self.url.arguments.wsize);
        Ok(NfsExport { read_max, write_max, ..self })
    }

    /// The URL of the mount.
    pub fn url(&self) -> &NfsUrl {
        &self.url
    }

    /// Address and port of the server's NFS.
    pub fn server(&self) -> SocketAddr {
        self.server
    }

    /// The user of calls.
    pub fn credential(&self) -> &RpcCredential {
        &self.credential
    }

    /// The longest READ in bytes.
    pub fn read_max(&self) -> u32 {
        self.read_max
    }

    /// The longest WRITE in bytes.
    pub fn write_max(&self) -> u32 {
        self.write_max
    }

    /// The file with a name; none if it does not exist.
    ///
    /// # Errors
    /// If the name leads out of the export, or the server refuses.
    pub fn look(&self, name: &str) -> Result<Option<NfsFound>, NfsError> {
        let (folder, last) = match self.folder_of(name) {
            Err(error) if error.status() == Some(NfsStatus::NOENT) => return Ok(None),
            other => other?,
        };
        match self.lookup(&folder, last, name) {
            Err(error) if error.status() == Some(NfsStatus::NOENT) => Ok(None),
            other => other.map(Some),
        }
    }

    /// The folder of a name, and its last part.
    fn folder_of<'a>(&self, name: &'a str) -> Result<(NfsHandle, &'a str), NfsError> {
        let wrong = |why| NfsError::Name { name: name.to_owned(), why };
        let (folders, last) = parts(name).ok_or_else(|| wrong(NO_NAME))?;
        let mut at = self.root.clone();
        for part in folders {
            let found = self.lookup(&at, part, name)?;
            match found.attributes.kind {
                kind::FOLDER => at = found.handle,
                kind::LINK => return Err(wrong(THROUGH_LINK)),
                _ => return Err(wrong("leads through what is no folder")),
            }
        }
        Ok((at, last))
    }

    fn lookup(&self, folder: &NfsHandle, part: &str, name: &str) -> Result<NfsFound, NfsError> {
        let call = NameCall { folder: folder.clone(), name: part.to_owned() };
        let found: LookupReply = self.ask(NfsProcedure::Lookup, name, |to| call.write(to))?;
        let attributes = match found.attributes {
            Some(attributes) => attributes,
            None => self.attributes(&found.file, name)?,
        };
        Ok(NfsFound { handle: found.file, attributes })
    }

    /// Attributes of a file.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn attributes(&self, file: &NfsHandle, name: &str) -> Result<NfsAttributes, NfsError> {
        self.ask(NfsProcedure::GetAttr, name, |to| file.write(to))
    }

    /// The part of `wanted` (bits of [`access`]) that the caller may do.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn granted(&self, file: &NfsHandle, wanted: u32, name: &str) -> Result<u32, NfsError> {
        let call = AccessCall { file: file.clone(), wanted };
        let reply: AccessReply = self.ask(NfsProcedure::Access, name, |to| call.write(to))?;
        Ok(reply.granted & wanted)
    }

    /// Creates a file that does not exist; the folders of its name must exist.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn create(&self, name: &str) -> Result<NfsFound, NfsError> {
        self.make(name, false)
    }

    /// Creates a new file; an existing one is left unchanged.
    ///
    /// # Errors
    /// If the name exists (EXIST), or the server refuses.
    pub fn create_new(&self, name: &str) -> Result<NfsFound, NfsError> {
        self.make(name, true)
    }

    fn make(&self, name: &str, guarded: bool) -> Result<NfsFound, NfsError> {
        self.check_writable()?;
        let (folder, last) = self.folder_of(name)?;
        let place = NameCall { folder: folder.clone(), name: last.to_owned() };
        let settings = NfsSettings { mode: Some(0o644), size: None };
        let call = CreateCall { place, guarded, settings };
        let made: CreateReply = self.ask(NfsProcedure::Create, name, |to| call.write(to))?;
        match made {
            CreateReply { file: Some(handle), attributes: Some(attributes), .. } => {
                Ok(NfsFound { handle, attributes })
            }
            _ => self.lookup(&folder, last, name),
        }
    }

    /// Makes the folders that a file's name has.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn make_folders_of(&self, name: &str) -> Result<(), NfsError> {
        let Some((folders, _)) = parts(name) else { return Ok(()) };
        let mut at = self.root.clone();
        for part in folders {
            let found = match self.lookup(&at, part, name) {
                Err(error) if error.status() == Some(NfsStatus::NOENT) => {
                    self.check_writable()?;
                    let place = NameCall { folder: at.clone(), name: part.to_owned() };
                    let settings = NfsSettings { mode: Some(0o755), size: None };
                    let call = MkDirCall { place, settings };
                    let made = self.ask(NfsProcedure::MkDir, name, |to| call.write(to));
                    made.map(|_: CreateReply| ()).or_else(is_there)?;
                    self.lookup(&at, part, name)?
                }
                other => other?,
            };
            at = found.handle;
        }
        Ok(())
    }

    /// Removes a file.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn remove(&self, name: &str) -> Result<(), NfsError> {
        self.remove_by(NfsProcedure::Remove, name)
    }

    /// Removes a folder that is empty.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn remove_folder(&self, name: &str) -> Result<(), NfsError> {
        self.remove_by(NfsProcedure::RmDir, name)
    }

    fn remove_by(&self, procedure: NfsProcedure, name: &str) -> Result<(), NfsError> {
        self.check_writable()?;
        let (folder, last) = self.folder_of(name)?;
        let call = NameCall { folder, name: last.to_owned() };
        self.ask(procedure, name, |to| call.write(to)).map(|_: NfsChange| ())
    }

    /// Makes a file so long.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn set_size(&self, file: &NfsHandle, size: u64, name: &str) -> Result<(), NfsError> {
        self.check_writable()?;
        let settings = NfsSettings { mode: None, size: Some(size) };
        let call = SetAttrCall { file: file.clone(), settings, guard: None };
        self.ask(NfsProcedure::SetAttr, name, |to| call.write(to)).map(|_: NfsChange| ())
    }

    /// Changes nothing of a file: whether a change would be taken.
    ///
    /// # Errors
    /// If it is refused, with the reason.
    pub fn change_nothing(&self, file: &NfsHandle, name: &str) -> Result<(), NfsError> {
        let settings = NfsSettings::default();
        let call = SetAttrCall { file: file.clone(), settings, guard: None };
        self.ask(NfsProcedure::SetAttr, name, |to| call.write(to)).map(|_: NfsChange| ())
    }

    /// Space on the volume.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn space(&self) -> Result<FsStatReply, NfsError> {
        self.ask(NfsProcedure::FsStat, "/", |to| self.root.write(to))
    }

    /// Longest names and the like.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn path_limits(&self) -> Result<PathConfReply, NfsError> {
        self.ask(NfsProcedure::PathConf, "/", |to| self.root.write(to))
    }

    /// Names in a folder of the export ("" is its root), up to `most`.
    ///
    /// # Errors
    /// If the server refuses, or its list has no end by `until`.
    pub fn list(
        &self,
        folder: &str,
        most: usize,
        until: Instant,
    ) -> Result<Vec<NfsEntry>, NfsError> {
        let at = match folder.trim_matches('/') {
            "" => self.root.clone(),
            name => {
                let (above, last) = self.folder_of(name)?;
                self.lookup(&above, last, name)?.handle
            }
        };
        let (mut entries, mut cookie, mut verifier) = (Vec::new(), 0, NfsVerifier::default());
        loop {
            let (names_max, reply_max) = (4096, 64 << 10);
            let folder_call =
                ReadDirPlusCall { folder: at.clone(), cookie, verifier, names_max, reply_max };
            let reply: ReadDirPlusReply =
                self.ask(NfsProcedure::ReadDirPlus, folder, |to| folder_call.write(to))?;
            verifier = reply.verifier;
            let last = reply.entries.last().map(|entry| entry.cookie);
            entries.extend(reply.entries);
            entries.truncate(most);
            if Instant::now() > until {
                return Err(self.without_end(folder, entries.len()));
            }
            match last {
                Some(next) if !reply.eof && next != cookie && entries.len() < most => cookie = next,
                _ => return Ok(entries),
            }
        }
    }

    /// That a list of names takes too long.
    pub fn without_end(&self, folder: &str, names: usize) -> NfsError {
        let folder = self.url.name_of(folder);
        NfsError::WithoutEnd { folder, names }
    }

    /// Reads at `offset`: how many bytes, 0 at the end of the file.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn read(
        &self,
        file: &NfsHandle,
        offset: u64,
        buffer: &mut [u8],
        name: &str,
    ) -> Result<usize, NfsError> {
        let count = buffer.len().min(self.read_max as usize) as u32;
        let call = RangeCall { file: file.clone(), offset, count };
        self.ask_with(
            NfsProcedure::Read,
            name,
            |to| call.write(to),
            |from| {
                let status = NfsStatus::read(from)?;
                if status != NfsStatus::OK {
                    return Ok(Err(status));
                }
                let data = ReadReply::read(from)?.data;
                let bytes = data.len().min(buffer.len());
                buffer[..bytes].copy_from_slice(&data[..bytes]);
                Ok(Ok(bytes))
            },
        )
    }

    /// Writes at `offset`; returns the result, which may be a part of the data.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn write(
        &self,
        file: &NfsHandle,
        offset: u64,
        data: &[u8],
        stability: WriteStability,
        name: &str,
    ) -> Result<WriteReply, NfsError> {
        self.check_writable()?;
        let data = &data[..data.len().min(self.write_max as usize)];
        let call = WriteCall { file: &file.0, offset, stability, data };
        self.ask(NfsProcedure::Write, name, |to| call.write(to))
    }

    /// Makes all unstable writes to a file durable.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn commit(&self, file: &NfsHandle, name: &str) -> Result<CommitReply, NfsError> {
        let call = RangeCall { file: file.clone(), offset: 0, count: 0 };
        self.ask(NfsProcedure::Commit, name, |to| call.write(to))
    }

    /// Refuses to write if the URL says so.
    ///
    /// # Errors
    /// If nothing may be written.
    pub fn check_writable(&self) -> Result<(), NfsError> {
        match self.url.arguments.readonly {
            true => Err(NfsError::ReadOnly("the URL says readonly; take that out of it to write")),
            false => Ok(()),
        }
    }

    fn ask<T: Xdr>(
        &self,
        procedure: NfsProcedure,
        name: &str,
        write: impl Fn(&mut XdrWriter),
    ) -> Result<T, NfsError> {
        self.ask_with(procedure, name, write, read_result)
    }

    fn ask_with<T>(
        &self,
        procedure: NfsProcedure,
        name: &str,
        write: impl Fn(&mut XdrWriter),
        mut read: impl FnMut(&mut XdrReader<'_>) -> Result<Result<T, NfsStatus>, XdrError>,
    ) -> Result<T, NfsError> {
        let (program, what) = (RpcProgram::NFS, procedure.name());
        let head =
            CallHead { program, procedure: procedure as u32, credential: &self.credential, tag: 0 };
        let deadline = Instant::now() + self.call_time;
        loop {
            match call(&mut self.link(), head, what, deadline, &write, &mut read)? {
                Ok(value) => return Ok(value),
                Err(NfsStatus::JUKEBOX) if Instant::now() + JUKEBOX_WAIT < deadline => {
                    std::thread::sleep(JUKEBOX_WAIT);
                }
                Err(status) => return Err(NfsError::of_status(procedure, name, status)),
            }
        }
    }

    fn link(&self) -> MutexGuard<'_, NfsLink> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const NO_NAME: &str = "is no name of a file in an export: give a path without '..' in it";
const THROUGH_LINK: &str = "leads through a symbolic link; name what it points to";

/// The folders of a name, and its last part; none if it is not a valid name in an export.
fn parts(name: &str) -> Option<(Vec<&str>, &str)> {
    let mut parts: Vec<&str> =
        name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let last = parts.pop()?;
    (is_nfs_name(last) && parts.iter().all(|part| is_nfs_name(part))).then_some((parts, last))
}

fn is_there(error: NfsError) -> Result<(), NfsError> {
    match error.status() {
        Some(NfsStatus::EXIST) => Ok(()),
        _ => Err(error),
    }
}

fn address_of(url: &NfsUrl) -> Result<SocketAddr, NfsError> {
    let wrong = |source| NfsError::Address { server: url.server.clone(), source };
    let mut found = (url.server.as_str(), 0).to_socket_addrs().map_err(wrong)?;
    found.next().ok_or_else(|| wrong(std::io::ErrorKind::NotFound.into()))
}

/// The address of a program: at the given port, or the port mapper's.
fn port(
    url: &NfsUrl,
    mut address: SocketAddr,
    program: RpcProgram,
    given: Option<u16>,
    argument: &'static str,
) -> Result<SocketAddr, NfsError> {
    if let Some(port) = given {
        address.set_port(port);
        return Ok(address);
    }
    match registered_port(address, program)? {
        Some(port) => {
            address.set_port(port);
            Ok(address)
        }
        None => Err(NfsError::NotRegistered {
            server: url.server.clone(),
            what: program.name(),
            argument,
        }),
    }
}

/// The port mapper's answer.
fn registered_port(mut mapper: SocketAddr, program: RpcProgram) -> Result<Option<u16>, NfsError> {
    mapper.set_port(PORTMAP_PORT);
    let mut link = connect(mapper, RpcProgram::PORTMAP)?;
    let credential = RpcCredential::default();
    let head = CallHead {
        program: RpcProgram::PORTMAP,
        procedure: GETPORT,
        credential: &credential,
        tag: 0,
    };
    let RpcProgram { number, version } = program;
    let wanted = GetPortCall { program: number, version, protocol: 6, port: 0 };
    let deadline = Instant::now() + CALL_TIME;
    let found = call(&mut link, head, "GETPORT", deadline, &|to| wanted.write(to), &mut |from| {
        from.u32().map(Ok)
    })?;
    Ok(found.ok().and_then(|port| u16::try_from(port).ok()).filter(|port| *port > 0))
}

fn mount_root(
    url: &NfsUrl,
    address: SocketAddr,
    credential: &RpcCredential,
) -> Result<NfsHandle, NfsError> {
    let mut link = connect(address, RpcProgram::MOUNT)?;
    let deadline = Instant::now() + CALL_TIME;
    let head = |procedure| CallHead { program: RpcProgram::MOUNT, procedure, credential, tag: 0 };
    let path = |to: &mut XdrWriter| url.export.write(to);
    let found: Result<MountReply, NfsStatus> =
        call(&mut link, head(MNT), "MNT", deadline, &path, &mut |from| read_result(from))?;
    let server = url.server.clone();
    let root = found
        .map_err(|status| NfsError::Export { server, export: url.export.clone(), status })?
        .root;
    // Removes the entry in the server's list of mounts; nothing depends on it.
    let _ = call(&mut link, head(UMNT), "UMNT", deadline, &path, &mut |_| Ok(Ok(())));
    Ok(root)
}

/// Connects and waits for it.
pub(crate) fn connect(server: SocketAddr, program: RpcProgram) -> Result<NfsLink, NfsError> {
    let plan = LinkPlan { server, program, source: None, tries: Some(0) };
    let mut link = NfsLink::new(plan, Instant::now());
    while !link.is_up() {
        link.advance(Instant::now())?;
        if !link.is_up() {
            wait(&link, Duration::from_millis(200))?;
        }
    }
    Ok(link)
}

fn wait(link: &NfsLink, time: Duration) -> Result<(), NfsError> {
    let waited = socket::wait_for(link.socket().into_iter(), time);
    waited.map_err(|error| NfsError::Lost { address: link.address(), reason: error.to_string() })
}

/// A time as given in whole seconds, of which a part has passed.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs_f64().round() as u64
}

/// Makes one call and waits for its reply; a broken connection is opened again.
pub(crate) fn call<T>(
    link: &mut NfsLink,
    head: CallHead<'_>,
    what: &'static str,
    deadline: Instant,
    write: &impl Fn(&mut XdrWriter),
    read: &mut impl FnMut(&mut XdrReader<'_>) -> Result<Result<T, NfsStatus>, XdrError>,
) -> Result<Result<T, NfsStatus>, NfsError> {
    let address = link.address();
    let began = Instant::now();
    let xid = link.wire.call(head, Instant::now(), write);
    loop {
        let now = Instant::now();
        if now >= deadline {
            link.wire.forget(xid);
            return Err(NfsError::Silent {
                address,
                what,
                seconds: whole_seconds(deadline - began),
            });
        }
        link.advance(now)?;
        while link.receive(now) {
            let reply = link.wire.next_reply();
            let malformed =
                |reason: String| NfsError::Malformed { address: address.clone(), reason };
            let Some(reply) = reply.map_err(|error| malformed(error.to_string()))? else {
                continue;
            };
            let mut result = reply.outcome.map_err(|source| NfsError::Refused {
                address: address.clone(),
                what,
                source,
            })?;
            return read(&mut result).map_err(|error| malformed(error.to_string()));
        }
        let due = link.due().map_or(deadline, |due| due.min(deadline));
        wait(link, due.saturating_duration_since(now).max(Duration::from_millis(1)))?;
    }
}
