//! Runs the rows: contestants in turn, with each run's figures from its own report.

use crate::args::Args;
use crate::day;
use crate::document::{BenchDocument, GoalResult, RowResult, TABLE_HEAD, Turns};
use crate::figures::ContestantRun;
use crate::instructions;
use crate::nfs_server::NfsServer;
use crate::place::{BenchDevice, Places, Sizes};
use crate::plan::{Bare, BenchRow, BenchWork, Calls, Contestant};
use crate::process::{Finished, Programs, run};
use anyhow::{Context, Result, bail, ensure};
use fathom_engine::bare::{self, BareLoop, Until};
use fathom_engine::{OpenHow, open, thread_usage};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// All that is needed to run rows.
pub struct Contest {
    args: Args,
    programs: Programs,
    stop: Arc<AtomicBool>,
    places: Places,
}

impl Contest {
    /// Ready to run; makes its folder.
    pub fn new(args: &Args, programs: Programs, stop: Arc<AtomicBool>) -> Result<Contest> {
        Contest::sized(args, programs, stop, Sizes::default())
    }

    /// The same with devices of other sizes.
    pub fn sized(
        args: &Args,
        programs: Programs,
        stop: Arc<AtomicBool>,
        sizes: Sizes,
    ) -> Result<Contest> {
        let places = Places::new(&std::path::absolute(&args.dir)?, sizes)?;
        Ok(Contest { args: args.clone(), programs, stop, places })
    }

    /// Runs those of the rows that are wanted, and prints their goals as a Markdown table.
    ///
    /// # Errors
    /// If a run fails or was interrupted; a row that cannot run here is skipped.
    pub fn run(&mut self, mut rows: Vec<BenchRow>) -> Result<BenchDocument> {
        let seconds = self.args.run_time().as_secs_f64();
        let mut document = BenchDocument::new(&self.programs, self.args.turns(), seconds);
        rows.retain(|row| self.args.wants(&row.id));
        ensure!(!rows.is_empty(), "no row has such a name; --list names them");
        println!("{TABLE_HEAD}");
        for row in rows {
            let result = self.row(&row)?;
            print!("{}", result.markdown());
            document.rows.push(result);
        }
        Ok(document)
    }

    /// Runs a row.
    pub fn row(&mut self, row: &BenchRow) -> Result<RowResult> {
        let mut result = RowResult {
            id: row.id.clone(),
            title: row.title.clone(),
            place: row.place,
            skipped: None,
            contestants: Vec::new(),
            goals: Vec::new(),
        };
        let file = match self.places.path(row.place) {
            Ok(file) => file,
            Err(why) => {
                result.skipped = Some(format!("{why:#}"));
                return Ok(result);
            }
        };
        let mut present: Vec<&Contestant> = Vec::new();
        for one in &row.contestants {
            match self.lacks(row.place, &one.work) {
                None => present.push(one),
                why => result.skipped = result.skipped.or(why),
            }
        }
        result.contestants = present.iter().map(|one| self.nothing_yet(one, &file)).collect();
        for _ in 0..if row.once { 1 } else { self.args.turns() } {
            for (one, turns) in present.iter().zip(&mut result.contestants) {
                ensure!(!self.stop.load(Relaxed), "interrupted; nothing was left behind");
                let outcome = self.turn(row.place, &one.work, &file);
                turns.rounds.push(outcome.with_context(|| format!("{}: {}", row.id, one.name))?);
            }
        }
        let goals = row.goals.iter();
        result.goals = goals.filter_map(|g| GoalResult::of(*g, &result.contestants)).collect();
        Ok(result)
    }

    /// The missing requirements of a contestant on this machine.
    fn lacks(&self, place: BenchDevice, work: &BenchWork) -> Option<String> {
        let on_nfs = place == BenchDevice::Nfs;
        let no_fio = if on_nfs { &self.programs.fio_nfs } else { &self.programs.fio }.is_none();
        let no_valgrind = self.programs.valgrind.is_none();
        match work {
            BenchWork::Fio(_) | BenchWork::CountFio(_) if no_fio && on_nfs => {
                Some("fio with its nfs engine is not built: scripts/fio-nfs.sh build".into())
            }
            BenchWork::Fio(_) | BenchWork::CountFio(_) if no_fio => {
                Some("fio is not installed".into())
            }
            BenchWork::CountOurs(_) | BenchWork::CountFio(_) if no_valgrind => {
                Some("valgrind is not installed".into())
            }
            _ => None,
        }
    }

    fn nothing_yet(&self, one: &Contestant, file: &Path) -> Turns {
        let what = match &one.work {
            BenchWork::Bare(bare) => format!("bare loop: {bare:?}"),
            BenchWork::Ours(words) | BenchWork::CountOurs(words) => {
                format!("fathom fio {}", self.words(words, file).join(" "))
            }
            BenchWork::Fio(words) | BenchWork::CountFio(words) => {
                format!("fio {}", self.words(words, file).join(" "))
            }
            BenchWork::Day(logs) => format!("a simulated day, logs: {logs:?}"),
        };
        Turns { name: one.name, what, rounds: Vec::new() }
    }

    fn words(&self, words: &str, file: &Path) -> Vec<String> {
        let time = self.args.run_time().as_millis().to_string();
        let file = file.display().to_string();
        let fill = |word: &str| word.replace("{file}", &file).replace("{ms}", &time);
        words.split_whitespace().map(fill).collect()
    }

    fn turn(&self, place: BenchDevice, work: &BenchWork, file: &Path) -> Result<ContestantRun> {
        let folder = self.places.folder();
        let server = self.places.nfs_server(place);
        match work {
            BenchWork::Bare(shape) => bare_turn(*shape, file, self.args.run_time()),
            BenchWork::Ours(words) => {
                let words = self.words(words, file);
                let command = match server {
                    Some(server) => self.programs.ours_beside(server, &words),
                    None => self.programs.ours(&words),
                };
                read_output(&run(command, folder)?)
            }
            BenchWork::Fio(words) => {
                let words = self.words(words, file);
                let command = match server {
                    Some(server) => self.programs.fio_beside(server, &words)?,
                    None => self.programs.fio(&words)?,
                };
                read_output(&run(command, folder)?)
            }
            BenchWork::CountOurs(words) => {
                let (words, sizes) =
                    (self.words(words, file), sizes_of(server, instructions::OURS));
                instructions::each(&self.programs, false, &words, sizes, folder, server)
            }
            BenchWork::CountFio(words) => {
                let (words, sizes) = (self.words(words, file), sizes_of(server, instructions::FIO));
                instructions::each(&self.programs, true, &words, sizes, folder, server)
            }
            BenchWork::Day(logs) => day::go_round(*logs),
        }
    }
}

/// Numbers of I/Os of two runs under callgrind; fewer over the wire.
fn sizes_of(server: Option<&NfsServer>, here: [u64; 2]) -> [u64; 2] {
    if server.is_some() { instructions::OVER_THE_WIRE } else { here }
}

fn bare_turn(shape: Bare, path: &Path, time: Duration) -> Result<ContestantRun> {
    let how =
        OpenHow { read: true, write: shape.write, direct: shape.direct, ..OpenHow::default() };
    let file = open(path, &how)?;
    let range_bytes = fathom_engine::size_bytes(&file)?;
    let bare = BareLoop {
        file: &file,
        write: shape.write,
        content: shape.content,
        block_bytes: shape.block_bytes,
        range_bytes,
        depth: shape.depth,
        until: Until::Elapsed(time),
    };
    let before = thread_usage();
    let counted = match shape.calls {
        Calls::Synchronous => bare::synchronous(&bare),
        Calls::Aio => bare::aio(&bare),
        Calls::Ring => bare::ring(&bare),
    };
    let counted = counted.with_context(|| format!("a bare loop on {}", path.display()))?;
    let used = thread_usage().since(&before);
    let each_ns = |micros: u64| micros as f64 * 1e3 / counted.ios as f64;
    Ok(ContestantRun {
        ios: counted.ios,
        iops: counted.ios as f64 / counted.elapsed.as_secs_f64(),
        user_ns: each_ns(used.user_us),
        system_ns: each_ns(used.system_us),
        ..ContestantRun::default()
    })
}

/// The jobs of fio's JSON, which both write.
///
/// # Errors
/// If there is none.
pub fn jobs_of(run: &Finished) -> Result<Vec<Value>> {
    // fio puts remarks before its JSON.
    let begin = run.stdout.find('{').context("no JSON in the output")?;
    let mut document: Value = serde_json::from_str(&run.stdout[begin..]).context("fio's JSON")?;
    match document["jobs"].take() {
        Value::Array(jobs) => Ok(jobs),
        _ => bail!("no jobs in the output"),
    }
}

/// Figures from fio's JSON and from the process.
fn read_output(run: &Finished) -> Result<ContestantRun> {
    let jobs = jobs_of(run)?;
    let mut outcome = ContestantRun {
        wall_ms: run.wall.as_secs_f64() * 1e3,
        resident_mib: run.usage.max_resident_bytes as f64 / f64::from(1 << 20),
        ..ContestantRun::default()
    };
    let (mut user_ns, mut system_ns) = (0.0, 0.0);
    for job in &jobs {
        if job["error"] != 0 {
            bail!("the job ended with error {}", job["error"]);
        }
        for direction in ["read", "write"] {
            outcome.ios += job[direction]["total_ios"].as_u64().unwrap_or(0);
            outcome.iops += job[direction]["iops"].as_f64().unwrap_or(0.0);
        }
        // A share of the job's run time, in per cent.
        let ran_ms = job["job_runtime"].as_f64().unwrap_or(0.0);
        user_ns += job["usr_cpu"].as_f64().unwrap_or(0.0) * ran_ms * 1e4;
        system_ns += job["sys_cpu"].as_f64().unwrap_or(0.0) * ran_ms * 1e4;
    }
    ensure!(outcome.ios > 0, "the run did no I/O");
    outcome.user_ns = user_ns / outcome.ios as f64;
    outcome.system_ns = system_ns / outcome.ios as f64;
    Ok(outcome)
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn figures_are_read_from_the_json() {
        let job = r#"{"error":0,"job_runtime":2000,"usr_cpu":25.0,"sys_cpu":50.0,
            "read":{"total_ios":1000,"iops":500.0},"write":{"total_ios":0,"iops":0}}"#;
        let run = |jobs: String| Finished {
            stdout: format!("fio: a remark\n{{\"jobs\":[{jobs}]}}"),
            wall: Duration::from_millis(2100),
            usage: fathom_engine::ChildUsage { max_resident_bytes: 8 << 20, ..Default::default() },
        };
        let outcome = read_output(&run(format!("{job},{job}"))).unwrap();
        assert_eq!((outcome.ios, outcome.iops, outcome.wall_ms), (2000, 1000.0, 2100.0));
        assert_eq!((outcome.user_ns, outcome.system_ns), (500_000.0, 1_000_000.0));
        assert_eq!(outcome.resident_mib, 8.0);
        assert!(read_output(&run(job.replace("\"error\":0", "\"error\":5"))).is_err());
        assert!(read_output(&run(String::new())).is_err());
    }
}
