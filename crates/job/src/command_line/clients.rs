//! `--client=HOST`: job files for other hosts.
//!
//! Decided here: a job file is for the clients named before it; consecutive clients share the files
//! that come next. A value that is a file contains hosts, one a line. Hosts are named as in ssh, so
//! fio's forms for its own server (a port, a socket) are refused by name.

use crate::error::{ErrorKind, JobError};
use crate::origin::Origin;
use crate::world::World;
use fathom_text::{Text, text};
use std::path::{Path, PathBuf};

/// The most bytes of a file with hosts.
const HOSTS_FILE_BYTES: u64 = 1 << 20;

/// Clients that share job files.
#[derive(Debug, Default)]
pub(super) struct ClientGroup {
    named: Vec<(String, Origin)>,
    files: Vec<PathBuf>,
}

impl ClientGroup {
    /// Their hosts, and the job files that they share.
    ///
    /// # Errors
    /// If a client is no host, or has no job file.
    pub(super) fn hosts_and_files(
        self,
        world: &dyn World,
    ) -> Result<(Vec<String>, Vec<PathBuf>), JobError> {
        let mut hosts = Vec::new();
        for (text, origin) in &self.named {
            if self.files.is_empty() {
                let message = text!("fio: --client={text} has no job file");
                return Err(refused(message, origin, "Name its job file after it."));
            }
            hosts.extend(hosts_of(text, origin, world)?);
        }
        Ok((hosts, self.files))
    }
}

/// Clients as they were named.
#[derive(Debug, Default)]
pub(super) struct NamedClients {
    groups: Vec<ClientGroup>,
}

impl NamedClients {
    /// One more client.
    pub(super) fn add(&mut self, text: String, origin: Origin) {
        match self.groups.last_mut().filter(|group| group.files.is_empty()) {
            Some(group) => group.named.push((text, origin)),
            None => {
                let named = vec![(text, origin)];
                self.groups.push(ClientGroup { named, files: Vec::new() });
            }
        }
    }

    /// The job files of the last client; none if none was named yet.
    pub(super) fn files(&mut self) -> Option<&mut Vec<PathBuf>> {
        self.groups.last_mut().map(|group| &mut group.files)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Those that share job files, in their order.
    pub(super) fn into_groups(self) -> Vec<ClientGroup> {
        self.groups
    }
}

fn refused(message: Text, origin: &Origin, hint: &'static str) -> JobError {
    JobError::new(ErrorKind::CommandLine, message, origin.clone()).hinted(hint)
}

/// The hosts that a value of `--client` names.
fn hosts_of(text: &str, origin: &Origin, world: &dyn World) -> Result<Vec<String>, JobError> {
    let listed = match world.read(Path::new(text), HOSTS_FILE_BYTES) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => text.to_owned(),
    };
    // Editors of Windows begin a file with a byte order mark.
    let lines = listed.trim_start_matches('\u{feff}').lines();
    let lines = lines.map(|line| line.split_once('#').map_or(line, |(host, _)| host).trim());
    let lines = lines.filter(|line| !line.is_empty());
    let hosts: Vec<String> = lines.map(|line| host_of(line, origin)).collect::<Result<_, _>>()?;
    match hosts.is_empty() {
        true => {
            let message = text!("fio: --client={text} names no host");
            Err(refused(message, origin, "Give a host, or a file with one a line."))
        }
        false => Ok(hosts),
    }
}

/// A host in one of fio's forms that ssh can reach.
fn host_of(line: &str, origin: &Origin) -> Result<String, JobError> {
    let bare = ["ip:", "ip4:", "ip6:"].iter().find_map(|form| line.strip_prefix(form));
    let host = bare.unwrap_or(line);
    let is_plain = !host.is_empty() && !host.starts_with('-');
    if is_plain && !host.contains([',', ' ', '\t']) && !line.starts_with("sock:") {
        return Ok(host.to_owned());
    }
    let message = text!("fio: '{line}' is no host that ssh knows");
    let hint = "Hosts are reached by ssh and not by fio's server: leave out port and socket, and \
                name the port in ~/.ssh/config.";
    Err(refused(message, origin, hint))
}
