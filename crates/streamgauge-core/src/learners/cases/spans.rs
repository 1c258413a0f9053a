//! The range of a numeric column over the cases that are there.

use crate::kernels::{F8, Simd};

/// From the lowest to the highest known number, and how many cases lie at either end: while some
/// do, losing one does not move it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    low: f64,
    high: f64,
    at_low: usize,
    at_high: usize,
}

impl Span {
    /// Of no number.
    pub(super) const EMPTY: Self =
        Self { low: f64::INFINITY, high: f64::NEG_INFINITY, at_low: 0, at_high: 0 };

    /// Of a column of numbers; NaN is none.
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

    /// One number (NaN: none) in place of another. True: an end is lost, look for it anew.
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
        // Of a column without a number both are 0, and stay so until there is one.
        (self.at_low == 0 || self.at_high == 0) && !old.is_nan()
    }

    #[inline(always)]
    pub(super) fn differs(&self, other: &Self) -> bool {
        self.low != other.low || self.high != other.high
    }

    /// What numbers are multiplied by first, so that even the widest range is a number.
    #[inline(always)]
    fn factor(&self) -> f64 {
        if (self.high - self.low).is_finite() { 1.0 } else { 0.5 }
    }

    /// A number on the scale from 0 to 1; 0 where there is no range.
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

    /// The same of eight.
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
