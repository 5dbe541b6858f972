//! The plan of a run: each job with its files, its time and the bytes that it would write, and the
//! totals.

use super::RunRefusal;
use crate::output::{PlanDocument, PlannedTarget};
use crate::session::Session;
use crate::terminal::heading::{at_1_gb, host, line};
use crate::terminal::screen::{Screen, wrapped};
use fathom_campaign::{binary_bytes, examine_volume, seconds};
use fathom_host::Host;
use fathom_job::{BlockSize, Invocation, JobSpec};
use fathom_run::{Foreseen, ForeseenFile, Opening, Span, Written, foresee, openings};
use fathom_vocab::{Direction, Target};
use std::path::Path;

/// The forecast of each job.
///
/// # Errors
/// If the run would be refused.
pub fn forecasts(invocation: &Invocation, machine: &Host) -> Result<Vec<Foreseen>, RunRefusal> {
    let readonly = invocation.settings.readonly;
    Ok(foresee(&invocation.jobs, machine, crate::seed::entropy(), readonly)?)
}

/// The whole plan of jobs; `may_end_early` where something outside of them may end the run.
pub fn text(
    invocation: &Invocation,
    all: &[Foreseen],
    session: &Session,
    may_end_early: bool,
) -> String {
    let (jobs, screen, machine) = (&invocation.jobs, &session.screen, &session.host);
    let mut text = host(&session.system, screen);
    for ((job, opening), of) in jobs.iter().zip(&openings(jobs)).zip(all) {
        text += &wrapped(&title(job, opening), screen.width, "\n", "  ");
        text += &line("files", &files(of), screen);
        if let Some(on) = of.files.first().and_then(|file| place(machine, &file.path)) {
            text += &line("on", &on, screen);
        }
        if let Some(begins) = begins(job, of) {
            text += &line("begins", &begins, screen);
        }
        text += &line("time", &time(job, of.time), screen);
        text += &line("writes", &written(of.written), screen);
        text += &commands(job, screen);
    }
    text + "\n" + &sums(all, may_end_early, screen)
}

/// The same for programs.
pub fn document(invocation: &Invocation, all: &[Foreseen]) -> PlanDocument {
    let jobs = &invocation.jobs;
    let ends: Option<Vec<Span>> = all.iter().map(Foreseen::end).collect();
    let writing_us = |of: &Foreseen| match of.written {
        Written::AsFastAsItGoes { us: Some(us) } => us,
        _ => 0,
    };
    PlanDocument {
        targets: jobs.iter().zip(all).flat_map(|(job, of)| targets(job, of)).collect(),
        runs: openings(jobs).iter().map(|opening| u64::from(opening.clones)).sum(),
        total_us: ends.map(|ends| ends.iter().map(|end| end.us).max().unwrap_or(0)),
        fill_bytes: all.iter().map(Foreseen::filled_bytes).sum(),
        writing_us: all.iter().map(writing_us).sum(),
        ..PlanDocument::new("run", [])
    }
}

/// The files of a job.
fn targets(job: &JobSpec, of: &Foreseen) -> Vec<PlannedTarget> {
    let file = |file: &ForeseenFile| PlannedTarget {
        name: job.name.clone(),
        path: file.path.clone(),
        size_bytes: file.bytes,
        fill_bytes: if file.filled { file.missing_bytes } else { 0 },
        writes: of.written != Written::Nothing,
        test_file: false,
        remarks: Vec::new(),
    };
    of.files.iter().map(file).collect()
}

/// `reads: 4 jobs of randread, 4 KiB, libaio, depth 16, direct`.
fn title(job: &JobSpec, opening: &Opening) -> String {
    let setup = &opening.setup;
    let count =
        if opening.clones == 1 { String::new() } else { format!("{} jobs of ", opening.clones) };
    let direct = if setup.direct { ", direct" } else { "" };
    format!(
        "{}: {count}{}, {}, {}, depth {}{direct}",
        opening.name,
        setup.rw,
        blocks(job),
        setup.ioengine,
        setup.iodepth
    )
}

fn blocks(job: &JobSpec) -> String {
    let rw = job.pattern.rw;
    let has =
        [(rw.read, Direction::Read), (rw.write, Direction::Write), (rw.trim, Direction::Trim)];
    let size = |way: Direction| match &job.pattern.bs[way] {
        BlockSize::Fixed(bytes) => binary_bytes(*bytes),
        mixed => format!("{} to {}", binary_bytes(mixed.min()), binary_bytes(mixed.max())),
    };
    let mut sizes: Vec<String> =
        has.into_iter().filter(|(has, _)| *has).map(|(_, way)| size(way)).collect();
    sizes.dedup();
    sizes.join(" and ")
}

fn files(of: &Foreseen) -> String {
    let Some(first) = of.files.first() else { return "none: nothing is opened".to_owned() };
    let mut text = first.path.display().to_string();
    if of.files.len() > 1 {
        text += &format!(" and {} more", of.files.len() - 1);
    }
    let bytes: u64 = of.files.iter().map(|file| file.bytes).sum();
    text += &format!(", {} to work on", binary_bytes(bytes));
    let missing: u64 = of.files.iter().map(|file| file.missing_bytes).sum();
    match (missing, of.filled_bytes()) {
        (0, _) => text,
        (missing, 0) => {
            text + &format!("; {} would be reserved and not filled", binary_bytes(missing))
        }
        (missing, _) => text + &format!("; {} would be laid out first", binary_bytes(missing)),
    }
}

/// The file system and its device.
fn place(machine: &Host, path: &Path) -> Option<String> {
    let mount = examine_volume(machine, &Target::from(path)).ok()?.mount;
    (mount.fstype != "block").then(|| {
        format!("{} at {}, from {}", mount.fstype, mount.mount_point.display(), mount.source)
    })
}

fn begins(job: &JobSpec, of: &Foreseen) -> Option<String> {
    let waits = match (&job.process.wait_for, job.process.stonewall) {
        (Some(name), _) => format!("when {name} is over"),
        (None, true) => "when all jobs before it are over".to_owned(),
        (None, false) if of.begin_us == Some(Span { us: 0, at_most: false }) => return None,
        (None, false) => "with the job before it".to_owned(),
    };
    Some(match of.begin_us {
        Some(Span { us: 0, .. }) | None => waits,
        Some(span) => format!("{waits}: after {}", span_text(span)),
    })
}

fn time(job: &JobSpec, time: Option<Span>) -> String {
    let Some(span) = time else {
        return "until all of it is done, which takes what the device takes".to_owned();
    };
    match job.extent.ramp_time_us {
        0 => span_text(span),
        ramp_us => format!("{}, of which {} are not counted", span_text(span), seconds(ramp_us)),
    }
}

fn span_text(span: Span) -> String {
    format!("{}{}", seconds(span.us), if span.at_most { " at most" } else { "" })
}

fn written(written: Written) -> String {
    match written {
        Written::Nothing => "nothing".to_owned(),
        Written::AtMost(bytes) => format!("{} at most", binary_bytes(bytes)),
        Written::AsFastAsItGoes { us: None } => "without an end".to_owned(),
        // Few volumes exceed 1 GB/s, and users who pay for writes need a number.
        Written::AsFastAsItGoes { us: Some(us) } => {
            format!("as much as it takes in {}{}", seconds(us), at_1_gb(us))
        }
    }
}

fn commands(job: &JobSpec, screen: &Screen) -> String {
    let both =
        [("runs before", &job.process.exec_prerun), ("runs after", &job.process.exec_postrun)];
    let one = |(label, command): (&str, &Option<String>)| {
        command.as_ref().map(|command| line(label, command, screen))
    };
    both.into_iter().filter_map(one).collect()
}

/// All jobs together.
fn sums(all: &[Foreseen], may_end_early: bool, screen: &Screen) -> String {
    let filled: u64 = all.iter().map(Foreseen::filled_bytes).sum();
    let ends: Option<Vec<Span>> = all.iter().map(Foreseen::end).collect();
    let mut time = match &ends {
        None => "not known: some jobs take what the device takes".to_owned(),
        Some(ends) => span_text(Span {
            us: ends.iter().map(|end| end.us).max().unwrap_or(0),
            at_most: may_end_early || ends.iter().any(|end| end.at_most),
        }),
    };
    if filled > 0 {
        time += &format!(", and the time to write {}", binary_bytes(filled));
    }
    let text = wrapped(&format!("{time}."), screen.width, "Time   ", "       ");
    text + &wrapped(&format!("{}.", sum_written(all, filled)), screen.width, "Writes ", "       ")
}

fn sum_written(all: &[Foreseen], filled: u64) -> String {
    let (mut bytes, mut fast_us, mut endless) = (0u64, 0u64, false);
    for of in all {
        match of.written {
            Written::Nothing => {}
            Written::AtMost(more) => bytes = bytes.saturating_add(more),
            Written::AsFastAsItGoes { us: Some(us) } => fast_us += us,
            Written::AsFastAsItGoes { us: None } => endless = true,
        }
    }
    let mut parts = Vec::new();
    parts.extend((filled > 0).then(|| format!("{} to lay files out", binary_bytes(filled))));
    parts.extend((bytes > 0).then(|| written(Written::AtMost(bytes))));
    parts.extend((fast_us > 0).then(|| written(Written::AsFastAsItGoes { us: Some(fast_us) })));
    parts.extend(endless.then(|| written(Written::AsFastAsItGoes { us: None })));
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", then ") }
}
