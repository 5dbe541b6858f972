//! Values with their own grammar: parsed here, set by the rows of the table.

pub(crate) mod distribution;
pub(crate) mod errno;
pub(crate) mod pattern;
pub(crate) mod split;
pub(crate) mod steady;

use crate::error::ValueProblem;
use fathom_vocab::PerDirection;

/// `a`, `a,b`, `a,b,c` with any part omitted: the last given part also applies to the directions
/// after it, unless a comma ends it.
pub(crate) fn triple<T: Clone>(
    text: &str,
    read: impl Fn(&str) -> Result<T, ValueProblem>,
) -> Result<PerDirection<Option<T>>, ValueProblem> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() > 3 {
        return Err(ValueProblem::new("more than three values")
            .hinted("Give at most three: for reads, writes and trims."));
    }
    if parts.iter().all(|part| part.is_empty()) {
        return Err(ValueProblem::new("the value is empty"));
    }
    let mut read_parts: Vec<Option<T>> = Vec::new();
    for part in &parts {
        read_parts.push(if part.is_empty() { None } else { Some(read(part)?) });
    }
    let last = read_parts.last().cloned().flatten();
    Ok(PerDirection::from_fn(|dir| match read_parts.get(dir.index()) {
        Some(part) => part.clone(),
        None => last.clone(),
    }))
}
