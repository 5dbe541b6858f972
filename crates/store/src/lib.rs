//! The history: every run with all that is needed to repeat it, in one SQLite file.
#![forbid(unsafe_code)]
