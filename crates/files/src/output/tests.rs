//! Replaced files, files written in place, and that nothing else is touched.

use super::*;
use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn content_is_new_and_nothing_stands_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("o.json");
    for text in ["one", "two"] {
        can_replace(&path).unwrap();
        replace(&path, text.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert_eq!(names(folder.path()), ["o.json"]);
    }
}

#[test]
fn to_ask_leaves_nothing_behind_and_names_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    can_replace(&folder.path().join("new")).unwrap();
    assert!(names(folder.path()).is_empty());
    let missing = can_replace(&folder.path().join("none/new")).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    let folder = can_replace(folder.path()).unwrap_err();
    assert_eq!(folder.kind(), ErrorKind::IsADirectory);
}

#[test]
fn mode_and_owner_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret");
    fs::write(&path, "old and longer").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    // Only root can give a file away; for others it is the same owner before and after.
    let given = std::os::unix::fs::chown(&path, Some(65534), Some(65534)).is_ok();
    let before = fs::metadata(&path).unwrap();
    replace(&path, b"new").unwrap();
    let after = fs::metadata(&path).unwrap();
    assert_eq!((after.uid(), after.gid(), mode(&path)), (before.uid(), before.gid(), 0o640));
    assert_ne!(after.ino(), before.ino(), "it is replaced, given: {given}");
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_replaced_or_made() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("real"), "old").unwrap();
    for name in ["real", "missing"] {
        let link = folder.path().join(format!("to-{name}"));
        symlink(Path::new("inner").join(name), &link).unwrap();
        can_replace(&link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(inner.join(name)).unwrap(), b"new");
    }
    let circle = folder.path().join("circle");
    symlink("circle", &circle).unwrap();
    assert!(replace(&circle, b"x").is_err());
}

#[test]
fn hard_links_stay_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    fs::write(&a, "old and longer").unwrap();
    fs::hard_link(&a, &b).unwrap();
    let held = fathom_host::open_held(OpenOptions::new().write(true), &a).unwrap();
    let held = replace_held(&a, b"new", held).unwrap();
    assert!(File::open(&b).unwrap().try_lock().is_err(), "it is still held");
    drop(held);
    assert_eq!(fs::read(&b).unwrap(), b"new");
    assert_eq!(fs::metadata(&a).unwrap().ino(), fs::metadata(&b).unwrap().ino());
}

#[test]
fn a_device_takes_its_bytes_and_says_that_it_is_full() {
    replace(Path::new("/dev/null"), b"x").unwrap();
    let full = replace(Path::new("/dev/full"), b"x").unwrap_err();
    assert_eq!(full.kind(), ErrorKind::StorageFull);
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("full");
    symlink("/dev/full", &link).unwrap();
    assert_eq!(replace(&link, b"x").unwrap_err().kind(), ErrorKind::StorageFull);
    assert_eq!(names(folder.path()), ["full"]);
}

#[test]
fn a_descriptor_is_appended_to_whatever_it_leads_to() {
    use std::os::fd::AsRawFd;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    fs::write(&path, "before ").unwrap();
    let held = OpenOptions::new().append(true).open(&path).unwrap();
    let before = held.metadata().unwrap().ino();
    let descriptor = PathBuf::from(format!("/proc/self/fd/{}", held.as_raw_fd()));
    replace(&descriptor, b"after").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"before after");
    assert_eq!(fs::metadata(&path).unwrap().ino(), before);
}

#[test]
fn a_new_file_is_locked_when_it_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let old = File::create(&path).unwrap();
    let held = replace_held(&path, b"x", old).unwrap();
    assert!(File::open(&path).unwrap().try_lock().is_err());
    drop(held);
    assert!(File::open(&path).unwrap().try_lock().is_ok());
}
