//! The knee of a sweep, or its highest rate.

use super::measure::doubted;
use super::quantities::{brief_bandwidth, brief_iops};
use super::{DocumentSummary, about, summary_in};
use crate::document_runs::DocumentRuns;
use crate::sweep::{Curve, Headline, Point, SweepDocument, setting_title};
use fathom_analysis::Knee;
use fathom_message::{Message, Tell};

impl DocumentSummary for SweepDocument {
    summary_in!(head.summary);

    fn claims(&self) -> Vec<Message> {
        let place = self.sessions.last().map(|session| &session.setup.volume);
        let target = place.map_or(self.plan.target.as_str(), |of| of.target());
        let failure = self.sessions.last().and_then(|session| session.failure.as_deref());
        let claim =
            self.greatest().map(|(curve, point)| claim(&self.plan.constants(), curve, point));
        let claim = claim.or_else(|| failure.map(super::failed));
        let claim = claim.unwrap_or_else(|| Message::new("summary-nothing"));
        let halted = self.stop_point().map(|point| point.tell());
        let doubts = doubted(self.cases.iter().map(|case| case.verdicts.as_slice()));
        vec![about(target, claim, doubts.into_iter().chain(halted))]
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

/// `iodepth=16`: an axis and its value.
fn setting(text: &str) -> Message {
    let Some((axis, value)) = text.split_once('=') else { return Message::verbatim(text) };
    setting_title(axis, value)
}

/// `76,900 IOPS from rw=randread bs=4k iodepth=16 on; more only waits longer`, or the greatest with
/// its place; where more load makes it slower both: `Peak 40,000 IOPS at iodepth=16; 33,100 at 64:
/// more load makes it slower`.
pub(super) fn claim(constants: &[String], curve: &Curve, greatest: &Point) -> Message {
    let falls_to = falls_to(curve);
    let (id, point) = match (curve.knee_point(), falls_to) {
        (_, Some(_)) => ("summary-falling", curve.best().unwrap_or(greatest)),
        (Some(knee), None) => ("summary-knee", knee),
        (None, None) if is_growing(curve, greatest) => ("summary-growing", greatest),
        (None, None) => ("summary-most", greatest),
    };
    let rate = |point: &Point| {
        let height = point.height(curve.headline).unwrap_or(0.0);
        match curve.headline {
            Headline::Iops => brief_iops(height),
            Headline::Throughput => brief_bandwidth(height),
        }
    };
    let own = format!("{}={}", curve.axis, point.value);
    let others = curve.settings.iter().map(|of| format!("{}={}", of.axis, of.value));
    let mut place = constants.to_vec();
    for setting in others.chain([own]) {
        if !place.contains(&setting) {
            place.push(setting);
        }
    }
    let place = place
        .iter()
        .map(|of| setting(of))
        .reduce(|list, next| Message::new("sweep-settings").part("list", list).part("next", next));
    let place = place.unwrap_or_else(|| Message::verbatim(""));
    let claim = Message::new(id).with("rate", rate(point)).part("place", place);
    falls_to.into_iter().fold(claim, |claim, last| {
        let last_rate = rate(last);
        let number = last_rate.strip_suffix(" IOPS").unwrap_or(&last_rate).to_owned();
        claim.with("last-rate", number).with("last", &last.value)
    })
}

/// Whether the greatest load gives the most, and less than that gives clearly less.
fn is_growing(curve: &Curve, greatest: &Point) -> bool {
    let last =
        |position| matches!(&curve.knee, Some(Knee::Growing { last, .. }) if last.load == position);
    greatest.position.is_some_and(last)
}

/// The point of the greatest load, where it is slower than one before.
fn falls_to(curve: &Curve) -> Option<&Point> {
    let Some(Knee::Falling { last, .. }) = &curve.knee else { return None };
    curve.points.iter().find(|point| point.position == Some(last.load))
}
