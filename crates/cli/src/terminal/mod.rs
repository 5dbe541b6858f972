//! The terminal, shared by all commands: its abilities, tables, bars and frames, the live view,
//! signals, and the one path to standard output.

pub mod bars;
pub mod connections;
pub mod heading;
pub mod live;
pub mod notes;
pub mod paint;
pub mod progress;
pub mod screen;
pub mod signals;
pub mod spark;
pub mod stdout;
pub mod stream;
pub mod style;
pub mod summary;
pub mod table;
pub mod verdicts;
