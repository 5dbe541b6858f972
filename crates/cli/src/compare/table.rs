//! The text output of a comparison of volumes: for each phase the volumes below each other with
//! their error, the change from the first, how they stand to the best of several, a bar, and a
//! sentence for each change.

use super::brief::{is_shown_better, legend, mark};
use crate::language::word;
use crate::terminal::bars::{self, bar};
use crate::terminal::notes::JudgedUnit;
use crate::terminal::screen::{self, Screen, from_left, to_right, warning, wrapped};
use crate::terminal::verdicts::{self, VerdictDetail};
use fathom_analysis::Better;
use fathom_campaign::compare::{
    CompareDocument, CompareTrial, Judged, PhaseFinding, VolumeStanding,
};
use fathom_campaign::latency;
use fathom_campaign::test_title;
use fathom_message::words;
use fathom_report::change_words::{self, change_from_first, value};
use std::mem::discriminant;

/// All phases, and the remarks on single runs.
pub fn results(
    document: &CompareDocument,
    quiet: bool,
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    let mut text = String::new();
    // Without the heading, remarks on the figures must still appear beside them.
    for volume in document.volumes.iter().filter(|_| quiet) {
        for remark in &volume.remarks {
            let line = format!("{}: {}", volume.place.volume.name, remark.told(screen.lang));
            text += &wrapped(&line, screen.width, "! ", "  ");
        }
    }
    let columns = Columns::of(document, screen);
    for finding in &document.findings {
        let gap = if text.is_empty() { "" } else { "\n" };
        text += &format!("{gap}{}", phase(document, finding, &columns, screen));
    }
    text += &legend(document, screen);
    if let Some(caps) = document.caps_sentence() {
        text += &wrapped(caps.text(screen.lang), screen.width, "  - ", "    ");
    }
    if document.findings.is_empty() {
        text += &wrapped(words(screen.lang, "change-nothing"), screen.width, "", "  ");
    }
    text + &notes(document, screen) + &judged(document, detail, screen)
}

/// Verdicts on the runs' figures. Rounds share one name, so that common verdicts are printed once.
fn judged(document: &CompareDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let name = |run: &CompareTrial| {
        let name = run_name(document, run, screen);
        match detail {
            VerdictDetail::All => localized!("{name}, round {}", run.round + 1),
            _ => name,
        }
    };
    let sound = document.runs.iter().filter(|run| run.figures.is_some());
    let runs: Vec<_> = sound.map(|run| (name(run), run.verdicts.as_slice())).collect();
    verdicts::beneath(Vec::new(), &runs, JudgedUnit::Run, detail, screen)
}

/// The volume of a run, and its test.
fn run_name(document: &CompareDocument, run: &CompareTrial, screen: &Screen) -> String {
    let volume = &document.volumes[run.volume].place.volume.name;
    format!("{volume}, {}", test_title(&run.title).text(screen.lang))
}

/// The texts of one volume in one phase.
struct Row {
    name: String,
    figure: String,
    change: String,
    mark: String,
    waited: String,
}

fn row(
    document: &CompareDocument,
    finding: &PhaseFinding,
    standing: &VolumeStanding,
    screen: &Screen,
) -> Row {
    let error = standing.side.estimate.as_ref().ok().and_then(|known| known.half_width_percent());
    let error = change_words::error(error, screen.unicode, screen.lang);
    let waited = match finding.judged {
        Judged::MeanLatencyNs => String::new(),
        _ => format!("{} {}", word("mean"), latency(standing.mean_latency_ns)),
    };
    Row {
        name: standing.side.name.clone(),
        figure: format!("{}{}", value(finding.judged, standing.figure()), error),
        change: change_from_first(finding, standing, document.is_one_disk()).text(screen.lang),
        mark: mark(document, finding, standing, screen.lang),
        waited,
    }
}

/// How wide each column is, over all phases, so that bars can be compared down the page.
struct Columns {
    name: usize,
    figure: usize,
    change: usize,
    mark: usize,
    waited: usize,
    bar: usize,
    fits: bool,
}

impl Columns {
    fn of(document: &CompareDocument, screen: &Screen) -> Columns {
        let own = |of| move |standing| row(document, of, standing, screen);
        let all = document.findings.iter().flat_map(|of| of.standings.iter().map(own(of)));
        let rows: Vec<Row> = all.collect();
        let widest = |text: fn(&Row) -> &str| {
            rows.iter().map(|row| screen::columns(text(row))).max().unwrap_or(0)
        };
        let (name, figure) = (widest(|row| &row.name), widest(|row| &row.figure));
        let (change, waited) = (widest(|row| &row.change), widest(|row| &row.waited));
        let mark = widest(|row| &row.mark);
        // Two columns before each.
        let needed = name + figure + change + 3 * 2 + if mark > 0 { mark + 2 } else { 0 };
        let beside = |taken: usize| bars::room(screen, taken + 2);
        // If only one of them fits, the bar is more useful than the mean latency.
        let with_waited = beside(needed + waited + 2);
        let (waited, bar) = match with_waited {
            0 => (0, beside(needed)),
            bar => (waited, bar),
        };
        Columns { name, figure, change, mark, waited, bar, fits: needed <= screen.width }
    }
}

fn phase(
    document: &CompareDocument,
    finding: &PhaseFinding,
    columns: &Columns,
    screen: &Screen,
) -> String {
    let one_disk = document.is_one_disk();
    let figure = word(finding.judged.name());
    let mut title = format!("{}: {figure}", test_title(&finding.title).text(screen.lang));
    if finding.judged.better() == Better::Lower {
        title = localized!("{title} (less is better)");
    }
    let mut text = wrapped(&title, screen.width, "", "  ");
    let most = finding.standings.iter().map(VolumeStanding::figure).fold(0.0, f64::max);
    for standing in &finding.standings {
        let share = if most > 0.0 { standing.figure() / most } else { 0.0 };
        let line = line(&row(document, finding, standing, screen), share, columns, screen);
        let better = !one_disk && is_shown_better(finding, standing);
        text += &if better && screen.colour { format!("\x1b[32m{line}\x1b[0m") } else { line };
        text.push('\n');
    }
    // The remark on a shared disk is printed once, above.
    let told = finding.told(screen.lang).into_iter().filter(|_| !one_disk);
    text + &told.map(|s| wrapped(&s, screen.width, "  - ", "    ")).collect::<String>()
}

fn line(row: &Row, share: f64, columns: &Columns, screen: &Screen) -> String {
    if !columns.fits {
        let parts = [row.figure.as_str(), &row.change, &row.mark, &row.waited];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let text = format!("{}: {}", row.name, parts.join(", "));
        return wrapped(&text, screen.width, "  ", "      ").trim_end().to_owned();
    }
    let Columns { name, figure, change, mark, waited, bar: bar_columns, .. } = *columns;
    let volume = from_left(&row.name, name);
    let (figure, change) = (to_right(&row.figure, figure), from_left(&row.change, change));
    let mut line = format!("  {volume}  {figure}  {change}");
    if mark > 0 {
        line += &format!("  {}", from_left(&row.mark, mark));
    }
    if bar_columns > 0 {
        let bar = bar(share, bar_columns, screen.unicode);
        line += &format!("  {bar:<bar_columns$}");
    }
    if waited > 0 {
        line += &format!("  {}", to_right(&row.waited, waited));
    }
    line.trim_end().to_owned()
}

/// Failures and remarks. A remark that several rounds share is printed once, with the figures of
/// the first.
fn notes(document: &CompareDocument, screen: &Screen) -> String {
    let mut notes: Vec<String> = Vec::new();
    let mut said = Vec::new();
    for volume in &document.volumes {
        let failure = volume.failure.iter();
        notes.extend(failure.map(|why| localized!("{}: FAILED: {why}", volume.place.volume.name)));
    }
    for run in &document.runs {
        let name = run_name(document, run, screen);
        if let Some(why) = run.failure.as_ref().filter(|_| !run.cut_short) {
            notes.push(localized!("{name}: round {} FAILED: {why}", run.round + 1));
        }
        for remark in &run.remarks {
            let which = (run.volume, run.phase, discriminant(&remark.remark));
            if !said.contains(&which) {
                said.push(which);
                notes.push(format!("{name}: {}", remark.told(screen.lang)));
            }
        }
    }
    match notes.is_empty() {
        true => String::new(),
        false => {
            let lines = notes.iter().map(|note| warning(note, screen));
            format!("\n{}", lines.collect::<String>())
        }
    }
}
