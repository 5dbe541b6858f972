//! windowsaio: overlapped I/O with one completion port. The engine itself is [`crate::overlapped`];
//! here are its calls.
//!
//! There is one port for all files. Files are set to leave no packet for an I/O that completes
//! inline (`FILE_SKIP_COMPLETION_PORT_ON_SUCCESS`); one that does not support this always leaves a
//! packet. Packets are taken many at a time (`GetQueuedCompletionStatusEx`).

use crate::Request;
use crate::arena::Arena;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::overlapped::{
    IssueOutcome, Overlapped, OverlappedCalls, OverlappedIo, PortPacket, PortWait,
};
use crate::windows::fileset::FileSet;
use crate::windows::handle::{OwnHandle, last_code, overlapped_at};
use crate::windows::thread::sharpen_timers;
use std::cell::UnsafeCell;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::ptr;
use windows_sys::Win32::Foundation::{
    ERROR_IO_PENDING, INVALID_HANDLE_VALUE, RtlNtStatusToDosError, WAIT_TIMEOUT,
};
use windows_sys::Win32::Storage::FileSystem::{
    ReadFile, SetFileCompletionNotificationModes, WriteFile,
};
use windows_sys::Win32::System::IO::{
    CancelIoEx, CreateIoCompletionPort, GetQueuedCompletionStatusEx, OVERLAPPED, OVERLAPPED_ENTRY,
};
use windows_sys::Win32::System::Threading::INFINITE;

/// No packet for inline completions, and no event of the handle is set: nothing waits for it.
const QUIET: u8 = 1 | 2;
/// Packets that are taken with one call at most.
const PACKETS_MAX: u32 = 1024;

/// The calls of the system.
pub(crate) struct PortCalls {
    port: OwnHandle,
    files: FileSet,
    /// Whether a file leaves no packet for inline completions.
    quiet: Vec<bool>,
    /// One for each slot; the kernel stores the addresses, so the list never moves.
    blocks: Box<[UnsafeCell<OVERLAPPED>]>,
    entries: Vec<OVERLAPPED_ENTRY>,
}

/// Builds the engine over the files of a configuration.
///
/// # Errors
/// If no port can be created, or a file was not opened for overlapped I/O.
pub(crate) fn windowsaio(
    arena: Arena,
    config: EngineConfig,
) -> Result<Overlapped<PortCalls>, EngineError> {
    let wrong = |what: String, error: io::Error| EngineError::new("windowsaio", what, error);
    let files = FileSet::new(config.files)
        .map_err(|error| wrong("looking at the files".to_owned(), error))?;
    let alignments = files.alignments(config.direct);
    // SAFETY: no memory is passed; the handle that is none stands for a new port.
    let port = unsafe { CreateIoCompletionPort(INVALID_HANDLE_VALUE, ptr::null_mut(), 0, 1) };
    let port = OwnHandle::take(port)
        .map_err(|error| wrong("making a completion port".to_owned(), error))?;
    let mut quiet = Vec::new();
    for (index, file) in files.files().iter().enumerate() {
        let handle = file.as_raw_handle();
        // SAFETY: no memory is passed; both handles are open.
        let joined = unsafe { CreateIoCompletionPort(handle, port.raw(), index, 0) };
        if joined.is_null() {
            let what = format!("joining file {index} to the completion port");
            let advice = "it takes no overlapped I/O; use ioengine=psync";
            return Err(wrong(what, io::Error::last_os_error()).advise(advice.to_owned()));
        }
        // SAFETY: no memory is passed.
        quiet.push(unsafe { SetFileCompletionNotificationModes(handle, QUIET) } != 0);
    }
    // A port is waited for by the system's ticks, and a deadline is when a paced I/O is due.
    sharpen_timers();
    let depth = arena.slots();
    let calls = PortCalls {
        port,
        files,
        quiet,
        blocks: (0..depth).map(|_| UnsafeCell::new(OVERLAPPED::default())).collect(),
        entries: vec![OVERLAPPED_ENTRY::default(); depth.min(PACKETS_MAX) as usize],
    };
    Ok(Overlapped::new(calls, arena, alignments))
}

impl PortCalls {
    /// The slot that a block belongs to; a number that no slot has for an address of no block.
    fn slot_of(&self, block: *const OVERLAPPED) -> u32 {
        let first = self.blocks.as_ptr() as usize;
        let distance = (block as usize).wrapping_sub(first);
        u32::try_from(distance / size_of::<OVERLAPPED>()).unwrap_or(u32::MAX)
    }
}

impl OverlappedCalls for PortCalls {
    #[inline(always)]
    unsafe fn issue(&mut self, io: &OverlappedIo) -> IssueOutcome {
        let block = self.blocks[io.slot as usize].get();
        let handle = self.files.handle(io.file);
        // SAFETY: no I/O of this slot is in flight, so that the kernel does not have this block; it
        // stays where it is until the port has told of it, as the buffer does.
        let done = unsafe {
            *block = overlapped_at(io.offset);
            if io.write {
                WriteFile(handle, io.ptr, io.len, ptr::null_mut(), block)
            } else {
                ReadFile(handle, io.ptr, io.len, ptr::null_mut(), block)
            }
        };
        if done == 0 {
            return match last_code() {
                ERROR_IO_PENDING => IssueOutcome::Flying,
                code => IssueOutcome::Refused(code),
            };
        }
        match self.quiet[io.file as usize] {
            // SAFETY: the I/O is over, and the kernel has the block no more.
            true => IssueOutcome::Inline(unsafe { (*block).InternalHigh } as u32),
            false => IssueOutcome::Flying,
        }
    }

    #[inline(always)]
    fn dequeue(
        &mut self,
        max: u32,
        wait: PortWait,
        packets: &mut Vec<PortPacket>,
    ) -> Result<(), u32> {
        let time = match wait {
            PortWait::Forever => INFINITE,
            PortWait::Milliseconds(time) => time,
        };
        let (mut count, max) = (0, max.min(self.entries.len() as u32));
        let entries = self.entries.as_mut_ptr();
        // SAFETY: there is room for `max` entries, and for their number.
        let some = unsafe {
            GetQueuedCompletionStatusEx(self.port.raw(), entries, max, &raw mut count, time, 0)
        };
        if some == 0 {
            return match last_code() {
                WAIT_TIMEOUT => Ok(()),
                code => Err(code),
            };
        }
        for entry in &self.entries[..count as usize] {
            let slot = self.slot_of(entry.lpOverlapped);
            let Some(block) = self.blocks.get(slot as usize) else { continue };
            // SAFETY: the I/O is over, and the kernel has the block no more.
            let status = unsafe { (*block.get()).Internal } as u32 as i32;
            // SAFETY: no memory is passed.
            let code = if status < 0 { unsafe { RtlNtStatusToDosError(status) } } else { 0 };
            packets.push(PortPacket { slot, bytes: entry.dwNumberOfBytesTransferred, code });
        }
        Ok(())
    }

    fn cancel(&mut self) {
        for file in self.files.files() {
            // Where nothing is left to cancel, that is an error, and what was wanted.
            // SAFETY: no memory is passed.
            unsafe { CancelIoEx(file.as_raw_handle(), ptr::null()) };
        }
    }

    fn wait_for(&mut self, request: &Request) -> i32 {
        self.files.wait_for(request)
    }

    fn leak(&mut self) {
        std::mem::forget(std::mem::take(&mut self.blocks));
    }
}
