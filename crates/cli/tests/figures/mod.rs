//! Tests of figures that other programs change: what a device under a known limit gives, say.
//!
//! `scripts/test.sh` runs them after all others, which wait more than they work and so run more at
//! once than there are CPUs.

mod check;
mod compare;
mod limit;
mod rates;
mod truth;
mod verdicts;
