//! The figures of a run: a row for each job and direction and one for its flushes, with clones
//! merged.

use crate::terminal::connections;
use crate::terminal::notes::{self, NoteText, and_more};
use crate::terminal::screen::Screen;
use crate::terminal::table::{TextTable, cell, heading, right};
use fathom_analysis::Tone;
use fathom_campaign::{latency, megabytes_per_s, thousands};
use fathom_document::JobFigures;
use fathom_message::{Lang, Message, words};
use fathom_report::direction_word;
use fathom_stats::{JobResult, LatencyStats, RunResult};
use fathom_store::{HistoryFigure, Key};
use fathom_text::text;
use fathom_vocab::Direction;

/// A job's figures in one direction, or of its flushes.
struct Row {
    name: String,
    iops: f64,
    /// None for flushes, which transfer no data.
    mb_per_s: Option<f64>,
    latency: LatencyStats,
    /// Share of a processor that each of its threads used, in percent, all directions together.
    cpu_percent: f64,
}

/// The table, and that of connections.
pub fn results(result: &RunResult, screen: &Screen) -> String {
    let rows_of = |job| rows_of(job, screen.lang).chain(flushes(job));
    let rows: Vec<Row> = result.whole_jobs().iter().flat_map(rows_of).collect();
    let mut table = TextTable::new();
    let columns = ["", "IOPS", "MB/s", "mean", "p50", "p99", "p99.9", "max", "CPU"];
    table.row(heading(&columns));
    for row in &rows {
        let mut cells = vec![cell(&row.name)];
        cells.extend(row.cells().into_iter().map(right));
        table.row(cells);
    }
    let text = match (rows.is_empty(), table.fits(screen)) {
        (true, _) => words(screen.lang, "told-no-ios") + "\n",
        (false, true) => table.text(screen),
        (false, false) => rows.iter().map(Row::stacked).collect(),
    };
    text + &connections::table(&[(String::new(), result)], screen)
}

impl Row {
    fn cells(&self) -> [String; 8] {
        let percentiles = self.latency.percentiles(&[50.0, 99.0, 99.9]);
        let at = |index: usize| match percentiles.get(index) {
            Some(ns) if *ns > 0 => latency(*ns as f64),
            _ => "-".to_owned(),
        };
        let moment = |ns: f64| match self.latency.moments.count {
            0 => "-".to_owned(),
            _ => latency(ns),
        };
        [
            thousands(self.iops),
            self.mb_per_s.map_or_else(|| "-".to_owned(), megabytes_per_s),
            moment(self.latency.moments.mean()),
            at(0),
            at(1),
            at(2),
            moment(self.latency.moments.max as f64),
            match self.mb_per_s {
                Some(_) => format!("{:.0} %", self.cpu_percent),
                None => "-".to_owned(),
            },
        ]
    }

    /// The same if the table does not fit.
    fn stacked(&self) -> String {
        let [iops, mb, mean, p50, p99, p999, max, cpu] = self.cells();
        let rates = localized!("{iops} IOPS, {mb} MB/s, mean {mean}");
        let most = localized!("max {max}, CPU {cpu}");
        format!("{}\n  {rates}\n  p50 {p50}, p99 {p99}, p99.9 {p999}\n  {most}\n", self.name)
    }
}

fn rows_of(job: &JobResult, lang: Lang) -> impl Iterator<Item = Row> {
    let busy_us = job.cpu.user_us + job.cpu.system_us;
    let cpu_percent = busy_us as f64 / 10.0 / job.runtime_ms.max(1) as f64;
    let row = move |way: Direction| {
        let stats = &job.dirs[way];
        let seconds = stats.runtime_ms as f64 / 1e3;
        (stats.total_ios > 0 && seconds > 0.0).then(|| Row {
            name: format!("{} {}", job.name, direction_word(way, lang)),
            iops: stats.total_ios as f64 / seconds,
            mb_per_s: Some(stats.io_bytes as f64 / seconds / 1e6),
            latency: stats.lat_or_clat().clone(),
            cpu_percent,
        })
    };
    Direction::ALL.into_iter().filter_map(row)
}

/// The latencies of fsync and fdatasync, which on an export are COMMITs.
fn flushes(job: &JobResult) -> Option<Row> {
    let seconds = job.runtime_ms as f64 / 1e3;
    let what = if job.setup.ioengine == "nfs" { "COMMIT" } else { "sync" };
    (job.sync.moments.count > 0 && seconds > 0.0).then(|| Row {
        name: format!("{} {what}", job.name),
        iops: job.sync.moments.count as f64 / seconds,
        mb_per_s: None,
        latency: job.sync.clone(),
        cpu_percent: 0.0,
    })
}

/// Failures of jobs.
pub fn failures(result: &RunResult, lang: Lang) -> Vec<NoteText> {
    let failed = result.jobs.iter().filter(|job| job.error.is_error());
    notes::failures(failed.map(|job| (job.name.clone(), job.error_text.as_str())), lang)
}

/// Notes on the figures of jobs.
pub fn notes(result: &RunResult, lang: Lang) -> Vec<NoteText> {
    let jobs = || result.jobs.iter();
    let mut notes = Vec::new();
    let mut kinds: Vec<(&str, &str, u64)> = Vec::new();
    for (job, note) in jobs().flat_map(|job| job.notes.iter().map(move |note| (job, note))) {
        match kinds.iter_mut().find(|(_, other, _)| other == note) {
            Some((.., more)) => *more += 1,
            None => kinds.push((&job.name, note, 0)),
        }
    }
    let mut add = |text: String| notes.push(NoteText::new(Tone::Warning, text));
    for (name, note, more) in kinds {
        add(format!("{name}: {}", and_more(Message::verbatim(note), more).text(lang)));
    }
    for (name, failed, first) in failed_ios(result) {
        let text = text!("{name}: {failed} I/Os failed ({first}) and are in no figure.");
        add(text.text(lang).to_owned());
    }
    // A job's note is said of that job.
    let is_of_job = |note: &&String| jobs().any(|job| job.notes.contains(note));
    result.notes.iter().filter(|note| !is_of_job(note)).cloned().for_each(&mut add);
    if result.interrupted {
        add(words(lang, "told-all-cut-short"));
    }
    notes
}

/// The I/Os that failed of jobs that went on all the same (`continue_on_error`), with the first
/// error, by the names of jobs.
fn failed_ios(result: &RunResult) -> Vec<(&str, u64, String)> {
    let mut all: Vec<(&str, u64, String)> = Vec::new();
    for job in result.jobs.iter().filter(|job| job.total_err > 0) {
        match all.iter_mut().find(|(name, ..)| *name == job.name) {
            Some((_, failed, _)) => *failed += job.total_err,
            None => all.push((&job.name, job.total_err, job.first_error.text().to_string())),
        }
    }
    all
}

/// The figures that the history lists.
pub fn headline(figures: &[JobFigures]) -> Vec<HistoryFigure> {
    let nanoseconds = |ns: Option<u64>| ns.map(|ns| ns as f64);
    let figure = |of: &JobFigures| HistoryFigure {
        label: format!("{} {}", of.job, of.direction.name()),
        target: String::new(),
        key: Key::Iops,
        iops: Some(of.iops),
        bytes_per_s: Some(of.bytes_per_s),
        mean_ns: of.mean_ns,
        p50_ns: nanoseconds(of.p50_ns),
        p99_ns: nanoseconds(of.p99_ns),
        p999_ns: nanoseconds(of.p999_ns),
    };
    figures.iter().map(figure).collect()
}
