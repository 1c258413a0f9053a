//! Recursive least squares by Givens rotations.

use crate::error::Result;
use crate::kernels::{LANES, Simd};
use crate::learners::linear::{Encoded, Inputs, bounded};
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// Pivots below this do not fade any further.
const MIN_PIVOT: f64 = 1e-100;

/// Ridge regression over all items so far, with exponentially fading weights.
///
/// Stores the triangle R and the right-hand side q of R w = q and rotates each row into them
/// (Gentleman's method). Unlike the textbook update of the inverse covariance, this never loses
/// symmetry or rank.
#[derive(Debug, Clone)]
pub struct RecursiveLeastSquares {
    inputs: Inputs,
    /// Numbers, indicators, bias.
    size: usize,
    triangle: Vec<f64>,
    right: Vec<f64>,
    solution: Vec<f64>,
    fading: f64,
    trained: bool,
}

impl RecursiveLeastSquares {
    /// A new, untrained learner. `ridge` above 0; `forget` in (0, 1]: factor by which
    /// an item's weight shrinks with each later item.
    pub fn new(columns: &[Column], ridge: f64, forget: f64) -> Self {
        let inputs = Inputs::new(columns, false);
        let size = inputs.numbers() + inputs.indicators() + 1;
        let mut triangle = vec![0.0; size * size];
        triangle.iter_mut().step_by(size + 1).for_each(|pivot| *pivot = ridge.sqrt());
        Self {
            inputs,
            size,
            triangle,
            right: vec![0.0; size],
            solution: vec![0.0; size],
            fading: forget.sqrt(),
            trained: false,
        }
    }

    /// A dense row: numbers, indicators, 1.
    #[inline(always)]
    fn dense_row<S: Simd>(&self, s: S, row: &[f64]) -> Vec<f64> {
        let mut encoded = Encoded::default();
        self.inputs.encode(s, row, &mut encoded);
        let numbers = self.inputs.numbers();
        let mut out: Vec<f64> = encoded.numbers.iter().flat_map(|eight| eight.0).collect();
        out.truncate(numbers);
        out.resize(self.size, 0.0);
        encoded.on.iter().for_each(|&i| out[numbers + i] = 1.0);
        if let Some(bias) = out.last_mut() {
            *bias = 1.0;
        }
        out
    }

    #[inline(always)]
    fn rotate_in<S: Simd>(&mut self, s: S, mut row: Vec<f64>, mut label: f64) {
        let size = self.size;
        for i in 0..size {
            let pivots = &mut self.triangle[i * size..(i + 1) * size];
            if self.fading < 1.0 && pivots[i].abs() > MIN_PIVOT {
                pivots[i..].iter_mut().for_each(|r| *r *= self.fading);
                self.right[i] *= self.fading;
            }
            if row[i] == 0.0 {
                continue;
            }
            let length = (pivots[i] * pivots[i] + row[i] * row[i]).sqrt();
            let (cos, sin) = (pivots[i] / length, row[i] / length);
            for (r, x) in pivots[i..].iter_mut().zip(&mut row[i..]) {
                (*r, *x) = (cos * *r + sin * *x, cos * *x - sin * *r);
            }
            (self.right[i], label) =
                (cos * self.right[i] + sin * label, cos * label - sin * self.right[i]);
        }
        for i in (0..size).rev() {
            let after = i * size + i + 1..(i + 1) * size;
            let known = dot(s, &self.triangle[after], &self.solution[i + 1..]);
            self.solution[i] = bounded((self.right[i] - known) / self.triangle[i * size + i]);
        }
    }
}

/// Dot product, summed in eight lanes.
#[inline(always)]
fn dot<S: Simd>(s: S, a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut lanes = s.mul(s.load_part(a_rest), s.load_part(b_rest));
    for (a, b) in a.iter().zip(b) {
        lanes = s.add(lanes, s.mul(s.load(a), s.load(b)));
    }
    s.sum(lanes)
}

impl NativeModel for RecursiveLeastSquares {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        Some(self.inputs.width())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> f64 {
        if self.trained { dot(s, &self.dense_row(s, row), &self.solution) } else { f64::NAN }
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: f64, weight: f64) {
        self.trained = true;
        self.inputs.learn(s, row, weight, &mut Vec::new());
        let mut dense_row = self.dense_row(s, row);
        let root = weight.sqrt();
        dense_row.iter_mut().for_each(|x| *x = bounded(*x * root));
        self.rotate_in(s, dense_row, bounded(bounded(label) * root));
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.inputs.bytes()
            + held(&self.triangle)
            + held(&self.right)
            + held(&self.solution)
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        vec![("parameters", self.size as f64)]
    }

    fn save(&self, out: &mut Writer) {
        self.inputs.save(out);
        out.reals(&self.triangle);
        out.reals(&self.right);
        out.reals(&self.solution);
        out.whole(self.trained.into());
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.inputs.load(from)?;
        from.reals(&mut self.triangle)?;
        from.reals(&mut self.right)?;
        from.reals(&mut self.solution)?;
        self.trained = from.flag()?;
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let (ridge, forget) = (p.real("ridge")?, p.real("forgetting_factor")?);
    Ok(Model::of(RecursiveLeastSquares::new(&shape.columns, ridge, forget)))
}
