//! The perceptron.

use crate::learners::linear::{Loss, OneVsRest};

/// The hinge at 0: only a plane on the wrong side of a row (or right on it) moves.
#[derive(Debug, Clone, Copy)]
pub struct Hinge;

impl Loss for Hinge {
    #[inline(always)]
    fn slope(y: f64, z: f64) -> f64 {
        if y * z <= 0.0 { -y } else { 0.0 }
    }
}

/// Rosenblatt's perceptron, one class against the rest.
pub type Perceptron = OneVsRest<Hinge>;
