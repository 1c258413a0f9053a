//! Losses of scores, from which log loss, Brier score and calibration are computed.

use super::coder::{ColdStart, check_weight};
use super::over_windows::Summary;
use crate::NONE;
use crate::error::{Error, Result};

/// The losses of one row of scores.
#[derive(Debug, Clone, Copy)]
pub struct Loss {
    /// The learner abstained and the row counts only as an abstention.
    left_out: bool,
    abstained: bool,
    correct: bool,
    log: f64,
    clipped: f64,
    brier: f64,
    /// The score of the prediction, within [0, 1].
    confidence: f64,
}

/// One batch of labels, predictions and scores.
#[derive(Debug, Clone, Copy)]
pub struct Scored<'a> {
    /// Class codes, `NONE` where the label is missing.
    pub labels: &'a [i32],
    /// Class codes, `NONE` where the learner abstained.
    pub predictions: &'a [i32],
    /// Row-major, one number per class; NaN where the learner abstained.
    pub scores: &'a [f64],
    /// The weight of each row.
    pub weights: Option<&'a [f64]>,
}

impl<'a> Scored<'a> {
    /// Check that the columns have matching lengths and that labels and predictions are classes.
    pub fn check(&self, classes: usize, given: usize) -> Result<()> {
        let rows = self.labels.len();
        let length = |what, expected, got| {
            if got == expected { Ok(()) } else { Err(Error::Length { what, expected, got }) }
        };
        length("prediction", rows, self.predictions.len())?;
        length("scores", rows * classes, self.scores.len())?;
        length("weight", rows, self.weights.map_or(rows, <[f64]>::len))?;
        for (what, column) in [("label", self.labels), ("prediction", self.predictions)] {
            if let Some(row) = column.iter().position(|&c| c < NONE || c >= classes as i32) {
                let (last, got) = (classes - 1, i64::from(column[row]));
                return Err(Error::Code { what, last, got, row: given + row });
            }
        }
        Ok(())
    }

    /// The rows from `start` up to, not including, `end`.
    pub fn part(&self, classes: usize, start: usize, end: usize) -> Scored<'a> {
        Scored {
            labels: &self.labels[start..end],
            predictions: &self.predictions[start..end],
            scores: &self.scores[start * classes..end * classes],
            weights: self.weights.map(|w| &w[start..end]),
        }
    }
}

/// Computes the losses of scores, batch by batch.
#[derive(Debug)]
pub struct LossCoder {
    classes: usize,
    cold_start: ColdStart,
    weighted: bool,
    given: usize,
    known: u64,
    abstained: u64,
    /// The rows of the last batch.
    pub rows: Vec<Loss>,
    /// Their weights, if weighted.
    pub weights: Vec<f64>,
}

impl LossCoder {
    /// A coder for `classes` classes.
    pub fn new(classes: usize, cold_start: ColdStart, weighted: bool) -> Self {
        Self {
            classes,
            cold_start,
            weighted,
            given: 0,
            known: 0,
            abstained: 0,
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
    pub fn code(&mut self, given: Scored<'_>) -> Result<()> {
        given.check(self.classes, self.given)?;
        self.given += given.labels.len();
        self.rows.clear();
        self.weights.clear();
        let mut first = vec![0.0; self.classes];
        first[0] = 1.0;
        let lines = given.scores.chunks_exact(self.classes);
        for (i, ((&label, &prediction), line)) in
            given.labels.iter().zip(given.predictions).zip(lines).enumerate()
        {
            if label == NONE {
                continue;
            }
            let weight = if self.weighted { given.weights.map_or(1.0, |w| w[i]) } else { 1.0 };
            check_weight(weight)?;
            let abstained = line.iter().any(|s| s.is_nan());
            let mut row = if !abstained {
                loss(line, label as usize, prediction)
            } else if self.cold_start == ColdStart::DefaultClass {
                loss(&first, label as usize, 0)
            } else {
                Loss { left_out: true, ..loss(&first, 0, 0) }
            };
            row.abstained = abstained;
            self.rows.push(row);
            if self.weighted {
                self.weights.push(weight);
            }
            self.known += 1;
            self.abstained += u64::from(abstained);
        }
        Ok(())
    }
}

fn loss(scores: &[f64], label: usize, prediction: i32) -> Loss {
    let prediction = if prediction == NONE { highest(scores) } else { prediction as usize };
    let total: f64 = scores.iter().sum();
    let share = (scores[label] / total).clamp(f64::EPSILON, 1.0 - f64::EPSILON);
    let squared_error = |(class, &score): (usize, &f64)| {
        let error = score - f64::from(u8::from(class == label));
        error * error
    };
    Loss {
        left_out: false,
        abstained: false,
        correct: prediction == label,
        log: -scores[label].ln(),
        clipped: -share.ln(),
        brier: scores.iter().enumerate().map(squared_error).sum(),
        confidence: scores[prediction].clamp(0.0, 1.0),
    }
}

/// The first class with the highest score.
fn highest(scores: &[f64]) -> usize {
    (1..scores.len()).fold(0, |best, c| if scores[c] > scores[best] { c } else { best })
}

/// Sums of losses, and correct predictions by confidence.
#[derive(Debug)]
pub struct Losses {
    /// The number of confidence bins of each calibration table.
    bins: Vec<usize>,
}

const TOTAL: usize = 0;
const ABSTAINED: usize = 1;
const LOG: usize = 2;
const CLIPPED: usize = 3;
const BRIER: usize = 4;
const FIRST_BIN: usize = 5;

impl Losses {
    /// With one calibration table per element of `bins`, its number of confidence bins.
    pub fn new(bins: Vec<usize>) -> Self {
        Self { bins }
    }
}

impl Summary for Losses {
    type Row = Loss;

    /// total, abstained, log, clipped, Brier; then per table counts, confidences, correct
    /// predictions
    fn width(&self) -> usize {
        FIRST_BIN + 3 * self.bins.iter().sum::<usize>()
    }

    fn reversible(&self) -> bool {
        false
    }

    fn sum(&mut self, rows: &[Loss], weights: Option<&[f64]>, out: &mut [f64]) {
        out.fill(0.0);
        for (i, row) in rows.iter().enumerate() {
            let w = weights.map_or(1.0, |w| w[i]);
            if row.abstained {
                out[ABSTAINED] += w;
            }
            // a weight of 0 times an infinite loss must not give NaN
            if row.left_out || w == 0.0 {
                continue;
            }
            out[TOTAL] += w;
            out[LOG] += w * row.log;
            out[CLIPPED] += w * row.clipped;
            out[BRIER] += w * row.brier;
            let mut place = FIRST_BIN;
            for &bins in &self.bins {
                // bins are closed above: (0, 1/m], (1/m, 2/m], …
                let bin = ((row.confidence * bins as f64).ceil() as usize).clamp(1, bins) - 1;
                out[place + bin] += w;
                out[place + bins + bin] += w * row.confidence;
                out[place + 2 * bins + bin] += if row.correct { w } else { 0.0 };
                place += 3 * bins;
            }
        }
    }
}
