//! The summary of a measurement: of one volume its figures or its cap, of several which of them is
//! ahead in what, and then only what figures cannot show.

use super::caps::{self, CapScope};
use super::leaders::{self, Contender, GOALS};
use super::quantities::{brief_bandwidth, brief_iops, brief_latency};
use super::{DocumentSummary, about, failed, summary_in};
use crate::document_runs::DocumentRuns;
use crate::measure::Document;
use crate::over_rounds::OverRounds;
use crate::quantity::binary_bytes;
use crate::record::{VolumeRecord, are_one_disk};
use crate::suite::Phase;
use crate::suite::PhaseRecord;
use fathom_analysis::Figures;
use fathom_analysis::Goal;
use fathom_analysis::verdicts::{Answer, Verdict, Weight};
use fathom_analysis::{CacheFinding, CacheVerdict, ClientVerdict, Tone};
use fathom_message::{Lang, Message, Tell, list};
use fathom_vocab::Direction;
use std::collections::BTreeSet;

/// From this share on, figures are attributed to the cache or memory that served the I/Os.
pub(super) const MOST_OF_IT: f64 = 0.5;

impl DocumentSummary for Document {
    summary_in!(head.summary);

    fn claims(&self) -> Vec<Message> {
        let rounds = match self.over_rounds.as_slice() {
            [] => OverRounds::of(&self.phases),
            rounds => rounds.to_vec(),
        };
        let claims: Vec<VolumeClaim<'_>> =
            (0..self.volumes.len()).map(|at| VolumeClaim::of(self, &rounds, at)).collect();
        let halted = self.stop_point().map(|point| point.tell());
        let each = match self.over_all(&claims) {
            Some(over_all) => std::iter::once(over_all).chain(beside(&claims)).collect(),
            None => claims.iter().map(VolumeClaim::sentence).collect::<Vec<Message>>(),
        };
        each.into_iter().chain(halted).collect()
    }
}

impl Document {
    /// A sentence for each control group of this host that sets a cap.
    pub fn cap_setters(&self) -> Vec<Message> {
        let together = self.over_phases.iter().flat_map(|of| &of.verdicts);
        let verdicts = together.chain(self.phases.iter().flat_map(|run| &run.verdicts));
        let groups: BTreeSet<&str> = verdicts.filter_map(|of| of.answer.cap_setter()).collect();
        let sentence = |group| Message::new("cap-set-here").with("group", group);
        groups.into_iter().map(sentence).collect()
    }

    /// A sentence for all of several volumes.
    fn over_all(&self, claims: &[VolumeClaim<'_>]) -> Option<Message> {
        match claims.len() {
            0 | 1 => None,
            _ if are_one_disk(&self.volumes) => Some(Message::new("told-same-disk")),
            _ => {
                let contenders: Vec<Contender<'_>> =
                    claims.iter().map(VolumeClaim::contender).collect();
                leaders::ahead(&contenders, self.plan.rounds as usize)
            }
        }
    }
}

/// What the figures of several volumes do not show: failures, and why they are not the volume's
/// own. Each claim once, since volumes of one disk share a cap.
fn beside(claims: &[VolumeClaim<'_>]) -> Vec<Message> {
    let mut told: Vec<String> = Vec::new();
    let mut sentences = Vec::new();
    for volume in claims.iter().filter(|volume| volume.needs_words()) {
        let claim = volume.claim().0.text(Lang::En);
        if !told.contains(&claim) {
            told.push(claim);
            sentences.push(volume.sentence());
        }
    }
    sentences
}

/// Why figures say nothing about a volume; the plainest reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SummaryDoubt {
    Memory,
    Cache,
    Unwritten,
    Client,
    OtherUse,
    PartOfCache,
}

impl SummaryDoubt {
    fn of(verdicts: &[Verdict]) -> Option<SummaryDoubt> {
        let is_held = verdicts.iter().any(|verdict| verdict.answer.is_plain_cap());
        let doubts = verdicts.iter().filter_map(|verdict| match &verdict.answer {
            Answer::Cached(found) => SummaryDoubt::of_cache(found),
            // A cap limits the rate whatever the client does.
            Answer::Client(found) => {
                (found.verdict == ClientVerdict::Bound && !is_held).then_some(SummaryDoubt::Client)
            }
            _ => None,
        });
        doubts.min()
    }

    fn of_cache(finding: &CacheFinding) -> Option<SummaryDoubt> {
        match finding.verdict {
            CacheVerdict::Memory => Some(SummaryDoubt::Memory),
            CacheVerdict::Cached { share } if share >= MOST_OF_IT => Some(SummaryDoubt::Cache),
            CacheVerdict::Cached { .. } | CacheVerdict::Suspected => {
                Some(SummaryDoubt::PartOfCache)
            }
            CacheVerdict::Unwritten { .. } => Some(SummaryDoubt::Unwritten),
            _ if finding.is_other_use() => Some(SummaryDoubt::OtherUse),
            CacheVerdict::Foreign { .. }
            | CacheVerdict::SawMore { .. }
            | CacheVerdict::NotCached
            | CacheVerdict::NotEnough => None,
        }
    }

    /// A sentence beside figures that only a part of the I/Os puts in doubt; none where they are
    /// not of the volume at all.
    fn beside_figures(self) -> Option<Message> {
        match self {
            SummaryDoubt::PartOfCache => Some(Message::new("summary-part-of-cache-too")),
            SummaryDoubt::OtherUse => Some(Message::new("summary-other-use-too")),
            _ => None,
        }
    }

    /// A sentence on what the figures describe instead.
    fn claim(self) -> Message {
        Message::new(match self {
            SummaryDoubt::Memory => "summary-memory",
            SummaryDoubt::Cache => "summary-cache",
            SummaryDoubt::Unwritten => "summary-unwritten",
            SummaryDoubt::Client => "summary-client",
            SummaryDoubt::OtherUse => "summary-other-use",
            SummaryDoubt::PartOfCache => "summary-part-of-cache",
        })
    }
}

/// Whether the figures of a run with these verdicts are in doubt: no first sentence states them
/// without the doubt.
pub fn is_doubted(verdicts: &[Verdict]) -> bool {
    SummaryDoubt::of(verdicts).is_some()
}

/// Whether its figures may be those of something else than the volume. Beside a little I/O of
/// others they are the volume's, under more load.
pub(crate) fn is_of_something_else(verdicts: &[Verdict]) -> bool {
    let is_heavy =
        |of: &Verdict| matches!(&of.answer, Answer::Cached(of) if of.is_heavy_other_use());
    is_left_out(verdicts) || verdicts.iter().any(is_heavy)
}

/// Whether the first sentence leaves such a figure out where there are others: I/O of others
/// beside it is told behind it.
pub fn is_left_out(verdicts: &[Verdict]) -> bool {
    SummaryDoubt::of(verdicts).is_some_and(|doubt| doubt != SummaryDoubt::OtherUse)
}

/// What to know before figures are relied on, although they are the volume's; the weightiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SummaryCaution {
    OtherIo,
    /// The mean of the figure for this goal; of several figures without it.
    Means(Option<Goal>),
    Quota,
    Host,
}

impl SummaryCaution {
    /// A sentence on the warnings in these runs, each with its goal, that are `meant`; none where
    /// there are none.
    fn of(runs: &[(Goal, &[Verdict])], meant: impl Fn(&SummaryCaution) -> bool) -> Option<Message> {
        let each = runs.iter().flat_map(|(goal, of)| of.iter().map(move |of| (*goal, of)));
        let warnings = each.filter(|(_, of)| of.tone >= Tone::Warning && of.weight == Weight::Loud);
        let caution = |(goal, of): (Goal, &Verdict)| SummaryCaution::of_answer(&of.answer, goal);
        let mut found: Vec<SummaryCaution> = warnings.filter_map(caution).collect();
        found.retain(meant);
        found.sort_unstable();
        found.dedup();
        let is_mean = |caution: &SummaryCaution| matches!(caution, SummaryCaution::Means(_));
        if found.iter().filter(|of| is_mean(of)).count() > 1 {
            found.retain(|of| !is_mean(of));
            found.push(SummaryCaution::Means(None));
            found.sort_unstable();
        }
        let signs = found.iter().map(|caution| Message::new(caution.id()));
        let told = || Message::new("summary-cautions").part("signs", list::commas(signs));
        (!found.is_empty()).then(told)
    }

    /// The same of many runs that are judged together, of what at least a quarter of them has;
    /// means are known from how far the runs lie apart.
    fn of_many(runs: &[(Goal, &[Verdict])]) -> Option<Message> {
        let is_usual = |caution: &SummaryCaution| {
            let has = |run: &&(Goal, &[Verdict])| {
                SummaryCaution::of(std::slice::from_ref(run), |other| other == caution).is_some()
            };
            4 * runs.iter().filter(has).count() >= runs.len()
        };
        SummaryCaution::of(runs, |caution| match caution {
            SummaryCaution::Means(_) => false,
            SummaryCaution::OtherIo | SummaryCaution::Host | SummaryCaution::Quota => {
                is_usual(caution)
            }
        })
    }

    fn of_answer(answer: &Answer, goal: Goal) -> Option<SummaryCaution> {
        match answer {
            Answer::Cached(of) => match of.verdict {
                CacheVerdict::SawMore { .. } | CacheVerdict::Foreign { .. } => {
                    (!of.is_other_use()).then_some(SummaryCaution::OtherIo)
                }
                _ => None,
            },
            Answer::Sure(_) | Answer::Unsure(_) => Some(SummaryCaution::Means(Some(goal))),
            Answer::Client(of) if of.is_stopped_by_quota() => Some(SummaryCaution::Quota),
            Answer::Client(of) if of.disturbance().is_some() => Some(SummaryCaution::Host),
            _ => None,
        }
    }

    fn id(self) -> &'static str {
        match self {
            SummaryCaution::OtherIo => "summary-caution-other-io",
            SummaryCaution::Means(None) => "summary-caution-means",
            SummaryCaution::Means(Some(Goal::Latency)) => "summary-caution-latency",
            SummaryCaution::Means(Some(Goal::Iops)) => "summary-caution-iops",
            SummaryCaution::Means(Some(Goal::Throughput)) => "summary-caution-throughput",
            SummaryCaution::Quota => "summary-caution-quota",
            SummaryCaution::Host => "summary-caution-host",
        }
    }
}

/// What to know of many runs that are judged together.
pub(super) fn cautions_of_many(runs: &[(Goal, &[Verdict])]) -> Option<Message> {
    SummaryCaution::of_many(runs)
}

/// In how many tests figures say nothing about a volume, for each reason; the plainest first.
fn some_doubted(id: &'static str, doubts: &[SummaryDoubt], of: usize) -> Vec<Message> {
    let kinds: BTreeSet<SummaryDoubt> = doubts.iter().copied().collect();
    let some = |kind: SummaryDoubt| {
        let count = doubts.iter().filter(|doubt| **doubt == kind).count();
        Message::new(id).with("count", count).with("of", of).part("claim", kind.claim())
    };
    kinds.into_iter().map(some).collect()
}

/// The same of a sweep's cases with these verdicts.
pub(super) fn doubted<'d>(cases: impl Iterator<Item = &'d [Verdict]>) -> Vec<Message> {
    let each: Vec<Option<SummaryDoubt>> = cases.map(SummaryDoubt::of).collect();
    let doubts: Vec<SummaryDoubt> = each.iter().flatten().copied().collect();
    some_doubted("summary-some-cases", &doubts, each.len())
}

/// That a cache or memory served at least half of the runs with these verdicts; none where fewer
/// were served so.
pub(super) fn mostly_cached<'d>(runs: impl Iterator<Item = &'d [Verdict]>) -> Option<Message> {
    use SummaryDoubt::{Cache, Memory, PartOfCache};
    let each: Vec<Option<SummaryDoubt>> = runs.map(SummaryDoubt::of).collect();
    let is_cache = |of: &SummaryDoubt| matches!(of, Memory | Cache | PartOfCache);
    let cached: Vec<SummaryDoubt> = each.iter().flatten().copied().filter(is_cache).collect();
    let worst = cached.iter().min().filter(|_| 2 * cached.len() >= each.len())?;
    Some(worst.claim())
}

/// A phase over all its rounds, and why its figures say nothing about the volume, if so.
struct SummaryPhase<'d> {
    phase: &'d Phase,
    figures: &'d Figures,
    doubt: Option<SummaryDoubt>,
}

/// Which latency the table beside the sentence has: of several volumes the mean alone. Where few
/// I/Os take most of the time, the mean stands for it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShownLatency {
    Median,
    Mean,
}

/// A volume with all that was measured on it.
struct VolumeClaim<'d> {
    record: &'d VolumeRecord,
    runs: Vec<&'d PhaseRecord>,
    phases: Vec<SummaryPhase<'d>>,
    caps: Vec<CapScope<'d>>,
    shown: ShownLatency,
}

impl<'d> VolumeClaim<'d> {
    fn of(document: &'d Document, rounds: &'d [OverRounds], at: usize) -> VolumeClaim<'d> {
        let several = document.volumes.len() > 1;
        let shown = if several { ShownLatency::Mean } else { ShownLatency::Median };
        let runs: Vec<&PhaseRecord> =
            document.phases.iter().filter(|run| run.volume == at).collect();
        let phase = |of: &'d OverRounds| {
            let own = runs.iter().filter(|run| run.phase == of.phase);
            let doubt = own.filter_map(|run| SummaryDoubt::of(&run.verdicts)).min();
            Some(SummaryPhase { phase: &of.phase, figures: of.figures.as_ref()?, doubt })
        };
        let phases = rounds.iter().filter(|of| of.volume == at).filter_map(phase).collect();
        let over_phases = document.over_phases.iter().filter(|of| of.volume == at);
        let caps = caps::found(over_phases.flat_map(|of| &of.verdicts));
        let record = &document.volumes[at];
        VolumeClaim { record, caps: caps::merged(caps), phases, runs, shown }
    }

    fn sentence(&self) -> Message {
        let target = self.record.place.target();
        let (claim, more) = self.claim();
        about(target, claim, more)
    }

    fn contender(&self) -> Contender<'_> {
        let sound = self.phases.iter().filter(|of| of.doubt.is_none());
        Contender {
            target: self.record.place.target(),
            tests: sound.map(|of| (of.phase, of.figures)).collect(),
            best: self.sound_best().map(|of| of.phase).collect(),
        }
    }

    /// The phases that represent the goals, without those that are doubted.
    fn sound_best(&self) -> impl Iterator<Item = &SummaryPhase<'d>> {
        let best = GOALS.iter().filter_map(|goal| self.best(*goal));
        best.filter(|of| of.doubt.is_none())
    }

    /// Whether a table of figures would mislead without the claim.
    fn needs_words(&self) -> bool {
        let doubted = self.phases.iter().all(|of| of.doubt.is_some());
        doubted || !self.failures().is_empty() || self.caps.iter().any(CapScope::is_told)
    }

    /// The claim, and remarks on it.
    fn claim(&self) -> (Message, Vec<Message>) {
        if let Some(why) = self.failure() {
            return (failed(why), Vec::new());
        }
        if self.phases.is_empty() {
            return (Message::new("summary-nothing"), Vec::new());
        }
        let doubts: Vec<SummaryDoubt> = self.phases.iter().filter_map(|of| of.doubt).collect();
        let worst = doubts.iter().min().copied();
        if let Some(doubt) = worst.filter(|_| doubts.len() == self.phases.len()) {
            return self.doubted(doubt);
        }
        let some = some_doubted("summary-some", &doubts, self.phases.len());
        let (claim, mut more) = self.held().unwrap_or_else(|| {
            // The doubt about some tests tells of it already.
            let is_shared = doubts.contains(&SummaryDoubt::OtherUse);
            let more = self.perhaps().into_iter().chain(self.cautions(is_shared));
            (self.figures(), more.collect())
        });
        more.extend(some);
        more.extend(self.failures());
        (claim, more)
    }

    /// The claim where all tests are doubted. Neither a cache nor the I/Os of others hide a cap:
    /// what is capped all the same is capped. Where they had a part in the figures, those are
    /// better than none, with the doubt right behind them; of several volumes the table has them.
    fn doubted(&self, doubt: SummaryDoubt) -> (Message, Vec<Message>) {
        let alone = self.shown == ShownLatency::Median;
        let beside = doubt.beside_figures().and_then(|doubt| {
            let capped = self.held().map(|(claim, _)| claim);
            Some((capped.or_else(|| alone.then(|| self.figures()))?, doubt))
        });
        match beside {
            Some((claim, doubt)) => {
                (claim, std::iter::once(doubt).chain(self.failures()).collect())
            }
            None => (doubt.claim(), self.failures()),
        }
    }

    /// What the tests behind the figures caution against; not against other I/O on the device, if
    /// that `is_told`.
    fn cautions(&self, is_told: bool) -> Option<Message> {
        let shown: Vec<&Phase> =
            GOALS.iter().filter_map(|goal| self.best(*goal)).map(|of| of.phase).collect();
        let runs = self.runs.iter().filter(|run| shown.contains(&&run.phase));
        let runs: Vec<(Goal, &[Verdict])> =
            runs.map(|run| (run.phase.goal, run.verdicts.as_slice())).collect();
        let of_rounds = runs.len() > shown.len();
        SummaryCaution::of(&runs, |caution| match caution {
            // The mean of a phase is known from how far its rounds lie apart.
            SummaryCaution::Means(_) => !of_rounds,
            SummaryCaution::OtherIo => !is_told,
            SummaryCaution::Quota | SummaryCaution::Host => true,
        })
    }

    /// Why nothing was measured, if it failed.
    fn failure(&self) -> Option<&'d str> {
        let of_run = || {
            let failed = self.runs.iter().filter(|run| !run.is_stopped());
            failed.filter_map(|run| run.failure.as_deref()).next()
        };
        let of_volume = self.record.failure.as_deref();
        of_volume.or_else(|| of_run().filter(|_| self.phases.is_empty()))
    }

    /// How many tests failed, where others did not.
    fn failures(&self) -> Vec<Message> {
        let failed = self.runs.iter().filter(|run| run.failure.is_some() && !run.is_stopped());
        match failed.count() {
            0 => Vec::new(),
            count => vec![
                Message::new("summary-tests-failed")
                    .with("count", count)
                    .with("of", self.runs.len()),
            ],
        }
    }

    /// `capped at 3,000 IOPS and 125 MiB/s`, and the latency of a read below it.
    fn held(&self) -> Option<(Message, Vec<Message>)> {
        let caps: Vec<CapScope<'_>> = self.caps.iter().copied().filter(CapScope::is_told).collect();
        let latency = self.best(Goal::Latency).filter(|of| of.phase.direction == Direction::Read);
        let below = latency.and_then(|of| caps::below(&caps, of.figures, of.phase.block_bytes));
        (!caps.is_empty()).then(|| (caps::capped(&caps), below.into_iter().collect()))
    }

    /// Caps that few signs speak for.
    fn perhaps(&self) -> Vec<Message> {
        let caps = || self.caps.iter().copied();
        let weak: Vec<CapScope<'_>> = caps().filter(|one| !one.is_told()).collect();
        match weak.is_empty() {
            true => Vec::new(),
            false => vec![Message::new("summary-sentence").part("claim", caps::capped(&weak))],
        }
    }

    /// `median 68 us reads; 112,000 IOPS (4 KiB reads); 1.9 GB/s seq. reads`.
    fn figures(&self) -> Message {
        let goals = [Goal::Latency, Goal::Iops, Goal::Throughput];
        list::figures(
            goals.iter().filter_map(|goal| self.best(*goal)).map(|of| figure(of, self.shown)),
        )
    }

    /// The phase that represents a goal: the fastest of reads, if there are reads. A doubted one
    /// only where all are, or where it is the volume's beside I/O of others: the sentence of one
    /// volume names the same figures each time, with the doubt.
    fn best(&self, goal: Goal) -> Option<&SummaryPhase<'d>> {
        let all_doubted = self.phases.iter().all(|of| of.doubt.is_some());
        let alone = self.shown == ShownLatency::Median;
        let is_usable = |of: &&SummaryPhase<'_>| match of.doubt {
            None => true,
            Some(SummaryDoubt::OtherUse) => all_doubted || alone,
            Some(_) => all_doubted,
        };
        let own = self.phases.iter().filter(|of| of.phase.goal == goal).filter(is_usable);
        own.max_by(|a, b| {
            let key = |of: &SummaryPhase<'_>| of.phase.direction == Direction::Read;
            key(a).cmp(&key(b)).then(a.figures.mb_per_s.total_cmp(&b.figures.mb_per_s))
        })
    }
}

fn figure(of: &SummaryPhase<'_>, shown: ShownLatency) -> Message {
    let (phase, figures) = (of.phase, of.figures);
    let shown = match figures.is_mostly_waiting() {
        true => ShownLatency::Mean,
        false => shown,
    };
    let id = match (phase.goal, phase.direction) {
        (Goal::Latency, way) => latency_id(way, shown),
        (Goal::Iops, Direction::Read) => "summary-iops-reads",
        (Goal::Iops, _) => "summary-iops-writes",
        (Goal::Throughput, Direction::Read) if phase.random => "summary-random",
        (Goal::Throughput, _) if phase.random => "summary-random-writes",
        (Goal::Throughput, Direction::Read) => "summary-sequential",
        (Goal::Throughput, _) => "summary-sequential-writes",
    };
    let message = Message::new(id);
    match phase.goal {
        Goal::Latency => message.with(
            "latency",
            brief_latency(match shown {
                ShownLatency::Median => figures.p50_ns as f64,
                ShownLatency::Mean => figures.mean_ns,
            }),
        ),
        Goal::Iops => message
            .with("rate", brief_iops(figures.iops))
            .with("block", binary_bytes(phase.block_bytes)),
        Goal::Throughput => message.with("rate", brief_bandwidth(figures.mb_per_s)),
    }
}

fn latency_id(way: Direction, shown: ShownLatency) -> &'static str {
    match (way, shown) {
        (Direction::Read, ShownLatency::Median) => "summary-latency-reads",
        (Direction::Read, ShownLatency::Mean) => "summary-mean-reads",
        (_, ShownLatency::Median) => "summary-latency-writes",
        (_, ShownLatency::Mean) => "summary-mean-writes",
    }
}
