//! Native learners. One file each; the engine drives them chunk by chunk.

mod classifier;
mod items;
mod last_value;
mod linear;
mod linear_regression;
mod logistic_regression;
mod majority_class;
mod naive_bayes;
mod perceptron;
mod persistent;
mod prior_random;
mod recursive_least_squares;
mod regressor;
mod state;
mod target_mean;

pub use classifier::Classifier;
pub use items::Items;
pub use last_value::LastValue;
pub use linear::{Loss, OneVsRest};
pub use linear_regression::LinearRegression;
pub use logistic_regression::{Logarithmic, LogisticRegression};
pub use majority_class::MajorityClass;
pub use naive_bayes::NaiveBayes;
pub use perceptron::{Hinge, Perceptron};
pub use persistent::Persistent;
pub use prior_random::PriorRandom;
pub use recursive_least_squares::RecursiveLeastSquares;
pub use regressor::Regressor;
pub use state::{Reader, Writer};
pub use target_mean::TargetMean;

/// What a column of x holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Any finite number.
    Numeric,
    /// Codes of this many declared values.
    Nominal(usize),
}
