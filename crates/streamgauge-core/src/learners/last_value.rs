//! The last label as the prediction, for regression.

use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;

/// Last value: predicts the last learned label.
#[derive(Debug, Clone)]
pub struct LastValue {
    last: f64,
}

impl LastValue {
    /// `first`: the prediction before the first label; by default there is none.
    pub fn new(first: Option<f64>) -> Self {
        Self { last: first.unwrap_or(f64::NAN) }
    }
}

impl NativeModel for LastValue {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, _item: u64, _row: &[f64]) -> f64 {
        self.last
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, _row: &[f64], label: f64, _weight: f64) {
        self.last = label;
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn save(&self, out: &mut Writer) {
        out.real(self.last);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.last = from.real()?;
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, _: &Shape) -> Result<Model> {
    Ok(Model::of(LastValue::new(p.maybe_real("first")?)))
}
