//! A tree as a member of an ensemble: each call is compiled once, and not into every ensemble.
//! Beside what a tree does in a call, choosing the kernel costs nothing.

use super::tree::Tree;
use crate::kernels::{Kernel, Simd, dispatch};

impl Tree {
    /// What it says about a row.
    pub(crate) fn ask(&self, row: &[f64]) -> i32 {
        dispatch(Ask { tree: self, row })
    }

    /// Fill in the shares of the classes.
    pub(crate) fn vote(&self, row: &[f64], shares: &mut [f64]) {
        dispatch(Vote { tree: self, row, shares });
    }

    /// Learn a row.
    pub(crate) fn take(&mut self, row: &[f64], label: usize, weight: f64) {
        dispatch(Take { tree: self, row, label, weight });
    }

    /// Fill in the shares of the classes and learn; what it said before.
    pub(crate) fn vote_then_take(
        &mut self,
        row: &[f64],
        label: usize,
        weight: f64,
        shares: &mut [f64],
    ) -> i32 {
        dispatch(VoteThenTake { tree: self, row, label, weight, shares })
    }
}

struct Ask<'a> {
    tree: &'a Tree,
    row: &'a [f64],
}

impl Kernel for Ask<'_> {
    type Out = i32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        self.tree.answer(s, self.row)
    }
}

struct Vote<'a> {
    tree: &'a Tree,
    row: &'a [f64],
    shares: &'a mut [f64],
}

impl Kernel for Vote<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.tree.scores_at(s, self.tree.leaf_of(self.row).slot, self.row, self.shares);
    }
}

struct Take<'a> {
    tree: &'a mut Tree,
    row: &'a [f64],
    label: usize,
    weight: f64,
}

impl Kernel for Take<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.tree.learn(s, self.row, self.label, self.weight);
    }
}

struct VoteThenTake<'a> {
    tree: &'a mut Tree,
    row: &'a [f64],
    label: usize,
    weight: f64,
    shares: &'a mut [f64],
}

impl Kernel for VoteThenTake<'_> {
    type Out = i32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        let Self { tree, row, label, weight, shares } = self;
        let place = tree.leaf_of(row);
        let answers = tree.votes(s, place.slot, row, shares);
        let said = tree.choose(place.slot, answers);
        tree.teach(s, place, row, answers, (label, weight));
        said
    }
}
