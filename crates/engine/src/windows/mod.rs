//! Windows: its engines, and what its kernel is asked for, under the names that the files above
//! this folder use by `crate::system`.
//!
//! Decided here:
//! - Results carry the error numbers of Linux (`vocab::ErrorNumber`): `handle.rs` translates.
//! - What Linux alone has is refused by name (`only_linux`), or answered with what is true here: a
//!   process has no limit of open files, nobody starts one with a signal ignored.
//! - Alignment is checked by us before a request is made, because not every layer below does.

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
