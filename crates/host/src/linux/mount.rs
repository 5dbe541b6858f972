//! The mount of a path, from `/proc/self/mountinfo`.
//!
//! The longest mount point that is a prefix of the path is not always right: a later mount over a
//! parent hides it. So on the real machine the device number of the path selects among the
//! prefixes, and only if none matches (btrfs gives files other numbers than its mount) does the
//! longest prefix win; of equal ones the last, which is on top.

use crate::file_id::split_number;
use crate::{Host, HostError, Mount};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

impl Host {
    /// All mounts that this process sees, in the kernel's order.
    ///
    /// # Errors
    /// [`HostError::Read`] if `/proc/self/mountinfo` cannot be read.
    pub fn mounts(&self) -> Result<Vec<Mount>, HostError> {
        Ok(parse_mounts(&self.bytes("/proc/self/mountinfo")?))
    }

    /// The mount that contains `path`, or will once it is created.
    ///
    /// For a block device the answer is the device itself: `fstype` is `block`, `mount_point` and
    /// `source` are the path.
    ///
    /// # Errors
    /// [`HostError::Read`] without `/proc/self/mountinfo`, [`HostError::NoMount`] if no mount
    /// point is a parent of the path.
    pub fn mount_of(&self, path: &Path) -> Result<Mount, HostError> {
        if let Some((major, minor)) = self.block_number(path) {
            return Ok(Mount {
                mount_point: path.to_owned(),
                root: PathBuf::from("/"),
                source: path.to_string_lossy().into_owned(),
                fstype: "block".into(),
                options: Vec::new(),
                major,
                minor,
            });
        }
        let (path, number) = self.resolve(path);
        choose(self.mounts()?, &path, number).ok_or(HostError::NoMount { path })
    }

    /// The path with links followed, as far as it exists, and the device number of that part.
    fn resolve(&self, path: &Path) -> (PathBuf, Option<(u32, u32)>) {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if !self.is_real() {
            return (absolute, None);
        }
        for parent in absolute.ancestors() {
            let (Ok(found), Ok(about)) = (fs::canonicalize(parent), fs::metadata(parent)) else {
                continue;
            };
            let rest = absolute.strip_prefix(parent).unwrap_or(Path::new(""));
            let whole = if rest.as_os_str().is_empty() { found } else { found.join(rest) };
            return (whole, Some(split_number(about.dev())));
        }
        (absolute, None)
    }

    /// Major and minor number, if `path` is a block device.
    pub(crate) fn block_number(&self, path: &Path) -> Option<(u32, u32)> {
        if self.is_real() {
            let about = fs::metadata(path).ok()?;
            return about.file_type().is_block_device().then(|| split_number(about.rdev()));
        }
        let name = path.strip_prefix("/dev").ok()?.to_str()?;
        let known = match name.strip_prefix("mapper/") {
            Some(mapped) => self.mapped_name(mapped)?,
            None => name.replace('/', "!"),
        };
        self.number_of(&known)
    }
}

/// The mount that contains `path`: the head of this file gives the rule.
fn choose(mounts: Vec<Mount>, path: &Path, number: Option<(u32, u32)>) -> Option<Mount> {
    let depth = |mount: &Mount| mount.mount_point.components().count();
    let holds = |mount: &&Mount| path.starts_with(&mount.mount_point);
    let same = |mount: &&Mount| number == Some((mount.major, mount.minor));
    // max_by_key returns the last of equal ones, which is the mount on top.
    let by_number = mounts.iter().filter(holds).filter(same).max_by_key(|mount| depth(mount));
    let chosen = by_number.or_else(|| mounts.iter().filter(holds).max_by_key(|m| depth(m)));
    chosen.cloned()
}

/// Reads `/proc/self/mountinfo` (proc_pid_mountinfo(5)); lines of another shape are passed over.
pub fn parse_mounts(text: &[u8]) -> Vec<Mount> {
    text.split(|&byte| byte == b'\n').filter_map(parse_line).collect()
}

fn parse_line(line: &[u8]) -> Option<Mount> {
    let fields: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
    // Fields 7 on are optional and end with a lone dash; the next three follow it.
    let dash = fields.iter().skip(6).position(|field| *field == b"-")? + 6;
    let number = std::str::from_utf8(fields[2]).ok()?;
    let (major, minor) = number.split_once(':')?;
    let mut options = split_options(fields[5]);
    for option in split_options(fields.get(dash + 3).copied().unwrap_or_default()) {
        if !options.contains(&option) {
            options.push(option);
        }
    }
    Some(Mount {
        mount_point: path_of(fields[4]),
        root: path_of(fields[3]),
        source: String::from_utf8_lossy(&unescape(fields.get(dash + 2)?)).into_owned(),
        fstype: String::from_utf8_lossy(&unescape(fields.get(dash + 1)?)).into_owned(),
        options,
        major: major.parse().ok()?,
        minor: minor.parse().ok()?,
    })
}

fn path_of(field: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(unescape(field)))
}

/// Splits at commas, except where overlayfs has put a backslash before one.
fn split_options(field: &[u8]) -> Vec<String> {
    let mut options = vec![String::new()];
    let text = String::from_utf8_lossy(&unescape(field)).into_owned();
    let mut escaped = false;
    for letter in text.chars() {
        match letter {
            ',' if !escaped => options.push(String::new()),
            _ => options.last_mut().expect("starts with one and only grows").push(letter),
        }
        escaped = letter == '\\' && !escaped;
    }
    options.retain(|option| !option.is_empty());
    options
}

/// Undoes the kernel's `\040` for the letters that would break a line into other fields.
pub(crate) fn unescape(field: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&first, tail)) = rest.split_first() {
        match octal(rest) {
            Some(byte) => {
                plain.push(byte);
                rest = &rest[4..];
            }
            None => {
                plain.push(first);
                rest = tail;
            }
        }
    }
    plain
}

/// The byte of an escape `\NNN` at the start of `text`.
fn octal(text: &[u8]) -> Option<u8> {
    let [b'\\', digits @ ..] = text.get(..4)? else { return None };
    digits.iter().try_fold(0u8, |value, &digit| {
        let digit = (b'0'..=b'7').contains(&digit).then(|| digit - b'0')?;
        value.checked_mul(8)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINES: &[u8] = b"\
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n\
40 27 8:17 / /mnt/big\\040disk rw,noatime shared:3 master:1 - xfs /dev/sdb1 rw,attr2,noquota\n\
41 27 8:33 / /mnt/data rw - ext4 /dev/sdc1 rw\n\
42 27 8:49 / /mnt rw - ext4 /dev/sdd1 rw\n\
43 27 0:50 /vol /mnt/data rw - nfs4 nas:/vol rw,vers=4.1\n\
garbage\n";

    #[test]
    fn escapes_optional_fields_and_options_are_read() {
        let mounts = parse_mounts(LINES);
        assert_eq!(mounts.len(), 5);
        assert_eq!(mounts[1].mount_point, Path::new("/mnt/big disk"));
        assert_eq!(mounts[1].options, ["rw", "noatime", "attr2", "noquota"]);
        assert_eq!((mounts[1].major, mounts[1].minor), (8, 17));
        assert_eq!(mounts[4].option("vers"), Some("4.1"));
        assert_eq!(mounts[4].option("rw"), Some(""));
        assert_eq!(mounts[4].option("ver"), None);
        assert_eq!(mounts[4].root, Path::new("/vol"));
    }

    #[test]
    fn the_last_of_equal_mount_points_wins() {
        let found = choose(parse_mounts(LINES), Path::new("/mnt/data/x"), None).unwrap();
        assert_eq!(found.source, "nas:/vol");
    }

    #[test]
    fn the_device_number_finds_what_a_later_mount_hides() {
        let under = choose(parse_mounts(LINES), Path::new("/mnt/data/x"), Some((8, 49))).unwrap();
        assert_eq!(under.source, "/dev/sdd1");
        let unknown = choose(parse_mounts(LINES), Path::new("/mnt/data/x"), Some((0, 99))).unwrap();
        assert_eq!(unknown.source, "nas:/vol");
    }

    #[test]
    fn a_prefix_ends_at_a_path_component() {
        let found = choose(parse_mounts(LINES), Path::new("/mnt/database"), None).unwrap();
        assert_eq!(found.source, "/dev/sdd1");
        assert_eq!(choose(Vec::new(), Path::new("/"), None), None);
    }

    #[test]
    fn an_escaped_comma_stays_inside_its_option() {
        let options = split_options(br"rw,upperdir=/a\134,b,workdir=/w");
        assert_eq!(options, ["rw", r"upperdir=/a\,b", "workdir=/w"]);
    }

    #[test]
    fn only_whole_octal_escapes_are_undone() {
        assert_eq!(unescape(br"a\040b\011c\0"), b"a b\tc\\0");
        assert_eq!(unescape(br"\777\08"), br"\777\08");
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            parse_mounts(&bytes);
            unescape(&bytes);
        }

        #[test]
        fn any_mount_point_comes_back(name in proptest::collection::vec(1u8..=255, 1..40)) {
            let escaped: Vec<u8> = name
                .iter()
                .flat_map(|&byte| match byte {
                    b' ' | b'\t' | b'\n' | b'\\' => format!("\\{byte:03o}").into_bytes(),
                    _ => vec![byte],
                })
                .collect();
            let mut line = b"1 0 8:1 / /".to_vec();
            line.extend(escaped);
            line.extend(b" rw - ext4 /dev/sda1 rw");
            let mounts = parse_mounts(&line);
            prop_assert_eq!(mounts.len(), 1);
            let mut expected = b"/".to_vec();
            expected.extend(name);
            prop_assert_eq!(&mounts[0].mount_point, &PathBuf::from(OsString::from_vec(expected)));
        }
    }
}
