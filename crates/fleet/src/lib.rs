//! Measurements on many machines. The same binary is at both ends of a pipe: a coordinator, and on
//! each host an agent, which is a [`Machine`](fathom_campaign::Machine) behind frames.
//!
//! [`Agent`] and [`Coordinator`] are state machines over frames and moments; they never wait.
//! [`agent_process`] and [`FleetMachine`] connect them to real pipes, with threads that read and
//! write. The frames contain the calls and replies of `fathom_campaign::machine`.
#![forbid(unsafe_code)]

mod agent;
mod agent_binaries;
mod agent_copy;
mod agent_process;
mod client_files;
mod client_range;
mod clock;
mod coordinator;
mod fleet_machine;
mod frame;
mod hello;
mod link;
mod link_child;
mod link_opening;
mod loss;
mod merge;
mod pump;
mod rate_share;
mod shared_file;
mod turns;
mod via;

pub use agent::{Agent, AgentAction, AgentEnd, AgentInput};
pub use agent_binaries::{AgentBinaries, AgentBinary, AgentBinaryError};
pub use agent_process::{AgentParts, AgentReport, agent_process};
pub use clock::{ClockOffset, ClockTrips};
pub use coordinator::{
    AgentOutcome, Coordinator, CoordinatorAction, CoordinatorInput, CoordinatorOptions, Round,
};
pub use fleet_machine::{FleetMachine, FleetNotice, FleetOptions, HostRun, PATIENCE_MS};
pub use frame::{
    FrameDecoder, FrameError, FrameReadError, FrameReader, PROTOCOL_VERSION, ReplyLimit, WireFrame,
    write_frame,
};
pub use hello::Hello;
pub use loss::{AgentLoss, LossKind};
pub use shared_file::FileSharing;
pub use via::{Via, ViaError, parse_hosts};
