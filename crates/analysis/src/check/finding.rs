//! The outcome of a run against its promise: met, missed, or undecided.
//!
//! The judging of figures is `crate::promise`'s. Here its outcome meets what else the
//! run shows: a figure that memory made says nothing of the volume, kept or not. One that was kept
//! with a cache's help says nothing either; one that was missed in spite of it is missed, because a
//! cache can only make a volume faster. One that missed while the host was busy or the client near
//! its end says nothing, unless a cap below the promise shows what held it. One that was kept all
//! the same is kept. A limit within the error of an unstable mean is neither kept nor missed, nor
//! is one that a mean misses by less than its error, unless a cap holds the rate; and nothing is
//! missed while the process was stopped or the server was away. A mean that was
//! kept while other I/O ran on the device, with some seconds below the promise, says nothing
//! either: the seconds may be the other I/O's.

use super::load::CheckLoad;
use crate::cap_scope::level;
use crate::promise::{Judgement, PromiseEvidence, PromiseOutcome, PromiseVerdict};
use crate::quantity::{megabytes_per_s, thousands};
use crate::{
    CacheFinding, CacheVerdict, Cap, CapFinding, CapKind, ClientFinding, ClientVerdict, Estimate,
    KnownLimit, RowOutcome, Tone,
};
use fathom_message::{Lang, Message, Tell};
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

impl From<RowOutcome> for Standing {
    fn from(outcome: RowOutcome) -> Standing {
        match outcome {
            RowOutcome::Pass => Standing::Kept,
            RowOutcome::Undecided => Standing::CouldNotTell,
            RowOutcome::Fail => Standing::Missed,
        }
    }
}

impl Standing {
    /// PASS, UNDECIDED or FAIL. How far the figures can be trusted is another matter:
    /// [`RunFinding::trust`].
    pub fn outcome(self) -> RowOutcome {
        match self {
            Standing::Kept => RowOutcome::Pass,
            Standing::CouldNotTell => RowOutcome::Undecided,
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
    /// The client was near its end, or other programs kept its processors busy.
    Client,
    /// The load did not ask for as much as is promised.
    NotAsked,
    /// Nothing of it could be held against a promise.
    NotJudged,
    /// The run was stopped before its time.
    CutShort,
    /// The process was stopped, or the server was away, for a part of the run.
    Interrupted,
    /// The limit lies within the error of the mean.
    Unstable,
    /// Too little of the time reached the promise while other I/O ran on the device; the mean did.
    OtherUse,
    /// The mean reached the limit, but a cap below it is what lasts: credit of a burst raised it.
    Burst,
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
    /// The mean rate, if the limit lies within its error, and no cap holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unstable: Option<Estimate>,
    /// Whether nothing could run for a part of its time: the process was stopped, or the server was
    /// away.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_interrupted: bool,
    /// All that is to be said of it in English, a sentence each, the most telling first.
    pub sentences: Vec<String>,
}

impl RunFinding {
    /// The same with its conclusion: the outcome, why it may be undecided, and its sentences;
    /// `load` is its load.
    #[must_use]
    pub fn concluded(mut self, load: &CheckLoad, cut_short: bool) -> RunFinding {
        (self.standing, self.doubt) = self.stands(load, cut_short);
        self.sentences = self.messages(load).iter().map(Message::to_string).collect();
        self
    }

    fn stands(&self, load: &CheckLoad, cut_short: bool) -> (Standing, Option<Doubt>) {
        let doubt = |doubt| (Standing::CouldNotTell, Some(doubt));
        let felt = matches!(self.client.verdict, ClientVerdict::Tight | ClientVerdict::Bound);
        let client = felt && !self.is_capped_below(load) && !self.is_slow_throughout();
        match self.judgement.outcome() {
            _ if cut_short => doubt(Doubt::CutShort),
            PromiseOutcome::NotJudged => doubt(Doubt::NotJudged),
            PromiseOutcome::Missed | PromiseOutcome::NotReached if self.is_interrupted => {
                doubt(Doubt::Interrupted)
            }
            PromiseOutcome::Missed if self.is_flattered() && !client => (Standing::Missed, None),
            // A cache explains no miss, but a busy host may.
            PromiseOutcome::Missed | PromiseOutcome::NotReached
                if client && self.is_flattered() =>
            {
                doubt(Doubt::Client)
            }
            _ if self.is_cached() => doubt(Doubt::Cached),
            PromiseOutcome::Kept | PromiseOutcome::Exceeded | PromiseOutcome::Missed
                if self.unstable.is_some() =>
            {
                doubt(Doubt::Unstable)
            }
            PromiseOutcome::Kept | PromiseOutcome::Exceeded if self.is_capped_below(load) => {
                doubt(Doubt::Burst)
            }
            PromiseOutcome::Kept | PromiseOutcome::Exceeded => (Standing::Kept, None),
            PromiseOutcome::Missed | PromiseOutcome::NotReached if client => doubt(Doubt::Client),
            PromiseOutcome::NotReached => doubt(Doubt::NotAsked),
            PromiseOutcome::Missed
                if self.may_be_others_seconds() || self.is_share_of_cap(load) =>
            {
                doubt(Doubt::OtherUse)
            }
            PromiseOutcome::Missed => (Standing::Missed, None),
        }
    }

    /// Whether a latency was missed by nine in ten I/Os, whatever the host did beside them.
    fn is_slow_throughout(&self) -> bool {
        let verdicts = &self.judgement.verdicts;
        verdicts.iter().any(|of| of.outcome == PromiseOutcome::Missed && of.is_slow_throughout())
    }

    /// How far its figures can be trusted, met or missed: a promise that a clean run missed is
    /// certainly missed.
    pub fn trust(&self) -> Tone {
        match self.doubt {
            Some(Doubt::Cached) => self.cached.tone(),
            Some(Doubt::Client) => self.client.tone(),
            Some(
                Doubt::CutShort
                | Doubt::Interrupted
                | Doubt::NotAsked
                | Doubt::Unstable
                | Doubt::OtherUse
                | Doubt::Burst,
            ) => Tone::Warning,
            Some(Doubt::NotJudged) => Tone::Note,
            None if self.client_is_felt() || self.is_missed_beside_others() => Tone::Warning,
            None => Tone::Good,
        }
    }

    /// The cap that limited it, if one was found.
    pub fn held_by(&self) -> Option<&Cap> {
        match &self.cap {
            Some(CapFinding::Capped(cap)) => Some(cap),
            _ => None,
        }
    }

    /// Whether a cap that leaves little doubt lies below what is enough: whatever the host does,
    /// the volume gives no more for long. Of a cap that is known, what is set counts, and not the
    /// rate that came of it.
    pub fn is_capped_below(&self, load: &CheckLoad) -> bool {
        let plain = self.held_by().filter(|cap| cap.is_plain());
        let Some((cap, promised)) = plain.zip(load.promised.rate) else { return false };
        let promised = match cap.kind {
            CapKind::Iops => promised.iops,
            CapKind::Bandwidth => promised.bytes_per_s,
        };
        let level = cap.known_limit().map_or(cap.value, |limit| limit.per_second);
        level < promised * self.passing()
    }

    /// Whether other I/O took a part of a cap that would be enough.
    fn is_share_of_cap(&self, load: &CheckLoad) -> bool {
        let limit = self.held_by().and_then(Cap::known_limit);
        limit.is_some_and(KnownLimit::is_shared) && !self.is_capped_below(load)
    }

    /// The share of the limit from which on its mean passes.
    fn passing(&self) -> f64 {
        self.judgement.means().next().map_or(self.enough, |mean| mean.enough)
    }

    /// Whether a reader must know of the client beside the verdict; a cap that holds the rate
    /// holds it whatever the client does.
    fn client_is_felt(&self) -> bool {
        let felt = matches!(self.client.verdict, ClientVerdict::Tight | ClientVerdict::Bound);
        felt && self.doubt != Some(Doubt::Client) && self.held_by().is_none()
    }

    /// Whether something beside the volume may have answered, and faster than it.
    pub fn is_flattered(&self) -> bool {
        use CacheVerdict::{Cached, Suspected, Unwritten};
        matches!(self.cached.verdict, Cached { .. } | Suspected | Unwritten { .. })
    }

    /// Whether what a cache or others did bears on its outcome.
    pub fn tells_of_cache(&self) -> bool {
        matches!(self.doubt, Some(Doubt::Cached | Doubt::OtherUse))
            || self.is_missed_beside_others()
    }

    /// Whether other I/O ran on the device, so that it may be the cause of its miss.
    fn is_missed_beside_others(&self) -> bool {
        self.standing == Standing::Missed && self.is_shared() && self.held_by().is_none()
    }

    fn is_cached(&self) -> bool {
        self.is_flattered() || self.cached.verdict == CacheVerdict::Memory
    }

    /// Whether foreign I/O used the device.
    fn is_shared(&self) -> bool {
        matches!(self.cached.verdict, CacheVerdict::Foreign { .. })
    }

    /// Whether only the share of the time was missed, while other I/O ran on the device.
    fn may_be_others_seconds(&self) -> bool {
        let is_of_time =
            |line: &PromiseVerdict| matches!(line.evidence, PromiseEvidence::Intervals(_));
        self.is_shared() && self.missed().all(is_of_time)
    }

    /// The lines that missed.
    pub fn missed(&self) -> impl Iterator<Item = &PromiseVerdict> {
        self.judgement.verdicts.iter().filter(|line| line.outcome == PromiseOutcome::Missed)
    }

    /// All its sentences in `lang`, where `load` is its load: English as stored, other languages
    /// from the findings.
    pub fn told(&self, load: &CheckLoad, lang: Lang) -> Vec<String> {
        match lang {
            Lang::En => self.sentences.clone(),
            _ => self.messages(load).iter().map(|said| said.text(lang)).collect(),
        }
    }

    /// The same as data.
    pub fn messages(&self, load: &CheckLoad) -> Vec<Message> {
        let mut said = self.doubts();
        said.extend(self.judgement.verdicts.iter().map(Tell::tell));
        said.extend(self.causes(load));
        said
    }

    /// Why it cannot be told, before its lines.
    pub fn doubts(&self) -> Vec<Message> {
        match self.doubt {
            Some(Doubt::Cached | Doubt::OtherUse) => vec![self.cached.tell()],
            Some(Doubt::Client) => self.host().collect(),
            Some(Doubt::CutShort) => vec![Message::new("check-cut-short")],
            Some(Doubt::Interrupted) => vec![Message::new("check-interrupted")],
            Some(Doubt::Unstable) => self.unstable_mean().into_iter().collect(),
            Some(Doubt::Burst) => self.held_by().map(after_burst).into_iter().collect(),
            Some(Doubt::NotAsked | Doubt::NotJudged) | None => Vec::new(),
        }
    }

    /// What made its figures what they are, after its lines: a cap, others, the client.
    pub fn causes(&self, load: &CheckLoad) -> Vec<Message> {
        let mut said = Vec::new();
        if let Some(cap) = self.held_by() {
            said.push(capped(cap, load));
            said.push(cap.tell());
        }
        if self.is_missed_beside_others() {
            said.push(self.cached.tell());
        }
        if self.client_is_felt() && self.standing != Standing::Kept {
            said.push(self.client.tell());
        }
        said
    }
}

impl RunFinding {
    /// Seconds that a run must take for its mean to be known; 0 where it is, and the greatest
    /// number where no time would do.
    pub fn needed_s(&self) -> u64 {
        let needed = |mean: &Estimate| match mean.longer_factor() {
            Some(factor) => factor * self.seconds.max(1) as u64,
            None => u64::MAX,
        };
        self.unstable.as_ref().map_or(0, needed)
    }

    /// `The limit lies within the error of the mean (± 40 %): use --time-per-run 60s.`
    pub fn unstable_mean(&self) -> Option<Message> {
        let half = self.unstable.as_ref()?.half_width_percent().unwrap_or(f64::INFINITY);
        let message = match self.needed_s() {
            u64::MAX => Message::new("check-unstable-far"),
            seconds => Message::new("check-unstable").with("seconds", seconds.to_string()),
        };
        Some(message.with("half", format_args!("{half:.0}")))
    }

    /// Why the host makes it untold, and what to do.
    fn host(&self) -> impl Iterator<Item = Message> {
        let again = self.client.is_host_busy().then(quiet_host);
        std::iter::once(self.client.tell()).chain(again)
    }
}

/// `The mean reached the limit, but what lasts is 2,000 IOPS.`
pub fn after_burst(cap: &Cap) -> Message {
    Message::new("check-after-burst").with("level", level(cap))
}

/// What to do if the host was busy.
pub fn quiet_host() -> Message {
    Message::new("check-quiet-host")
}

/// `Capped at 2,998 IOPS; the check asks for 3,000.`
fn capped(cap: &Cap, load: &CheckLoad) -> Message {
    let promised = load.promised.rate;
    // What is known to be set is told, and not the rate that came of it.
    let value = cap.known_limit().map_or(cap.value, |limit| limit.per_second);
    let (seen, promised, unit) = match cap.kind {
        CapKind::Iops => (thousands(value), promised.map(|p| thousands(p.iops)), "IOPS"),
        CapKind::Bandwidth => {
            let mb = |bytes_per_s: f64| megabytes_per_s(bytes_per_s / 1e6);
            (mb(value), promised.map(|p| mb(p.bytes_per_s)), "MB/s")
        }
    };
    match promised {
        Some(promised) => Message::new("check-capped-promised").with("promised", promised),
        None => Message::new("check-capped"),
    }
    .with("seen", seen)
    .with("unit", unit)
}
