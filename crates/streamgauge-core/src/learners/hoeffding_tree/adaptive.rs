//! The Hoeffding adaptive tree: the error of every split is monitored by ADWIN.

use std::sync::Arc;

use super::layout::{HoeffdingTreeParameters, TreeLayout};
use super::leaves::Kind;
use super::nodes::grow;
use super::state::capacity;
use super::statistics::NOTHING;
use super::tree::{ROOT, Tree};
use crate::NONE;
use crate::detectors::{Adwin, Detector, State};
use crate::error::{Result, parameter};
use crate::kernels::{Kernel, Simd, dispatch};
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;
use crate::seeds::{mix, uniform};

/// Both windows must be longer than this before their errors are compared.
const MIN_WIDTH: u64 = 300;

/// Significance level of the comparison.
const SIGNIFICANCE: f64 = 0.05;

/// Errors of a node since it became a leaf or a split: those of a slot that has changed otherwise
/// are dropped.
#[derive(Debug, Clone)]
struct ErrorWindow {
    changed_at: u32,
    errors: Adwin,
}

impl ErrorWindow {
    fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<Adwin>() + self.errors.bytes()
    }
}

/// A Hoeffding tree that replaces a split by an alternate leaf with a lower error, as in MOA.
#[derive(Debug, Clone)]
pub struct HoeffdingAdaptiveTree {
    tree: Tree,
    /// Error windows of the slots that are splits or alternate leaves.
    windows: Vec<Option<Box<ErrorWindow>>>,
    empty: Adwin,
    seed: u64,
    /// Number of items learned.
    learned: u64,
    /// Number of alternate leaves started, switched to, and dropped.
    started: u64,
    switched: u64,
    dropped: u64,
}

impl HoeffdingAdaptiveTree {
    /// `empty` is the initial error window of a node.
    pub fn new(
        classes: usize,
        columns: &[Column],
        parameters: HoeffdingTreeParameters,
        empty: Adwin,
        seed: u64,
    ) -> Self {
        let tree = Tree::new(Arc::new(TreeLayout::new(classes, columns, parameters, None, 0)));
        let (learned, started, switched, dropped) = (0, 0, 0, 0);
        let (windows, empty) = (Vec::new(), empty.lean());
        let mut learner = Self { tree, windows, empty, seed, learned, started, switched, dropped };
        learner.count_outside_bytes();
        learner
    }

    /// Check that the memory limit allows an empty tree.
    pub fn within_memory(self) -> Result<Self> {
        let (least, limit) = (NativeModel::bytes(&self), self.tree.layout.parameters.memory);
        if least > limit {
            let must = format!("at least {least} for these columns and classes");
            return Err(parameter("HoeffdingAdaptiveTree", "max_bytes", must, limit));
        }
        Ok(self)
    }

    /// Update the error window of a node; true if its error increased.
    #[inline(always)]
    fn observe_error(&mut self, slot: u32, wrong: bool) -> bool {
        let changed_at = self.tree.leaves.header(slot).changed_at;
        let known =
            matches!(self.windows.get(slot as usize), Some(Some(w)) if w.changed_at == changed_at);
        if !known {
            self.start_window(slot, changed_at);
        }
        let Some(Some(window)) = self.windows.get_mut(slot as usize) else { return false };
        let held = window.errors.bytes();
        let before = if window.errors.due() { window.errors.mean() } else { 0.0 };
        let state = window.errors.observe(f64::from(u8::from(wrong)));
        self.tree.outside_bytes = self.tree.outside_bytes - held + window.errors.bytes();
        state == State::Alarm && before <= window.errors.mean()
    }

    /// Keep the error window of a split that got another branch.
    #[cold]
    fn keep_window(&mut self, slot: u32) {
        let changed_at = self.tree.leaves.header(slot).changed_at;
        if let Some(Some(window)) = self.windows.get_mut(slot as usize) {
            window.changed_at = changed_at;
        }
    }

    /// Start an empty error window for a node.
    #[cold]
    fn start_window(&mut self, slot: u32, changed_at: u32) {
        if self.windows.len() <= slot as usize {
            grow(&mut self.windows, slot as usize + 1, None);
        }
        let errors = self.empty.emptied();
        self.windows[slot as usize] = Some(Box::new(ErrorWindow { changed_at, errors }));
        self.count_outside_bytes();
    }

    /// Drop the windows of slots that were released, reassigned or split.
    #[cold]
    fn drop_stale_windows(&mut self) {
        let leaves = &self.tree.leaves;
        for (window, header) in self.windows.iter_mut().zip(&leaves.headers) {
            if window.as_ref().is_some_and(|window| {
                window.changed_at != header.changed_at || header.kind == Kind::Free
            }) {
                *window = None;
            }
        }
        self.count_outside_bytes();
    }

    /// Update the number of bytes held outside the tree.
    fn count_outside_bytes(&mut self) {
        let own = size_of::<Self>() - size_of::<Tree>() + self.empty.bytes() - size_of::<Adwin>();
        let list = self.windows.capacity() * size_of::<Option<Box<ErrorWindow>>>();
        let window_bytes: usize = self.windows.iter().flatten().map(|window| window.bytes()).sum();
        self.tree.outside_bytes = own + list + window_bytes;
    }

    /// Enforce the memory limit: first windows are shortened to half of it, then leaves are
    /// deactivated, then windows are shortened further. Somewhat more is freed than needed, since
    /// each pass visits all of them.
    #[cold]
    fn enforce_memory_limit(&mut self) {
        let limit = self.tree.layout.parameters.memory;
        let spare = limit / 32;
        if self.tree.outside_bytes > limit / 2 {
            while self.tree.outside_bytes > limit / 2 - spare && self.shorten() {}
        }
        if self.tree.fits(0) || self.tree.release_memory(spare) {
            return;
        }
        while !self.tree.fits(spare) && self.shorten() {}
        if !self.tree.fits(0) {
            self.windows = Vec::new();
            self.count_outside_bytes();
        }
    }

    /// Drop the oldest row of buckets of the longest window, the first of equals; false if all are
    /// short.
    fn shorten(&mut self) -> bool {
        let mut longest: Option<&mut Adwin> = None;
        for window in self.windows.iter_mut().flatten() {
            if longest.as_ref().is_none_or(|most| window.errors.bytes() > most.bytes()) {
                longest = Some(&mut window.errors);
            }
        }
        let Some(longest) = longest else { return false };
        let held = longest.bytes();
        let shorter = longest.forget_row();
        self.tree.outside_bytes = self.tree.outside_bytes - held + longest.bytes();
        shorter
    }

    /// Width and mean of a node's errors.
    fn errors(&self, slot: u32) -> Option<(u64, f64)> {
        let changed_at = self.tree.leaves.header(slot).changed_at;
        let window = self
            .windows
            .get(slot as usize)?
            .as_ref()
            .filter(|window| window.changed_at == changed_at)?;
        Some((window.errors.width(), window.errors.mean()))
    }

    /// Start, switch to or drop the alternate leaf of a split after an error update. True if the
    /// alternate replaced the split.
    fn update_alternate(&mut self, slot: u32, increased: bool) -> bool {
        if increased {
            self.started += u64::from(self.tree.start_alternate(slot));
            return false;
        }
        let Some(leaf) = self.tree.alternate(slot) else { return false };
        let (Some((width, old)), Some((wide, new))) = (self.errors(slot), self.errors(leaf)) else {
            return false;
        };
        if width <= MIN_WIDTH || wide <= MIN_WIDTH {
            return false;
        }
        let by_size = 1.0 / wide as f64 + 1.0 / width as f64;
        let bound = (2.0 * old * (1.0 - old) * (2.0 / SIGNIFICANCE).ln() * by_size).sqrt();
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

    /// Train a leaf, the `nth` to learn this item, with a random weight.
    #[inline(always)]
    fn learn_leaf<S: Simd>(
        &mut self,
        s: S,
        (slot, nth): (u32, u64),
        row: &[f64],
        predictions: (i32, i32),
        (label, weight): (usize, f64),
    ) {
        let draw = uniform(mix(self.seed) ^ nth, self.learned);
        self.tree.learn_leaf(s, slot, row, predictions, (label, weight * poisson_weight(draw)));
    }

    /// Update all splits on a row's path, their alternate leaves, and the leaf at its end.
    #[inline(always)]
    fn learn_path<S: Simd>(
        &mut self,
        s: S,
        row: &[f64],
        end: (u32, (i32, i32), i32),
        (label, weight): (usize, f64),
    ) {
        let (last, predictions, guess) = end;
        let (mut at, mut nth) = (ROOT, 0);
        loop {
            let node = self.tree.nodes.nodes[at as usize];
            if node.is_leaf() {
                return self.learn_leaf(s, (last, nth), row, predictions, (label, weight));
            }
            let slot = self.tree.nodes.split_slot[at as usize];
            let increased = self.observe_error(slot, guess != label as i32);
            let before = self.tree.alternate(slot);
            let replaced =
                (increased || before.is_some()) && self.update_alternate(slot, increased);
            let alternate = if replaced { before } else { self.tree.alternate(slot) };
            if let Some(leaf) = alternate {
                let predictions = self.tree.both(s, leaf, row);
                if !replaced {
                    // A leaf without items predicts the first class, not its parent's majority.
                    let untrained = self.tree.leaves.header(leaf).seen == 0.0;
                    let prediction =
                        if untrained { 0 } else { self.tree.choose(leaf, predictions) };
                    self.observe_error(leaf, prediction != label as i32);
                }
                self.learn_leaf(s, (leaf, nth), row, predictions, (label, weight));
                nth += 1;
                if self.tree.leaves.header(leaf).kind == Kind::Split {
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
                    self.keep_window(slot);
                    self.learn_leaf(s, (leaf, nth), row, (NONE, NONE), (label, weight));
                }
                return;
            }
        }
    }
}

/// Random weight of an item: a Poisson variable with mean 1, where 0 counts as 1.
#[inline(always)]
fn poisson_weight(draw: f64) -> f64 {
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

/// A kernel that is compiled once, not into every loop.
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

impl NativeModel for HoeffdingAdaptiveTree {
    type Target = i32;

    fn classes(&self) -> usize {
        self.tree.layout.classes
    }

    fn width(&self) -> Option<usize> {
        Some(self.tree.layout.width)
    }

    fn predict<S: Simd>(&self, _s: S, _item: u64, row: &[f64]) -> i32 {
        self.tree.predict_row(row)
    }

    fn scores<S: Simd>(&self, _s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        self.tree.scores_row(row, out);
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
        let predictions = self.tree.both(s, slot, row);
        let prediction = self.tree.choose(slot, predictions);
        let guess = if prediction == NONE { 0 } else { prediction };
        let before = (self.tree.splits, self.tree.outside_bytes);
        self.learn_path(s, row, (slot, predictions, guess), (label, weight));
        self.learned += 1;
        if self.tree.splits != before.0 {
            self.drop_stale_windows();
        }
        if (self.tree.splits, self.tree.outside_bytes) != before && !self.tree.fits(0) {
            self.enforce_memory_limit();
        }
        prediction
    }

    fn bytes(&self) -> usize {
        self.tree.bytes() + self.tree.layout.bytes() + self.tree.outside_bytes
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let alternates = self.tree.alternates.iter().filter(|slot| **slot != NOTHING);
        let (mut inactive, mut all) = (0, 0);
        for slot in alternates {
            all += 1;
            inactive += usize::from(self.tree.leaves.header(*slot).kind == Kind::Inactive);
        }
        let mut vitals = self.tree.vitals();
        for (name, value) in &mut vitals {
            *value -= match *name {
                "nodes" | "leaves" => all as f64,
                "active_leaves" => (all - inactive) as f64,
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
        let counts = [self.learned, self.started, self.switched, self.dropped];
        counts.iter().for_each(|count| out.whole(*count));
        out.whole(self.windows.capacity() as u64);
        out.whole(self.windows.len() as u64);
        for window in &self.windows {
            out.whole(window.is_some().into());
            if let Some(window) = window {
                out.whole(u64::from(window.changed_at));
                window.errors.save(out);
            }
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.tree.load(from)?;
        self.learned = from.whole()?;
        (self.started, self.switched, self.dropped) = (from.whole()?, from.whole()?, from.whole()?);
        let had = from.whole()?;
        let count = from.count(1)?;
        if count > self.tree.leaves.headers.len() {
            return Err(refused("a tree", "more windows than nodes"));
        }
        self.windows = Vec::with_capacity(capacity(count, had, 1)?);
        self.windows.resize(count, None);
        for at in 0..count {
            if from.below(2)? == 1 {
                let changed_at = from.below(1 << 32)? as u32;
                let mut errors = self.empty.emptied();
                errors.load(from)?;
                self.windows[at] = Some(Box::new(ErrorWindow { changed_at, errors }));
            }
        }
        self.count_outside_bytes();
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(in crate::learners) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let Shape { columns, classes, seed } = shape;
    let errors = Adwin::of_moa(p.real("drift_delta")?)?;
    let tree = HoeffdingAdaptiveTree::new(
        *classes,
        columns,
        HoeffdingTreeParameters::of(p)?,
        errors,
        *seed,
    );
    Ok(Model::of(tree.within_memory()?))
}
