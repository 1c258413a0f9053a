//! Autocovariances of a series in one pass.

use crate::kernels::{Kernel, LANES, Plain, Simd, dispatch};

/// Number of values processed at a time.
const BLOCK: usize = 2048;

/// Autocovariances of a series up to a largest lag.
///
/// The first value is subtracted from all, so that a mean far from 0 costs no precision.
#[derive(Debug, Clone)]
pub struct Autocovariances {
    most: usize,
    count: u64,
    origin: f64,
    total: f64,
    /// For each lag, the sum of the products of values at that distance.
    products: Vec<f64>,
    head: Vec<f64>,
    /// The last `most` processed values, then the unprocessed ones.
    recent: Vec<f64>,
    kept: usize,
}

impl Autocovariances {
    /// Autocovariances of the lags from 0 to `most`.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            count: 0,
            origin: 0.0,
            total: 0.0,
            products: vec![0.0; most + 1],
            head: Vec::with_capacity(most),
            recent: Vec::with_capacity(most + 2 * BLOCK),
            kept: 0,
        }
    }

    /// Add values.
    pub fn push(&mut self, values: impl IntoIterator<Item = f64>) {
        for value in values {
            if self.count == 0 {
                self.origin = value;
            }
            self.count += 1;
            let value = value - self.origin;
            if self.head.len() < self.most {
                self.head.push(value);
            }
            self.recent.push(value);
            if self.recent.len() - self.kept >= BLOCK {
                self.process();
            }
        }
    }

    fn process(&mut self) {
        dispatch(Products { values: &self.recent, from: self.kept, sums: &mut self.products });
        self.total += self.recent[self.kept..].iter().sum::<f64>();
        let spare = self.recent.len().saturating_sub(self.most);
        self.recent.drain(..spare);
        self.kept = self.recent.len();
    }

    /// The number of values, their mean, and the autocovariance of each lag (sums are divided by
    /// the number of values for every lag).
    pub fn finish(mut self) -> (u64, f64, Vec<f64>) {
        self.process();
        let n = self.count as f64;
        let mean = self.total / n;
        // sums of the first and of the last `lag` values, to subtract the mean
        let (mut first, mut last) = (0.0, 0.0);
        let covariances = (0..=self.most)
            .map(|lag| {
                if lag as u64 >= self.count {
                    return if self.count == 0 { f64::NAN } else { 0.0 };
                }
                if lag > 0 {
                    first += self.head[lag - 1];
                    last += self.recent[self.recent.len() - lag];
                }
                let both = 2.0 * self.total - first - last;
                let pairs = n - lag as f64;
                (self.products[lag] - mean * both + pairs * mean * mean) / n
            })
            .collect();
        (self.count, self.origin + mean, covariances)
    }
}

/// Add the products of the values from `from` on with the values `lag` steps before, for each lag.
struct Products<'a> {
    values: &'a [f64],
    from: usize,
    sums: &'a mut [f64],
}

impl Kernel for Products<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (lag, total) in self.sums.iter_mut().enumerate() {
            let from = self.from.max(lag);
            if from >= self.values.len() {
                break;
            }
            let now = &self.values[from..];
            let then = &self.values[from - lag..self.values.len() - lag];
            let mut lanes = [0.0; LANES];
            let (mut n, mut t) = (now.chunks_exact(LANES), then.chunks_exact(LANES));
            for (n, t) in (&mut n).zip(&mut t) {
                for l in 0..LANES {
                    lanes[l] += n[l] * t[l];
                }
            }
            for (n, t) in n.remainder().iter().zip(t.remainder()) {
                lanes[0] += n * t;
            }
            *total += Plain.sum(lanes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn autocovariances_equal_their_definition(
            values in prop::collection::vec(-3.0f64..5.0, 1..60),
            repeats in 1usize..120,
            most in 0usize..40,
            cut in 1usize..500,
        ) {
            let series: Vec<f64> =
                (0..repeats).flat_map(|c| values.iter().map(move |v| v + 0.01 * c as f64)).collect();
            let mut all = Autocovariances::new(most);
            for part in series.chunks(cut) {
                all.push(part.iter().copied());
            }
            let (count, mean, found) = all.finish();
            let n = series.len();
            prop_assert_eq!(count, n as u64);
            let expected = series.iter().sum::<f64>() / n as f64;
            prop_assert!((mean - expected).abs() < 1e-9);
            for (lag, value) in found.iter().enumerate() {
                let covariance = (lag..n)
                    .map(|t| (series[t] - expected) * (series[t - lag] - expected))
                    .sum::<f64>() / n as f64;
                prop_assert!((value - covariance).abs() < 1e-9);
            }
        }
    }
}
