//! Bagging of Hoeffding trees that replaces its worst member when an error rate increases.

use std::sync::Arc;

use super::increase_detector::IncreaseDetector;
use super::poisson::Poisson;
use super::{add_votes, is_correct, most_voted, normalise};
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::hoeffding_tree::{HoeffdingTreeParameters, Tree, TreeLayout};
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// Parameters of bagging.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BaggingParameters {
    /// Number of trees.
    pub members: usize,
    /// Mean of the Poisson weight of an item in a member.
    pub rate: f64,
    /// Confidence of ADWIN.
    pub delta: f64,
    /// Whether a replacement member learns the item at which it is created.
    pub train_replacement: bool,
}

impl BaggingParameters {
    /// Read from named parameters.
    pub(crate) fn of(p: &Parameters, train_replacement: bool) -> crate::Result<Self> {
        let (members, rate, delta) =
            (p.whole("n_models")?, p.real("lambda_value")?, p.real("drift_delta")?);
        Ok(Self { members, rate, delta, train_replacement })
    }
}

/// Trees that learn each item with a Poisson weight and vote; when the error rate of one has
/// increased, the one with the highest error rate is replaced.
#[derive(Debug, Clone)]
pub struct Bagging {
    parameters: BaggingParameters,
    trees: Vec<Tree>,
    errors: Vec<IncreaseDetector>,
    poisson: Poisson,
    learned: u64,
    drifts: u64,
    layout: Arc<TreeLayout>,
    votes: Vec<f64>,
    shares: Vec<f64>,
}

impl Bagging {
    /// A new, untrained learner.
    pub fn new(
        classes: usize,
        columns: &[Column],
        tree_parameters: HoeffdingTreeParameters,
        parameters: BaggingParameters,
        seed: u64,
    ) -> crate::Result<Self> {
        let layout = Arc::new(TreeLayout::new(classes, columns, tree_parameters, None, 0));
        Ok(Self {
            trees: (0..parameters.members).map(|_| Tree::new(layout.clone())).collect(),
            errors: vec![IncreaseDetector::new(parameters.delta)?; parameters.members],
            poisson: Poisson::new(parameters.rate, seed),
            parameters,
            learned: 0,
            drifts: 0,
            votes: vec![0.0; classes],
            shares: vec![0.0; classes],
            layout,
        })
    }

    #[inline(always)]
    fn vote(&self, row: &[f64], votes: &mut [f64], shares: &mut [f64]) {
        votes.fill(0.0);
        for tree in &self.trees {
            tree.scores_row(row, shares);
            add_votes(shares, 1.0, votes);
        }
    }

    /// Update the detector of a member after it has learned; true if its error rate increased.
    #[inline(always)]
    fn update_detector(&mut self, member: usize, row: &[f64], label: usize) -> bool {
        let prediction = self.trees[member].predict_row(row);
        self.errors[member].observe(is_correct(prediction, label))
    }

    /// Replace the member with the highest error rate; None if all are 0.
    #[cold]
    #[inline(never)]
    fn replace_worst(&mut self) -> Option<usize> {
        self.drifts += 1;
        let (mut worst, mut highest) = (None, 0.0);
        for (member, error) in self.errors.iter().enumerate() {
            if error.share() > highest {
                (worst, highest) = (Some(member), error.share());
            }
        }
        if let Some(member) = worst {
            self.trees[member] = self.trees[member].untrained();
            self.errors[member].reset();
        }
        worst
    }

    #[inline(always)]
    fn after(&mut self, increased: bool, row: &[f64], label: usize, weight: f64) {
        self.learned += 1;
        if increased
            && let Some(member) = self.replace_worst()
            && self.parameters.train_replacement
        {
            self.trees[member].learn_row(row, label, weight);
        }
    }
}

impl NativeModel for Bagging {
    type Target = i32;

    fn classes(&self) -> usize {
        self.votes.len()
    }

    fn width(&self) -> Option<usize> {
        Some(self.layout.width)
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, _item: u64, row: &[f64]) -> i32 {
        let mut votes = vec![0.0; self.votes.len()];
        let mut shares = vec![0.0; self.votes.len()];
        self.vote(row, &mut votes, &mut shares);
        most_voted(&votes)
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, _s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        let mut shares = vec![0.0; out.len()];
        self.vote(row, out, &mut shares);
        normalise(out);
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], label: usize, weight: f64) {
        let mut increased = false;
        for member in 0..self.trees.len() {
            let times = self.poisson.draw(member, self.learned);
            if times > 0.0 {
                self.trees[member].learn_row(row, label, weight * times);
            }
            increased |= self.update_detector(member, row, label);
        }
        self.after(increased, row, label, weight);
    }

    #[inline(always)]
    fn predict_then_learn<S: Simd>(
        &mut self,
        _s: S,
        _item: u64,
        row: &[f64],
        label: usize,
        weight: f64,
    ) -> i32 {
        let mut increased = false;
        self.votes.fill(0.0);
        for member in 0..self.trees.len() {
            let times = self.poisson.draw(member, self.learned);
            let Self { trees, shares, votes, .. } = self;
            let tree = &mut trees[member];
            if times > 0.0 {
                tree.score_then_learn_row(row, label, weight * times, shares);
            } else {
                tree.scores_row(row, shares);
            }
            add_votes(shares, 1.0, votes);
            increased |= self.update_detector(member, row, label);
        }
        let prediction = most_voted(&self.votes);
        self.after(increased, row, label, weight);
        prediction
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.trees.iter().map(Tree::bytes).sum::<usize>()
            + held(&self.errors)
            + self.errors.iter().map(IncreaseDetector::bytes).sum::<usize>()
            + self.poisson.bytes()
            + self.layout.bytes()
            + held(&self.votes)
            + held(&self.shares)
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let mut facts = super::adaptive_random_forest::summed(self.trees.iter());
        facts.push(("drifts", self.drifts as f64));
        facts
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.learned);
        out.whole(self.drifts);
        self.trees.iter().for_each(|tree| tree.save(out));
        self.errors.iter().for_each(|error| error.save(out));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        (self.learned, self.drifts) = (from.whole()?, from.whole()?);
        self.trees.iter_mut().try_for_each(|tree| tree.load(from))?;
        self.errors.iter_mut().try_for_each(|error| error.load(from))
    }
}

/// Make ADWIN bagging from its parameters, for the columns and classes of a stream.
pub(in crate::learners) fn make_adwin(p: &Parameters, shape: &Shape) -> Result<Model> {
    make(p, shape, true)
}

/// Make leveraging bagging from its parameters, for the columns and classes of a stream.
pub(in crate::learners) fn make_leveraging(p: &Parameters, shape: &Shape) -> Result<Model> {
    make(p, shape, false)
}

fn make(p: &Parameters, shape: &Shape, train_replacement: bool) -> Result<Model> {
    let (tree_parameters, parameters) =
        (HoeffdingTreeParameters::of(p)?, BaggingParameters::of(p, train_replacement)?);
    Ok(Model::of(Bagging::new(
        shape.classes,
        &shape.columns,
        tree_parameters,
        parameters,
        shape.seed,
    )?))
}
