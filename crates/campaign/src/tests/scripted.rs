//! Simulated volumes, and an executor that follows a script.

use crate::machine::{
    DataAccess, Encoded, HeldTargets, Machine, MachineError, MachineRun, RunOrder, WireOrder,
};
use crate::{CampaignEvent, EventSink, FillProgress, Plan, VolumePlan};
use fathom_document::{Backing, Ceiling, CeilingCase};
use fathom_document::{TargetKind, TrialId, Volume};
use fathom_host::{Host, Mount, Space, Storage, System};
use fathom_job::JobSpec;
use fathom_run::{Leftover, Observer, RunOutcome};
use fathom_stats::{DiskUtil, Interval, JobResult, RunResult};
use fathom_vocab::{Direction, IoEngine, Target};
use std::path::{Path, PathBuf};

/// The fields of a document, in their order.
pub fn fields(document: &impl serde::Serialize) -> String {
    let json = serde_json::to_value(document).unwrap();
    json.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
}

/// A folder on an xfs of its own with so many bytes free.
pub fn folder(path: &Path, available_bytes: u64) -> Volume {
    let minor = path.as_os_str().len() as u32;
    Volume {
        name: path.display().to_string(),
        target: path.into(),
        kind: TargetKind::Folder,
        cluster: None,
        clients: None,
        mount: Mount {
            mount_point: path.to_owned(),
            source: format!("/dev/sd{minor}"),
            fstype: "xfs".to_owned(),
            options: vec!["rw".to_owned()],
            major: 8,
            minor,
            ..Mount::default()
        },
        storage: Storage::Virtual { fstype: "xfs".to_owned() },
        space: Some(Space {
            total_bytes: available_bytes * 2,
            available_bytes,
            ..Space::default()
        }),
    }
}

/// A device of so many bytes, used by nobody.
pub fn device(path: &str, size_bytes: u64) -> Volume {
    let mut volume = folder(Path::new(path), 0);
    volume.kind =
        TargetKind::Device { size_bytes, in_use: Vec::new(), in_use_unknown: None, data: None };
    volume.space = None;
    volume
}

/// An executor that is given one job at a time, as every run of a plan and of a course is.
pub trait OneJob {
    /// Runs it.
    fn run_one(&mut self, job: &JobSpec, order: &RunOrder) -> Result<RunResult, String>;

    /// Whether a stop was asked for.
    fn stops(&self) -> bool;

    /// What one core can drive by `engine`.
    fn ceiling_by(&self, _engine: IoEngine) -> Option<&Ceiling> {
        None
    }
}

/// A machine whose jobs a script runs. Test files are real, and go with it.
pub struct ScriptedMachine<'a, T> {
    script: &'a mut T,
    held: HeldTargets,
}

/// The machine of a script; behind bytes where `FATHOM_TEST_MACHINE=encoded`, so that all tests can
/// be had through both.
pub fn machine<T: OneJob>(script: &mut T) -> TestMachine<'_, T> {
    match std::env::var_os("FATHOM_TEST_MACHINE").is_some_and(|kind| kind == "encoded") {
        true => TestMachine::Encoded(encoded(script)),
        false => TestMachine::Plain(ScriptedMachine { script, held: HeldTargets::default() }),
    }
}

/// The machine of a script, behind bytes.
pub fn encoded<T: OneJob>(script: &mut T) -> Encoded<ScriptedMachine<'_, T>> {
    Encoded::new(ScriptedMachine { script, held: HeldTargets::default() })
}

/// A machine of a script, called as it is or through bytes.
pub enum TestMachine<'a, T> {
    Plain(ScriptedMachine<'a, T>),
    Encoded(Encoded<ScriptedMachine<'a, T>>),
}

impl<T: OneJob> TestMachine<'_, T> {
    fn inner(&mut self) -> &mut dyn Machine {
        match self {
            TestMachine::Plain(machine) => machine,
            TestMachine::Encoded(machine) => machine,
        }
    }
}

impl<T: OneJob> Machine for TestMachine<'_, T> {
    fn system(&mut self) -> Result<System, MachineError> {
        self.inner().system()
    }

    fn examine(&mut self, target: &Target) -> Result<Volume, MachineError> {
        self.inner().examine(target)
    }

    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError> {
        self.inner().claim(plan)
    }

    fn release(&mut self) -> Result<Vec<Leftover>, MachineError> {
        self.inner().release()
    }

    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess {
        self.inner().data_access(jobs)
    }

    fn run(
        &mut self,
        order: &RunOrder,
        observer: &mut dyn Observer,
    ) -> Result<MachineRun, MachineError> {
        let crossed = WireOrder::of(order, false).order().unwrap();
        assert_eq!(crossed.jobs, order.jobs, "a job is the same on the other side");
        self.inner().run(order, observer)
    }

    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling> {
        self.inner().ceilings(engines)
    }

    fn stopping(&mut self) -> bool {
        self.inner().stopping()
    }
}

impl<T: OneJob> Machine for ScriptedMachine<'_, T> {
    fn system(&mut self) -> Result<System, MachineError> {
        Ok(System::default())
    }

    fn examine(&mut self, target: &Target) -> Result<Volume, MachineError> {
        Ok(folder(target.path().expect("a path"), 1 << 40))
    }

    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError> {
        if plan.ours { self.held.claim(plan, &Host::real()) } else { Ok(()) }
    }

    fn release(&mut self) -> Result<Vec<Leftover>, MachineError> {
        Ok(self.held.release())
    }

    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess {
        self.held.data_access(jobs)
    }

    fn run(&mut self, order: &RunOrder, _: &mut dyn Observer) -> Result<MachineRun, MachineError> {
        let [job] = order.jobs.as_slice() else { panic!("one job at a time") };
        let result = self.script.run_one(job, order).map_err(MachineError::of_run)?;
        let outcome = RunOutcome { result, logs: Vec::new(), leftovers: Vec::new(), io_span: None };
        Ok(MachineRun { outcome, observations: Vec::new() })
    }

    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling> {
        let mut names: Vec<IoEngine> = engines.iter().map(|(engine, _)| *engine).collect();
        names.dedup();
        names.into_iter().filter_map(|engine| self.script.ceiling_by(engine).cloned()).collect()
    }

    fn stopping(&mut self) -> bool {
        self.script.stops()
    }
}

/// What a scripted run does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Every I/O takes so many nanoseconds, at the depth asked for.
    Latency(u64),
    /// The same, by turns.
    Swing(&'static [u64]),
    /// Every I/O takes so many nanoseconds unless that would make more than so many a second.
    Capped(u64, u64),
    /// The job ends with this error.
    Fail(&'static str),
    /// A stop arrives, but something was measured.
    Stop(u64),
    /// The run is refused as a whole.
    Refuse(&'static str),
    /// A defect.
    Panic,
}

/// Follows a script by job name; trials and fills go well unless the script says otherwise.
#[derive(Debug, Default)]
pub struct Scripted {
    /// What jobs of these names do.
    pub acts: Vec<(&'static str, Act)>,
    /// What all others do, if not I/Os of 100 us.
    pub usual: Option<Act>,
    /// The number that each run was given for its seeds, trials left out.
    pub entropies: Vec<u64>,
    /// Ways that trials find closed: engine name and directness, and why.
    pub closed: Vec<(&'static str, bool, &'static str)>,
    /// Jobs that were run, trials left out: name and file.
    pub ran: Vec<(String, PathBuf)>,
    /// Sizes of files that were there while jobs ran.
    pub saw_files: Vec<bool>,
    /// Whether a stop was asked for.
    pub stop: bool,
    /// Sectors of 512 bytes that a disk counts for each that is moved, in percent.
    pub disk_percent: Option<u64>,
    /// What one core can drive.
    pub ceilings: Vec<Ceiling>,
}

impl Scripted {
    /// With one job that does not go well.
    pub fn with(name: &'static str, act: Act) -> Scripted {
        Scripted { acts: vec![(name, act)], ..Scripted::default() }
    }
}

impl OneJob for Scripted {
    fn run_one(&mut self, job: &JobSpec, order: &RunOrder) -> Result<RunResult, String> {
        if job.name == "trial" {
            return Ok(self.trial(job));
        }
        let path = job.target.filenames[0].clone();
        self.saw_files.push(path.exists());
        self.ran.push((job.name.clone(), path));
        self.entropies.push(order.entropy);
        let act = self.acts.iter().find(|(name, _)| *name == job.name);
        let usual = self.usual.clone().unwrap_or(Act::Latency(100_000));
        match act.map_or(usual, |(_, act)| act.clone()) {
            Act::Capped(ns, iops) => {
                let in_flight = u64::from(job.engine.iodepth * job.process.numjobs);
                Ok(result_of(job, ns.max(in_flight * 1_000_000_000 / iops), self.disk_percent))
            }
            Act::Latency(ns) => Ok(result_of(job, ns, self.disk_percent)),
            Act::Swing(all) => {
                let before = self.ran.iter().filter(|(name, _)| *name == job.name).count() - 1;
                Ok(result_of(job, all[before % all.len()], self.disk_percent))
            }
            Act::Fail(why) => Ok(failed(why)),
            Act::Refuse(why) => Err(why.to_owned()),
            Act::Panic => panic!("on purpose"),
            Act::Stop(ns) => {
                self.stop = true;
                Ok(result_of(job, ns, self.disk_percent))
            }
        }
    }

    fn stops(&self) -> bool {
        self.stop
    }

    fn ceiling_by(&self, engine: IoEngine) -> Option<&Ceiling> {
        self.ceilings.iter().find(|ceiling| ceiling.case.engine == engine)
    }
}

/// What one core can drive through io_uring, with a core to itself.
pub fn ceiling(iops: f64) -> Ceiling {
    let case = CeilingCase {
        engine: IoEngine::IoUring,
        depth: 32,
        threads: 1,
        backing: Backing::PageCache,
    };
    Ceiling { case, iops: Some(iops), cpu_percent: Some(100.0), failure: None }
}

impl Scripted {
    fn trial(&self, job: &JobSpec) -> RunResult {
        let way = (job.engine.engine.name(), job.engine.direct);
        match self.closed.iter().find(|(engine, direct, _)| (*engine, *direct) == way) {
            Some((.., why)) => failed(why),
            None => result_of(job, 1000, None),
        }
    }
}

fn failed(why: &str) -> RunResult {
    let job = JobResult { error: 5.into(), error_text: why.to_owned(), ..JobResult::default() };
    RunResult { jobs: vec![job], ..RunResult::default() }
}

/// A second in which every I/O took `ns`; an eighth of it more was ramp. Of a mix each direction
/// has its share, and the jobs of a run share its I/Os evenly. Each thread had a tenth of a
/// processor.
fn result_of(job: &JobSpec, ns: u64, disk_percent: Option<u64>) -> RunResult {
    let rw = job.pattern.rw;
    let clones = u64::from(job.process.numjobs);
    let reads = match (rw.read, rw.write) {
        (true, true) => u64::from(job.pattern.rwmixread),
        (read, _) => u64::from(read) * 100,
    };
    let ios = u64::from(job.engine.iodepth) * 1_000_000_000 / ns;
    let mut result = JobResult { runtime_ms: 1000, ..JobResult::default() };
    result.cpu.user_us = 100_000;
    let mut interval = Interval::default();
    let mut sectors = [0, 0];
    let shares = [(Direction::Read, reads), (Direction::Write, 100 - reads)];
    for (at, (direction, percent)) in shares.into_iter().enumerate().filter(|(_, s)| s.1 > 0) {
        let (ios, block) = (ios * percent / 100, job.pattern.bs[direction].max());
        let stats = &mut result.dirs[direction];
        (stats.total_ios, stats.io_bytes, stats.runtime_ms) = (ios, ios * block, 1000);
        stats.lat.record(ns);
        interval.bytes[direction] = ios * block / 8 * 9;
        sectors[at] = clones * interval.bytes[direction] / 512 * disk_percent.unwrap_or(100) / 100;
    }
    result.series.intervals.push(interval);
    let sectors = (sectors[0], sectors[1]);
    let disk = DiskUtil { name: "sda".to_owned(), sectors, ..DiskUtil::default() };
    let disks = disk_percent.map(|_| disk).into_iter().collect();
    RunResult { jobs: vec![result; clones as usize], disks, ..RunResult::default() }
}

/// Remembers what happened, in words; live figures left out.
#[derive(Debug, Default)]
pub struct Diary(pub Vec<String>);

impl EventSink for Diary {
    fn event(&mut self, event: CampaignEvent) {
        self.0.push(match event {
            CampaignEvent::Filling(of) => format!("fill {}", of.target.unwrap_or_default()),
            CampaignEvent::Begin(begin) => format!("{} {}", begin.before, begin.title),
            CampaignEvent::End { summary } => format!("end: {summary}"),
            CampaignEvent::Judged { rounds, so_far } => format!("after {rounds}: {so_far}"),
            CampaignEvent::NotSaved { why } => format!("not saved: {why}"),
            CampaignEvent::Live(_) => return,
        });
    }
}

/// What was said of each fill.
#[derive(Default)]
pub struct Fills(pub Vec<FillProgress>);

impl EventSink for Fills {
    fn event(&mut self, event: CampaignEvent) {
        if let CampaignEvent::Filling(progress) = event {
            self.0.push(progress);
        }
    }
}

/// The names of all phases of a plan with their volumes, in order.
pub fn steps(plan: &Plan) -> Vec<String> {
    let name = |step: TrialId| format!("{} {}", step.target, plan.suite.phases[step.case].name);
    plan.steps().into_iter().map(name).collect()
}
