//! The features with the largest information gain about the class in the last items.

use super::Selector;
use super::largest::{Ties, largest};
use super::rule::{Rule, n_features};
use super::selection::{Selection, impossible};
use crate::error::Result;
use crate::kernels::Simd;
use crate::kernels::math::ln;
use crate::learners::memory::held;
use crate::learners::{Column, Reader, Shape, Writer};
use crate::parameters::Parameters;

/// The last `window` items, ranked after every `every` items.
struct InformationGain {
    count: usize,
    window: usize,
    every: u64,
    bins: usize,
    columns: Vec<Column>,
    classes: usize,
    learned: u64,
    /// The cells of the last items, a ring of rows; then their classes and weights.
    rows: Vec<f64>,
    labels: Vec<usize>,
    weights: Vec<f64>,
    gains: Vec<f64>,
}

impl InformationGain {
    /// The item that is `i` items after the oldest one.
    fn at(&self, i: usize) -> usize {
        let held = self.labels.len();
        if held < self.window { i } else { ((self.learned as usize) % self.window + i) % held }
    }

    fn cell(&self, item: usize, feature: usize) -> f64 {
        self.rows[item * self.columns.len() + feature]
    }

    /// The cells of each bin and class (bins, then classes): the last bin is that of missing cells.
    fn table(&self, feature: usize) -> Vec<f64> {
        let cells = (0..self.labels.len()).map(|i| self.cell(i, feature));
        let known = cells.filter(|x| !x.is_nan());
        let (low, high) =
            known.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let bins = match self.columns[feature] {
            Column::Numeric => self.bins,
            Column::Nominal(values) => values,
        };
        let mut table = vec![0.0; (bins + 1) * self.classes];
        for i in (0..self.labels.len()).map(|i| self.at(i)) {
            let x = self.cell(i, feature);
            let bin = match self.columns[feature] {
                _ if x.is_nan() => bins,
                Column::Numeric if high > low => {
                    (((x - low) / (high - low) * bins as f64) as usize).min(bins - 1)
                }
                Column::Numeric => 0,
                Column::Nominal(_) => {
                    let code = x as usize;
                    if code as f64 == x { code.min(bins) } else { bins }
                }
            };
            table[bin * self.classes + self.labels[i]] += self.weights[i];
        }
        table
    }

    fn gain(&self, feature: usize) -> f64 {
        let table = self.table(feature);
        let mut totals = vec![0.0; self.classes];
        for bin in table.chunks(self.classes) {
            totals.iter_mut().zip(bin).for_each(|(total, n)| *total += n);
        }
        let total: f64 = totals.iter().sum();
        let inside = table.chunks(self.classes).map(|bin| {
            let weight: f64 = bin.iter().sum();
            weight / total * entropy(bin, weight)
        });
        entropy(&totals, total) - inside.sum::<f64>()
    }
}

/// The entropy of classes with these weights, in bits.
fn entropy(weights: &[f64], total: f64) -> f64 {
    let terms = weights.iter().filter(|&&n| n > 0.0).map(|&n| {
        let p = n / total;
        if p > f64::MIN_POSITIVE { -p * (ln(p) / std::f64::consts::LN_2) } else { 0.0 }
    });
    terms.sum()
}

impl Rule for InformationGain {
    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], class: usize, weight: f64) -> bool {
        if self.labels.len() < self.window {
            self.rows.extend_from_slice(row);
            self.labels.push(class);
            self.weights.push(weight);
        } else {
            let at = (self.learned as usize) % self.window;
            self.rows[at * row.len()..(at + 1) * row.len()].copy_from_slice(row);
            (self.labels[at], self.weights[at]) = (class, weight);
        }
        self.learned = self.learned.wrapping_add(1);
        if !self.learned.is_multiple_of(self.every) {
            return false;
        }
        self.gains = (0..self.columns.len()).map(|feature| self.gain(feature)).collect();
        true
    }

    fn select(&self, selected: &mut [bool]) {
        largest(&self.gains, self.count, Ties::Lowest, selected);
    }

    fn scores(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.gains);
    }

    fn bytes(&self) -> usize {
        held(&self.rows) + held(&self.labels) + held(&self.weights) + held(&self.gains)
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.learned);
        out.whole(self.labels.len() as u64);
        out.reals(&self.rows);
        self.labels.iter().for_each(|&class| out.whole(class as u64));
        out.reals(&self.weights);
        out.reals(&self.gains);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.learned = from.whole()?;
        let held = from.count(self.columns.len() + 2)?;
        if held as u64 != self.learned.min(self.window as u64) {
            return Err(impossible());
        }
        self.rows = vec![0.0; held * self.columns.len()];
        from.reals(&mut self.rows)?;
        self.labels = (0..held).map(|_| from.below(self.classes)).collect::<Result<_>>()?;
        self.weights = vec![0.0; held];
        from.reals(&mut self.weights)?;
        from.reals(&mut self.gains)
    }
}

/// Make the selector for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Box<dyn Selector>> {
    let (count, width) = (n_features("InformationGain", p, shape)?, shape.columns.len());
    let rule = InformationGain {
        count,
        window: p.whole("window")?.max(1),
        every: p.count("every")?.max(1),
        bins: p.whole("bins")?.max(1),
        columns: shape.columns.clone(),
        classes: shape.classes.max(1),
        learned: 0,
        rows: Vec::new(),
        labels: Vec::new(),
        weights: Vec::new(),
        gains: vec![0.0; width],
    };
    Ok(Box::new(Selection::new(rule, width, shape.classes)))
}
