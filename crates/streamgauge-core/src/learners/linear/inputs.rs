//! Encoding of rows for linear learners: missing cells imputed, numbers standardised, nominal
//! values as indicators.

use crate::kernels::{F8, LANES, Simd, groups};
use crate::learners::linear::moments::{Moments, load_cells};
use crate::learners::memory::held;
use crate::learners::{Column, Reader, Writer};

/// Inputs, weights and targets are clipped to this, so that no sum overflows.
pub(crate) const LIMIT: f64 = 1e100;

/// A number clipped to `LIMIT`.
#[inline(always)]
pub(crate) fn bounded(x: f64) -> f64 {
    let x = if x < LIMIT { x } else { LIMIT };
    if x > -LIMIT { x } else { -LIMIT }
}

/// Eight numbers clipped to `LIMIT`.
#[inline(always)]
pub(crate) fn bounded_lanes<S: Simd>(s: S, x: S::V) -> S::V {
    s.greater(s.lesser(x, s.splat(LIMIT)), s.splat(-LIMIT))
}

/// Running moments of the numeric columns, and positions of the nominal indicators.
#[derive(Debug, Clone)]
pub(crate) struct Inputs {
    numeric: Vec<usize>,
    /// Column, first indicator, number of declared values.
    nominal: Vec<(usize, usize, usize)>,
    indicators: usize,
    standardise: bool,
    moments: Moments,
    /// Scale factors of the deviations from the means.
    scales: Vec<F8>,
}

/// An encoded row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Encoded {
    /// The numeric columns in groups of eight, padded with 0.
    pub(crate) numbers: Vec<F8>,
    /// The indicators that are 1; all others are 0.
    pub(crate) on: Vec<usize>,
    /// Buffer for the gathered numeric cells.
    pub(crate) buffer: Vec<f64>,
}

impl Encoded {
    pub(crate) fn bytes(&self) -> usize {
        held(&self.numbers) + held(&self.on) + held(&self.buffer)
    }
}

impl Inputs {
    pub(crate) fn new(columns: &[Column], standardise: bool) -> Self {
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
        let moments = Moments::new(numeric.len());
        let scales = vec![F8::ZERO; groups(numeric.len())];
        Self { numeric, nominal, indicators, standardise, moments, scales }
    }

    /// Number of groups of eight numeric columns.
    pub(crate) fn groups(&self) -> usize {
        self.scales.len()
    }

    /// Number of columns.
    pub(crate) fn width(&self) -> usize {
        self.numeric.len() + self.nominal.len()
    }

    /// Number of numeric columns.
    pub(crate) fn numbers(&self) -> usize {
        self.numeric.len()
    }

    /// Number of indicators.
    pub(crate) fn indicators(&self) -> usize {
        self.indicators
    }

    /// The numeric cells of a row, in order; `buffer` is used for rows with nominal cells.
    #[inline(always)]
    fn numbers_of<'a>(&self, row: &'a [f64], buffer: &'a mut Vec<f64>) -> &'a [f64] {
        if self.nominal.is_empty() {
            return row;
        }
        buffer.clear();
        buffer.extend(self.numeric.iter().map(|&i| row[i]));
        buffer
    }

    /// Update the running moments with a row. Missing cells are ignored.
    #[inline(always)]
    pub(crate) fn learn<S: Simd>(&mut self, s: S, row: &[f64], weight: f64, buffer: &mut Vec<f64>) {
        let (none, weight) = (s.splat(0.0), s.splat(weight));
        for (g, cells) in self.numbers_of(row, buffer).chunks(LANES).enumerate() {
            let (total, squares) = self.moments.learn_group(s, g, load_cells(s, cells), weight);
            // Population standard deviation; constant columns are scaled to 0.
            let scale = bounded_lanes(s, s.sqrt(s.div(total, squares)));
            let scale = s.below(none, squares, scale, none);
            s.store(scale, &mut self.scales[g].0);
        }
    }

    /// Encode a row with the current moments.
    #[inline(always)]
    pub(crate) fn encode<S: Simd>(&self, s: S, row: &[f64], out: &mut Encoded) {
        out.numbers.resize(self.groups(), F8::ZERO);
        let numbers = self.numbers_of(row, &mut out.buffer).chunks(LANES);
        for (g, (out, cells)) in out.numbers.iter_mut().zip(numbers).enumerate() {
            let (cells, mean) = (load_cells(s, cells), s.load(&self.moments.means[g].0));
            let mut x = s.known(cells, bounded_lanes(s, cells), mean);
            if self.standardise {
                x = bounded_lanes(s, s.mul(s.sub(x, mean), s.load(&self.scales[g].0)));
            }
            s.store(x, &mut out.0);
        }
        out.on.clear();
        for &(column, first, values) in &self.nominal {
            // Missing cells and undeclared values set no indicator.
            let code = row[column] as usize;
            if code as f64 == row[column] && code < values {
                out.on.push(first + code);
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.moments.bytes() + held(&self.scales) + held(&self.numeric) + held(&self.nominal)
    }

    pub(crate) fn save(&self, out: &mut Writer) {
        self.moments.save(out);
        self.scales.iter().for_each(|eight| out.reals(&eight.0));
    }

    pub(crate) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.moments.load(from)?;
        self.scales.iter_mut().try_for_each(|eight| from.reals(&mut eight.0))
    }
}
