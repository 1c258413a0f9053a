//! The most frequent label so far as the prediction.

use std::hint::select_unpredictable;

use crate::NONE;
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::persistent::one_hot;
use crate::learners::recipe::Shape;
use crate::learners::{Items, Reader, Writer};
use crate::parameters::Parameters;

/// Majority class: the label with the largest weight so far; ties go to the first class.
#[derive(Debug, Clone)]
pub struct MajorityClass {
    weights: Vec<f64>,
    total: f64,
    most: i32,
    /// The weight of `most`, as bits.
    most_bits: u64,
}

impl MajorityClass {
    /// `first`: class code predicted before the first label; by default there is no prediction.
    pub fn new(classes: usize, first: Option<usize>) -> Self {
        let most = first.map_or(NONE, |code| code as i32);
        Self { weights: vec![0.0; classes], total: 0.0, most, most_bits: 0 }
    }
}

/// The majority class after the weight of one class has grown; only that class can replace it.
/// Branch-free, because the outcome is as unpredictable as the labels. Weights are compared by
/// their bits, which have the same order, because there is no conditional move for floats.
#[inline(always)]
fn majority_after(majority: (i32, u64), grown: (i32, u64)) -> (i32, u64) {
    let replaces = (grown.1 > majority.1) | ((grown.1 == majority.1) & (grown.0 < majority.0));
    (
        select_unpredictable(replaces, grown.0, majority.0),
        select_unpredictable(replaces, grown.1, majority.1),
    )
}

impl NativeModel for MajorityClass {
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
            return one_hot(self.most, out);
        }
        for (score, weight) in out.iter_mut().zip(&self.weights) {
            *score = weight / self.total;
        }
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, _row: &[f64], label: usize, weight: f64) {
        let updated = self.weights[label] + weight;
        self.weights[label] = updated;
        self.total += weight;
        (self.most, self.most_bits) =
            majority_after((self.most, self.most_bits), (label as i32, updated.to_bits()));
    }

    #[inline(always)]
    fn test_then_train<S: Simd>(
        &mut self,
        _s: S,
        _items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        predictions: &mut [i32],
    ) {
        // The majority class is kept in registers, to avoid a store-to-load dependency between items.
        let (mut majority, mut total) = ((self.most, self.most_bits), self.total);
        for (i, (&label, prediction)) in labels.iter().zip(predictions).enumerate() {
            *prediction = majority.0;
            let weight = weights.map_or(1.0, |w| w[i]);
            if label != NONE && weight > 0.0 {
                let updated = self.weights[label as usize] + weight;
                self.weights[label as usize] = updated;
                total += weight;
                majority = majority_after(majority, (label, updated.to_bits()));
            }
        }
        ((self.most, self.most_bits), self.total) = (majority, total);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + held(&self.weights)
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&self.weights);
        out.real(self.total);
        out.whole(self.most as u64);
        out.whole(self.most_bits);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        from.reals(&mut self.weights)?;
        self.total = from.real()?;
        self.most = from.code(self.weights.len())?;
        self.most_bits = from.whole()?;
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    Ok(Model::of(MajorityClass::new(shape.classes, p.maybe_whole("first")?)))
}
