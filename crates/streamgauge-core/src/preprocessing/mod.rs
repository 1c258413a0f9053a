//! Transformers of rows before a learner: scalers, imputation, encodings. One file each.
//!
//! A transformer has statistics of the rows that were learned. Transforming changes nothing; only
//! `learn` updates the statistics, and a row that is learned is transformed afterwards.

mod chain;
mod columns;
mod date_parts;
mod imputer;
mod min_max_scaler;
mod one_hot_encoder;
mod recipe;
mod robust_scaler;
mod sorted_window;
mod standard_scaler;
mod transformer;

pub(crate) use chain::{Chain, Scratch};
pub use recipe::TransformerRecipe;
pub use transformer::Transformer;

use crate::error::Result;
use crate::learners::Column;
use crate::parameters::Parameters;

/// Make a transformer that has learned nothing, for rows of these columns.
type Make = fn(&Parameters, &[Column]) -> Result<Box<dyn Transformer>>;

/// The `make` of every transformer, by its name.
const TRANSFORMERS: &[(&str, Make)] = &[
    ("date_parts", date_parts::make),
    ("imputer", imputer::make),
    ("min_max_scaler", min_max_scaler::make),
    ("one_hot_encoder", one_hot_encoder::make),
    ("robust_scaler", robust_scaler::make),
    ("standard_scaler", standard_scaler::make),
];
