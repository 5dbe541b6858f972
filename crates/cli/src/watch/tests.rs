//! The output for users and programs, from scripted counters: each format, wide and narrow.

mod live_frames;
mod scripted;
mod texts;
