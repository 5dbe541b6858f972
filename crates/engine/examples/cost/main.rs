//! What an I/O costs through each engine, and through the same calls without one.
//!
//! `cargo run --release -p fathom-engine --example cost [FILE]`: random reads of 4 KiB from a
//! file in the page cache (64 MiB, made beside the build if none is named), where the device
//! costs nothing and the difference is ours. Rounds alternate, the fastest of each counts.
#![allow(clippy::print_stdout)]

#[cfg(target_os = "linux")]
mod linux;

fn main() {
    #[cfg(target_os = "linux")]
    linux::main();
    #[cfg(not(target_os = "linux"))]
    println!("the calls that engines are compared with are those of Linux; run it there");
}
