//! The last values of a column, kept sorted.

use std::collections::VecDeque;

use crate::error::Result;
use crate::learners::{Reader, Writer, bounded, held};

/// The last `size` known values, in order of arrival and sorted: quantiles are exact.
#[derive(Debug, Clone)]
pub(super) struct SortedWindow {
    size: usize,
    recent: VecDeque<f64>,
    sorted: Vec<f64>,
}

impl SortedWindow {
    pub(super) fn new(size: usize) -> Self {
        Self { size, recent: VecDeque::new(), sorted: Vec::new() }
    }

    /// Add a value; the oldest one leaves a full window. A missing value is ignored.
    pub(super) fn add(&mut self, value: f64) {
        if value.is_nan() {
            return;
        }
        // The sum with 0 turns -0 into 0, so that equal values are equal in the total order.
        let value = bounded(value) + 0.0;
        if self.recent.len() == self.size
            && let Some(oldest) = self.recent.pop_front()
        {
            let at = self.sorted.partition_point(|x| *x < oldest);
            self.sorted.remove(at);
        }
        self.recent.push_back(value);
        let at = self.sorted.partition_point(|x| *x < value);
        self.sorted.insert(at, value);
    }

    /// The quantile, linear between two values; None in an empty window.
    pub(super) fn quantile(&self, q: f64) -> Option<f64> {
        let last = self.sorted.len().checked_sub(1)?;
        let at = q * last as f64;
        let low = (at as usize).min(last);
        let (a, b) = (self.sorted[low], self.sorted[(low + 1).min(last)]);
        Some(a + (at - low as f64) * (b - a))
    }

    /// The most frequent value, the smallest of equally frequent ones; None in an empty window.
    pub(super) fn mode(&self) -> Option<f64> {
        let longest = self.sorted.chunk_by(|a, b| a == b).rev().max_by_key(|run| run.len());
        longest.map(|run| run[0])
    }

    pub(super) fn bytes(&self) -> usize {
        self.recent.capacity() * size_of::<f64>() + held(&self.sorted)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.recent.len() as u64);
        self.recent.iter().for_each(|&x| out.real(x));
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        *self = Self::new(self.size);
        for _ in 0..from.count(1)? {
            self.add(from.real()?);
        }
        Ok(())
    }
}
