//! Verdicts on a run: an answer to each question, with its evidence in a sentence, and its
//! prominence.

use crate::{
    BurstFinding, CacheFinding, CacheVerdict, CapFinding, ClientFinding, ClientVerdict,
    ConnectionFinding, ConnectionWorkFinding, Estimate, HumpsFinding, MountFinding, NoEstimate,
    OpenLoopFinding, SawToothFinding, ShortRuns, Steadiness, SteadyState, Tone,
};
use fathom_message::{Lang, Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// What was asked, and the finding that answers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "question", content = "finding", rename_all = "snake_case")]
pub enum Answer {
    /// Did it reach a level and hold it?
    Steady(Steadiness),
    /// How well is the mean known?
    Sure(Estimate),
    /// The same, where that cannot be told.
    Unsure(NoEstimate),
    /// Does something hold the rate to a value?
    Capped(CapFinding),
    /// Did it begin with a burst?
    Burst(BurstFinding),
    /// Are there two kinds of latency?
    Humps(HumpsFinding),
    /// Does the rate follow a clock?
    SawTooth(SawToothFinding),
    /// Was it the storage, or a memory before it?
    Cached(CacheFinding),
    /// Was it the client?
    Client(ClientFinding),
    /// What would users have felt at the planned rate?
    OpenLoop(OpenLoopFinding),
    /// Is one connection to the server the limit?
    Connections(ConnectionFinding),
    /// Did its connections to the server do alike, and did they hold?
    ConnectionWork(ConnectionWorkFinding),
    /// What did the kernel's client count on the network mount?
    Mount(MountFinding),
    /// Which of these were the runs too short for?
    TooShort(ShortRuns),
}

/// How much room a verdict is given where not all of them are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// A sentence of its own.
    Loud,
    /// A word or two in a line with others.
    Brief,
    /// Nothing.
    Silent,
}

/// One verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What was asked and found.
    #[serde(flatten)]
    pub answer: Answer,
    /// How it bears on the figures.
    pub tone: Tone,
    /// How much room it is given.
    pub weight: Weight,
    /// The finding with its evidence, in English.
    pub sentence: String,
}

/// What is said of a volume as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VolumeVerdicts {
    /// Which of the volumes, from 0.
    pub volume: usize,
    /// What is said, the worst first.
    pub verdicts: Vec<Verdict>,
}

/// What other programs, other machines and a CPU quota took of the host's processors, if the jobs
/// may have been slower for it, and what to do.
pub fn disturbance(verdicts: &[Verdict]) -> Option<Message> {
    verdicts.iter().find_map(|verdict| match &verdict.answer {
        Answer::Client(client) => client.disturbance(),
        _ => None,
    })
}

/// Silences the answers of `verdicts` that `deliberate` selects: effects that a test causes itself
/// are not the volume's, and its own table shows them.
pub fn suppress(verdicts: &mut [Verdict], deliberate: impl Fn(&Answer) -> bool) {
    for verdict in verdicts.iter_mut().filter(|verdict| deliberate(&verdict.answer)) {
        verdict.weight = Weight::Silent;
    }
    sort(verdicts);
}

/// Lets a verdict on the client know that a cap held the rate, if another verdict says so: a faster
/// client would not have raised it.
pub fn mark_capped(verdicts: &mut [Verdict]) {
    if !verdicts.iter().any(|verdict| verdict.answer.is_plain_cap()) {
        return;
    }
    for verdict in verdicts {
        if let Answer::Client(finding) = &mut verdict.answer {
            finding.is_capped = true;
            verdict.sentence = as_sentence(&verdict.answer.to_string());
        }
    }
}

/// Loud before brief before silent; within each, bad before good, otherwise in the order of the
/// questions.
pub fn ordered(answers: Vec<Answer>) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = answers.into_iter().map(Verdict::from).collect();
    mark_capped(&mut verdicts);
    sort(&mut verdicts);
    verdicts
}

fn sort(verdicts: &mut [Verdict]) {
    verdicts.sort_by_key(|verdict| (verdict.weight, std::cmp::Reverse(verdict.tone)));
}

impl From<Answer> for Verdict {
    fn from(answer: Answer) -> Verdict {
        let tone = answer.tone();
        let weight = answer.weight(tone);
        let sentence = as_sentence(&answer.to_string());
        Verdict { answer, tone, weight, sentence }
    }
}

impl Answer {
    /// Whether it is a cap of which there is little doubt.
    pub fn is_plain_cap(&self) -> bool {
        matches!(self, Answer::Capped(CapFinding::Capped(cap)) if cap.is_plain())
    }

    /// The control group that sets the cap, if the machine reports it.
    pub fn cap_setter(&self) -> Option<&str> {
        match self {
            Answer::Capped(CapFinding::Capped(cap)) => {
                cap.known_limit().map(|limit| limit.group.as_str())
            }
            _ => None,
        }
    }

    /// Whether others did so much I/O on the device that the figures are of both.
    pub fn is_other_use(&self) -> bool {
        matches!(self, Answer::Cached(finding) if finding.is_other_use())
    }

    fn tone(&self) -> Tone {
        match self {
            Answer::Steady(finding) => finding.tone(),
            Answer::Sure(finding) => finding.tone(),
            Answer::Unsure(finding) if finding.is_of_a_swing() => Tone::Warning,
            Answer::Unsure(_) => Tone::Note,
            Answer::Capped(finding) => finding.tone(),
            Answer::Burst(finding) => finding.tone(),
            Answer::Humps(finding) => finding.tone(),
            Answer::SawTooth(finding) => finding.tone(),
            Answer::Cached(finding) => finding.tone(),
            Answer::Client(finding) => finding.tone(),
            Answer::OpenLoop(finding) => finding.tone(),
            Answer::Connections(finding) => finding.tone(),
            Answer::ConnectionWork(finding) => finding.tone(),
            Answer::Mount(finding) => finding.tone(),
            Answer::TooShort(_) => Tone::Note,
        }
    }

    fn weight(&self, tone: Tone) -> Weight {
        match self {
            Answer::Capped(CapFinding::Capped(_))
            | Answer::TooShort(_)
            | Answer::Connections(_)
            | Answer::Mount(_)
            | Answer::Humps(HumpsFinding::Two(_))
            | Answer::OpenLoop(OpenLoopFinding::KeptUp { .. }) => Weight::Loud,
            _ if tone >= Tone::Warning => Weight::Loud,
            Answer::Steady(_) | Answer::Sure(_) => brief_unless(self.tells_nothing()),
            Answer::Cached(_) | Answer::Client(_) => brief_unless(self.tells_nothing()),
            _ => Weight::Silent,
        }
    }

    fn tells_nothing(&self) -> bool {
        match self {
            Answer::Steady(finding) => matches!(finding.state, SteadyState::NotEnough { .. }),
            Answer::Cached(finding) => finding.verdict == CacheVerdict::NotEnough,
            Answer::Client(finding) => finding.verdict == ClientVerdict::NotEnough,
            _ => false,
        }
    }
}

fn brief_unless(silent: bool) -> Weight {
    if silent { Weight::Silent } else { Weight::Brief }
}

impl Tell for Answer {
    fn tell(&self) -> Message {
        match self {
            Answer::Steady(finding) => finding.tell(),
            Answer::Sure(finding) => finding.tell(),
            Answer::Unsure(finding) => finding.tell(),
            Answer::Capped(finding) => finding.tell(),
            Answer::Burst(finding) => finding.tell(),
            Answer::Humps(finding) => finding.tell(),
            Answer::SawTooth(finding) => finding.tell(),
            Answer::Cached(finding) => finding.tell(),
            Answer::Client(finding) => finding.tell(),
            Answer::OpenLoop(finding) => finding.tell(),
            Answer::Connections(finding) => finding.tell(),
            Answer::ConnectionWork(finding) => finding.tell(),
            Answer::Mount(finding) => finding.tell(),
            Answer::TooShort(finding) => finding.tell(),
        }
    }
}

shown_as_told!(Answer);

impl Verdict {
    /// The finding with its evidence, in `lang`: English as stored, other languages from the
    /// findings.
    pub fn text(&self, lang: Lang) -> String {
        match lang {
            Lang::En => self.sentence.clone(),
            _ => as_sentence(&self.answer.tell().text(lang)),
        }
    }
}

/// A finding's words as a whole sentence, because some are meant for the inside of another.
pub fn as_sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    let text = first + letters.as_str();
    if text.ends_with('.') { text } else { text + "." }
}
