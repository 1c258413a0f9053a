//! From a row to what a linear learner multiplies: missing cells filled, numbers brought to one
//! scale, nominal values as indicators.

use crate::kernels::lanes::{F8, LANES, groups};
use crate::learners::{Column, Reader, Writer};

/// Inputs, weights and targets are held within this, so that no sum overflows.
const LIMIT: f64 = 1e100;

/// A number within `LIMIT`.
#[inline(always)]
pub(in crate::learners) fn hold(x: f64) -> f64 {
    let x = if x < LIMIT { x } else { LIMIT };
    if x > -LIMIT { x } else { -LIMIT }
}

/// Running moments of the numeric columns, and where the indicators of nominal values are.
#[derive(Debug, Clone)]
pub(in crate::learners) struct Inputs {
    numeric: Vec<usize>,
    /// Column, first indicator, number of declared values.
    nominal: Vec<(usize, usize, usize)>,
    indicators: usize,
    standardise: bool,
    weights: Vec<F8>,
    means: Vec<F8>,
    squares: Vec<F8>,
    /// What a departure from the mean is multiplied by.
    scales: Vec<F8>,
}

/// A row, encoded.
#[derive(Debug, Clone, Default)]
pub(in crate::learners) struct Encoded {
    /// The numeric columns in groups of eight, padded with 0.
    pub(in crate::learners) numbers: Vec<F8>,
    /// The indicators that are 1. The others are 0.
    pub(in crate::learners) on: Vec<usize>,
}

impl Inputs {
    pub(in crate::learners) fn new(columns: &[Column], standardise: bool) -> Self {
        let (mut numeric, mut nominal, mut indicators) = (Vec::new(), Vec::new(), 0);
        for (i, column) in columns.iter().enumerate() {
            match column {
                Column::Numeric => numeric.push(i),
                Column::Nominal(values) => {
                    nominal.push((i, indicators, *values));
                    indicators += values;
                }
            }
        }
        let zeros = vec![F8::ZERO; groups(numeric.len())];
        Self {
            numeric,
            nominal,
            indicators,
            standardise,
            weights: zeros.clone(),
            means: zeros.clone(),
            squares: zeros.clone(),
            scales: zeros,
        }
    }

    /// Groups of eight numbers.
    pub(in crate::learners) fn groups(&self) -> usize {
        self.means.len()
    }

    /// How many columns there are.
    pub(in crate::learners) fn width(&self) -> usize {
        self.numeric.len() + self.nominal.len()
    }

    /// How many numeric columns there are.
    pub(in crate::learners) fn numbers(&self) -> usize {
        self.numeric.len()
    }

    /// How many indicators there are.
    pub(in crate::learners) fn indicators(&self) -> usize {
        self.indicators
    }

    /// The `g`-th group of the numeric cells of a row.
    #[inline(always)]
    fn cells(&self, row: &[f64], g: usize) -> [f64; LANES] {
        let mut cells = [0.0; LANES];
        if self.nominal.is_empty() {
            let rest = &row[g * LANES..];
            match rest.first_chunk::<LANES>() {
                Some(whole) => cells = *whole,
                None => cells[..rest.len()].copy_from_slice(rest),
            }
        } else {
            let columns = self.numeric[g * LANES..].iter().take(LANES);
            for (cell, &column) in cells.iter_mut().zip(columns) {
                *cell = row[column];
            }
        }
        cells
    }

    /// Take a row into the running moments. Missing cells are passed over.
    #[inline(always)]
    pub(in crate::learners) fn learn(&mut self, row: &[f64], weight: f64) {
        for g in 0..self.groups() {
            let cells = self.cells(row, g);
            let (weights, means) = (&mut self.weights[g].0, &mut self.means[g].0);
            let (squares, scales) = (&mut self.squares[g].0, &mut self.scales[g].0);
            for l in 0..LANES {
                let there = !cells[l].is_nan();
                let weight = if there { weight } else { 0.0 };
                let total = weights[l] + weight;
                let share = if there { weight / total } else { 0.0 };
                let x = if there { hold(cells[l]) } else { means[l] };
                let moved = means[l] + share * (x - means[l]);
                squares[l] += weight * (x - means[l]) * (x - moved);
                means[l] = moved;
                weights[l] = total;
                // The population's deviation; a column that never changes is left out.
                let scale = hold((total / squares[l]).sqrt());
                scales[l] = if squares[l] > 0.0 { scale } else { 0.0 };
            }
        }
    }

    /// Encode a row with the moments as they are.
    #[inline(always)]
    pub(in crate::learners) fn encode(&self, row: &[f64], out: &mut Encoded) {
        out.numbers.resize(self.groups(), F8::ZERO);
        for (g, out) in out.numbers.iter_mut().enumerate() {
            let cells = self.cells(row, g);
            let (means, scales) = (&self.means[g].0, &self.scales[g].0);
            for l in 0..LANES {
                let x = if cells[l].is_nan() { means[l] } else { hold(cells[l]) };
                out.0[l] = if self.standardise { hold((x - means[l]) * scales[l]) } else { x };
            }
        }
        out.on.clear();
        for &(column, first, values) in &self.nominal {
            // Missing cells and values that were not declared turn nothing on.
            let code = row[column] as usize;
            if code as f64 == row[column] && code < values {
                out.on.push(first + code);
            }
        }
    }

    pub(in crate::learners) fn bytes(&self) -> usize {
        4 * size_of_val(&self.means[..])
            + size_of_val(&self.numeric[..])
            + size_of_val(&self.nominal[..])
    }

    pub(in crate::learners) fn save(&self, out: &mut Writer) {
        for column in [&self.weights, &self.means, &self.squares, &self.scales] {
            column.iter().for_each(|eight| out.reals(&eight.0));
        }
    }

    pub(in crate::learners) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        let columns = [&mut self.weights, &mut self.means, &mut self.squares, &mut self.scales];
        for column in columns {
            column.iter_mut().try_for_each(|eight| from.reals(&mut eight.0))?;
        }
        Ok(())
    }
}
