//! Queries a disk or volume by its device path, without permission to read its data, so that a user
//! without privileges gets answers, too. Each query may be refused alone; then that fact is
//! missing.

use crate::disk_query::{DiskPerformance, DiskReply};
use crate::windows::handle::{control, error_of};
use crate::windows::storage::{device_number, geometry};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Ioctl::{
    DEVICE_SEEK_PENALTY_DESCRIPTOR, DEVICE_TRIM_DESCRIPTOR, DISK_PERFORMANCE,
    IOCTL_DISK_PERFORMANCE, IOCTL_STORAGE_QUERY_PROPERTY, PropertyStandardQuery,
    STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR, STORAGE_DEVICE_DESCRIPTOR, STORAGE_PROPERTY_ID,
    STORAGE_PROPERTY_QUERY, STORAGE_WRITE_CACHE_PROPERTY, StorageAccessAlignmentProperty,
    StorageDeviceProperty, StorageDeviceSeekPenaltyProperty, StorageDeviceTrimProperty,
    StorageDeviceWriteCacheProperty, WriteCacheEnabled, WriteCacheTypeWriteBack,
};

/// All facts that the disk or volume at `device` reports.
///
/// # Errors
/// If it cannot be opened, or reports nothing at all.
pub fn disk_reply(device: &Path) -> io::Result<DiskReply> {
    let file = open(device)?;
    let handle = file.as_raw_handle();
    let mut reply =
        DiskReply { number: device_number(handle).map(|(_, disk)| disk), ..Default::default() };
    describe(handle, &mut reply);
    reply.size_bytes = geometry(handle).ok().map(|found| found.DiskSize.unsigned_abs());
    let alignment: Option<STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR> =
        property(handle, StorageAccessAlignmentProperty);
    reply.sector_bytes =
        alignment.map(|found| (found.BytesPerLogicalSector, found.BytesPerPhysicalSector));
    let seeks: Option<DEVICE_SEEK_PENALTY_DESCRIPTOR> =
        property(handle, StorageDeviceSeekPenaltyProperty);
    reply.seeks = seeks.map(|found| found.IncursSeekPenalty);
    let trims: Option<DEVICE_TRIM_DESCRIPTOR> = property(handle, StorageDeviceTrimProperty);
    reply.trims = trims.map(|found| found.TrimEnabled);
    let cache: Option<STORAGE_WRITE_CACHE_PROPERTY> =
        property(handle, StorageDeviceWriteCacheProperty);
    reply.volatile_cache = cache.map(|found| {
        found.WriteCacheEnabled == WriteCacheEnabled
            && found.WriteCacheType == WriteCacheTypeWriteBack
            && !found.NVCacheEnabled
    });
    match reply == DiskReply::default() {
        true => Err(io::ErrorKind::Unsupported.into()),
        false => Ok(reply),
    }
}

/// The counters of the disk or volume at `device`.
///
/// # Errors
/// If it counts nothing, or cannot be opened.
pub fn disk_performance(device: &Path) -> io::Result<DiskPerformance> {
    let file = open(device)?;
    let mut found = DISK_PERFORMANCE::default();
    // SAFETY: the answer is one record of this layout.
    unsafe { control(file.as_raw_handle(), IOCTL_DISK_PERFORMANCE, &(), &mut found) }
        .map_err(error_of)?;
    Ok(DiskPerformance {
        reads: u64::from(found.ReadCount),
        read_bytes: found.BytesRead.unsigned_abs(),
        read_time: found.ReadTime.unsigned_abs(),
        writes: u64::from(found.WriteCount),
        written_bytes: found.BytesWritten.unsigned_abs(),
        write_time: found.WriteTime.unsigned_abs(),
        idle_time: found.IdleTime.unsigned_abs(),
        query_time: found.QueryTime.unsigned_abs(),
        queue_depth: u64::from(found.QueueDepth),
    })
}

/// Opens it without any access right, which suffices for queries and disturbs nobody.
fn open(device: &Path) -> io::Result<File> {
    OpenOptions::new().access_mode(0).open(device)
}

/// A property whose answer is one record; none if the driver does not know it.
fn property<T: Default>(handle: HANDLE, id: STORAGE_PROPERTY_ID) -> Option<T> {
    let mut answer = T::default();
    let bytes = ask(handle, id, &mut answer)?;
    (bytes as usize >= size_of::<T>()).then_some(answer)
}

fn ask<T>(handle: HANDLE, id: STORAGE_PROPERTY_ID, answer: &mut T) -> Option<u32> {
    let query = STORAGE_PROPERTY_QUERY {
        PropertyId: id,
        QueryType: PropertyStandardQuery,
        ..Default::default()
    };
    // SAFETY: the question has this layout, and the answer is plain data of the driver's.
    unsafe { control(handle, IOCTL_STORAGE_QUERY_PROPERTY, &query, answer) }.ok()
}

/// Names, bus and medium: a record with texts behind it, at the offsets that it names.
fn describe(handle: HANDLE, reply: &mut DiskReply) {
    /// The record and its texts.
    #[repr(C)]
    struct Answer {
        record: STORAGE_DEVICE_DESCRIPTOR,
        texts: [u8; 1024],
    }
    let mut answer = Answer { record: STORAGE_DEVICE_DESCRIPTOR::default(), texts: [0; 1024] };
    if ask(handle, StorageDeviceProperty, &mut answer).is_none() {
        return;
    }
    let start = std::mem::offset_of!(Answer, texts);
    let text = |offset: u32| {
        let from = (offset as usize).checked_sub(start)?;
        let bytes = answer.texts.get(from..)?.split(|byte| *byte == 0).next()?;
        let text = String::from_utf8_lossy(bytes).trim().to_owned();
        (!text.is_empty()).then_some(text)
    };
    reply.vendor = text(answer.record.VendorIdOffset);
    reply.model = text(answer.record.ProductIdOffset);
    reply.revision = text(answer.record.ProductRevisionOffset);
    reply.serial = text(answer.record.SerialNumberOffset);
    reply.bus = bus(answer.record.BusType);
    reply.removable = answer.record.RemovableMedia;
}

/// STORAGE_BUS_TYPE of the headers, in the words that Linux has for the same.
fn bus(kind: i32) -> Option<&'static str> {
    Some(match kind {
        1 | 10 => "scsi",
        3 | 11 => "sata",
        6 => "fc",
        7 => "usb",
        9 => "iscsi",
        14 | 15 => "virtual",
        16 => "spaces",
        17 => "pcie",
        _ => return None,
    })
}
