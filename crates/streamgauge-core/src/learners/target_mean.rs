//! The mean of the labels so far as the prediction.

use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;

/// Target mean: the weighted mean of all labels so far.
#[derive(Debug, Clone)]
pub struct TargetMean {
    weight: f64,
    mean: f64,
}

impl TargetMean {
    /// `first`: the prediction before the first label; by default there is none.
    pub fn new(first: Option<f64>) -> Self {
        Self { weight: 0.0, mean: first.unwrap_or(f64::NAN) }
    }
}

impl NativeModel for TargetMean {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, _item: u64, _row: &[f64]) -> f64 {
        self.mean
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, _row: &[f64], label: f64, weight: f64) {
        let mean = if self.weight == 0.0 { label } else { self.mean };
        self.weight += weight;
        self.mean = mean + weight / self.weight * (label - mean);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&[self.weight, self.mean]);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        (self.weight, self.mean) = (from.real()?, from.real()?);
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, _: &Shape) -> Result<Model> {
    Ok(Model::of(TargetMean::new(p.maybe_real("first")?)))
}
