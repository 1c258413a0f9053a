//! Cells minus the median, divided by the range between two quantiles, of the last values.

use super::Transformer;
use super::columns::{chosen, numeric};
use super::sorted_window::SortedWindow;
use crate::error::Result;
use crate::learners::{Column, Reader, Writer, bounded, held};
use crate::parameters::Parameters;

/// Scaling by quantiles, which few outliers hardly change.
struct RobustScaler {
    columns: Vec<Column>,
    which: Vec<usize>,
    windows: Vec<SortedWindow>,
    /// Lower and upper quantile.
    range: (f64, f64),
    medians: Vec<f64>,
    /// 1 by the distance of the two quantiles; 0 where it is 0.
    scales: Vec<f64>,
}

impl RobustScaler {
    fn update(&mut self, k: usize) {
        let window = &self.windows[k];
        let (low, high) = (window.quantile(self.range.0), window.quantile(self.range.1));
        if let (Some(median), Some(low), Some(high)) = (window.quantile(0.5), low, high) {
            self.medians[k] = median;
            self.scales[k] = if high > low { bounded(1.0 / (high - low)) } else { 0.0 };
        }
    }
}

impl Transformer for RobustScaler {
    fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    fn learn(&mut self, row: &[f64], _: f64) {
        for k in 0..self.which.len() {
            self.windows[k].add(row[self.which[k]]);
            self.update(k);
        }
    }

    fn transform(&self, row: &[f64], out: &mut Vec<f64>) {
        let start = out.len();
        out.extend_from_slice(row);
        for (k, &i) in self.which.iter().enumerate() {
            let cell = &mut out[start + i];
            if !cell.is_nan() {
                *cell = bounded((bounded(*cell) - self.medians[k]) * self.scales[k]);
            }
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + held(&self.columns)
            + held(&self.which)
            + held(&self.windows)
            + self.windows.iter().map(SortedWindow::bytes).sum::<usize>()
            + held(&self.medians)
            + held(&self.scales)
    }

    fn save(&self, out: &mut Writer) {
        self.windows.iter().for_each(|window| window.save(out));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.windows.iter_mut().try_for_each(|window| window.load(from))?;
        (0..self.which.len()).for_each(|k| self.update(k));
        Ok(())
    }
}

/// Make the transformer from its parameters, for the columns of a stream.
pub(super) fn make(p: &Parameters, columns: &[Column]) -> Result<Box<dyn Transformer>> {
    let which = chosen(p, columns, numeric)?;
    let windows = vec![SortedWindow::new(p.whole("window_size")?); which.len()];
    let range = (p.real("q_inf")?, p.real("q_sup")?);
    let (medians, scales) = (vec![0.0; which.len()], vec![0.0; which.len()]);
    let columns = columns.to_vec();
    Ok(Box::new(RobustScaler { columns, which, windows, range, medians, scales }))
}
