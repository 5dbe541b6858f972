//! The caps that held the sides of a comparison: where each side has its own, the caps are the
//! difference between them.
//!
//! A document of runs holds the verdicts that its runs had; a cap of a volume that is compared
//! counts if at least half of the rounds of a test met it. One round is enough for a cap that a
//! control group of this host sets: short rounds may meet it seldom, and it holds in all of them.

use super::document::CompareDocument;
use crate::document_runs::DocumentRuns;
use fathom_analysis::cap_scope::{
    CapScope, capped, common_group, found as caps_found, merged as merged_caps,
};
use fathom_analysis::{Cap, CapKind};
use fathom_message::{Message, list};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

/// A cap of a side, and what it limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideCap {
    /// The cap with its evidence.
    pub cap: Cap,
    /// Whether it limits reads.
    pub reads: bool,
    /// Whether it limits writes.
    pub writes: bool,
}

impl SideCap {
    fn of(scope: &CapScope<'_>) -> SideCap {
        SideCap { cap: scope.cap.clone(), reads: scope.reads, writes: scope.writes }
    }

    fn scope(&self) -> CapScope<'_> {
        CapScope { cap: &self.cap, reads: self.reads, writes: self.writes }
    }
}

/// `ssd: capped at 3,000 IOPS; nas: capped at 2,800 IOPS.`; none without any cap.
pub(super) fn sentence(sides: impl Iterator<Item = (String, Vec<SideCap>)>) -> Option<Message> {
    let mut groups: Vec<(Vec<String>, Message)> = Vec::new();
    for (name, caps) in sides.filter(|(_, caps)| !caps.is_empty()) {
        let claim = claim(&caps);
        match groups.iter_mut().find(|(_, other)| *other == claim) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], claim)),
        }
    }
    let has_any = !groups.is_empty();
    let each = groups.into_iter().map(|(names, claim)| {
        Message::new("side-capped").with("sides", names.join(", ")).part("capped", claim)
    });
    has_any.then(|| Message::new("summary-sentence").part("claim", list::semicolons(each)))
}

/// `capped at 3,000 IOPS`, with the control group if one sets all of them.
fn claim(caps: &[SideCap]) -> Message {
    let caps = merged_caps(caps.iter().map(SideCap::scope));
    let claim = capped(&caps);
    match common_group(&caps) {
        Some(group) => Message::new("side-capped-here").part("capped", claim).with("group", group),
        None => claim,
    }
}

/// The caps that the verdicts of a document found, as far as there is little doubt of them; none of
/// several volumes, which are no side together.
pub(super) fn of_document(document: &dyn DocumentRuns) -> Vec<SideCap> {
    if document.volumes().len() > 1 {
        return Vec::new();
    }
    let plain = caps_found(document.cap_verdicts().into_iter()).filter(CapScope::is_told);
    merged_caps(plain).iter().map(SideCap::of).collect()
}

/// Within this share of a limit a test ran at it.
const AT_LIMIT: f64 = 0.05;

/// What a test with these rates ran at, as a multiple of them, where a control group of this host
/// held it to that. A limit of which others have a part holds to nothing.
pub(super) fn limit_of(
    caps: &[SideCap],
    direction: Direction,
    iops: f64,
    bytes_per_s: f64,
) -> Option<f64> {
    let is_own = |of: &&SideCap| match direction {
        Direction::Read => of.reads,
        _ => of.writes,
    };
    let shares = caps.iter().filter(is_own).filter_map(|of| {
        let limit = of.cap.known_limit().filter(|limit| !limit.is_shared())?;
        let measured = match of.cap.kind {
            CapKind::Iops => iops,
            CapKind::Bandwidth => bytes_per_s,
        };
        Some(limit.per_second / measured)
    });
    let at_limit = |share: &f64| (share - 1.0).abs() <= AT_LIMIT;
    shares.filter(at_limit).min_by(|a, b| (a - 1.0).abs().total_cmp(&(b - 1.0).abs()))
}

/// The caps that all of several runs have.
pub(super) fn common<'c>(mut runs: impl Iterator<Item = &'c [SideCap]>) -> Vec<SideCap> {
    let first = runs.next().unwrap_or_default();
    let others: Vec<&[SideCap]> = runs.collect();
    let has = |cap: &SideCap, run: &&[SideCap]| {
        run.iter().any(|other| other.scope().is_same(&cap.scope()))
    };
    first.iter().filter(|cap| others.iter().all(|run| has(cap, run))).cloned().collect()
}

impl CompareDocument {
    /// The caps that held its volumes, in a sentence; none where no cap is known, and of one disk.
    pub fn caps_sentence(&self) -> Option<Message> {
        let sides = self.heads().map(|at| (self.short_name(at), self.caps(at)));
        sentence(sides.filter(|_| !self.is_one_disk()))
    }

    /// `capped at 3,000 IOPS`, of a volume; none where no cap of it is known.
    pub(crate) fn cap_claim(&self, volume: usize) -> Option<Message> {
        let caps = self.caps(volume);
        let scopes = merged_caps(caps.iter().map(SideCap::scope));
        (!scopes.is_empty()).then(|| capped(&scopes))
    }

    /// Whether a control group of this host sets all caps of a volume.
    pub fn is_limited_here(&self, volume: usize) -> bool {
        let caps = self.caps(volume);
        let scopes: Vec<CapScope<'_>> = caps.iter().map(SideCap::scope).collect();
        common_group(&scopes).is_some()
    }

    /// The caps that all volumes of a side have.
    fn caps(&self, head: usize) -> Vec<SideCap> {
        let all: Vec<Vec<SideCap>> =
            self.side_of(head).into_iter().map(|volume| self.caps_of(volume)).collect();
        common(all.iter().map(Vec::as_slice))
    }

    /// The caps that at least half of the rounds of a test on a volume met, and those that a
    /// control group of this host is known to set.
    fn caps_of(&self, volume: usize) -> Vec<SideCap> {
        let mut caps: Vec<CapScope<'_>> = Vec::new();
        for phase in 0..self.plan.phases.len() {
            let own = |run: &&super::CompareTrial| (run.volume, run.phase) == (volume, phase);
            let runs: Vec<_> = self.whole_runs().filter(own).collect();
            let found = runs.iter().flat_map(|run| caps_found(run.verdicts.iter()));
            let found = found.filter(CapScope::is_told).map(|of| self.directed(of, phase));
            let found: Vec<CapScope<'_>> = found.collect();
            let is_usual = |cap: &&CapScope<'_>| {
                let same = found.iter().filter(|other| other.is_same(cap));
                cap.group().is_some() || 2 * same.count() >= runs.len()
            };
            caps.extend(found.iter().filter(is_usual));
        }
        merged_caps(caps.into_iter()).iter().map(SideCap::of).collect()
    }

    /// The cap of a run with the direction of its test, unless that has both.
    fn directed<'d>(&self, scope: CapScope<'d>, phase: usize) -> CapScope<'d> {
        let settings = self.plan.phases.get(phase).map_or(&[][..], |of| of.settings.as_slice());
        let rw = settings.iter().find(|of| of.axis == "rw").map(|of| of.value.as_str());
        match rw {
            Some("read" | "randread") => CapScope::of_run(scope.cap, Direction::Read),
            Some("write" | "randwrite") => CapScope::of_run(scope.cap, Direction::Write),
            _ => scope,
        }
    }
}
