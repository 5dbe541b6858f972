//! What two recordings come to, from figures with a known spread.

use super::{RunsDocument, Verdict};
use crate::compare::{Entry, Judged, Known, Recording};
use fathom_analysis::Estimate;
use fathom_vocab::Direction;

/// Repeats around `mean`, so many percent apart at most.
fn known(mean: f64, percent: f64) -> Known {
    let values = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|part| mean * (1.0 + part * percent / 100.0));
    Known::judged(mean, Estimate::of_repeats(&values))
}

fn entry(name: &str, iops: f64, block_bytes: f64) -> Entry {
    Entry {
        name: name.to_owned(),
        direction: Direction::Read,
        iops: known(iops, 1.0),
        bytes_per_s: known(iops * block_bytes, 1.0),
        latency_ns: known(32e9 / iops, 1.0),
    }
}

fn recording(name: &str, entries: Vec<Entry>) -> Recording {
    Recording { name: name.to_owned(), kind: "fathom-measure".to_owned(), entries, notes: vec![] }
}

fn verdicts(document: &RunsDocument) -> Vec<(Judged, Verdict)> {
    document.pairs[0].contrasts.iter().map(|of| (of.judged, of.verdict)).collect()
}

#[test]
fn a_drop_of_a_tenth_is_worse_in_rate_and_in_latency() {
    let before = recording("before", vec![entry("a", 3000.0, 4096.0)]);
    let after = recording("after", vec![entry("a", 2700.0, 4096.0)]);
    let worse = RunsDocument::new(&[before.clone(), after.clone()]);
    let both = [Judged::Iops, Judged::MeanLatencyNs];
    assert_eq!(verdicts(&worse), both.map(|judged| (judged, Verdict::Worse)));
    let by: Vec<f64> =
        worse.pairs[0].contrasts.iter().filter_map(|of| of.worse_percent()).collect();
    assert!((by[0] - 10.0).abs() < 1e-9 && (by[1] - 100.0 / 9.0).abs() < 1e-9, "{by:?}");
    assert_eq!([5.0, 10.5, 12.0].map(|percent| worse.regressed(percent).len()), [2, 1, 0]);
    let (low, high) = worse.pairs[0].contrasts[0].change_ends_percent().unwrap();
    assert!(low < -10.0 && -10.0 < high && high < 0.0, "{low} {high}");
    let better = RunsDocument::new(&[after, before]);
    assert_eq!(verdicts(&better), both.map(|judged| (judged, Verdict::Better)));
    assert!(better.regressed(0.0).is_empty());
}

#[test]
fn a_run_against_itself_shows_no_difference() {
    let one = recording("one", vec![entry("a", 3000.0, 4096.0), entry("b", 90.0, 1048576.0)]);
    let document = RunsDocument::new(&[one.clone(), one]);
    let figures: Vec<Judged> = verdicts(&document).iter().map(|(judged, _)| *judged).collect();
    // Large blocks are told in MB/s.
    assert_eq!(figures[..3], [Judged::Iops, Judged::MeanLatencyNs, Judged::BytesPerS]);
    assert!(verdicts(&document).iter().all(|(_, verdict)| *verdict == Verdict::NoDifference));
    assert!(document.regressed(0.0).is_empty());
}

#[test]
fn without_a_spread_there_is_a_ratio_and_no_verdict() {
    let mut bare = entry("a", 1500.0, 4096.0);
    bare.iops = Known::bare(1500.0);
    let before = recording("before", vec![entry("a", 3000.0, 4096.0)]);
    let document = RunsDocument::new(&[before, recording("after", vec![bare])]);
    let iops = &document.pairs[0].contrasts[0];
    assert_eq!((iops.change_percent, iops.verdict), (-50.0, Verdict::Unknown));
    assert_eq!((&iops.comparison, iops.change_ends_percent()), (&None, None));
    // A gate judges only what is shown.
    assert_eq!(document.regressed(1.0).len(), 1);
}

#[test]
fn names_pair_figures_and_the_rest_is_listed() {
    let before = recording("b", vec![entry("a", 1.0, 4096.0), entry("old", 1.0, 4096.0)]);
    let after = recording("n", vec![entry("random read", 1.0, 4096.0), entry("a", 1.0, 4096.0)]);
    let pair = RunsDocument::new(&[before.clone(), after.clone()]).pairs.remove(0);
    assert_eq!((pair.contrasts.len(), pair.contrasts[0].name.as_str()), (2, "a, read"));
    assert_eq!(
        (pair.only_before, pair.only_after),
        (vec!["old, read".to_owned()], vec!["random read".to_owned()])
    );
    // No name in common and one entry each: these two are meant.
    let single = recording("s", vec![entry("t", 1.0, 4096.0)]);
    let other = recording("o", vec![entry("u", 1.0, 4096.0)]);
    let pair = RunsDocument::new(&[single.clone(), other]).pairs.remove(0);
    assert_eq!(pair.contrasts[0].name, "t / u, read");
    let pair = RunsDocument::new(&[single, before]).pairs.remove(0);
    assert!(pair.contrasts.is_empty() && pair.only_after.len() == 2);
}
