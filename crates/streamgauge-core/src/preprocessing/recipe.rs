//! A transformer described by name, parameters and columns: what is needed to make one.

use std::fmt;

use super::{TRANSFORMERS, Transformer};
use crate::error::{Result, parameter};
use crate::learners::{Column, framed, unframed, written};
use crate::parameters::Parameters;

/// A transformer's name and parameters, and the columns of the rows that it gets.
#[derive(Debug, Clone, PartialEq)]
pub struct TransformerRecipe {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Parameters,
    /// The type of each column.
    pub columns: Vec<Column>,
}

impl TransformerRecipe {
    /// Make a transformer that has learned nothing.
    pub fn make(&self) -> Result<Box<dyn Transformer>> {
        let Some((_, make)) = TRANSFORMERS.iter().find(|(name, _)| *name == self.name) else {
            return Err(parameter("transformer", "name", "that of a transformer", &self.name));
        };
        make(&self.parameters, &self.columns)
    }

    /// The state of a transformer as the bytes of a file.
    pub fn to_bytes(&self, one: &dyn Transformer) -> Vec<u8> {
        framed(&self.to_string(), |out| one.save(out))
    }

    /// A transformer with the state from the bytes of a file.
    pub fn from_bytes(&self, bytes: &[u8]) -> Result<Box<dyn Transformer>> {
        let mut from = unframed(&self.to_string(), bytes)?;
        let mut one = self.make()?;
        one.load(&mut from)?;
        from.end()?;
        Ok(one)
    }
}

/// `min_max_scaler(clip=false) for columns 0 0 3`.
impl fmt::Display for TransformerRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}) for columns{}", self.name, self.parameters, written(&self.columns))
    }
}
