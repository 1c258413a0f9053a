//! Missing cells filled by a statistic of the known ones.

use super::Transformer;
use super::columns::{chosen, code};
use super::sorted_window::SortedWindow;
use crate::error::{Result, parameter};
use crate::learners::{Column, Reader, Writer, bounded, held};
use crate::parameters::Parameters;

/// The statistic that fills the missing cells of a column.
#[derive(Debug, Clone)]
enum Fill {
    /// Nothing is learned.
    Constant,
    /// Weight and mean of the known cells.
    Mean { weight: f64, mean: f64 },
    /// The median in a window.
    Median(SortedWindow),
    /// The most frequent number in a window.
    Mode(SortedWindow),
    /// Weight of each declared value of a nominal column.
    Values(Vec<f64>),
}

impl Fill {
    fn learn(&mut self, cell: f64, weight: f64) {
        match self {
            Self::Constant => {}
            Self::Mean { .. } if cell.is_nan() => {}
            Self::Mean { weight: total, mean } => {
                *total += weight;
                *mean += weight / *total * (bounded(cell) - *mean);
            }
            Self::Median(window) | Self::Mode(window) => window.add(cell),
            Self::Values(weights) => {
                if let Some(code) = code(cell, weights.len()) {
                    weights[code] += weight;
                }
            }
        }
    }

    /// The number in place of a missing cell; `constant` before a numeric one is known.
    fn value(&self, constant: f64) -> f64 {
        match self {
            Self::Constant => constant,
            Self::Mean { weight, mean } => {
                if *weight > 0.0 {
                    *mean
                } else {
                    constant
                }
            }
            Self::Median(window) => window.quantile(0.5).unwrap_or(constant),
            Self::Mode(window) => window.mode().unwrap_or(constant),
            Self::Values(weights) => {
                let mut best = 0;
                for (code, weight) in weights.iter().enumerate() {
                    best = if *weight > weights[best] { code } else { best };
                }
                best as f64
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Constant | Self::Mean { .. } => 0,
            Self::Median(window) | Self::Mode(window) => window.bytes(),
            Self::Values(weights) => held(weights),
        }
    }
}

/// Imputation by the known cells of the rows learned.
struct Imputer {
    columns: Vec<Column>,
    which: Vec<usize>,
    fills: Vec<Fill>,
    constant: f64,
}

impl Transformer for Imputer {
    fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    fn learn(&mut self, row: &[f64], weight: f64) {
        for (fill, &i) in self.fills.iter_mut().zip(&self.which) {
            fill.learn(row[i], weight);
        }
    }

    fn transform(&self, row: &[f64], out: &mut Vec<f64>) {
        let start = out.len();
        out.extend_from_slice(row);
        for (fill, &i) in self.fills.iter().zip(&self.which) {
            if row[i].is_nan() {
                out[start + i] = fill.value(self.constant);
            }
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + held(&self.columns)
            + held(&self.which)
            + held(&self.fills)
            + self.fills.iter().map(Fill::bytes).sum::<usize>()
    }

    fn save(&self, out: &mut Writer) {
        for fill in &self.fills {
            match fill {
                Fill::Constant => {}
                Fill::Mean { weight, mean } => out.reals(&[*weight, *mean]),
                Fill::Median(window) | Fill::Mode(window) => window.save(out),
                Fill::Values(weights) => out.reals(weights),
            }
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        for fill in &mut self.fills {
            match fill {
                Fill::Constant => {}
                Fill::Mean { weight, mean } => (*weight, *mean) = (from.real()?, from.real()?),
                Fill::Median(window) | Fill::Mode(window) => window.load(from)?,
                Fill::Values(weights) => from.reals(weights)?,
            }
        }
        Ok(())
    }
}

/// Make the transformer from its parameters, for the columns of a stream.
pub(super) fn make(p: &Parameters, columns: &[Column]) -> Result<Box<dyn Transformer>> {
    let which = chosen(p, columns, |_| true)?;
    let (constant, size) = (p.real("fill_value")?, p.whole("window_size")?);
    let number = match p.word("strategy")? {
        "constant" => Fill::Constant,
        "mean" => Fill::Mean { weight: 0.0, mean: 0.0 },
        "median" => Fill::Median(SortedWindow::new(size)),
        "most_frequent" => Fill::Mode(SortedWindow::new(size)),
        other => return Err(parameter("imputer", "strategy", "a known strategy", other)),
    };
    let fill = |&i: &usize| match columns[i] {
        Column::Numeric => number.clone(),
        Column::Nominal(values) => Fill::Values(vec![0.0; values]),
    };
    let fills = which.iter().map(fill).collect();
    Ok(Box::new(Imputer { columns: columns.to_vec(), which, fills, constant }))
}
