//! What the linear learners share.

mod inputs;
mod one_vs_rest;
mod plane;

pub(super) use inputs::{Encoded, Inputs, hold, holding};
pub use one_vs_rest::{Loss, OneVsRest};
pub(super) use plane::Plane;
