//! A rate that several clients offer together: the part of each.
//!
//! Decided here: parts add up to the rate and differ by at most one I/O a second. A rate below the
//! number of clients gives each one, because zero would be no limit.

use crate::client_range::ClientRange;
use fathom_job::JobSpec;
use fathom_vocab::Direction;

/// The part of some clients.
fn share(rate: u64, of: ClientRange) -> u64 {
    if rate == 0 || rate < of.count {
        return if rate == 0 { 0 } else { of.len() };
    }
    let edge = |at: u64| (u128::from(rate) * u128::from(at)).div_ceil(u128::from(of.count)) as u64;
    edge(of.end) - edge(of.first)
}

/// Has `job` offer the part of some clients.
pub(crate) fn take_share(job: &mut JobSpec, of: ClientRange) {
    let rates = &mut job.pace.rate_iops;
    if of.len() == of.count || Direction::ALL.iter().all(|way| rates[*way] == 0) {
        return;
    }
    for way in Direction::ALL {
        rates[way] = share(rates[way], of);
    }
    let rates = Direction::ALL.map(|way| rates[way].to_string()).join(",");
    // A job is sent as the options that it was given.
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
        fn parts_add_up_to_the_rate(rate in 1u64..1 << 40, count in 1usize..1200) {
            let parts = ClientRange::of_widths(&vec![1; count]);
            let parts: Vec<u64> = parts.into_iter().map(|of| share(rate, of)).collect();
            prop_assert_eq!(parts.iter().sum::<u64>(), rate.max(count as u64));
            prop_assert!(parts.iter().max().unwrap() - parts.iter().min().unwrap() <= 1);
        }

        #[test]
        fn behind_relays_each_has_what_it_would_have_without(
            rate in 1u64..1 << 40, widths in prop::collection::vec(1usize..40, 1..20),
        ) {
            let mut parts = Vec::new();
            for (relay, width) in ClientRange::of_widths(&widths).into_iter().zip(widths) {
                let own = share(rate, relay);
                let below = ClientRange::of_widths(&vec![1; width]);
                parts.extend(below.into_iter().map(|of| share(own, of)));
            }
            prop_assert_eq!(parts.iter().sum::<u64>(), rate.max(parts.len() as u64));
            prop_assert!(parts.iter().max().unwrap() - parts.iter().min().unwrap() <= 2);
        }
    }

    const FIRST_OF_TWO: ClientRange = ClientRange { first: 0, end: 1, count: 2 };

    #[test]
    fn the_part_of_a_job_is_what_crosses() {
        let mut job = job_from_options("one", &[("rate_iops", "1001"), ("size", "1m")]).unwrap();
        take_share(&mut job, FIRST_OF_TWO);
        let crossed = WireJob::of(&job).job().unwrap();
        assert_eq!(crossed.pace.rate_iops[Direction::Read], 501);
        let mut alone = job_from_options("one", &[("size", "1m")]).unwrap();
        take_share(&mut alone, FIRST_OF_TWO);
        assert_eq!(alone.pace.rate_iops[Direction::Read], 0, "no rate is no limit");
    }
}
