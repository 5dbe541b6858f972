//! The upper layers of a target: its file system, mount options, direct I/O, the path to a server.
//! The next file examines the device.

use super::facts::TargetFacts;
use super::finding::{DoctorFinding, FindingTopic};
use fathom_document::TargetKind;
use fathom_document::{binary_bytes, decimal_bytes};
use fathom_host::{Mount, Storage};
use fathom_text::{Text, text};
use fathom_vocab::Target;

/// Everything about the target above its device.
pub(crate) fn findings(facts: &TargetFacts) -> Vec<DoctorFinding> {
    let mut findings = Vec::new();
    if facts.volume.mount.fstype != "block" {
        findings.push(file_system(facts));
        findings.extend(mount_options(&facts.volume.mount));
        findings.extend(space(facts));
    }
    findings.extend(direct(facts));
    findings.extend(network(facts));
    findings
}

fn file_system(facts: &TargetFacts) -> DoctorFinding {
    let mount = &facts.volume.mount;
    let at = text!("{} at {}", mount.fstype, mount.place());
    if mount.is_read_only() {
        return DoctorFinding::note(
            FindingTopic::FileSystem,
            text!("{at}, mounted read-only: only reads."),
        );
    }
    let with = |about: &'static str| text!("{at}: {}", Text::from(about));
    match (mount.fstype.as_str(), &facts.volume.storage) {
        (_, Storage::Memory { .. }) => DoctorFinding::warning(
            FindingTopic::FileSystem,
            with("memory. Figures of it are not a disk's."),
        )
        .advise("Name a folder on the volume that is meant."),
        ("overlay", _) => DoctorFinding::note(
            FindingTopic::FileSystem,
            with("a container's layers, which stand above the file system that takes the writes."),
        )
        .advise("For the volume itself, name a folder that is mounted into the container."),
        ("zfs" | "btrfs" | "bcachefs", _) => DoctorFinding::note(
            FindingTopic::FileSystem,
            with(
                "copy on write. Writing over a file goes to new places, and ZFS before 2.3 takes \
                 O_DIRECT and reads through its cache all the same.",
            ),
        ),
        (name, _) if name.starts_with("fuse") => DoctorFinding::note(
            FindingTopic::FileSystem,
            with("a program serves it, and every I/O goes to that program and back."),
        ),
        _ => DoctorFinding::ok(FindingTopic::FileSystem, text!("{at}.")),
    }
}

/// An option that changes the meaning of a measurement.
struct Telling {
    name: &'static str,
    /// The relevant values; none means any.
    values: &'static [&'static str],
    wrong: bool,
    says: &'static str,
    advice: Option<&'static str>,
}

/// A row that is only to be known.
const fn telling(
    name: &'static str,
    values: &'static [&'static str],
    says: &'static str,
    advice: Option<&'static str>,
) -> Telling {
    Telling { name, values, wrong: false, says, advice }
}

/// A row that makes figures mean something else.
const fn misleading(
    name: &'static str,
    values: &'static [&'static str],
    says: &'static str,
    advice: Option<&'static str>,
) -> Telling {
    Telling { wrong: true, ..telling(name, values, says, advice) }
}

const TELLING: &[Telling] = &[
    misleading(
        "sync",
        &[],
        "every write waits until it is on stable storage, whether a job asks for it or not",
        Some("Mount with async, unless just that is to be measured."),
    ),
    misleading("barrier", &["0"], NO_FLUSH, Some(WITH_BARRIERS)),
    misleading("nobarrier", &[], NO_FLUSH, Some(WITH_BARRIERS)),
    misleading(
        "dax",
        &["", "always"],
        "files are memory of the device, without the block layer: no queue, no counters",
        None,
    ),
    telling("dirsync", &[], "changes of folders wait for stable storage", None),
    telling("data", &["journal"], "buffered data is written twice, first to the journal", None),
    telling(
        "discard",
        &[],
        "freed blocks are discarded at once, so removing files costs the device time",
        Some("Leave time between removing and measuring, or use fstrim in place of the option."),
    ),
    telling("strictatime", &[], "every read notes its time, which is a write", None),
    telling(
        "compress",
        &[],
        "what compresses moves fewer bytes than asked for",
        Some("Write random data (refill_buffers), as `fathom measure` does."),
    ),
    telling("compress-force", &[], "what compresses moves fewer bytes than asked for", None),
];

const NO_FLUSH: &str = "flushes do not reach the device, so fsync is fast and promises nothing";
const WITH_BARRIERS: &str = "Mount with barriers where durable writes are to be measured.";

/// The options that mean something, or that none does.
fn mount_options(mount: &Mount) -> Vec<DoctorFinding> {
    let tells = |row: &&Telling| {
        let value = mount.option(row.name);
        value.is_some_and(|value| row.values.is_empty() || row.values.contains(&value))
    };
    let found = TELLING.iter().filter(tells).map(|row| {
        let option = match mount.option(row.name) {
            Some("") | None => row.name.to_owned(),
            Some(value) => format!("{}={value}", row.name),
        };
        let evidence = text!("{option}: {}.", Text::from(row.says));
        let finding = match row.wrong {
            true => DoctorFinding::warning(FindingTopic::MountOptions, evidence),
            false => DoctorFinding::note(FindingTopic::MountOptions, evidence),
        };
        DoctorFinding { advice: row.advice.map(Text::from), ..finding }
    });
    let found: Vec<DoctorFinding> = found.collect();
    if !found.is_empty() {
        return found;
    }
    let times = ["noatime", "relatime"].into_iter().find(|name| mount.option(name).is_some());
    vec![DoctorFinding::ok(
        FindingTopic::MountOptions,
        match times {
            Some(name) => text!("None that changes figures ({name})."),
            None => "None that changes figures.".into(),
        },
    )]
}

/// Less than this is too little for `fathom measure`'s usual test file.
const ROOM_BYTES: u64 = 1 << 30;

fn space(facts: &TargetFacts) -> Option<DoctorFinding> {
    let space = facts.volume.space.as_ref().filter(|space| space.total_bytes > 0)?;
    let (total, free) = (space.total_bytes, space.available_bytes);
    let evidence = text!("{} of {}.", decimal_bytes(free), decimal_bytes(total));
    Some(if free < ROOM_BYTES {
        DoctorFinding::warning(FindingTopic::Space, evidence).advise(
            "A small test file may fit into a cache: free some space, or name a large file.",
        )
    } else if free < total / 10 {
        DoctorFinding::note(FindingTopic::Space, evidence)
            .advise("A file system that is nearly full is slower: free some space.")
    } else {
        DoctorFinding::ok(FindingTopic::Space, evidence)
    })
}

fn direct(facts: &TargetFacts) -> Option<DoctorFinding> {
    let direct = facts.direct.as_ref()?;
    if facts.volume.target.path().is_none() {
        let evidence = "Not needed: an export has no page cache on this machine.";
        return Some(DoctorFinding::ok(FindingTopic::DirectIo, evidence));
    }
    if let Some(why) = &direct.untried {
        let evidence = text!("O_DIRECT could not be tried: {why}.");
        return Some(DoctorFinding::note(FindingTopic::DirectIo, evidence));
    }
    if let Some(why) = &direct.refused {
        let evidence = text!("O_DIRECT could not be had: {why}.");
        let finding = DoctorFinding::warning(FindingTopic::DirectIo, evidence);
        return Some(finding.advise(
            "Through the page cache, reads may come from memory and writes may end there: take \
             more data than there is memory, and flush.",
        ));
    }
    let (offset, memory) = (direct.offset_alignment_bytes, direct.memory_alignment_bytes);
    let evidence = text!(
        "O_DIRECT is taken; offsets and sizes in multiples of {}, buffers of {} ({}).",
        binary_bytes(offset.into()),
        binary_bytes(memory.into()),
        direct.known_from
    );
    Some(match offset > 4096 {
        true => DoctorFinding::note(FindingTopic::DirectIo, evidence)
            .advise("Blocks of 4 KiB must go through the page cache here: choose larger ones."),
        false => DoctorFinding::ok(FindingTopic::DirectIo, evidence),
    })
}

fn network(facts: &TargetFacts) -> Option<DoctorFinding> {
    let Storage::Network { fstype, server, export, version, .. } = &facts.volume.storage else {
        return None;
    };
    let version = version.as_ref().map(|v| format!(" {v}")).unwrap_or_default();
    let evidence = text!("{fstype}{version}, {export} of {server}");
    if !fstype.starts_with("nfs") {
        let evidence =
            text!("{evidence}: latency here is the network's and the server's together.");
        return Some(DoctorFinding::note(FindingTopic::Network, evidence));
    }
    let connections = connections(facts);
    let mut evidence = text!("{evidence}, {connections|1=1 connection|{connections} connections}");
    let mount = &facts.volume.mount;
    if let (Some(rsize), Some(wsize)) = (mount.option("rsize"), mount.option("wsize")) {
        evidence = text!("{evidence}, rsize {rsize}, wsize {wsize}");
    }
    if let Some(round_trip) = round_trip_ms(facts) {
        evidence =
            text!("{evidence}; a read took {round_trip:.2} ms on the wire and at the server");
    }
    let evidence = text!("{evidence}.");
    Some(match connections {
        1 if matches!(
            facts.volume.kind,
            TargetKind::Folder | TargetKind::NewFile | TargetKind::ExistingFile { .. }
        ) =>
        {
            DoctorFinding::note(FindingTopic::Network, evidence)
                .advise(more_connections(&facts.volume.target))
        }
        _ => DoctorFinding::ok(FindingTopic::Network, evidence),
    })
}

/// How a user opens more connections to a server.
fn more_connections(target: &Target) -> &'static str {
    match target {
        Target::Path(_) => {
            "One connection is one flow, which many networks cap: mount with nconnect=8 to see \
             what the server can do."
        }
        Target::Export(_) => {
            "One connection is one flow, which many networks cap: set nconnect=8 in the URL to \
             see what the server can do."
        }
    }
}

/// The count if connections are listed, otherwise the requested number; one if neither is known.
fn connections(facts: &TargetFacts) -> usize {
    let counted = facts.nfs.as_ref().map_or(0, |nfs| nfs.transports.len());
    let asked = facts.volume.mount.option("nconnect").and_then(|n| n.parse().ok());
    match (counted, asked) {
        (0, Some(asked)) => asked,
        (counted, _) => counted.max(1),
    }
}

fn round_trip_ms(facts: &TargetFacts) -> Option<f64> {
    facts.nfs.as_ref()?.operation("READ")?.mean_rtt_ms()
}
