//! The plan for one target: its file, its size, and what happens to its data; and refusals.
//!
//! The rule for data: in a folder Fathom makes its own test file. An existing file or device
//! contains somebody's data: it is only read, unless its exact path was named as one whose data may
//! be destroyed; and a device in use is not written even then.

use crate::demand::Demand;
use crate::export_volume::export_of;
use crate::jobs::JobPlace;
use crate::measuring_time::MeasuringTime;
use crate::refusal::Refusal;
use crate::volume::io_path;
use fathom_document::{ClientFiles, Remark, TargetKind, Volume, binary_bytes, decimal_bytes};
use fathom_host::is_partition_table;
use fathom_text::Text;
use fathom_vocab::{IoEngine, NfsUrl, Target};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The options that all commands share which plan their own runs.
#[derive(Clone, Debug, Default)]
pub struct CommonOptions {
    /// Bytes to measure in; `None` is 1 GiB on a file system, and the whole of a file or device
    /// that is only read.
    pub size_bytes: Option<u64>,
    /// Measuring time: of each volume, shared evenly by its runs, or of each run; each command has
    /// its own default.
    pub time: Option<MeasuringTime>,
    /// No run writes; a test file is still laid out, since there must be something to read.
    pub read_only: bool,
    /// Files and devices whose data may be destroyed; each must be a target.
    pub destroy: Vec<Target>,
    /// The engine, if not to be chosen.
    pub engine: Option<IoEngine>,
    /// Decides the offsets: the same on every volume in the same round.
    pub seed: u64,
    /// Differs from run to run: names test files.
    pub entropy: u64,
}

/// The plan for one volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VolumePlan {
    /// The target.
    pub volume: Volume,
    /// The file or device for I/O; in an export, its name there.
    pub path: PathBuf,
    /// Its export; none for a path of the machine.
    #[serde(default)]
    pub export: Option<NfsUrl>,
    /// Whether the file is made by us, and so removed by us.
    pub ours: bool,
    /// Bytes from its start that are measured in.
    pub size_bytes: u64,
    /// Whether phases that write are run.
    pub writes: bool,
    /// Bytes written before measuring, so that no read finds a hole.
    pub fill_bytes: u64,
    /// Warnings before the run.
    pub remarks: Vec<Remark>,
}

impl VolumePlan {
    /// The target of its I/O, as a job names it.
    pub fn place(&self) -> JobPlace<'_> {
        JobPlace { path: &self.path, export: self.export.as_ref() }
    }

    /// The same as messages name it.
    pub fn shown_path(&self) -> PathBuf {
        match &self.export {
            Some(export) => export.name_of(&self.path.to_string_lossy()).into(),
            None => self.path.clone(),
        }
    }

    /// Bytes that all clients write before measuring.
    pub fn whole_fill_bytes(&self) -> u64 {
        self.fill_bytes.saturating_mul(u64::from(self.volume.file_count()))
    }

    /// The file or device for I/O, as a target.
    pub fn file_target(&self) -> Target {
        match &self.export {
            Some(export) => {
                let path = format!("{}/{}", export.export, self.path.display());
                Target::Export(Box::new(export.at(&path)))
            }
            None => Target::Path(self.path.clone()),
        }
    }
}

/// The default size on a file system.
pub const DEFAULT_SIZE_BYTES: u64 = 1 << 30;

/// Plans the target on each volume for `demand`.
///
/// # Errors
/// A [`Refusal`] if data could be destroyed or space is missing.
pub(crate) fn plan_volumes(
    volumes: &[Volume],
    demand: &Demand,
    options: &CommonOptions,
) -> Result<Vec<VolumePlan>, Refusal> {
    check_names(volumes, options)?;
    (0..volumes.len()).map(|at| plan_volume(volumes, at, demand, options)).collect()
}

/// Each target once; each path named for destruction a target that has data.
fn check_names(volumes: &[Volume], options: &CommonOptions) -> Result<(), Refusal> {
    if volumes.is_empty() {
        return Err(Refusal::NoTarget);
    }
    for (at, volume) in volumes.iter().enumerate() {
        if volumes[..at].iter().any(|other| other.target == volume.target) {
            return Err(Refusal::Twice { path: volume.name.clone() });
        }
    }
    for named in &options.destroy {
        let path = named.to_string();
        if options.read_only {
            return Err(Refusal::Contradiction { path });
        }
        let is_target = |v: &Volume| v.target == *named && v.kind.holds_foreign_data();
        if !volumes.iter().any(is_target) {
            return Err(Refusal::NamedButNoTarget { path });
        }
    }
    Ok(())
}

fn plan_volume(
    all: &[Volume],
    at: usize,
    demand: &Demand,
    options: &CommonOptions,
) -> Result<VolumePlan, Refusal> {
    let volume = &all[at];
    must_be_there(volume)?;
    check_blocks(volume, demand)?;
    let mut remarks = remarks_on(all, at);
    let named = options.destroy.contains(&volume.target);
    let ours = !volume.kind.holds_foreign_data();
    if named {
        may_be_destroyed(volume)?;
    }
    let size_bytes = match volume.kind {
        // A file that is not there was refused above.
        TargetKind::Folder | TargetKind::NewFile => {
            free_size(all, at, demand, options, &mut remarks)?
        }
        TargetKind::ExistingFile { size_bytes, .. } => {
            options.size_bytes.unwrap_or(u64::MAX).min(size_bytes)
        }
        TargetKind::Device { size_bytes, .. } => device_size(size_bytes, named, options),
    };
    let size_bytes = whole_blocks(volume, size_bytes, demand)?;
    remarks.extend(remark_on_data(volume, named));
    Ok(VolumePlan {
        path: io_path(volume, at, options.entropy),
        export: export_of(volume),
        ours,
        size_bytes,
        writes: !options.read_only && (ours || named),
        fill_bytes: if ours || named { size_bytes } else { 0 },
        remarks,
        volume: volume.clone(),
    })
}

/// A misspelt folder would be another volume.
fn must_be_there(volume: &Volume) -> Result<(), Refusal> {
    if volume.kind == TargetKind::NewFile {
        return Err(Refusal::NotThere {
            path: volume.name.clone(),
            folder: volume.target.path().map(folder_of).unwrap_or_default(),
        });
    }
    Ok(())
}

/// Sectors of 512 bytes are the least that any disk takes; some take only larger ones.
fn check_blocks(volume: &Volume, demand: &Demand) -> Result<(), Refusal> {
    let device = volume.storage.device().map(|device| u64::from(device.logical_block_bytes));
    let unit_bytes = device.unwrap_or(512).max(512);
    let odd = |block: &&u64| !block.is_multiple_of(unit_bytes);
    match demand.direct_blocks_bytes.iter().find(odd) {
        Some(&block_bytes) => {
            Err(Refusal::Unaligned { path: volume.name.clone(), block_bytes, unit_bytes })
        }
        None => Ok(()),
    }
}

fn device_size(capacity: u64, named: bool, options: &CommonOptions) -> u64 {
    // A target that is only read can be used whole; filling takes time.
    let default = if named { DEFAULT_SIZE_BYTES } else { capacity };
    options.size_bytes.unwrap_or(default).min(capacity)
}

/// The folder of a path, for a hint.
pub(crate) fn folder_of(path: &Path) -> String {
    match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => parent.display().to_string(),
        None => ".".to_owned(),
    }
}

fn may_be_destroyed(volume: &Volume) -> Result<(), Refusal> {
    let path = volume.name.clone();
    match &volume.kind {
        TargetKind::Device { in_use_unknown: Some(why), .. } => {
            Err(Refusal::DeviceUseUnknown { path, why: why.clone() })
        }
        TargetKind::Device { in_use, .. } | TargetKind::ExistingFile { in_use, .. }
            if !in_use.is_empty() =>
        {
            let evidence = Text::joined(in_use, "; ");
            Err(Refusal::DeviceInUse { path, evidence })
        }
        TargetKind::Device { .. }
            if volume.storage.device().is_some_and(|device| device.read_only) =>
        {
            Err(Refusal::DeviceReadOnly { path })
        }
        // The kernel has not read it, or its partitions would be uses.
        TargetKind::Device { data: Some(data), .. } if is_partition_table(data) => {
            Err(Refusal::PartitionTable { path, data: data.clone() })
        }
        _ => Ok(()),
    }
}

/// Maximum size of a test file that must be created.
fn free_size(
    all: &[Volume],
    at: usize,
    demand: &Demand,
    options: &CommonOptions,
    remarks: &mut Vec<Remark>,
) -> Result<u64, Refusal> {
    let volume = &all[at];
    if volume.mount.is_read_only() {
        return Err(Refusal::MountedReadOnly { path: volume.name.clone() });
    }
    if let Some(space) = volume.space.as_ref().filter(|space| space.total_bytes == 0) {
        let (path, file_system) = (volume.name.clone(), space.fstype.clone());
        return Err(Refusal::NoStorage { path, file_system });
    }
    let available = volume.space.as_ref().map_or(u64::MAX, |space| space.available_bytes);
    let fills = |v: &&Volume| !v.kind.holds_foreign_data() && v.same_place_as(volume);
    let shared = volume.clients.as_ref().filter(|of| of.share_space).map_or(1, |of| of.count);
    let sharing = all.iter().filter(fills).count().max(1) as u64 * u64::from(shared.max(1));
    // A tenth stays free: a file system that is full to the brim is slower, and others need some.
    let usable = (available - available / 10) / sharing;
    let least = demand.least_bytes();
    let wanted = options.size_bytes.unwrap_or(DEFAULT_SIZE_BYTES);
    let need = options.size_bytes.unwrap_or(least);
    if usable < need {
        return Err(Refusal::TooLittleSpace {
            path: fullest(volume),
            available: decimal_bytes(available),
            usable: decimal_bytes(usable),
            need: binary_bytes(need),
        });
    }
    if usable < wanted {
        remarks.push(Remark::SizeCapped { size_bytes: usable, available_bytes: available });
    }
    Ok(wanted.min(usable))
}

/// The place with the least space: of clients that do not share it, the one that has least.
fn fullest(volume: &Volume) -> String {
    let apart = volume.clients.as_ref().filter(|of| !of.share_space);
    match apart.and_then(ClientFiles::fullest) {
        Some(of) => format!("{}:{}", of.client, volume.target),
        None => volume.name.clone(),
    }
}

/// Cuts `size_bytes` to whole blocks of the largest size, of which there must be enough.
fn whole_blocks(volume: &Volume, size_bytes: u64, demand: &Demand) -> Result<u64, Refusal> {
    let block = demand.largest_block_bytes.max(1);
    let need = demand.least_bytes();
    if size_bytes < need {
        return Err(Refusal::TooSmall {
            path: volume.name.clone(),
            size: binary_bytes(size_bytes),
            need: binary_bytes(need),
        });
    }
    Ok(size_bytes - size_bytes % block)
}

fn remarks_on(all: &[Volume], at: usize) -> Vec<Remark> {
    let volume = &all[at];
    let mut remarks = Vec::new();
    if volume.is_memory() {
        remarks.push(Remark::Memory { what: what_memory(volume) });
    }
    if let Some(other) = all[..at].iter().find(|other| other.same_place_as(volume)) {
        remarks.push(Remark::SamePlace { other: other.name.clone() });
    }
    if let TargetKind::ExistingFile { size_bytes, allocated_bytes, .. } = volume.kind
        && allocated_bytes < size_bytes
    {
        remarks.push(Remark::Holes { size_bytes, allocated_bytes });
    }
    remarks
}

/// The remark on what happens to data that is not ours.
fn remark_on_data(volume: &Volume, named: bool) -> Option<Remark> {
    let device = matches!(volume.kind, TargetKind::Device { .. });
    match &volume.kind {
        TargetKind::Folder | TargetKind::NewFile => None,
        TargetKind::Device { data, .. } if named => Some(Remark::Destroys { data: data.clone() }),
        TargetKind::ExistingFile { .. } if named => Some(Remark::Destroys { data: None }),
        _ => Some(Remark::OnlyRead { path: volume.name.clone(), device }),
    }
}

fn what_memory(volume: &Volume) -> String {
    match volume.storage.device() {
        Some(device) => device.name.clone(),
        None => volume.mount.fstype.clone(),
    }
}
