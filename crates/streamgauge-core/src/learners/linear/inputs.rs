//! From a row to what a linear learner multiplies: missing cells filled, numbers brought to one
//! scale, nominal values as indicators.

use crate::kernels::{F8, LANES, Simd, groups};
use crate::learners::linear::moments::{Moments, load_cells};
use crate::learners::memory::held;
use crate::learners::{Column, Reader, Writer};

/// Inputs, weights and targets are held within this, so that no sum overflows.
const LIMIT: f64 = 1e100;

/// A number within `LIMIT`.
#[inline(always)]
pub(in crate::learners) fn hold(x: f64) -> f64 {
    let x = if x < LIMIT { x } else { LIMIT };
    if x > -LIMIT { x } else { -LIMIT }
}

/// Eight numbers within `LIMIT`.
#[inline(always)]
pub(in crate::learners) fn holding<S: Simd>(s: S, x: S::V) -> S::V {
    s.greater(s.lesser(x, s.splat(LIMIT)), s.splat(-LIMIT))
}

/// Running moments of the numeric columns, and where the indicators of nominal values are.
#[derive(Debug, Clone)]
pub(in crate::learners) struct Inputs {
    numeric: Vec<usize>,
    /// Column, first indicator, number of declared values.
    nominal: Vec<(usize, usize, usize)>,
    indicators: usize,
    standardise: bool,
    moments: Moments,
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
    /// Room to bring the numeric cells together.
    pub(in crate::learners) room: Vec<f64>,
}

impl Encoded {
    pub(in crate::learners) fn bytes(&self) -> usize {
        held(&self.numbers) + held(&self.on) + held(&self.room)
    }
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
        let moments = Moments::new(numeric.len());
        let scales = vec![F8::ZERO; groups(numeric.len())];
        Self { numeric, nominal, indicators, standardise, moments, scales }
    }

    /// Groups of eight numbers.
    pub(in crate::learners) fn groups(&self) -> usize {
        self.scales.len()
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

    /// The numeric cells of a row, in order; `room` is for rows with nominal cells between.
    #[inline(always)]
    fn numbers_of<'a>(&self, row: &'a [f64], room: &'a mut Vec<f64>) -> &'a [f64] {
        if self.nominal.is_empty() {
            return row;
        }
        room.clear();
        room.extend(self.numeric.iter().map(|&i| row[i]));
        room
    }

    /// Take a row into the running moments. Missing cells are passed over.
    #[inline(always)]
    pub(in crate::learners) fn learn<S: Simd>(
        &mut self,
        s: S,
        row: &[f64],
        weight: f64,
        room: &mut Vec<f64>,
    ) {
        let (none, weight) = (s.splat(0.0), s.splat(weight));
        for (g, cells) in self.numbers_of(row, room).chunks(LANES).enumerate() {
            let (total, squares) = self.moments.learn_group(s, g, load_cells(s, cells), weight);
            // The population's deviation; a column that never changes is left out.
            let scale = holding(s, s.sqrt(s.div(total, squares)));
            let scale = s.below(none, squares, scale, none);
            s.store(scale, &mut self.scales[g].0);
        }
    }

    /// Encode a row with the moments as they are.
    #[inline(always)]
    pub(in crate::learners) fn encode<S: Simd>(&self, s: S, row: &[f64], out: &mut Encoded) {
        out.numbers.resize(self.groups(), F8::ZERO);
        let numbers = self.numbers_of(row, &mut out.room).chunks(LANES);
        for (g, (out, cells)) in out.numbers.iter_mut().zip(numbers).enumerate() {
            let (cells, mean) = (load_cells(s, cells), s.load(&self.moments.means[g].0));
            let mut x = s.known(cells, holding(s, cells), mean);
            if self.standardise {
                x = holding(s, s.mul(s.sub(x, mean), s.load(&self.scales[g].0)));
            }
            s.store(x, &mut out.0);
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
        self.moments.bytes() + held(&self.scales) + held(&self.numeric) + held(&self.nominal)
    }

    pub(in crate::learners) fn save(&self, out: &mut Writer) {
        self.moments.save(out);
        self.scales.iter().for_each(|eight| out.reals(&eight.0));
    }

    pub(in crate::learners) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.moments.load(from)?;
        self.scales.iter_mut().try_for_each(|eight| from.reals(&mut eight.0))
    }
}
