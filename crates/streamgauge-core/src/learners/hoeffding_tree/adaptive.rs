//! The Hoeffding adaptive tree: every node watches its error by ADWIN.

use std::sync::Arc;

use super::plan::{Growth, Plan};
use super::statistics::NOTHING;
use super::tree::{ROOT, Tree};
use crate::NONE;
use crate::detectors::{Adwin, Detector, State};
use crate::error::Result;
use crate::kernels::{Kernel, Simd, dispatch};
use crate::learners::classifier::LearnsClasses;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};
use crate::seeds::uniform;

/// Both windows must be longer than this before one is held for better.
const LONG: u64 = 300;

/// 1 - the confidence that one is better.
const DOUBT: f64 = 0.05;

/// The error of a node since it became what it is.
#[derive(Debug, Clone)]
struct Watch {
    born: u32,
    errors: Adwin,
}

/// A Hoeffding tree whose splits are given up where a new leaf does better, as MOA defines it.
#[derive(Debug, Clone)]
pub struct HoeffdingAdaptiveTree {
    tree: Tree,
    /// Of each slot.
    watches: Vec<Option<Box<Watch>>>,
    blank: Adwin,
    seed: u64,
    /// Leaves that were started beside a split, took its place, were given up.
    started: u64,
    switched: u64,
    dropped: u64,
}

impl HoeffdingAdaptiveTree {
    /// `blank` is what each node watches its errors by.
    pub fn new(
        classes: usize,
        columns: &[Column],
        growth: Growth,
        blank: Adwin,
        seed: u64,
    ) -> Self {
        let tree = Tree::new(Arc::new(Plan::new(classes, columns, growth, None, 0)));
        let (started, switched, dropped) = (0, 0, 0);
        Self { tree, watches: Vec::new(), blank, seed, started, switched, dropped }
    }

    /// Show a node whether it was wrong; did its error rise?
    #[inline(always)]
    fn watch(&mut self, slot: u32, wrong: bool) -> bool {
        let born = self.tree.leaves.head(slot).born;
        let at = slot as usize;
        if self.watches.len() <= at {
            self.watches.resize(at + 1, None);
        }
        let stale = self.watches[at].as_ref().is_none_or(|watch| watch.born != born);
        if stale {
            self.watches[at] = Some(Box::new(Watch { born, errors: self.blank.clone() }));
        }
        let Some(watch) = &mut self.watches[at] else { return false };
        let before = if watch.errors.due() { watch.errors.mean() } else { 0.0 };
        let state = watch.errors.observe(f64::from(u8::from(wrong)));
        state == State::Alarm && before <= watch.errors.mean()
    }

    /// Width and mean of a node's errors.
    fn errors(&self, slot: u32) -> Option<(u64, f64)> {
        let born = self.tree.leaves.head(slot).born;
        let watch = self.watches.get(slot as usize)?.as_ref().filter(|w| w.born == born)?;
        Some((watch.errors.width(), watch.errors.mean()))
    }

    /// A split has been shown its error: does a leaf start beside it, take its place, or go?
    /// True if it took its place.
    fn weigh(&mut self, slot: u32, rose: bool) -> bool {
        if rose {
            self.started += u64::from(self.tree.start_alternate(slot));
            return false;
        }
        let Some(leaf) = self.tree.alternate(slot) else { return false };
        let (Some((width, old)), Some((wide, new))) = (self.errors(slot), self.errors(leaf)) else {
            return false;
        };
        if width <= LONG || wide <= LONG {
            return false;
        }
        let by_size = 1.0 / wide as f64 + 1.0 / width as f64;
        let bound = (2.0 * old * (1.0 - old) * (2.0 / DOUBT).ln() * by_size).sqrt();
        if bound < old - new {
            // What the leaf has been shown stays with it.
            self.tree.replace(leaf);
            let born = self.tree.leaves.head(leaf).born;
            if let Some(Some(watch)) = self.watches.get_mut(leaf as usize) {
                watch.born = born;
            }
            self.switched += 1;
            return true;
        }
        if bound < new - old {
            self.tree.drop_alternate(slot);
            self.dropped += 1;
        }
        false
    }

    /// Teach a leaf, with a weight drawn at random.
    #[inline(always)]
    fn teach_leaf<S: Simd>(
        &mut self,
        s: S,
        slot: u32,
        row: &[f64],
        answers: (i32, i32),
        (label, weight): (usize, f64),
    ) {
        let said = self.tree.choose(slot, answers);
        self.watch(slot, said.max(0) != label as i32);
        let head = self.tree.leaves.head(slot);
        let leaf = u64::from(head.born) << 32 | u64::from(slot);
        let draw = uniform(self.seed ^ leaf.rotate_left(17), u64::from(head.version));
        self.tree.teach_leaf(s, slot, row, answers, (label, weight * times(draw)));
    }

    /// Teach all splits on a row's way, the leaves beside them, and the leaf at its end.
    #[inline(always)]
    fn teach<S: Simd>(
        &mut self,
        s: S,
        row: &[f64],
        end: (u32, (i32, i32), i32),
        (label, weight): (usize, f64),
    ) {
        let (last, answers, guess) = end;
        let mut at = ROOT;
        loop {
            let node = self.tree.nodes.nodes[at as usize];
            if node.is_leaf() {
                return self.teach_leaf(s, last, row, answers, (label, weight));
            }
            let slot = self.tree.nodes.own[at as usize];
            let rose = self.watch(slot, guess != label as i32);
            let before = self.tree.alternate(slot);
            let replaced = (rose || before.is_some()) && self.weigh(slot, rose);
            let beside = if replaced { before } else { self.tree.alternate(slot) };
            if let Some(leaf) = beside {
                let splits = self.tree.splits;
                let answers = self.tree.both(s, leaf, row);
                self.teach_leaf(s, leaf, row, answers, (label, weight));
                if self.tree.splits != splits {
                    self.switched += u64::from(!replaced);
                    return;
                }
            }
            if replaced {
                return;
            }
            match self.tree.nodes.branch(at, row) {
                Some(branch) => at = node.child + branch,
                None => return,
            }
            if self.tree.nodes.nodes[at as usize].is_absent() {
                if let Some(leaf) = self.tree.add_branch(at, slot) {
                    self.teach_leaf(s, leaf, row, (NONE, NONE), (label, weight));
                }
                return;
            }
        }
    }
}

/// How many times an item counts: by a Poisson variable of mean 1, but once where that is 0.
#[inline(always)]
fn times(draw: f64) -> f64 {
    // The distribution function from 1 on; 0 counts as 1.
    const UP_TO: [f64; 7] = [
        0.735_758_882_342_884_6,
        0.919_698_602_928_605_8,
        0.981_011_843_123_846_2,
        0.996_340_153_172_656_3,
        0.999_405_815_182_418_3,
        0.999_916_758_850_712,
        0.999_989_750_803_325_3,
    ];
    1.0 + UP_TO.iter().filter(|upto| draw >= **upto).count() as f64
}

/// Compiled once, and not into every loop.
struct Learn<'a> {
    learner: &'a mut HoeffdingAdaptiveTree,
    row: &'a [f64],
    label: usize,
    weight: f64,
}

impl Kernel for Learn<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.learner.answer_then_learn(s, 0, self.row, self.label, self.weight);
    }
}

impl LearnsClasses for HoeffdingAdaptiveTree {
    fn classes(&self) -> usize {
        self.tree.plan.classes
    }

    fn width(&self) -> Option<usize> {
        Some(self.tree.plan.width)
    }

    fn answer<S: Simd>(&self, _s: S, _item: u64, row: &[f64]) -> i32 {
        self.tree.ask(row)
    }

    fn scores<S: Simd>(&self, _s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        self.tree.vote(row, out);
    }

    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], label: usize, weight: f64) {
        dispatch(Learn { learner: self, row, label, weight });
    }

    #[inline(always)]
    fn answer_then_learn<S: Simd>(
        &mut self,
        s: S,
        _item: u64,
        row: &[f64],
        label: usize,
        weight: f64,
    ) -> i32 {
        let slot = self.tree.leaf_of(row).slot;
        let answers = self.tree.both(s, slot, row);
        let said = self.tree.choose(slot, answers);
        let guess = if said == NONE { 0 } else { said };
        self.teach(s, row, (slot, answers, guess), (label, weight));
        said
    }

    fn bytes(&self) -> usize {
        let watches = self.watches.iter().flatten();
        let watched = watches.map(|watch| size_of::<u64>() + watch.errors.bytes()).sum::<usize>();
        size_of::<Self>() - size_of::<Tree>()
            + self.tree.bytes()
            + self.tree.plan.bytes()
            + self.watches.capacity() * size_of::<Option<Box<Watch>>>()
            + watched
            + self.blank.bytes()
            - size_of::<Adwin>()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let waiting = self.tree.alternates.iter().filter(|slot| **slot != NOTHING).count();
        let mut vitals = self.tree.vitals();
        for (name, value) in &mut vitals {
            if *name != "depth" && *name != "splits" {
                *value -= waiting as f64;
            }
        }
        vitals.push(("alternates", self.started as f64));
        vitals.push(("switches", self.switched as f64));
        vitals.push(("dropped", self.dropped as f64));
        vitals
    }

    fn save(&self, out: &mut Writer) {
        self.tree.save(out);
        [self.started, self.switched, self.dropped].iter().for_each(|count| out.whole(*count));
        out.whole(self.watches.len() as u64);
        for watch in &self.watches {
            out.whole(watch.is_some().into());
            if let Some(watch) = watch {
                out.whole(u64::from(watch.born));
                watch.errors.save(out);
            }
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.tree.load(from)?;
        (self.started, self.switched, self.dropped) = (from.whole()?, from.whole()?, from.whole()?);
        let count = from.count(1)?;
        if count > self.tree.leaves.heads.len() {
            return Err(refused("a tree", "more windows than nodes"));
        }
        self.watches = vec![None; count];
        for at in 0..count {
            if from.below(2)? == 1 {
                let born = from.below(1 << 32)? as u32;
                let mut errors = self.blank.clone();
                errors.load(from)?;
                self.watches[at] = Some(Box::new(Watch { born, errors }));
            }
        }
        Ok(())
    }
}
