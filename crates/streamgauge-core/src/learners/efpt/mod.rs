//! eFPT: fuzzy pattern trees that evolve.

mod induction;
mod items;
mod operators;
mod pattern;
mod terms;
mod tree;

use items::LabelledItems;
use pattern::{Pattern, PatternVitals};

use crate::NONE;
use crate::error::{Result, parameter};
use crate::kernels::Simd;
use crate::learners::linear::bounded;
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// Loss by which trees are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Squared difference of score and target.
    Squared,
    /// Absolute difference of score and target.
    Absolute,
    /// 1 if the score is on the wrong side of 0.5, else 0.
    ZeroOne,
}

/// The parameters of eFPT.
#[derive(Debug, Clone)]
pub struct EfptParameters {
    /// Number of items from which the first trees are made.
    pub warm_start: usize,
    /// Trees kept by the beam search.
    pub beam_width: usize,
    /// Least relative improvement for which the beam search goes on.
    pub min_improvement: f64,
    /// Leaves of a tree that are expanded; 0: all.
    pub expanded_leaves: usize,
    /// Number of leaves with which a tree is not expanded.
    pub max_leaves: usize,
    /// Loss by which trees are compared.
    pub loss: Loss,
    /// Number of latest losses that are compared.
    pub loss_window: usize,
    /// Test statistic above which a neighbour replaces the tree.
    pub z_threshold: f64,
    /// Number of latest items to which neighbours are fitted.
    pub recent_size: usize,
    /// Whether numeric columns have a third fuzzy set.
    pub middle: bool,
    /// Whether ranges are computed again with every change.
    pub refit_ranges: bool,
}

impl Default for EfptParameters {
    fn default() -> Self {
        Self {
            warm_start: 500,
            beam_width: 5,
            min_improvement: 0.0025,
            expanded_leaves: 3,
            max_leaves: 32,
            loss: Loss::Squared,
            loss_window: 100,
            z_threshold: 2.32,
            recent_size: 500,
            middle: true,
            refit_ranges: false,
        }
    }
}

/// Evolving fuzzy pattern trees: one for two classes, otherwise one per class.
#[derive(Debug, Clone)]
pub struct Efpt {
    columns: Vec<Column>,
    parameters: EfptParameters,
    /// Without trees the items of the initial buffer, later the most recent ones.
    items: LabelledItems,
    /// Whether a class has had a label. Others are not predicted.
    seen: Vec<bool>,
    /// The scores of all items while there are no trees: empty, or the shares of the classes in a
    /// buffer in which no column varied.
    shares: Vec<f64>,
    patterns: Vec<Pattern>,
}

impl Efpt {
    /// A new, untrained learner.
    pub fn new(classes: usize, columns: &[Column], parameters: EfptParameters) -> Self {
        Self {
            columns: columns.to_vec(),
            parameters,
            items: LabelledItems::default(),
            seen: vec![false; classes],
            shares: Vec::new(),
            patterns: Vec::new(),
        }
    }

    /// Number of trees, once there are any.
    fn tree_count(&self) -> usize {
        if self.seen.len() == 2 { 1 } else { self.seen.len() }
    }

    /// Scores of a row; false: there are none yet.
    #[inline(always)]
    fn fill(&self, row: &[f64], out: &mut [f64]) -> bool {
        if self.patterns.is_empty() {
            if self.shares.is_empty() {
                return false;
            }
            out.copy_from_slice(&self.shares);
            return true;
        }
        let row = clipped(row);
        for (out, pattern) in out.iter_mut().zip(&self.patterns) {
            *out = pattern.score(&row);
        }
        if let [first, second] = out {
            *second = 1.0 - *first;
        }
        let mut total = 0.0;
        for (out, seen) in out.iter_mut().zip(&self.seen) {
            *out = if *seen { *out } else { 0.0 };
            total += *out;
        }
        if total == 0.0 {
            let count = self.seen.iter().filter(|seen| **seen).count() as f64;
            for (out, seen) in out.iter_mut().zip(&self.seen) {
                *out = f64::from(u8::from(*seen)) / count;
            }
        } else {
            out.iter_mut().for_each(|out| *out /= total);
        }
        true
    }

    /// Make the trees from the buffer. Without a column that varies, the shares of the classes
    /// predict until there is one.
    fn begin(&mut self) {
        let binary = self.seen.len() == 2;
        let (columns, parameters) = (&self.columns, &self.parameters);
        let rows = self.items.rows();
        if terms::terms_of(columns, &rows, &[], false).is_empty() {
            self.shares = self.items.shares(self.seen.len());
            self.items = LabelledItems::default();
            return;
        }
        let make = |class| Pattern::new(columns, class, binary, &self.items, parameters);
        self.patterns = (0..self.tree_count()).map(make).collect();
        self.shares = Vec::new();
        self.items.truncate(parameters.recent_size);
        for pattern in &mut self.patterns {
            pattern.surround(&self.items, parameters);
        }
    }
}

/// Numbers clipped, so that no difference overflows; missing ones stay missing.
#[inline(always)]
fn clipped(row: &[f64]) -> Vec<f64> {
    row.iter().map(|&x| if x.is_nan() { x } else { bounded(x) }).collect()
}

impl NativeModel for Efpt {
    type Target = i32;

    fn classes(&self) -> usize {
        self.seen.len()
    }

    fn width(&self) -> Option<usize> {
        Some(self.columns.len())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, _item: u64, row: &[f64]) -> i32 {
        let mut scores = vec![0.0; self.seen.len()];
        if !self.fill(row, &mut scores) {
            return NONE;
        }
        let mut best = 0;
        for (class, score) in scores.iter().enumerate() {
            if *score > scores[best] {
                best = class;
            }
        }
        best as i32
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, _s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        if !self.fill(row, out) {
            out.fill(f64::NAN);
        }
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], label: usize, weight: f64) {
        let row = clipped(row);
        self.seen[label] = true;
        if self.patterns.is_empty() {
            self.items.push(&row, label, weight, self.parameters.warm_start);
            if self.items.len() == self.parameters.warm_start {
                self.begin();
            }
            return;
        }
        self.items.push(&row, label, weight, self.parameters.recent_size);
        for pattern in &mut self.patterns {
            pattern.learn(&row, label, &self.items, &self.parameters);
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + held(&self.columns)
            + self.items.bytes()
            + held(&self.seen)
            + held(&self.shares)
            + held(&self.patterns)
            + self.patterns.iter().map(Pattern::bytes).sum::<usize>()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let trees: Vec<PatternVitals> = self.patterns.iter().map(Pattern::vitals).collect();
        let sum = |of: fn(&PatternVitals) -> f64| trees.iter().map(of).sum::<f64>();
        let most = |of: fn(&PatternVitals) -> f64| trees.iter().map(of).fold(0.0, f64::max);
        let filled = trees.iter().map(|tree| tree.filled).min().unwrap_or(0);
        vec![
            ("trees", trees.len() as f64),
            ("leaves", sum(|tree| tree.leaves as f64)),
            ("depth", most(|tree| tree.depth as f64)),
            ("neighbours", sum(|tree| tree.neighbours as f64)),
            ("expansions", sum(|tree| tree.expansions as f64)),
            ("prunings", sum(|tree| tree.prunings as f64)),
            ("losses", filled as f64),
            ("mean_loss", sum(|tree| tree.loss) / trees.len().max(1) as f64),
            ("largest_z", most(|tree| tree.largest_z)),
        ]
    }

    fn save(&self, out: &mut Writer) {
        self.seen.iter().for_each(|seen| out.whole((*seen).into()));
        out.whole(u64::from(!self.shares.is_empty()));
        out.reals(&self.shares);
        out.whole(u64::from(!self.patterns.is_empty()));
        self.patterns.iter().for_each(|pattern| pattern.save(out));
        self.items.save(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        for seen in &mut self.seen {
            *seen = from.flag()?;
        }
        if from.flag()? {
            let classes = 0..self.seen.len();
            self.shares = classes.map(|_| tree::share(from)).collect::<Result<Vec<_>>>()?;
            if self.shares.iter().sum::<f64>() < 0.5 {
                return Err(refused("of shares that sum to 1", "others"));
            }
        }
        if from.flag()? {
            let binary = self.seen.len() == 2;
            for class in 0..self.tree_count() {
                let pattern =
                    Pattern::load(from, &self.columns, (class, binary), &self.parameters)?;
                self.patterns.push(pattern);
            }
        }
        let (width, classes) = (self.columns.len(), self.seen.len());
        let most = if self.patterns.is_empty() {
            self.parameters.warm_start - 1
        } else {
            self.parameters.recent_size
        };
        self.items = LabelledItems::load(from, width, classes, most)?;
        let empty = self.items.len() == 0;
        let begun = !self.shares.is_empty() || !self.patterns.is_empty();
        if self.items.labels().any(|label| !self.seen[label])
            || (!self.patterns.is_empty() && (empty || !self.shares.is_empty()))
            || self.seen.iter().any(|seen| *seen) != (begun || !empty)
        {
            return Err(refused("of this learner", "items that do not fit the trees"));
        }
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let loss = match p.word("loss")? {
        "squared" => Loss::Squared,
        "absolute" => Loss::Absolute,
        "zero_one" => Loss::ZeroOne,
        other => return Err(parameter("learner", "loss", "that of a loss", other)),
    };
    let warm_start = p.whole("warm_start")?.max(1);
    let parameters = EfptParameters {
        warm_start,
        beam_width: p.whole("beam_width")?.max(1),
        min_improvement: p.real("min_improvement")?,
        expanded_leaves: p.whole("expanded_leaves")?,
        max_leaves: p.whole("max_leaves")?.max(1),
        loss,
        loss_window: p.whole("loss_window")?.max(2),
        z_threshold: p.real("z_threshold")?,
        recent_size: p.maybe_whole("recent_size")?.unwrap_or(warm_start.min(500)).max(1),
        middle: p.flag("mid")?,
        refit_ranges: p.flag("refit_ranges")?,
    };
    Ok(Model::of(Efpt::new(shape.classes, &shape.columns, parameters)))
}
