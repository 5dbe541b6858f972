//! The common verdicts of several runs, in one line:
//! `steady, ± 0.4 %, page cache bypassed, client 3 % busy`.

use super::{Answer, Verdict, Weight};
use crate::{CacheVerdict, ClientSign, ClientVerdict, SteadyState};
use fathom_message::{Message, list};

/// A line over the verdicts of one run or several; none if they have nothing in common.
///
/// A word appears only if it is true of every run; figures are the least favourable.
pub fn summary(runs: &[&[Verdict]]) -> Option<Message> {
    if runs.is_empty() {
        return None;
    }
    let words = [steady(runs), sure(runs), uncached(runs)];
    let words: Vec<Message> = words.into_iter().flatten().chain(client(runs)).collect();
    (!words.is_empty()).then(|| list::commas(words))
}

/// The brief verdicts of a run.
fn brief(run: &[Verdict]) -> impl Iterator<Item = &Answer> {
    run.iter().filter(|verdict| verdict.weight == Weight::Brief).map(|verdict| &verdict.answer)
}

/// The values of `of` for each run, if every run has one.
fn each<T>(runs: &[&[Verdict]], of: impl Fn(&Answer) -> Option<T>) -> Option<Vec<T>> {
    runs.iter().map(|run| brief(run).find_map(&of)).collect()
}

fn steady(runs: &[&[Verdict]]) -> Option<Message> {
    let attained = |answer: &Answer| match answer {
        Answer::Steady(found) if matches!(found.state, SteadyState::Attained { .. }) => Some(()),
        _ => None,
    };
    each(runs, attained).map(|_| Message::new("short-steady"))
}

fn sure(runs: &[&[Verdict]]) -> Option<Message> {
    let half = |answer: &Answer| match answer {
        Answer::Sure(estimate) => estimate.half_width_percent(),
        _ => None,
    };
    let widest = each(runs, half)?.into_iter().reduce(f64::max)?;
    let id = if runs.len() > 1 { "short-known-or-better" } else { "short-known" };
    Some(Message::new(id).with("half-width", percent(widest)))
}

fn uncached(runs: &[&[Verdict]]) -> Option<Message> {
    let has = |run: &&[Verdict]| {
        let mut caches = run.iter().filter_map(|verdict| match &verdict.answer {
            Answer::Cached(finding) => Some(finding.verdict),
            _ => None,
        });
        let first = caches.next();
        first == Some(CacheVerdict::NotCached) && caches.all(|c| c == CacheVerdict::NotCached)
    };
    runs.iter().all(has).then(|| Message::new("short-not-cached"))
}

/// The distance from its ceiling; its threads only as far as the ceiling leaves it open: larger
/// I/Os take them longer than those of the ceiling.
fn client(runs: &[&[Verdict]]) -> Vec<Message> {
    let used = |answer: &Answer| match answer {
        Answer::Client(finding) if finding.verdict == ClientVerdict::Roomy => Some((
            finding.headroom.map(|times| 100.0 / times),
            finding.signs.iter().find_map(|sign| match sign {
                ClientSign::Thread { busy } => Some(*busy * 100.0),
                _ => None,
            }),
        )),
        _ => None,
    };
    let Some(each) = each(runs, used) else { return Vec::new() };
    let (ceilings, threads): (Vec<_>, Vec<_>) = each.into_iter().unzip();
    let (ceiling, thread) = (most(ceilings), most(threads));
    let thread = thread.filter(|busy| ceiling.is_none_or(|share| *busy > share));
    let several = runs.len() > 1;
    let ids = if several {
        ["short-client-ceiling-most", "short-client-threads-most"]
    } else {
        ["short-client-ceiling", "short-client-threads"]
    };
    let of_ceiling = ceiling.map(|share| Message::new(ids[0]).with("share", percent(share)));
    let of_threads = thread.map(|busy| Message::new(ids[1]).with("busy", percent(busy)));
    of_ceiling.into_iter().chain(of_threads).collect()
}

/// The most of figures that are all known.
fn most(values: Vec<Option<f64>>) -> Option<f64> {
    let values: Option<Vec<f64>> = values.into_iter().collect();
    values?.into_iter().reduce(f64::max)
}

/// `0.4 %`, `12 %`.
fn percent(value: f64) -> String {
    match value {
        value if value < 9.95 => format!("{value:.1} %"),
        value => format!("{value:.0} %"),
    }
}
