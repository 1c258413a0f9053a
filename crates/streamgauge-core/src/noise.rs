//! Noise in the features of items: it depends on a seed, the item and the copy alone.

use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::error::{Error, Result, parameter};
use crate::learners::Items;
use crate::seeds::mix;

/// The distribution of noise in numeric features; the scale is its standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoiseForm {
    /// Normal.
    Normal,
    /// Uniform around 0.
    Uniform,
}

/// Noise in the features of items.
#[derive(Debug, Clone, Copy)]
pub struct Noise<'a> {
    /// The seed.
    pub seed: u64,
    /// The distribution.
    pub form: NoiseForm,
    /// The probability that a nominal value is replaced by one of its column, drawn uniformly.
    pub nominal: f64,
    /// Number of values of each nominal column; 0: the column is numeric.
    pub values: &'a [u32],
}

impl Noise<'_> {
    /// Add noise to the row of an item, which has one cell per column. Missing cells stay missing,
    /// infinite ones infinite, and finite ones finite: a sum beyond the largest number is that
    /// number. `scale` has one number per column.
    pub fn add(&self, item: u64, copy: u64, scale: &[f64], row: &mut [f64]) {
        let mut draws = Xoshiro256PlusPlus::seed_from_u64(mix(mix(mix(self.seed) ^ item) ^ copy));
        for ((cell, &scale), &values) in row.iter_mut().zip(scale).zip(self.values) {
            if values == 0 {
                let drawn = match self.form {
                    NoiseForm::Normal => StandardNormal.sample(&mut draws),
                    NoiseForm::Uniform => (2.0 * uniform(&mut draws) - 1.0) * 3f64.sqrt(),
                };
                if cell.is_finite() {
                    *cell = (*cell + scale * drawn).clamp(f64::MIN, f64::MAX);
                }
            }
        }
        if self.nominal == 0.0 {
            return;
        }
        // After all numeric columns, whose noise thus does not depend on `nominal`.
        for (cell, &values) in row.iter_mut().zip(self.values).filter(|(_, values)| **values > 0) {
            let (replaced, value) = (uniform(&mut draws) < self.nominal, uniform(&mut draws));
            if replaced && !cell.is_nan() {
                *cell = (value * f64::from(values)).floor();
            }
        }
    }
}

/// Uniform in [0, 1).
fn uniform(draws: &mut Xoshiro256PlusPlus) -> f64 {
    (draws.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Noise for the items of a chunk.
#[derive(Debug, Clone, Copy)]
pub struct NoiseOfItems<'a> {
    noise: Noise<'a>,
    scales: Items<'a>,
}

impl<'a> NoiseOfItems<'a> {
    /// `scales` has one row for all orders; or one row for orders before the first item of the
    /// chunk arrives, and one for those after the arrival of each item.
    pub fn new(noise: Noise<'a>, scales: Items<'a>) -> Result<Self> {
        if noise.values.len() != scales.width() {
            let (expected, got) = (scales.width(), noise.values.len());
            return Err(Error::Length { what: "nominal values", expected, got });
        }
        Ok(Self { noise, scales })
    }

    /// Check that the scales fit the items of a chunk.
    pub(crate) fn check(&self, items: &Items<'_>) -> Result<()> {
        self.scales.check(Some(items.width()))?;
        let rows = self.scales.len();
        if rows != 1 && rows != items.len() + 1 {
            let must = format!("1 or {}", items.len() + 1);
            return Err(parameter("noise", "rows of scales", must, rows));
        }
        Ok(())
    }

    /// Add noise to the row of an item, when the `latest` item of the chunk has arrived.
    pub(crate) fn add(&self, item: u64, copy: u64, latest: Option<usize>, row: &mut [f64]) {
        let at = if self.scales.len() == 1 { 0 } else { latest.map_or(0, |latest| latest + 1) };
        self.noise.add(item, copy, self.scales.row(at), row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(form: NoiseForm, nominal: f64, values: &[u32]) -> Noise<'_> {
        Noise { seed: 7, form, nominal, values }
    }

    #[test]
    fn noise_depends_on_seed_item_and_copy_alone() {
        let row = |seed, item, copy| {
            let mut row = [0.0; 3];
            let noise = Noise { seed, ..noise(NoiseForm::Normal, 0.0, &[0, 0, 0]) };
            noise.add(item, copy, &[1.0; 3], &mut row);
            row
        };
        assert_eq!(row(1, 2, 3), row(1, 2, 3));
        for other in [row(2, 2, 3), row(1, 3, 3), row(1, 2, 4), row(1, 3, 2)] {
            assert_ne!(row(1, 2, 3), other);
        }
    }

    #[test]
    fn the_scale_is_the_standard_deviation_of_both_forms() {
        for form in [NoiseForm::Normal, NoiseForm::Uniform] {
            let (mut sum, mut squares, n) = (0.0, 0.0, 50_000);
            for item in 0..n {
                let mut row = [5.0, f64::NAN];
                noise(form, 0.0, &[0, 0]).add(item, 0, &[2.0, 2.0], &mut row);
                assert!(row[1].is_nan());
                sum += row[0] - 5.0;
                squares += (row[0] - 5.0).powi(2);
            }
            let n = n as f64;
            assert!((sum / n).abs() < 0.05 && (squares / n - 4.0).abs() < 0.1);
        }
    }

    #[test]
    fn finite_cells_stay_finite_and_others_stay_as_they_are() {
        let cells = [1e308, -1e308, 0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let mut largest = 0;
        for form in [NoiseForm::Normal, NoiseForm::Uniform] {
            for item in 0..100 {
                let mut row = cells;
                noise(form, 0.0, &[0; 6]).add(item, 0, &[f64::MAX; 6], &mut row);
                assert!(row[..3].iter().all(|cell| cell.is_finite()), "{row:?}");
                assert_eq!(row[3..5], cells[3..5]);
                assert!(row[5].is_nan());
                largest += row.iter().filter(|cell| cell.abs() == f64::MAX).count();
            }
        }
        assert!(largest > 0);
    }

    #[test]
    fn nominal_values_are_replaced_uniformly_and_numeric_noise_stays() {
        let mut counts = [0; 4];
        for item in 0..40_000 {
            let (mut row, mut plain) = ([1.0, 0.0], [1.0, 0.0]);
            noise(NoiseForm::Normal, 0.5, &[4, 0]).add(item, 1, &[0.0, 1.0], &mut row);
            noise(NoiseForm::Normal, 0.0, &[4, 0]).add(item, 1, &[0.0, 1.0], &mut plain);
            assert_eq!((row[1], plain[0]), (plain[1], 1.0));
            counts[row[0] as usize] += 1;
        }
        for (value, count) in counts.into_iter().enumerate() {
            let expected = if value == 1 { 25_000 } else { 5_000 };
            assert!(i32::abs(count - expected) < 500, "{counts:?}");
        }
    }
}
