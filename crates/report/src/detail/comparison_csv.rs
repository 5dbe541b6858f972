//! Comparisons for a spreadsheet: of volumes a line for each run, of runs a line for each figure
//! (RFC 4180, with `\n` line ends; units in the heading).

use crate::csv_rows;
use crate::read::date;
use fathom_document::compare::{CompareDocument, CompareTrial, Contrast, Contrasts, RunsDocument};

fn owned<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// Every run of a comparison of volumes. Rounds count from 1, as everywhere people see them.
pub fn volumes_csv(document: &CompareDocument) -> String {
    let heading = owned([
        "phase",
        "volume",
        "round",
        "iops",
        "mb_per_s",
        "mean_us",
        "p50_us",
        "p99_us",
        "p999_us",
        "max_us",
        "cut_short",
        "failure",
        "command",
        "host",
        "began",
    ]);
    let rows = document.runs.iter().map(|run| volume_row(document, run));
    csv_rows(std::iter::once(heading).chain(rows))
}

fn volume_row(document: &CompareDocument, run: &CompareTrial) -> Vec<String> {
    let name = document.volumes[run.volume].place.volume.name.clone();
    let mut cells = vec![run.title.clone(), name, (run.round + 1).to_string()];
    let figures = run.figures.as_ref().map(|figures| {
        let of = &figures.total;
        let times = [of.mean_ns, of.p50_ns as f64, of.p99_ns as f64, of.p999_ns as f64];
        let times = times.into_iter().chain([of.max_ns as f64]).map(|ns| ns / 1e3);
        [of.iops, of.mb_per_s].into_iter().chain(times).map(number).collect::<Vec<String>>()
    });
    cells.extend(figures.unwrap_or_else(|| vec![String::new(); 7]));
    cells.push(u8::from(run.cut_short).to_string());
    cells.push(run.failure.clone().unwrap_or_default());
    cells.push(run.command.clone());
    cells.push(document.host.hostname.clone().unwrap_or_default());
    cells.push(date(document.head.started_ms).unwrap_or_default());
    cells
}

/// Every figure of a comparison of runs.
pub fn runs_csv(document: &RunsDocument) -> String {
    let heading = owned([
        "before_run",
        "after_run",
        "name",
        "direction",
        "figure",
        "before",
        "before_half_width",
        "after",
        "after_half_width",
        "change_percent",
        "change_low_percent",
        "change_high_percent",
        "verdict",
    ]);
    let rows = document.pairs.iter().flat_map(|pair| {
        pair.contrasts.iter().map(|contrast| run_row(pair, contrast)).collect::<Vec<_>>()
    });
    csv_rows(std::iter::once(heading).chain(rows))
}

fn run_row(pair: &Contrasts, contrast: &Contrast) -> Vec<String> {
    let maybe = |value: Option<f64>| value.map(number).unwrap_or_default();
    let (low, high) = contrast.change_ends_percent().unzip();
    vec![
        pair.before.clone(),
        pair.after.clone(),
        contrast.name.clone(),
        contrast.direction.name().to_owned(),
        word(serde_json::to_value(contrast.judged)),
        number(contrast.before.mean),
        maybe(contrast.before.half_width()),
        number(contrast.after.mean),
        maybe(contrast.after.half_width()),
        number(contrast.change_percent),
        maybe(low),
        maybe(high),
        word(serde_json::to_value(contrast.verdict)),
    ]
}

/// A value that is a word in JSON, as that word.
fn word(value: serde_json::Result<serde_json::Value>) -> String {
    let text = value.ok().and_then(|value| value.as_str().map(str::to_owned));
    text.unwrap_or_default()
}

fn number(value: f64) -> String {
    format!("{value:.3}")
}
