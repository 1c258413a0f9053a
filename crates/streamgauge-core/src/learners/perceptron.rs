//! The perceptron.

use crate::error::Result;
use crate::learners::linear::{Loss, OneVsRest};
use crate::learners::model::Model;
use crate::learners::recipe::Shape;
use crate::parameters::Parameters;

/// The hinge loss at margin 0: the gradient is 0 unless the row is misclassified or on the plane.
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

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let (rate, standardise) = (p.real("learning_rate")?, p.flag("standardise")?);
    Ok(Model::of(Perceptron::new(shape.classes, &shape.columns, rate, standardise)))
}
