//! Processes, from `/proc`.

use crate::ProcessSpace;
use std::fs;

pub(crate) fn own_space() -> ProcessSpace {
    let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    ProcessSpace {
        boot_id: boot_id.trim().to_owned(),
        pid_namespace: namespace.display().to_string(),
    }
}

pub(crate) fn start_of(pid: u32) -> Option<u64> {
    parsed(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The name in brackets may contain spaces and brackets, so fields count from its end.
fn parsed(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    let state = fields.next()?;
    // After the state, which is field 3, field 22 is the nineteenth.
    let started = fields.nth(18)?.parse().ok()?;
    (!matches!(state, "Z" | "X")).then_some(started)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_does_not_shift_the_fields() {
        let fields = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20";
        assert_eq!(parsed(&format!("7 (a) b) S {fields}")), Some(4711));
        assert_eq!(parsed(&format!("7 (fathom) Z {fields}")), None);
        assert_eq!(parsed("7 (fathom"), None);
    }
}
