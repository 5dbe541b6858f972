//! One file that several clients use: the part of each.
//!
//! Decided here: regions are whole blocks of the job's largest block, cover the job's region
//! exactly once, and differ by at most a block. A job of a single block (the trial of an engine) is
//! not divided. Clones with separate regions (`offset_increment`) are each divided alike.

use crate::client_range::ClientRange;
use fathom_campaign::{MachineError, MachineErrorKind};
use fathom_job::{JobSize, JobSpec};
use fathom_vocab::Direction;

/// How clients use one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSharing {
    /// Each has its own region.
    Disjoint,
    /// Each has the whole file.
    Overlap,
}

impl FileSharing {
    /// Its name as the value of `--shared-file`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            FileSharing::Disjoint => "disjoint",
            FileSharing::Overlap => "overlap",
        }
    }
}

/// The offset and the bytes of some clients, of `size_bytes` from `offset`; none if there is no
/// block for each.
fn region(
    (offset, size_bytes): (u64, u64),
    block_bytes: u64,
    of: ClientRange,
) -> Option<(u64, u64)> {
    let blocks = size_bytes.checked_div(block_bytes).filter(|blocks| *blocks >= of.count)?;
    let edge = |at: u64| match at == of.count {
        true => size_bytes,
        false => (u128::from(blocks) * u128::from(at) / u128::from(of.count)) as u64 * block_bytes,
    };
    Some((offset.saturating_add(edge(of.first)), edge(of.end) - edge(of.first)))
}

/// Has `job` work on the region of some clients.
///
/// # Errors
/// If its size is not known in bytes, or too small for this number.
pub(crate) fn take_region(job: &mut JobSpec, of: ClientRange) -> Result<(), MachineError> {
    let refused = |why: String| {
        let message = format!("{}: --shared-file=disjoint: {why}", job.name);
        MachineError::new(MachineErrorKind::Run, message)
    };
    let (Some(JobSize::Bytes(size)), JobSize::Bytes(offset)) = (job.target.size, job.target.offset)
    else {
        return Err(refused("give the job's size and offset in bytes".to_owned()));
    };
    let blocks = Direction::ALL.iter().map(|way| job.pattern.bs[*way].max());
    let block = blocks.max().unwrap_or(4096).max(1);
    if size <= block {
        return Ok(());
    }
    let Some((offset, size)) = region((offset, size), block, of) else {
        return Err(refused(format!(
            "{size} bytes hold no block of {block} for each of {} clients; give a larger size",
            of.count
        )));
    };
    job.target.size = Some(JobSize::Bytes(size));
    job.target.offset = JobSize::Bytes(offset);
    // A job is sent as the options that it was given.
    for (name, bytes) in [("size", size), ("offset", offset)] {
        job.given.push((name.to_owned(), Some(bytes.to_string())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_job::job_from_options;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn regions_cover_the_file_once_in_whole_blocks(
            offset in 0u64..1 << 50, size in 1u64..1 << 40, block in 1u64..1 << 22,
            count in 1usize..1200,
        ) {
            let ranges = ClientRange::of_widths(&vec![1; count]);
            let regions = ranges.into_iter().map(|of| region((offset, size), block, of));
            let Some(regions) = regions.collect::<Option<Vec<(u64, u64)>>>() else {
                prop_assert!(size / block < count as u64);
                return Ok(());
            };
            let mut next = offset;
            for (at, (begin, bytes)) in regions.iter().enumerate() {
                prop_assert_eq!(*begin, next, "client {}", at);
                prop_assert_eq!((begin - offset) % block, 0);
                prop_assert!(*bytes >= block);
                next = begin + bytes;
            }
            prop_assert_eq!(next, offset + size);
            let blocks = regions.iter().map(|(_, bytes)| bytes / block);
            prop_assert!(blocks.clone().max().unwrap() - blocks.min().unwrap() <= 1);
        }

        #[test]
        fn regions_behind_relays_cover_the_file_once_too(
            blocks in 1000u64..1 << 30, widths in prop::collection::vec(1usize..40, 1..20),
        ) {
            let mut next = 0;
            for (relay, width) in ClientRange::of_widths(&widths).into_iter().zip(widths) {
                let part = region((0, blocks << 12), 1 << 12, relay).unwrap();
                for of in ClientRange::of_widths(&vec![1; width]) {
                    let (begin, bytes) = region(part, 1 << 12, of).unwrap();
                    prop_assert_eq!(begin, next);
                    prop_assert!(bytes > 0);
                    next = begin + bytes;
                }
            }
            prop_assert_eq!(next, blocks << 12);
        }
    }

    fn client(first: u64, count: u64) -> ClientRange {
        ClientRange { first, end: first + 1, count }
    }

    fn job(options: &[(&str, &str)]) -> JobSpec {
        job_from_options("one", options).unwrap()
    }

    #[test]
    fn a_job_is_parted_in_what_it_is_and_in_the_options_that_cross() {
        let mut second = job(&[("size", "1m"), ("offset", "4m"), ("bs", "64k")]);
        take_region(&mut second, client(1, 2)).unwrap();
        assert_eq!(second.target.offset, JobSize::Bytes((4 << 20) + (512 << 10)));
        assert_eq!(second.target.size, Some(JobSize::Bytes(512 << 10)));
        assert!(second.given.contains(&("offset".to_owned(), Some("4718592".to_owned()))));
    }

    #[test]
    fn what_cannot_be_parted_is_refused_with_what_to_do() {
        let why =
            |options: &[(&str, &str)]| take_region(&mut job(options), client(0, 3)).unwrap_err();
        assert!(why(&[("size", "50%")]).message.contains("in bytes"));
        assert!(why(&[("size", "8k"), ("bs", "4k")]).message.contains("give a larger size"));
        let mut trial = job(&[("size", "4k"), ("bs", "4k")]);
        take_region(&mut trial, client(2, 3)).unwrap();
        assert_eq!(trial.target.offset, JobSize::Bytes(0), "one block is nothing to part");
    }
}
