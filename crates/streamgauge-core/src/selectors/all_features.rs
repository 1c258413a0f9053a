//! All features: the reference that selects nothing away.

use super::Selector;
use super::rule::Rule;
use super::selection::Selection;
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::{Reader, Shape, Writer};
use crate::parameters::Parameters;

struct AllFeatures;

impl Rule for AllFeatures {
    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, _row: &[f64], _class: usize, _weight: f64) -> bool {
        false
    }

    fn select(&self, selected: &mut [bool]) {
        selected.fill(true);
    }

    fn scores(&self, out: &mut [f64]) {
        out.fill(f64::NAN);
    }

    fn bytes(&self) -> usize {
        0
    }

    fn save(&self, _out: &mut Writer) {}

    fn load(&mut self, _from: &mut Reader<'_>) -> Result<()> {
        Ok(())
    }
}

/// Make the selector for the columns and classes of a stream.
#[allow(clippy::unnecessary_wraps, reason = "the signature of all selectors")]
pub(super) fn make(_: &Parameters, shape: &Shape) -> Result<Box<dyn Selector>> {
    Ok(Box::new(Selection::new(AllFeatures, shape.columns.len(), shape.classes)))
}
