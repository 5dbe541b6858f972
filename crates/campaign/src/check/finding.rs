//! What a run is worth beside its promise: kept, missed, or nothing that could be told.
//!
//! The judging of figures is `fathom_analysis::promise`'s. Here its outcome meets what else the
//! run shows: a figure that a cache made says nothing of the volume, kept or not; one that missed
//! while the client was at its end says nothing either, unless a cap shows what held it.

use super::basis::Basis;
use super::load::Load;
use super::signs::{self, Client};
use crate::plan::VolumePlan;
use crate::quantity::{megabytes_per_s, thousands};
use crate::suite::Goal;
use fathom_analysis::promise::{
    HandLimits, Judgement, LatencyFigure, MeasuredRun, MeasuredWay, Outcome,
};
use fathom_analysis::{
    CacheFinding, CacheVerdict, Cap, CapFinding, CapKind, ClientFinding, ClientVerdict, DirectIo,
    Rates, RowOutcome, Tone,
};
use fathom_message::{Lang, Message, Tell};
use fathom_stats::{DirectionStats, RunResult};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

/// Whether a promise was kept, as far as a run can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It was.
    Kept,
    /// It cannot be told.
    CouldNotTell,
    /// It was not.
    Missed,
}

impl Standing {
    /// PASS, UNCLEAR or FAIL. How far the figures can be trusted is another matter:
    /// [`RunFinding::trust`].
    pub fn outcome(self) -> RowOutcome {
        match self {
            Standing::Kept => RowOutcome::Pass,
            Standing::CouldNotTell => RowOutcome::Unclear,
            Standing::Missed => RowOutcome::Fail,
        }
    }
}

/// In a word.
impl Tell for Standing {
    fn tell(&self) -> Message {
        Message::new(match self {
            Standing::Kept => "check-standing-kept",
            Standing::CouldNotTell => "check-standing-untold",
            Standing::Missed => "check-standing-missed",
        })
    }
}

/// Why it cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// A cache or memory was measured.
    Cached,
    /// The client was at its end.
    Client,
    /// The load did not ask for as much as is promised.
    NotAsked,
    /// Nothing of it could be held against a promise.
    NotJudged,
    /// The run was stopped before its time.
    CutShort,
}

/// What a run came to beside its promise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFinding {
    /// Whether it was kept.
    pub standing: Standing,
    /// Why that cannot be told, if so.
    pub doubt: Option<Doubt>,
    /// Whole seconds that were measured.
    pub seconds: usize,
    /// I/Os a second, the mean of these.
    pub iops: f64,
    /// How many of them reached `enough` of the promised rate.
    pub reached: usize,
    /// The share of the promised rate that counts as reaching it.
    pub enough: f64,
    /// Line by line.
    pub judgement: Judgement,
    /// What held the rate; none for latency.
    pub cap: Option<CapFinding>,
    /// Whether it was the client.
    pub client: ClientFinding,
    /// Whether it was a cache.
    pub cached: CacheFinding,
    /// All that is to be said of it in English, a sentence each, the most telling first.
    pub sentences: Vec<String>,
}

/// Share of the rate that a second must reach where the provider names none.
const ENOUGH_OF_A_SECOND: f64 = 0.9;

/// A run, and how it was made.
pub(super) struct Run<'a> {
    pub load: &'a Load,
    pub volume: &'a VolumePlan,
    /// I/Os that could be in flight.
    pub depth: u32,
    pub direct: DirectIo,
    pub cut_short: bool,
    pub client: Client,
    pub result: &'a RunResult,
}

/// Holds a run against `basis`.
pub(super) fn find(basis: &Basis, run: &Run) -> RunFinding {
    let (load, result) = (run.load, run.result);
    let stats = of_direction(result, load.direction);
    let rates = Rates::of_jobs(&result.jobs, Some(load.direction), 1.0);
    let judgement = judged(basis, run, &stats, &rates);
    let consistency = basis.promise().and_then(|promise| promise.consistency);
    let enough = consistency.map_or(ENOUGH_OF_A_SECOND, |promised| promised.share_of_limit);
    let limit = load.promised.rate.map_or(f64::INFINITY, |reach| reach.iops * enough);
    let cap = (load.goal != Goal::Latency).then(|| signs::cap(load, run.depth, &stats, result));
    let mut finding = RunFinding {
        standing: Standing::CouldNotTell,
        doubt: None,
        seconds: rates.len(),
        iops: rates.iops.iter().sum::<f64>() / rates.len().max(1) as f64,
        reached: rates.iops.iter().filter(|iops| **iops >= limit).count(),
        enough,
        judgement,
        cap,
        client: signs::client(&run.client, &stats, result),
        cached: signs::cached(load, run.volume, run.direct, result),
        sentences: Vec::new(),
    };
    (finding.standing, finding.doubt) = finding.stands(run.cut_short);
    finding.sentences = finding.messages(load).iter().map(Message::to_string).collect();
    finding
}

/// The statistics of a direction over all jobs, which went side by side.
fn of_direction(result: &RunResult, direction: Direction) -> DirectionStats {
    result.jobs.iter().fold(DirectionStats::default(), |mut sum, job| {
        sum.merge(&job.dirs[direction]);
        sum
    })
}

fn judged(basis: &Basis, run: &Run, stats: &DirectionStats, rates: &Rates) -> Judgement {
    let percents: Vec<f64> = match basis {
        Basis::Hand { limits } => percents(limits),
        Basis::Provider { .. } => Vec::new(),
    };
    let at = |percent: f64| (percent, stats.lat.histogram.percentile(percent) as f64);
    let percentiles: Vec<(f64, f64)> = percents.into_iter().map(at).collect();
    let way = MeasuredWay {
        iops: &rates.iops,
        mean_latency_ns: (stats.lat.moments.count > 0).then(|| stats.lat.moments.mean()),
        percentiles_ns: &percentiles,
    };
    let reads = run.load.direction == Direction::Read;
    let measured = MeasuredRun {
        block_bytes: run.load.block_bytes,
        interval_s: rates.interval_s,
        depth: Some(run.depth),
        read: reads.then_some(way),
        write: (!reads).then_some(way),
    };
    basis.judge(run.load.goal, &measured)
}

fn percents(limits: &HandLimits) -> Vec<f64> {
    let of = limits.latency.iter().filter_map(|limit| match limit.of {
        LatencyFigure::Percentile(percent) => Some(percent),
        LatencyFigure::Mean => None,
    });
    of.collect()
}

impl RunFinding {
    fn stands(&self, cut_short: bool) -> (Standing, Option<Doubt>) {
        let doubt = |doubt| (Standing::CouldNotTell, Some(doubt));
        let client = self.client.verdict == ClientVerdict::Bound && self.held_by().is_none();
        match self.judgement.outcome() {
            _ if cut_short => doubt(Doubt::CutShort),
            Outcome::NotJudged => doubt(Doubt::NotJudged),
            _ if self.is_cached() => doubt(Doubt::Cached),
            Outcome::Kept | Outcome::Exceeded => (Standing::Kept, None),
            Outcome::Missed | Outcome::NotReached if client => doubt(Doubt::Client),
            Outcome::NotReached => doubt(Doubt::NotAsked),
            Outcome::Missed => (Standing::Missed, None),
        }
    }

    /// How far its figures can be trusted, kept or missed: a promise that a sound run missed is
    /// missed, and that can be relied on.
    pub fn trust(&self) -> Tone {
        match self.doubt {
            Some(Doubt::Cached) => self.cached.tone(),
            Some(Doubt::Client) => self.client.tone(),
            Some(Doubt::CutShort | Doubt::NotAsked) => Tone::Warning,
            Some(Doubt::NotJudged) => Tone::Note,
            None if self.client_is_felt() => Tone::Warning,
            None => Tone::Good,
        }
    }

    /// The cap that held it, if one was seen.
    pub fn held_by(&self) -> Option<&Cap> {
        match &self.cap {
            Some(CapFinding::Capped(cap)) => Some(cap),
            _ => None,
        }
    }

    /// Whether a reader must know of the client beside the verdict; a cap that holds the rate
    /// holds it whatever the client does.
    fn client_is_felt(&self) -> bool {
        let felt = matches!(self.client.verdict, ClientVerdict::Tight | ClientVerdict::Bound);
        felt && self.doubt != Some(Doubt::Client) && self.held_by().is_none()
    }

    fn is_cached(&self) -> bool {
        use CacheVerdict::{Cached, Memory, Suspected, Unwritten};
        matches!(self.cached.verdict, Memory | Cached { .. } | Unwritten { .. } | Suspected)
    }

    /// All that is to be said of it in `lang`, where `load` was what it measured: English as it
    /// was kept, other languages from what was found.
    pub fn told(&self, load: &Load, lang: Lang) -> Vec<String> {
        match lang {
            Lang::En => self.sentences.clone(),
            _ => self.messages(load).iter().map(|said| said.text(lang)).collect(),
        }
    }

    fn messages(&self, load: &Load) -> Vec<Message> {
        let mut said = Vec::new();
        match self.doubt {
            Some(Doubt::Cached) => said.push(self.cached.tell()),
            Some(Doubt::Client) => said.push(self.client.tell()),
            Some(Doubt::CutShort) => said.push(Message::new("check-cut-short")),
            _ => {}
        }
        said.extend(self.judgement.verdicts.iter().map(Tell::tell));
        if let Some(cap) = self.held_by() {
            said.push(capped(cap, load));
            said.push(cap.tell());
        }
        if self.client_is_felt() && self.standing != Standing::Kept {
            said.push(self.client.tell());
        }
        said
    }
}

/// `Capped at 2,998 IO/s: the promise is 3,000.`
fn capped(cap: &Cap, load: &Load) -> Message {
    let promised = load.promised.rate;
    let (seen, promised, unit) = match cap.kind {
        CapKind::Iops => (thousands(cap.value), promised.map(|p| thousands(p.iops)), "IO/s"),
        CapKind::Bandwidth => {
            let mb = |bytes_per_s: f64| megabytes_per_s(bytes_per_s / 1e6);
            (mb(cap.value), promised.map(|p| mb(p.bytes_per_s)), "MB/s")
        }
    };
    match promised {
        Some(promised) => Message::new("check-capped-promised").with("promised", promised),
        None => Message::new("check-capped"),
    }
    .with("seen", seen)
    .with("unit", unit)
}
