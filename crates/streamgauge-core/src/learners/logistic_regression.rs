//! Logistic regression by stochastic gradient descent.

use crate::kernels::math::exp;
use crate::learners::linear::{Loss, OneVsRest};

/// The logarithmic loss.
#[derive(Debug, Clone, Copy)]
pub struct Logarithmic;

impl Loss for Logarithmic {
    #[inline(always)]
    fn slope(y: f64, z: f64) -> f64 {
        -y / (exp(y * z) + 1.0)
    }
}

/// Logistic regression, one class against the rest.
pub type LogisticRegression = OneVsRest<Logarithmic>;
