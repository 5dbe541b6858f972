//! A scripted machine for golden outputs: the loop runs on simulated time, so that figures depend
//! on nothing but the jobs.
//!
//! `main` includes this file in debug builds only; `FATHOM_SCRIPTED_MACHINE` puts it in the place of
//! the local machine. Targets are examined and test files created for real; facts of the host are
//! replaced. A target whose path contains `slow` is another disk, with four times the latency; the
//! runs of one with `broken` fail, and one with `closed` fails before. `FATHOM_SCRIPTED_MACHINE=3` interrupts this process at its third run, `0` while
//! the target is prepared.

use crate::session::Session;
use fathom_analysis::DirectIo;
use fathom_campaign::machine::{DataAccess, MachineError, MachineRun, RunOrder};
use fathom_campaign::verdicts::{ClientObservation, Observed};
use fathom_campaign::{Machine, Volume, VolumePlan};
use fathom_document::{Backing, Ceiling, CeilingCase};
use fathom_engine::ScriptedOutcome;
use fathom_host::{BlockDevice, Mount, Space, Storage, System, WriteCache};
use fathom_job::JobSpec;
use fathom_run::simulated::simulate;
use fathom_run::{Leftover, Observer, RunOutcome};
use fathom_stats::{DiskUtil, JobResult, JobSetup, RunResult};
use fathom_vocab::{ErrorNumber, IoEngine, PerDirection, Target};

/// The variable that asks for a scripted machine.
const VARIABLE: &str = "FATHOM_SCRIPTED_MACHINE";

/// The session with a scripted machine, if the environment asks for one.
pub fn in_place_of(session: Session) -> Session {
    let Ok(text) = std::env::var(VARIABLE) else { return session };
    let interrupted_at = text.parse().ok();
    let machine = ScriptedMachine { local: session.machine, interrupted_at, runs: 0 };
    Session { machine: Box::new(machine), system: scripted_system(), ..session }
}

fn scripted_system() -> System {
    System {
        hostname: Some("worker-7".to_owned()),
        kernel: Some("6.12.0".to_owned()),
        os_release: Some("Debian GNU/Linux 13".to_owned()),
        architecture: "x86_64".to_owned(),
        cpu_model: Some("Scripted CPU".to_owned()),
        cpus_online: 4,
        numa_nodes: 1,
        memory_bytes: Some(8 << 30),
        memory_available_bytes: Some(4 << 30),
        clocksource: Some("tsc".to_owned()),
        ..System::default()
    }
}

struct ScriptedMachine {
    local: Box<dyn Machine>,
    interrupted_at: Option<u32>,
    runs: u32,
}

impl ScriptedMachine {
    /// Interrupts this process once the script's moment is there.
    fn interrupt_at(&mut self, moment: u32) {
        if self.interrupted_at != Some(moment) {
            return;
        }
        let own = std::process::id().to_string();
        let killed = std::process::Command::new("kill").args(["-INT", &own]).status();
        assert!(killed.is_ok_and(|status| status.success()), "no signal could be sent");
        while !self.local.stopping() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    fn result_of(&self, order: &RunOrder) -> RunResult {
        let mut jobs = Vec::new();
        let mut group_id = 0;
        for (at, job) in order.jobs.iter().enumerate() {
            group_id += u32::from(at > 0 && job.process.stonewall);
            for _ in 0..job.process.numjobs.max(1) {
                let number = jobs.len() as u32 + 1;
                jobs.push(JobResult { number, group_id, ..run_clone(job, self.runs + number) });
            }
        }
        // What a ramp leaves out of the figures has moved bytes, too.
        let ramp_us = order.jobs.iter().map(|job| job.extent.ramp_time_us).max().unwrap_or(0);
        let run_us = 1_000 * jobs.iter().map(|job| job.runtime_ms).max().unwrap_or(1).max(1);
        let sectors = |bytes: u64| bytes / 512 * (run_us + ramp_us) / run_us;
        let sum = |count: fn(&JobResult) -> u64| jobs.iter().map(count).sum::<u64>();
        let disk = DiskUtil {
            name: "nvme0n1".to_owned(),
            ios: (sum(|job| job.dirs.read.total_ios), sum(|job| job.dirs.write.total_ios)),
            sectors: (
                sectors(sum(|job| job.dirs.read.io_bytes)),
                sectors(sum(|job| job.dirs.write.io_bytes)),
            ),
            util_percent: 97.5,
            flush_ios: sum(|job| job.sync.moments.count),
            ..DiskUtil::default()
        };
        RunResult {
            schema: fathom_stats::SCHEMA,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
            global_options: order.global_options.clone(),
            notes: order.notes.clone(),
            disks: vec![disk],
            jobs,
            ..RunResult::default()
        }
    }
}

/// One clone on simulated time; `number` shifts its latencies.
fn run_clone(job: &JobSpec, number: u32) -> JobResult {
    let named = |word: &str| {
        let target = &job.target;
        let mut paths = target.filenames.iter().chain(&target.directories);
        paths.any(|path| path.to_string_lossy().contains(word))
    };
    let (factor, shift_ns) = (if named("slow") { 4 } else { 1 }, u64::from(number % 7) * 10_000);
    let script = move |at: u64, request: &fathom_engine::Request| {
        let jitter_ns = at * 7919 % 97 * 1_000 + u64::from(at % 1000 == 999) * 2_000_000;
        ScriptedOutcome::after(
            factor * (1_000_000 + u64::from(request.len) * 4 + jitter_ns + shift_ns),
        )
    };
    let simulated = simulate(job, 16 << 20, 500, script);
    let mut result = simulated.map(|(result, _)| result).unwrap_or_default();
    if named("closed") || named("broken") && job.name != "trial" {
        result = JobResult::default();
        result.error = ErrorNumber::EIO;
        result.error_text = "read at 4096: Input/output error".to_owned();
    }
    result.name = job.name.clone();
    result.options = job.given.clone();
    result.elapsed_ms = result.runtime_ms;
    result.cpu.user_us = result.runtime_ms * 100;
    result.cpu.system_us = result.runtime_ms * 200;
    result.setup = JobSetup {
        rw: rw_name(job),
        bs: PerDirection::from_fn(|dir| (job.pattern.bs[dir].min(), job.pattern.bs[dir].max())),
        ioengine: job.engine.engine.name().to_owned(),
        iodepth: job.engine.iodepth,
        direct: job.engine.direct,
        percentile_list: job.measure.percentile_list.clone(),
        lat_percentiles: job.measure.lat_percentiles,
        clat_percentiles: job.measure.clat_percentiles,
        kb_base: job.measure.kb_base,
        seed: 7,
        ..JobSetup::default()
    };
    result
}

/// The value of `rw`.
fn rw_name(job: &JobSpec) -> String {
    let given = job.given.iter().rev().find(|(name, _)| name == "rw");
    given.and_then(|(_, value)| value.clone()).unwrap_or_else(|| "read".to_owned())
}

impl Machine for ScriptedMachine {
    fn system(&mut self) -> Result<System, MachineError> {
        Ok(scripted_system())
    }

    fn examine(&mut self, target: &Target) -> Result<Volume, MachineError> {
        let volume = self.local.examine(target)?;
        let minor = u32::from(target.to_string().contains("slow"));
        let name = format!("nvme{minor}n1");
        let source = format!("/dev/{name}");
        let device = BlockDevice {
            disk: name.clone(),
            name,
            major: 259,
            minor,
            size_bytes: 1 << 40,
            model: Some("Scripted SSD".to_owned()),
            transport: Some("pcie".to_owned()),
            scheduler: Some("none".to_owned()),
            write_cache: Some(WriteCache::WriteBack),
            logical_block_bytes: 512,
            physical_block_bytes: 4096,
            ..BlockDevice::default()
        };
        let mount = Mount {
            mount_point: "/mnt".into(),
            root: "/".into(),
            source,
            fstype: "xfs".to_owned(),
            options: vec!["rw".to_owned()],
            major: 259,
            minor,
        };
        let space = volume.space.as_ref().map(|_| Space {
            total_bytes: 1 << 40,
            free_bytes: 1 << 39,
            available_bytes: 1 << 39,
            ..Space::default()
        });
        Ok(Volume { mount, storage: Storage::Block { device: Box::new(device) }, space, ..volume })
    }

    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError> {
        self.interrupt_at(0);
        self.local.claim(plan)
    }

    fn release(&mut self) -> Result<Vec<Leftover>, MachineError> {
        self.local.release()
    }

    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess {
        let direct = match jobs.iter().all(|job| job.engine.direct) {
            true => DirectIo::Verified,
            false => DirectIo::Buffered,
        };
        DataAccess { direct, unwritten_share: None }
    }

    fn run(&mut self, order: &RunOrder, _: &mut dyn Observer) -> Result<MachineRun, MachineError> {
        let is_ours = |job: &JobSpec| job.name == "fill" || job.name == "trial";
        let mut result = self.result_of(order);
        if !order.jobs.iter().all(is_ours) {
            self.runs += 1;
            self.interrupt_at(self.runs);
        }
        result.interrupted = self.stopping();
        let observed = Observed {
            cpus: 4,
            memory_bytes: Some(8 << 30),
            machine_busy: Some(0.1),
            stolen_share: Some(0.0),
            ..Observed::default()
        };
        let logs = Vec::new();
        let outcome = RunOutcome { result, logs, leftovers: Vec::new(), io_span: None };
        let observations = vec![ClientObservation { client: None, observed }];
        Ok(MachineRun { outcome, observations })
    }

    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling> {
        let mut engines: Vec<IoEngine> = engines.iter().map(|(engine, _)| *engine).collect();
        engines.dedup();
        let ceiling = |engine| Ceiling {
            case: CeilingCase { engine, depth: 32, threads: 1, backing: Backing::PageCache },
            iops: Some(400_000.0),
            cpu_percent: Some(100.0),
            failure: None,
        };
        engines.into_iter().map(ceiling).collect()
    }

    fn stopping(&mut self) -> bool {
        self.local.stopping()
    }
}
