//! The store from its users' view: on files, among other programs, and in failing places.

mod exchange;
mod finding;
mod keeping;
mod opening;
mod places;
mod processes;

use crate::{HistoryFigure, HistoryOutcome, HistoryRun, Key, Sharing, Store};
use std::path::PathBuf;
use tempfile::TempDir;

/// 2026-08-01 00:00:00 UTC.
const AUGUST_MS: u64 = 1_785_542_400_000;

/// A history in a folder of its own.
struct Home {
    folder: TempDir,
}

impl Home {
    fn new() -> Home {
        Home { folder: TempDir::new().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("fathom/history.sqlite3")
    }

    fn store(&self) -> Store {
        Store::open(&self.path(), Sharing::OneHost).unwrap()
    }

    fn reader(&self) -> Store {
        Store::open_to_read(&self.path()).unwrap().expect("there is one")
    }
}

/// The `n`th run: each differs from the others in every field that can be searched.
fn run(n: u64) -> HistoryRun {
    let kinds = ["measure", "sweep", "compare", "check", "limit"];
    let targets = vec![format!("/mnt/volume{n}"), format!("/dev/nvme{}n1", n % 7)];
    HistoryRun {
        kind: kinds[n as usize % kinds.len()].to_owned(),
        started_ms: AUGUST_MS + n * 60_000,
        duration_ms: 30_000 + n,
        host: format!("worker-{}", n % 50),
        folder: "/home/someone".to_owned(),
        command: ["fathom", "measure", &targets[0], "--time", "30s"].map(str::to_owned).to_vec(),
        title: format!("latency and IOPS of volume {n}"),
        targets,
        tags: vec![format!("series-{}", n % 20)],
        headline: vec![HistoryFigure {
            label: "4 KiB random read, QD 32".to_owned(),
            key: Key::Iops,
            iops: Some(1000.1 + n as f64),
            p99_ns: Some(1e6 / 3.0),
            ..HistoryFigure::default()
        }],
        outcome: HistoryOutcome::Ran,
        fathom_version: "0.1.0".to_owned(),
    }
}

fn document(n: u64) -> String {
    format!(
        "{{\"kind\":\"fathom-measure\",\"n\":{n},\"mean\":0.1,\"sum\":340282366920938463463374607431768211455}}"
    )
}

/// Whether SQLite finds nothing wrong, the index of text included.
fn assert_sound(store: &Store) {
    let answer: String =
        store.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(answer, "ok");
    let dangling: i64 = store
        .connection
        .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(dangling, 0);
}
