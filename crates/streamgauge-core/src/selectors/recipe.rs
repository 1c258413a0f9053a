//! A selector described by name, parameters and stream: what is needed to make one.

use std::fmt;

use super::{SELECTORS, Selector};
use crate::error::{Result, parameter};
use crate::learners::{self, framed, unframed};

/// A selector's name and parameters, and the stream it is for: written as that of a learner.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectorRecipe(pub learners::LearnerRecipe);

impl SelectorRecipe {
    /// Make a selector that has learned nothing.
    pub fn make(&self) -> Result<Box<dyn Selector>> {
        let learners::LearnerRecipe { name, parameters, shape } = &self.0;
        let Some((_, make)) = SELECTORS.iter().find(|(known, _)| known == name) else {
            return Err(parameter("selector", "name", "that of a native selector", name));
        };
        make(parameters, shape)
    }

    /// The state of a selector made by this recipe, as the bytes of a file.
    pub fn to_bytes(&self, selector: &dyn Selector) -> Vec<u8> {
        framed(&self.to_string(), |out| selector.save(out))
    }

    /// A selector made by this recipe, in the state that the bytes of a file hold.
    pub fn from_bytes(&self, bytes: &[u8]) -> Result<Box<dyn Selector>> {
        let mut from = unframed(&self.to_string(), bytes)?;
        let mut selector = self.make()?;
        selector.load(&mut from)?;
        from.end()?;
        Ok(selector)
    }
}

/// `ofs(n_features=2, …) for columns 0 0 3, classes 2, seed 0`.
impl fmt::Display for SelectorRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
