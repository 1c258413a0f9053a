//! Cells minus the smallest so far, divided by the range so far.

use super::Transformer;
use super::columns::{chosen, numeric};
use crate::error::Result;
use crate::learners::{Column, Reader, Writer, bounded, held};
use crate::parameters::Parameters;

/// Scaling to the range from 0 to 1 of the rows learned.
struct MinMaxScaler {
    columns: Vec<Column>,
    which: Vec<usize>,
    least: Vec<f64>,
    most: Vec<f64>,
    clip: bool,
}

impl Transformer for MinMaxScaler {
    fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    fn learn(&mut self, row: &[f64], _: f64) {
        for (k, &i) in self.which.iter().enumerate() {
            if !row[i].is_nan() {
                let cell = bounded(row[i]);
                self.least[k] = self.least[k].min(cell);
                self.most[k] = self.most[k].max(cell);
            }
        }
    }

    fn transform(&self, row: &[f64], out: &mut Vec<f64>) {
        let start = out.len();
        out.extend_from_slice(row);
        for (k, &i) in self.which.iter().enumerate() {
            let cell = &mut out[start + i];
            if cell.is_nan() {
                continue;
            }
            let (least, range) = (self.least[k], self.most[k] - self.least[k]);
            // Before the first value the range is -inf.
            let scaled = if range > 0.0 { bounded((bounded(*cell) - least) / range) } else { 0.0 };
            *cell = if self.clip { scaled.clamp(0.0, 1.0) } else { scaled };
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + held(&self.columns)
            + held(&self.which)
            + held(&self.least)
            + held(&self.most)
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&self.least);
        out.reals(&self.most);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        from.reals(&mut self.least)?;
        from.reals(&mut self.most)
    }
}

/// Make the transformer from its parameters, for the columns of a stream.
pub(super) fn make(p: &Parameters, columns: &[Column]) -> Result<Box<dyn Transformer>> {
    let (which, clip) = (chosen(p, columns, numeric)?, p.flag("clip")?);
    let (least, most) = (vec![f64::INFINITY; which.len()], vec![f64::NEG_INFINITY; which.len()]);
    Ok(Box::new(MinMaxScaler { columns: columns.to_vec(), which, least, most, clip }))
}
