//! Names of runs in a comparison: by what tells them apart, which an id does not show.
//!
//! The first that every run has and no two share: its tags, its targets, its tags or else its
//! volume with date and time, its volume with date and time. Two names of one run are left with
//! its id.

use crate::history::when;
use fathom_store::HistoryEntry;

/// A name for each run, in order.
pub fn run_names(runs: &[&HistoryEntry]) -> Vec<String> {
    let tags = |run: &HistoryEntry| run.run.tags.join(", ");
    let targets = |run: &HistoryEntry| match runs.len() {
        // The volume alone tells a run from nothing.
        1 => String::new(),
        _ => run.run.targets.join(", "),
    };
    // A time alone is no name.
    let time = |run: &HistoryEntry| {
        let time = when(run.run.started_ms);
        match place(run) {
            "" => time,
            place => format!("{place}, {time}"),
        }
    };
    let tags_or_time = |run: &HistoryEntry| match run.run.tags.is_empty() {
        true => time(run),
        false => tags(run),
    };
    let ways: [&dyn Fn(&HistoryEntry) -> String; 4] = [&tags, &targets, &tags_or_time, &time];
    let each = |way: &&dyn Fn(&HistoryEntry) -> String| -> Vec<String> {
        runs.iter().map(|run| way(run)).collect()
    };
    let ids = || runs.iter().map(|run| run.short_id.clone()).collect();
    ways.iter().map(each).find(|names| tell_apart(names)).unwrap_or_else(ids)
}

/// The end of the path of the first target.
fn place(run: &HistoryEntry) -> &str {
    let first = run.run.targets.first().map_or("", String::as_str);
    first.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

fn tell_apart(names: &[String]) -> bool {
    let is_first = |at: usize| !names[..at].contains(&names[at]);
    names.iter().enumerate().all(|(at, name)| !name.is_empty() && is_first(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_store::{HistoryRun, Id};

    fn run(id: &str, tags: &[&str], target: &str, started_ms: u64) -> HistoryEntry {
        HistoryEntry {
            id: Id::parse("1m8azb84ccf0").unwrap(),
            short_id: id.to_owned(),
            run: HistoryRun {
                tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
                targets: vec![target.to_owned()],
                started_ms,
                ..HistoryRun::default()
            },
        }
    }

    #[test]
    fn runs_are_called_by_what_differs() {
        let [a, b] = ["1m8azb84", "1m8azbts"];
        let names = |of: [HistoryEntry; 2]| run_names(&of.iter().collect::<Vec<_>>());
        let tagged = [run(a, &["before"], "/a", 0), run(b, &["after"], "/b", 0)];
        assert_eq!(names(tagged), ["before", "after"]);
        assert_eq!(names([run(a, &["x"], "/a", 0), run(b, &["x"], "/b", 0)]), ["/a", "/b"]);
        assert_eq!(names([run(a, &[], "/a", 0), run(b, &["x"], "/b", 0)]), ["/a", "/b"]);
        let hours = names([run(a, &[], "/a", 0), run(b, &[], "/a", 3_600_000)]);
        assert!(hours[0] != hours[1] && hours[0].starts_with("a, 19"), "{hours:?}");
        let mixed = names([run(a, &["x"], "/a", 0), run(b, &[], "/a", 0)]);
        assert!(mixed[0] == "x" && mixed[1].starts_with("a, 19"), "{mixed:?}");
        assert_eq!(names([run(a, &[], "/a", 0), run(b, &[], "/a", 0)]), [a, b]);
        assert_eq!(run_names(&[&run(a, &["new"], "/a", 0)]), ["new"]);
        assert!(run_names(&[&run(a, &[], "/mnt/a", 0)])[0].starts_with("a, 19"));
    }
}
