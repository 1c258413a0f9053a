//! The learner that says the last label again.

use crate::NONE;
use crate::learners::Classifier;

/// Persistent (no-change): the answer is the last label it was taught.
#[derive(Debug, Clone)]
pub struct Persistent {
    classes: usize,
    last: i32,
}

impl Persistent {
    /// Nothing is said before the first label unless `first` gives a class code.
    pub fn new(classes: usize, first: Option<usize>) -> Self {
        Self { classes, last: first.map_or(NONE, |code| code as i32) }
    }
}

impl Classifier for Persistent {
    fn needs_rows(&self) -> bool {
        false
    }

    #[inline]
    fn answer(&self, _item: u64, _row: &[f64]) -> i32 {
        self.last
    }

    fn scores(&self, _item: u64, _row: &[f64], out: &mut [f64]) {
        if self.last == NONE {
            out.fill(f64::NAN);
        } else {
            out.fill(0.0);
            if let Some(score) = out.get_mut(self.last as usize) {
                *score = 1.0;
            }
        }
    }

    #[inline]
    fn learn(&mut self, _row: &[f64], label: usize, _weight: f64) {
        debug_assert!(label < self.classes);
        self.last = label as i32;
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}
