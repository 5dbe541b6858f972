//! The plan of a run: each job with its files, its time and the bytes that it would write, and the
//! totals.

use super::RunRefusal;
use super::space::Shortage;
use crate::language::{lang, word};
use crate::output::{PlanDocument, PlannedTarget};
use crate::session::Session;
use crate::terminal::heading::{at_1_gb, host, line};
use crate::terminal::screen::{Screen, labelled, warning, wrapped};
use fathom_campaign::{binary_bytes, examine_volume, seconds};
use fathom_host::Host;
use fathom_job::{BlockSize, Invocation, JobSpec};
use fathom_message::{Message, list};
use fathom_run::{
    Foreseen, ForeseenFile, Opening, Span, Written, filled_bytes_of_all, foresee, openings,
};
use fathom_vocab::{Direction, Target};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

/// The forecast of each job.
///
/// # Errors
/// If the run would be refused.
pub fn forecasts(invocation: &Invocation, machine: &Host) -> Result<Vec<Foreseen>, RunRefusal> {
    let readonly = invocation.settings.readonly;
    Ok(foresee(&invocation.jobs, machine, fathom_vocab::entropy(), readonly)?)
}

/// The whole plan of jobs; `may_end_early` where something outside of them may end the run.
pub fn text(
    invocation: &Invocation,
    all: &[Foreseen],
    shortages: &[Shortage],
    session: &Session,
    may_end_early: bool,
) -> String {
    let (jobs, screen, machine) = (&invocation.jobs, &session.screen, &session.host);
    let mut text = host(&session.system, screen);
    for ((job, opening), of) in jobs.iter().zip(&openings(jobs)).zip(all) {
        text += &wrapped(title(job, opening), screen.width, "\n", "  ");
        text += &line("files", files(of), screen);
        if let Some(on) = of.files.first().and_then(|file| place(machine, &file.path)) {
            text += &line("on", &on, screen);
        }
        if let Some(begins) = begins(job, of) {
            text += &line("begins", &begins, screen);
        }
        text += &line("time", time(job, of.time), screen);
        text += &line("writes", written(of.written), screen);
        text += &commands(job, screen);
    }
    text + "\n" + &sums(jobs, all, may_end_early, screen) + &lacking(shortages, screen)
}

/// The plan of jobs on other machines, which said that they can begin: their files are known there
/// alone.
pub fn text_elsewhere(invocation: &Invocation, hosts: u32, screen: &Screen) -> String {
    let jobs = &invocation.jobs;
    let mut text = String::new();
    for (job, opening) in jobs.iter().zip(&openings(jobs)) {
        text += &wrapped(title(job, opening), screen.width, "\n", "  ");
        let named = job.target.filenames.iter().chain(&job.target.directories);
        let named: Vec<_> = named.map(|path| path.to_string_lossy()).collect();
        if !named.is_empty() {
            text += &line("files", some_of(&named), screen);
        }
        if job.extent.runtime_us > 0 {
            text += &line("time", seconds(job.extent.runtime_us), screen);
        }
        text += &commands(job, screen);
    }
    let hosts = localized!(
        "{hosts|1=the host says|all {hosts} hosts say} that these jobs can begin. Each runs all of \
         them; nothing was written."
    );
    text + "\n" + &labelled("Hosts  ", &hosts, screen)
}

/// The same for programs.
pub fn document_elsewhere(invocation: &Invocation, hosts: u32) -> PlanDocument {
    let clones: u64 = openings(&invocation.jobs).iter().map(|of| u64::from(of.clones)).sum();
    PlanDocument { runs: clones.saturating_mul(u64::from(hosts)), ..PlanDocument::new("run", []) }
}

/// The plan before a run: its time, what it writes, and the files that it leaves.
pub fn brief(
    jobs: &[JobSpec],
    all: &[Foreseen],
    shortages: &[Shortage],
    may_end_early: bool,
    screen: &Screen,
) -> String {
    sums(jobs, all, may_end_early, screen) + &left(jobs, all, screen) + &lacking(shortages, screen)
}

/// Warnings about the files that do not fit.
fn lacking(shortages: &[Shortage], screen: &Screen) -> String {
    shortages.iter().map(|shortage| warning(shortage.sentence(), screen)).collect()
}

/// The files that stay after the run and were not there before it.
fn left(jobs: &[JobSpec], all: &[Foreseen], screen: &Screen) -> String {
    let staying = jobs.iter().zip(all).filter(|(job, _)| !job.target.unlink);
    let made = staying.flat_map(|(_, of)| &of.files).filter(|file| file.missing_bytes > 0);
    let paths: BTreeSet<&Path> = made.map(|file| file.path.as_path()).collect();
    let mut folders: Vec<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
    folders.dedup();
    let (folder, names) = match folders.as_slice() {
        [folder] if !folder.as_os_str().is_empty() => {
            let names = paths.iter().filter_map(|path| path.file_name());
            let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
            (Some(folder.display()), some_of(&names))
        }
        _ => {
            let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
            (None, some_of(&names))
        }
    };
    let text = match (paths.len(), folder) {
        (0, _) => return String::new(),
        (count, Some(folder)) => {
            localized!("{count|1=1 file|{count} files} in {folder}: {names}")
        }
        (count, None) => localized!("{count|1=1 file|{count} files} {names}"),
    };
    labelled("Leaves ", &text, screen)
}

/// The first names, and how many more there are.
fn some_of(names: &[Cow<'_, str>]) -> String {
    const MOST: usize = 4;
    let shown = names.iter().take(MOST).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => localized!("{shown} and {more} more"),
    }
}

/// The name of each job, clones included, in the order of their numbers.
pub fn names(jobs: &[JobSpec]) -> Vec<String> {
    let all = openings(jobs).into_iter();
    all.flat_map(|opening| vec![opening.name; opening.clones as usize]).collect()
}

/// How long all jobs take; none where the device decides.
pub fn total_us(all: &[Foreseen]) -> Option<u64> {
    let ends: Option<Vec<Span>> = all.iter().map(Foreseen::end).collect();
    ends.map(|ends| ends.iter().map(|end| end.us).max().unwrap_or(0))
}

/// The same for programs.
pub fn document(invocation: &Invocation, all: &[Foreseen], shortages: &[Shortage]) -> PlanDocument {
    let jobs = &invocation.jobs;
    let writing_us = |of: &Foreseen| match of.written {
        Written::AsFastAsItGoes { us: Some(us) } => us,
        _ => 0,
    };
    PlanDocument {
        targets: jobs.iter().zip(all).flat_map(|(job, of)| targets(job, of, shortages)).collect(),
        runs: openings(jobs).iter().map(|opening| u64::from(opening.clones)).sum(),
        total_us: total_us(all),
        fill_bytes: filled_bytes_of_all(all),
        writing_us: all.iter().map(writing_us).sum(),
        ..PlanDocument::new("run", [])
    }
}

/// The files of a job.
fn targets(job: &JobSpec, of: &Foreseen, shortages: &[Shortage]) -> Vec<PlannedTarget> {
    let remarks = |file: &ForeseenFile| {
        let own = shortages.iter().filter(|shortage| shortage.paths.contains(&file.path));
        own.map(|shortage| shortage.sentence().to_string()).collect()
    };
    let file = |file: &ForeseenFile| PlannedTarget {
        name: job.name.clone(),
        path: file.path.clone(),
        size_bytes: file.bytes,
        fill_bytes: if file.filled { file.missing_bytes } else { 0 },
        writes: of.written != Written::Nothing,
        test_file: false,
        remarks: remarks(file),
    };
    of.files.iter().map(file).collect()
}

/// `reads: 4 jobs of randread, 4 KiB, libaio, QD 16, direct`.
fn title(job: &JobSpec, opening: &Opening) -> String {
    let setup = &opening.setup;
    let mut text = match opening.clones {
        1 => setup.rw.to_string(),
        clones => localized!("{clones} jobs of {}", setup.rw),
    };
    text += &localized!(", {}, {}, QD {}", blocks(job), setup.ioengine, setup.iodepth);
    if setup.direct {
        text += &localized!(", direct");
    }
    format!("{}: {text}", opening.name)
}

fn blocks(job: &JobSpec) -> String {
    let rw = job.pattern.rw;
    let has =
        [(rw.read, Direction::Read), (rw.write, Direction::Write), (rw.trim, Direction::Trim)];
    let size = |way: Direction| match &job.pattern.bs[way] {
        BlockSize::Fixed(bytes) => binary_bytes(*bytes),
        mixed => localized!("{} to {}", binary_bytes(mixed.min()), binary_bytes(mixed.max())),
    };
    let mut sizes: Vec<String> =
        has.into_iter().filter(|(has, _)| *has).map(|(_, way)| size(way)).collect();
    sizes.dedup();
    list::names(sizes.into_iter().map(Message::from)).text(lang())
}

fn files(of: &Foreseen) -> String {
    let Some(first) = of.files.first() else { return localized!("none: nothing is opened") };
    let mut text = first.path.display().to_string();
    if of.files.len() > 1 {
        text = localized!("{text} and {} more", of.files.len() - 1);
    }
    let bytes: u64 = of.files.iter().map(|file| file.bytes).sum();
    text += &localized!(", {} to work on", binary_bytes(bytes));
    let missing: u64 = of.files.iter().map(|file| file.missing_bytes).sum();
    match (missing, of.filled_bytes()) {
        (0, _) => text,
        (missing, 0) => {
            text + &localized!("; {} would be reserved and not filled", binary_bytes(missing))
        }
        (missing, _) => text + &localized!("; {} would be laid out first", binary_bytes(missing)),
    }
}

/// The file system and its device.
fn place(machine: &Host, path: &Path) -> Option<String> {
    let mount = examine_volume(machine, &Target::from(path)).ok()?.mount;
    (mount.fstype != "block").then(|| {
        localized!("{} at {}, from {}", mount.fstype, mount.mount_point.display(), mount.source)
    })
}

fn begins(job: &JobSpec, of: &Foreseen) -> Option<String> {
    let waits = match (&job.process.wait_for, job.process.stonewall) {
        (Some(name), _) => localized!("when {name} is over"),
        (None, true) => localized!("when all jobs before it are over"),
        (None, false) if of.begin_us == Some(Span { us: 0, at_most: false }) => return None,
        (None, false) => localized!("with the job before it"),
    };
    Some(match of.begin_us {
        Some(Span { us: 0, .. }) | None => waits,
        Some(span) => localized!("{waits}: after {}", span_text(span)),
    })
}

fn time(job: &JobSpec, time: Option<Span>) -> String {
    let Some(span) = time else {
        return localized!("until all of it is done, which takes what the device takes");
    };
    match job.extent.ramp_time_us {
        0 => span_text(span),
        ramp_us => localized!("{}, of which {} are not counted", span_text(span), seconds(ramp_us)),
    }
}

fn span_text(span: Span) -> String {
    match span.at_most {
        true => localized!("{} at most", seconds(span.us)),
        false => seconds(span.us),
    }
}

fn written(written: Written) -> String {
    match written {
        Written::Nothing => localized!("nothing"),
        Written::AtMost(bytes) => localized!("{} at most", binary_bytes(bytes)),
        Written::AsFastAsItGoes { us: None } => localized!("without an end"),
        // Few volumes exceed 1 GB/s, and users who pay for writes need a number.
        Written::AsFastAsItGoes { us: Some(us) } => {
            localized!("as much as it takes in {}{}", seconds(us), at_1_gb(us))
        }
    }
}

fn commands(job: &JobSpec, screen: &Screen) -> String {
    let both =
        [("runs before", &job.process.exec_prerun), ("runs after", &job.process.exec_postrun)];
    let one = |(label, command): (&'static str, &Option<String>)| {
        command.as_ref().map(|command| line(label, command, screen))
    };
    both.into_iter().filter_map(one).collect()
}

/// All jobs together.
fn sums(jobs: &[JobSpec], all: &[Foreseen], may_end_early: bool, screen: &Screen) -> String {
    let filled = filled_bytes_of_all(all);
    let ends: Option<Vec<Span>> = all.iter().map(Foreseen::end).collect();
    let mut time = match &ends {
        None => localized!("not known: some jobs take what the device takes"),
        Some(ends) => span_text(Span {
            us: ends.iter().map(|end| end.us).max().unwrap_or(0),
            at_most: may_end_early || ends.iter().any(|end| end.at_most),
        }),
    };
    let turns = jobs.iter().skip(1).filter(|job| job.process.stonewall).count();
    if turns > 0 && ends.is_some() {
        time = localized!("{time} ({} groups in turn)", turns + 1);
    }
    if filled > 0 {
        time = localized!("{time}, and the time to write {}", binary_bytes(filled));
    }
    let text = labelled("Time   ", format!("{time}."), screen);
    let written = format!("{}{}.", sum_written(all, filled), overwritten(all));
    text + &labelled("Writes ", &written, screen)
}

/// The files and devices whose data the jobs write over.
fn overwritten(all: &[Foreseen]) -> String {
    let writing = all.iter().filter(|of| of.written != Written::Nothing);
    let existing = writing.flat_map(|of| &of.files).filter(|file| file.missing_bytes < file.bytes);
    let paths: BTreeSet<&Path> = existing.map(|file| file.path.as_path()).collect();
    let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    if names.is_empty() {
        return String::new();
    }
    localized!(", over the data of {}", some_of(&names))
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
    parts.extend((filled > 0).then(|| localized!("{} to lay files out", binary_bytes(filled))));
    parts.extend((bytes > 0).then(|| written(Written::AtMost(bytes))));
    parts.extend((fast_us > 0).then(|| written(Written::AsFastAsItGoes { us: Some(fast_us) })));
    parts.extend(endless.then(|| written(Written::AsFastAsItGoes { us: None })));
    if parts.is_empty() { localized!("nothing") } else { parts.join(word(", then ")) }
}
