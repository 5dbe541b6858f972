//! Facts about a machine, as plain data: the same types on every system, so that a document of one
//! can be read on another.

pub(crate) mod cpu;
pub(crate) mod device;
pub(crate) mod diskstats;
pub(crate) mod limits;
pub(crate) mod mount;
pub(crate) mod nfs;
pub(crate) mod space;
pub(crate) mod storage;
pub(crate) mod system;
pub(crate) mod throttle;
pub(crate) mod tuning;
pub(crate) mod usage;
