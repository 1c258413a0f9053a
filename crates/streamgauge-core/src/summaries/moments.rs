//! Moments of errors and labels, from which the measures of regression are computed.

use super::coder::{ColdStart, check_weight};
use super::over_windows::{NEGLIGIBLE, Summary};
use crate::error::{Error, Result};

/// A label, its prediction, and the predictions of two baselines.
#[derive(Debug, Clone, Copy)]
pub struct RealRow {
    label: f64,
    /// NaN where the learner abstained, unless the policy fills in 0.
    prediction: f64,
    /// The previous label; NaN if there is none.
    last: f64,
    /// The mean of the earlier labels; NaN if there are none.
    mean: f64,
    opening: bool,
    abstained: bool,
}

/// One batch of labels and predictions, as columns.
#[derive(Debug, Clone, Copy)]
pub struct Reals<'a> {
    /// NaN where the label is missing.
    pub labels: &'a [f64],
    /// NaN where the learner abstained.
    pub predictions: &'a [f64],
    /// The previous label of each in stream order; None: that of the row before.
    pub previous: Option<&'a [f64]>,
    /// The weight of each row.
    pub weights: Option<&'a [f64]>,
}

impl<'a> Reals<'a> {
    /// Check that the columns have the same length.
    pub fn check(&self) -> Result<()> {
        let expected = self.labels.len();
        let length = |what, got| {
            if got == expected { Ok(()) } else { Err(Error::Length { what, expected, got }) }
        };
        length("prediction", self.predictions.len())?;
        length("previous", self.previous.map_or(expected, <[f64]>::len))?;
        length("weight", self.weights.map_or(expected, <[f64]>::len))
    }

    /// The rows from `start` up to, not including, `end`.
    pub fn part(&self, start: usize, end: usize) -> Reals<'a> {
        Reals {
            labels: &self.labels[start..end],
            predictions: &self.predictions[start..end],
            previous: self.previous.map(|p| &p[start..end]),
            weights: self.weights.map(|w| &w[start..end]),
        }
    }
}

/// Checks labels and predictions and converts them to rows, batch by batch.
#[derive(Debug)]
pub struct RealCoder {
    cold_start: ColdStart,
    weighted: bool,
    known: u64,
    abstained: u64,
    last: f64,
    /// The sum of labels so far, and its rounding error.
    sum: [f64; 2],
    weight: f64,
    /// The rows of the last batch.
    pub rows: Vec<RealRow>,
    /// Their weights, if weighted.
    pub weights: Vec<f64>,
}

impl RealCoder {
    /// No labels yet.
    pub fn new(cold_start: ColdStart, weighted: bool) -> Self {
        Self {
            cold_start,
            weighted,
            known: 0,
            abstained: 0,
            last: f64::NAN,
            sum: [0.0; 2],
            weight: 0.0,
            rows: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Number of known labels so far.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// Number of known labels for which the learner abstained.
    pub fn abstained(&self) -> u64 {
        self.abstained
    }

    /// Convert a batch to `rows` (and `weights`); rows without a label are left out.
    pub fn code(&mut self, given: Reals<'_>) -> Result<()> {
        given.check()?;
        self.rows.clear();
        self.weights.clear();
        for (i, (&label, &prediction)) in given.labels.iter().zip(given.predictions).enumerate() {
            if label.is_nan() {
                continue;
            }
            let weight = if self.weighted { given.weights.map_or(1.0, |w| w[i]) } else { 1.0 };
            check_weight(weight)?;
            let abstained = prediction.is_nan();
            let default = abstained && self.cold_start == ColdStart::DefaultClass;
            let last = given.previous.map_or(self.last, |p| p[i]);
            self.rows.push(RealRow {
                label,
                prediction: if default { 0.0 } else { prediction },
                last,
                mean: self.mean(),
                opening: self.known == 0,
                abstained,
            });
            if self.weighted {
                self.weights.push(weight);
            }
            self.known += 1;
            self.abstained += u64::from(abstained);
            self.last = label;
            if weight > 0.0 {
                self.weight += weight;
                self.add(weight * label);
            }
        }
        Ok(())
    }

    /// The mean of the labels so far; NaN if there are none.
    fn mean(&self) -> f64 {
        if self.weight > 0.0 { (self.sum[0] + self.sum[1]) / self.weight } else { f64::NAN }
    }

    /// Add to the sum with Neumaier's compensation, so that two large labels that cancel leave no
    /// rounding error.
    fn add(&mut self, value: f64) {
        let [sum, compensation] = self.sum;
        let new = sum + value;
        let (large, small) = if sum.abs() >= value.abs() { (sum, value) } else { (value, sum) };
        let error = (large - new) + small;
        self.sum = [new, if error.is_finite() { compensation + error } else { 0.0 }];
    }
}

/// Sums of errors, and the mean and sum of squared deviations of labels.
#[derive(Debug)]
pub struct Moments;

const TOTAL: usize = 0;
const ABSTAINED: usize = 1;
/// Absolute errors; the squared ones follow them, here and below.
const ERRORS: usize = 2;
const PAIRS: usize = 4;
const LAST_VALUE_ERRORS: usize = 5;
const BASELINE_ITEMS: usize = 7;
const TARGET_MEAN_ERRORS: usize = 8;
const FIRST_ERRORS: usize = 10;
const LABEL_SUM: usize = 12;
const SUMS: usize = 13;
const LABEL_MEAN: usize = 13;
const SQUARED_DEVIATIONS: usize = 14;
const LOWEST_LABEL: usize = 15;
const HIGHEST_LABEL: usize = 16;

impl Moments {
    /// The names of the components, in order.
    pub const LAYOUT: [&'static str; 17] = [
        "total",
        "abstained",
        "absolute_errors",
        "squared_errors",
        "with_previous",
        "last_value_absolute",
        "last_value_squared",
        "baseline_items",
        "target_mean_absolute",
        "target_mean_squared",
        "first_absolute",
        "first_squared",
        "label_sum",
        "label_mean",
        "squared_deviations",
        "lowest_label",
        "highest_label",
    ];
}

impl Summary for Moments {
    type Row = RealRow;

    fn width(&self) -> usize {
        Self::LAYOUT.len()
    }

    fn reversible(&self) -> bool {
        false
    }

    fn empty(&self, out: &mut [f64]) {
        out.fill(0.0);
        out[LOWEST_LABEL] = f64::INFINITY;
        out[HIGHEST_LABEL] = f64::NEG_INFINITY;
    }

    fn sum(&mut self, rows: &[RealRow], weights: Option<&[f64]>, out: &mut [f64]) {
        self.empty(out);
        let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
        for (i, row) in rows.iter().enumerate() {
            let w = weight(i);
            if row.abstained {
                out[ABSTAINED] += w;
            }
            // a weight of 0 times an infinite error must not give NaN
            if row.prediction.is_nan() || w == 0.0 {
                continue;
            }
            let mut add = |place: usize, error: f64| {
                out[place] += w * error.abs();
                out[place + 1] += w * (error * error);
            };
            add(ERRORS, row.label - row.prediction);
            if !row.last.is_nan() {
                add(LAST_VALUE_ERRORS, row.label - row.last);
            }
            if !row.mean.is_nan() {
                add(TARGET_MEAN_ERRORS, row.label - row.mean);
            }
            if row.opening {
                add(FIRST_ERRORS, row.label);
            }
            out[PAIRS] += if row.last.is_nan() { 0.0 } else { w };
            out[BASELINE_ITEMS] += if row.mean.is_nan() { 0.0 } else { w };
            out[TOTAL] += w;
            out[LABEL_SUM] += w * row.label;
            out[LOWEST_LABEL] = out[LOWEST_LABEL].min(row.label);
            out[HIGHEST_LABEL] = out[HIGHEST_LABEL].max(row.label);
        }
        if out[TOTAL] > 0.0 {
            let mean = out[LABEL_SUM] / out[TOTAL];
            out[LABEL_MEAN] = mean;
            for (i, row) in rows.iter().enumerate() {
                let w = weight(i);
                if !row.prediction.is_nan() && w != 0.0 {
                    out[SQUARED_DEVIATIONS] += w * ((row.label - mean) * (row.label - mean));
                }
            }
        }
    }

    fn merge(&self, sums: &mut [f64], later: &[f64]) {
        let (a, b) = (sums[TOTAL], later[TOTAL]);
        for (s, l) in sums[..SUMS].iter_mut().zip(later) {
            *s += l;
        }
        if b == 0.0 {
            return;
        }
        if a == 0.0 {
            sums[LABEL_MEAN] = later[LABEL_MEAN];
            sums[SQUARED_DEVIATIONS] = later[SQUARED_DEVIATIONS];
        } else {
            let difference = later[LABEL_MEAN] - sums[LABEL_MEAN];
            sums[LABEL_MEAN] += difference * (b / (a + b));
            sums[SQUARED_DEVIATIONS] +=
                later[SQUARED_DEVIATIONS] + difference * difference * (a * (b / (a + b)));
        }
        sums[LOWEST_LABEL] = sums[LOWEST_LABEL].min(later[LOWEST_LABEL]);
        sums[HIGHEST_LABEL] = sums[HIGHEST_LABEL].max(later[HIGHEST_LABEL]);
    }

    fn fade(&self, sums: &mut [f64], factor: f64) {
        if sums[TOTAL] * factor < NEGLIGIBLE {
            return self.empty(sums);
        }
        for s in &mut sums[..SUMS] {
            *s *= factor;
        }
        sums[SQUARED_DEVIATIONS] *= factor;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ColdStart, OverWindows, Window};
    use super::{ERRORS, LABEL_MEAN, Moments, RealCoder, Reals, SQUARED_DEVIATIONS, TOTAL};
    use crate::error::Result;

    #[test]
    fn a_huge_value_outside_the_window_leaves_no_rounding_error() -> Result<()> {
        let mut labels: Vec<f64> = (0..200).map(|i| f64::from(i % 7)).collect();
        labels[50] = 1e9;
        labels[60] = 1e300;
        labels[70] = f64::INFINITY;
        let predictions = vec![1.0; labels.len()];
        let mut coder = RealCoder::new(ColdStart::Skip, false);
        coder.code(Reals {
            labels: &labels,
            predictions: &predictions,
            previous: None,
            weights: None,
        })?;
        let mut summary = OverWindows::new(Moments, &[Window::Sliding(14)], 1, false, 0)?;
        summary.push(&coder.rows, &[]);
        let stack = summary.finish().swap_remove(0);
        let last = stack.row(199);
        let window = &labels[186..];
        let mean = window.iter().sum::<f64>() / 14.0;
        let spread = window.iter().map(|y| (y - mean).powi(2)).sum::<f64>();
        let squared = window.iter().map(|y| (y - 1.0).powi(2)).sum::<f64>();
        assert_eq!(last[TOTAL], 14.0);
        assert!((last[LABEL_MEAN] - mean).abs() < 1e-12);
        assert!((last[SQUARED_DEVIATIONS] - spread).abs() < 1e-9);
        assert!((last[ERRORS + 1] - squared).abs() < 1e-9);
        Ok(())
    }
}
