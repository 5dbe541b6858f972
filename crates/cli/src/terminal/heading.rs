//! Lines that every heading shares: the machine, its volumes, and the time and writes of runs.

use crate::language::{lang, word};
use crate::terminal::live::whole_seconds;
use crate::terminal::screen::{Screen, columns, from_left, labelled, warning, wrapped};
use chrono::{Local, TimeDelta};
use fathom_campaign::cases::{CachePolicy, Case, PreparedTarget, ResolvedAccess};
use fathom_campaign::{
    ClientFiles, ClientSpace, Method, Remark, TargetKind, VolumePlan, binary_bytes, decimal_bytes,
    megabytes_per_s, seconds,
};
use fathom_host::{BlockDevice, Mount, Storage, System, WriteCache};
use fathom_message::Tell;
use fathom_vocab::{IoEngine, printable};
use std::fmt::Display;

/// Width of the words on the left.
const LABEL: usize = 13;

/// A labelled line, broken if it is too long.
pub fn line(label: &'static str, text: impl Display, screen: &Screen) -> String {
    named_line(word(label), text, screen)
}

/// The same under a name.
pub fn named_line(name: &str, text: impl Display, screen: &Screen) -> String {
    let first = format!("  {} ", from_left(name, LABEL));
    let rest = " ".repeat(columns(&first));
    wrapped(text, screen.width, &first, &rest)
}

/// The machine, in one line.
pub fn host(system: &System, screen: &Screen) -> String {
    let mut parts = Vec::new();
    parts.extend(system.hostname.clone());
    parts.extend(system.kernel.as_deref().map(named_kernel));
    parts.push(localized!("{} CPUs", system.cpus_online));
    parts.extend(system.memory_bytes.map(|bytes| localized!("{} memory", binary_bytes(bytes))));
    if let Some(machine) = &system.virtualisation {
        let names = [&machine.provider, &machine.vendor, &machine.product];
        let mut known: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
        known.dedup();
        parts.push(localized!("virtual machine {}", known.join(" ")).trim_end().to_owned());
    }
    let text = localized!("Fathom {} on {}", env!("CARGO_PKG_VERSION"), parts.join(", "));
    wrapped(&text, screen.width, "", "  ")
}

/// Linux gives its release alone, Windows its name with it.
fn named_kernel(kernel: &str) -> String {
    match kernel.starts_with("Windows") {
        true => kernel.to_owned(),
        false => format!("Linux {kernel}"),
    }
}

/// The facts about one volume, and how it is reached.
fn volume(plan: &VolumePlan, reach: &str, screen: &Screen) -> String {
    let mut text = format!("\n{}\n", title(plan));
    if plan.volume.mount.fstype != "block" {
        text += &line("file system", file_system(plan), screen);
        text += &line("mounted with", mount_options(&plan.volume.mount), screen);
    }
    for (label, about) in storage(&plan.volume.storage) {
        text += &line(label, &about, screen);
    }
    text += &line("measured in", place(plan), screen);
    let reach = if plan.export.is_some() { word(OVER_THE_WIRE) } else { reach };
    text += &line("reached by", reach, screen);
    text
}

/// How a target is reached, as the end of its line.
fn reached_by(method: &Method) -> String {
    match method.engine {
        IoEngine::Nfs => localized!("without a mount"),
        IoEngine::Windowsaio if method.direct => localized!("windowsaio past the cache"),
        engine if method.direct => localized!("{} with O_DIRECT", engine.name()),
        engine => localized!("{} THROUGH THE PAGE CACHE", engine.name()),
    }
}

/// How a program's log is written.
pub const LOG: &str = "writes go to the page cache, flushes to the device";

/// Each target that was tried in a line or two, with the remarks on it: path, device, file, engine.
pub fn brief_volumes(targets: &[PreparedTarget], screen: &Screen) -> String {
    let volume = |target: &PreparedTarget| {
        let line = brief_line(&target.volume, Some(reached_by(&target.method)), screen);
        line + &remarks(&target.remarks(), screen)
    };
    targets.iter().map(volume).collect()
}

fn brief_line(plan: &VolumePlan, reach: Option<String>, screen: &Screen) -> String {
    let (volume, size) = (&plan.volume, binary_bytes(plan.size_bytes));
    let mount = &volume.mount;
    let on = match mount.fstype.as_str() {
        "block" => localized!("block device"),
        fstype if mount.source.starts_with('/') || mount.source.contains(':') => {
            localized!("{fstype} on {}", mount.source)
        }
        fstype => fstype.to_owned(),
    };
    let place = match plan.ours {
        true => localized!("a test file of {size}"),
        false => place(plan),
    };
    let from = volume.cluster.as_ref().map(|cluster| cluster.tell().text(lang()));
    let parts: Vec<String> = from.into_iter().chain([on, place]).chain(reach).collect();
    let text = format!("{}: {}", plan.record().target(), parts.join(", "));
    wrapped(text, screen.width, "", "  ")
}

/// The machine and every volume; `tried` returns the facts found by trying each, none before.
pub fn volumes<'a>(
    system: &System,
    volumes: &[VolumePlan],
    tried: impl Fn(usize) -> Option<(&'a Method, Vec<Remark>)>,
    screen: &Screen,
) -> String {
    let mut text = host(system, screen);
    for (at, plan) in volumes.iter().enumerate() {
        let (method, remarks) = tried(at).unzip();
        text += &volume(plan, &method.map_or_else(usual_reach, reach_by), screen);
        text += &self::remarks(&remarks.unwrap_or_else(|| plan.remarks.clone()), screen);
    }
    text
}

/// The one target of a command: one line before a measurement; for a plan only (`target` is none
/// before its engines were tried) all facts about it and the machine, and the planned `reach`. Of
/// several engines each is listed.
pub fn target(
    system: &System,
    plan: &VolumePlan,
    target: Option<&PreparedTarget>,
    reach: &str,
    screen: &Screen,
) -> String {
    let Some(target) = target else {
        let all = host(system, screen) + &volume(plan, reach, screen);
        return all + &remarks(&plan.remarks, screen) + "\n";
    };
    let access = target.used_access();
    let first = access.iter().find_map(|of| Some((of, of.method.as_ref()?)));
    let used = first.map(|(of, method)| match target.is_log(of) {
        true => localized!("{} ({})", method.engine.name(), word(LOG)),
        false => reached_by(method),
    });
    let mut text = brief_line(plan, used, screen);
    if access.len() > 1 {
        let reached = |of| line("engine", reached(of, target.is_log(of)), screen);
        text.extend(access.iter().map(reached));
    }
    text + &remarks(&target.remarks(), screen)
}

fn reached(access: &ResolvedAccess, is_log: bool) -> String {
    let name = access.asked.map_or(word("the first that works"), |engine| engine.name());
    match (&access.method, &access.failure) {
        (Some(method), _) if method.engine == IoEngine::Nfs => {
            format!("{name}: {}", word(OVER_THE_WIRE))
        }
        (Some(method), _) if method.direct => localized!("{name}: past the page cache (O_DIRECT)"),
        (Some(_), _) if is_log => format!("{name}: {}", word(LOG)),
        (Some(_), _) => localized!("{name}: only THROUGH THE PAGE CACHE"),
        (None, why) => {
            localized!("{name}: DOES NOT WORK: {}", why.as_deref().unwrap_or(word("not tried")))
        }
    }
}

/// Bytes a second that a test file is assumed to be written with: few volumes are slower.
const FILL_BYTES_PER_S: u64 = 200_000_000;

/// From this time in microseconds on, a fill makes a difference to the time of a plan.
const LONG_FILL_US: u64 = 1_000_000;

/// When a plan begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanStart {
    /// As soon as it is printed, so that its end is known.
    Now,
    /// It is not carried out.
    Never,
}

impl PlanStart {
    /// Now if `target` was tried, which only happens before runs.
    pub fn of<T>(target: Option<T>) -> PlanStart {
        if target.is_some() { PlanStart::Now } else { PlanStart::Never }
    }
}

/// About how long a plan takes.
pub struct PlannedTime {
    /// Time of the runs in microseconds: the least, and the most.
    pub runs_us: [u64; 2],
    /// Bytes that are written before them.
    pub fill_bytes: u64,
    /// When it begins.
    pub start: PlanStart,
}

impl PlannedTime {
    /// A plan whose runs take as long as this.
    pub fn new(runs_us: u64, fill_bytes: u64, start: PlanStart) -> PlannedTime {
        PlannedTime { runs_us: [runs_us; 2], fill_bytes, start }
    }

    /// `about 40 s, done at 22:03 if filling reaches 200 MB/s`.
    fn text(&self) -> String {
        let fill_us = self.fill_bytes / (FILL_BYTES_PER_S / 1_000_000);
        match fill_us < LONG_FILL_US {
            true => self.with_fill(fill_us),
            false => {
                let rate = megabytes_per_s(FILL_BYTES_PER_S as f64 / 1e6);
                localized!("{} if filling reaches {rate} MB/s", self.with_fill(fill_us))
            }
        }
    }

    /// `about 40 s, done at 22:03`, where the fill takes so long.
    fn with_fill(&self, fill_us: u64) -> String {
        let [least_us, most_us] = self.runs_us.map(|us| us.saturating_add(fill_us));
        let range = match least_us < most_us {
            true => localized!("about {} to {}", whole_seconds(least_us), whole_seconds(most_us)),
            false => localized!("about {}", whole_seconds(most_us)),
        };
        let most = i64::try_from(most_us).ok().map(TimeDelta::microseconds);
        let end = most.and_then(|most| Local::now().checked_add_signed(most));
        match end.filter(|_| self.start == PlanStart::Now) {
            Some(end) if least_us < most_us => {
                localized!("{range}, done by {}", end.format("%H:%M"))
            }
            Some(end) => localized!("{range}, done at {}", end.format("%H:%M")),
            None => range,
        }
    }
}

/// The line with the time of a plan, and its `runs`.
pub fn time(planned: &PlannedTime, runs: &str, screen: &Screen) -> String {
    labelled("Time   ", format!("{}: {runs}.", planned.text()), screen)
}

/// The order of the rounds of several volumes.
pub const ORDER_OF_VOLUMES: &str = "in each round every test runs on all volumes before the next \
                                    begins, in an order drawn at random.";

/// How many tests there are, and how many runs they make: `8 tests`, `8 tests on 2 volumes, 5
/// rounds each: 80 runs`.
pub fn tests(tests: usize, volumes: usize, rounds: u32, runs: usize) -> String {
    let count = localized!("{tests|1=1 test|{tests} tests}");
    let there = if volumes > 1 { localized!("{count} on {volumes} volumes") } else { count };
    match (rounds, tests) {
        (1, _) if volumes == 1 => there,
        (1, _) => localized!("{there}: {runs} runs"),
        (_, 1) => localized!("{there}, {rounds} rounds: {runs} runs"),
        _ => localized!("{there}, {rounds} rounds each: {runs} runs"),
    }
}

/// How many runs there are: `1 run`, `6 runs`.
pub fn runs(count: usize) -> String {
    localized!("{count|1=1 run|{count} runs}")
}

/// `runs` with the time of each: `6 runs of 10 s (and 1 s before each that are not counted)`.
pub fn each(runs: &str, run_us: u64, ramp_us: u64) -> String {
    let (run, ramp) = (seconds(run_us), seconds(ramp_us));
    localized!("{runs} of {run} (and {ramp} before each that are not counted)")
}

/// The bytes that runs write in this time; `about` is the amount.
pub fn writes(fill_bytes: u64, writing_us: u64, about: &str) -> String {
    let size = binary_bytes(fill_bytes);
    match (fill_bytes, writing_us) {
        (0, _) => localized!("nothing."),
        (_, 0) => localized!("{size} once, then nothing."),
        (_, writing_us) => localized!(
            "{size} once; then, within the same {size}, as much as it takes in {}{about}.",
            seconds(writing_us)
        ),
    }
}

/// The amount at 1 GB/s, which few volumes exceed: users who pay for writes need a number.
pub fn at_1_gb(writing_us: u64) -> String {
    localized!(" (at 1 GB/s, {})", decimal_bytes(writing_us.saturating_mul(1000)))
}

/// The target as typed, and its full path if the name depends on the working folder.
fn title(plan: &VolumePlan) -> String {
    let volume = &plan.volume;
    let title = match volume.target.is_absolute() {
        true => volume.name.clone(),
        false => format!("{} ({})", volume.name, volume.target.absolute()),
    };
    printable::line(&title).into_owned()
}

/// The sentences to know beforehand, one paragraph each.
pub fn remarks(remarks: &[Remark], screen: &Screen) -> String {
    remarks.iter().map(|r| warning(r.tell().text(screen.lang), screen)).collect()
}

fn file_system(plan: &VolumePlan) -> String {
    let mount = &plan.volume.mount;
    let mut text = mount.fstype.clone();
    if mount.is_mounted() {
        text = localized!("{text} at {}", mount.mount_point.display());
    }
    if mount.source.starts_with('/') || mount.source.contains(':') {
        text = localized!("{text} on {}", mount.source);
    }
    if let Some(space) = &plan.volume.space {
        let used_bytes = space.total_bytes.saturating_sub(space.free_bytes);
        let [size, used, free] =
            [space.total_bytes, used_bytes, space.available_bytes].map(decimal_bytes);
        text += &match plan.volume.clients.as_ref().filter(|of| !of.share_space) {
            None => localized!(", {size}, {used} used, {free} free"),
            Some(files) => localized!("; free: {}", free_of_each(files)),
        };
    }
    text
}

/// The free space of each client; of many, those with the least.
fn free_of_each(files: &ClientFiles) -> String {
    const MOST: usize = 6;
    let mut spaces: Vec<&ClientSpace> = files.spaces.iter().collect();
    if spaces.len() > MOST {
        spaces.sort_by_key(|of| of.available_bytes);
    }
    let told = |of: &&ClientSpace| format!("{} {}", of.client, decimal_bytes(of.available_bytes));
    let list = spaces.iter().take(MOST).map(told).collect::<Vec<_>>().join(", ");
    match spaces.len().saturating_sub(MOST) {
        0 => list,
        more => localized!("{list}, and {more} with more"),
    }
}

/// The mount options, without an overlay's folders, which fill a page in a container.
fn mount_options(mount: &Mount) -> String {
    let folders = ["lowerdir", "upperdir", "workdir"];
    let kept = mount.options.iter().filter(|option| {
        let name = option.split_once('=').map_or(option.as_str(), |(name, _)| name);
        !folders.contains(&name)
    });
    // Broken at spaces, so one after each comma.
    kept.map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn storage(storage: &Storage) -> Vec<(&'static str, String)> {
    match storage {
        Storage::Block { device } => vec![("device", device_text(device))],
        Storage::Pool { fstype, name, devices } => {
            let mut lines =
                vec![("pool", localized!("{fstype} {name}, {} devices", devices.len()))];
            lines.extend(devices.iter().map(|device| ("device", device_text(device))));
            lines
        }
        Storage::Memory { fstype } => vec![("device", localized!("none: {fstype} is memory"))],
        Storage::Network { fstype, server, export, version, .. } => {
            let text = localized!("{server}, export {export}, {fstype}");
            let version = version.as_ref().map(|version| localized!(" version {version}"));
            vec![("server", text + &version.unwrap_or_default())]
        }
        Storage::Overlay { beneath: Some(beneath), .. } => self::storage(beneath),
        other => {
            let why = other.no_device_because().unwrap_or_default();
            vec![("device", localized!("not known: {why}"))]
        }
    }
}

/// A device: its node, type, size and bus.
pub fn device_text(device: &BlockDevice) -> String {
    let mut parts = Vec::new();
    parts.extend(model(device));
    parts.extend(device.mapper_name.clone());
    parts.extend(device.raid_level.clone());
    parts.extend(
        device.backing_file.as_ref().map(|file| localized!("backed by {}", file.display())),
    );
    parts.push(decimal_bytes(device.size_bytes));
    parts.extend(device.transport.clone());
    // The kernel treats a virtual disk as a spinning one unless the host says otherwise. A loop
    // device has the properties of the disk below its file, or of the page cache.
    let is_rotational = device.rotational && device.backing_file.is_none();
    parts.extend(is_rotational.then(|| localized!("rotational (says the kernel)")));
    parts.extend(device.scheduler.as_ref().map(|name| localized!("scheduler {name}")));
    parts.extend(device.queue_depth.map(|depth| localized!("queue of {depth}")));
    parts.extend(device.write_cache.map(|cache| {
        match cache {
            WriteCache::WriteBack => word("write-back cache"),
            WriteCache::WriteThrough => word("write-through cache"),
        }
        .to_owned()
    }));
    format!("{}: {}", device.node().display(), parts.join(", "))
}

fn model(device: &BlockDevice) -> Option<String> {
    let words = [&device.vendor, &device.model];
    let text: Vec<&str> = words.into_iter().flatten().map(|word| word.trim()).collect();
    (!text.is_empty()).then(|| text.join(" "))
}

fn place(plan: &VolumePlan) -> String {
    let size = binary_bytes(plan.size_bytes);
    let path = plan.shown_path();
    let path = path.display();
    let whole = match plan.volume.kind {
        TargetKind::Device { size_bytes, .. } | TargetKind::ExistingFile { size_bytes, .. } => {
            plan.size_bytes * 100 / size_bytes.max(1) >= 99
        }
        _ => false,
    };
    match (plan.ours, plan.writes, whole) {
        (true, ..) if plan.volume.file_count() > 1 => localized!(
            "{} test files of {size}, one for each host: {path}-* (random data, removed at the \
             end)",
            plan.volume.file_count()
        ),
        (true, ..) => localized!("a test file of {size}: {path} (random data, removed at the end)"),
        (false, true, _) => localized!("the first {size} of {path}, WRITTEN OVER with random data"),
        (false, false, true) => localized!("all {size} of {path}, read only"),
        (false, false, false) => localized!("the first {size} of {path}, read only"),
    }
}

/// How an export is reached.
const OVER_THE_WIRE: &str = "connections of our own, without a mount: nothing is cached here";

/// The engine of a case that names none.
const FIRST_ENGINE: &str = "the first engine that works";

const PAST_IF_POSSIBLE: &str = "past the page cache (O_DIRECT) if possible";

/// How a command reaches a target where no option says it.
pub fn usual_reach() -> String {
    format!("{}, {}", word(FIRST_ENGINE), word(PAST_IF_POSSIBLE))
}

/// How cases will reach a target that was not tried yet.
pub fn planned_reach(cases: &[Case]) -> String {
    let all = || cases.iter().flat_map(Case::with_those_beside);
    let mut engines: Vec<&str> = Vec::new();
    for case in all() {
        let name = case.reach.engine.map_or(word(FIRST_ENGINE), |engine| engine.name());
        if !engines.contains(&name) {
            engines.push(name);
        }
    }
    let is_past = |case: &Case| case.is_direct(true);
    let cache = if all().all(is_past) {
        match all().any(|case| case.reach.cache == CachePolicy::PastIfPossible) {
            true => PAST_IF_POSSIBLE,
            false => "past the page cache (O_DIRECT)",
        }
    } else if all().any(is_past) {
        "past the page cache (O_DIRECT) or THROUGH IT, as each case says"
    } else if all().all(Case::is_flushed) {
        LOG
    } else {
        "THROUGH THE PAGE CACHE"
    };
    format!("{}, {}", engines.join(", "), word(cache))
}

/// How a target that is no export was found to be reached.
fn reach_by(method: &Method) -> String {
    let engine = method.engine.name();
    match method.direct {
        true if method.engine == IoEngine::Windowsaio => localized!("windowsaio past the cache"),
        true => localized!("{engine} with O_DIRECT, past the page cache"),
        false => localized!("{engine} THROUGH THE PAGE CACHE"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assumed_rate_of_a_fill_is_named_if_the_fill_takes_long() {
        let text = |fill_bytes| PlannedTime::new(40_000_000, fill_bytes, PlanStart::Never).text();
        assert_eq!(text(0), "about 40 s");
        assert_eq!(text(16 << 20), "about 41 s");
        assert_eq!(text(2_000_000_000), "about 50 s if filling reaches 200 MB/s");
        let now = PlannedTime::new(40_000_000, 2_000_000_000, PlanStart::Now).text();
        assert!(now.starts_with("about 50 s, done at "), "{now}");
        assert!(now.ends_with(" if filling reaches 200 MB/s"), "{now}");
        let range = PlannedTime {
            runs_us: [40_000_000, 90_000_000],
            fill_bytes: 2_000_000_000,
            start: PlanStart::Never,
        };
        assert_eq!(range.text(), "about 50 s to 1 min 40 s if filling reaches 200 MB/s");
    }
}
