//! What crosses to another machine comes back as it was: options, events, and what a run leaves
//! behind.

use crate::support::*;
use fathom_job::JobSpec;
use fathom_run::{Event, RunError, RunOptions, RunOutcome};
use fathom_vocab::IoEngine;
use serde::{Serialize, de::DeserializeOwned};
use std::path::Path;
use std::time::Duration;

fn sent<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let bytes = serde_json::to_vec(value).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// A job that keeps every log, fails at nothing, and is soon over.
fn logged(folder: &Path) -> JobSpec {
    let mut job = job("logged", folder, RANDRW, 1 << 20);
    job.engine.engine = IoEngine::Null;
    job.extent.number_ios = Some(64);
    let logs = &mut job.measure.logs;
    for log in [&mut logs.bw, &mut logs.iops, &mut logs.lat, &mut logs.hist] {
        *log = Some("x".to_owned());
    }
    logs.hist_ms = 1;
    job
}

#[test]
fn what_a_run_leaves_behind_comes_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let outcome: RunOutcome = run(&[logged(folder.path())]).unwrap();
    assert!(outcome.logs[0].lat.len() == 64 && !outcome.logs[0].hist.is_empty());
    assert_eq!(sent(&outcome), outcome);
}

#[test]
fn every_event_of_a_run_comes_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut endless = job("endless", folder.path(), RANDREAD, 1 << 16);
    endless.engine.engine = IoEngine::Psync;
    endless.extent.time_based = true;
    endless.extent.runtime_us = 600_000_000;
    let mut failing = job("failing", folder.path(), WRITE, 1 << 16);
    failing.target.filenames = vec!["/dev/full".into()];
    let blocked = folder.path().join("file");
    std::fs::write(&blocked, b"").unwrap();
    let mut unmade = job("unmade", folder.path(), WRITE, 1 << 16);
    unmade.target.filenames = vec![blocked.join("below")];
    let control = std::sync::Arc::new(fathom_run::Control::default());
    let mut events: Vec<Event> = Vec::new();
    let mut act = |event: &Event| {
        match event {
            Event::Live(live) if live.rate_iops.read > 0 => control.request_status(),
            Event::Status(_) => control.stop(),
            _ => {}
        }
        events.push(event.clone());
    };
    run_watched(&[endless, failing, unmade], &control, &mut act).unwrap();
    let has = |kind: fn(&Event) -> bool| events.iter().any(kind);
    assert!(has(|event| matches!(event, Event::Starting { .. })));
    assert!(has(|event| matches!(event, Event::LayingOut { .. })));
    assert!(has(|event| matches!(event, Event::LaidOut { .. })));
    assert!(has(|event| matches!(event, Event::Error(RunError::File { .. }))));
    assert!(has(|event| matches!(event, Event::JobFailed(failure) if failure.job == "failing")));
    assert!(has(|event| matches!(event, Event::Status(_))));
    for event in &events {
        assert_eq!(&sent(event), event);
    }
}

#[test]
fn options_come_back_whole() {
    let options = RunOptions {
        global_options: vec![("direct".to_owned(), None)],
        status_interval: Some(Duration::from_micros(1_000_001)),
        ..options()
    };
    assert_eq!(sent(&options), options);
}
