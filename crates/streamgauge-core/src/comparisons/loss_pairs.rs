//! Losses of two learners on the same items.

use crate::NONE;
use crate::error::{Error, Result, parameter};
use crate::kernels::{Kernel, Simd, dispatch};
use crate::summaries::ColdStart;

/// The zero-one losses of two predictions of one item, as a code. Bit 0: A was wrong; bit 1: B was
/// wrong; bit 2: the item is left out.
pub type ZeroOneLosses = u8;

pub(super) const A_WRONG: ZeroOneLosses = 1;
const B_WRONG: ZeroOneLosses = 2;
pub(super) const LEFT_OUT: ZeroOneLosses = 4;

/// The real losses of two predictions of one item; NaN where it is left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossPair {
    /// The loss of A.
    pub a: f64,
    /// The loss of B.
    pub b: f64,
}

/// Labels and the predictions of two learners as class codes.
#[derive(Debug, Clone, Copy)]
pub struct PairedClasses<'a> {
    /// The labels.
    pub labels: &'a [i32],
    /// The predictions of A, `NONE` where it abstained.
    pub a: &'a [i32],
    /// The predictions of B, `NONE` where it abstained.
    pub b: &'a [i32],
}

/// Real labels and the predictions of two learners, NaN where a learner abstained.
#[derive(Debug, Clone, Copy)]
pub struct PairedReals<'a> {
    /// The labels.
    pub labels: &'a [f64],
    /// The predictions of A.
    pub a: &'a [f64],
    /// The predictions of B.
    pub b: &'a [f64],
}

fn same_length(rows: usize, a: usize, b: usize) -> Result<()> {
    for (what, got) in [("prediction of A", a), ("prediction of B", b)] {
        if got != rows {
            return Err(Error::Length { what, expected: rows, got });
        }
    }
    Ok(())
}

/// The loss of A minus that of B, for a code that is not left out.
#[inline]
pub fn difference(code: ZeroOneLosses) -> f64 {
    f64::from(code & A_WRONG) - f64::from((code & B_WRONG) >> 1)
}

impl PairedClasses<'_> {
    /// Check that the columns have the same length.
    pub fn check(&self) -> Result<()> {
        same_length(self.labels.len(), self.a.len(), self.b.len())
    }

    /// Append one code per row to `out`.
    pub fn zero_one_losses(
        &self,
        cold_start: ColdStart,
        out: &mut Vec<ZeroOneLosses>,
    ) -> Result<()> {
        same_length(self.labels.len(), self.a.len(), self.b.len())?;
        dispatch(ZeroOneKernel { predictions: *self, cold_start, out });
        Ok(())
    }
}

struct ZeroOneKernel<'a, 'o> {
    predictions: PairedClasses<'a>,
    cold_start: ColdStart,
    out: &'o mut Vec<ZeroOneLosses>,
}

impl Kernel for ZeroOneKernel<'_, '_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let PairedClasses { labels, a, b } = self.predictions;
        let rows = labels.iter().zip(a).zip(b).map(|((&y, &a), &b)| (y, a, b));
        let wrong = |y, a, b| {
            (ZeroOneLosses::from(a != y) * A_WRONG) | (ZeroOneLosses::from(b != y) * B_WRONG)
        };
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

/// The loss of a real prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The absolute error.
    Absolute,
    /// The squared error.
    Squared,
}

/// How losses of real predictions are computed.
#[derive(Debug, Clone, Copy)]
pub struct LossOptions {
    /// The loss.
    pub loss: Loss,
    /// Losses are clipped to this value; may be infinite.
    pub bound: f64,
    /// How items without a prediction count.
    pub cold_start: ColdStart,
}

impl LossOptions {
    /// Options with a checked bound.
    pub fn new(loss: Loss, bound: f64, cold_start: ColdStart) -> Result<Self> {
        if bound > 0.0 {
            Ok(Self { loss, bound, cold_start })
        } else {
            Err(parameter("compare", "bound", "above 0", bound))
        }
    }
}

impl PairedReals<'_> {
    /// Check that the columns have the same length.
    pub fn check(&self) -> Result<()> {
        same_length(self.labels.len(), self.a.len(), self.b.len())
    }

    /// Append the losses of each row to `out`; returns the number of rows with a clipped loss.
    pub fn losses(&self, options: LossOptions, out: &mut Vec<LossPair>) -> Result<u64> {
        same_length(self.labels.len(), self.a.len(), self.b.len())?;
        let mut clipped = 0;
        for ((&y, &a), &b) in self.labels.iter().zip(self.a).zip(self.b) {
            let (a, b) = match options.cold_start {
                ColdStart::DefaultClass => (zero_for_nan(a), zero_for_nan(b)),
                _ => (a, b),
            };
            if a.is_nan() || b.is_nan() {
                out.push(LossPair { a: f64::NAN, b: f64::NAN });
                continue;
            }
            let loss = |prediction: f64| match options.loss {
                Loss::Absolute => (prediction - y).abs(),
                Loss::Squared => (prediction - y) * (prediction - y),
            };
            let (a, b) = (loss(a), loss(b));
            clipped += u64::from(a > options.bound || b > options.bound);
            out.push(LossPair { a: a.min(options.bound), b: b.min(options.bound) });
        }
        Ok(clipped)
    }
}

fn zero_for_nan(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x }
}
