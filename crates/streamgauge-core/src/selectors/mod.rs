//! Online feature selectors: which features of a stream a learner gets. One file each.
//!
//! A selector learns labelled items, one at a time, and keeps a set of selected features. A
//! `Selection` combines a rule with its current set and is what learners use. A selector is added
//! here by two lines: `mod`, and its line in `SELECTORS`.

mod all_features;
mod features;
mod fires;
mod hazard;
mod information_gain;
mod largest;
mod largest_variance;
mod means;
mod ofs;
mod random_features;
mod recipe;
mod rule;
mod selection;

pub use recipe::SelectorRecipe;
pub use selection::{SelectionChanges, Selector};

use crate::error::Result;
use crate::learners::Shape;
use crate::parameters::Parameters;

/// Make a selector from its parameters, for the columns and classes of a stream.
type Make = fn(&Parameters, &Shape) -> Result<Box<dyn Selector>>;

/// The `make` of every native selector, by the selector's name.
const SELECTORS: &[(&str, Make)] = &[
    ("all_features", all_features::make),
    ("fires", fires::make),
    ("information_gain", information_gain::make),
    ("largest_variance", largest_variance::make),
    ("ofs", ofs::make),
    ("random_features", random_features::make),
];
