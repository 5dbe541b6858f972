//! What people and programs see, from scripted counters: each face, wide and narrow.

mod live_frames;
mod scripted;
mod texts;
