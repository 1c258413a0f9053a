//! Logistic regression by stochastic gradient descent.

use crate::error::Result;
use crate::kernels::math::exp;
use crate::learners::linear::{Loss, OneVsRest};
use crate::learners::model::Model;
use crate::learners::recipe::Shape;
use crate::parameters::Parameters;

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

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let (rate, standardise) = (p.real("learning_rate")?, p.flag("standardise")?);
    Ok(Model::of(LogisticRegression::new(shape.classes, &shape.columns, rate, standardise)))
}
