//! The ranges of the inputs and of the target so far.

use crate::error::Result;
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// Least and largest value of each column; the target is the last.
#[derive(Debug, Clone)]
pub(super) struct Ranges {
    low: Vec<f64>,
    high: Vec<f64>,
    widths: Vec<f64>,
}

impl Ranges {
    pub(super) fn new(columns: usize) -> Self {
        let (low, high) = (vec![f64::INFINITY; columns], vec![f64::NEG_INFINITY; columns]);
        Self { low, high, widths: vec![1.0; columns] }
    }

    /// Include an item. True: a range has changed.
    #[inline(always)]
    pub(super) fn learn(&mut self, z: &[f64]) -> bool {
        let mut changed = false;
        for ((low, high), &z) in self.low.iter_mut().zip(&mut self.high).zip(z) {
            // Comparisons with a missing cell are false.
            changed |= z < *low || z > *high;
            *low = if z < *low { z } else { *low };
            *high = if z > *high { z } else { *high };
        }
        if changed {
            self.measure();
        }
        changed
    }

    fn measure(&mut self) {
        for ((width, low), high) in self.widths.iter_mut().zip(&self.low).zip(&self.high) {
            *width = if high - low > 0.0 { high - low } else { 1.0 };
        }
    }

    /// Width of the range of a column; 1 while it has a single value.
    pub(super) fn width(&self, column: usize) -> f64 {
        self.widths[column]
    }

    /// The widths of all columns.
    pub(super) fn widths(&self) -> &[f64] {
        &self.widths
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.low) + held(&self.high) + held(&self.widths)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.reals(&self.low);
        out.reals(&self.high);
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        from.reals(&mut self.low)?;
        from.reals(&mut self.high)?;
        for (low, high) in self.low.iter().zip(&self.high) {
            let none = *low == f64::INFINITY && *high == f64::NEG_INFINITY;
            if !(none || low <= high && (high - low).is_finite()) {
                return Err(refused("of this learner", "a range that ends before it begins"));
            }
        }
        self.measure();
        Ok(())
    }
}
