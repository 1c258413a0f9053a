//! Consecutive items, as the engine passes them to a learner.

use std::ops::Range;

use crate::error::{Error, Result, parameter};

/// Features of several items. NaN is a missing value.
#[derive(Debug, Clone, Copy)]
pub struct Items<'a> {
    first: u64,
    numbers: Option<&'a [u64]>,
    rows: &'a [f64],
    width: usize,
    count: usize,
}

impl<'a> Items<'a> {
    /// `count` consecutive items from number `first` on: row-major features, `width` per item.
    pub fn new(first: u64, rows: &'a [f64], width: usize, count: usize) -> Result<Self> {
        if rows.len() != width * count {
            return Err(Error::Length { what: "rows", expected: count * width, got: rows.len() });
        }
        Ok(Self { first, numbers: None, rows, width, count })
    }

    /// Items without features, for a learner that does not read them.
    pub fn blank(first: u64, count: usize) -> Self {
        Self { first, numbers: None, rows: &[], width: 0, count }
    }

    /// The same items with these numbers instead of consecutive ones.
    pub fn numbered(self, numbers: &'a [u64]) -> Result<Self> {
        if numbers.len() != self.count {
            let (expected, got) = (self.count, numbers.len());
            return Err(Error::Length { what: "item numbers", expected, got });
        }
        Ok(Self { numbers: Some(numbers), ..self })
    }

    /// A range of the items.
    pub fn part(&self, some: Range<usize>) -> Self {
        let (first, width, count) = (self.first + some.start as u64, self.width, some.len());
        let numbers = self.numbers.map(|numbers| &numbers[some.clone()]);
        let rows = &self.rows[some.start * width..some.end * width];
        Self { first, numbers, rows, width, count }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Number of cells per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// True if there are no items.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The features of the `i`-th item of the chunk.
    #[inline(always)]
    pub fn row(&self, i: usize) -> &'a [f64] {
        &self.rows[i * self.width..(i + 1) * self.width]
    }

    /// The number of the `i`-th item in the stream.
    #[inline(always)]
    pub fn number(&self, i: usize) -> u64 {
        self.numbers.map_or(self.first + i as u64, |numbers| numbers[i])
    }

    /// Index of the item with this number, if present; the items are consecutive.
    pub(crate) fn index(&self, number: u64) -> Option<usize> {
        let i = usize::try_from(number.checked_sub(self.first)?).ok()?;
        (i < self.count).then_some(i)
    }

    /// Check that rows have as many cells as the learner reads.
    pub(crate) fn check(&self, width: Option<usize>) -> Result<()> {
        match width.filter(|width| *width != self.width) {
            Some(width) => Err(parameter("rows", "columns", width.to_string(), self.width)),
            None => Ok(()),
        }
    }

    /// Check the number of labels and weights, and the range of the weights.
    pub(crate) fn check_training(&self, labels: usize, weights: Option<&[f64]>) -> Result<()> {
        if labels != self.count {
            return Err(Error::Length { what: "labels", expected: self.count, got: labels });
        }
        let Some(weights) = weights else { return Ok(()) };
        if weights.len() != labels {
            return Err(Error::Length { what: "weights", expected: labels, got: weights.len() });
        }
        match weights.iter().find(|w| !(0.0..=1e100).contains(*w)) {
            Some(got) => Err(parameter("learn", "weight", "from 0 to 1e100", got)),
            None => Ok(()),
        }
    }
}

/// Check that class codes are declared or missing.
pub(super) fn check_codes(labels: &[i32], classes: usize) -> Result<()> {
    // NONE becomes 0 and a class its code plus 1. A single comparison per code lets the loop
    // vectorise.
    let legal = |code: &i32| code.wrapping_add(1) as u32 as usize <= classes;
    let most = labels.iter().fold(0, |most: u32, code| most.max(code.wrapping_add(1) as u32));
    if most as usize <= classes {
        return Ok(());
    }
    let row = labels.iter().position(|code| !legal(code)).unwrap_or(0);
    let last = classes.saturating_sub(1);
    Err(Error::Code { what: "label", last, got: labels[row].into(), row })
}
