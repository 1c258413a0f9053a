//! Two answers to one item become two losses.

use crate::NONE;
use crate::error::{Error, Result, parameter};
use crate::kernels::{Kernel, Simd, dispatch};
use crate::summaries::ColdStart;

/// Two answers to one item: bit 0: A was wrong; bit 1: B was wrong; bit 2: the item is left out.
pub type Code = u8;

pub(super) const A_WRONG: Code = 1;
pub(super) const B_WRONG: Code = 2;
pub(super) const LEFT_OUT: Code = 4;

/// The real losses of two answers to one item; NaN where it is left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lost {
    /// What A lost.
    pub a: f64,
    /// What B lost.
    pub b: f64,
}

/// Labels and two columns of answers, as class codes.
#[derive(Debug, Clone, Copy)]
pub struct Answers<'a> {
    /// What was true.
    pub labels: &'a [i32],
    /// What A said, `NONE` for nothing.
    pub a: &'a [i32],
    /// What B said, `NONE` for nothing.
    pub b: &'a [i32],
}

/// The same in reals, NaN for nothing.
#[derive(Debug, Clone, Copy)]
pub struct Reals<'a> {
    /// What was true.
    pub labels: &'a [f64],
    /// What A said.
    pub a: &'a [f64],
    /// What B said.
    pub b: &'a [f64],
}

fn same_length(rows: usize, a: usize, b: usize) -> Result<()> {
    for (what, got) in [("answer of A", a), ("answer of B", b)] {
        if got != rows {
            return Err(Error::Length { what, expected: rows, got });
        }
    }
    Ok(())
}

/// What A lost less what B lost, of a code that is not left out.
#[inline]
pub fn difference(code: Code) -> f64 {
    f64::from(code & A_WRONG) - f64::from((code & B_WRONG) >> 1)
}

impl Answers<'_> {
    /// Do the columns belong together?
    pub fn check(&self) -> Result<()> {
        same_length(self.labels.len(), self.a.len(), self.b.len())
    }

    /// Append a code a row to `out`.
    pub fn code(&self, cold_start: ColdStart, out: &mut Vec<Code>) -> Result<()> {
        same_length(self.labels.len(), self.a.len(), self.b.len())?;
        dispatch(Coding { answers: *self, cold_start, out });
        Ok(())
    }
}

struct Coding<'a, 'o> {
    answers: Answers<'a>,
    cold_start: ColdStart,
    out: &'o mut Vec<Code>,
}

impl Kernel for Coding<'_, '_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Answers { labels, a, b } = self.answers;
        let rows = labels.iter().zip(a).zip(b).map(|((&y, &a), &b)| (y, a, b));
        let wrong = |y, a, b| (Code::from(a != y) * A_WRONG) | (Code::from(b != y) * B_WRONG);
        match self.cold_start {
            ColdStart::CountWrong => self.out.extend(rows.map(|(y, a, b)| wrong(y, a, b))),
            ColdStart::DefaultClass => {
                self.out.extend(rows.map(|(y, a, b)| wrong(y, a.max(0), b.max(0))));
            }
            ColdStart::Skip => {
                self.out.extend(rows.map(|(y, a, b)| {
                    if a == NONE || b == NONE { LEFT_OUT } else { wrong(y, a, b) }
                }));
            }
        }
    }
}

/// What a real answer loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The distance.
    Absolute,
    /// Its square.
    Squared,
}

/// How real answers are turned into losses.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// Which loss.
    pub loss: Loss,
    /// No loss is larger than this; infinite: as large as it is.
    pub bound: f64,
    /// What nothing said counts as.
    pub cold_start: ColdStart,
}

impl Terms {
    /// Check the bound.
    pub fn new(loss: Loss, bound: f64, cold_start: ColdStart) -> Result<Self> {
        if bound > 0.0 {
            Ok(Self { loss, bound, cold_start })
        } else {
            Err(parameter("compare", "bound", "above 0", bound))
        }
    }
}

impl Reals<'_> {
    /// Do the columns belong together?
    pub fn check(&self) -> Result<()> {
        same_length(self.labels.len(), self.a.len(), self.b.len())
    }

    /// Append the losses of each row to `out`; gives how many rows the bound has cut.
    pub fn lose(&self, terms: Terms, out: &mut Vec<Lost>) -> Result<u64> {
        same_length(self.labels.len(), self.a.len(), self.b.len())?;
        let mut cut = 0;
        for ((&y, &a), &b) in self.labels.iter().zip(self.a).zip(self.b) {
            let (a, b) = match terms.cold_start {
                ColdStart::DefaultClass => (zero_for_nan(a), zero_for_nan(b)),
                _ => (a, b),
            };
            if a.is_nan() || b.is_nan() {
                out.push(Lost { a: f64::NAN, b: f64::NAN });
                continue;
            }
            let loss = |said: f64| match terms.loss {
                Loss::Absolute => (said - y).abs(),
                Loss::Squared => (said - y) * (said - y),
            };
            let (a, b) = (loss(a), loss(b));
            cut += u64::from(a > terms.bound || b > terms.bound);
            out.push(Lost { a: a.min(terms.bound), b: b.min(terms.bound) });
        }
        Ok(cut)
    }
}

fn zero_for_nan(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x }
}
