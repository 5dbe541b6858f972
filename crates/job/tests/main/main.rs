//! The tests of this crate that see only its public face.
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]

mod command_line;
mod compatibility;
mod corpus;
mod errors;
mod job_files;
mod oracle;
mod properties;
mod read_elsewhere;
mod support;
mod table;
