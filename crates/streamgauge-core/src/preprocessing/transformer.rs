//! The interface of a transformer.

use crate::error::Result;
use crate::learners::{Column, Reader, Writer};

/// Changes rows before a learner gets them. NaN is a missing cell.
pub trait Transformer: Send + Sync {
    /// The columns of the rows that it makes.
    fn columns(&self) -> Vec<Column>;

    /// Update the statistics with a row. The weight is above 0.
    fn learn(&mut self, row: &[f64], weight: f64);

    /// Append the transformed row to `out`.
    fn transform(&self, row: &[f64], out: &mut Vec<f64>);

    /// Bytes that it holds.
    fn bytes(&self) -> usize;

    /// Write the full state.
    fn save(&self, out: &mut Writer);

    /// Restore the state written by an equal transformer.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<()>;
}
