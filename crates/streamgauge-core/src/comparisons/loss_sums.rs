//! Sums of two learners' losses, from which Q, McNemar's statistic and others are computed.

use super::loss_pairs::{self, LossPair, ZeroOneLosses};
use crate::kernels::{Kernel, LANES, Plain, Simd, dispatch};
use crate::summaries::Summary;

/// The names of the sums, in their order.
pub const SUM_NAMES: [&str; 7] =
    ["count", "left_out", "loss_sum_a", "loss_sum_b", "worse_a", "worse_b", "squares"];

const COUNT: usize = 0;
const LEFT_OUT: usize = 1;
const LOSS_SUM_A: usize = 2;
const LOSS_SUM_B: usize = 3;
const WORSE_A: usize = 4;
const WORSE_B: usize = 5;
const SQUARES: usize = 6;

/// Sums of the zero-one losses of two learners.
#[derive(Debug, Clone, Copy, Default)]
pub struct ZeroOneLossSums;

impl Summary for ZeroOneLossSums {
    type Row = ZeroOneLosses;

    fn width(&self) -> usize {
        SUM_NAMES.len()
    }

    fn reversible(&self) -> bool {
        true
    }

    fn sum(&mut self, rows: &[ZeroOneLosses], weights: Option<&[f64]>, out: &mut [f64]) {
        let [none, a, b, both, left] = match weights {
            None => dispatch(CountKernel { rows }).map(|n| n as f64),
            Some(weights) => dispatch(WeightKernel { rows, weights }),
        };
        out[COUNT] = none + a + b + both;
        out[LEFT_OUT] = left;
        out[LOSS_SUM_A] = a + both;
        out[LOSS_SUM_B] = b + both;
        out[WORSE_A] = a;
        out[WORSE_B] = b;
        out[SQUARES] = a + b;
    }
}

/// The number of rows with each code: neither wrong, only A, only B, both, left out.
struct CountKernel<'a> {
    rows: &'a [ZeroOneLosses],
}

impl Kernel for CountKernel<'_> {
    type Out = [u64; 5];

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> [u64; 5] {
        let mut counts = [0; 5];
        // at most 255 rows at a time, so that each count fits into a byte
        for part in self.rows.chunks(255) {
            for (code, count) in counts.iter_mut().enumerate().skip(1) {
                *count += u64::from(
                    part.iter()
                        .fold(0u8, |n, &c| n.wrapping_add(u8::from(c == code as ZeroOneLosses))),
                );
            }
        }
        counts[0] = self.rows.len() as u64 - counts.iter().sum::<u64>();
        counts
    }
}

/// The sum of the weights of the rows with each code: neither wrong, only A, only B, both, left
/// out.
struct WeightKernel<'a> {
    rows: &'a [ZeroOneLosses],
    weights: &'a [f64],
}

impl Kernel for WeightKernel<'_> {
    type Out = [f64; 5];

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> [f64; 5] {
        let mut lanes = [[0.0; LANES]; 5];
        let mut eights = self.rows.chunks_exact(LANES);
        let mut weights = self.weights.chunks_exact(LANES);
        for (codes, w) in (&mut eights).zip(&mut weights) {
            for (code, lane) in lanes.iter_mut().enumerate() {
                for l in 0..LANES {
                    lane[l] += if codes[l] == code as ZeroOneLosses { w[l] } else { 0.0 };
                }
            }
        }
        for (&code, &w) in eights.remainder().iter().zip(weights.remainder()) {
            lanes[usize::from(code.min(loss_pairs::LEFT_OUT))][0] += w;
        }
        [0, 1, 2, 3, 4].map(|code| Plain.sum(lanes[code]))
    }
}

/// Sums of the real losses of two learners.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealLossSums;

impl Summary for RealLossSums {
    type Row = LossPair;

    fn width(&self) -> usize {
        SUM_NAMES.len()
    }

    fn reversible(&self) -> bool {
        false
    }

    fn sum(&mut self, rows: &[LossPair], weights: Option<&[f64]>, out: &mut [f64]) {
        out.fill(0.0);
        for (i, row) in rows.iter().enumerate() {
            let w = weights.map_or(1.0, |w| w[i]);
            if row.a.is_nan() {
                out[LEFT_OUT] += w;
                continue;
            }
            let difference = row.a - row.b;
            out[COUNT] += w;
            out[LOSS_SUM_A] += w * row.a;
            out[LOSS_SUM_B] += w * row.b;
            out[WORSE_A] += if difference > 0.0 { w } else { 0.0 };
            out[WORSE_B] += if difference < 0.0 { w } else { 0.0 };
            out[SQUARES] += w * difference * difference;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_equal_those_of_a_loop(
            rows in prop::collection::vec(0u8..5, 0..700),
            factor in 0.5f64..1.0,
        ) {
            let weights: Vec<f64> = (0..rows.len()).map(|i| factor.powi(i as i32)).collect();
            let mut counted = [0.0; 7];
            ZeroOneLossSums.sum(&rows, None, &mut counted);
            let mut weighted = [0.0; 7];
            ZeroOneLossSums.sum(&rows, Some(&weights), &mut weighted);
            for (what, ones) in [(&counted, true), (&weighted, false)] {
                let total = |keep: &dyn Fn(u8) -> bool| -> f64 {
                    rows.iter()
                        .zip(&weights)
                        .filter(|(c, _)| keep(**c))
                        .map(|(_, w)| if ones { 1.0 } else { *w })
                        .sum()
                };
                let expected = [
                    total(&|c| c < loss_pairs::LEFT_OUT),
                    total(&|c| c == loss_pairs::LEFT_OUT),
                    total(&|c| c < loss_pairs::LEFT_OUT && c & 1 == 1),
                    total(&|c| c < loss_pairs::LEFT_OUT && c & 2 == 2),
                    total(&|c| c == 1),
                    total(&|c| c == 2),
                    total(&|c| c == 1 || c == 2),
                ];
                for (value, expected) in what.iter().zip(expected) {
                    prop_assert!((value - expected).abs() < 1e-9);
                }
            }
        }
    }
}
