//! The judging of a check: the limits, and what a run came to beside them.

mod basis;
mod finding;
mod load;
mod notice;

pub use basis::{CheckBasis, SMALL_BYTES, SizeFrom};
pub use finding::{Doubt, RunFinding, Standing, after_burst, quiet_host};
pub use load::{CheckLoad, Promised};
pub use notice::{BurstNotice, notices};
