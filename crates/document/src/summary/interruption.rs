//! What interrupted runs: the process was stopped, or the server was away. Figures count that time,
//! so every short answer says it.

use crate::document_runs::DocumentRun;
use fathom_analysis::Standstill;
use fathom_analysis::quantity::stretch;
use fathom_message::Message;

/// A sentence for each kind of interruption.
pub(super) fn told(runs: &[DocumentRun<'_>]) -> impl Iterator<Item = Message> {
    let pause_ms = runs.iter().map(|run| run.result.pause_ms).fold(0, u64::saturating_add);
    let pause = || Message::new("summary-pause").with("time", stretch(pause_ms as f64 / 1e3));
    let away = runs
        .iter()
        .filter(|run| run.lost_its_server())
        .filter_map(|run| Standstill::of_jobs(&run.result.jobs))
        .max_by(|one, other| one.for_s.total_cmp(&other.for_s));
    let away = away.map(|longest| {
        Message::new("summary-server-away")
            .with("time", stretch(longest.for_s))
            .with("start", stretch(longest.from_s))
            .with("of", runs.len())
    });
    (pause_ms > 0).then(pause).into_iter().chain(away)
}
