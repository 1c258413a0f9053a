//! Cells minus the mean so far, divided by the standard deviation so far.

use super::Transformer;
use super::columns::{chosen, numeric};
use crate::error::Result;
use crate::kernels::{LANES, Plain, Simd};
use crate::learners::{Column, Moments, Reader, Writer, bounded, held, load_cells};
use crate::parameters::Parameters;

/// Standardisation by running moments (Welford), which the linear learners have too.
struct StandardScaler {
    columns: Vec<Column>,
    which: Vec<usize>,
    moments: Moments,
    /// 1 by the standard deviation; 0 where it is 0.
    scales: Vec<f64>,
    /// The chosen cells of the row that is learned.
    cells: Vec<f64>,
}

impl Transformer for StandardScaler {
    fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    fn learn(&mut self, row: &[f64], weight: f64) {
        self.cells.clear();
        self.cells.extend(self.which.iter().map(|&i| row[i]));
        let (s, weight) = (Plain, Plain.splat(weight));
        for (g, cells) in self.cells.chunks(LANES).enumerate() {
            self.moments.learn_group(s, g, load_cells(s, cells), weight);
            for (j, scale) in self.scales[g * LANES..].iter_mut().take(cells.len()).enumerate() {
                let (total, squares) = (self.moments.weights[g].0[j], self.moments.squares[g].0[j]);
                *scale = if squares > 0.0 { bounded((total / squares).sqrt()) } else { 0.0 };
            }
        }
    }

    fn transform(&self, row: &[f64], out: &mut Vec<f64>) {
        let start = out.len();
        out.extend_from_slice(row);
        for (k, &i) in self.which.iter().enumerate() {
            let cell = &mut out[start + i];
            if !cell.is_nan() {
                let mean = self.moments.means[k / LANES].0[k % LANES];
                *cell = bounded((bounded(*cell) - mean) * self.scales[k]);
            }
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + held(&self.columns)
            + held(&self.which)
            + self.moments.bytes()
            + held(&self.scales)
            + held(&self.cells)
    }

    fn save(&self, out: &mut Writer) {
        self.moments.save(out);
        out.reals(&self.scales);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.moments.load(from)?;
        from.reals(&mut self.scales)
    }
}

/// Make the transformer from its parameters, for the columns of a stream.
pub(super) fn make(p: &Parameters, columns: &[Column]) -> Result<Box<dyn Transformer>> {
    let which = chosen(p, columns, numeric)?;
    let (moments, scales) = (Moments::new(which.len()), vec![0.0; which.len()]);
    let cells = Vec::with_capacity(which.len());
    Ok(Box::new(StandardScaler { columns: columns.to_vec(), which, moments, scales, cells }))
}
