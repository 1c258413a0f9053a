//! Labelled items, oldest first: the initial buffer, later the most recent items.

use std::collections::VecDeque;

use crate::error::Result;
use crate::learners::nearest_neighbours::weight;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// Rows with their labels and weights.
#[derive(Debug, Clone, Default)]
pub(super) struct LabelledItems {
    rows: VecDeque<Vec<f64>>,
    labels: VecDeque<u32>,
    weights: VecDeque<f64>,
}

impl LabelledItems {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Add an item; the oldest is dropped where there are more than `most`.
    pub(super) fn push(&mut self, row: &[f64], label: usize, weight: f64, most: usize) {
        if self.len() >= most {
            // The row that is dropped holds the new one.
            let mut oldest = self.rows.pop_front().unwrap_or_default();
            oldest.clear();
            oldest.extend_from_slice(row);
            self.rows.push_back(oldest);
            self.labels.pop_front();
            self.weights.pop_front();
        } else {
            self.rows.push_back(row.to_vec());
        }
        self.labels.push_back(label as u32);
        self.weights.push_back(weight);
    }

    /// Keep the newest `most` items.
    pub(super) fn truncate(&mut self, most: usize) {
        let dropped = self.len().saturating_sub(most);
        self.rows.drain(..dropped);
        self.labels.drain(..dropped);
        self.weights.drain(..dropped);
        self.rows.shrink_to_fit();
        self.labels.shrink_to_fit();
        self.weights.shrink_to_fit();
    }

    pub(super) fn rows(&self) -> Vec<&[f64]> {
        self.rows.iter().map(Vec::as_slice).collect()
    }

    /// 1 for an item of the class, 0 for any other.
    pub(super) fn targets(&self, class: usize) -> Vec<f64> {
        self.labels.iter().map(|&label| f64::from(u8::from(label as usize == class))).collect()
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = usize> {
        self.labels.iter().map(|&label| label as usize)
    }

    pub(super) fn weights(&self) -> Vec<f64> {
        self.weights.iter().copied().collect()
    }

    /// The weight of each class, as a share of all.
    pub(super) fn shares(&self, classes: usize) -> Vec<f64> {
        let (mut shares, mut total) = (vec![0.0; classes], 0.0);
        for (&label, weight) in self.labels.iter().zip(&self.weights) {
            shares[label as usize] += weight;
            total += weight;
        }
        shares.iter_mut().for_each(|share| *share /= total);
        shares
    }

    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Vec<f64>>()
            + self.rows.iter().map(|row| row.capacity() * size_of::<f64>()).sum::<usize>()
            + self.labels.capacity() * size_of::<u32>()
            + self.weights.capacity() * size_of::<f64>()
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.len() as u64);
        for ((row, &label), &weight) in self.rows.iter().zip(&self.labels).zip(&self.weights) {
            out.reals(row);
            out.whole(label.into());
            out.real(weight);
        }
    }

    pub(super) fn load(
        from: &mut Reader<'_>,
        width: usize,
        classes: usize,
        most: usize,
    ) -> Result<Self> {
        let count = from.count(width + 2)?;
        if count > most {
            return Err(refused("of this learner", format!("{count} items")));
        }
        let mut items = Self::default();
        for _ in 0..count {
            let mut row = vec![0.0; width];
            from.reals(&mut row)?;
            if row.iter().any(|x| x.abs() > 1e100) {
                return Err(refused("of numbers within 1e100", "others"));
            }
            let label = from.below(classes)?;
            items.push(&row, label, weight(from)?, most);
        }
        Ok(items)
    }
}
