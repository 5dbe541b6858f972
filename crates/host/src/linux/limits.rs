//! The limits that decide which engine can run and at which depth: asynchronous contexts, locked
//! memory, open files, io_uring's switch.
//!
//! The process's own limits are read from `/proc/self/limits` and not by a call, so that a fixture
//! can define them.

use crate::{Host, HostLimits, Ulimit};

impl Host {
    /// The limits on this process.
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
