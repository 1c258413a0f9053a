//! One linear function of an encoded row: weights of the numbers, of the indicators, a bias.

use crate::kernels::{F8, Simd};
use crate::learners::linear::{Encoded, Inputs, bounded, bounded_lanes};
use crate::learners::memory::held;
use crate::learners::{Reader, Writer};

/// Weights and bias, initially 0.
#[derive(Debug, Clone)]
pub(in crate::learners) struct Plane {
    numbers: Vec<F8>,
    indicators: Vec<f64>,
    bias: f64,
}

impl Plane {
    pub(in crate::learners) fn new(inputs: &Inputs) -> Self {
        let numbers = vec![F8::ZERO; inputs.groups()];
        Self { numbers, indicators: vec![0.0; inputs.indicators()], bias: 0.0 }
    }

    /// Its value at a row.
    #[inline(always)]
    pub(in crate::learners) fn at<S: Simd>(&self, s: S, row: &Encoded) -> f64 {
        let mut lanes = s.splat(0.0);
        for (w, x) in self.numbers.iter().zip(&row.numbers) {
            lanes = s.add(lanes, s.mul(s.load(&w.0), s.load(&x.0)));
        }
        row.on.iter().fold(s.sum(lanes) + self.bias, |sum, &i| sum + self.indicators[i])
    }

    /// Add `step` times the row to the weights.
    #[inline(always)]
    pub(in crate::learners) fn shift<S: Simd>(&mut self, s: S, row: &Encoded, step: f64) {
        let steps = s.splat(step);
        for (w, x) in self.numbers.iter_mut().zip(&row.numbers) {
            let moved = s.add(s.load(&w.0), s.mul(steps, s.load(&x.0)));
            s.store(bounded_lanes(s, moved), &mut w.0);
        }
        for &i in &row.on {
            self.indicators[i] = bounded(self.indicators[i] + step);
        }
        self.bias = bounded(self.bias + step);
    }

    /// Number of parameters.
    pub(in crate::learners) fn parameters(&self, inputs: &Inputs) -> usize {
        inputs.numbers() + self.indicators.len() + 1
    }

    /// Number of parameters that are not 0.
    pub(in crate::learners) fn nonzero(&self) -> usize {
        let numbers = self.numbers.iter().flat_map(|eight| &eight.0);
        let weights = numbers.chain(&self.indicators).chain([&self.bias]);
        weights.filter(|weight| **weight != 0.0).count()
    }

    pub(in crate::learners) fn bytes(&self) -> usize {
        held(&self.numbers) + held(&self.indicators)
    }

    pub(in crate::learners) fn save(&self, out: &mut Writer) {
        self.numbers.iter().for_each(|eight| out.reals(&eight.0));
        out.reals(&self.indicators);
        out.real(self.bias);
    }

    pub(in crate::learners) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.numbers.iter_mut().try_for_each(|eight| from.reals(&mut eight.0))?;
        from.reals(&mut self.indicators)?;
        self.bias = from.real()?;
        Ok(())
    }
}
