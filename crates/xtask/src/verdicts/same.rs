//! `cargo xtask same`: measures the same target twice, repeatedly, and counts false differences and
//! what stays undecided; then true differences, and whether they are found.
//!
//! It uses loop devices on this machine's disk, free ones and ones whose rate a control group
//! limits. Two folders of one disk would not do: the program does not judge these. During every
//! other pair another program keeps a processor busy. It tests every command that names
//! differences: `compare` of volumes, `compare` of runs with rounds, and its gate. At most one
//! alarm is allowed in all. The tests without a disk are `crates/campaign/tests/same.rs` and
//! `crates/analysis/tests/calibration.rs`.

use super::bed::BedTarget;
use super::situations::{BedDevice, BesideJob, Situation, SituationTruth};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Usage line for the list of commands.
pub const USAGE: &str = "same [pairs=20] [time=24s] [ours=BINARY] \
     [only=disk|held|differences]   \
     hold comparisons against the same thing measured twice";

/// Alarms that are allowed in all.
const MOST_ALARMS: usize = 1;
/// The limit of the devices, in I/Os a second.
const HELD_IOPS: u64 = 3000;
/// The limits of the device that differs.
const LOWER_IOPS: [u64; 2] = [2600, 1500];
/// The time that a comparison of volumes may take until it is decided.
const DECIDE_WITHIN: &str = "90s";
/// Percent that the gate allows.
const ALLOWED: &str = "5";
/// Exit codes of a gate that are no failure to run.
const GATE_CODES: [i32; 3] = [0, 4, 5];

struct Settings {
    pairs: usize,
    time: String,
    ours: PathBuf,
    folder: PathBuf,
    /// The only part to run, if not all.
    only: String,
}

impl Settings {
    fn parse(root: &Path, words: &[&str]) -> Result<Settings> {
        let mut settings = Settings {
            pairs: 20,
            time: "24s".to_owned(),
            ours: root.join("target/release/fathom"),
            folder: root.join(format!("target/same-{}", std::process::id())),
            only: String::new(),
        };
        for word in words {
            let (key, value) = word.split_once('=').with_context(|| USAGE.to_owned())?;
            match key {
                "pairs" => settings.pairs = value.parse().context("pairs")?,
                "time" => settings.time = value.to_owned(),
                "only" => settings.only = value.to_owned(),
                "ours" => settings.ours = fs::canonicalize(value).context("ours")?,
                _ => bail!("{USAGE}"),
            }
        }
        let ours = settings.ours.display();
        ensure!(settings.ours.exists(), "{ours} is not there: cargo build --release");
        fs::create_dir_all(&settings.folder)?;
        Ok(settings)
    }

    /// Runs the program under test, in a control group if there is one, and returns its output.
    fn ask(&self, group: Option<&HeldDevices>, line: &str, codes: &[i32]) -> Result<Value> {
        let enter = group.map(|group| format!("echo $$ > {}/cgroup.procs && ", group.folder()));
        let script = format!("{}exec {} {line}", enter.unwrap_or_default(), self.ours.display());
        let mut command = Command::new("sh");
        let output = command.args(["-c", &script]).stdin(Stdio::null()).output()?;
        let code = output.status.code().unwrap_or(-1);
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(codes.contains(&code), "{line}: exit code {code}: {}", said.trim());
        serde_json::from_slice(&output.stdout).with_context(|| line.to_owned())
    }

    /// Measures `target` once in rounds, into a file of that name.
    fn measure(
        &self,
        group: Option<&HeldDevices>,
        target: &Path,
        options: &str,
        name: &str,
    ) -> Result<PathBuf> {
        let (time, target) = (&self.time, target.display());
        let line =
            format!("measure {target} --repeat 10 --time {time} --json -q --no-record {options}");
        let path = self.folder.join(name);
        fs::write(&path, self.ask(group, &line, &[0])?.to_string())?;
        Ok(path)
    }

    /// The result of `compare` and its gate for two files: named figures, and the gate's outcome.
    fn compared(&self, before: &Path, after: &Path) -> Result<(usize, String)> {
        let (before, after) = (before.display(), after.display());
        let line = format!("compare {before} {after} --fail-if-worse {ALLOWED} --json");
        let document = self.ask(None, &line, &GATE_CODES)?;
        let contrasts = document["pairs"][0]["contrasts"].as_array().cloned().unwrap_or_default();
        let is_named = |of: &&Value| of["verdict"] == "better" || of["verdict"] == "worse";
        let named = contrasts.iter().filter(is_named).count();
        Ok((named, document["gate"]["outcome"].as_str().unwrap_or("none").to_owned()))
    }

    /// What `compare` says of two volumes.
    fn volumes(
        &self,
        group: Option<&HeldDevices>,
        both: [&Path; 2],
        options: &str,
    ) -> Result<VolumeAnswer> {
        let [a, b] = both.map(Path::display);
        let time = &self.time;
        let line = format!(
            "compare {a} {b} --time {time} --until-decided={DECIDE_WITHIN} --json -q --no-record \
             {options}"
        );
        let document = self.ask(group, &line, &[0])?;
        let findings = document["findings"].as_array().cloned().unwrap_or_default();
        let of = |finding: &Value| finding["standings"][1]["over_first"]["difference"].clone();
        Ok(VolumeAnswer { differences: findings.iter().map(of).collect() })
    }
}

/// What `compare` says of a volume beside another, test by test.
struct VolumeAnswer {
    differences: Vec<Value>,
}

impl VolumeAnswer {
    fn count(&self, verdict: &str) -> usize {
        self.differences.iter().filter(|of| of["verdict"] == verdict).count()
    }

    /// Whether all tests are equal.
    fn is_equal(&self) -> bool {
        self.count("equal") == self.differences.len() && !self.differences.is_empty()
    }

    /// Whether every test is shown, and its interval contains the true ratio.
    fn is_right(&self, ratio: f64) -> bool {
        let end = |of: &Value, key: &str| of[key].as_f64().unwrap_or(f64::NAN);
        let contains = |of: &Value| (end(of, "low")..=end(of, "high")).contains(&ratio);
        self.count("shown") == self.differences.len() && self.differences.iter().all(contains)
    }
}

/// A program that keeps a processor busy; it ends when this is dropped.
struct BusyProgram(Child);

impl BusyProgram {
    /// During every other pair.
    fn beside(pair: usize) -> Result<Option<BusyProgram>> {
        let busy = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn();
        Ok(if pair % 2 == 1 { Some(BusyProgram(busy()?)) } else { None })
    }
}

impl Drop for BusyProgram {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Two loop devices, and a control group (v1) that limits them.
struct HeldDevices {
    devices: [BedTarget; 2],
    group: PathBuf,
}

impl HeldDevices {
    fn new(folder: &Path) -> Result<HeldDevices> {
        let name = format!("fathom-same-{}", std::process::id());
        let plain = Situation {
            name: name.clone(),
            device: BedDevice::Loop,
            limits: Vec::new(),
            then: None,
            hidden: false,
            job: String::new(),
            seconds: 0,
            quota: None,
            beside: BesideJob::Nothing,
            truth: SituationTruth::Free,
        };
        let device = |at: usize| BedTarget::new(&plain, folder, &format!("{name}-{at}"));
        let devices = [device(0)?, device(1)?];
        let group = PathBuf::from(format!("/sys/fs/cgroup/blkio/{name}"));
        fs::create_dir(&group).with_context(|| group.display().to_string())?;
        Ok(HeldDevices { devices, group })
    }

    fn folder(&self) -> std::path::Display<'_> {
        self.group.display()
    }

    fn path(&self, at: usize) -> &Path {
        &self.devices[at].path
    }

    /// Limits a device to this number of reads a second.
    fn hold(&self, at: usize, iops: u64) -> Result<()> {
        let name = self.path(at).file_name().unwrap_or_default();
        let dev = Path::new("/sys/block").join(name).join("dev");
        let numbers = fs::read_to_string(&dev).with_context(|| dev.display().to_string())?;
        let file = self.group.join("blkio.throttle.read_iops_device");
        fs::write(&file, format!("{} {iops}", numbers.trim()))
            .with_context(|| file.display().to_string())
    }
}

impl Drop for HeldDevices {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.group);
    }
}

/// Answers over all pairs of equal sides.
#[derive(Debug, Default)]
struct Alarms {
    volumes: usize,
    equal: usize,
    runs: usize,
    gates: Vec<String>,
}

impl Alarms {
    fn count(&mut self, volumes: &VolumeAnswer, (named, gate): (usize, String)) {
        self.volumes += usize::from(volumes.count("shown") > 0);
        self.equal += usize::from(volumes.is_equal());
        self.runs += usize::from(named > 0);
        self.gates.push(gate);
    }

    fn gates(&self, outcome: &str) -> usize {
        self.gates.iter().filter(|gate| *gate == outcome).count()
    }

    fn total(&self) -> usize {
        self.volumes + self.runs + self.gates("fail")
    }

    fn line(&self, what: &str) -> String {
        format!(
            "{what}: {} pairs; alarms: compare of volumes {}, of runs {}, gate {}; volumes equal: \
             {}; gates: {} pass, {} undecided",
            self.gates.len(),
            self.volumes,
            self.runs,
            self.gates("fail"),
            self.equal,
            self.gates("pass"),
            self.gates("undecided")
        )
    }
}

/// The target of repeated pairs of measurements.
struct PairBed<'a> {
    /// Its name in the table.
    name: &'static str,
    /// Two volumes that are alike.
    volumes: [&'a Path; 2],
    /// The arguments of `compare` for both.
    compare: String,
    /// The arguments of `measure` for the first.
    measure: String,
    /// The control group that all runs are in.
    group: Option<&'a HeldDevices>,
}

/// The disk's volumes are small, so that runs are mostly measuring.
const ON_DISK: &str = "--size 64m";
const HELD_VOLUMES: &str = "--rw randread --iodepth 32";
const HELD_RUNS: &str = "--read-only";

impl PairBed<'_> {
    /// Measures all pairs and counts named differences.
    fn alarms(&self, settings: &Settings) -> Result<Alarms> {
        let mut alarms = Alarms::default();
        for pair in 0..settings.pairs {
            let _busy = BusyProgram::beside(pair)?;
            let volumes = settings.volumes(self.group, self.volumes, &self.compare)?;
            let measure = |file: &str| {
                let file = format!("{}-{file}.json", self.name);
                settings.measure(self.group, self.volumes[0], &self.measure, &file)
            };
            let runs = settings.compared(&measure("before")?, &measure("after")?)?;
            let (named, gate) = &runs;
            println!(
                "{} {pair}: volumes {} shown, {} equal, {} open; {named} between runs, {gate}",
                self.name,
                volumes.count("shown"),
                volumes.count("equal"),
                volumes.count("open")
            );
            alarms.count(&volumes, runs);
        }
        println!("{}", alarms.line(self.name));
        Ok(alarms)
    }
}

fn on_disk(settings: &Settings, devices: &HeldDevices) -> Result<Alarms> {
    let volumes = [devices.path(0), devices.path(1)];
    let [a, b] = volumes.map(Path::display);
    let measure = format!("{ON_DISK} --destroy-data-on {a}");
    let compare = format!("{measure} --destroy-data-on {b}");
    PairBed { name: "disk", volumes, compare, measure, group: None }.alarms(settings)
}

fn on_held(settings: &Settings, held: &HeldDevices) -> Result<Alarms> {
    (0..2).try_for_each(|at| held.hold(at, HELD_IOPS))?;
    let bed = PairBed {
        name: "held",
        volumes: [held.path(0), held.path(1)],
        compare: HELD_VOLUMES.to_owned(),
        measure: HELD_RUNS.to_owned(),
        group: Some(held),
    };
    bed.alarms(settings)
}

/// How many of the true differences each command finds; whether all are found.
fn differences(settings: &Settings, held: &HeldDevices) -> Result<bool> {
    let mut all = true;
    for lower in LOWER_IOPS {
        let (mut right, mut failed) = (0, 0);
        for pair in 0..settings.pairs {
            let _busy = BusyProgram::beside(pair)?;
            held.hold(0, HELD_IOPS)?;
            let before = settings.measure(Some(held), held.path(0), HELD_RUNS, "before.json")?;
            held.hold(1, lower)?;
            let both = [held.path(0), held.path(1)];
            let volumes = settings.volumes(Some(held), both, HELD_VOLUMES)?;
            held.hold(0, lower)?;
            let after = settings.measure(Some(held), held.path(0), HELD_RUNS, "after.json")?;
            let (named, gate) = settings.compared(&before, &after)?;
            let is_right = volumes.is_right(lower as f64 / HELD_IOPS as f64);
            println!("{lower} {pair}: volumes right {is_right}, {named} between runs, gate {gate}");
            right += usize::from(is_right);
            failed += usize::from(gate == "fail");
        }
        let pairs = settings.pairs;
        println!(
            "{lower} after {HELD_IOPS} IOPS: {right} of {pairs} between volumes, {failed} gates"
        );
        all &= right == pairs && failed == pairs;
    }
    Ok(all)
}

/// Runs all pairs and prints the results; `false` if there are too many alarms, or a true
/// difference is not found.
///
/// # Errors
/// If the bed cannot be made: not root, no loop devices, no blkio control groups.
pub fn run(root: &Path, words: &[&str]) -> Result<bool> {
    let settings = Settings::parse(root, words)?;
    let is_asked = |part: &str| settings.only.is_empty() || settings.only == part;
    let mut alarms = 0;
    let held = HeldDevices::new(&settings.folder)?;
    if is_asked("disk") {
        alarms += on_disk(&settings, &held)?.total();
    }
    if is_asked("held") {
        alarms += on_held(&settings, &held)?.total();
    }
    let found = !is_asked("differences") || differences(&settings, &held)?;
    drop(held);
    let _ = fs::remove_dir_all(&settings.folder);
    println!("{alarms} alarms in all, {MOST_ALARMS} allowed");
    if is_asked("differences") {
        println!("true differences: {}", if found { "all found" } else { "NOT all found" });
    }
    Ok(alarms <= MOST_ALARMS && found)
}
