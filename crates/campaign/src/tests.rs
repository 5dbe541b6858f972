//! Tests of the whole way: what is planned, what is refused, what is left when things go wrong.

mod document;
mod planning;
mod running;
mod scripted;
