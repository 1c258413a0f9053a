//! Linear regression by stochastic gradient descent.

use std::mem::take;

use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::linear::{Encoded, Inputs, Plane, bounded};
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// Gradients are clipped to this, as in river.
const MAX_GRADIENT: f64 = 1e12;

/// A linear function updated after each item against the gradient of the squared error.
#[derive(Debug, Clone)]
pub struct LinearRegression {
    inputs: Inputs,
    plane: Plane,
    trained: bool,
    rate: f64,
    scratch: Encoded,
}

impl LinearRegression {
    /// A new, untrained learner. `rate` is the learning rate.
    pub fn new(columns: &[Column], rate: f64, standardise: bool) -> Self {
        let inputs = Inputs::new(columns, standardise);
        let plane = Plane::new(&inputs);
        Self { inputs, plane, trained: false, rate, scratch: Encoded::default() }
    }
}

impl NativeModel for LinearRegression {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        Some(self.inputs.width())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> f64 {
        if !self.trained {
            return f64::NAN;
        }
        let mut encoded = Encoded::default();
        self.inputs.encode(s, row, &mut encoded);
        self.plane.at(s, &encoded)
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: f64, weight: f64) {
        let mut scratch = take(&mut self.scratch);
        self.trained = true;
        self.inputs.learn(s, row, weight, &mut scratch.buffer);
        self.inputs.encode(s, row, &mut scratch);
        let slope = weight * 2.0 * (self.plane.at(s, &scratch) - bounded(label));
        self.plane.shift(s, &scratch, -self.rate * slope.clamp(-MAX_GRADIENT, MAX_GRADIENT));
        self.scratch = scratch;
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.inputs.bytes() + self.plane.bytes() + self.scratch.bytes()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("parameters", self.plane.parameters(&self.inputs) as f64),
            ("nonzero_parameters", self.plane.nonzero() as f64),
        ]
    }

    fn save(&self, out: &mut Writer) {
        self.inputs.save(out);
        self.plane.save(out);
        out.whole(self.trained.into());
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.inputs.load(from)?;
        self.plane.load(from)?;
        self.trained = from.flag()?;
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let (rate, standardise) = (p.real("learning_rate")?, p.flag("standardise")?);
    Ok(Model::of(LinearRegression::new(&shape.columns, rate, standardise)))
}
