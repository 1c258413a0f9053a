//! Algorithm 1 of Žliobaitė et al. (2015): shares that forget with every row.

use super::Stack;
use super::coding::{Coder, ColdStart, FLAGS, OPENING, REPEAT, Row};
use crate::error::{Result, parameter};

/// The accuracy, the shares of labels and answers, and how often each class repeats, each an
/// exponentially weighted mean that starts from a prior value.
#[derive(Debug)]
pub struct Ewma {
    weight: f64,
    classes: usize,
    bits: u32,
    cold_start: ColdStart,
    every: u64,
    rows: u64,
    /// accuracy, then per class: labels, answers, repeats
    held: Vec<f64>,
    stack: Stack,
}

impl Ewma {
    /// `weight` is that of the newest row.
    pub fn new(coder: &Coder, weight: f64, every: u64, room: usize) -> Result<Self> {
        if !(weight > 0.0 && weight < 1.0) {
            return Err(parameter("EWMA", "weight", "above 0 and below 1", weight));
        }
        if every == 0 {
            return Err(parameter("measure", "every", "at least 1", every));
        }
        let classes = coder.classes();
        let mut held = vec![1.0 / classes as f64; 1 + 3 * classes];
        held[0] = 0.0;
        Ok(Self {
            weight,
            classes,
            bits: coder.bits(),
            cold_start: coder.cold_start(),
            every,
            rows: 0,
            stack: Stack::new(held.len(), room),
            held,
        })
    }

    /// Take in rows.
    pub fn push(&mut self, rows: &[Row]) {
        let (k, new, old) = (self.classes, self.weight, 1.0 - self.weight);
        for &row in rows {
            self.rows += 1;
            if Coder::counts(self.cold_start, row) {
                let label = (row >> (FLAGS + self.bits)) as usize;
                let answer = ((row >> FLAGS) & ((1 << self.bits) - 1)) as usize;
                for share in &mut self.held[..1 + 2 * k] {
                    *share *= old;
                }
                if answer == label + 1 {
                    self.held[0] += new;
                }
                self.held[1 + label] += new;
                if answer > 0 {
                    self.held[k + answer] += new;
                }
                let repeats = &mut self.held[1 + 2 * k + label];
                *repeats *= old;
                // the label before the first one is taken to be the first class
                if row & (REPEAT | OPENING) != 0 {
                    *repeats += new;
                }
            }
            if self.rows.is_multiple_of(self.every) {
                self.stack.push(self.rows, &self.held);
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
            self.stack.push(self.rows, &self.held);
        }
        self.stack
    }
}
