//! Components shared by the linear learners.

mod inputs;
mod moments;
mod one_vs_rest;
mod plane;

pub(crate) use inputs::{Encoded, Inputs, LIMIT, bounded, bounded_lanes};
pub(crate) use moments::{Moments, load_cells};
pub use one_vs_rest::{Loss, OneVsRest};
pub(super) use plane::Plane;
