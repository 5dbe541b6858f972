//! What a run writes to while somebody swaps the file that it was given: that file, or nothing.
//!
//! The attacker is a thread that exchanges names as fast as it can, so that every moment of a run
//! is met: before a file is opened, while it is filled, between its checks and its I/O. Each
//! exchange is one system call, so that the name always leads somewhere.

use crate::support::*;
use fathom_host::Host;
use fathom_job::{Fallocate, JobSpec, ReadWrite};
use fathom_run::{Control, Pin, Pins, RunError, execute};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

const SIZE_BYTES: u64 = 64 << 10;

/// A job on a file that is held.
fn job_on(path: &Path, rw: ReadWrite) -> JobSpec {
    let mut job = job("held", Path::new("/"), rw, SIZE_BYTES);
    job.target.directories.clear();
    job.target.filenames = vec![path.to_owned()];
    job.target.allow_file_create = false;
    job.target.fallocate = Fallocate::None;
    job.engine.engine = fathom_vocab::IoEngine::Psync;
    job
}

fn run_held(pins: &Pins, job: &JobSpec) -> Result<Option<String>, RunError> {
    let (options, host) = (options(), Host::real());
    let control = Arc::new(Control::default());
    let mut error = None;
    let mut note = |event: &fathom_run::Event| {
        if let fathom_run::Event::Error(of_layout) = event {
            error = Some(of_layout.to_string());
        }
    };
    let jobs = std::slice::from_ref(job);
    let outcome = execute(jobs, &options, &host, pins, &control, &mut Watcher(&mut note))?;
    let failed = outcome.result.jobs.iter().find(|job| job.error.is_error());
    Ok(error.or(failed.map(|job| job.error_text.clone())))
}

/// Victims that nothing may touch, each with a name to be swapped in. They are known by their
/// handles: under a name may be the test file by now.
struct Victims {
    data: PathBuf,
    handles: [File; 2],
    decoys: [PathBuf; 3],
}

const PRECIOUS: [u8; 8192] = [0xa5; 8192];

impl Victims {
    fn make(folder: &Path) -> Victims {
        let data = folder.join("precious");
        let copy = folder.join("the other");
        fs::write(&data, PRECIOUS).unwrap();
        fs::write(&copy, PRECIOUS).unwrap();
        let handles = [&data, &copy].map(|path| File::open(path).unwrap());
        let decoys = [folder.join("link"), folder.join("hard link"), folder.join("copy")];
        let victims = Victims { data, handles, decoys };
        victims.lay_out();
        fs::rename(copy, &victims.decoys[2]).unwrap();
        victims
    }

    /// Makes the decoys that are not there; one may have been removed for the test file.
    fn lay_out(&self) {
        let _ = symlink(&self.data, &self.decoys[0]);
        let _ = fs::hard_link(&self.data, &self.decoys[1]);
    }

    fn assert_untouched(&self) {
        for handle in &self.handles {
            let mut content = Vec::new();
            (&*handle).read_to_end(&mut content).unwrap();
            assert!(content == PRECIOUS, "a victim was written to");
        }
    }
}

/// Ends the attack, also where the test fails.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[test]
fn while_names_are_swapped_nothing_but_the_held_file_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let victims = Victims::make(folder.path());
    let path = folder.path().join("test file");
    let (swaps, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let (mut refused, mut whole) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for decoy in victims.decoys.iter().cycle() {
                if over.load(Relaxed) {
                    break;
                }
                let exchange = || renameat_with(CWD, &path, CWD, decoy, RenameFlags::EXCHANGE);
                victims.lay_out();
                // There, and back again, so that some runs get as far as their I/O.
                for _ in 0..2 {
                    swaps.fetch_add(u64::from(exchange().is_ok()), Relaxed);
                    std::thread::yield_now();
                }
            }
        });
        let _end = End(&over);
        // Until both ends of a race were seen, and as long as it takes to swap often enough.
        for turn in 0.. {
            let pin = Arc::new(Pin::create(&path).unwrap());
            let pins: Pins = [pin.clone()].into_iter().collect();
            let rw = if turn % 2 == 0 { WRITE } else { READ };
            match run_held(&pins, &job_on(&path, rw)).map_err(|error| error.to_string()) {
                Ok(None) => whole += 1,
                Ok(Some(why)) | Err(why) => {
                    assert!(why.contains("Somebody replaced it"), "{why}");
                    refused += 1;
                }
            }
            // What is left of it then is under the name of a decoy.
            while pin.remove().is_err() && fs::symlink_metadata(&path).is_ok() {
                std::thread::yield_now();
            }
            if turn >= 300 && swaps.load(Relaxed) >= 1000 && whole > 0 && refused > 0 {
                break;
            }
        }
    });
    victims.assert_untouched();
    println!("{} swaps, {refused} runs refused, {whole} whole", swaps.load(Relaxed));
}

#[test]
fn what_is_in_the_place_of_a_held_file_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let victims = Victims::make(folder.path());
    let path = folder.path().join("test file");
    let fifo = folder.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    let decoys = victims.decoys.iter().chain([&fifo]);
    let names = ["a symbolic link", "another file", "another file", "another file"];
    for (decoy, name) in decoys.zip(names) {
        let pin = Arc::new(Pin::create(&path).unwrap());
        let pins: Pins = [pin.clone()].into_iter().collect();
        assert_eq!(run_held(&pins, &job_on(&path, WRITE)).unwrap(), None);
        for rw in [WRITE, READ] {
            renameat_with(CWD, &path, CWD, decoy, RenameFlags::EXCHANGE).unwrap();
            let why = run_held(&pins, &job_on(&path, rw)).unwrap().expect("it is refused");
            assert!(why.contains(&format!("{name} is there now")), "{why}");
            assert!(why.contains(&path.display().to_string()), "{why}");
            renameat_with(CWD, &path, CWD, decoy, RenameFlags::EXCHANGE).unwrap();
        }
        fs::remove_file(&path).unwrap();
        let why = run_held(&pins, &job_on(&path, READ)).unwrap().expect("it is refused");
        assert!(why.contains("nothing is there now"), "{why}");
        assert_eq!(pin.remove(), Ok(()));
    }
    victims.assert_untouched();
}

#[test]
fn a_held_file_is_found_though_its_folder_was_renamed() {
    let top = tempfile::tempdir().unwrap();
    let (folder, other) = (top.path().join("a"), top.path().join("b"));
    fs::create_dir(&folder).unwrap();
    let path = folder.join("test file");
    let pin = Arc::new(Pin::create(&path).unwrap());
    let pins: Pins = [pin.clone()].into_iter().collect();
    fs::rename(&folder, &other).unwrap();
    assert_eq!(run_held(&pins, &job_on(&path, WRITE)).unwrap(), None);
    assert_eq!(fs::metadata(other.join("test file")).unwrap().len(), SIZE_BYTES);
    assert_eq!(pin.remove(), Ok(()));
    assert_eq!(fs::read_dir(&other).unwrap().count(), 0);
}

#[test]
fn a_file_that_became_a_link_to_a_device_is_no_device_that_was_checked() {
    let folder = tempfile::tempdir().unwrap();
    // A link that leads to a device only when the run opens it: made by the job's own first step.
    let path = folder.path().join("file");
    fs::write(&path, PRECIOUS).unwrap();
    let Some(device) = any_block_device() else {
        return fathom_skip::skip("needs a block device that can be examined");
    };
    let mut job = job_on(&path, READ);
    let shown = |path: &Path| path.display().to_string();
    job.process.exec_prerun = Some(format!("ln -sf {} {}", shown(&device), shown(&path)));
    job.name = shown(&folder.path().join("job"));
    let outcome = run(&[job]).unwrap();
    let why = &outcome.result.jobs[0].error_text;
    assert!(why.contains("another device is there now"), "{why}");
}

/// A device that may be opened for reading; nothing is written to it.
fn any_block_device() -> Option<PathBuf> {
    let names = fs::read_dir("/sys/class/block").ok()?.flatten();
    let nodes = names.map(|name| Path::new("/dev").join(name.file_name()));
    nodes.into_iter().find(|node| fs::File::open(node).is_ok())
}
