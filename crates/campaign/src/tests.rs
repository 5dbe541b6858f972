//! Tests of the whole way: what is planned, what is refused, what is left when things go wrong.

mod asking;
mod checking;
mod comparing;
mod document;
mod planning;
mod provider;
mod resuming;
mod running;
mod scripted;
mod sweeping;
