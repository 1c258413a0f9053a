//! The learner that says the most frequent label so far.

use crate::NONE;
use crate::kernels::Simd;
use crate::learners::classifier::LearnsClasses;
use crate::learners::persistent::all_for;
use crate::learners::{Reader, Writer};

/// Majority class: the label of the largest weight so far; of equals the first in class order.
#[derive(Debug, Clone)]
pub struct MajorityClass {
    weights: Vec<f64>,
    total: f64,
    most: i32,
}

impl MajorityClass {
    /// Nothing is said before the first label unless `first` gives a class code.
    pub fn new(classes: usize, first: Option<usize>) -> Self {
        let most = first.map_or(NONE, |code| code as i32);
        Self { weights: vec![0.0; classes], total: 0.0, most }
    }
}

impl LearnsClasses for MajorityClass {
    fn classes(&self) -> usize {
        self.weights.len()
    }

    fn width(&self) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn answer<S: Simd>(&self, _s: S, _item: u64, _row: &[f64]) -> i32 {
        self.most
    }

    /// The classes' shares so far.
    #[inline(always)]
    fn scores<S: Simd>(&self, _s: S, _item: u64, _row: &[f64], out: &mut [f64]) {
        if self.total == 0.0 {
            return all_for(self.most, out);
        }
        for (score, weight) in out.iter_mut().zip(&self.weights) {
            *score = weight / self.total;
        }
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, _row: &[f64], label: usize, weight: f64) {
        // Only the taught class grows, so it alone can overtake; the first label always does.
        let most = if self.total == 0.0 { label } else { self.most as usize };
        self.weights[label] += weight;
        self.total += weight;
        let (mine, best) = (self.weights[label], self.weights[most]);
        let overtakes = mine > best || (mine == best && label < most);
        self.most = if overtakes { label } else { most } as i32;
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&self.weights[..])
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&self.weights);
        out.real(self.total);
        out.whole(self.most as u64);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        from.reals(&mut self.weights)?;
        self.total = from.real()?;
        self.most = from.whole()? as i32;
        Ok(())
    }
}
