//! Runs the counted runs (`count.rs`) on our own devices, between two readings of their counters.

use crate::args::Args;
use crate::contest::jobs_of;
use crate::count::{
    CountedRun, Counts, InstructionCount, Moved, Witness, cases, expected, said_by,
};
use crate::place::{Places, Sizes};
use crate::process::{Programs, run};
use crate::setting::BenchSetting;
use anyhow::{Context, Result, ensure};
use fathom_host::{DiskStats, Host};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Passes of a mapping over its device: each is a run, because a second would find its pages.
const PASSES: u32 = 4;
const BLOCK_BYTES: u64 = 4096;

/// Runs cases, one after another.
pub struct Counter<'a> {
    args: &'a Args,
    programs: &'a Programs,
    places: Places,
}

impl<'a> Counter<'a> {
    /// Makes its folder.
    pub fn new(args: &'a Args, programs: &'a Programs, sizes: Sizes) -> Result<Counter<'a>> {
        let places = Places::new(&std::path::absolute(&args.dir)?, sizes)?;
        Ok(Counter { args, programs, places })
    }

    /// Runs all cases that are wanted.
    ///
    /// # Errors
    /// If a run fails or it was interrupted; devices that cannot be had are left out.
    pub fn run(&mut self, stop: &AtomicBool) -> Result<Counts> {
        let seconds = self.args.run_time().as_secs_f64();
        let setting = BenchSetting::now(self.programs, 1, seconds);
        let mut counts = Counts { setting, runs: Vec::new(), skipped: Vec::new() };
        for case in cases().into_iter().filter(|case| self.args.wants(case.engine)) {
            ensure!(!stop.load(Relaxed), "interrupted; nothing was left behind");
            if let Err(why) = self.places.path(case.place) {
                let why = format!("{:?}: {why:#}", case.place);
                if !counts.skipped.contains(&why) {
                    println!("SKIP: {why}");
                    counts.skipped.push(why);
                }
                continue;
            }
            let counted = self.case(&case)?;
            println!("{}", counted.line());
            counts.runs.push(counted);
        }
        ensure!(!counts.runs.is_empty(), "nothing was counted: root and zram or loop are needed");
        Ok(counts)
    }

    /// Runs one case.
    ///
    /// # Errors
    /// If the run fails.
    pub fn case(&mut self, case: &CountedRun) -> Result<InstructionCount> {
        let path = self.places.path(case.place)?;
        let name = path.file_name().context("a device has a name")?.to_string_lossy().into_owned();
        prepare(&name, case.witness);
        let passes = if case.witness == Witness::Pages { PASSES } else { 1 };
        let mut said = Moved::default();
        let before = stats_of(&name)?;
        for _ in 0..passes {
            let words = self.words(case, &path);
            let finished = run(self.programs.ours(&words), self.places.folder())?;
            said.add(&said_by(&jobs_of(&finished)?));
        }
        let after = stats_of(&name)?;
        let counted = after.since(&before).context("the device's counters went backwards")?;
        let expected = expected(case.witness, said);
        Ok(InstructionCount { case: case.clone(), said, expected, counted: Moved::by(&counted) })
    }

    fn words(&self, case: &CountedRun, path: &Path) -> Vec<String> {
        let CountedRun { engine, rw, depth, jobs, .. } = case;
        let mut words = vec![
            "--name=c".to_owned(),
            "--output-format=json".to_owned(),
            // With this option it does not check the device for data, and reads nothing else.
            "--allow_mounted_write=1".to_owned(),
            "--thread".to_owned(),
            "--group_reporting".to_owned(),
            format!("--bs={BLOCK_BYTES}"),
            format!("--filename={}", path.display()),
            format!("--ioengine={engine}"),
            format!("--rw={rw}"),
            format!("--iodepth={depth}"),
            format!("--numjobs={jobs}"),
        ];
        match case.witness {
            Witness::Requests => {
                let time_ms = self.args.run_time().as_millis();
                words.push("--direct=1".to_owned());
                words.push("--time_based".to_owned());
                words.push(format!("--runtime={time_ms}ms"));
            }
            Witness::Pages => {
                // Each thread has its own part, so that no page is used twice.
                let share = 100 / jobs;
                words.push(format!("--size={share}%"));
                words.push(format!("--offset_increment={share}%"));
            }
        }
        words
    }
}

/// Prevents the block layer from merging requests, and from reading ahead.
fn prepare(name: &str, witness: Witness) {
    let set = |key: &str, value: &str| {
        // A device that has no such setting does not do such things.
        let _ = fs::write(format!("/sys/block/{name}/queue/{key}"), value);
    };
    set("nomerges", "2");
    if witness == Witness::Pages {
        set("read_ahead_kb", "0");
    }
}

fn stats_of(name: &str) -> Result<DiskStats> {
    Host::real().disk_stats_of(name).with_context(|| format!("the counters of {name}"))
}
