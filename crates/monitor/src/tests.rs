//! Tests of watching: the arithmetic against the kernel's definitions and laws, paths and counters
//! on a simulated machine.

mod adding_up;
mod laid_out;
mod rates;
mod resolving;
mod sampling;
