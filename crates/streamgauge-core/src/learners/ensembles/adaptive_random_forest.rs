//! Adaptive random forest.

use std::sync::Arc;

use super::poisson::Poisson;
use super::rising::Rising;
use super::{elected, hear, right, share_out};
use crate::NONE;
use crate::kernels::Simd;
use crate::learners::hoeffding_tree::{Growth, Plan, Tree};
use crate::learners::memory::held;
use crate::learners::native::Learns;
use crate::learners::{Column, Items, Reader, Writer};
use crate::parameters::Parameters;
use crate::seeds::mix;

/// Parameters of a forest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forest {
    /// How many trees.
    pub members: usize,
    /// How often a tree is taught an item, on average.
    pub rate: f64,
    /// Columns that a leaf looks at.
    pub subspace: usize,
    /// Confidence of the ADWIN that has a tree grow in the background.
    pub warning: f64,
    /// Confidence of the ADWIN that replaces a tree.
    pub drift: f64,
    /// Does a vote count by the tree's accuracy?
    pub weighted: bool,
}

impl Forest {
    /// By name.
    pub(crate) fn of(p: &Parameters) -> crate::Result<Self> {
        Ok(Self {
            members: p.whole("members")?,
            rate: p.real("rate")?,
            subspace: p.whole("subspace")?,
            warning: p.real("warning")?,
            drift: p.real("drift")?,
            weighted: p.flag("weighted")?,
        })
    }
}

/// Hoeffding trees whose leaves look at random columns, each with two ADWINs: at a warning
/// another tree starts to learn in the background, at a drift it takes the place of the first.
#[derive(Debug, Clone)]
pub struct AdaptiveRandomForest {
    forest: Forest,
    members: Vec<Member>,
    poisson: Poisson,
    taught: u64,
    classes: usize,
    width: usize,
}

#[derive(Debug, Clone)]
struct Member {
    tree: Tree,
    /// The one in the background.
    next: Option<Tree>,
    warning: Rising,
    drift: Rising,
    /// Weight it was asked about since it is there, and was right on.
    asked: f64,
    right: f64,
    warnings: u64,
    drifts: u64,
}

impl Member {
    /// What its vote counts: its accuracy in percent; 1 as long as it was never right, as in MOA.
    #[inline(always)]
    fn voice(&self, weighted: bool) -> f64 {
        if weighted && self.right > 0.0 { 100.0 * self.right / self.asked } else { 1.0 }
    }

    /// Vote, then learn.
    fn teach(
        &mut self,
        row: &[f64],
        (label, weight, times): (usize, f64, f64),
        shares: &mut [f64],
    ) {
        let said = if times > 0.0 {
            self.tree.vote_then_take(row, label, weight * times, shares)
        } else {
            self.tree.vote(row, shares);
            elected(shares)
        };
        self.asked += weight;
        self.right += if right(said, label) { weight } else { 0.0 };
        if times > 0.0 {
            self.look_out(row, label, weight);
        }
    }

    /// Teach the tree in the background, and ask the detectors.
    fn look_out(&mut self, row: &[f64], label: usize, weight: f64) {
        if let Some(next) = &mut self.next {
            next.take(row, label, weight);
        }
        let right = right(self.tree.ask(row), label);
        if self.warning.observe(right) {
            self.warnings += 1;
            self.next = Some(self.tree.sapling());
            self.warning.reset();
        }
        if self.drift.observe(right) {
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
            None => self.tree = self.tree.sapling(),
        }
        self.drift.reset();
        (self.asked, self.right) = (0.0, 0.0);
    }
}

impl AdaptiveRandomForest {
    /// It knows nothing.
    pub fn new(
        classes: usize,
        columns: &[Column],
        growth: Growth,
        forest: Forest,
        seed: u64,
    ) -> crate::Result<Self> {
        let (warning, drift) = (Rising::new(forest.warning)?, Rising::new(forest.drift)?);
        let member = |nth: usize| {
            let own = mix(mix(seed) ^ nth as u64);
            let plan = Plan::new(classes, columns, growth, Some(forest.subspace), own);
            Member {
                tree: Tree::new(Arc::new(plan)),
                next: None,
                warning: warning.clone(),
                drift: drift.clone(),
                asked: 0.0,
                right: 0.0,
                warnings: 0,
                drifts: 0,
            }
        };
        Ok(Self {
            forest,
            members: (0..forest.members).map(member).collect(),
            poisson: Poisson::new(forest.rate, seed),
            taught: 0,
            classes,
            width: columns.len(),
        })
    }

    fn vote(&self, row: &[f64], votes: &mut [f64], shares: &mut [f64]) {
        votes.fill(0.0);
        for member in &self.members {
            member.tree.vote(row, shares);
            hear(shares, member.voice(self.forest.weighted), votes);
        }
    }
}

impl Learns for AdaptiveRandomForest {
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
        elected(&votes)
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, _s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        let mut shares = vec![0.0; self.classes];
        self.vote(row, out, &mut shares);
        share_out(out);
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], label: usize, weight: f64) {
        let mut shares = vec![0.0; self.classes];
        for (nth, member) in self.members.iter_mut().enumerate() {
            let times = self.poisson.draw(nth, self.taught);
            member.teach(row, (label, weight, times), &mut shares);
        }
        self.taught += 1;
    }

    /// Members know nothing of each other: each goes through the chunk alone, so that one tree at
    /// a time is near the processor. Votes are added in the same order as item by item.
    #[inline(always)]
    fn test_then_train<S: Simd>(
        &mut self,
        _s: S,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        answers: &mut [i32],
    ) {
        let classes = self.classes.max(1);
        let mut votes = vec![0.0; labels.len() * classes];
        let mut shares = vec![0.0; classes];
        let (weighted, before) = (self.forest.weighted, self.taught);
        for (nth, member) in self.members.iter_mut().enumerate() {
            self.taught = before;
            for (i, votes) in votes.chunks_exact_mut(classes).enumerate() {
                let (row, weight) = (items.row(i), weights.map_or(1.0, |w| w[i]));
                if labels[i] == NONE || weight == 0.0 {
                    member.tree.vote(row, &mut shares);
                    hear(&shares, member.voice(weighted), votes);
                    continue;
                }
                let times = self.poisson.draw(nth, self.taught);
                self.taught += 1;
                let voice = member.voice(weighted);
                member.teach(row, (labels[i] as usize, weight, times), &mut shares);
                hear(&shares, voice, votes);
            }
        }
        for (said, votes) in answers.iter_mut().zip(votes.chunks_exact(classes)) {
            *said = elected(votes);
        }
    }

    fn bytes(&self) -> usize {
        let trees = self.members.iter().flat_map(|m| std::iter::once(&m.tree).chain(&m.next));
        let detectors = self.members.iter().map(|m| m.warning.bytes() + m.drift.bytes());
        size_of::<Self>()
            + held(&self.members)
            + trees.map(|tree| tree.bytes() - size_of::<Tree>()).sum::<usize>()
            + self.members.iter().map(|m| m.tree.plan.bytes()).sum::<usize>()
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
        out.whole(self.taught);
        for member in &self.members {
            member.tree.save(out);
            out.whole(member.next.is_some().into());
            if let Some(next) = &member.next {
                next.save(out);
            }
            member.warning.save(out);
            member.drift.save(out);
            out.reals(&[member.asked, member.right]);
            out.whole(member.warnings);
            out.whole(member.drifts);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.taught = from.whole()?;
        for member in &mut self.members {
            member.tree.load(from)?;
            member.next = None;
            if from.flag()? {
                let mut next = member.tree.sapling();
                next.load(from)?;
                member.next = Some(next);
            }
            member.warning.load(from)?;
            member.drift.load(from)?;
            (member.asked, member.right) = (from.real()?, from.real()?);
            (member.warnings, member.drifts) = (from.whole()?, from.whole()?);
        }
        Ok(())
    }
}

/// What trees say of themselves, added up; of depths the largest.
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
