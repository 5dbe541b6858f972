//! Writes the logs of a run: one file for each log of each job, or for all jobs together.

use fathom_job::{JobSpec, LogWindow, Settings};
use fathom_output::{LogKind, LogLayout, aggregate_log_name, log_name};
use fathom_output::{write_histogram, write_sample};
use fathom_run::RunOutcome;
use fathom_stats::log::LogSample;
use fathom_vocab::Direction;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Why a log is not written.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum LogFileError {
    /// It could not be written after the run.
    #[error("writing the log {}: {source}", .path.display())]
    Write { path: PathBuf, source: io::Error },
    /// It could not be written if there were a run.
    #[error(
        "the log {} cannot be written: {source}; its folder must be there and take files",
        .path.display()
    )]
    Unwritable { path: PathBuf, source: io::Error },
}

/// Lines of each log file that the run leaves behind.
type Files = BTreeMap<String, Vec<u8>>;

/// Writes all requested logs.
///
/// # Errors
/// Names the file that could not be written.
pub fn write_logs(
    jobs: &[JobSpec],
    outcome: &RunOutcome,
    settings: &Settings,
) -> Result<(), LogFileError> {
    let mut files = Files::new();
    let mut number = 0;
    let clones = jobs.iter().flat_map(|job| (0..job.process.numjobs).map(move |_| job));
    for (job, logs) in clones.zip(&outcome.logs) {
        number += 1;
        // Writing to memory does not fail.
        let _ = add_clone(&mut files, job, number, logs);
    }
    if settings.bandwidth_log.is_some() {
        let _ = add_aggregate(&mut files, outcome);
    }
    for (name, lines) in files {
        let path = place(&name, settings.aux_path.as_deref());
        fathom_files::replace(&path, &lines)
            .map_err(|source| LogFileError::Write { path, source })?;
    }
    Ok(())
}

/// Whether [`write_logs`] could write all of them; leaves nothing there.
///
/// # Errors
/// Names the file that could not be written.
pub fn check_logs(jobs: &[JobSpec], settings: &Settings) -> Result<(), LogFileError> {
    let names = jobs.iter().flat_map(|job| {
        let spec = &job.measure.logs;
        let kinds = [
            (&spec.bw, LogKind::Bandwidth),
            (&spec.iops, LogKind::Iops),
            (&spec.lat, LogKind::Latency),
            (&spec.hist, LogKind::CompletionHistogram),
        ];
        // The logs of all clones are in one folder.
        let named = kinds.into_iter().filter_map(|(prefix, kind)| Some((prefix.as_ref()?, kind)));
        named.map(|(prefix, kind)| file_name(job, prefix, kind, 1)).collect::<Vec<_>>()
    });
    for name in names {
        let path = place(&name, settings.aux_path.as_deref());
        fathom_files::can_replace(&path)
            .map_err(|source| LogFileError::Unwritable { path, source })?;
    }
    Ok(())
}

fn file_name(job: &JobSpec, prefix: &str, kind: LogKind, number: u32) -> String {
    let prefix = if prefix.is_empty() { &job.name } else { prefix };
    log_name(prefix, kind, job.measure.logs.per_job.then_some(number))
}

fn place(name: &str, folder: Option<&Path>) -> PathBuf {
    folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
}

fn add_clone(
    files: &mut Files,
    job: &JobSpec,
    number: u32,
    logs: &fathom_run::CloneLogs,
) -> io::Result<()> {
    let spec = &job.measure.logs;
    let layout = LogLayout {
        both: spec.window == LogWindow::Both && spec.avg_ms > 0,
        offset: spec.offset,
        prio: spec.prio,
    };
    let file_name = |prefix: &str, kind| file_name(job, prefix, kind, number);
    let m = &job.measure;
    let sets: [(&Option<String>, bool, LogKind, &[LogSample]); 5] = [
        (&spec.bw, true, LogKind::Bandwidth, &logs.bw),
        (&spec.iops, true, LogKind::Iops, &logs.iops),
        (&spec.lat, !m.disable_lat, LogKind::Latency, &logs.lat),
        (&spec.lat, !m.disable_slat, LogKind::SubmissionLatency, &logs.slat),
        (&spec.lat, !m.disable_clat, LogKind::CompletionLatency, &logs.clat),
    ];
    for (prefix, measured, kind, samples) in sets {
        let Some(prefix) = prefix.as_ref().filter(|_| measured) else { continue };
        let lines = files.entry(file_name(prefix, kind)).or_default();
        for sample in samples {
            write_sample(lines, sample, layout)?;
        }
    }
    if let Some(prefix) = &spec.hist {
        let lines = files.entry(file_name(prefix, LogKind::CompletionHistogram)).or_default();
        for sample in &logs.hist {
            write_histogram(lines, sample, spec.hist_coarseness)?;
        }
    }
    Ok(())
}

/// The total bandwidth of all jobs, from the series that every run has.
fn add_aggregate(files: &mut Files, outcome: &RunOutcome) -> io::Result<()> {
    let mut all = fathom_stats::Series::default();
    for job in &outcome.result.jobs {
        all.merge(&job.series);
    }
    for dir in Direction::ALL {
        let lines = files.entry(aggregate_log_name(dir)).or_default();
        for (begins_ms, interval) in all.measured() {
            let time_ms = begins_ms + all.interval_ms;
            let value = interval.bytes[dir] * 1000 / all.interval_ms.max(1) / 1024;
            if value > 0 {
                let sample =
                    LogSample { time_ms, value, value_max: value, dir, bs: 0, offset: 0, prio: 0 };
                write_sample(lines, &sample, LogLayout::default())?;
            }
        }
    }
    Ok(())
}
