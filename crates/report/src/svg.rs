//! Each chart of a report as an SVG file: with title and legend, light, on white.
//!
//! Decided here:
//! - The library and options are the same as in a browser, run by QuickJS, so that a chart looks
//!   alike in both.
//! - A script receives only the chart as JSON: no files, no clock, no network. Memory and stack are
//!   bounded, so that a report of any size is an error at worst.

use crate::model::Chart;
use crate::words::Words;
use crate::{Report, assets, embed, words};
use rquickjs::{CatchResultExt, Context, Ctx, Function, Runtime};
use std::collections::HashSet;
use thiserror::Error;

/// Globals that ECharts expects and never needs here.
const SURROUNDINGS: &str = "globalThis.self = globalThis; globalThis.setTimeout = () => 0; \
     globalThis.clearTimeout = () => {};";
/// The one call from outside.
const DRAW: &str = "(chart, words) => fathom.svg(echarts, JSON.parse(chart), JSON.parse(words))";

const MAX_MEMORY_BYTES: usize = 1 << 30;
const MAX_STACK_BYTES: usize = 4 << 20;

/// Why a chart could not be drawn.
#[fathom_text::translated]
#[derive(Debug, Error)]
pub enum SvgError {
    /// The engine of scripts did not start.
    #[error("charts cannot be drawn: the engine of scripts does not start: {0}")]
    Engine(String),
    /// Drawing one failed.
    #[error("chart {id:?} cannot be drawn: {why}; the HTML report has its figures")]
    Chart {
        /// The chart.
        id: String,
        /// The script's error.
        why: String,
    },
    /// A chart has no form as JSON.
    #[error("the charts could not be written as JSON (a fault of Fathom: please report it)")]
    Data(#[from] serde_json::Error),
}

/// Every chart of `report`: a name for its file, without `.svg`, and the document. Names are made
/// of lower-case letters, digits and `-`, each once.
///
/// # Errors
/// If a chart cannot be drawn, with its id and the error.
pub fn svg(report: &Report) -> Result<Vec<(String, String)>, SvgError> {
    if report.charts.is_empty() {
        return Ok(Vec::new());
    }
    let engine = |why: rquickjs::Error| SvgError::Engine(why.to_string());
    let runtime = Runtime::new().map_err(engine)?;
    runtime.set_memory_limit(MAX_MEMORY_BYTES);
    runtime.set_max_stack_size(MAX_STACK_BYTES);
    let context = Context::full(&runtime).map_err(engine)?;
    context.with(|ctx| drawn(&ctx, &report.charts, &words::page(report.lang)))
}

fn drawn(
    ctx: &Ctx<'_>,
    charts: &[Chart],
    words: &Words,
) -> Result<Vec<(String, String)>, SvgError> {
    // All but the last, which is for the page only.
    let [drawing @ .., _page] = assets::scripts();
    for script in [SURROUNDINGS].into_iter().chain(drawing) {
        let run = ctx.eval::<(), _>(script).catch(ctx);
        run.map_err(|why| SvgError::Engine(why.to_string()))?;
    }
    let draw: Function<'_> =
        ctx.eval(DRAW).catch(ctx).map_err(|why| SvgError::Engine(why.to_string()))?;
    let words = embed::json(words)?;
    let mut names = HashSet::new();
    charts
        .iter()
        .map(|chart| {
            let document = draw.call((embed::json(chart)?, words.as_str())).catch(ctx);
            let failed = |why: String| SvgError::Chart { id: chart.id.clone(), why };
            Ok((file_name(&chart.id, &mut names), document.map_err(|why| failed(why.to_string()))?))
        })
        .collect()
}

/// A name that any file system takes, and no other chart has.
fn file_name(id: &str, taken: &mut HashSet<String>) -> String {
    let plain = |letter: char| match letter.to_ascii_lowercase() {
        letter if letter.is_ascii_alphanumeric() => letter,
        _ => '-',
    };
    let name: String = id.chars().take(80).map(plain).collect();
    let name = if name.is_empty() { "chart".to_owned() } else { name };
    let numbered =
        (1..).map(|turn| if turn == 1 { name.clone() } else { format!("{name}-{turn}") });
    let free = numbered.into_iter().find(|name| taken.insert(name.clone()));
    free.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_and_each_once() {
        let mut taken = HashSet::new();
        let names =
            ["iops", "iops", "../../etc/passwd", "", "한"].map(|id| file_name(id, &mut taken));
        assert_eq!(names, ["iops", "iops-2", "------etc-passwd", "chart", "-"]);
    }
}
