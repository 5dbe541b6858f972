//! Where the test files of several hosts lie: on one file system, or each on its own.
//!
//! Decided here: hosts on one kernel share what has one device number. Hosts on different kernels
//! share what a server gives to both under one name, and file systems that are made to be shared:
//! a local disk has the same name and size on every machine of one kind, and is each machine's own.

use fathom_campaign::{ClientFiles, ClientSpace, Volume};
use fathom_host::Storage;

/// A target as a host sees it.
pub(crate) struct HostVolume<'v> {
    pub(crate) host: &'v str,
    /// The boot of its kernel; empty if unknown.
    pub(crate) boot_id: &'v str,
    pub(crate) volume: &'v Volume,
}

/// File systems on block devices that several machines mount at once.
const CLUSTERED: [&str; 2] = ["gfs2", "ocfs2"];

impl HostVolume<'_> {
    fn shares_with(&self, other: &HostVolume<'_>) -> bool {
        let (own, theirs) = (self.volume, other.volume);
        let is_one_kernel = self.boot_id == other.boot_id;
        if is_one_kernel && own.same_place_as(theirs) {
            return true;
        }
        let is_shared = match &own.storage {
            // One kernel may mount an export twice.
            Storage::Network { .. } => true,
            Storage::Virtual { .. } => !is_one_kernel,
            _ => !is_one_kernel && CLUSTERED.contains(&own.mount.fstype.as_str()),
        };
        let total = |of: &Volume| of.space.as_ref().map(|space| space.total_bytes);
        is_shared && own.mount.source == theirs.mount.source && total(own) == total(theirs)
    }
}

/// The files of all hosts; of a relay those of the hosts below it. There is `one_file` if all share
/// it.
pub(crate) fn client_files(all: &[HostVolume<'_>], one_file: bool) -> ClientFiles {
    let own = |of: &HostVolume<'_>| {
        let available_bytes = of.volume.space.as_ref().map_or(u64::MAX, |of| of.available_bytes);
        let space = ClientSpace { client: of.host.to_owned(), available_bytes };
        let alone = ClientFiles { count: 1, share_space: true, spaces: vec![space] };
        of.volume.clients.clone().unwrap_or(alone)
    };
    let parts: Vec<ClientFiles> = all.iter().map(own).collect();
    let shares = all.windows(2).all(|two| two[0].shares_with(&two[1]));
    ClientFiles {
        count: if one_file { 1 } else { parts.iter().map(|of| of.count).sum() },
        share_space: one_file || shares && parts.iter().all(|of| of.share_space),
        spaces: parts.into_iter().flat_map(|of| of.spaces).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_campaign::TargetKind;
    use fathom_host::{Mount, Space};

    fn volume(source: &str, minor: u32, storage: Storage, available_bytes: u64) -> Volume {
        let mount = Mount { source: source.to_owned(), major: 8, minor, ..Mount::default() };
        let space = Space { total_bytes: 1000, available_bytes, ..Space::default() };
        Volume {
            name: "/data".to_owned(),
            target: fathom_vocab::Target::default(),
            kind: TargetKind::Folder,
            mount,
            storage,
            space: Some(space),
            cluster: None,
            clients: None,
        }
    }

    fn files(one: (&str, &Volume), other: (&str, &Volume)) -> ClientFiles {
        let of = |host, (boot_id, volume)| HostVolume { host, boot_id, volume };
        client_files(&[of("h1", one), of("h2", other)], false)
    }

    #[test]
    fn local_disks_of_one_kind_are_each_hosts_own() {
        let local = || Storage::Memory { fstype: "ext4".to_owned() };
        let (one, other) =
            (volume("/dev/vda1", 1, local(), 270), volume("/dev/vda1", 1, local(), 72));
        let apart = files(("boot1", &one), ("boot2", &other));
        assert_eq!((apart.count, apart.share_space), (2, false));
        assert_eq!(apart.fullest().map(|of| of.client.as_str()), Some("h2"));
        assert!(files(("boot1", &one), ("boot1", &other)).share_space, "two agents on one host");
        let next = volume("/dev/vda1", 2, local(), 72);
        assert!(!files(("boot1", &one), ("boot1", &next)).share_space);
    }

    #[test]
    fn what_a_server_gives_to_both_is_one_place() {
        let server = || Storage::Network {
            fstype: "nfs".to_owned(),
            server: "nas".to_owned(),
            export: "/vol".to_owned(),
            version: None,
            options: Vec::new(),
        };
        let (one, other) =
            (volume("nas:/vol", 41, server(), 7), volume("nas:/vol", 52, server(), 6));
        assert!(files(("boot1", &one), ("boot2", &other)).share_space);
        let elsewhere = volume("nas:/other", 52, server(), 6);
        assert!(!files(("boot1", &one), ("boot2", &elsewhere)).share_space);
    }

    #[test]
    fn the_hosts_below_relays_count() {
        let local = || Storage::Memory { fstype: "tmpfs".to_owned() };
        let mut below = volume("tmpfs", 1, local(), 5);
        let host = volume("tmpfs", 1, local(), 5);
        below.clients = Some(files(("boot1", &host), ("boot2", &host)));
        let all = files(("boot3", &below), ("boot4", &below));
        assert_eq!((all.count, all.spaces.len(), all.share_space), (4, 4, false));
        let of = HostVolume { host: "h", boot_id: "", volume: &host };
        assert_eq!(client_files(&[of], true).count, 1);
    }
}
