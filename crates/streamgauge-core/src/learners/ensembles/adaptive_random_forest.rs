//! Adaptive random forest.

use std::sync::Arc;

use super::increase_detector::IncreaseDetector;
use super::poisson::Poisson;
use super::{add_votes, is_correct, most_voted, normalise};
use crate::NONE;
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::hoeffding_tree::{HoeffdingTreeParameters, Tree, TreeLayout};
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Column, Items, Reader, Writer};
use crate::parameters::Parameters;
use crate::seeds::mix;

/// Parameters of a forest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveRandomForestParameters {
    /// Number of trees.
    pub members: usize,
    /// Mean of the Poisson weight of an item in a tree.
    pub rate: f64,
    /// Number of columns per leaf, drawn at random.
    pub subspace: usize,
    /// Confidence of the ADWIN that starts a background tree.
    pub warning: f64,
    /// Confidence of the ADWIN that replaces a tree.
    pub drift: f64,
    /// Whether votes are weighted by the trees' accuracies.
    pub weighted: bool,
}

impl AdaptiveRandomForestParameters {
    /// Read from named parameters.
    pub(crate) fn of(p: &Parameters) -> crate::Result<Self> {
        Ok(Self {
            members: p.whole("n_models")?,
            rate: p.real("lambda_value")?,
            subspace: p.whole("max_features")?,
            warning: p.real("warning_delta")?,
            drift: p.real("drift_delta")?,
            weighted: p.flag("weighted_vote")?,
        })
    }
}

/// Hoeffding trees whose leaves use random subsets of the columns, each with two ADWINs: a warning
/// starts a background tree, a drift replaces the tree by its background tree.
#[derive(Debug, Clone)]
pub struct AdaptiveRandomForest {
    parameters: AdaptiveRandomForestParameters,
    members: Vec<Member>,
    poisson: Poisson,
    learned: u64,
    classes: usize,
    width: usize,
}

#[derive(Debug, Clone)]
struct Member {
    tree: Tree,
    /// The background tree.
    next: Option<Tree>,
    warning: IncreaseDetector,
    drift: IncreaseDetector,
    /// Weight predicted since the tree was installed, and predicted correctly.
    predicted: f64,
    correct: f64,
    warnings: u64,
    drifts: u64,
}

impl Member {
    /// Weight of its vote: its accuracy in percent; 1 before its first correct prediction, as in
    /// MOA.
    #[inline(always)]
    fn vote_weight(&self, weighted: bool) -> f64 {
        if weighted && self.correct > 0.0 { 100.0 * self.correct / self.predicted } else { 1.0 }
    }

    /// Predict, then learn.
    fn learn(
        &mut self,
        row: &[f64],
        (label, weight, times): (usize, f64, f64),
        shares: &mut [f64],
    ) {
        let prediction = if times > 0.0 {
            self.tree.score_then_learn_row(row, label, weight * times, shares)
        } else {
            self.tree.scores_row(row, shares);
            most_voted(shares)
        };
        self.predicted += weight;
        self.correct += if is_correct(prediction, label) { weight } else { 0.0 };
        if times > 0.0 {
            self.check_drift(row, label, weight);
        }
    }

    /// Train the background tree and update the detectors.
    fn check_drift(&mut self, row: &[f64], label: usize, weight: f64) {
        if let Some(next) = &mut self.next {
            next.learn_row(row, label, weight);
        }
        let correct = is_correct(self.tree.predict_row(row), label);
        if self.warning.observe(correct) {
            self.warnings += 1;
            self.next = Some(self.tree.untrained());
            self.warning.reset();
        }
        if self.drift.observe(correct) {
            self.replace();
        }
    }

    #[cold]
    #[inline(never)]
    fn replace(&mut self) {
        self.drifts += 1;
        match self.next.take() {
            Some(next) => {
                self.tree = next;
                self.warning.reset();
            }
            None => self.tree = self.tree.untrained(),
        }
        self.drift.reset();
        (self.predicted, self.correct) = (0.0, 0.0);
    }
}

impl AdaptiveRandomForest {
    /// A new, untrained learner.
    pub fn new(
        classes: usize,
        columns: &[Column],
        tree_parameters: HoeffdingTreeParameters,
        parameters: AdaptiveRandomForestParameters,
        seed: u64,
    ) -> crate::Result<Self> {
        let (warning, drift) =
            (IncreaseDetector::new(parameters.warning)?, IncreaseDetector::new(parameters.drift)?);
        let member = |nth: usize| {
            let own = mix(mix(seed) ^ nth as u64);
            let layout =
                TreeLayout::new(classes, columns, tree_parameters, Some(parameters.subspace), own);
            Member {
                tree: Tree::new(Arc::new(layout)),
                next: None,
                warning: warning.clone(),
                drift: drift.clone(),
                predicted: 0.0,
                correct: 0.0,
                warnings: 0,
                drifts: 0,
            }
        };
        Ok(Self {
            parameters,
            members: (0..parameters.members).map(member).collect(),
            poisson: Poisson::new(parameters.rate, seed),
            learned: 0,
            classes,
            width: columns.len(),
        })
    }

    fn vote(&self, row: &[f64], votes: &mut [f64], shares: &mut [f64]) {
        votes.fill(0.0);
        for member in &self.members {
            member.tree.scores_row(row, shares);
            add_votes(shares, member.vote_weight(self.parameters.weighted), votes);
        }
    }
}

impl NativeModel for AdaptiveRandomForest {
    type Target = i32;

    fn classes(&self) -> usize {
        self.classes
    }

    fn width(&self) -> Option<usize> {
        Some(self.width)
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, _item: u64, row: &[f64]) -> i32 {
        let mut votes = vec![0.0; self.classes];
        let mut shares = vec![0.0; self.classes];
        self.vote(row, &mut votes, &mut shares);
        most_voted(&votes)
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, _s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        let mut shares = vec![0.0; self.classes];
        self.vote(row, out, &mut shares);
        normalise(out);
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], label: usize, weight: f64) {
        let mut shares = vec![0.0; self.classes];
        for (nth, member) in self.members.iter_mut().enumerate() {
            let times = self.poisson.draw(nth, self.learned);
            member.learn(row, (label, weight, times), &mut shares);
        }
        self.learned += 1;
    }

    /// Members are independent, so each one processes the whole chunk before the next, which keeps
    /// one tree at a time in the cache. Votes are summed in the same order as item by item.
    #[inline(always)]
    fn test_then_train<S: Simd>(
        &mut self,
        _s: S,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        predictions: &mut [i32],
    ) {
        let classes = self.classes.max(1);
        let mut votes = vec![0.0; labels.len() * classes];
        let mut shares = vec![0.0; classes];
        let (weighted, before) = (self.parameters.weighted, self.learned);
        for (nth, member) in self.members.iter_mut().enumerate() {
            self.learned = before;
            for (i, votes) in votes.chunks_exact_mut(classes).enumerate() {
                let (row, weight) = (items.row(i), weights.map_or(1.0, |w| w[i]));
                if labels[i] == NONE || weight == 0.0 {
                    member.tree.scores_row(row, &mut shares);
                    add_votes(&shares, member.vote_weight(weighted), votes);
                    continue;
                }
                let times = self.poisson.draw(nth, self.learned);
                self.learned += 1;
                let vote_weight = member.vote_weight(weighted);
                member.learn(row, (labels[i] as usize, weight, times), &mut shares);
                add_votes(&shares, vote_weight, votes);
            }
        }
        for (prediction, votes) in predictions.iter_mut().zip(votes.chunks_exact(classes)) {
            *prediction = most_voted(votes);
        }
    }

    fn bytes(&self) -> usize {
        let trees = self.members.iter().flat_map(|m| std::iter::once(&m.tree).chain(&m.next));
        let detectors = self.members.iter().map(|m| m.warning.bytes() + m.drift.bytes());
        size_of::<Self>()
            + held(&self.members)
            + trees.map(|tree| tree.bytes() - size_of::<Tree>()).sum::<usize>()
            + self.members.iter().map(|m| m.tree.layout.bytes()).sum::<usize>()
            + detectors.sum::<usize>()
            + self.poisson.bytes()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let count = |of: fn(&Member) -> u64| self.members.iter().map(of).sum::<u64>() as f64;
        let mut facts = summed(self.members.iter().map(|member| &member.tree));
        facts.push(("background_trees", count(|member| member.next.is_some().into())));
        facts.push(("warnings", count(|member| member.warnings)));
        facts.push(("drifts", count(|member| member.drifts)));
        facts
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.learned);
        for member in &self.members {
            member.tree.save(out);
            out.whole(member.next.is_some().into());
            if let Some(next) = &member.next {
                next.save(out);
            }
            member.warning.save(out);
            member.drift.save(out);
            out.reals(&[member.predicted, member.correct]);
            out.whole(member.warnings);
            out.whole(member.drifts);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.learned = from.whole()?;
        for member in &mut self.members {
            member.tree.load(from)?;
            member.next = None;
            if from.flag()? {
                let mut next = member.tree.untrained();
                next.load(from)?;
                member.next = Some(next);
            }
            member.warning.load(from)?;
            member.drift.load(from)?;
            (member.predicted, member.correct) = (from.real()?, from.real()?);
            (member.warnings, member.drifts) = (from.whole()?, from.whole()?);
        }
        Ok(())
    }
}

/// Statistics of the trees, summed; for the depth the maximum.
pub(super) fn summed<'a>(trees: impl Iterator<Item = &'a Tree>) -> Vec<(&'static str, f64)> {
    let mut facts: Vec<(&'static str, f64)> = Vec::new();
    for tree in trees {
        for (name, value) in tree.vitals() {
            match facts.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) if name == "depth" => *sum = sum.max(value),
                Some((_, sum)) => *sum += value,
                None => facts.push((name, value)),
            }
        }
    }
    facts
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(in crate::learners) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let Shape { columns, classes, seed } = shape;
    let (tree_parameters, parameters) =
        (HoeffdingTreeParameters::of(p)?, AdaptiveRandomForestParameters::of(p)?);
    Ok(Model::of(AdaptiveRandomForest::new(*classes, columns, tree_parameters, parameters, *seed)?))
}
