//! The learner that guesses by the classes' shares so far.

use crate::NONE;
use crate::kernels::Simd;
use crate::learners::memory::held;
use crate::learners::native::Learns;
use crate::learners::{Reader, Writer};
use crate::seeds::uniform;

/// Prior random: class i is answered with the probability of its share so far.
///
/// The draw depends on (seed, item) alone: asked twice about an item, it draws the same number.
#[derive(Debug, Clone)]
pub struct PriorRandom {
    seed: u64,
    weights: Vec<f64>,
    total: f64,
}

impl PriorRandom {
    /// It knows nothing.
    pub fn new(classes: usize, seed: u64) -> Self {
        Self { seed, weights: vec![0.0; classes], total: 0.0 }
    }
}

impl Learns for PriorRandom {
    type Target = i32;

    fn classes(&self) -> usize {
        self.weights.len()
    }

    fn width(&self) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, item: u64, _row: &[f64]) -> i32 {
        // The last class with any weight is the answer where rounding eats up the whole sum.
        let (mut left, mut said) = (uniform(self.seed, item) * self.total, NONE);
        for (class, &weight) in self.weights.iter().enumerate() {
            if weight > 0.0 {
                said = class as i32;
                if left < weight {
                    break;
                }
                left -= weight;
            }
        }
        said
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
