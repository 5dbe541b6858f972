//! Tests of the finished binary under the name `fio`, with nothing between them and the kernel.
//!
//! The binary under test is the one Cargo built; the environment variable `FATHOM_UNDER_TEST`
//! puts another in its place. Given `/usr/bin/fio` the whole harness runs fio against fio, which
//! is how the expectations were proven before they were held against our own binary; only the
//! messages of `badinput` are ours alone.
//!
//! Every test works in a folder of its own under Cargo's target folder (the machine's disk) and on
//! devices that it made itself. What needs root, a device or a program probes for it and prints
//! `SKIP: reason`; with `FATHOM_TESTS_REQUIRE=1` a skip is a failure.
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "skips and timings are told")]
#![forbid(unsafe_code)]

mod accepts;
mod answer;
mod arm64;
mod badinput;
mod case_file;
mod corpus;
mod debug_lines;
mod devices;
mod differential;
mod doctor;
#[path = "../../report/tests/browser/driver.rs"]
mod driver;
mod durable;
mod endings;
mod figures;
mod fio_clients;
mod first_screen;
mod fleet;
mod forms;
mod golden;
mod history;
mod hostile;
mod in_use;
mod job_files;
#[cfg(feature = "kube")]
mod kube;
#[cfg(feature = "kube")]
mod kube_check;
#[cfg(feature = "kube")]
mod kube_faults;
#[cfg(feature = "kube")]
mod kube_rights;
mod lang;
mod leftovers;
mod liars;
mod live;
mod loop_results;
mod measure;
mod names;
mod namespace;
mod network_share;
mod nfs;
mod nfs_server;
mod nfs_target;
mod outputs;
mod pages;
mod parity;
mod promises;
mod quiet;
mod readme;
mod released;
mod report;
mod run;
mod sandbox;
mod schemas;
mod serve;
mod shape_json;
mod shape_text;
mod signals;
mod ssh;
mod swaps;
mod sweep;
mod underway;
mod verify;
mod watch;
mod windows;
