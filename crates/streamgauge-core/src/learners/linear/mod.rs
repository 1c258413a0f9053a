//! What the linear learners share.

mod inputs;
mod moments;
mod one_vs_rest;
mod plane;

pub(super) use inputs::{Encoded, Inputs, hold, holding};
pub(super) use moments::{Moments, load_cells};
pub use one_vs_rest::{Loss, OneVsRest};
pub(super) use plane::Plane;
