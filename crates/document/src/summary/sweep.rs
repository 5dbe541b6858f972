//! The knee of a sweep, or its highest rate.

use super::measure::stopped;
use super::quantities::{brief_bandwidth, brief_iops};
use super::{DocumentSummary, about, summary_in};
use crate::sweep::{Curve, Headline, Point, QuestionRecord, Status, SweepDocument};
use fathom_message::Message;

impl DocumentSummary for SweepDocument {
    summary_in!(head.summary);

    fn sentences(&self) -> Vec<Message> {
        let place = self.sessions.last().map(|session| &session.setup.volume);
        let target = place.map_or(self.plan.target.as_str(), |of| of.target());
        let failure = self.sessions.last().and_then(|session| session.failure.as_deref());
        let claim = self.greatest().map(|(curve, point)| claim(&self.plan, curve, point));
        let claim = claim.or_else(|| failure.map(super::failed));
        let claim = claim.unwrap_or_else(|| Message::new("summary-nothing"));
        let is_over = self.status == Status::Finished;
        let halted = (!is_over).then(|| stopped(self.over().len(), self.turns));
        vec![about(target, claim, halted)]
    }
}

impl SweepDocument {
    /// The highest point of all curves that are about the same as the first.
    fn greatest(&self) -> Option<(&Curve, &Point)> {
        let headline = self.curves.first()?.headline;
        let alike = self.curves.iter().filter(|curve| curve.headline == headline);
        let best = alike.filter_map(|curve| Some((curve, curve.best()?)));
        let height = |point: &Point| point.height(headline).unwrap_or(0.0);
        best.reduce(|best, next| if height(next.1) > height(best.1) { next } else { best })
    }
}

/// `76,900 IO/s from rw=randread bs=4k iodepth=16 on; more only waits longer`, or the greatest with
/// its place.
fn claim(plan: &QuestionRecord, curve: &Curve, greatest: &Point) -> Message {
    let (id, point) = match curve.knee_point() {
        Some(knee) => ("summary-knee", knee),
        None => ("summary-most", greatest),
    };
    let height = point.height(curve.headline).unwrap_or(0.0);
    let rate = match curve.headline {
        Headline::Iops => brief_iops(height),
        Headline::Throughput => brief_bandwidth(height),
    };
    let own = format!("{}={}", curve.axis, point.value);
    let others = curve.settings.iter().map(|of| format!("{}={}", of.axis, of.value));
    let mut place = plan.constants();
    for setting in others.chain([own]) {
        if !place.contains(&setting) {
            place.push(setting);
        }
    }
    Message::new(id).with("rate", rate).with("place", place.join(" "))
}
