//! The trait that a native selector implements.

use crate::error::{Result, parameter};
use crate::kernels::Simd;
use crate::learners::{Reader, Shape, Writer};
use crate::parameters::Parameters;

/// How features are selected, from one labelled item at a time.
pub(super) trait Rule: Send + Sync {
    /// Learn a labelled item; returns whether the selected features may have changed. The weight
    /// is above 0. The class is 0 where the target is real.
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], class: usize, weight: f64) -> bool;

    /// Mark the features that are selected now.
    fn select(&self, selected: &mut [bool]);

    /// One number per feature by which features are ranked; NaN if there is none.
    fn scores(&self, out: &mut [f64]);

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// Named statistics.
    fn vitals(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Write the full state.
    fn save(&self, out: &mut Writer);

    /// Restore the state written by an equal rule.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<()>;
}

/// The number of features to select: from 1 to the number of features.
pub(super) fn n_features(who: &'static str, p: &Parameters, shape: &Shape) -> Result<usize> {
    let (count, most) = (p.whole("n_features")?, shape.columns.len());
    if count == 0 {
        return Err(parameter(who, "n_features", "at least 1", count));
    }
    if count > most {
        let must = format!("at most {most}, the number of features of the stream");
        return Err(parameter(who, "n_features", must, count));
    }
    Ok(count)
}
