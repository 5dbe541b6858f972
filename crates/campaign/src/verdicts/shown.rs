//! What holds of several runs alike, in one line: `steady, ± 0.4 %, not cached, client 3 % busy`.

use super::{Answer, Verdict, Weight};
use fathom_analysis::{CacheVerdict, ClientSign, ClientVerdict, SteadyState};
use fathom_message::{Message, list};

/// A line over the verdicts of one run or several; none where nothing can be said of all of them.
///
/// A word is said only if it holds of every run: of figures, the least favourable.
pub fn summary(runs: &[&[Verdict]]) -> Option<Message> {
    if runs.is_empty() {
        return None;
    }
    let words = [steady(runs), sure(runs), uncached(runs), client(runs)];
    let words: Vec<Message> = words.into_iter().flatten().collect();
    (!words.is_empty()).then(|| list::commas(words))
}

/// The brief verdicts of a run.
fn brief(run: &[Verdict]) -> impl Iterator<Item = &Answer> {
    run.iter().filter(|verdict| verdict.weight == Weight::Brief).map(|verdict| &verdict.answer)
}

/// What `of` gives for each run, if it gives something for every one.
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

fn client(runs: &[&[Verdict]]) -> Option<Message> {
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
    let several = runs.len() > 1;
    let ceilings: Option<Vec<f64>> = each.iter().map(|(headroom, _)| *headroom).collect();
    if let Some(least) = ceilings.and_then(|all| all.into_iter().reduce(f64::min)) {
        let id = if several { "short-client-ceiling-most" } else { "short-client-ceiling" };
        return Some(Message::new(id).with("share", percent(100.0 / least)));
    }
    let threads: Option<Vec<f64>> = each.iter().map(|(_, busy)| *busy).collect();
    let most = threads?.into_iter().reduce(f64::max)?;
    let id = if several { "short-client-threads-most" } else { "short-client-threads" };
    Some(Message::new(id).with("busy", percent(most * 100.0)))
}

/// `0.4 %`, `12 %`.
fn percent(value: f64) -> String {
    match value {
        value if value < 9.95 => format!("{value:.1} %"),
        value => format!("{value:.0} %"),
    }
}
