//! A phase and its figure as text, for tables, headings and the history.

use crate::language::word;
use fathom_campaign::{Figures, Goal, Phase, binary_bytes, latency, megabytes_per_s, thousands};
use fathom_vocab::Direction;

/// The short name of a phase, for a column: `1 MiB seq. write`.
pub fn short_name(phase: &Phase) -> String {
    let pattern = match (phase.random, phase.direction) {
        (true, Direction::Read) => "random read",
        (true, Direction::Write) => "random write",
        (true, Direction::Trim) => "random trim",
        (false, Direction::Read) => "seq. read",
        (false, Direction::Write) => "seq. write",
        (false, Direction::Trim) => "seq. trim",
    };
    // Beside the same phase over fewer of them.
    let over = phase.nconnect.map(|count| format!(" x{count}")).unwrap_or_default();
    format!("{} {}{over}", binary_bytes(phase.block_bytes), word(pattern))
}

/// The figure that a goal is about: the number to compare, and its text.
pub fn headline(phase: &Phase, figures: &Figures) -> (f64, String) {
    let value = match phase.goal {
        Goal::Latency => figures.mean_ns,
        Goal::Iops => figures.iops,
        Goal::Throughput => figures.mb_per_s,
    };
    (value, goal_text(phase.goal, value))
}

/// The same as text: `500 us`, `7,090 IOPS`, `126 MB/s`.
pub fn goal_text(goal: Goal, value: f64) -> String {
    match goal {
        Goal::Latency => latency(value),
        Goal::Iops => format!("{} IOPS", thousands(value)),
        Goal::Throughput => format!("{} MB/s", megabytes_per_s(value)),
    }
}
