//! The terminal, for every command: what it can show, tables, bars and frames, the view of a run
//! that goes on, signals, and the one way to standard output. No command has any of it for itself.

pub mod bars;
pub mod connections;
pub mod heading;
pub mod live;
pub mod notes;
pub mod paint;
pub mod progress;
pub mod remarks;
pub mod screen;
pub mod signals;
pub mod spark;
pub mod stdout;
pub mod stream;
pub mod summary;
pub mod table;
pub mod verdicts;
