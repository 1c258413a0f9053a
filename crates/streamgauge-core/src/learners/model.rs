//! A native learner of either target.

use crate::error::Result;
use crate::learners::native::NativeModel;
use crate::learners::{Native, Reader, Writer};

/// A learner of class codes or of real numbers. `of_either_target!` distinguishes the two.
pub enum Model {
    /// It predicts class codes.
    Classes(Box<dyn Native<i32>>),
    /// It predicts real numbers.
    Reals(Box<dyn Native<f64>>),
}

/// Evaluate an expression for the `Native` learner inside a `Model`, whichever its target: the
/// expression is compiled once with `learner: Native<i32>`, once with `learner: Native<f64>`.
#[macro_export]
macro_rules! of_either_target {
    ($model:expr, $learner:ident => $value:expr) => {
        match $model {
            $crate::learners::Model::Classes($learner) => $value,
            $crate::learners::Model::Reals($learner) => $value,
        }
    };
}

impl Model {
    /// A model of any learner.
    pub(super) fn of<L>(learner: L) -> Self
    where
        L: NativeModel + 'static,
        Self: From<Box<dyn Native<L::Target>>>,
    {
        let learner: Box<dyn Native<L::Target>> = Box::new(learner);
        learner.into()
    }

    /// Whether it predicts class codes; only then are there scores.
    pub fn has_scores(&self) -> bool {
        matches!(self, Self::Classes(_))
    }

    /// Number of cells per row. None: rows are never read.
    pub fn width(&self) -> Option<usize> {
        of_either_target!(self, learner => learner.width())
    }

    /// Bytes the model holds.
    pub fn bytes(&self) -> usize {
        of_either_target!(self, learner => learner.bytes())
    }

    /// Named statistics of the model.
    pub fn vitals(&self) -> Vec<(&'static str, f64)> {
        of_either_target!(self, learner => learner.vitals())
    }

    /// Write the full state.
    pub(super) fn save(&self, out: &mut Writer) {
        of_either_target!(self, learner => learner.save(out));
    }

    /// Restore the state written by an equal learner.
    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        of_either_target!(self, learner => learner.load(from))
    }
}

impl From<Box<dyn Native<i32>>> for Model {
    fn from(learner: Box<dyn Native<i32>>) -> Self {
        Self::Classes(learner)
    }
}

impl From<Box<dyn Native<f64>>> for Model {
    fn from(learner: Box<dyn Native<f64>>) -> Self {
        Self::Reals(learner)
    }
}
