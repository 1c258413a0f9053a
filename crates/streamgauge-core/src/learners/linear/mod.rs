//! What the linear learners share.

mod inputs;
mod one_vs_rest;
mod plane;

use inputs::holding;
pub(super) use inputs::{Encoded, Inputs, hold};
pub use one_vs_rest::{Loss, OneVsRest};
pub(super) use plane::Plane;
