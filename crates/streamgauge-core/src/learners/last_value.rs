//! The learner that says the last label again, for reals.

use crate::kernels::Simd;
use crate::learners::native::Learns;
use crate::learners::{Reader, Writer};

/// Last value: the answer is the last label it was taught.
#[derive(Debug, Clone)]
pub struct LastValue {
    last: f64,
}

impl LastValue {
    /// Nothing is said before the first label unless `first` is given.
    pub fn new(first: Option<f64>) -> Self {
        Self { last: first.unwrap_or(f64::NAN) }
    }
}

impl Learns for LastValue {
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
