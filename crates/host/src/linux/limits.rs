//! The limits that decide which engine can run and how deep: asynchronous contexts, locked
//! memory, open files, io_uring's switch.
//!
//! The process's own limits are read from `/proc/self/limits` and not asked by a call, so that a
//! fixture can give them.

use crate::Host;
use serde::{Deserialize, Serialize};

/// A resource limit of this process; `None` is unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ulimit {
    /// What holds now.
    pub soft: Option<u64>,
    /// How far it may be raised without privileges.
    pub hard: Option<u64>,
}

/// Limits of the machine and of this process; `None` where the kernel does not have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostLimits {
    /// Events that all libaio contexts of the machine may hold.
    pub aio_max_nr: Option<u64>,
    /// Events that they hold now.
    pub aio_nr: Option<u64>,
    /// Memory that may be locked, in bytes.
    pub memlock: Option<Ulimit>,
    /// Files that may be open.
    pub nofile: Option<Ulimit>,
    /// 0 io_uring is open to all, 1 to its group only, 2 to nobody; absent before Linux 6.6.
    pub io_uring_disabled: Option<u32>,
    /// Files that may be open on the whole machine.
    pub file_max: Option<u64>,
    /// Threads that may exist on the whole machine.
    pub threads_max: Option<u64>,
}

impl Host {
    /// The limits that hold for this process.
    pub fn limits(&self) -> HostLimits {
        let own = self.text("/proc/self/limits").unwrap_or_default();
        HostLimits {
            aio_max_nr: self.number("/proc/sys/fs/aio-max-nr"),
            aio_nr: self.number("/proc/sys/fs/aio-nr"),
            memlock: ulimit(&own, "Max locked memory"),
            nofile: ulimit(&own, "Max open files"),
            io_uring_disabled: self.number("/proc/sys/kernel/io_uring_disabled"),
            file_max: self.number("/proc/sys/fs/file-max"),
            threads_max: self.number("/proc/sys/kernel/threads-max"),
        }
    }
}

/// The two columns after `name` in `/proc/self/limits` (proc_pid_limits(5)).
fn ulimit(text: &str, name: &str) -> Option<Ulimit> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let mut columns = rest.split_whitespace().map(|column| match column {
        "unlimited" => Some(None),
        number => number.parse().ok().map(Some),
    });
    Some(Ulimit { soft: columns.next()??, hard: columns.next()?? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_columns_are_read_and_unlimited_is_none() {
        let text = "Limit   Soft Limit   Hard Limit   Units\n\
                    Max locked memory   8388608   unlimited   bytes\n\
                    Max open files   1024   524288   files\n\
                    Max processes   many   1   processes\n";
        let memlock = Ulimit { soft: Some(8_388_608), hard: None };
        assert_eq!(ulimit(text, "Max locked memory"), Some(memlock));
        assert_eq!(ulimit(text, "Max processes"), None);
        assert_eq!(ulimit(text, "Max nothing"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in ".{0,300}") {
            ulimit(&text, "Max");
            ulimit(&text, "");
        }
    }
}
