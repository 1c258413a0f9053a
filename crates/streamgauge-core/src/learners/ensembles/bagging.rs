//! Bagging of Hoeffding trees that replaces its worst member when an error rises.

use std::sync::Arc;

use super::poisson::Poisson;
use super::rising::Rising;
use super::{elected, hear, right, share_out};
use crate::kernels::Simd;
use crate::learners::hoeffding_tree::{Growth, Plan, Tree};
use crate::learners::memory::held;
use crate::learners::native::Learns;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// Parameters of bagging.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bags {
    /// How many trees.
    pub members: usize,
    /// How often a member is taught an item, on average.
    pub rate: f64,
    /// Confidence of ADWIN.
    pub delta: f64,
    /// Is a new member taught the item at which it is made?
    pub taught_at_once: bool,
}

impl Bags {
    /// By name.
    pub(crate) fn of(p: &Parameters, taught_at_once: bool) -> crate::Result<Self> {
        let (members, rate, delta) = (p.whole("members")?, p.real("rate")?, p.real("drift")?);
        Ok(Self { members, rate, delta, taught_at_once })
    }
}

/// Trees that are taught each item a random number of times and vote; when the error of one has
/// risen, the one with the highest error is replaced.
#[derive(Debug, Clone)]
pub struct Bagging {
    bags: Bags,
    trees: Vec<Tree>,
    errors: Vec<Rising>,
    poisson: Poisson,
    taught: u64,
    drifts: u64,
    plan: Arc<Plan>,
    votes: Vec<f64>,
    room: Vec<f64>,
}

impl Bagging {
    /// It knows nothing.
    pub fn new(
        classes: usize,
        columns: &[Column],
        growth: Growth,
        bags: Bags,
        seed: u64,
    ) -> crate::Result<Self> {
        let plan = Arc::new(Plan::new(classes, columns, growth, None, 0));
        Ok(Self {
            trees: (0..bags.members).map(|_| Tree::new(plan.clone())).collect(),
            errors: vec![Rising::new(bags.delta)?; bags.members],
            poisson: Poisson::new(bags.rate, seed),
            bags,
            taught: 0,
            drifts: 0,
            votes: vec![0.0; classes],
            room: vec![0.0; classes],
            plan,
        })
    }

    #[inline(always)]
    fn vote(&self, row: &[f64], votes: &mut [f64], room: &mut [f64]) {
        votes.fill(0.0);
        for tree in &self.trees {
            tree.vote(row, room);
            hear(room, 1.0, votes);
        }
    }

    /// Show an error whether its member is right now, after it was taught; has it risen?
    #[inline(always)]
    fn watch(&mut self, member: usize, row: &[f64], label: usize) -> bool {
        let said = self.trees[member].ask(row);
        self.errors[member].observe(right(said, label))
    }

    /// Replace the member of the highest error; none if there is no error.
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
            self.trees[member] = self.trees[member].sapling();
            self.errors[member].reset();
        }
        worst
    }

    #[inline(always)]
    fn after(&mut self, risen: bool, row: &[f64], label: usize, weight: f64) {
        self.taught += 1;
        if risen
            && let Some(member) = self.replace_worst()
            && self.bags.taught_at_once
        {
            self.trees[member].take(row, label, weight);
        }
    }
}

impl Learns for Bagging {
    type Target = i32;

    fn classes(&self) -> usize {
        self.votes.len()
    }

    fn width(&self) -> Option<usize> {
        Some(self.plan.width)
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, _item: u64, row: &[f64]) -> i32 {
        let mut votes = vec![0.0; self.votes.len()];
        let mut room = vec![0.0; self.votes.len()];
        self.vote(row, &mut votes, &mut room);
        elected(&votes)
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, _s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        let mut room = vec![0.0; out.len()];
        self.vote(row, out, &mut room);
        share_out(out);
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], label: usize, weight: f64) {
        let mut risen = false;
        for member in 0..self.trees.len() {
            let times = self.poisson.draw(member, self.taught);
            if times > 0.0 {
                self.trees[member].take(row, label, weight * times);
            }
            risen |= self.watch(member, row, label);
        }
        self.after(risen, row, label, weight);
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
        let mut risen = false;
        self.votes.fill(0.0);
        for member in 0..self.trees.len() {
            let times = self.poisson.draw(member, self.taught);
            let Self { trees, room, votes, .. } = self;
            let tree = &mut trees[member];
            if times > 0.0 {
                tree.vote_then_take(row, label, weight * times, room);
            } else {
                tree.vote(row, room);
            }
            hear(room, 1.0, votes);
            risen |= self.watch(member, row, label);
        }
        let said = elected(&self.votes);
        self.after(risen, row, label, weight);
        said
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.trees.iter().map(Tree::bytes).sum::<usize>()
            + held(&self.errors)
            + self.errors.iter().map(Rising::bytes).sum::<usize>()
            + self.poisson.bytes()
            + self.plan.bytes()
            + held(&self.votes)
            + held(&self.room)
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let mut facts = super::adaptive_random_forest::summed(self.trees.iter());
        facts.push(("drifts", self.drifts as f64));
        facts
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.taught);
        out.whole(self.drifts);
        self.trees.iter().for_each(|tree| tree.save(out));
        self.errors.iter().for_each(|error| error.save(out));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        (self.taught, self.drifts) = (from.whole()?, from.whole()?);
        self.trees.iter_mut().try_for_each(|tree| tree.load(from))?;
        self.errors.iter_mut().try_for_each(|error| error.load(from))
    }
}
