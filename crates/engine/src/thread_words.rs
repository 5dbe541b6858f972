//! The resource use of a thread, and its NUMA policy: plain data.

/// The resource use of a thread since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadUsage {
    /// CPU time outside of the kernel, in microseconds.
    pub user_us: u64,
    /// CPU time in the kernel, in microseconds.
    pub system_us: u64,
    /// Times that it gave the CPU up, as it does to wait for I/O.
    pub voluntary_switches: u64,
    /// Times that the CPU was taken from it.
    pub involuntary_switches: u64,
    /// Page faults that needed I/O.
    pub major_faults: u64,
    /// Page faults that did not.
    pub minor_faults: u64,
}

impl ThreadUsage {
    /// The change since `earlier`.
    pub fn since(&self, earlier: &ThreadUsage) -> ThreadUsage {
        ThreadUsage {
            user_us: self.user_us.saturating_sub(earlier.user_us),
            system_us: self.system_us.saturating_sub(earlier.system_us),
            voluntary_switches: self.voluntary_switches.saturating_sub(earlier.voluntary_switches),
            involuntary_switches: self
                .involuntary_switches
                .saturating_sub(earlier.involuntary_switches),
            major_faults: self.major_faults.saturating_sub(earlier.major_faults),
            minor_faults: self.minor_faults.saturating_sub(earlier.minor_faults),
        }
    }
}

/// The NUMA nodes from which the calling thread gets memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumaPolicy {
    /// The system's default.
    Default,
    /// From these nodes and no other.
    Bind(Vec<u32>),
    /// From these nodes in turn.
    Interleave(Vec<u32>),
    /// From this node while it has some.
    Prefer(u32),
    /// From the node that it runs on.
    Local,
}
