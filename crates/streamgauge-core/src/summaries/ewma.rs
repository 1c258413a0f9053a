//! Exponentially weighted shares: Algorithm 1 of Žliobaitė et al. (2015).

use super::Stack;
use super::coder::{Coder, ColdStart, FIRST_REPEATS, FLAGS, REPEAT, Row};
use crate::error::{Result, parameter};

/// The accuracy, the shares of labels and predictions, and how often each class repeats, each an
/// exponentially weighted mean with a prior initial value.
#[derive(Debug)]
pub struct Ewma {
    weight: f64,
    classes: usize,
    bits: u32,
    cold_start: ColdStart,
    every: u64,
    rows: u64,
    /// accuracy, then per class: labels, predictions, repeats
    shares: Vec<f64>,
    stack: Stack,
}

impl Ewma {
    /// `weight` is that of the latest row.
    pub fn new(coder: &Coder, weight: f64, every: u64, capacity: usize) -> Result<Self> {
        if !(weight > 0.0 && weight < 1.0) {
            return Err(parameter("EWMA", "weight", "above 0 and below 1", weight));
        }
        if every == 0 {
            return Err(parameter("measure", "every", "at least 1", every));
        }
        let classes = coder.classes();
        let mut shares = vec![1.0 / classes as f64; 1 + 3 * classes];
        shares[0] = 0.0;
        Ok(Self {
            weight,
            classes,
            bits: coder.bits(),
            cold_start: coder.cold_start(),
            every,
            rows: 0,
            stack: Stack::new(shares.len(), capacity),
            shares,
        })
    }

    /// Add rows.
    pub fn push(&mut self, rows: &[Row]) {
        let (k, new, old) = (self.classes, self.weight, 1.0 - self.weight);
        for &row in rows {
            self.rows += 1;
            if Coder::counts(self.cold_start, row) {
                let label = (row >> (FLAGS + self.bits)) as usize;
                let prediction = ((row >> FLAGS) & ((1 << self.bits) - 1)) as usize;
                for share in &mut self.shares[..1 + 2 * k] {
                    *share *= old;
                }
                if prediction == label + 1 {
                    self.shares[0] += new;
                }
                self.shares[1 + label] += new;
                if prediction > 0 {
                    self.shares[k + prediction] += new;
                }
                let repeats = &mut self.shares[1 + 2 * k + label];
                *repeats *= old;
                // the label before the first one is assumed to be the first class
                if row & (REPEAT | FIRST_REPEATS) != 0 {
                    *repeats += new;
                }
            }
            if self.rows.is_multiple_of(self.every) {
                self.stack.push(self.rows, &self.shares);
            }
        }
    }

    /// The snapshots since they were last taken.
    pub fn take(&mut self) -> Stack {
        self.stack.take()
    }

    /// The snapshots since they were last taken, and one after the last row.
    pub fn finish(mut self) -> Stack {
        if !self.rows.is_multiple_of(self.every) {
            self.stack.push(self.rows, &self.shares);
        }
        self.stack
    }
}
