//! What jobs need of the place where they run, whoever asks for them: the suite of `measure`, the
//! cases of a sweep. Planning a volume looks at this and at nothing else of them.

use fathom_document::Suite;

/// What jobs need of a volume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Sizes of I/Os in bytes that go past the page cache, and so must fit the device's sectors.
    pub direct_blocks_bytes: Vec<u64>,
    /// The largest I/O in bytes; what is measured in is cut to whole ones.
    pub largest_block_bytes: u64,
    /// The most bytes that one job keeps in flight.
    pub in_flight_bytes: u64,
}

/// Blocks that a job needs at least for its offsets to differ.
const FEWEST_BLOCKS: u64 = 16;

impl Demand {
    /// What the phases of a suite need.
    pub fn of_suite(suite: &Suite) -> Demand {
        let in_flight =
            suite.phases.iter().map(|p| p.block_bytes.saturating_mul(u64::from(p.in_flight())));
        Demand {
            direct_blocks_bytes: suite.phases.iter().map(|phase| phase.block_bytes).collect(),
            largest_block_bytes: suite.largest_block_bytes(),
            in_flight_bytes: in_flight.max().unwrap_or(0),
        }
    }

    /// The least bytes to measure in: what is kept in flight, and no less than sixteen of the
    /// largest blocks.
    pub fn least_bytes(&self) -> u64 {
        self.in_flight_bytes.max(self.largest_block_bytes.saturating_mul(FEWEST_BLOCKS))
    }
}
