//! The findings of a comparison of volumes, phase by phase: each volume's typical figure with its
//! error over the rounds, its ratio to the first volume, and with three or more a ranking.
//!
//! Volumes that stand together on a side are its repeats: each counts by its typical figure over
//! its rounds, and the degrees of freedom are those of the volumes.
//!
//! All pairs of volumes in all phases share one probability of error: of 100 comparisons of equal
//! volumes at most one names any difference. Volumes that are one disk are not judged: what rounds
//! show between two files of one disk is where they lie, or I/O of others.

use super::document::{CompareDocument, CompareTrial};
use fathom_analysis::{CaseFigures, Comparison, Difference, Judged, Lack, Ranking, SharedRounds};
use fathom_analysis::{PhaseFinding, Side, VolumeStanding};
use fathom_message::Message;

/// The findings from a document's runs.
pub fn findings(document: &CompareDocument) -> Vec<PhaseFinding> {
    let all = (0..document.plan.phases.len()).map(|phase| finding(document, phase));
    all.filter(|finding| finding.standings.len() > 1).collect()
}

fn finding(document: &CompareDocument, phase: usize) -> PhaseFinding {
    let info = &document.plan.phases[phase];
    let judged = info.judged;
    let rule = document.judge_rule().in_steps(judged.grain_percent());
    let ran = |volume: &usize| {
        document.whole_runs().any(|run| run.phase == phase && run.volume == *volume)
    };
    let has_run = |head: &usize| document.side_of(*head).iter().all(ran);
    let volumes: Vec<usize> = document.heads().filter(has_run).collect();
    let values =
        |volume: &usize| (document.side_name(*volume), values(document, phase, *volume, judged));
    let shared = SharedRounds::new(volumes.iter().map(values));
    let sides: Vec<Option<Side>> =
        volumes.iter().map(|head| side_of_several(document, phase, *head, judged)).collect();
    let compare = |at: usize| match (&sides[0], &sides[at]) {
        (Some(first), Some(other)) => {
            Comparison::apart(first.clone(), other.clone(), judged.better(), rule)
        }
        _ => shared.compare([0, at], judged.better(), rule),
    };
    let standing = |(at, volume): (usize, &usize)| VolumeStanding {
        volume: *volume,
        side: sides[at].clone().unwrap_or_else(|| shared.side(at)),
        // The rounds of one of several volumes are not those of the side.
        values: if sides[at].is_some() { Vec::new() } else { values(volume).1 },
        mean_latency_ns: mean_latency_ns(document, phase, &document.side_of(*volume)),
        over_first: (at > 0)
            .then(|| compare(at))
            .map(|of| unless_one_disk(document, [volumes[0], *volume], of)),
    };
    let standings: Vec<VolumeStanding> = volumes.iter().enumerate().map(standing).collect();
    let is_ranked = standings.len() > 2 && !document.is_one_disk();
    let ranking = is_ranked.then(|| Ranking::of_rounds(&shared, judged.better(), rule));
    let ranking = ranking.map(|of| without_one_disk(document, of));
    let (title, sentences) = (info.title.clone(), Vec::new());
    let mut found = PhaseFinding { phase, title, judged, standings, ranking, sentences };
    found.sentences = found.messages().iter().map(Message::to_string).collect();
    found
}

/// A side of several volumes, by the typical figure of each; none of a side of one.
fn side_of_several(
    document: &CompareDocument,
    phase: usize,
    head: usize,
    judged: Judged,
) -> Option<Side> {
    let volumes = document.side_of(head);
    if volumes.len() < 2 {
        return None;
    }
    let of = |volume: &usize| (String::new(), values(document, phase, *volume, judged));
    let shared = SharedRounds::new(volumes.iter().map(of));
    let figures = (0..volumes.len()).filter_map(|at| Some(shared.side(at).estimate.ok()?.mean));
    Some(Side::of_repeats(document.side_name(head), &figures.collect::<Vec<f64>>()))
}

/// The figure of a volume in each round; none where its run failed or was cut short.
fn values(
    document: &CompareDocument,
    phase: usize,
    volume: usize,
    judged: Judged,
) -> Vec<Option<f64>> {
    let mut values = vec![None; document.plan.rounds as usize];
    for run in document.whole_runs().filter(|run| (run.phase, run.volume) == (phase, volume)) {
        let Some(figures) = &run.figures else { continue };
        if let Some(value) = values.get_mut(run.round as usize) {
            *value = judged.value(&figures.total);
        }
    }
    values
}

/// The mean latency of volumes over all I/Os of their rounds.
fn mean_latency_ns(document: &CompareDocument, phase: usize, volumes: &[usize]) -> f64 {
    let is_own = |run: &&CompareTrial| run.phase == phase && volumes.contains(&run.volume);
    let own = document.whole_runs().filter(is_own);
    let figures: Vec<&CaseFigures> = own.filter_map(|run| run.figures.as_ref()).collect();
    let ios: f64 = figures.iter().map(|of| of.total.ios as f64).sum();
    let waited: f64 = figures.iter().map(|of| of.total.mean_ns * of.total.ios as f64).sum();
    waited / ios.max(1.0)
}

fn unless_one_disk(document: &CompareDocument, pair: [usize; 2], of: Comparison) -> Comparison {
    match document.shares_disk(pair[0], pair[1]) {
        true => of.of_one_disk(),
        false => of,
    }
}

/// The same ranking without differences of one disk from itself.
fn without_one_disk(document: &CompareDocument, mut ranking: Ranking) -> Ranking {
    let named = |name: &str| document.volumes.iter().position(|of| of.place.volume.name == name);
    let best = ranking.best().and_then(|best| named(&best.name));
    for place in &mut ranking.places {
        let pair = best.zip(named(&place.side.name));
        let is_shared = pair.is_some_and(|(best, other)| {
            document.shares_disk(best, other) || document.shares_disk(other, best)
        });
        if is_shared && place.over_best.is_some() {
            place.over_best = Some(Difference::NotEnough { lack: Lack::OneDisk });
        }
    }
    ranking
}
