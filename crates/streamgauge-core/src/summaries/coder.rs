//! Labels and predictions encoded for counting: one 32-bit word per row.

use crate::NONE;
use crate::error::{Error, Result, parameter};

/// A row: label, prediction (0: abstained, otherwise its code + 1) and flags.
pub type Row = u32;

/// Bits of a row below the prediction.
pub(super) const FLAGS: u32 = 7;
/// The previous label is known.
pub(super) const PAIR: Row = 1;
/// The previous label is the same.
pub(super) const REPEAT: Row = 1 << 1;
/// The learner abstained.
pub(super) const ABSTAINED: Row = 1 << 2;
/// Earlier labels were known, so that there was a majority class.
pub(super) const HAS_MAJORITY: Row = 1 << 3;
/// The majority class of the earlier labels is this label.
pub(super) const MAJORITY: Row = 1 << 4;
/// The majority class of the labels up to and including this one is this label.
pub(super) const MAJORITY_WITH: Row = 1 << 5;
/// The first label, and it is the first class.
pub(super) const FIRST_REPEATS: Row = 1 << 6;

/// How a row without a prediction counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColdStart {
    /// As wrong.
    CountWrong,
    /// Not at all, though it occupies a row of the window.
    Skip,
    /// As a prediction of the first class.
    DefaultClass,
}

/// Checks labels and predictions and encodes them as rows, batch by batch.
#[derive(Debug)]
pub struct Coder {
    classes: usize,
    bits: u32,
    cold_start: ColdStart,
    majority: bool,
    weighted: bool,
    /// Number of rows so far, for error messages.
    given: usize,
    known: u64,
    abstained: u64,
    last: i32,
    counts: Vec<f64>,
    leader: usize,
    /// The rows of the last batch.
    pub rows: Vec<Row>,
    /// Their weights, if weighted.
    pub weights: Vec<f64>,
}

/// One batch of labels and predictions, as columns.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    /// Class codes, `NONE` where the label is missing.
    pub labels: &'a [i32],
    /// Class codes, `NONE` where the learner abstained.
    pub predictions: &'a [i32],
    /// The previous label of each in stream order; None: that of the row before.
    pub previous: Option<&'a [i32]>,
    /// The weight of each row.
    pub weights: Option<&'a [f64]>,
}

impl<'a> Labelled<'a> {
    /// Check that the columns have the same length.
    pub fn check(&self) -> Result<()> {
        let expected = self.labels.len();
        let length = |what, got| {
            if got == expected { Ok(()) } else { Err(Error::Length { what, expected, got }) }
        };
        length("prediction", self.predictions.len())?;
        length("previous", self.previous.map_or(expected, <[i32]>::len))?;
        length("weight", self.weights.map_or(expected, <[f64]>::len))
    }

    /// The rows from `start` up to, not including, `end`.
    pub fn part(&self, start: usize, end: usize) -> Labelled<'a> {
        Labelled {
            labels: &self.labels[start..end],
            predictions: &self.predictions[start..end],
            previous: self.previous.map(|p| &p[start..end]),
            weights: self.weights.map(|w| &w[start..end]),
        }
    }
}

impl Coder {
    /// The largest number of classes that a row can encode.
    pub const MAX_CLASSES: usize = 4095;

    /// A coder for `classes` classes; `majority`: also compute whether the majority class is right.
    pub fn new(
        classes: usize,
        cold_start: ColdStart,
        majority: bool,
        weighted: bool,
    ) -> Result<Self> {
        if classes == 0 || classes > Self::MAX_CLASSES {
            let must = format!("from 1 to {}", Self::MAX_CLASSES);
            return Err(parameter("measure", "classes", must, classes));
        }
        Ok(Self {
            classes,
            bits: usize::BITS - classes.leading_zeros(),
            cold_start,
            majority,
            weighted,
            given: 0,
            known: 0,
            abstained: 0,
            last: NONE,
            counts: vec![0.0; classes],
            leader: 0,
            rows: Vec::new(),
            weights: Vec::new(),
        })
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Bits per prediction.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// Number of known labels so far.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// Number of known labels for which the learner abstained.
    pub fn abstained(&self) -> u64 {
        self.abstained
    }

    /// Encode a batch as `rows` (and `weights`); rows without a label are left out.
    pub fn code(&mut self, given: Labelled<'_>) -> Result<()> {
        self.weights.clear();
        let plain = given.previous.is_none() && !self.majority && !self.weighted;
        if !(plain && self.last != NONE && self.code_common_case(given.labels, given.predictions)) {
            self.rows.clear();
            for i in 0..given.labels.len() {
                self.code_one(given, i)?;
            }
        }
        self.given += given.labels.len();
        Ok(())
    }

    /// Encode a batch of the common case: every label is known, the previous label is in the row
    /// before, and no prediction needs the cold-start policy. Returns false, without effect,
    /// otherwise.
    fn code_common_case(&mut self, labels: &[i32], predictions: &[i32]) -> bool {
        let Some((&first, &last)) = labels.first().zip(labels.last()) else {
            self.rows.clear();
            return true;
        };
        let (bits, top) = (self.bits, self.classes as i32 - 1);
        let row = |y: i32, a: i32, before: i32| {
            let none = (a as u32 >> 31) * ABSTAINED;
            let same = u32::from(y == before) * REPEAT;
            ((((y as u32) << bits) | a.wrapping_add(1) as u32) << FLAGS) | none | same | PAIR
        };
        // negative if a label is not in 0..=top or a prediction not in -1..=top
        let wrong =
            |y: i32, a: i32| (y | top.wrapping_sub(y)) | (a.wrapping_add(1) | top.wrapping_sub(a));
        self.rows.resize(labels.len(), 0);
        self.rows[0] = row(first, predictions[0], self.last);
        let mut seen = wrong(first, predictions[0]);
        let mut abstained = predictions[0] as u32 >> 31;
        let following = labels[1..].iter().zip(&predictions[1..]).zip(labels);
        for (out, ((&y, &a), &before)) in self.rows[1..].iter_mut().zip(following) {
            *out = row(y, a, before);
            seen |= wrong(y, a);
            abstained += a as u32 >> 31;
        }
        if seen < 0 || (abstained > 0 && self.cold_start != ColdStart::CountWrong) {
            return false;
        }
        self.last = last;
        self.known += labels.len() as u64;
        self.abstained += u64::from(abstained);
        true
    }

    fn code_one(&mut self, given: Labelled<'_>, i: usize) -> Result<()> {
        let (label, prediction) = (given.labels[i], given.predictions[i]);
        if label == NONE {
            return Ok(());
        }
        self.check_code("label", label, i)?;
        if prediction != NONE {
            self.check_code("prediction", prediction, i)?;
        }
        let before = match given.previous {
            None => self.last,
            Some(previous) if previous[i] == NONE => NONE,
            Some(previous) => {
                self.check_code("previous", previous[i], i)?;
                previous[i]
            }
        };
        let weight = given.weights.map_or(1.0, |w| w[i]);
        check_weight(weight)?;
        let mut flags = if before == NONE { 0 } else { PAIR };
        if before == label {
            flags |= REPEAT;
        }
        if self.known == 0 && before == NONE && label == 0 {
            flags |= FIRST_REPEATS;
        }
        if self.majority {
            flags |= self.majority_flags(label as usize, if self.weighted { weight } else { 1.0 });
        }
        let mut code = (prediction + 1) as u32;
        if prediction == NONE {
            self.abstained += 1;
            match self.cold_start {
                ColdStart::CountWrong => flags |= ABSTAINED,
                ColdStart::Skip => flags = ABSTAINED,
                ColdStart::DefaultClass => {
                    flags |= ABSTAINED;
                    code = 1;
                }
            }
        }
        self.known += 1;
        self.last = label;
        self.rows.push(((((label as u32) << self.bits) | code) << FLAGS) | flags);
        if self.weighted {
            self.weights.push(weight);
        }
        Ok(())
    }

    /// Flags whether the majority class is right, without and with `label`.
    fn majority_flags(&mut self, label: usize, weight: f64) -> Row {
        let mut flags = 0;
        if self.known > 0 {
            flags |= HAS_MAJORITY;
            if self.leader == label {
                flags |= MAJORITY;
            }
        }
        self.counts[label] += weight;
        let (mine, best) = (self.counts[label], self.counts[self.leader]);
        // ties go to the first class
        if mine > best || (mine == best && label < self.leader) {
            self.leader = label;
        }
        if self.leader == label {
            flags |= MAJORITY_WITH;
        }
        flags
    }

    fn check_code(&self, what: &'static str, code: i32, row: usize) -> Result<()> {
        if code >= 0 && (code as usize) < self.classes {
            return Ok(());
        }
        let (last, got) = (self.classes - 1, i64::from(code));
        Err(Error::Code { what, last, got, row: self.given + row })
    }

    /// Whether the row counts.
    #[inline]
    pub(super) fn counts(cold_start: ColdStart, row: Row) -> bool {
        cold_start != ColdStart::Skip || row & ABSTAINED == 0
    }

    /// How rows without a prediction count.
    pub fn cold_start(&self) -> ColdStart {
        self.cold_start
    }
}

/// Check that a weight is finite and not negative.
pub(super) fn check_weight(weight: f64) -> Result<()> {
    if (0.0..f64::INFINITY).contains(&weight) {
        Ok(())
    } else {
        Err(parameter("measure", "weight", "finite and not negative", weight))
    }
}
