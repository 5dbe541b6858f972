//! CPUs by number: Windows has them in groups of up to 64, and a thread runs on those of one group.
//!
//! Our CPU n is the n-th active one, counted through the groups in order, as in fio.

use std::io;

/// The position of a CPU: its group, and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupPlace {
    pub group: u16,
    pub place: u32,
}

/// The position of CPU `number`, given the size of each group.
pub(crate) fn place_of(number: usize, sizes: &[u32]) -> Option<GroupPlace> {
    let mut left = number;
    for (group, size) in (0u16..).zip(sizes) {
        if left < *size as usize {
            return Some(GroupPlace { group, place: left as u32 });
        }
        left -= *size as usize;
    }
    None
}

/// The numbers of the CPUs of a mask in a group.
pub(crate) fn numbers_of(group: u16, mask: usize, sizes: &[u32]) -> Vec<usize> {
    let before: u32 = sizes.iter().take(group.into()).sum();
    let there = sizes.get(usize::from(group)).copied().unwrap_or(0);
    (0..there).filter(|place| mask >> place & 1 != 0).map(|n| (before + n) as usize).collect()
}

/// The group and mask of some CPUs.
///
/// # Errors
/// If one is not there, or they are of several groups.
pub(crate) fn mask_of(cpus: &[usize], sizes: &[u32]) -> io::Result<(u16, usize)> {
    let wrong = |text: String| io::Error::new(io::ErrorKind::InvalidInput, text);
    let mut found: Option<(u16, usize)> = None;
    for cpu in cpus {
        let at = place_of(*cpu, sizes)
            .ok_or_else(|| wrong(format!("there is no CPU {cpu}; name one that is there")))?;
        let bit = 1 << at.place;
        found = match found {
            Some((group, _)) if group != at.group => {
                return Err(wrong(
                    "the CPUs are of several processor groups, and a thread runs on those of one; \
                     name CPUs of one group, or use cpus_allowed_policy=split"
                        .to_owned(),
                ));
            }
            before => Some((at.group, before.map_or(0, |(_, mask)| mask) | bit)),
        };
    }
    found.ok_or_else(|| wrong("no CPU is named; name one that is there".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [u32; 3] = [64, 3, 64];

    #[test]
    fn cpus_are_counted_through_the_groups() {
        let place = |group, place| Some(GroupPlace { group, place });
        assert_eq!(place_of(63, &SIZES), place(0, 63));
        assert_eq!(place_of(64, &SIZES), place(1, 0));
        assert_eq!(place_of(67, &SIZES), place(2, 0));
        assert_eq!(place_of(131, &SIZES), None);
        assert_eq!(numbers_of(1, 0b101, &SIZES), [64, 66]);
        assert_eq!(numbers_of(1, usize::MAX, &SIZES), [64, 65, 66]);
    }

    #[test]
    fn a_thread_is_bound_within_one_group() {
        assert_eq!(mask_of(&[64, 66], &SIZES).unwrap(), (1, 0b101));
        let text = mask_of(&[63, 64], &SIZES).unwrap_err().to_string();
        assert!(text.contains("processor groups"), "{text}");
        assert!(mask_of(&[131], &SIZES).unwrap_err().to_string().contains("no CPU 131"));
        assert!(mask_of(&[], &SIZES).is_err());
    }
}
