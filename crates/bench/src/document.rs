//! The result file: all measurements, turn by turn, with their machine.

use crate::figures::{ContestantRun, Spread};
use crate::place::BenchDevice;
use crate::plan::{Against, BenchGoal, Want};
use crate::process::Programs;
use crate::setting::BenchSetting;
use anyhow::{Context, Result};
use serde::Serialize;
use std::path::Path;

/// The whole file.
#[derive(Clone, Debug, Serialize)]
pub struct BenchDocument {
    /// Date, machine and versions.
    #[serde(flatten)]
    pub setting: BenchSetting,
    /// The results.
    pub rows: Vec<RowResult>,
}

/// The result of a row.
#[derive(Clone, Debug, Serialize)]
pub struct RowResult {
    /// Its name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its device.
    pub place: BenchDevice,
    /// Why it, or a part of it, was not run.
    pub skipped: Option<String>,
    /// The contestants.
    pub contestants: Vec<Turns>,
    /// The results of the goals.
    pub goals: Vec<GoalResult>,
}

/// The turns of a contestant.
#[derive(Clone, Debug, Serialize)]
pub struct Turns {
    /// Its name.
    pub name: &'static str,
    /// The command line, or a description of the bare loop.
    pub what: String,
    /// One for each turn.
    pub rounds: Vec<ContestantRun>,
}

/// The result of a goal.
#[derive(Clone, Debug, Serialize)]
pub struct GoalResult {
    /// The goal.
    pub goal: BenchGoal,
    /// The value of each turn.
    pub values: Vec<f64>,
    /// Their median and spread.
    pub spread: Spread,
    /// Whether the median meets the target.
    pub met: Option<bool>,
}

impl BenchDocument {
    /// An empty one for this machine and these programs.
    pub fn new(programs: &Programs, rounds: usize, seconds: f64) -> BenchDocument {
        BenchDocument { setting: BenchSetting::now(programs, rounds, seconds), rows: Vec::new() }
    }
}

/// Writes a result file.
///
/// # Errors
/// If it cannot be written.
pub fn write_json(document: &impl Serialize, path: &Path) -> Result<()> {
    let text = serde_json::to_string_pretty(document).context("the result")?;
    std::fs::write(path, text + "\n").with_context(|| path.display().to_string())
}

/// The head of the table of goals: Markdown, so that it can go into docs/performance.md.
pub const TABLE_HEAD: &str =
    "| work | figure | median (least – greatest) | target | |\n|---|---|---|---|---|";

impl RowResult {
    /// Its lines of the table of goals.
    pub fn markdown(&self) -> String {
        let skipped =
            self.skipped.as_ref().map(|why| format!("| {} | not run: {why} | | | |\n", self.title));
        skipped
            .into_iter()
            .chain(self.goals.iter().map(|goal| goal.markdown(&self.title)))
            .collect()
    }
}

impl GoalResult {
    /// Its line of the table of goals.
    fn markdown(&self, title: &str) -> String {
        let verdict = match self.met {
            Some(true) => "met",
            Some(false) => "MISSED",
            None => "",
        };
        let (words, spread) = (self.words(), crate::digits::spread(&self.spread));
        format!("| {title} | {words} | {spread} | {} | {verdict} |\n", self.wanted())
    }

    /// The result of a goal over the turns; `None` if one of its contestants has not run.
    pub fn of(goal: BenchGoal, turns: &[Turns]) -> Option<GoalResult> {
        let values_of = |name: &str| {
            let turns = turns.iter().find(|turns| turns.name == name)?;
            Some(turns.rounds.iter().map(|run| goal.figure.of(run)).collect::<Vec<f64>>())
        };
        let own = values_of(goal.of)?;
        let values: Vec<f64> = match goal.against {
            Against::Alone => own,
            Against::Over(other) => {
                own.iter().zip(values_of(other)?).map(|(own, other)| own / other).collect()
            }
            Against::Less(other) => {
                own.iter().zip(values_of(other)?).map(|(own, other)| own - other).collect()
            }
        };
        let spread = Spread::of(&values)?;
        let met = goal.want.met(spread.median);
        Some(GoalResult { goal, values, spread, met })
    }

    fn words(&self) -> String {
        let BenchGoal { figure, of, against, .. } = self.goal;
        match against {
            Against::Alone => format!("{of}: {}", figure.name()),
            Against::Over(other) => format!("{of} / {other}: {}", figure.name()),
            Against::Less(other) => format!("{of} - {other}: {}", figure.name()),
        }
    }

    fn wanted(&self) -> String {
        match self.goal.want {
            Want::AtLeast(least) => format!("at least {}", crate::digits::number(least)),
            Want::AtMost(most) => format!("at most {}", crate::digits::number(most)),
            Want::Stated => String::new(),
        }
    }
}
