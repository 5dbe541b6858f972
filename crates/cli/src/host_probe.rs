//! Facts that need a test on this machine: the clock's cost, the length of waits, other load,
//! direct I/O, and folders for scratch files. It returns plain data; the campaign crate judges it.

use crate::stale_files;
use fathom_campaign::machine::HostProbe;
use fathom_campaign::{TargetKind, TestFiles, Volume};
use fathom_doctor::{ClockFacts, DirectFacts, HostLoad, TimerFacts};
use fathom_engine::{Clock, ClockSource, OpenHow, direct_alignment, open};
use fathom_host::{Host, cpu_deltas};
use fathom_text::Text;
use std::hint::black_box;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

/// Readings in the mean: a few milliseconds in all.
const READINGS: u32 = 100_000;

/// Waits in the median: an odd number.
const WAITS: u32 = 21;

/// Tries on this machine.
#[derive(Debug)]
pub struct LocalProbe;

impl HostProbe for LocalProbe {
    fn clock(&self) -> ClockFacts {
        clock()
    }

    fn timer(&self) -> TimerFacts {
        timer()
    }

    fn load(&self, host: &Host, allowed: &[u32], span: Duration) -> HostLoad {
        load(host, allowed, span)
    }

    fn direct(&self, volume: &Volume, files: &TestFiles) -> DirectFacts {
        direct(volume, files)
    }

    fn stale_files(&self, path: &Path) -> Option<Text> {
        stale_files::notice(path)
    }
}

/// The clock used for measuring, and the cost of reading it.
fn clock() -> ClockFacts {
    let clock = Clock::new(ClockSource::Auto);
    let start = Instant::now();
    for _ in 0..READINGS {
        black_box(clock.now_ns());
    }
    ClockFacts {
        source: clock.source().to_owned(),
        why_not_tsc: Clock::why_not_counter().map(str::to_owned),
        reading_ns: start.elapsed().as_nanos() as f64 / f64::from(READINGS),
    }
}

/// How long waits of a millisecond take.
fn timer() -> TimerFacts {
    let wait = |_| {
        let start = Instant::now();
        std::thread::sleep(Duration::from_millis(1));
        start.elapsed().as_secs_f64() * 1e6
    };
    let mut took_us: Vec<f64> = (0..WAITS).map(wait).collect();
    took_us.sort_by(f64::total_cmp);
    TimerFacts {
        waits: WAITS,
        median_us: took_us[took_us.len() / 2],
        longest_us: took_us[took_us.len() - 1],
    }
}

/// Other load over `span`; unknown if `/proc/stat` cannot be read.
fn load(host: &Host, allowed: &[u32], span: Duration) -> HostLoad {
    let Ok(before) = host.cpu_times() else { return HostLoad::default() };
    let start = Instant::now();
    std::thread::sleep(span);
    let over_ms = start.elapsed().as_millis() as u64;
    let Ok(after) = host.cpu_times() else { return HostLoad::default() };
    HostLoad::of(&cpu_deltas(&before, &after), allowed, over_ms)
}

/// Whether a target takes direct I/O, tried by opening it so; a folder by a file made for it.
fn direct(volume: &Volume, files: &TestFiles) -> DirectFacts {
    let guard;
    let Some(target) = volume.target.path() else {
        return untried("an export has no page cache on this machine".to_owned());
    };
    let path: &Path = match &volume.kind {
        TargetKind::ExistingFile { .. } | TargetKind::Device { .. } => target,
        TargetKind::Folder | TargetKind::NewFile => {
            let folder = match volume.kind {
                TargetKind::Folder => target,
                _ => target.parent().unwrap_or(Path::new(".")),
            };
            let name = format!(".fathom-doctor-{:016x}", fathom_vocab::entropy());
            guard = match files.create(&folder.join(name)) {
                Ok(guard) => guard,
                Err(error) => return untried(error.to_string()),
            };
            guard.path()
        }
    };
    let how = OpenHow { read: true, direct: true, ..OpenHow::default() };
    match open(path, &how) {
        Ok(file) => {
            let alignment = direct_alignment(&file);
            DirectFacts {
                untried: None,
                refused: (!alignment.supported).then(|| "the kernel says so of the file".into()),
                offset_alignment_bytes: alignment.offset,
                memory_alignment_bytes: alignment.mem,
                known_from: alignment.source.name().to_owned(),
            }
        }
        // The kernel returns EINVAL if this file system has no O_DIRECT.
        Err(error) if error.source.kind() == ErrorKind::InvalidInput => {
            DirectFacts { refused: Some(error.source.to_string()), ..DirectFacts::default() }
        }
        Err(error) => untried(error.source.to_string()),
    }
}

fn untried(why: String) -> DirectFacts {
    DirectFacts { untried: Some(why), ..DirectFacts::default() }
}
