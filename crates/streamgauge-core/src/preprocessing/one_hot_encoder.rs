//! Nominal columns as indicators of their declared values.

use super::Transformer;
use super::columns::{chosen, code, nominal};
use crate::error::Result;
use crate::learners::{Column, Reader, Writer, held};
use crate::parameters::Parameters;

/// One column of 0 and 1 for each declared value of a nominal column, in place of that column.
struct OneHotEncoder {
    columns: Vec<Column>,
    /// Whether each column is encoded.
    encoded: Vec<bool>,
}

impl Transformer for OneHotEncoder {
    fn columns(&self) -> Vec<Column> {
        let mut made = Vec::new();
        for (&column, &encoded) in self.columns.iter().zip(&self.encoded) {
            match column {
                Column::Nominal(values) if encoded => {
                    made.extend(std::iter::repeat_n(Column::Numeric, values));
                }
                kept => made.push(kept),
            }
        }
        made
    }

    fn learn(&mut self, _: &[f64], _: f64) {}

    fn transform(&self, row: &[f64], out: &mut Vec<f64>) {
        for ((&column, &encoded), &cell) in self.columns.iter().zip(&self.encoded).zip(row) {
            match column {
                Column::Nominal(values) if encoded => {
                    let start = out.len();
                    out.resize(start + values, 0.0);
                    if let Some(code) = code(cell, values) {
                        out[start + code] = 1.0;
                    }
                }
                _ => out.push(cell),
            }
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + held(&self.columns) + held(&self.encoded)
    }

    fn save(&self, _: &mut Writer) {}

    fn load(&mut self, _: &mut Reader<'_>) -> Result<()> {
        Ok(())
    }
}

/// Make the transformer from its parameters, for the columns of a stream.
pub(super) fn make(p: &Parameters, columns: &[Column]) -> Result<Box<dyn Transformer>> {
    let which = chosen(p, columns, nominal)?;
    let encoded = (0..columns.len()).map(|i| which.contains(&i)).collect();
    Ok(Box::new(OneHotEncoder { columns: columns.to_vec(), encoded }))
}
