//! Failing places: a full disk, a read-only mount. Both are small file systems in memory, made for
//! the test; they need root.

use super::{Home, assert_sound, document, run};
use crate::{Filter, Sharing, Store, StoreError};
use fathom_skip::need;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Frees the space of a file. A child that another test is just starting may hold it open for a moment;
/// removing it would free nothing until then.
fn empty(path: &Path) {
    fs::File::create(path).unwrap();
}

/// A file system in memory that ends with its test.
struct Memory {
    point: PathBuf,
    _folder: tempfile::TempDir,
}

impl Memory {
    fn new(options: &str) -> Option<Memory> {
        let folder = tempfile::tempdir().unwrap();
        let point = folder.path().join("memory");
        fs::create_dir(&point).unwrap();
        need(mount(&["-t", "tmpfs", "-o", options, "fathom-store"], &point))?;
        Some(Memory { point, _folder: folder })
    }

    fn path(&self) -> PathBuf {
        self.point.join("fathom/history.sqlite3")
    }

    fn remount(&self, how: &str) {
        mount(&["-o", &format!("remount,{how}")], &self.point).unwrap();
    }

    /// Takes all space that is left.
    fn fill(&self) -> PathBuf {
        let path = self.point.join("filler");
        let mut file = fs::File::create(&path).unwrap();
        while file.write_all(&[7; 4096]).is_ok() {}
        path
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // A child that another test is just starting may hold a file of it for a moment: lazily.
        let _ = Command::new("umount").arg("-l").arg(&self.point).output();
    }
}

fn mount(args: &[&str], point: &Path) -> Result<(), String> {
    let output = Command::new("mount").args(args).arg(point).output();
    let output = output.map_err(|error| format!("needs mount: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("needs root and tmpfs: {}", said.trim())),
    }
}

/// A document that does not shrink much.
fn noise(n: u64) -> String {
    let mut state = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let digit = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'!' + (state % 90) as u8)
    };
    (0..20_000).map(digit).collect()
}

/// The file, and what the error must say beside.
fn told(why: &StoreError, path: &Path, words: &str) {
    let text = why.to_string();
    assert!(text.contains(&path.display().to_string()), "{text}");
    assert!(text.contains("Earlier runs are whole") && text.contains(words), "{text}");
}

#[test]
fn a_disk_that_fills_up_loses_no_earlier_run() {
    let Some(memory) = Memory::new("size=2m") else { return };
    let others = memory.point.join("something else");
    fs::write(&others, [7; 512 << 10]).unwrap();
    let mut store = Store::open(&memory.path(), Sharing::OneHost).unwrap();
    let mut kept = Vec::new();
    let why = loop {
        let n = kept.len() as u64;
        match store.record(&run(n), &noise(n)) {
            Ok(id) => kept.push(id),
            Err(why) => break why,
        }
    };
    assert!(kept.len() > 10, "{}", kept.len());
    assert!(matches!(why, StoreError::Full { .. }), "{why}");
    told(&why, &memory.path(), "free some space");
    memory.fill();
    let why = store.update(&kept[0], &run(0), &noise(99)).unwrap_err();
    assert!(matches!(why, StoreError::Full { .. }), "{why}");
    // By the one that has it open, and by one that opens it now.
    for round in 0..2 {
        let reader;
        let looked_at = match round {
            0 => &store,
            _ => {
                reader = Store::open_to_read(&memory.path()).unwrap().unwrap();
                &reader
            }
        };
        for (n, id) in (0..).zip(&kept) {
            assert_eq!(looked_at.document(id).unwrap(), noise(n));
        }
        assert_sound(looked_at);
    }
    empty(&others);
    store.remove(&kept[..3]).unwrap();
    store.record(&run(500), &document(500)).unwrap();
    assert_eq!(store.count(&Filter::default()).unwrap() as usize, kept.len() - 2);
}

#[test]
fn a_full_disk_can_be_read_and_says_why_it_is_not_written() {
    let Some(memory) = Memory::new("size=2m") else { return };
    let mut store = Store::open(&memory.path(), Sharing::OneHost).unwrap();
    let id = store.record(&run(1), &document(1)).unwrap();
    drop(store);
    let filler = memory.fill();
    let reader = Store::open_to_read(&memory.path()).unwrap().unwrap();
    assert_eq!(reader.document(&id).unwrap(), document(1));
    assert_sound(&reader);
    let written = Store::open(&memory.path(), Sharing::OneHost)
        .and_then(|mut store| store.record(&run(2), &noise(2)));
    let why = written.unwrap_err();
    assert!(matches!(why, StoreError::Full { .. }), "{why}");
    told(&why, &memory.path(), "free some space");
    empty(&filler);
    let mut store = Store::open(&memory.path(), Sharing::OneHost).unwrap();
    store.record(&run(2), &noise(2)).unwrap();
    assert_eq!(store.count(&Filter::default()).unwrap(), 2);
}

#[test]
fn a_full_disk_without_a_history_says_so() {
    let Some(memory) = Memory::new("size=1m") else { return };
    memory.fill();
    let why = Store::open(&memory.path(), Sharing::OneHost).unwrap_err();
    assert!(matches!(why, StoreError::Full { .. }), "{why}");
    told(&why, &memory.path(), "keep the history elsewhere");
}

#[test]
fn a_read_only_home_can_be_read_and_says_why_it_is_not_written() {
    let Some(memory) = Memory::new("size=4m") else { return };
    let mut store = Store::open(&memory.path(), Sharing::OneHost).unwrap();
    let id = store.record(&run(1), &document(1)).unwrap();
    drop(store);
    memory.remount("ro");
    let reader = Store::open_to_read(&memory.path()).unwrap().unwrap();
    assert_eq!(reader.document(&id).unwrap(), document(1));
    assert_eq!(reader.list(&Filter::default()).unwrap().len(), 1);
    assert_sound(&reader);
    let why = Store::open(&memory.path(), Sharing::OneHost).unwrap_err();
    assert!(matches!(why, StoreError::ReadOnly { .. }), "{why}");
    told(&why, &memory.path(), "make it writable");
    memory.remount("rw");
    let mut store = Store::open(&memory.path(), Sharing::OneHost).unwrap();
    store.record(&run(2), &document(2)).unwrap();
    assert_eq!(store.count(&Filter::default()).unwrap(), 2);
}

#[test]
fn a_read_only_home_without_a_history_says_so() {
    let Some(memory) = Memory::new("size=1m") else { return };
    memory.remount("ro");
    assert!(Store::open_to_read(&memory.path()).unwrap().is_none());
    let why = Store::open(&memory.path(), Sharing::OneHost).unwrap_err();
    assert!(matches!(why, StoreError::ReadOnly { .. }), "{why}");
    told(&why, &memory.path(), "Read-only file system");
}

/// What a writer that was killed left in its log is read as well, or it is said that it cannot be.
#[test]
fn a_log_left_behind_is_not_passed_over_where_nothing_can_be_written() {
    let Some(memory) = Memory::new("size=4m") else { return };
    let home = Home::new();
    let mut store = home.store();
    let id = store.record(&run(1), &document(1)).unwrap();
    // As it is on the disk while it is open: the run is in the log alone.
    let folder = memory.path().parent().unwrap().to_owned();
    fs::create_dir(&folder).unwrap();
    for end in ["", "-wal", "-shm"] {
        let name = format!("history.sqlite3{end}");
        fs::copy(home.path().with_file_name(&name), folder.join(&name)).unwrap();
    }
    memory.remount("ro");
    let reader = Store::open_to_read(&memory.path()).unwrap().unwrap();
    assert_eq!(reader.document(&id).unwrap(), document(1));
    drop(reader);
    memory.remount("rw");
    fs::remove_file(folder.join("history.sqlite3-shm")).unwrap();
    memory.remount("ro");
    let why = Store::open_to_read(&memory.path()).unwrap_err();
    told(&why, &memory.path(), "Read-only file system");
}
