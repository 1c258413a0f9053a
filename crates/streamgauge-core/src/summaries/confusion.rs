//! Counts of labels and predictions, from which the measures of classification are computed.
//! Most measures need only the diagonal and the margins of the confusion matrix, which are small
//! enough to be kept for a hundred thousand windows; the matrix itself is computed on demand.

use super::coder::{
    Coder, ColdStart, FIRST_REPEATS, FLAGS, HAS_MAJORITY, MAJORITY, MAJORITY_WITH, PAIR, REPEAT,
    Row,
};
use super::over_windows::Summary;
use super::tables;

/// Which counts are computed besides total and correct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// Pairs of labels, and repeats among them.
    pub repeats: bool,
    /// Whether the first label is the first class.
    pub first_repeats: bool,
    /// Items with an earlier label, those whose label is the majority class of the earlier labels,
    /// and those whose label is the majority class with this label included.
    pub majority: bool,
    /// Correct predictions per class.
    pub true_positives: bool,
    /// Labels per class.
    pub labels: bool,
    /// Predictions per class.
    pub predictions: bool,
    /// Predictions of each class for each label.
    pub matrix: bool,
}

/// Counts of rows.
#[derive(Debug)]
pub struct Confusion {
    classes: usize,
    bits: u32,
    cold_start: ColdStart,
    parts: Parts,
    sums: Vec<f64>,
    /// The flags set on all rows of the block, and those set on some.
    on: (Row, Row),
}

/// Indices of counts in the summary.
const TOTAL: usize = 0;
const CORRECT: usize = 1;
const FIRST_PART: usize = 2;

impl Confusion {
    /// Counts of the rows of `coder`.
    pub fn new(coder: &Coder, parts: Parts) -> Self {
        let cells = coder.classes() << coder.bits();
        Self {
            classes: coder.classes(),
            bits: coder.bits(),
            cold_start: coder.cold_start(),
            parts,
            sums: vec![0.0; cells],
            on: (0, Row::MAX),
        }
    }

    /// The names of the counts and their lengths, in order.
    pub fn layout(&self) -> Vec<(&'static str, usize)> {
        let mut names = vec![("total", 1), ("correct", 1)];
        if self.parts.repeats {
            names.extend([("with_previous", 1), ("repeats", 1)]);
        }
        if self.parts.first_repeats {
            names.push(("first_repeats", 1));
        }
        if self.parts.majority {
            names.extend([
                ("baseline_items", 1),
                ("majority_correct", 1),
                ("majority_correct_inclusive", 1),
            ]);
        }
        let included = [self.parts.true_positives, self.parts.labels, self.parts.predictions];
        let per_class = ["true_positives", "labels", "predictions"];
        for (name, included) in per_class.into_iter().zip(included) {
            if included {
                names.push((name, self.classes));
            }
        }
        if self.parts.matrix {
            names.push(("matrix", self.classes * self.classes));
        }
        names
    }

    /// The indices at which true_positives, labels and predictions per class, and the matrix begin,
    /// if they are included.
    fn per_class(&self) -> [Option<usize>; 4] {
        let mut next = FIRST_PART
            + 2 * usize::from(self.parts.repeats)
            + usize::from(self.parts.first_repeats)
            + 3 * usize::from(self.parts.majority);
        let Parts { true_positives, labels, predictions, matrix, .. } = self.parts;
        [true_positives, labels, predictions, matrix].map(|included| {
            included.then(|| {
                next += self.classes;
                next - self.classes
            })
        })
    }

    /// Compute the summary from the cells in `sums`.
    fn marginals(&self, out: &mut [f64]) {
        // with a constant length the loops are unrolled
        match self.bits {
            2 => self.marginals_of::<4>(out),
            3 => self.marginals_of::<8>(out),
            4 => self.marginals_of::<16>(out),
            _ => self.marginals_of_any(out),
        }
    }

    fn marginals_of<const LINE: usize>(&self, out: &mut [f64]) {
        let [true_positives, labels, predictions, matrix] = self.per_class();
        let mut columns = [0.0; LINE];
        let (mut total, mut correct) = (0.0, 0.0);
        let abstained = if self.cold_start == ColdStart::Skip { 0.0 } else { 1.0 };
        for (label, line) in self.sums.as_chunks::<LINE>().0.iter().enumerate() {
            let mut counted = *line;
            counted[0] *= abstained;
            let of_label = sum(&counted);
            for (column, cell) in columns.iter_mut().zip(counted) {
                *column += cell;
            }
            total += of_label;
            correct += line[label + 1];
            if let Some(place) = true_positives {
                out[place + label] = line[label + 1];
            }
            if let Some(place) = labels {
                out[place + label] = of_label;
            }
            if let Some(place) = matrix {
                let place = place + label * self.classes;
                out[place..place + self.classes].copy_from_slice(&line[1..=self.classes]);
            }
        }
        if let Some(place) = predictions {
            out[place..place + self.classes].copy_from_slice(&columns[1..=self.classes]);
        }
        out[TOTAL] = total;
        out[CORRECT] = correct;
    }

    fn marginals_of_any(&self, out: &mut [f64]) {
        let [true_positives, labels, predictions, matrix] = self.per_class();
        let (mut total, mut correct) = (0.0, 0.0);
        let abstained = if self.cold_start == ColdStart::Skip { 0.0 } else { 1.0 };
        for (label, line) in self.sums.chunks_exact(1 << self.bits).enumerate() {
            let predicted = &line[1..=self.classes];
            let of_label = abstained * line[0] + sum(predicted);
            total += of_label;
            correct += predicted[label];
            if let Some(place) = true_positives {
                out[place + label] = predicted[label];
            }
            if let Some(place) = labels {
                out[place + label] = of_label;
            }
            if let Some(place) = predictions {
                for (o, s) in out[place..place + self.classes].iter_mut().zip(predicted) {
                    *o += s;
                }
            }
            if let Some(place) = matrix {
                let place = place + label * self.classes;
                out[place..place + self.classes].copy_from_slice(predicted);
            }
        }
        out[TOTAL] = total;
        out[CORRECT] = correct;
    }

    /// Count row by row, for blocks shorter than the table of cells.
    fn one_by_one(&self, rows: &[Row], weights: Option<&[f64]>, out: &mut [f64]) {
        let [true_positives, labels, predictions, matrix] = self.per_class();
        for (i, &row) in rows.iter().enumerate() {
            let w = weights.map_or(1.0, |w| w[i]);
            let label = (row >> (FLAGS + self.bits)) as usize;
            let prediction = ((row >> FLAGS) & ((1 << self.bits) - 1)) as usize;
            if !Coder::counts(self.cold_start, row) {
                continue;
            }
            out[TOTAL] += w;
            if let Some(place) = labels {
                out[place + label] += w;
            }
            if prediction == 0 {
                continue;
            }
            if let Some(place) = predictions {
                out[place + prediction - 1] += w;
            }
            if let Some(place) = matrix {
                out[place + label * self.classes + prediction - 1] += w;
            }
            if prediction == label + 1 {
                out[CORRECT] += w;
                if let Some(place) = true_positives {
                    out[place + label] += w;
                }
            }
        }
    }

    /// Sum the flags.
    fn flags(&self, rows: &[Row], weights: Option<&[f64]>, out: &mut [f64]) {
        let (all, some) = self.on;
        let total = out[TOTAL];
        let sum_of = |flag: Row| {
            if all & flag != 0 {
                total
            } else if some & flag == 0 {
                0.0
            } else {
                match weights {
                    None => tables::count_where(rows, |row| row & flag != 0),
                    Some(weights) => tables::weigh_where(rows, weights, |row| row & flag != 0),
                }
            }
        };
        let mut remaining: &mut [f64] = &mut out[FIRST_PART..];
        let parts: [(bool, &[Row]); 3] = [
            (self.parts.repeats, &[PAIR, REPEAT]),
            (self.parts.first_repeats, &[FIRST_REPEATS]),
            (self.parts.majority, &[HAS_MAJORITY, MAJORITY, MAJORITY_WITH]),
        ];
        for (_, flags) in parts.into_iter().filter(|(included, _)| *included) {
            let (place, rest) = remaining.split_at_mut(flags.len());
            for (o, &flag) in place.iter_mut().zip(flags) {
                *o = sum_of(flag);
            }
            remaining = rest;
        }
    }
}

/// A sum in two lanes.
#[inline]
fn sum(values: &[f64]) -> f64 {
    let (pairs, rest) = values.as_chunks::<2>();
    let lanes = pairs.iter().fold([0.0, 0.0], |s, p| [s[0] + p[0], s[1] + p[1]]);
    lanes[0] + lanes[1] + rest.iter().sum::<f64>()
}

impl Summary for Confusion {
    type Row = Row;

    fn width(&self) -> usize {
        self.layout().iter().map(|(_, n)| n).sum()
    }

    fn reversible(&self) -> bool {
        true
    }

    fn prepare(&mut self, rows: &[Row]) {
        // most flags are set on all rows or on none, and then need no separate sum
        self.on = rows.iter().fold((Row::MAX, 0), |(all, some), r| (all & r, some | r));
    }

    fn sum(&mut self, rows: &[Row], weights: Option<&[f64]>, out: &mut [f64]) {
        out.fill(0.0);
        if rows.len() < self.classes << self.bits {
            self.one_by_one(rows, weights, out);
        } else {
            match weights {
                None => tables::count(rows, &mut self.sums),
                Some(weights) => tables::weigh(rows, weights, &mut self.sums),
            }
            self.marginals(out);
        }
        self.flags(rows, weights, out);
    }
}
