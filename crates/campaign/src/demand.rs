//! The requirements of jobs on their target, for the suite of `measure` as well as the cases of a
//! sweep. Planning a volume uses only this.

use fathom_document::Suite;

/// The requirements of jobs on a volume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Sizes of I/Os in bytes that go past the page cache, and so must fit the device's sectors.
    pub direct_blocks_bytes: Vec<u64>,
    /// The largest I/O in bytes; the measured size is cut to whole ones.
    pub largest_block_bytes: u64,
    /// The most bytes that one job keeps in flight.
    pub in_flight_bytes: u64,
}

/// Blocks that a job needs at least for its offsets to differ.
const FEWEST_BLOCKS: u64 = 16;

impl Demand {
    /// The requirements of a suite's phases.
    pub fn of_suite(suite: &Suite) -> Demand {
        let in_flight =
            suite.phases.iter().map(|p| p.block_bytes.saturating_mul(u64::from(p.in_flight())));
        Demand {
            direct_blocks_bytes: suite.phases.iter().map(|phase| phase.block_bytes).collect(),
            largest_block_bytes: suite.largest_block_bytes(),
            in_flight_bytes: in_flight.max().unwrap_or(0),
        }
    }

    /// The least bytes to measure in: the bytes in flight, and at least sixteen of the largest
    /// blocks.
    pub fn least_bytes(&self) -> u64 {
        self.in_flight_bytes.max(self.largest_block_bytes.saturating_mul(FEWEST_BLOCKS))
    }
}
