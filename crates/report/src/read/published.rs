//! Figures that others published.
