//! k nearest neighbours regression in a window of the last items.

use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::cases::Search;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::nearest_neighbours::Window;
use crate::learners::recipe::Shape;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// Mean label of the k nearest of the last items and of all at the distance of the k-th, weighted
/// by the items' weights.
#[derive(Debug, Clone)]
pub struct NearestNeighboursRegression {
    window: Window<f64>,
}

impl NearestNeighboursRegression {
    /// A new, untrained learner.
    pub fn new(columns: &[Column], k: usize, window: usize) -> Self {
        Self { window: Window::new(columns, k, window) }
    }
}

impl NativeModel for NearestNeighboursRegression {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        Some(self.window.width())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> f64 {
        let mut search = Search::default();
        self.window.find(s, row, &mut search);
        mean(self.window.found_labels(&search))
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: f64, weight: f64) {
        self.window.learn(s, row, label, weight);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.window.bytes()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        self.window.vitals()
    }

    fn save(&self, out: &mut Writer) {
        self.window.save(out, Writer::real);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.window.load(from, label)
    }
}

/// Read the label of a learned item.
pub(super) fn label(from: &mut Reader<'_>) -> Result<f64> {
    let label = from.real()?;
    if label.is_finite() { Ok(label) } else { Err(refused("of finite labels", label)) }
}

/// The weighted mean; NaN without labels. The mean of equal labels is exactly that label.
#[inline(always)]
pub(super) fn mean(labels: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut total, mut mean) = (0.0, f64::NAN);
    for (label, weight) in labels {
        total += weight;
        let share = weight / total;
        if mean.is_nan() {
            mean = label;
        } else if (label - mean).is_finite() {
            mean += share * (label - mean);
        } else {
            mean = mean * (1.0 - share) + label * share;
        }
    }
    mean
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let (k, window) = (p.whole("k")?, p.whole("window_size")?);
    Ok(Model::of(NearestNeighboursRegression::new(&shape.columns, k, window)))
}
