//! Linux: its engines and system calls. Another system is a folder beside this one, with the names
//! that the files above import from `crate::system`.

pub(crate) mod advice;
pub(crate) mod aio_ring;
pub mod bare;
pub(crate) mod child;
pub(crate) mod construct;
pub(crate) mod direct;
pub(crate) mod disk_query;
pub(crate) mod fileset;
pub(crate) mod folder;
pub(crate) mod inheritance;
pub(crate) mod libaio;
pub(crate) mod memory;
pub(crate) mod mmap;
pub(crate) mod open;
pub(crate) mod posixaio;
pub(crate) mod rw_flags;
pub(crate) mod sigbus;
pub(crate) mod storage;
pub(crate) mod syncio;
pub(crate) mod thread;
pub(crate) mod time;
pub(crate) mod uring;
pub(crate) mod uring_enter;
pub(crate) mod uring_setup;
pub(crate) mod user;
