//! Instance-based learning on streams (Shaker and Hüllermeier 2012): a case base that is edited
//! with every item, a drift test, and settings that adapt to the errors.

mod base;
mod error_history;
mod local;
mod settings;
mod target;

use crate::NONE;
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::nearest_neighbours_regression::label;
use crate::learners::recipe::Shape;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;
use base::CaseBase;
pub use settings::Settings;

/// IBLStreams for classification: weighted vote of the neighbours.
#[derive(Debug, Clone)]
pub struct IblStreams(CaseBase<u32>);

impl IblStreams {
    /// A new, untrained learner.
    pub fn new(classes: usize, columns: &[Column], settings: Settings) -> Self {
        Self(CaseBase::new(classes, columns, settings))
    }
}

impl NativeModel for IblStreams {
    type Target = i32;

    fn classes(&self) -> usize {
        self.0.classes
    }

    fn width(&self) -> Option<usize> {
        Some(self.0.cases.width())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> i32 {
        self.0.predict(s, row).map_or(NONE, |class| class as i32)
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (class, vote) in self.0.neighbour_votes(s, row) {
            out[class as usize] += vote;
        }
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|score| *score /= total);
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: usize, weight: f64) {
        self.0.learn(s, row, label as u32, weight);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.0.bytes()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        self.0.vitals()
    }

    fn save(&self, out: &mut Writer) {
        self.0.save(out, |out, class| out.whole(class.into()));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        let classes = self.0.classes;
        self.0.load(from, |from| Ok(from.below(classes)? as u32))
    }
}

/// IBLStreams for regression: weighted mean of the neighbours, or a local linear fit.
#[derive(Debug, Clone)]
pub struct IblStreamsRegression(CaseBase<f64>);

impl IblStreamsRegression {
    /// A new, untrained learner.
    pub fn new(columns: &[Column], settings: Settings) -> Self {
        Self(CaseBase::new(0, columns, settings))
    }
}

impl NativeModel for IblStreamsRegression {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        Some(self.0.cases.width())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> f64 {
        self.0.predict(s, row).unwrap_or(f64::NAN)
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: f64, weight: f64) {
        self.0.learn(s, row, label, weight);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.0.bytes()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        self.0.vitals()
    }

    fn save(&self, out: &mut Writer) {
        self.0.save(out, Writer::real);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.0.load(from, label)
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    Ok(Model::of(IblStreams::new(shape.classes, &shape.columns, Settings::read(p)?)))
}

/// Make the learner for regression.
pub(super) fn make_regression(p: &Parameters, shape: &Shape) -> Result<Model> {
    Ok(Model::of(IblStreamsRegression::new(&shape.columns, Settings::read_for_numbers(p)?)))
}
