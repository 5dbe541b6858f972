//! A row of the table: a limit and the run that was made for it, and the row's title.

use crate::terminal::screen::Screen;
use fathom_campaign::check::{CheckTrial, LimitRow};
use fathom_campaign::test_title;

/// A limit, and the run that was made for it.
pub type CheckRow<'d> = (&'d CheckTrial, LimitRow<'d>);

/// The title of a row: its load, and for a latency its statistic.
pub fn title(row: &LimitRow<'_>, screen: &Screen) -> String {
    let load = test_title(&row.load.title()).text(screen.lang);
    row.title(load).text(screen.lang)
}
