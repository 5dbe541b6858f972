//! Why limits are UNDECIDED, or FAIL beside a figure that does not show it: below the table, one
//! sentence for all limits that share a reason.

use super::row::{CheckRow, title};
use crate::terminal::screen::{Screen, warning};
use fathom_analysis::RowOutcome;
use fathom_campaign::check::{LimitReason, LimitRow};
use fathom_message::{Message, Tell};
use std::cmp::Reverse;

/// Sentences that are shown; `--verbose` has the reason of each run.
const MOST: usize = 3;

/// Limits of one outcome that share a reason.
struct SharedReason<'d> {
    reason: LimitReason,
    rows: Vec<&'d LimitRow<'d>>,
}

/// The sentences on `shown`, rows of a check that has so many limits in all.
pub fn text(shown: &[CheckRow<'_>], limits: usize, screen: &Screen) -> String {
    let mut shared: Vec<SharedReason<'_>> = Vec::new();
    let mut shown: Vec<&CheckRow<'_>> = shown.iter().collect();
    shown.sort_by_key(|(run, _)| Reverse(run.needed_s()));
    for (run, row) in shown {
        let Some(reason) = run.reason(row) else { continue };
        let same = |other: &&mut SharedReason<'_>| {
            (other.reason.kind, other.rows[0].standing) == (reason.kind, row.standing)
        };
        match shared.iter_mut().find(same) {
            Some(other) => other.rows.push(row),
            None => shared.push(SharedReason { reason, rows: vec![row] }),
        }
    }
    shared.sort_by_key(|of| Reverse((of.rows[0].outcome() == RowOutcome::Fail, of.rows.len())));
    let line =
        |of: &SharedReason<'_>| warning(of.message(limits, screen).text(screen.lang), screen);
    shared.iter().take(MOST).map(line).collect()
}

impl SharedReason<'_> {
    fn message(&self, limits: usize, screen: &Screen) -> Message {
        let (first, count) = (self.rows[0], self.rows.len());
        let is_mixed = self.rows.iter().any(|row| row.load.direction != first.load.direction);
        let why = if is_mixed { &self.reason.of_all } else { &self.reason.sentence };
        let told = Message::new(match count {
            1 => "check-reason",
            all if all == limits => "check-reason-all",
            _ => "check-reason-some",
        });
        let told = told.with("count", count).with("limits", limits);
        let told = told.part("outcome", first.standing.tell()).with("row", title(first, screen));
        told.part("why", why.clone())
    }
}
