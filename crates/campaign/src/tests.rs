//! End-to-end tests: plans, refusals, and files left after failures.

mod asking;
mod ceilings;
mod checking;
mod comparing;
mod crossing;
mod document;
mod limiting;
mod load_options;
mod planning;
mod provider;
mod queue;
mod resuming;
mod running;
pub(crate) mod scripted;
mod searching;
mod sweeping;
