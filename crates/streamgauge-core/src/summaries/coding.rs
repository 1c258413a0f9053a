//! Labels and answers made ready to be counted: one small word a row.

use crate::NONE;
use crate::error::{Error, Result, parameter};

/// A row: label, answer (0: none was given, else its code + 1) and what else there is to count.
pub type Row = u32;

/// Bits of a row below the answer.
pub(super) const FLAGS: u32 = 7;
/// The label before this one is known.
pub(super) const PAIR: Row = 1;
/// It is the same label.
pub(super) const REPEAT: Row = 1 << 1;
/// Nothing was said.
pub(super) const ABSTAINED: Row = 1 << 2;
/// Labels were known before this one, so that there was a majority.
pub(super) const GUESS: Row = 1 << 3;
/// The majority of the labels before this one is this label.
pub(super) const MAJORITY: Row = 1 << 4;
/// The majority of the labels up to and with this one is this label.
pub(super) const MAJORITY_WITH: Row = 1 << 5;
/// The first label of all, and it is of the first class.
pub(super) const OPENING: Row = 1 << 6;

/// What becomes of a row to which nothing was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColdStart {
    /// It counts, as wrong.
    CountWrong,
    /// It takes its place in the window and counts for nothing.
    Skip,
    /// It counts as if the first class had been answered.
    DefaultClass,
}

/// Checks labels and answers and turns them into rows, batch after batch.
#[derive(Debug)]
pub struct Coder {
    classes: usize,
    bits: u32,
    cold_start: ColdStart,
    majority: bool,
    weighted: bool,
    /// Rows given so far, for messages.
    given: usize,
    known: u64,
    abstained: u64,
    last: i32,
    counts: Vec<f64>,
    leader: usize,
    /// The rows made from the last batch.
    pub rows: Vec<Row>,
    /// Their weights, if weighted.
    pub weights: Vec<f64>,
}

/// One batch of labels and answers, as columns.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// Class codes, `NONE` where the label is missing.
    pub labels: &'a [i32],
    /// Class codes, `NONE` where nothing was said.
    pub answers: &'a [i32],
    /// The label before each in stream order; None: the row above.
    pub previous: Option<&'a [i32]>,
    /// The weight of each row.
    pub weights: Option<&'a [f64]>,
}

impl<'a> Given<'a> {
    /// Check that the columns belong together.
    pub fn check(&self) -> Result<()> {
        let expected = self.labels.len();
        let length = |what, got| {
            if got == expected { Ok(()) } else { Err(Error::Length { what, expected, got }) }
        };
        length("answer", self.answers.len())?;
        length("previous", self.previous.map_or(expected, <[i32]>::len))?;
        length("weight", self.weights.map_or(expected, <[f64]>::len))
    }

    /// The rows from `start` to before `end`.
    pub fn part(&self, start: usize, end: usize) -> Given<'a> {
        Given {
            labels: &self.labels[start..end],
            answers: &self.answers[start..end],
            previous: self.previous.map(|p| &p[start..end]),
            weights: self.weights.map(|w| &w[start..end]),
        }
    }
}

impl Coder {
    /// The largest number of classes a row has room for.
    pub const MOST: usize = 4095;

    /// For `classes` classes; `majority`: also work out what the majority class would have said.
    pub fn new(
        classes: usize,
        cold_start: ColdStart,
        majority: bool,
        weighted: bool,
    ) -> Result<Self> {
        if classes == 0 || classes > Self::MOST {
            let must = format!("from 1 to {}", Self::MOST);
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

    /// Bits an answer takes.
    pub(super) fn bits(&self) -> u32 {
        self.bits
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
    pub fn code(&mut self, given: Given<'_>) -> Result<()> {
        self.weights.clear();
        let plain = given.previous.is_none() && !self.majority && !self.weighted;
        if !(plain && self.last != NONE && self.code_plainly(given.labels, given.answers)) {
            self.rows.clear();
            for i in 0..given.labels.len() {
                self.code_one(given, i)?;
            }
        }
        self.given += given.labels.len();
        Ok(())
    }

    /// Code a batch as if all is as it mostly is: every label known, the label before it is the
    /// row above, and no answer that needs a policy. False (and nothing done) if it is not so.
    fn code_plainly(&mut self, labels: &[i32], answers: &[i32]) -> bool {
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
        // negative if a label is not in 0..=top or an answer not in -1..=top
        let wrong =
            |y: i32, a: i32| (y | top.wrapping_sub(y)) | (a.wrapping_add(1) | top.wrapping_sub(a));
        self.rows.resize(labels.len(), 0);
        self.rows[0] = row(first, answers[0], self.last);
        let mut seen = wrong(first, answers[0]);
        let mut silent = answers[0] as u32 >> 31;
        let following = labels[1..].iter().zip(&answers[1..]).zip(labels);
        for (out, ((&y, &a), &before)) in self.rows[1..].iter_mut().zip(following) {
            *out = row(y, a, before);
            seen |= wrong(y, a);
            silent += a as u32 >> 31;
        }
        if seen < 0 || (silent > 0 && self.cold_start != ColdStart::CountWrong) {
            return false;
        }
        self.last = last;
        self.known += labels.len() as u64;
        self.abstained += u64::from(silent);
        true
    }

    fn code_one(&mut self, given: Given<'_>, i: usize) -> Result<()> {
        let (label, answer) = (given.labels[i], given.answers[i]);
        if label == NONE {
            return Ok(());
        }
        self.fits("label", label, i)?;
        if answer != NONE {
            self.fits("answer", answer, i)?;
        }
        let before = match given.previous {
            None => self.last,
            Some(previous) if previous[i] == NONE => NONE,
            Some(previous) => {
                self.fits("previous", previous[i], i)?;
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
            flags |= OPENING;
        }
        if self.majority {
            flags |= self.guess(label as usize, if self.weighted { weight } else { 1.0 });
        }
        let mut code = (answer + 1) as u32;
        if answer == NONE {
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

    /// Would the majority class have been right, before and after it knows `label`?
    fn guess(&mut self, label: usize, weight: f64) -> Row {
        let mut flags = 0;
        if self.known > 0 {
            flags |= GUESS;
            if self.leader == label {
                flags |= MAJORITY;
            }
        }
        self.counts[label] += weight;
        let (mine, best) = (self.counts[label], self.counts[self.leader]);
        // the first class at ties
        if mine > best || (mine == best && label < self.leader) {
            self.leader = label;
        }
        if self.leader == label {
            flags |= MAJORITY_WITH;
        }
        flags
    }

    fn fits(&self, what: &'static str, code: i32, row: usize) -> Result<()> {
        if code >= 0 && (code as usize) < self.classes {
            return Ok(());
        }
        let (last, got) = (self.classes - 1, i64::from(code));
        Err(Error::Class { what, last, got, row: self.given + row })
    }

    /// Is the row to be counted at all?
    #[inline]
    pub(super) fn counts(cold_start: ColdStart, row: Row) -> bool {
        cold_start != ColdStart::Skip || row & ABSTAINED == 0
    }

    /// What becomes of rows to which nothing was said.
    pub fn cold_start(&self) -> ColdStart {
        self.cold_start
    }
}

/// Refuse a weight that is no weight.
pub(super) fn check_weight(weight: f64) -> Result<()> {
    if (0.0..f64::INFINITY).contains(&weight) {
        Ok(())
    } else {
        Err(parameter("measure", "weight", "finite and not negative", weight))
    }
}
