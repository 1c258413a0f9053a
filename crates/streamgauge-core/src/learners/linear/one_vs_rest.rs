//! Linear classifiers: one plane per class, trained against all other classes.

use std::mem::take;

use crate::NONE;
use crate::kernels::Simd;
use crate::kernels::math::exp;
use crate::learners::linear::{Encoded, Inputs, Plane};
use crate::learners::memory::held;
use crate::learners::native::NativeModel;
use crate::learners::{Column, Reader, Writer};

/// Gradients are clipped to this, as in river.
const MAX_GRADIENT: f64 = 1e12;

/// A loss function of a plane's value.
pub trait Loss: Send + Sync {
    /// Derivative of the loss at value `z` for the true sign `y` (1 or -1).
    fn slope(y: f64, z: f64) -> f64;
}

/// Stochastic gradient descent, one class against the rest.
///
/// With two classes there is one plane, whose sign decides. With more, a class's plane is trained
/// from its first label on. A class is never predicted before its first label.
#[derive(Debug, Clone)]
pub struct OneVsRest<L> {
    inputs: Inputs,
    planes: Vec<Plane>,
    seen: Vec<bool>,
    rate: f64,
    scratch: Encoded,
    loss: std::marker::PhantomData<L>,
}

impl<L: Loss> OneVsRest<L> {
    /// A new, untrained learner. `rate` is the learning rate.
    pub fn new(classes: usize, columns: &[Column], rate: f64, standardise: bool) -> Self {
        let inputs = Inputs::new(columns, standardise);
        let planes = if classes == 2 { 1 } else { classes };
        Self {
            planes: vec![Plane::new(&inputs); planes],
            inputs,
            seen: vec![false; classes],
            rate,
            scratch: Encoded::default(),
            loss: std::marker::PhantomData,
        }
    }

    /// Signed value of the plane for a class.
    #[inline(always)]
    fn margin<S: Simd>(&self, s: S, class: usize, row: &Encoded) -> f64 {
        match (self.seen.len(), class) {
            (2, 0) => -self.planes[0].at(s, row),
            (2, _) => self.planes[0].at(s, row),
            _ => self.planes[class].at(s, row),
        }
    }

    #[inline(always)]
    fn predict_encoded<S: Simd>(&self, s: S, row: &Encoded) -> i32 {
        let (mut best, mut highest) = (NONE, f64::NEG_INFINITY);
        for (class, _) in self.seen.iter().enumerate().filter(|(_, seen)| **seen) {
            let margin = self.margin(s, class, row);
            if margin > highest {
                (best, highest) = (class as i32, margin);
            }
        }
        best
    }

    #[inline(always)]
    fn update<S: Simd>(
        &mut self,
        s: S,
        row: &[f64],
        label: usize,
        weight: f64,
        scratch: &mut Encoded,
    ) {
        self.seen[label] = true;
        self.inputs.learn(s, row, weight, &mut scratch.buffer);
        self.inputs.encode(s, row, scratch);
        let two = self.seen.len() == 2;
        for (class, plane) in self.planes.iter_mut().enumerate() {
            let class = if two { 1 } else { class };
            if two || self.seen[class] {
                let y = if class == label { 1.0 } else { -1.0 };
                let slope =
                    (weight * L::slope(y, plane.at(s, scratch))).clamp(-MAX_GRADIENT, MAX_GRADIENT);
                if slope != 0.0 {
                    plane.shift(s, scratch, -self.rate * slope);
                }
            }
        }
    }
}

impl<L: Loss> NativeModel for OneVsRest<L> {
    type Target = i32;

    fn width(&self) -> Option<usize> {
        Some(self.inputs.width())
    }

    fn classes(&self) -> usize {
        self.seen.len()
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> i32 {
        let mut encoded = Encoded::default();
        self.inputs.encode(s, row, &mut encoded);
        self.predict_encoded(s, &encoded)
    }

    /// The logistic of each plane's value, divided by their sum over the classes seen.
    #[inline(always)]
    fn scores<S: Simd>(&self, s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        let mut encoded = Encoded::default();
        self.inputs.encode(s, row, &mut encoded);
        let mut seen = 0.0;
        for (class, out) in out.iter_mut().enumerate() {
            seen += f64::from(self.seen[class]);
            let odds = 1.0 / (1.0 + exp(-self.margin(s, class, &encoded)));
            *out = if self.seen[class] { odds } else { 0.0 };
        }
        let total: f64 = out.iter().sum();
        for (out, &known) in out.iter_mut().zip(&self.seen) {
            *out = if total > 0.0 { *out / total } else { f64::from(known) / seen };
        }
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: usize, weight: f64) {
        let mut scratch = take(&mut self.scratch);
        self.update(s, row, label, weight, &mut scratch);
        self.scratch = scratch;
    }

    #[inline(always)]
    fn predict_then_learn<S: Simd>(
        &mut self,
        s: S,
        _item: u64,
        row: &[f64],
        label: usize,
        weight: f64,
    ) -> i32 {
        let mut scratch = take(&mut self.scratch);
        self.inputs.encode(s, row, &mut scratch);
        let prediction = self.predict_encoded(s, &scratch);
        self.update(s, row, label, weight, &mut scratch);
        self.scratch = scratch;
        prediction
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.inputs.bytes()
            + self.scratch.bytes()
            + held(&self.planes)
            + self.planes.iter().map(Plane::bytes).sum::<usize>()
            + held(&self.seen)
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let parameters: usize = self.planes.iter().map(|p| p.parameters(&self.inputs)).sum();
        let nonzero: usize = self.planes.iter().map(Plane::nonzero).sum();
        vec![("parameters", parameters as f64), ("nonzero_parameters", nonzero as f64)]
    }

    fn save(&self, out: &mut Writer) {
        self.inputs.save(out);
        self.planes.iter().for_each(|plane| plane.save(out));
        self.seen.iter().for_each(|&seen| out.whole(seen.into()));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.inputs.load(from)?;
        self.planes.iter_mut().try_for_each(|plane| plane.load(from))?;
        for seen in &mut self.seen {
            *seen = from.flag()?;
        }
        Ok(())
    }
}
