//! A learner described by name, parameters and stream: what is needed to make one.

use std::fmt;

use super::{Column, LEARNERS, Model};
use crate::error::{Result, parameter};
use crate::parameters::Parameters;

/// What a learner depends on when it is made: columns, classes and the seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The type of each column of x.
    pub columns: Vec<Column>,
    /// Number of declared classes; 0: the target is a real number.
    pub classes: usize,
    /// The seed of its draws.
    pub seed: u64,
}

/// A learner's name and parameters, and the stream it is for.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnerRecipe {
    /// The learner's name.
    pub name: String,
    /// Its parameters.
    pub parameters: Parameters,
    /// The stream's columns and classes, and the seed.
    pub shape: Shape,
}

impl LearnerRecipe {
    /// Make an untrained learner.
    pub fn make(&self) -> Result<Model> {
        let Some((_, make)) = LEARNERS.iter().find(|(name, _)| *name == self.name) else {
            return Err(parameter("learner", "name", "that of a native learner", &self.name));
        };
        make(&self.parameters, &self.shape)
    }
}

/// Columns as text: 0 for a numeric column, the number of values of a nominal one, each after a
/// space.
pub(crate) fn written(columns: &[Column]) -> String {
    let values = |column: &Column| match column {
        Column::Numeric => 0,
        Column::Nominal(values) => *values,
    };
    columns.iter().fold(String::new(), |text, column| format!("{text} {}", values(column)))
}

/// `perceptron(learning_rate=1.0) for columns 0 0 3, classes 2, seed 0`; a numeric column is 0, a
/// nominal column its number of values.
impl fmt::Display for LearnerRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { columns, classes, seed } = &self.shape;
        write!(f, "{}({}) for columns{}", self.name, self.parameters, written(columns))?;
        write!(f, ", classes {classes}, seed {seed}")
    }
}
