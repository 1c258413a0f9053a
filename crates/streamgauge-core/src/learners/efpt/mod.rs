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

#[cfg(test)]
mod tests {
    use super::{Efpt, EfptParameters};
    use crate::NONE;
    use crate::kernels::Plain;
    use crate::learners::native::NativeModel;
    use crate::learners::{Column, Reader, Writer};
    use crate::seeds::uniform;

    const COLUMNS: [Column; 3] = [Column::Numeric, Column::Nominal(2), Column::Numeric];

    fn quick() -> EfptParameters {
        EfptParameters { warm_start: 20, loss_window: 10, recent_size: 15, ..Default::default() }
    }

    /// Items whose class changes its column half-way.
    fn item(i: u64, count: u64, classes: usize) -> ([f64; 3], usize) {
        let row = [uniform(1, i), (2.0 * uniform(2, i)).floor(), uniform(3, i)];
        let x = if i < count / 2 { row[0] } else { row[2] };
        (row, ((x * classes as f64) as usize).min(classes - 1))
    }

    fn trained(classes: usize, count: u64) -> Efpt {
        let mut learner = Efpt::new(classes, &COLUMNS, quick());
        for i in 0..count {
            let (row, label) = item(i, count, classes);
            learner.learn(Plain, &row, label, 1.0);
        }
        learner
    }

    fn vital(learner: &Efpt, name: &str) -> f64 {
        let vitals = learner.vitals();
        vitals.iter().find(|(known, _)| *known == name).map_or(f64::NAN, |vital| vital.1)
    }

    fn saved(learner: &Efpt) -> Vec<u8> {
        let mut out = Writer::default();
        learner.save(&mut out);
        out.into_bytes()
    }

    #[test]
    fn it_abstains_until_the_buffer_is_full() {
        for (count, trees) in [(0, 0.0), (19, 0.0), (20, 1.0)] {
            let learner = trained(2, count);
            assert_eq!(learner.predict(Plain, 0, &[0.5; 3]) == NONE, count < 20);
            assert_eq!(vital(&learner, "trees"), trees);
        }
        assert_eq!(vital(&trained(1, 20), "trees"), 1.0);
        assert_eq!(vital(&trained(5, 20), "trees"), 5.0);
    }

    #[test]
    fn trees_follow_a_change() {
        let learner = trained(2, 600);
        assert!(vital(&learner, "expansions") + vital(&learner, "prunings") > 0.0);
        let right = (600..800).filter(|&i| {
            let (row, label) = item(i, 600, 2);
            learner.predict(Plain, i, &row) == label as i32
        });
        assert!(right.count() > 160);
    }

    #[test]
    fn missing_undeclared_and_extreme_cells_have_scores_that_sum_to_1() {
        for classes in [1, 2, 4] {
            let mut learner = trained(classes, 100);
            for row in [
                [f64::NAN, f64::NAN, f64::NAN],
                [1e300, 7.0, -1e300],
                [5e-324, -1.0, f64::MAX],
                [0.5, f64::NAN, 0.5],
            ] {
                learner.learn(Plain, &row, 0, 1e100);
                let mut scores = vec![0.0; classes];
                learner.scores(Plain, 0, &row, &mut scores);
                assert!((scores.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
            }
        }
    }

    #[test]
    fn without_columns_the_shares_of_the_classes_predict() {
        let mut learner = Efpt::new(3, &[], quick());
        for i in 0..50 {
            learner.learn(Plain, &[], usize::from(i % 3 > 0), 1.0);
        }
        assert_eq!((learner.predict(Plain, 0, &[]), vital(&learner, "trees")), (1, 0.0));
    }

    #[test]
    fn a_state_is_loaded_or_refused() {
        for (classes, count) in [(2, 7), (2, 20), (2, 300), (3, 64)] {
            let learner = trained(classes, count);
            let state = saved(&learner);
            let load = |state: &[u8]| {
                let mut other = trained(classes, 0);
                let mut from = Reader::new(state);
                other.load(&mut from).and_then(|()| from.end()).map(|()| saved(&other))
            };
            assert_eq!(load(&state).ok(), Some(state.clone()));
            for at in (0..state.len()).step_by(8) {
                let mut wrong = state.clone();
                wrong[at..at + 8].copy_from_slice(&f64::INFINITY.to_le_bytes());
                assert!(load(&wrong).is_err(), "word {}", at / 8);
            }
        }
    }
}
