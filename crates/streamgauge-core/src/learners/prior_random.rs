//! Random predictions with the class frequencies so far.

use crate::NONE;
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;
use crate::seeds::uniform;

/// Prior random: each class is predicted with the probability of its share so far.
///
/// The draw depends on (seed, item) only: repeated predictions of an item use the same number.
#[derive(Debug, Clone)]
pub struct PriorRandom {
    seed: u64,
    weights: Vec<f64>,
    total: f64,
}

impl PriorRandom {
    /// A new, untrained learner.
    pub fn new(classes: usize, seed: u64) -> Self {
        Self { seed, weights: vec![0.0; classes], total: 0.0 }
    }
}

impl NativeModel for PriorRandom {
    type Target = i32;

    fn classes(&self) -> usize {
        self.weights.len()
    }

    fn width(&self) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, item: u64, _row: &[f64]) -> i32 {
        // The last class with weight is predicted where rounding exhausts the sum.
        let (mut left, mut prediction) = (uniform(self.seed, item) * self.total, NONE);
        for (class, &weight) in self.weights.iter().enumerate() {
            if weight > 0.0 {
                prediction = class as i32;
                if left < weight {
                    break;
                }
                left -= weight;
            }
        }
        prediction
    }

    /// The classes' shares so far.
    #[inline(always)]
    fn scores<S: Simd>(&self, _s: S, _item: u64, _row: &[f64], out: &mut [f64]) {
        for (score, weight) in out.iter_mut().zip(&self.weights) {
            *score = weight / self.total;
        }
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, _row: &[f64], label: usize, weight: f64) {
        self.weights[label] += weight;
        self.total += weight;
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + held(&self.weights)
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&self.weights);
        out.real(self.total);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        from.reals(&mut self.weights)?;
        self.total = from.real()?;
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
#[expect(clippy::unnecessary_wraps, reason = "the signature of every learner in the table")]
pub(super) fn make(_: &Parameters, shape: &Shape) -> Result<Model> {
    Ok(Model::of(PriorRandom::new(shape.classes, shape.seed)))
}
