//! A native learner of transformed rows.

use std::mem::take;

use crate::error::{Result, parameter};
use crate::kernels::Simd;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::{LearnerRecipe, Shape};
use crate::learners::{Native, Reader, Target, Writer};
use crate::parameters::Parameters;
use crate::preprocessing::{Chain, Scratch};

/// Transformers, and the learner of the rows that they make.
///
/// An item is predicted with its row transformed by the statistics of the items learned before. To
/// learn an item is to update the statistics with its row, to transform the row by the updated
/// statistics, and to train the learner inside with it.
pub struct Pipeline<T: Target> {
    chain: Chain,
    learner: Box<dyn Native<T>>,
    /// Number of cells per row; None if the learner inside does not read rows.
    width: Option<usize>,
    scratch: Scratch,
}

impl<T: Target> Pipeline<T> {
    fn new(chain: Chain, learner: Box<dyn Native<T>>, width: usize) -> Self {
        let width = learner.width().map(|_| width);
        Self { chain, learner, width, scratch: Scratch::default() }
    }

    fn transform(&self, row: &[f64], scratch: &mut Scratch) {
        if self.width.is_some() {
            self.chain.transform(row, scratch);
        }
    }
}

impl<T: Target> NativeModel for Pipeline<T> {
    type Target = T;

    fn classes(&self) -> usize {
        self.learner.classes()
    }

    fn width(&self) -> Option<usize> {
        self.width
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _: S, item: u64, row: &[f64]) -> T {
        let mut scratch = Scratch::default();
        self.transform(row, &mut scratch);
        self.learner.predict_one(item, &scratch.row)
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, _: S, item: u64, row: &[f64], out: &mut [f64]) {
        let mut scratch = Scratch::default();
        self.transform(row, &mut scratch);
        self.learner.scores_one(item, &scratch.row, out);
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _: S, row: &[f64], label: T::Known, weight: f64) {
        let mut scratch = take(&mut self.scratch);
        if self.width.is_some() {
            self.chain.learn(row, weight, &mut scratch);
        }
        self.learner.learn_one(&scratch.row, label, weight);
        self.scratch = scratch;
    }

    #[inline(always)]
    fn predict_then_learn<S: Simd>(
        &mut self,
        s: S,
        item: u64,
        row: &[f64],
        label: T::Known,
        weight: f64,
    ) -> T {
        let mut scratch = take(&mut self.scratch);
        self.transform(row, &mut scratch);
        let prediction = self.learner.predict_one(item, &scratch.row);
        self.scratch = scratch;
        NativeModel::learn(self, s, row, label, weight);
        prediction
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.chain.bytes() + self.learner.bytes() + self.scratch.bytes()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        self.learner.vitals()
    }

    fn save(&self, out: &mut Writer) {
        self.chain.save(out);
        self.learner.save(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.chain.load(from)?;
        self.learner.load(from)
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let (chain, columns) = Chain::new(p.members("transformers")?, &shape.columns)?;
    let [(name, parameters)] = p.members("learner")? else {
        return Err(parameter("pipeline", "learner", "one learner", "several or none"));
    };
    let (name, parameters, width) = (name.clone(), parameters.clone(), shape.columns.len());
    let inside = LearnerRecipe { name, parameters, shape: Shape { columns, ..shape.clone() } };
    Ok(match inside.make()? {
        Model::Classes(learner) => Model::of(Pipeline::new(chain, learner, width)),
        Model::Reals(learner) => Model::of(Pipeline::new(chain, learner, width)),
    })
}
