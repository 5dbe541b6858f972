//! The I/O limits of every visible control group, not only of our own.
//!
//! A watched device shows the I/O of other processes, and the limits of their groups apply to it. A
//! container sees only its own part of the tree: further limits may exist.

use crate::linux::cgroup::{Group, is_tree};
use crate::{Host, IoThrottle};
use std::fs;
use std::path::Path;

/// Maximum number of groups examined, to keep the query fast.
const GROUP_LIMIT: usize = 20_000;

impl Host {
    /// The limits on I/O of all control groups below those mounted here, in the trees' order.
    pub fn visible_throttles(&self) -> Vec<IoThrottle> {
        self.throttles_in(&self.all_groups("blkio"), &self.all_groups(""))
    }

    /// Every group of a controller of version 1, or of version 2 by `""`, parents first.
    fn all_groups(&self, controller: &str) -> Vec<Group> {
        let mounts = self.mounts().unwrap_or_default();
        let Some(mount) = mounts.iter().find(|mount| is_tree(mount, controller)) else {
            return Vec::new();
        };
        let top = Group { name: "/".to_owned(), folder: mount.mount_point.clone() };
        let mut found = Vec::new();
        let mut waiting = vec![top];
        while let Some(group) = waiting.pop() {
            if found.len() >= GROUP_LIMIT {
                break;
            }
            let mut below = self.folders_in(&group.folder);
            below.sort();
            waiting.extend(below.into_iter().rev().map(|part| Group {
                name: format!("{}/{part}", group.name.trim_end_matches('/')),
                folder: group.folder.join(&part),
            }));
            found.push(group);
        }
        found
    }

    /// The names of the folders in a folder; links are not followed.
    fn folders_in(&self, path: &Path) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.locate(path)) else { return Vec::new() };
        let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        entries.flatten().filter(is_folder).map(name).collect()
    }
}
