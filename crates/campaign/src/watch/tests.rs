//! Tests of watching: the arithmetic against the kernel's definitions and under its laws, paths
//! and counters on a machine laid out in a folder.

mod adding_up;
mod laid_out;
mod rates;
mod resolving;
mod sampling;
