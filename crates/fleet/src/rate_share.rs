//! A rate that several clients offer together: which part of it each has.
//!
//! Decided here: parts add up to the rate and differ by one I/O a second at most. A rate below the
//! number of clients gives each one, since none at all would be no limit.

use fathom_job::JobSpec;
use fathom_vocab::Direction;

/// The part of client `at` (from 0) of `count`.
fn share(rate: u64, (at, count): (u64, u64)) -> u64 {
    match rate {
        0 => 0,
        rate => (rate / count + u64::from(at < rate % count)).max(1),
    }
}

/// Has `job` offer the part of client `at` of `count`.
pub(crate) fn take_share(job: &mut JobSpec, of: (u64, u64)) {
    let rates = &mut job.pace.rate_iops;
    if of.1 < 2 || Direction::ALL.iter().all(|way| rates[*way] == 0) {
        return;
    }
    for way in Direction::ALL {
        rates[way] = share(rates[way], of);
    }
    let rates = Direction::ALL.map(|way| rates[way].to_string()).join(",");
    // A job crosses as the options that it was given.
    job.given.push(("rate_iops".to_owned(), Some(rates)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_campaign::machine::WireJob;
    use fathom_job::job_from_options;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_add_up_to_the_rate(rate in 1u64..1 << 40, count in 1u64..1200) {
            let parts: Vec<u64> = (0..count).map(|at| share(rate, (at, count))).collect();
            prop_assert_eq!(parts.iter().sum::<u64>(), rate.max(count));
            prop_assert!(parts.iter().max().unwrap() - parts.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn the_part_of_a_job_is_what_crosses() {
        let mut job = job_from_options("one", &[("rate_iops", "1001"), ("size", "1m")]).unwrap();
        take_share(&mut job, (0, 2));
        let crossed = WireJob::of(&job).job().unwrap();
        assert_eq!(crossed.pace.rate_iops[Direction::Read], 501);
        let mut alone = job_from_options("one", &[("size", "1m")]).unwrap();
        take_share(&mut alone, (1, 2));
        assert_eq!(alone.pace.rate_iops[Direction::Read], 0, "no rate is no limit");
    }
}
