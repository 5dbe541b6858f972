//! The option table: one row for every job option of fio.
//!
//! A row has all facts about an option: names, kind and range, default, help, its status in Fathom,
//! and the field of the job that it sets. Reading job files and command lines, help texts, "did you
//! mean", and the compatibility page all derive from these rows; so do the tests. To add an option,
//! add a row to the file of its category.
//!
//! The facts of the table (names, aliases, ranges, defaults) are fio 3.42's; the texts are ours.

mod buffers;
mod engine_private;
mod engines;
mod io;
mod kind;
mod logs;
mod measure;
mod pace;
mod process;
mod row;
mod target;
mod time;
mod value;
mod verify;

pub use engines::{FIO_ENGINES, engine_choices};
pub(crate) use engines::{engine_problem, engine_word};
pub use kind::{Choice, Kind};
pub(crate) use row::Apply;
pub use row::{Category, OptionRow, OptionStatus};

use std::collections::HashMap;
use std::sync::LazyLock;

/// All rows, in the order of help: by category, then as the field would list them.
pub fn options() -> &'static [OptionRow] {
    static ROWS: LazyLock<Vec<OptionRow>> = LazyLock::new(|| {
        [
            target::ROWS,
            io::ROWS,
            time::ROWS,
            pace::ROWS,
            process::ROWS,
            buffers::ROWS,
            verify::ROWS,
            measure::ROWS,
            logs::ROWS,
            engine_private::ROWS,
        ]
        .concat()
    });
    &ROWS
}

/// The row of an option by its name or an alias, exactly.
pub fn find_option(name: &str) -> Option<&'static OptionRow> {
    static BY_NAME: LazyLock<HashMap<&'static str, &'static OptionRow>> = LazyLock::new(|| {
        options().iter().flat_map(|row| row.names().map(move |name| (name, row))).collect()
    });
    BY_NAME.get(name).copied()
}

/// The known name nearest to a misspelt one, if any is near enough to be meant.
pub fn nearest_option(misspelt: &str) -> Option<&'static str> {
    nearest(misspelt, options().iter().flat_map(OptionRow::names))
}

/// The candidate with the fewest edits to `word`, if that is at most about a third of it.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 40;
    let word: Vec<char> = word.chars().take(LONGEST).collect();
    let allowed = (word.len() / 3).clamp(1, 4);
    candidates
        .map(|candidate| (edits(&word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Edit distance between two words: letters inserted, deleted, changed, or swapped with the next.
fn edits(word: &[char], other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=word.len()).collect();
    for (i, b) in other.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, a) in word.iter().enumerate() {
            let changed = row[j] + usize::from(a != b);
            let mut best = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *a == other[i - 1] && word[j - 1] == *b {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[word.len()]
}
