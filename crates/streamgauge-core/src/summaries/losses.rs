//! Scores against labels: what log loss, Brier score and calibration are computed from.

use super::coding::{ColdStart, check_weight};
use super::fold::Summary;
use crate::NONE;
use crate::error::{Error, Result};

/// What one row of scores loses.
#[derive(Debug, Clone, Copy)]
pub struct Loss {
    /// Nothing was said: counted as such and for nothing else.
    silent: bool,
    abstained: bool,
    correct: bool,
    log: f64,
    clipped: f64,
    brier: f64,
    /// The score of the answer, within [0, 1].
    confidence: f64,
}

/// One batch of labels, answers and scores.
#[derive(Debug, Clone, Copy)]
pub struct Scored<'a> {
    /// Class codes, `NONE` where the label is missing.
    pub labels: &'a [i32],
    /// Class codes, `NONE` where nothing was said.
    pub answers: &'a [i32],
    /// Row-major, one number a class; NaN where nothing was said.
    pub scores: &'a [f64],
    /// The weight of each row.
    pub weights: Option<&'a [f64]>,
}

impl<'a> Scored<'a> {
    /// Check that the columns belong together and that labels are classes.
    pub fn check(&self, classes: usize, given: usize) -> Result<()> {
        let rows = self.labels.len();
        let length = |what, expected, got| {
            if got == expected { Ok(()) } else { Err(Error::Length { what, expected, got }) }
        };
        length("answer", rows, self.answers.len())?;
        length("scores", rows * classes, self.scores.len())?;
        length("weight", rows, self.weights.map_or(rows, <[f64]>::len))?;
        for (what, column) in [("label", self.labels), ("answer", self.answers)] {
            if let Some(row) = column.iter().position(|&c| c < NONE || c >= classes as i32) {
                let (last, got) = (classes - 1, i64::from(column[row]));
                return Err(Error::Class { what, last, got, row: given + row });
            }
        }
        Ok(())
    }

    /// The rows from `start` to before `end`.
    pub fn part(&self, classes: usize, start: usize, end: usize) -> Scored<'a> {
        Scored {
            labels: &self.labels[start..end],
            answers: &self.answers[start..end],
            scores: &self.scores[start * classes..end * classes],
            weights: self.weights.map(|w| &w[start..end]),
        }
    }
}

/// Turns scores into losses, batch after batch.
#[derive(Debug)]
pub struct Losing {
    classes: usize,
    cold_start: ColdStart,
    weighted: bool,
    given: usize,
    known: u64,
    abstained: u64,
    /// The rows made from the last batch.
    pub rows: Vec<Loss>,
    /// Their weights, if weighted.
    pub weights: Vec<f64>,
}

impl Losing {
    /// For `classes` classes.
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

    /// Known labels so far.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// How many of them nothing was said to.
    pub fn abstained(&self) -> u64 {
        self.abstained
    }

    /// Turn a batch into `rows` (and `weights`); rows without a label are left out.
    pub fn code(&mut self, given: Scored<'_>) -> Result<()> {
        given.check(self.classes, self.given)?;
        self.given += given.labels.len();
        self.rows.clear();
        self.weights.clear();
        let mut first = vec![0.0; self.classes];
        first[0] = 1.0;
        let lines = given.scores.chunks_exact(self.classes);
        for (i, ((&label, &answer), line)) in
            given.labels.iter().zip(given.answers).zip(lines).enumerate()
        {
            if label == NONE {
                continue;
            }
            let weight = if self.weighted { given.weights.map_or(1.0, |w| w[i]) } else { 1.0 };
            check_weight(weight)?;
            let abstained = line.iter().any(|s| s.is_nan());
            let mut row = if !abstained {
                loss(line, label as usize, answer)
            } else if self.cold_start == ColdStart::DefaultClass {
                loss(&first, label as usize, 0)
            } else {
                Loss { silent: true, ..loss(&first, 0, 0) }
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

fn loss(scores: &[f64], label: usize, answer: i32) -> Loss {
    let answer = if answer == NONE { highest(scores) } else { answer as usize };
    let total: f64 = scores.iter().sum();
    let share = (scores[label] / total).clamp(f64::EPSILON, 1.0 - f64::EPSILON);
    let apart = |(class, &score): (usize, &f64)| {
        let error = score - f64::from(u8::from(class == label));
        error * error
    };
    Loss {
        silent: false,
        abstained: false,
        correct: answer == label,
        log: -scores[label].ln(),
        clipped: -share.ln(),
        brier: scores.iter().enumerate().map(apart).sum(),
        confidence: scores[answer].clamp(0.0, 1.0),
    }
}

/// The first class with the highest score.
fn highest(scores: &[f64]) -> usize {
    (1..scores.len()).fold(0, |best, c| if scores[c] > scores[best] { c } else { best })
}

/// Sums of losses, and right answers by confidence.
#[derive(Debug)]
pub struct Losses {
    /// For each calibration asked for: how many bins of confidence.
    bins: Vec<usize>,
}

const TOTAL: usize = 0;
const ABSTAINED: usize = 1;
const LOG: usize = 2;
const CLIPPED: usize = 3;
const BRIER: usize = 4;
const FIRST_BIN: usize = 5;

impl Losses {
    /// With a table of so many bins of confidence for each of `bins`.
    pub fn new(bins: Vec<usize>) -> Self {
        Self { bins }
    }
}

impl Summary for Losses {
    type Row = Loss;

    /// total, abstained, log, clipped, Brier; then for each table counts, confidences, right answers
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
            // a weight of nothing must not make NaN of an infinite loss
            if row.silent || w == 0.0 {
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
