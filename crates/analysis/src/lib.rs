//! The meaning of figures: verdicts, each with its evidence in one sentence, and promised limits.
//!
//! Everything here is pure: numbers in, a finding out. A finding is data first (typed, serialised
//! with the result) and a sentence second: it renders to a message of the catalogue in
//! `fathom-message`, whose English is its `Display`. No finding claims more than its evidence: "not
//! enough to tell" is an answer.
#![forbid(unsafe_code)]

mod assertion;
mod autocorrelation;
mod binomial;
mod burst;
mod cached;
mod cap;
pub mod cap_scope;
mod case_figures;
pub mod check;
mod client;
mod comparison;
mod connection_work;
mod connections;
mod figures;
mod gate_figure;
mod goal;
mod humps;
mod job_group;
mod judged;
mod knee;
mod known;
mod laggards;
mod latency_goal;
mod latency_parts;
#[cfg(test)]
mod messages;
mod mount;
#[cfg(test)]
mod noise;
mod openloop;
mod outcome;
mod phase_finding;
mod plateaus;
pub mod promise;
mod quantile;
pub mod quantity;
mod ranking;
mod rates;
mod requirement;
mod sawtooth;
mod shaper;
mod short;
mod shown;
mod spread;
mod standstill;
mod steady;
mod student;
mod tone;
mod typical;
pub mod usual;
pub mod verdicts;

pub use assertion::{
    Assertion, AssertionDoubt, AssertionError, AssertionRow, AssertionUnit, GroupTotal,
    fastest_tenth_ns, gate_of,
};
pub use binomial::binomial_tail;
pub use burst::{Burst, BurstFinding, find_burst};
pub use cached::{
    ByteCounter, CacheFinding, CacheInputs, CacheSign, CacheVerdict, CounterBytes, DirectIo,
    FloorOf, ForeignBytes, LatencyFloor, Medium, Offsets, direction_noun, find_cached,
};
pub use cap::{
    Cap, CapConfidence, CapFinding, CapInputs, CapKind, CapOverRuns, CapRun, DepthCeiling,
    DepthPoint, DeviceTime, Evidence, Flat, KnownLimit, LatencySpread, LimitSource, PromisedRate,
    Regular, RunsAtCap, SizeCeiling, SizePoint, WaitBefore, caps_over_runs, depth_ceiling,
    find_cap, flat_ceiling, nearest_round, round_text, size_ceilings, wait_before,
};
pub use case_figures::{CaseFigures, Share, in_turn};
pub use client::{
    ClientFinding, ClientInputs, ClientSign, ClientVerdict, CoreCeiling, CpuLimit, Waiting,
    find_client,
};
pub use comparison::{
    Better, ChangeText, Comparison, Design, Difference, EQUAL_MISS, FAMILY_MISS, JudgeRule, Lack,
    MARGIN_PERCENT, MOST_ADVISED, RatioBounds, SharedRounds, Side, change, lead,
};
pub use connection_work::{ConnectionWork, ConnectionWorkFinding, find_connection_work};
pub use connections::{ConnectionFinding, ConnectionRate};
pub use figures::{Figures, Identity, is_far_above};
pub use gate_figure::GateFigure;
pub use goal::Goal;
pub use humps::{Humps, HumpsFinding, find_humps};
pub use job_group::{ALL_JOBS, JobGroup};
pub use judged::{Judged, judged_p99_ns};
pub use knee::{Knee, LoadKind, LoadPoint};
pub use known::{Known, Repeats, Unjudged};
pub use laggards::laggards;
pub use latency_goal::{
    Arrivals, Criterion, CriterionMeasure, HostDelay, LatencyGoal, Parts, StepFinding, StepReading,
};
pub use latency_parts::LatencyParts;
pub use mount::{MountCalls, MountFinding, MountInputs, MountIos, MountTransports, find_mount};
pub use openloop::{OpenLoopFinding, OpenLoopInputs, TimeFigures, find_open_loop};
pub use outcome::{GateOutcome, GateResult, RowOutcome};
pub use phase_finding::{Lead, PhaseFinding, VolumeStanding};
pub use ranking::{Place, Ranking};
pub use rates::Rates;
pub use requirement::{
    FlushFigures, FlushMethod, Requirement, is_too_fast, near_end_percent, requirements,
};
pub use sawtooth::{SawTooth, SawToothFinding, find_saw_tooth};
pub use shaper::RateShaper;
pub use short::{ShortQuestion, ShortRuns};
pub use shown::{RateUnit, share};
pub use spread::{Basis, Estimate, LEAST_ROUNDS, NOT_STABLE_PERCENT, NoEstimate};
pub use standstill::{Standstill, is_connection_lost};
pub use steady::{Steadiness, SteadyRule, SteadyState, SteadyWatch, SteadyWindow};
pub use tone::Tone;
