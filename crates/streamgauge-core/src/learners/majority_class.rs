//! The learner that says the most frequent label so far.

use std::hint::select_unpredictable;

use crate::NONE;
use crate::kernels::Simd;
use crate::learners::memory::held;
use crate::learners::native::Learns;
use crate::learners::persistent::all_for;
use crate::learners::{Items, Reader, Writer};

/// Majority class: the label of the largest weight so far; of equals the first in class order.
#[derive(Debug, Clone)]
pub struct MajorityClass {
    weights: Vec<f64>,
    total: f64,
    most: i32,
    /// The weight of `most`, as bits.
    record: u64,
}

impl MajorityClass {
    /// Nothing is said before the first label unless `first` gives a class code.
    pub fn new(classes: usize, first: Option<usize>) -> Self {
        let most = first.map_or(NONE, |code| code as i32);
        Self { weights: vec![0.0; classes], total: 0.0, most, record: 0 }
    }
}

/// Who leads after a class has grown: only that one can have overtaken (or be further ahead).
/// No branch: whether it has is as hard to foretell as the labels. Weights are given by their
/// bits, which are in the same order, because there is no move on a condition for reals.
#[inline(always)]
fn led(leader: (i32, u64), grown: (i32, u64)) -> (i32, u64) {
    let ahead = (grown.1 > leader.1) | ((grown.1 == leader.1) & (grown.0 < leader.0));
    (select_unpredictable(ahead, grown.0, leader.0), select_unpredictable(ahead, grown.1, leader.1))
}

impl Learns for MajorityClass {
    type Target = i32;

    fn classes(&self) -> usize {
        self.weights.len()
    }

    fn width(&self) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, _item: u64, _row: &[f64]) -> i32 {
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
        let mine = self.weights[label] + weight;
        self.weights[label] = mine;
        self.total += weight;
        (self.most, self.record) = led((self.most, self.record), (label as i32, mine.to_bits()));
    }

    #[inline(always)]
    fn test_then_train<S: Simd>(
        &mut self,
        _s: S,
        _items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        answers: &mut [i32],
    ) {
        // The leader in registers: through memory, each item would wait for the one before.
        let (mut leader, mut total) = ((self.most, self.record), self.total);
        for (i, (&label, said)) in labels.iter().zip(answers).enumerate() {
            *said = leader.0;
            let weight = weights.map_or(1.0, |w| w[i]);
            if label != NONE && weight > 0.0 {
                let mine = self.weights[label as usize] + weight;
                self.weights[label as usize] = mine;
                total += weight;
                leader = led(leader, (label, mine.to_bits()));
            }
        }
        ((self.most, self.record), self.total) = (leader, total);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + held(&self.weights)
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&self.weights);
        out.real(self.total);
        out.whole(self.most as u64);
        out.whole(self.record);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        from.reals(&mut self.weights)?;
        self.total = from.real()?;
        self.most = from.code(self.weights.len())?;
        self.record = from.whole()?;
        Ok(())
    }
}
