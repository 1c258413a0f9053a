//! The range of a numeric column over the stored cases.

use crate::kernels::{F8, Simd};

/// Lowest and highest known number, and the number of cases at either end: while some remain
/// there, removing one does not change the range.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    low: f64,
    high: f64,
    at_low: usize,
    at_high: usize,
}

impl Span {
    /// The range without numbers.
    pub(super) const EMPTY: Self =
        Self { low: f64::INFINITY, high: f64::NEG_INFINITY, at_low: 0, at_high: 0 };

    /// The range of a column; NaN is ignored.
    #[inline(always)]
    pub(super) fn of<'a, S: Simd>(s: S, column: impl Iterator<Item = &'a F8> + Clone) -> Self {
        let mut span = Self::EMPTY;
        let (mut lows, mut highs) = (s.splat(span.low), s.splat(span.high));
        for eight in column.clone() {
            let x = s.load(&eight.0);
            lows = s.lesser(x, lows);
            highs = s.greater(x, highs);
        }
        let mut eight = F8::ZERO;
        s.store(lows, &mut eight.0);
        span.low = eight.0.iter().fold(span.low, |low, &x| low.min(x));
        s.store(highs, &mut eight.0);
        span.high = eight.0.iter().fold(span.high, |high, &x| high.max(x));
        let (low, high) = (s.splat(span.low), s.splat(span.high));
        for eight in column {
            let x = s.load(&eight.0);
            span.at_low += s.at_most(x, low).count_ones() as usize;
            span.at_high += s.at_most(high, x).count_ones() as usize;
        }
        span
    }

    /// Replace one number (NaN: none) by another. True: an end is unknown and must be recomputed.
    #[inline(always)]
    pub(super) fn exchange(&mut self, old: f64, new: f64) -> bool {
        self.at_low -= usize::from(old == self.low);
        self.at_high -= usize::from(old == self.high);
        if new < self.low {
            (self.low, self.at_low) = (new, 1);
        } else {
            self.at_low += usize::from(new == self.low);
        }
        if new > self.high {
            (self.high, self.at_high) = (new, 1);
        } else {
            self.at_high += usize::from(new == self.high);
        }
        // Without numbers both are 0 until there is one.
        (self.at_low == 0 || self.at_high == 0) && !old.is_nan()
    }

    #[inline(always)]
    pub(super) fn differs(&self, other: &Self) -> bool {
        self.low != other.low || self.high != other.high
    }

    /// Factor applied before subtraction, so that the widest range does not overflow.
    #[inline(always)]
    fn factor(&self) -> f64 {
        if (self.high - self.low).is_finite() { 1.0 } else { 0.5 }
    }

    /// A number on the scale on which the range is [0, 1]; 0 if the range is empty or a point.
    #[inline(always)]
    pub(super) fn scale(&self, x: f64) -> f64 {
        if self.low < self.high {
            let factor = self.factor();
            (x * factor - self.low * factor) / (self.high * factor - self.low * factor)
        } else if x.is_nan() {
            x
        } else {
            0.0
        }
    }

    /// Eight numbers scaled to [0, 1].
    #[inline(always)]
    pub(super) fn scale_eight<S: Simd>(&self, s: S, x: S::V) -> S::V {
        if self.low < self.high {
            let factor = self.factor();
            let width = s.splat(self.high * factor - self.low * factor);
            s.div(s.sub(s.mul(x, s.splat(factor)), s.splat(self.low * factor)), width)
        } else {
            s.known(x, s.splat(0.0), x)
        }
    }
}
