//! What served I/Os in place of the device, for a claim that a limit was met: a reader who goes no
//! further would take the figures for the device's.

use super::measure::MOST_OF_IT;
use fathom_analysis::verdicts::{Answer, Verdict};
use fathom_analysis::{CacheFinding, CacheVerdict, direction_noun};
use fathom_message::{Message, list};
use fathom_vocab::Direction;

/// `CLAIM; a cache served reads`, by the plainest of these verdicts on caches; the claim alone
/// where none served anything.
pub(super) fn and_served<'d>(
    claim: Message,
    verdicts: impl Iterator<Item = &'d Verdict>,
) -> Message {
    let findings: Vec<&CacheFinding> = verdicts
        .filter_map(|verdict| match &verdict.answer {
            Answer::Cached(finding) => Some(finding),
            _ => None,
        })
        .collect();
    let Some(worst) = findings.iter().filter_map(|of| CacheService::of(of.verdict)).min() else {
        return claim;
    };
    let is_worst = |of: &&&CacheFinding| CacheService::of(of.verdict) == Some(worst);
    let mut directions: Vec<Direction> =
        findings.iter().filter(is_worst).map(|of| of.direction).collect();
    directions.dedup();
    let nouns = directions.into_iter().map(|of| Message::new(direction_noun(of)));
    let served = Message::new(worst.id()).part("ways", list::names(nouns));
    Message::new("summary-served").part("claim", claim).part("served", served)
}

/// What served I/Os in place of the device, the plainest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CacheService {
    Memory,
    Most,
    Part,
    Perhaps,
}

impl CacheService {
    fn of(verdict: CacheVerdict) -> Option<CacheService> {
        match verdict {
            CacheVerdict::Memory => Some(CacheService::Memory),
            CacheVerdict::Cached { share } if share >= MOST_OF_IT => Some(CacheService::Most),
            CacheVerdict::Cached { .. } => Some(CacheService::Part),
            CacheVerdict::Suspected => Some(CacheService::Perhaps),
            CacheVerdict::Unwritten { .. }
            | CacheVerdict::Foreign { .. }
            | CacheVerdict::SawMore { .. }
            | CacheVerdict::NotCached
            | CacheVerdict::NotEnough => None,
        }
    }

    fn id(self) -> &'static str {
        match self {
            CacheService::Memory => "summary-served-memory",
            CacheService::Most => "summary-served-cache",
            CacheService::Part => "summary-served-cache-some",
            CacheService::Perhaps => "summary-served-cache-perhaps",
        }
    }
}
