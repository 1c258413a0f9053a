//! The Hoeffding adaptive tree: every node watches its error by ADWIN.

use std::sync::Arc;

use super::leaves::Kind;
use super::nodes::grow;
use super::plan::{Growth, Plan};
use super::state::room;
use super::statistics::NOTHING;
use super::tree::{ROOT, Tree};
use crate::NONE;
use crate::detectors::{Adwin, Detector, State};
use crate::error::{Result, parameter};
use crate::kernels::{Kernel, Simd, dispatch};
use crate::learners::native::Learns;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};
use crate::seeds::{mix, uniform};

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

impl Watch {
    fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<Adwin>() + self.errors.bytes()
    }
}

/// A Hoeffding tree whose splits are given up where a new leaf does better, as MOA defines it.
#[derive(Debug, Clone)]
pub struct HoeffdingAdaptiveTree {
    tree: Tree,
    /// Of each slot that is a split, or a leaf beside one: nobody asks for the errors of others.
    watches: Vec<Option<Box<Watch>>>,
    blank: Adwin,
    seed: u64,
    /// Items taught so far.
    taught: u64,
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
        let (taught, started, switched, dropped) = (0, 0, 0, 0);
        let (watches, blank) = (Vec::new(), blank.lean());
        let mut new = Self { tree, watches, blank, seed, taught, started, switched, dropped };
        new.count_outside();
        new
    }

    /// Itself, if its limit of memory lets it begin at all.
    pub fn within_memory(self) -> Result<Self> {
        let (least, limit) = (Learns::bytes(&self), self.tree.plan.growth.memory);
        if least > limit {
            let must = format!("at least {least} for these columns and classes");
            return Err(parameter("HoeffdingAdaptiveTree", "memory", must, limit));
        }
        Ok(self)
    }

    /// Show a node whether it was wrong; did its error rise?
    #[inline(always)]
    fn watch(&mut self, slot: u32, wrong: bool) -> bool {
        let born = self.tree.leaves.head(slot).born;
        let known = matches!(self.watches.get(slot as usize), Some(Some(w)) if w.born == born);
        if !known {
            self.begin_watch(slot, born);
        }
        let Some(Some(watch)) = self.watches.get_mut(slot as usize) else { return false };
        let held = watch.errors.bytes();
        let before = if watch.errors.due() { watch.errors.mean() } else { 0.0 };
        let state = watch.errors.observe(f64::from(u8::from(wrong)));
        self.tree.outside = self.tree.outside - held + watch.errors.bytes();
        state == State::Alarm && before <= watch.errors.mean()
    }

    /// A node has become what it is: its errors are counted from now on.
    #[cold]
    fn begin_watch(&mut self, slot: u32, born: u32) {
        if self.watches.len() <= slot as usize {
            grow(&mut self.watches, slot as usize + 1, None);
        }
        let errors = self.blank.emptied();
        self.watches[slot as usize] = Some(Box::new(Watch { born, errors }));
        self.count_outside();
    }

    /// Nodes have been given back or have become something else: so are their windows.
    #[cold]
    fn sweep(&mut self) {
        let leaves = &self.tree.leaves;
        for (watch, head) in self.watches.iter_mut().zip(&leaves.heads) {
            if watch.as_ref().is_some_and(|w| w.born != head.born || head.kind == Kind::Free) {
                *watch = None;
            }
        }
        self.count_outside();
    }

    /// Tell the tree what is held beside it.
    fn count_outside(&mut self) {
        let own = size_of::<Self>() - size_of::<Tree>() + self.blank.bytes() - size_of::<Adwin>();
        let list = self.watches.capacity() * size_of::<Option<Box<Watch>>>();
        let watched: usize = self.watches.iter().flatten().map(|watch| watch.bytes()).sum();
        self.tree.outside = own + list + watched;
    }

    /// Keep to the limit of memory: windows have grown, or nodes have been made. Windows take half
    /// of it at most, then leaves sleep, then windows give more; some more at once than is needed,
    /// since all are looked at.
    #[cold]
    fn settle(&mut self) {
        let limit = self.tree.plan.growth.memory;
        let spare = limit / 32;
        if self.tree.outside > limit / 2 {
            while self.tree.outside > limit / 2 - spare && self.shorten() {}
        }
        if self.tree.fits(0) || self.tree.shed(spare) {
            return;
        }
        while !self.tree.fits(spare) && self.shorten() {}
        if !self.tree.fits(0) {
            self.watches = Vec::new();
            self.count_outside();
        }
    }

    /// The longest window, the first of equals, forgets its older half; false if all are short.
    fn shorten(&mut self) -> bool {
        let mut longest: Option<&mut Adwin> = None;
        for watch in self.watches.iter_mut().flatten() {
            if longest.as_ref().is_none_or(|most| watch.errors.bytes() > most.bytes()) {
                longest = Some(&mut watch.errors);
            }
        }
        let Some(longest) = longest else { return false };
        let held = longest.bytes();
        let shorter = longest.forget_row();
        self.tree.outside = self.tree.outside - held + longest.bytes();
        shorter
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
            self.tree.replace(leaf);
            self.switched += 1;
            return true;
        }
        if bound < new - old {
            self.tree.drop_alternate(slot);
            self.dropped += 1;
        }
        false
    }

    /// Teach a leaf, the `nth` that is taught this item, with a weight drawn at random.
    #[inline(always)]
    fn teach_leaf<S: Simd>(
        &mut self,
        s: S,
        (slot, nth): (u32, u64),
        row: &[f64],
        answers: (i32, i32),
        (label, weight): (usize, f64),
    ) {
        let draw = uniform(mix(self.seed) ^ nth, self.taught);
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
        let (mut at, mut nth) = (ROOT, 0);
        loop {
            let node = self.tree.nodes.nodes[at as usize];
            if node.is_leaf() {
                return self.teach_leaf(s, (last, nth), row, answers, (label, weight));
            }
            let slot = self.tree.nodes.own[at as usize];
            let rose = self.watch(slot, guess != label as i32);
            let before = self.tree.alternate(slot);
            let replaced = (rose || before.is_some()) && self.weigh(slot, rose);
            let beside = if replaced { before } else { self.tree.alternate(slot) };
            if let Some(leaf) = beside {
                let answers = self.tree.both(s, leaf, row);
                if !replaced {
                    // One that has met no class yet says the first, and does not ask those above.
                    let blank = self.tree.leaves.head(leaf).seen == 0.0;
                    let said = if blank { 0 } else { self.tree.choose(leaf, answers) };
                    self.watch(leaf, said != label as i32);
                }
                self.teach_leaf(s, (leaf, nth), row, answers, (label, weight));
                nth += 1;
                if self.tree.leaves.head(leaf).kind == Kind::Split {
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
                    self.teach_leaf(s, (leaf, nth), row, (NONE, NONE), (label, weight));
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
        self.learner.predict_then_learn(s, 0, self.row, self.label, self.weight);
    }
}

impl Learns for HoeffdingAdaptiveTree {
    type Target = i32;

    fn classes(&self) -> usize {
        self.tree.plan.classes
    }

    fn width(&self) -> Option<usize> {
        Some(self.tree.plan.width)
    }

    fn predict<S: Simd>(&self, _s: S, _item: u64, row: &[f64]) -> i32 {
        self.tree.ask(row)
    }

    fn scores<S: Simd>(&self, _s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        self.tree.vote(row, out);
    }

    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], label: usize, weight: f64) {
        dispatch(Learn { learner: self, row, label, weight });
    }

    #[inline(always)]
    fn predict_then_learn<S: Simd>(
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
        let before = (self.tree.splits, self.tree.outside);
        self.teach(s, row, (slot, answers, guess), (label, weight));
        self.taught += 1;
        if self.tree.splits != before.0 {
            self.sweep();
        }
        if (self.tree.splits, self.tree.outside) != before && !self.tree.fits(0) {
            self.settle();
        }
        said
    }

    fn bytes(&self) -> usize {
        self.tree.bytes() + self.tree.plan.bytes() + self.tree.outside
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let waiting = self.tree.alternates.iter().filter(|slot| **slot != NOTHING);
        let (mut asleep, mut all) = (0, 0);
        for slot in waiting {
            all += 1;
            asleep += usize::from(self.tree.leaves.head(*slot).kind == Kind::Inactive);
        }
        let mut vitals = self.tree.vitals();
        for (name, value) in &mut vitals {
            *value -= match *name {
                "nodes" | "leaves" => all as f64,
                "active_leaves" => (all - asleep) as f64,
                _ => 0.0,
            };
        }
        vitals.push(("drifts", self.started as f64));
        vitals.push(("switches", self.switched as f64));
        vitals.push(("dropped", self.dropped as f64));
        vitals
    }

    fn save(&self, out: &mut Writer) {
        self.tree.save(out);
        let counts = [self.taught, self.started, self.switched, self.dropped];
        counts.iter().for_each(|count| out.whole(*count));
        out.whole(self.watches.capacity() as u64);
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
        self.taught = from.whole()?;
        (self.started, self.switched, self.dropped) = (from.whole()?, from.whole()?, from.whole()?);
        let had = from.whole()?;
        let count = from.count(1)?;
        if count > self.tree.leaves.heads.len() {
            return Err(refused("a tree", "more windows than nodes"));
        }
        self.watches = Vec::with_capacity(room(count, had, 1)?);
        self.watches.resize(count, None);
        for at in 0..count {
            if from.below(2)? == 1 {
                let born = from.below(1 << 32)? as u32;
                let mut errors = self.blank.emptied();
                errors.load(from)?;
                self.watches[at] = Some(Box::new(Watch { born, errors }));
            }
        }
        self.count_outside();
        Ok(())
    }
}
