//! The history entry of a sweep: what it measures, its end, and the knee or the best of each curve.

use crate::course::HistorySummary;
use crate::history_writer::{figure, outcome_of};
use fathom_campaign::cases::title_of;
use fathom_campaign::sweep::{Curve, Headline, SweepDocument};
use fathom_document::Method;
use fathom_store::{HistoryFigure, Key};
use fathom_text::Text;

pub fn summary(document: &SweepDocument) -> HistorySummary {
    HistorySummary {
        title: title(document).to_string(),
        headline: document.curves.iter().filter_map(figure_of).collect(),
        outcome: outcome_of(document.is_whole(), None),
    }
}

/// `Random read, 4 KiB, O_DIRECT; varies: queue depth 1 … 64`.
pub fn title(document: &SweepDocument) -> Text {
    let ways = document.sessions.last().map(|session| session.setup.ways.as_slice());
    let method = ways.unwrap_or_default().iter().find_map(|way| way.method.as_ref());
    Text::of(document.plan.subject(method.and_then(Method::bypasses_cache)))
}

fn figure_of(curve: &Curve) -> Option<HistoryFigure> {
    let point = curve.knee_point().or_else(|| curve.best())?;
    let at = format!("{}={}", curve.axis, point.value);
    let label = match curve.settings.is_empty() {
        true => at,
        false => format!("{}, {at}", title_of(&curve.settings)),
    };
    let key = match curve.headline {
        Headline::Iops => Key::Iops,
        Headline::Throughput => Key::BytesPerS,
    };
    Some(figure(label, key, &point.figures.as_ref()?.total))
}
