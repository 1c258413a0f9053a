//! Summaries, windows, learners, generators and the engine of streamgauge.
//!
//! Plain Rust over plain slices; a library any Rust program could use. A bad input is an
//! `Err`, never a panic.

pub mod comparisons;
pub mod detectors;
pub mod engine;
pub mod error;
pub mod generators;
mod kernels;
pub mod late;
pub mod learners;
pub mod noise;
pub mod parameters;
pub mod preprocessing;
pub mod row_major;
pub mod seeds;
pub mod selectors;
pub mod summaries;
pub mod text;

pub use error::{Error, Result};

/// The code of a missing label, and of a prediction from a learner that abstained.
pub const NONE: i32 = -1;
