//! Windows: its engines and system calls, under the names that the files above this folder import
//! from `crate::system`.
//!
//! Decided here:
//! - Results have the error numbers of Linux (`vocab::ErrorNumber`): `handle.rs` translates.
//! - Features that only Linux has are refused by name (`only_linux`), or have the answer that is
//!   true here: a process has no limit of open files, and none starts with a signal ignored.
//! - Alignment is checked by us before a request is made, because not every layer below checks it.

pub(crate) mod aio;
pub(crate) mod child;
pub(crate) mod construct;
pub(crate) mod direct;
pub(crate) mod disk_query;
pub(crate) mod fileset;
pub(crate) mod folder;
pub(crate) mod handle;
pub(crate) mod inheritance;
pub(crate) mod memory;
pub(crate) mod mmap;
pub(crate) mod only_linux;
pub(crate) mod open;
pub(crate) mod processors;
pub(crate) mod storage;
pub(crate) mod syncio;
pub(crate) mod thread;
pub(crate) mod time;
pub(crate) mod user;
