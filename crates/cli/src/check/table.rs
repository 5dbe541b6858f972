//! The verdicts: a row for each limit, below them why some are not PASS, and the caps of those that
//! were missed. Bars, and how many seconds reached the promise, are left to the verbose form.

use super::reasons;
use super::row::{CheckRow, title};
use crate::language::word;
use crate::terminal::bars;
use crate::terminal::notes::{self, JudgedUnit, NoteText};
use crate::terminal::screen::{Screen, columns, from_left, warning, wrapped};
use crate::terminal::style::Style;
use crate::terminal::table::{TextCell, TextTable, bar, cell, right};
use crate::terminal::verdicts::{self, VerdictDetail};
use fathom_analysis::Tone;
use fathom_campaign::Goal;
use fathom_campaign::check::{
    CheckBasis, CheckDocument, CheckTrial, LimitRow, Standing, quiet_host,
};
use fathom_campaign::test_title;
use fathom_campaign::verdicts::{Answer, Verdict};
use fathom_message::{Lang, Tell, words};
use fathom_text::text;

/// The results without the answer, which is the first sentence.
pub fn results(document: &CheckDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let mut text = String::new();
    if !document.runs.is_empty() {
        text += &match detail {
            VerdictDetail::Brief => plain(document, rows(document), screen),
            _ => with_bars(document, screen),
        };
        for run in &document.runs {
            text += &explained(document, run, detail, screen);
        }
        text += &judged(document, detail, screen);
    }
    text + &failure(document, screen)
}

/// The rows of all limits, and why some are not PASS, without notes.
pub fn bare(document: &CheckDocument, screen: &Screen) -> String {
    plain(document, rows(document), screen) + &failure(document, screen)
}

fn failure(document: &CheckDocument, screen: &Screen) -> String {
    let line = |why: &String| warning(localized!("FAILED: {why}"), screen);
    document.failure.as_ref().map_or(String::new(), line)
}

/// Verdicts on the runs' figures beside their promises.
fn judged(document: &CheckDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let sound = document.runs.iter().filter(|run| run.figures.is_some());
    let runs: Vec<_> = sound.map(|run| (run.load.title(), run.verdicts.as_slice())).collect();
    if detail != VerdictDetail::Brief {
        return verdicts::beneath(Vec::new(), &runs, JudgedUnit::Run, detail, screen);
    }
    // The reasons below the table say why limits are undecided.
    let missed = |run: &CheckTrial| run.standing() == Standing::Missed;
    let with_client = document.runs.iter().map(|run| brief(run, missed(run)));
    let with_client: Vec<(String, Vec<Verdict>)> = with_client.collect();
    let runs: Vec<_> = with_client.iter().map(|(name, all)| (name.clone(), &all[..])).collect();
    verdicts::beneath(
        noted(&document.runs, missed, screen.lang),
        &runs,
        JudgedUnit::Run,
        detail,
        screen,
    )
}

/// What throws doubt on the figures of `runs`, all runs of a check or some, in English.
pub fn warnings(document: &CheckDocument, runs: &[CheckTrial]) -> Vec<String> {
    let not_kept = |run: &CheckTrial| run.standing() != Standing::Kept;
    let with_client = runs.iter().map(|run| brief(run, not_kept(run)));
    let with_client: Vec<(String, Vec<Verdict>)> = with_client.collect();
    let mut notes = noted(runs, not_kept, Lang::En);
    let runs: Vec<_> = with_client.iter().map(|(name, all)| (name.clone(), &all[..])).collect();
    let other_size = document.basis.other_size().map(|of| of.text(Lang::En));
    notes.extend(other_size.map(|text| NoteText::new(Tone::Warning, text)));
    notes.extend(notes::of_target(&document.setup.remarks));
    verdicts::warnings(notes, &runs, JudgedUnit::Run)
}

/// Notes on the figures that are no verdicts of a run; of a cache, where `tells` says so.
fn noted(runs: &[CheckTrial], tells: fn(&CheckTrial) -> bool, lang: Lang) -> Vec<NoteText> {
    let remarks = runs.iter().map(|run| (run.load.title(), run.remarks.as_slice()));
    let mut all = cache_notes(runs, tells, lang);
    all.extend(notes::remarks(remarks, JudgedUnit::Run, lang));
    all
}

/// The verdicts of a run, and what its finding says of the client, if so.
fn brief(run: &CheckTrial, with_client: bool) -> (String, Vec<Verdict>) {
    // The reasons below the table say where a limit lies within the error of a mean.
    let is_of_mean = |of: &&Verdict| matches!(of.answer, Answer::Sure(_) | Answer::Unsure(_));
    let mut verdicts: Vec<Verdict> =
        run.verdicts.iter().filter(|of| !is_of_mean(of)).cloned().collect();
    let finding = run.finding.as_ref().filter(|_| with_client);
    verdicts.extend(finding.map(|of| Verdict::from(Answer::Client(of.client.clone()))));
    (run.load.title(), verdicts)
}

/// What a cache or others did, where it bears on the outcome: mostly the same for all runs.
fn cache_notes(runs: &[CheckTrial], tells: fn(&CheckTrial) -> bool, lang: Lang) -> Vec<NoteText> {
    let of_cache = |run: &CheckTrial| {
        let of = run.finding.as_ref().filter(|of| of.tells_of_cache() && tells(run));
        let cached = of.map(|of| Verdict::from(Answer::Cached(of.cached.clone())));
        (run.load.title(), Vec::from_iter(cached))
    };
    let cached: Vec<(String, Vec<Verdict>)> = runs.iter().map(of_cache).collect();
    let runs: Vec<_> = cached.iter().map(|(name, all)| (name.clone(), &all[..])).collect();
    let notes = verdicts::brief(&runs, JudgedUnit::Run, false, lang).into_iter();
    notes.map(|note| NoteText { is_foremost: true, ..note }).collect()
}

/// A row for each of these limits, and why some are not PASS; if the table does not fit, a few
/// lines for each.
fn plain<'d>(
    document: &CheckDocument,
    rows: impl Iterator<Item = CheckRow<'d>>,
    screen: &Screen,
) -> String {
    let rows: Vec<CheckRow<'_>> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    let table = grid(document, &rows, screen);
    let text = match table.fits(screen) {
        true => table.text(screen),
        false => rows.iter().map(|row| stacked(document, row, screen)).collect(),
    };
    text + &reasons::text(&rows, self::rows(document).count(), screen)
}

/// The table with bars: beside the table if they fit, otherwise below it; if the table itself does
/// not fit, a few lines for each limit.
fn with_bars(document: &CheckDocument, screen: &Screen) -> String {
    let rows: Vec<CheckRow<'_>> = rows(document).collect();
    let mut table = grid(document, &rows, screen);
    table.bars_in(BARS);
    if !table.fits(screen) {
        let room = bars::room(screen, INDENT);
        let lines = |row: &CheckRow<'_>| {
            let gauge = gauge(&row.1, room, screen);
            let bar = gauge.map_or(String::new(), |gauge| format!("{:INDENT$}{gauge}\n", ""));
            stacked(document, row, screen) + &bar
        };
        return legend(document, room, screen) + &rows.iter().map(lines).collect::<String>();
    }
    match table.bar_columns(screen) {
        0 => table.text(screen) + &beneath(document, screen),
        beside => legend(document, beside, screen) + &table.text(screen),
    }
}

/// Indent of remarks on a run, which have their own lines.
const INDENT: usize = 4;
/// The column of bars.
const BARS: usize = 4;

/// A row for each limit, with a bar where the table has bars.
fn grid(document: &CheckDocument, rows: &[CheckRow<'_>], screen: &Screen) -> TextTable {
    let unicode = screen.unicode;
    let mut table = TextTable::new();
    table.row(vec![
        cell(""),
        right(stated(document, screen.lang)),
        right(word("measured")),
        right(word("verdict")),
    ]);
    for (run, row) in rows {
        let mut cells = vec![
            cell(title(row, screen)),
            right(shown(row, row.limit, word("nothing"))),
            right(measured(run, row)),
            verdict(row.standing, screen),
        ];
        let share = row.share();
        cells.extend(share.map(|share| bar(move |columns| bars::gauge(share, columns, unicode))));
        table.row(cells);
    }
    table
}

/// What a limit is called: `promised`, or `limit` if the user states it.
fn stated(document: &CheckDocument, lang: Lang) -> String {
    words(lang, document.basis.either("check-promised", "check-limit"))
}

/// A figure of a row in its terms.
fn shown(row: &LimitRow<'_>, value: Option<f64>, without: &str) -> String {
    value.map_or(without.to_owned(), |value| row.load.goal.in_unit(value))
}

/// The figure that was limited.
fn measured(run: &CheckTrial, row: &LimitRow<'_>) -> String {
    let without = if run.figures.is_some() { "-" } else { word("failed") };
    shown(row, row.measured, without)
}

/// The same where it does not fit.
fn stacked(document: &CheckDocument, (run, row): &CheckRow<'_>, screen: &Screen) -> String {
    let head = format!("{}: {}", title(row, screen), told(row.standing, screen));
    let (limit, measured) = (shown(row, row.limit, word("nothing")), measured(run, row));
    let stated = document.basis.either("promised", "limit");
    let figures = localized!("{stated} {limit}, measured {measured}");
    wrapped(&head, screen.width, "  ", "    ") + &wrapped(&figures, screen.width, "    ", "      ")
}

/// The bars on their own lines, below a table that leaves no space for them.
fn beneath(document: &CheckDocument, screen: &Screen) -> String {
    let name = rows(document).map(|(_, row)| columns(&title(&row, screen))).max().unwrap_or(0);
    let room = bars::room(screen, name + 2);
    let bar = |(_, row): CheckRow<'_>| {
        let gauge = gauge(&row, room, screen)?;
        Some(format!("{}  {gauge}\n", from_left(&title(&row, screen), name)))
    };
    match rows(document).filter_map(bar).collect::<String>().as_str() {
        "" => String::new(),
        bars => format!("\n{}{bars}", legend(document, room, screen)),
    }
}

/// Every limit of every run.
fn rows(document: &CheckDocument) -> impl Iterator<Item = CheckRow<'_>> {
    document.runs.iter().flat_map(|run| {
        let run: &CheckTrial = run;
        run.rows().into_iter().map(move |row| (run, row))
    })
}

/// The meaning of the bars; empty if there are none.
fn legend(document: &CheckDocument, bar: usize, screen: &Screen) -> String {
    let drawn = || rows(document).filter(|(_, row)| gauge(row, bar, screen).is_some());
    if drawn().next().is_none() {
        return String::new();
    }
    let basis = &document.basis;
    let id = match drawn().any(|(_, row)| row.load.goal == Goal::Latency) {
        true => basis.either("check-bars-latency", "check-bars-latency-by-hand"),
        false => basis.either("check-bars", "check-bars-by-hand"),
    };
    bars::legend(id, screen)
}

/// A bar of the measured beside the promised value, if both are known.
fn gauge(row: &LimitRow<'_>, columns: usize, screen: &Screen) -> Option<String> {
    let share = row.share().filter(|_| columns > 0)?;
    Some(bars::gauge(share, columns, screen.unicode))
}

/// `4 of 4 seconds above 90 % of the promise`, if the promise is one of a share of time.
fn seconds(document: &CheckDocument, run: &CheckTrial, screen: &Screen) -> Option<String> {
    let CheckBasis::Provider { promise, .. } = &document.basis else { return None };
    promise.consistency?;
    run.load.promised.rate?;
    let finding = run.finding.as_ref().filter(|finding| finding.seconds > 0)?;
    let (reached, of) = (finding.reached, finding.seconds);
    let enough = finding.enough * 100.0;
    let text = text!("{reached} of {of} seconds above {enough:.0} % of the promise.");
    Some(text.text(screen.lang).to_owned())
}

/// A standing in a word.
fn told(standing: Standing, screen: &Screen) -> String {
    standing.tell().text(screen.lang)
}

fn verdict(standing: Standing, screen: &Screen) -> TextCell {
    right(told(standing, screen)).styled(match standing {
        Standing::Kept => Style::Green,
        Standing::CouldNotTell => Style::Yellow,
        Standing::Missed => Style::Red,
    })
}

/// Sentences that explain a run's row. The row alone suffices for a limit that was met, unless the
/// user asked for all verdicts; in the brief form also for one that is undecided, of which the
/// reasons below the table tell.
fn explained(
    document: &CheckDocument,
    run: &CheckTrial,
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    let plain = match detail {
        VerdictDetail::Brief => run.standing() != Standing::Missed,
        VerdictDetail::Telling => run.standing() == Standing::Kept,
        VerdictDetail::All => false,
    };
    let remarks = match detail {
        VerdictDetail::Brief => &[][..],
        _ => run.remarks.as_slice(),
    };
    let sentences = if plain { Vec::new() } else { sentences(run, detail, screen.lang) };
    if remarks.is_empty() && sentences.is_empty() && run.failure.is_none() {
        return String::new();
    }
    let title = format!(
        "{}: {}",
        test_title(&run.load.title()).text(screen.lang),
        run.standing().tell().text(screen.lang)
    );
    let mut text = format!("\n{}", wrapped(&title, screen.width, "", "  "));
    if let Some(why) = &run.failure {
        text += &warning(localized!("FAILED: {why}"), screen);
    }
    for sentence in sentences {
        text += &wrapped(&sentence, screen.width, "  ", "    ");
    }
    if let Some(seconds) = seconds(document, run, screen).filter(|_| !plain) {
        text += &wrapped(&seconds, screen.width, "  ", "    ");
    }
    for remark in remarks {
        text += &warning(remark.told(screen.lang), screen);
    }
    text
}

/// What a finding says. The brief form leaves out the figures, which the row has, and the client
/// and a cache, of which notes tell.
fn sentences(run: &CheckTrial, detail: VerdictDetail, lang: Lang) -> Vec<String> {
    let Some(finding) = &run.finding else { return Vec::new() };
    let mut all = finding.told(&run.load, lang);
    if detail == VerdictDetail::Brief {
        let figures = finding.judgement.verdicts.iter().map(Tell::tell);
        let noted = [finding.client.tell(), finding.cached.tell(), quiet_host()];
        let said = figures.chain(noted).map(|said| said.text(lang));
        let said: Vec<String> = said.collect();
        all.retain(|sentence| !said.contains(sentence));
    }
    all
}
