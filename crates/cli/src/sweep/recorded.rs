//! The history entry of a sweep: what it measures, its end, and the knee or the best of each curve.

use crate::cli_error::CliError;
use crate::history_writer::{HistoryWriter, SavedRun};
use crate::terminal::live::Feed;
use fathom_campaign::cases::title_of;
use fathom_campaign::sweep::{Curve, Headline, SweepDocument};
use fathom_document::Method;
use fathom_store::{HistoryFigure, HistoryOutcome, Key};
use fathom_text::Text;
use fathom_vocab::Target;

/// Stores the start of a sweep, and returns its feed.
pub fn begin(recorder: &mut HistoryWriter, target: &Target, document: &SweepDocument) -> Feed {
    recorder.start("sweep", &title(document), std::slice::from_ref(target))
}

/// Stores a sweep that has ended or was stopped. One that was stopped before it had a figure shows
/// nothing: that it began is taken back, and its file lets it go on.
///
/// # Errors
/// If the document cannot be written as JSON.
pub fn keep(
    recorder: &mut HistoryWriter,
    target: &Target,
    document: &SweepDocument,
    stopped: bool,
) -> Result<(), CliError> {
    let headline: Vec<HistoryFigure> = document.curves.iter().filter_map(figure).collect();
    if stopped && headline.is_empty() {
        return Ok(());
    }
    let text = serde_json::to_string(document).map_err(CliError::NotKept)?;
    recorder.keep(&SavedRun {
        kind: "sweep",
        title: title(document).to_string(),
        targets: std::slice::from_ref(target),
        document: &text,
        headline,
        outcome: match (stopped, document.is_whole()) {
            (true, _) => HistoryOutcome::Interrupted,
            (false, true) => HistoryOutcome::Ran,
            (false, false) => HistoryOutcome::Failed,
        },
    });
    Ok(())
}

/// `Random read, 4 KiB, O_DIRECT; varies: queue depth 1 … 64`.
pub fn title(document: &SweepDocument) -> Text {
    let ways = document.sessions.last().map(|session| session.setup.ways.as_slice());
    let method = ways.unwrap_or_default().iter().find_map(|way| way.method.as_ref());
    Text::of(document.plan.subject(method.and_then(Method::bypasses_cache)))
}

fn figure(curve: &Curve) -> Option<HistoryFigure> {
    let point = curve.knee_point().or_else(|| curve.best())?;
    let total = point.figures.as_ref()?.total;
    let at = format!("{}={}", curve.axis, point.value);
    Some(HistoryFigure {
        label: match curve.settings.is_empty() {
            true => at,
            false => format!("{}, {at}", title_of(&curve.settings)),
        },
        target: String::new(),
        key: match curve.headline {
            Headline::Iops => Key::Iops,
            Headline::Throughput => Key::BytesPerS,
        },
        iops: Some(total.iops),
        bytes_per_s: Some(total.mb_per_s * 1e6),
        mean_ns: Some(total.mean_ns),
        p50_ns: Some(total.p50_ns as f64),
        p99_ns: Some(total.p99_ns as f64),
        p999_ns: Some(total.p999_ns as f64),
    })
}
