//! The curves of a sweep as tables: a row for each point, with a bar as long as its figure.
//!
//! Bars begin at zero, and all curves of the same unit share one scale, so that two of them can be
//! compared as charts side by side. Made only from the document and a [`Screen`], so that tests see
//! the same text as users.

use super::notes;
use crate::language::word;
use crate::terminal::bars;
use crate::terminal::heading;
use crate::terminal::notes::{JudgedUnit, NoteText};
use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::style::Style;
use crate::terminal::table::{TextCell, TextTable, align, bar, cell, right};
use crate::terminal::verdicts::{self, VerdictDetail};
use fathom_analysis::{CapKind, Knee, Tone};
use fathom_campaign::cases::{CaseFigures, Share, title_of};
use fathom_campaign::sweep::{CLIENTS, Curve, Headline, NCONNECT, Point, RWMIX, SweepDocument};
use fathom_campaign::{latency, megabytes_per_s, thousands};
use fathom_message::{Message, Tell, words};
use fathom_text::text;
use fathom_vocab::printable;
use std::borrow::Cow;

/// The whole text of a sweep: its curves, the best of them, remarks.
pub fn results(
    document: &SweepDocument,
    quiet: bool,
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    let mut text = String::new();
    if quiet {
        // Without the heading, remarks on the figures must still appear beside them.
        text += &heading::remarks(&document.remarks(), screen);
    }
    text += &tables(document, detail, screen);
    let best = if detail == VerdictDetail::Brief { String::new() } else { best(document, screen) };
    text + &best + &judged(document, detail, screen)
}

/// The tables of all curves. In the brief form they follow each other without blank lines.
fn tables(document: &SweepDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let mut tables: Vec<TextTable> =
        document.curves.iter().map(|curve| table(curve, document, screen)).collect();
    align(&mut tables, screen);
    let text = |(curve, table)| match detail {
        VerdictDetail::Brief => title(curve, screen) + &body(curve, table, screen),
        _ => one(curve, table, screen),
    };
    let gap = if detail == VerdictDetail::Brief { "" } else { "\n" };
    document.curves.iter().zip(&tables).map(text).collect::<Vec<String>>().join(gap)
}

/// Notes, and verdicts on the cases' figures.
fn judged(document: &SweepDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let sound = document.cases.iter().filter(|case| case.figures.is_some());
    let cases: Vec<_> = sound.map(|c| (title_of(&c.settings), c.verdicts.as_slice())).collect();
    let mut notes = notes::of(document, screen.lang);
    if detail != VerdictDetail::Brief {
        return verdicts::beneath(notes, &cases, JudgedUnit::Case, detail, screen);
    }
    // The first sentence has the fall of the only curve.
    let is_told = |curve: &&Curve| {
        document.curves.len() == 1 && matches!(curve.knee, Some(Knee::Falling { .. }))
    };
    let others = document.curves.iter().filter(|curve| !is_told(curve));
    notes.extend(others.filter_map(|curve| doubt(curve, screen)));
    verdicts::foremost(notes, &cases, JudgedUnit::Case, screen)
}

/// The highest figure of all curves that are about the same.
fn highest(document: &SweepDocument, headline: Headline) -> f64 {
    let curves = document.curves.iter().filter(|curve| curve.headline == headline);
    let heights = curves.flat_map(|c| &c.points).filter_map(|point| point.height(headline));
    heights.fold(0.0, f64::max)
}

/// One curve: its title, its rows, its knee.
fn one(curve: &Curve, table: &TextTable, screen: &Screen) -> String {
    let name = match curve.settings.is_empty() {
        true => wrapped(localized!("by {}", curve.axis), screen.width, "", "  "),
        false => title(curve, screen),
    };
    name + &body(curve, table, screen) + &knee(curve, screen)
}

/// The settings of a curve, if there are others; the head of the first column names what varies.
fn title(curve: &Curve, screen: &Screen) -> String {
    if curve.settings.is_empty() {
        return String::new();
    }
    let name = text!("{}, by {}", title_of(&curve.settings), curve.axis);
    wrapped(name, screen.width, "", "  ")
}

/// The rows, or short lines if they do not fit.
fn body(curve: &Curve, table: &TextTable, screen: &Screen) -> String {
    match table.fits(screen) {
        true => table.text(screen),
        false => stacked(curve),
    }
}

/// A row for each point, with its bar; the best or the knee is marked after the bar.
fn table(curve: &Curve, document: &SweepDocument, screen: &Screen) -> TextTable {
    let columns = columns(curve);
    let highest = highest(document, curve.headline);
    let marked = marked(curve).map(|(case, id)| (case, words(screen.lang, id)));
    let mut table = TextTable::indented(2);
    let bars = columns.len();
    table.row(columns.iter().map(|column| right(&column.heading)).collect());
    for (at, point) in curve.points.iter().enumerate() {
        let mark = marked.as_ref().and_then(|(case, mark)| (*case == point.case).then_some(mark));
        let mut cells: Vec<TextCell> =
            columns.iter().map(|column| right(&column.cells[at])).collect();
        cells.push(bar_of(curve, point, highest, screen.unicode));
        cells.push(cell(mark.map_or("", String::as_str)));
        table.styled_row(cells, mark.map(|_| Style::Green));
    }
    table.bars_in(bars);
    table.give_way(&[(bars + 1, 0)]);
    table
}

/// Marks after a bar.
const MARKS: [&str; 2] = ["curve-mark-knee", "told-best"];

/// The emphasised case of a curve, and its mark: the knee, because more load only takes longer,
/// otherwise the highest.
fn marked(curve: &Curve) -> Option<(usize, &'static str)> {
    let knee = curve.knee_point().map(|point| (point.case, MARKS[0]));
    knee.or_else(|| curve.best().map(|point| (point.case, MARKS[1])))
        .filter(|_| curve.points.len() > 1)
}

/// A column of figures.
struct Column<'c> {
    heading: Cow<'c, str>,
    cells: Vec<String>,
}

fn columns(curve: &Curve) -> Vec<Column<'_>> {
    let of = |heading: &'static str, cell: &dyn Fn(&CaseFigures) -> String| {
        let text = |point: &Point| point.figures.as_ref().map_or("-".to_owned(), cell);
        Column { heading: word(heading).into(), cells: curve.points.iter().map(text).collect() }
    };
    let axis = match curve.axis.as_str() {
        RWMIX => word("mix").into(),
        "iodepth" => word("QD").into(),
        "numjobs" => word("jobs").into(),
        CLIENTS => word("clients").into(),
        NCONNECT => word("connections").into(),
        other => Cow::from(other),
    };
    let value = |point: &Point| printable::line(&point.value).into_owned();
    let values = curve.points.iter().map(value).collect();
    let mut columns = vec![Column { heading: axis, cells: values }];
    if is_mixed(curve) {
        let iops =
            |share: Option<Share>| share.map_or("-".to_owned(), |share| thousands(share.iops));
        columns.push(of("reads/s", &|figures| iops(figures.shares.read)));
        columns.push(of("writes/s", &|figures| iops(figures.shares.write)));
    }
    columns.push(of("IOPS", &|figures| thousands(figures.total.iops)));
    columns.push(of("MB/s", &|figures| megabytes_per_s(figures.total.mb_per_s)));
    columns.push(of("mean", &|figures| latency(figures.total.mean_ns)));
    columns.push(of("p99", &|figures| latency(figures.total.p99_ns as f64)));
    columns.extend(percents(curve, "scaling", |point| point.scaling_percent));
    columns.extend(percents(curve, "spread", Point::spread_percent));
    columns
}

/// A column of percentages, if a point has one.
fn percents(
    curve: &Curve,
    heading: &'static str,
    of: impl Fn(&Point) -> Option<f64>,
) -> Option<Column<'static>> {
    let percents: Vec<Option<f64>> = curve.points.iter().map(of).collect();
    percents.iter().any(Option::is_some).then(|| {
        let text = |percent: &Option<f64>| {
            percent.map_or("-".to_owned(), |percent| format!("{percent:.0} %"))
        };
        Column { heading: word(heading).into(), cells: percents.iter().map(text).collect() }
    })
}

/// Whether some point has both reads and writes.
fn is_mixed(curve: &Curve) -> bool {
    let both =
        |figures: &CaseFigures| figures.shares.read.is_some() && figures.shares.write.is_some();
    curve.axis == RWMIX || curve.points.iter().any(|p| p.figures.as_ref().is_some_and(both))
}

/// A point's bar; of a mix, the part of its writes is drawn lighter.
fn bar_of(curve: &Curve, point: &Point, highest: f64, unicode: bool) -> TextCell {
    let Some(figures) = point.figures.as_ref().filter(|_| highest > 0.0) else { return cell("") };
    let share = point.height(curve.headline).unwrap_or(0.0) / highest;
    let both = figures.shares.read.filter(|_| figures.shares.write.is_some());
    let reads = both.map(|read| read.iops / figures.total.iops.max(f64::MIN_POSITIVE));
    bar(move |columns| {
        let whole = bars::bar(share, columns, unicode);
        let Some(reads) = reads else { return whole };
        let length = whole.chars().count();
        let solid = (reads.clamp(0.0, 1.0) * length as f64).round() as usize;
        let light = if unicode { "▒" } else { "=" };
        whole.chars().take(solid).collect::<String>() + &light.repeat(length - solid)
    })
}

/// The same figures if the table does not fit: two short lines a point.
fn stacked(curve: &Curve) -> String {
    let one = |point: &Point| match &point.figures {
        None => format!("  {}\n    -\n", printable::line(&point.value)),
        Some(CaseFigures { total, .. }) => format!(
            "  {}\n    {} IOPS, {} MB/s\n    {}\n",
            printable::line(&point.value),
            thousands(total.iops),
            megabytes_per_s(total.mb_per_s),
            localized!("mean {}, p99 {}", latency(total.mean_ns), latency(total.p99_ns as f64))
        ),
    };
    curve.points.iter().map(one).collect()
}

/// The sentences on where more load stops paying, and why.
fn knee(curve: &Curve, screen: &Screen) -> String {
    bend(curve, screen) + &cap(curve, screen)
}

/// The cap along the curve. If load rises, the knee already shows where the rate stops growing, and
/// a busy device stops as well; so only a round value that somebody would have set is reported.
fn cap(curve: &Curve, screen: &Screen) -> String {
    let Some(cap) = curve.cap.as_ref().filter(|cap| cap.is_plain()) else {
        return String::new();
    };
    let sentence = match (curve.axis == "bs", cap.nominal()) {
        (true, _) => cap.tell(),
        (false, Some(value)) => {
            let rate = match cap.kind {
                CapKind::Iops => format!("{} IOPS", thousands(value)),
                CapKind::Bandwidth => format!("{} MB/s", megabytes_per_s(value / 1e6)),
            };
            Message::new("curve-round-cap").with("rate", rate)
        }
        (false, None) => return String::new(),
    };
    wrapped(sentence.text(screen.lang), screen.width, "  ", "    ")
}

/// What bends a curve, as a sentence, and how it bears on the figures.
fn bend_told(curve: &Curve) -> Option<(Tone, Message)> {
    if let Some((finding, sentence)) = curve.connections.as_ref().zip(curve.connection_sentence()) {
        return Some((finding.tone(), sentence));
    }
    let knee = curve.knee.as_ref().filter(|knee| !matches!(knee, Knee::TooFew { .. }))?;
    Some((knee.tone(), knee_sentence(curve, knee)))
}

/// `randread, bs=4k: from QD 16 on IOPS stay at 20,000 …`.
fn knee_sentence(curve: &Curve, knee: &Knee) -> Message {
    match curve.own_settings() {
        None => Message::new("curve-knee").part("knee", knee.tell()),
        Some(names) => Message::new("curve-knee-of").with("curve", names).part("knee", knee.tell()),
    }
}

fn bend(curve: &Curve, screen: &Screen) -> String {
    let Some((tone, sentence)) = bend_told(curve) else { return String::new() };
    let first = if tone >= Tone::Warning { "  ! " } else { "  " };
    wrapped(sentence.text(screen.lang), screen.width, first, "    ")
}

/// The same as a note, if it says that the figures do not show the volume's limit.
fn doubt(curve: &Curve, screen: &Screen) -> Option<NoteText> {
    let (tone, sentence) = bend_told(curve).filter(|(tone, _)| *tone >= Tone::Warning)?;
    Some(NoteText::new(tone, sentence.text(screen.lang)))
}

/// The highest point of all curves, of each unit that they have.
fn best(document: &SweepDocument, screen: &Screen) -> String {
    let mut text = String::new();
    for (headline, unit) in [(Headline::Iops, "IOPS"), (Headline::Throughput, "MB/s")] {
        let curves = document.curves.iter().filter(|curve| curve.headline == headline);
        let bests = curves.filter_map(|curve| Some((curve, curve.best()?)));
        let height = |point: &Point| point.height(headline).unwrap_or(0.0);
        let Some((curve, point)) = bests.max_by(|a, b| height(a.1).total_cmp(&height(b.1))) else {
            continue;
        };
        let figure = match headline {
            Headline::Iops => thousands(height(point)),
            Headline::Throughput => megabytes_per_s(height(point)),
        };
        let at = format!("{}={}", curve.axis, point.value);
        let place = match curve.settings.is_empty() {
            true => at,
            false => format!("{}, {at}", title_of(&curve.settings)),
        };
        let line = Message::new("curve-best")
            .with("rate", format_args!("{figure} {unit}"))
            .with("place", place);
        text += &format!("\n{}", wrapped(line.text(screen.lang), screen.width, "", "  "));
    }
    text
}
