//! What holds of several runs alike, in one line: `steady, ± 0.4 %, not cached, client 3 % busy`.

use super::{Answer, Verdict, Weight};
use fathom_analysis::{CacheVerdict, ClientSign, ClientVerdict, SteadyState};

/// A line over the verdicts of one run or several; empty where nothing can be said of all of them.
///
/// A word is said only if it holds of every run: of figures, the least favourable.
pub fn summary(runs: &[&[Verdict]]) -> String {
    if runs.is_empty() {
        return String::new();
    }
    let words = [steady(runs), sure(runs), uncached(runs), client(runs)];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The brief verdicts of a run.
fn brief(run: &[Verdict]) -> impl Iterator<Item = &Answer> {
    run.iter().filter(|verdict| verdict.weight == Weight::Brief).map(|verdict| &verdict.answer)
}

/// What `of` gives for each run, if it gives something for every one.
fn each<T>(runs: &[&[Verdict]], of: impl Fn(&Answer) -> Option<T>) -> Option<Vec<T>> {
    runs.iter().map(|run| brief(run).find_map(&of)).collect()
}

fn steady(runs: &[&[Verdict]]) -> Option<String> {
    let attained = |answer: &Answer| match answer {
        Answer::Steady(found) if matches!(found.state, SteadyState::Attained { .. }) => Some(()),
        _ => None,
    };
    each(runs, attained).map(|_| "steady".to_owned())
}

fn sure(runs: &[&[Verdict]]) -> Option<String> {
    let half = |answer: &Answer| match answer {
        Answer::Sure(estimate) => estimate.half_width_percent(),
        _ => None,
    };
    let widest = each(runs, half)?.into_iter().reduce(f64::max)?;
    let or_better = if runs.len() > 1 { " or better" } else { "" };
    Some(format!("known to ± {}{or_better}", percent(widest)))
}

fn uncached(runs: &[&[Verdict]]) -> Option<String> {
    let has = |run: &&[Verdict]| {
        let mut caches = run.iter().filter_map(|verdict| match &verdict.answer {
            Answer::Cached(finding) => Some(finding.verdict),
            _ => None,
        });
        let first = caches.next();
        first == Some(CacheVerdict::NotCached) && caches.all(|c| c == CacheVerdict::NotCached)
    };
    runs.iter().all(has).then(|| "not cached".to_owned())
}

fn client(runs: &[&[Verdict]]) -> Option<String> {
    let used = |answer: &Answer| match answer {
        Answer::Client(finding) if finding.verdict == ClientVerdict::Roomy => Some((
            finding.headroom,
            finding.signs.iter().find_map(|sign| match sign {
                ClientSign::Thread { busy } => Some(*busy),
                _ => None,
            }),
        )),
        _ => None,
    };
    let each = each(runs, used)?;
    let at_most = if runs.len() > 1 { "at most " } else { "" };
    let ceilings: Option<Vec<f64>> = each.iter().map(|(headroom, _)| *headroom).collect();
    if let Some(least) = ceilings.and_then(|all| all.into_iter().reduce(f64::min)) {
        return Some(format!("client at {at_most}{} of its ceiling", percent(100.0 / least)));
    }
    let threads: Option<Vec<f64>> = each.iter().map(|(_, busy)| *busy).collect();
    let most = threads?.into_iter().reduce(f64::max)?;
    Some(format!("client threads {at_most}{} busy", percent(most * 100.0)))
}

/// `0.4 %`, `12 %`.
fn percent(value: f64) -> String {
    match value {
        value if value < 9.95 => format!("{value:.1} %"),
        value => format!("{value:.0} %"),
    }
}
