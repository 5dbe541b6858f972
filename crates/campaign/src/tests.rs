//! Tests of the whole way: what is planned, what is refused, what is left when things go wrong.

mod asking;
mod checking;
mod comparing;
mod crossing;
mod document;
mod limiting;
mod planning;
mod provider;
mod queue;
mod resuming;
mod running;
pub(crate) mod scripted;
mod searching;
mod sweeping;
