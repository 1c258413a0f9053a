//! The search for a split: eight numeric columns at a time, then the nominal ones.

use super::impurities::{Eight, Side, branch_weights, impurity, sides};
use super::layout::{Criterion, Nominal, TreeLayout};
use super::leaves::Leaves;
use super::nodes::Test;
use super::statistics::{NOTHING, Picks, Statistics};
use crate::kernels::{F8, Kernel, LANES, Simd};

/// Minimum share of the weight on both sides of a split by information gain.
const MIN_SHARE: f64 = 0.01;

/// The merit of an invalid split, still above that of no suggestion.
const INVALID_MERIT: f64 = f64::MIN;

/// A candidate split.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Suggestion {
    pub(super) column: u32,
    /// Index among the leaf's numeric columns, or among the nominal columns.
    pub(super) lane: usize,
    pub(super) test: Test,
    pub(super) merit: f64,
}

/// The best suggestion and the merit of the second best, including no split where that is a
/// candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ranking {
    /// Number of suggestions.
    pub(super) count: usize,
    /// None: no split.
    pub(super) best: Option<Suggestion>,
    pub(super) merit: f64,
    pub(super) second: f64,
}

impl Ranking {
    /// Add a suggestion; ties go to the last.
    fn take(&mut self, suggestion: Option<Suggestion>, merit: f64) {
        if self.count == 0 || merit >= self.merit {
            (self.second, self.merit, self.best) = (self.merit, merit, suggestion);
        } else if merit >= self.second {
            self.second = merit;
        }
        self.count += 1;
    }
}

/// Search for the best split of a leaf.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) layout: &'a TreeLayout,
    pub(super) statistics: &'a Statistics,
    pub(super) picks: Picks<'a>,
    /// Class weights, up to the last class in use.
    pub(super) weights: &'a [f64],
    pub(super) blocks: &'a [u32],
    pub(super) table: u32,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        layout: &'a TreeLayout,
        statistics: &'a Statistics,
        leaves: &'a Leaves,
        picks: Picks<'a>,
        slot: u32,
    ) -> Self {
        let from = slot as usize * layout.classes;
        let header = leaves.header(slot);
        Self {
            layout,
            statistics,
            picks,
            weights: &leaves.weights[from..from + header.length as usize],
            blocks: &leaves.blocks[from..from + layout.classes],
            table: header.table,
        }
    }

    /// Classes with statistics, and their blocks.
    fn observed(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.blocks.iter().copied().enumerate().filter(|(_, block)| *block != NOTHING)
    }

    /// Statistics of a class in a group of columns.
    fn eight(&self, block: u32, group: usize) -> Eight {
        let at = block as usize * self.layout.groups + group;
        let (gaussians, spread) = (&self.statistics.gaussians[at], &self.statistics.spreads[at]);
        let weight = match &self.statistics.present[block as usize] {
            Some(present) => present[group],
            None => F8([self.statistics.weights[block as usize]; LANES]),
        };
        let inverse = F8(gaussians.steepness.0.map(|steepness| (2.0 * steepness).sqrt()));
        let (lowest, highest) = (spread.lowest, spread.highest);
        Eight {
            mean: gaussians.mean,
            steepness: gaussians.steepness,
            inverse,
            weight,
            lowest,
            highest,
        }
    }

    /// Impurity of the class distribution before a split.
    #[inline(always)]
    fn before<S: Simd>(&self, s: S) -> f64 {
        let (impurity, sum) = impurity(s, self.layout.parameters.criterion, self.weights);
        if sum <= 0.0 { 0.0 } else { impurity / sum }
    }

    /// Weights of a class on both sides of a threshold, and whether each side contains the class.
    fn sides_of(&self, block: u32, lane: usize, threshold: f64) -> Option<[(f64, bool); 2]> {
        let eight = self.eight(block, lane / LANES);
        let l = lane % LANES;
        if eight.weight.0[l] == 0.0 {
            return None;
        }
        let weight = eight.weight.0[l];
        let squares = self.statistics.spreads[block as usize * self.layout.groups + lane / LANES];
        let gaussian = (weight, eight.mean.0[l], squares.squares.0[l]);
        let at_left = threshold >= eight.lowest.0[l];
        let at_right = threshold < eight.highest.0[l];
        Some(match (at_left, at_right) {
            (false, _) => [(0.0, false), (weight, true)],
            (true, false) => [(weight, true), (0.0, false)],
            (true, true) => branch_weights(gaussian, threshold).map(|weight| (weight, true)),
        })
    }

    /// The counts of a code with each class.
    #[inline(always)]
    fn counted(&self, nominal: &Nominal, code: usize) -> &[f64] {
        let from = (self.table as usize * self.layout.values + nominal.offset as usize + code)
            * self.layout.classes;
        &self.statistics.counts[from..from + self.layout.classes]
    }

    /// Class weights that each branch inherits, and their largest class code plus 1.
    pub(super) fn branches(&self, suggestion: &Suggestion) -> Vec<(Vec<f64>, usize)> {
        let Suggestion { lane, test, .. } = *suggestion;
        let count = match test {
            Test::Multiway => self.span(lane),
            _ => 2,
        };
        let mut branches = vec![(vec![0.0; self.layout.classes], 0); count];
        let mut add = |branch: usize, class: usize, weight: f64| {
            let (weights, length): &mut (Vec<f64>, usize) = &mut branches[branch];
            weights[class] += weight;
            *length = class + 1;
        };
        for (class, block) in self.observed() {
            if let Test::AtMost(threshold) = test {
                let sides = self.sides_of(block, lane, threshold);
                for (branch, (weight, contained)) in sides.into_iter().flatten().enumerate() {
                    if contained {
                        add(branch, class, weight);
                    }
                }
                continue;
            }
            let nominal = &self.layout.nominal[lane];
            for code in 0..self.statistics.span(self.layout, block, lane) as usize {
                let branch = match test {
                    Test::Equals(value) => usize::from(code != value as usize),
                    _ => code,
                };
                add(branch, class, self.counted(nominal, code)[class]);
            }
        }
        branches
    }

    /// The largest code of a nominal column in the leaf, plus 1.
    fn span(&self, lane: usize) -> usize {
        let spans =
            self.observed().map(|(_, b)| self.statistics.span(self.layout, b, lane) as usize);
        spans.max().unwrap_or(0)
    }

    /// The best split of a nominal column.
    #[inline(always)]
    fn nominal<S: Simd>(&self, s: S, lane: usize, before: f64) -> Option<(Test, f64)> {
        let (nominal, parameters) = (&self.layout.nominal[lane], &self.layout.parameters);
        let span = self.span(lane);
        let mut values = Vec::with_capacity(span);
        let (mut split_impurity, mut total, mut heaviest) = (0.0, 0.0, [0.0, 0.0]);
        for code in 0..span {
            let value = impurity(s, parameters.criterion, self.counted(nominal, code));
            values.push(value);
            split_impurity += value.0;
            total += value.1;
            heaviest = match heaviest {
                [first, _] if value.1 > first => [value.1, first],
                [first, second] => [first, second.max(value.1)],
            };
        }
        let mut best = None;
        if !parameters.binary {
            let enough = parameters.criterion == Criterion::Gini || heaviest[1] / total > MIN_SHARE;
            let merit = if enough { before - split_impurity / total } else { INVALID_MERIT };
            best = Some((Test::Multiway, if merit.is_nan() { INVALID_MERIT } else { merit }));
            // One value against the rest is never better than one branch per value.
            if enough && !merit.is_nan() {
                return best;
            }
        }
        let mut rest = vec![0.0; self.layout.classes];
        for (code, (value, heavy)) in values.into_iter().enumerate() {
            rest.fill(0.0);
            for other in (0..span).filter(|other| *other != code) {
                let counts = self.counted(nominal, other);
                rest.iter_mut().zip(counts).for_each(|(rest, count)| *rest += count);
            }
            let (others, weight) = impurity(s, parameters.criterion, &rest);
            let enough =
                parameters.criterion == Criterion::Gini || heavy.min(weight) / total > MIN_SHARE;
            let merit = if enough { before - (value + others) / total } else { INVALID_MERIT };
            let merit = if merit.is_nan() { INVALID_MERIT } else { merit };
            if best.is_none_or(|(_, highest)| merit > highest) {
                best = Some((Test::Equals(code as u32), merit));
            }
        }
        best
    }
}

impl Kernel for Search<'_> {
    type Out = Ranking;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Ranking {
        let parameters = &self.layout.parameters;
        let gini = parameters.criterion == Criterion::Gini;
        let before = self.before(s);
        let found = self.numbers(s, before, gini);
        let base = if gini { 1.0 } else { before };
        let mut ranking =
            Ranking { count: 0, best: None, merit: f64::NEG_INFINITY, second: f64::NEG_INFINITY };
        if parameters.prune {
            ranking.take(None, if gini { 1.0 - before } else { INVALID_MERIT });
        }
        let (mut numeric, mut nominal) = (0, 0);
        // In column order, because ties go to the last.
        loop {
            let number = self.picks.numeric.get(numeric).copied();
            let code = self.picks.nominal.get(nominal).map(|j| self.layout.nominal[*j as usize]);
            let number_first = match (number, &code) {
                (None, None) => break,
                (Some(number), Some(code)) => number < code.column,
                (number, _) => number.is_some(),
            };
            if let (true, Some(column)) = (number_first, number) {
                let lane = numeric;
                numeric += 1;
                let (merits, thresholds) = &found[lane / LANES];
                let merit = merits.0[lane % LANES];
                if merit > f64::NEG_INFINITY {
                    let test = Test::AtMost(thresholds.0[lane % LANES]);
                    ranking.take(Some(Suggestion { column, lane, test, merit }), merit);
                }
            } else if let Some(code) = code {
                let lane = self.picks.nominal[nominal] as usize;
                nominal += 1;
                if let Some((test, merit)) = self.nominal(s, lane, base) {
                    let column = code.column;
                    ranking.take(Some(Suggestion { column, lane, test, merit }), merit);
                }
            }
        }
        ranking
    }
}

impl Search<'_> {
    /// The best merit and threshold of each numeric column; the merit is -inf without a threshold.
    #[inline(always)]
    fn numbers<S: Simd>(&self, s: S, before: f64, gini: bool) -> Vec<(F8, F8)> {
        let candidates = self.layout.parameters.candidates;
        let base = s.splat(if gini { 1.0 } else { before });
        let least = s.splat(if gini { -1.0 } else { MIN_SHARE });
        let parts = s.splat(candidates as f64 + 1.0);
        let mut found = Vec::with_capacity(self.layout.groups);
        let mut classes = Vec::with_capacity(self.blocks.len());
        for group in 0..self.layout.groups {
            classes.clear();
            let (mut lowest, mut highest) = (s.splat(f64::INFINITY), s.splat(f64::NEG_INFINITY));
            for &block in self.blocks {
                if block != NOTHING {
                    let eight = self.eight(block, group);
                    lowest = s.lesser(s.load(&eight.lowest.0), lowest);
                    highest = s.greater(s.load(&eight.highest.0), highest);
                    classes.push(eight);
                }
            }
            let width = s.div(s.sub(highest, lowest), parts);
            let (mut best, mut at) = (s.splat(f64::NEG_INFINITY), s.splat(0.0));
            for candidate in 1..=candidates {
                let step = s.mul(width, s.splat(candidate as f64));
                let threshold = s.add(step, lowest);
                let (mut left, mut right) = (Side::new(s), Side::new(s));
                for eight in &classes {
                    let (at_most, above) = sides(s, threshold, eight);
                    left.take(s, at_most, gini);
                    right.take(s, above, gini);
                }
                let total = s.add(left.sum, right.sum);
                let impurity = s.add(left.impurity(s, gini), right.impurity(s, gini));
                let merit = s.sub(base, s.div(impurity, total));
                let lighter = s.div(s.lesser(left.sum, right.sum), total);
                let merit = s.below(least, lighter, merit, s.splat(INVALID_MERIT));
                let none = s.splat(f64::NEG_INFINITY);
                // Only thresholds strictly within the extremes; also excludes NaN.
                let merit = s.below(lowest, threshold, merit, none);
                let merit = s.below(threshold, highest, merit, none);
                at = s.below(best, merit, threshold, at);
                best = s.below(best, merit, merit, best);
            }
            let (mut merits, mut thresholds) = (F8::ZERO, F8::ZERO);
            s.store(best, &mut merits.0);
            s.store(at, &mut thresholds.0);
            found.push((merits, thresholds));
        }
        found
    }
}
