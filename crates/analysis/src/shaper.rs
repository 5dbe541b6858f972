//! What may have shaped the rate of a run in the volume's place, so that neither a level nor a step
//! of it is evidence of the volume.

/// The cause of a rate that is not the volume's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateShaper {
    /// Nothing could run for a time: the process was stopped, or its server was away.
    Interruption,
    /// Some I/O did not reach the device.
    OffDevice,
    /// Other I/O ran on the device.
    OtherUse,
    /// A CPU quota stopped the jobs.
    CpuQuota,
    /// Other programs kept the processors busy.
    BusyMachine,
}
