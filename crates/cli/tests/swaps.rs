//! Test files in a folder where somebody else may write: the whole command, under attack.
//!
//! This process is the attacker. It waits for a test file to appear and swaps its name, again and
//! again, with links to what must not be touched, so that every moment is met: before a file is
//! opened, while it is filled, between trials, phases, cases and steps. Some swaps are undone at
//! once, so that the command gets on; in the end it may have succeeded or failed, but nothing but
//! its own file was written to.

use crate::devices::{LoopDevice, need};
use crate::sandbox::{Running, Sandbox, left_in, without_breaks};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const PRECIOUS: [u8; 8192] = [0xa5; 8192];
/// The size of the test files.
const SIZE: &str = "--size 16m";

/// The test file in a folder, once there is one that is no decoy.
fn test_file(folder: &Path) -> Option<PathBuf> {
    let mut names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name());
    let name = names.find(|name| name.to_string_lossy().starts_with(".fathom-"))?;
    Some(folder.join(name))
}

/// Every command that makes a test file in `folder`.
fn commands(folder: &str) -> [String; 5] {
    [
        format!("measure {folder} {SIZE} --time 1600ms"),
        format!("sweep {folder} --rw randwrite,randread --bs 4k,8k --time-per-run 150ms {SIZE}"),
        format!("limit {folder} --p99 1s --rw randwrite --time-per-run 150ms --max-steps 5 {SIZE}"),
        format!("check {folder} --promise aws.gp3 --volume-size 8GiB --time-per-run 2s --size 64m"),
        format!("compare {folder} {folder}/other --time 2s --repeat 3 {SIZE}"),
    ]
}

struct Victims {
    data: PathBuf,
    device: Option<LoopDevice>,
    decoys: Vec<PathBuf>,
}

impl Victims {
    /// In `store`, with decoys in `folder`, from where they can be renamed.
    fn make(store: &Path, folder: &Path) -> Victims {
        let data = store.join("precious");
        fs::write(&data, PRECIOUS).unwrap();
        let device = need(LoopDevice::new(store, 8 << 20));
        let mut decoys = vec![folder.join("link"), folder.join("hard link")];
        symlink(&data, &decoys[0]).unwrap();
        fs::hard_link(&data, &decoys[1]).unwrap();
        if let Some(device) = &device {
            decoys.push(folder.join("link to a device"));
            symlink(&device.path, &decoys[2]).unwrap();
        }
        Victims { data, device, decoys }
    }

    fn assert_untouched(&self, line: &str) {
        assert!(fs::read(&self.data).unwrap() == PRECIOUS, "`{line}` wrote to the file");
        if let Some(device) = &self.device {
            let zeros = fs::read(&device.backing).unwrap().iter().all(|byte| *byte == 0);
            assert!(zeros, "`{line}` wrote to the device");
        }
    }

    /// Swaps the test file's name with each decoy in turn until `over`; how often that was.
    fn attack(&self, folder: &Path, over: &AtomicBool) -> u64 {
        let mut swaps = 0;
        let mut swap = |path: &Path, decoy: &Path| {
            let done = renameat_with(CWD, path, CWD, decoy, RenameFlags::EXCHANGE).is_ok();
            swaps += u64::from(done);
            done
        };
        for (turn, decoy) in self.decoys.iter().cycle().enumerate() {
            if over.load(Relaxed) {
                break;
            }
            let Some(path) = test_file(folder) else {
                std::thread::yield_now();
                continue;
            };
            // Most are undone at once; else the first would be the last.
            if swap(&path, decoy) && turn % 64 != 63 {
                swap(&path, decoy);
            }
        }
        swaps
    }
}

#[test]
fn a_thousand_swaps_change_nothing_but_test_files() {
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("theirs");
    fs::create_dir_all(folder.join("other")).unwrap();
    let victims = Victims::make(sandbox.root(), &folder);
    let mut swaps = 0;
    for line in commands("theirs") {
        let over = AtomicBool::new(false);
        swaps += std::thread::scope(|scope| {
            let attacker = scope.spawn(|| victims.attack(&folder, &over));
            let outcome = sandbox.fathom(&line);
            over.store(true, Relaxed);
            let said = format!("{}{}", outcome.stdout, outcome.stderr);
            let ok = outcome.code == Some(0) || said.contains("omebody");
            assert!(ok, "{}", outcome.describe("neither whole nor refused for the right reason"));
            attacker.join().unwrap()
        });
        victims.assert_untouched(&line);
        // Whatever was left under the name of a test file is a decoy.
        while let Some(path) = test_file(&folder) {
            fs::remove_file(path).unwrap();
        }
        let _ = fs::remove_file(sandbox.work().join("state.json"));
        restore(&victims, &folder);
    }
    assert!(swaps >= 1000, "only {swaps} swaps");
}

/// Makes the decoys anew: some are test files by now.
fn restore(victims: &Victims, folder: &Path) {
    for decoy in &victims.decoys {
        let _ = fs::remove_file(decoy);
    }
    symlink(&victims.data, folder.join("link")).unwrap();
    fs::hard_link(&victims.data, folder.join("hard link")).unwrap();
    if let Some(device) = &victims.device {
        symlink(&device.path, folder.join("link to a device")).unwrap();
    }
}

/// Waits until the test file is as long as it will be: it is filled, and phases follow.
fn wait_for_filled(folder: &Path, bytes: u64) -> PathBuf {
    loop {
        let found = test_file(folder)
            .filter(|path| fs::metadata(path).is_ok_and(|about| about.blocks() * 512 >= bytes));
        if let Some(path) = found {
            return path;
        }
        std::thread::yield_now();
    }
}

fn started(sandbox: &Sandbox, more: &str) -> Running {
    sandbox.start_fathom(&format!("measure . --size 16m --time 20s {more}"))
}

#[test]
fn a_stolen_test_file_is_told_emptied_and_ends_what_follows() {
    let sandbox = Sandbox::new();
    let data = sandbox.root().join("precious");
    fs::write(&data, PRECIOUS).unwrap();
    let running = started(&sandbox, "--quiet");
    let path = wait_for_filled(&sandbox.work(), 16 << 20);
    let stolen = sandbox.root().join("stolen");
    fs::rename(&path, &stolen).unwrap();
    symlink(&data, &path).unwrap();
    let outcome = running.finish();
    outcome.assert_no_panic();
    assert_eq!(outcome.code, Some(1), "{}", outcome.describe("a phase had no file"));
    // Lines are broken to fit a screen.
    let said = without_breaks(&outcome.stdout);
    assert!(said.contains("a symbolic link is there now instead of the test file"), "{said}");
    assert!(outcome.stderr.contains("somebody moved it"), "{}", outcome.stderr);
    assert_eq!(fs::metadata(&stolen).unwrap().len(), 0, "its space is not given back");
    assert!(fs::read(&data).unwrap() == PRECIOUS);
    // The link is not ours to remove.
    assert!(path.is_symlink());
}

#[test]
fn a_renamed_folder_costs_neither_the_measurement_nor_the_removal() {
    let sandbox = Sandbox::new();
    let (folder, other) = (sandbox.work().join("a"), sandbox.work().join("b"));
    fs::create_dir(&folder).unwrap();
    let running = sandbox.start_fathom("measure a --size 16m --time 2s");
    wait_for_filled(&folder, 16 << 20);
    fs::rename(&folder, &other).unwrap();
    fs::create_dir(&folder).unwrap();
    let outcome = running.finish();
    outcome.assert_no_panic();
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("the file is the same"));
    assert_eq!((left_in(&folder), left_in(&other)), (Vec::new(), Vec::new()));
}
