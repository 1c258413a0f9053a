//! One rule: its conditions, its prediction function and its drift test.

use super::function::{Function, MIN_DEVIATION};
use super::sums::{ColumnSums, Literal, Suggestion, Sums};
use super::{Outcome, Settings};
use crate::kernels::math::{Products, ln};
use crate::kernels::{F8, LANES, Simd};
use crate::learners::linear::{Moments, load_cells};
use crate::learners::memory::held;
use crate::learners::{Reader, Writer};

/// Items before the first alarm, and weight before the first anomaly.
const WARM_UP: f64 = 30.0;

/// Fading factor of the sum in the drift test.
const FADING: f64 = 0.9999;

/// Columns with at most this standard deviation are ignored in the anomaly test.
const MAX_IGNORED_DEVIATION: f64 = 0.01;

/// Lower and upper limit of the probability of a cell.
const MIN_PROBABILITY: f64 = 0.01;
const MAX_PROBABILITY: f64 = 0.99;

/// The drift test: a fading sum of errors above their mean.
#[derive(Debug, Clone, Copy, Default)]
struct DriftTest {
    seen: f64,
    items: f64,
    mean: f64,
    sum: f64,
}

impl DriftTest {
    #[inline(always)]
    fn alarm(&mut self, error: f64, weight: f64, settings: &Settings) -> bool {
        self.seen += weight;
        self.items += 1.0;
        self.mean += weight / self.seen * (error - self.mean);
        self.sum = FADING * self.sum + weight * (error - self.mean - settings.tolerance);
        self.items + 1.0 >= WARM_UP && self.sum > settings.threshold
    }
}

/// The error of a rule relative to the distance of its predictions from the mean label, fading.
#[derive(Debug, Clone, Copy, Default)]
struct Relative {
    weight: f64,
    error: f64,
    labels: f64,
    distance: f64,
}

impl Relative {
    #[inline(always)]
    fn add(&mut self, prediction: f64, label: f64, weight: f64, fading: f64) {
        self.weight = weight + fading * self.weight;
        self.error = weight * (prediction - label).abs() + fading * self.error;
        self.labels = weight * label + fading * self.labels;
        let distance = (prediction - self.labels / self.weight).abs();
        self.distance = weight * distance + fading * self.distance;
    }
}

/// A rule. Everything except conditions and function is reset when a condition is added.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) literals: Vec<Literal>,
    pub(super) function: Function,
    sums: Sums,
    /// Weight at the last attempt to expand.
    checked: f64,
    columns: Vec<ColumnSums>,
    drift_test: DriftTest,
    errors: Relative,
    /// Moments of the columns, without anomalies.
    usual: Moments,
}

impl Rule {
    pub(super) fn new(literals: Vec<Literal>, function: Function, settings: &Settings) -> Self {
        Self {
            literals,
            function,
            sums: Sums::default(),
            checked: 0.0,
            columns: settings.columns.iter().map(|&column| ColumnSums::new(column)).collect(),
            drift_test: DriftTest::default(),
            errors: Relative::default(),
            usual: Moments::new(settings.columns.len()),
        }
    }

    #[inline(always)]
    pub(super) fn covers(&self, row: &[f64]) -> bool {
        self.literals.iter().all(|literal| literal.covers(row))
    }

    #[inline(always)]
    pub(super) fn predict<S: Simd>(&self, s: S, row: &[f64], settings: &Settings) -> f64 {
        self.function.choose(self.function.linear(s, row), settings.consequent)
    }

    /// Weight of its prediction among other rules; 0 before its first error.
    #[inline(always)]
    pub(super) fn prediction_weight(&self) -> f64 {
        let Relative { weight, error, distance, .. } = self.errors;
        if weight > 0.0 { 1.0 / (error / distance + 1e-9) } else { 0.0 }
    }

    /// Learn a covered item. `tested`: test for anomalies and drift.
    #[inline(always)]
    pub(super) fn learn<S: Simd>(
        &mut self,
        s: S,
        item: (&[f64], f64, f64),
        tested: bool,
        settings: &Settings,
        scratch: &mut [F8],
    ) -> Outcome {
        let (row, label, weight) = item;
        let started = tested && self.sums.weight > 0.0;
        if let Some(threshold) = settings.anomaly
            && started
        {
            if self.anomaly_score(s, row, settings) < threshold {
                return Outcome::Anomaly;
            }
            self.usual.learn(s, row, weight);
        }
        let linear = self.function.linear(s, row);
        let prediction = self.function.choose(linear, settings.consequent);
        if started {
            let deviation = self.sums.deviation();
            let error = if deviation > MIN_DEVIATION {
                (prediction - label).abs() / deviation
            } else {
                0.0
            };
            if self.drift_test.alarm(error, weight, settings) {
                return Outcome::Drift;
            }
        }
        self.observe(row, label, weight, settings.candidates);
        if self.function.seen > 0.0 {
            self.errors.add(prediction, label, weight, settings.fading);
        }
        self.function.learn(s, item, linear, settings, scratch);
        if self.sums.weight - self.checked >= settings.grace_period {
            Outcome::Due
        } else {
            Outcome::Learned
        }
    }

    /// The mean log odds of the cells by Cantelli's inequality; 0 without informative cells.
    #[inline(always)]
    fn anomaly_score<S: Simd>(&self, s: S, row: &[f64], settings: &Settings) -> f64 {
        let (none, one) = (s.splat(0.0), s.splat(1.0));
        let mut odds = Products::new(s);
        let mut counted = none;
        for (g, cells) in row.chunks(LANES).enumerate() {
            let cells = load_cells(s, cells);
            let weight = s.load(&self.usual.weights[g].0);
            let variance = s.div(s.load(&self.usual.squares[g].0), s.sub(weight, one));
            let gap = s.sub(cells, s.load(&self.usual.means[g].0));
            let chance = s.div(s.add(variance, variance), s.add(variance, s.mul(gap, gap)));
            let chance =
                s.greater(s.lesser(chance, s.splat(MAX_PROBABILITY)), s.splat(MIN_PROBABILITY));
            let informative = s.below(
                s.splat(MAX_IGNORED_DEVIATION * MAX_IGNORED_DEVIATION),
                variance,
                one,
                none,
            );
            let informative = s.below(s.splat(WARM_UP), weight, informative, none);
            let informative =
                s.mul(s.known(cells, informative, none), s.load(&settings.numeric[g].0));
            let odd = s.div(chance, s.sub(one, chance));
            odds.take(s, s.below(none, informative, odd, one));
            counted = s.add(counted, informative);
        }
        let counted = s.sum(counted);
        if counted > 0.0 { odds.all(s).ln() / counted } else { 0.0 }
    }

    #[inline(never)]
    fn observe(&mut self, row: &[f64], label: f64, weight: f64, most: usize) {
        self.sums.add(label, weight);
        for (seen, &x) in self.columns.iter_mut().zip(row) {
            seen.add(x + 0.0, label, weight, most);
        }
    }

    /// The condition to add, if the Hoeffding bound allows one.
    pub(super) fn find_condition(&mut self, settings: &Settings) -> Option<Literal> {
        self.checked = self.sums.weight;
        let (mut best, mut second): (Option<Suggestion>, f64) = (None, 0.0);
        for (column, seen) in self.columns.iter().enumerate() {
            let Some(found) = seen.best(column, self.sums) else { continue };
            if best.is_none_or(|best| found.merit >= best.merit) {
                second = best.map_or(second, |best| best.merit);
                best = Some(found);
            } else {
                second = second.max(found.merit);
            }
        }
        let best = best?;
        let bound = (ln(1.0 / settings.delta) / (2.0 * self.sums.weight)).sqrt();
        let sure = self.columns.len() == 1 || best.merit - second > bound || bound < settings.tie;
        sure.then_some(best.literal)
    }

    /// The rule with an additional condition.
    pub(super) fn specialised(&self, literal: Literal, settings: &Settings) -> Self {
        let mut literals: Vec<Literal> =
            self.literals.iter().filter(|older| !literal.replaces(older)).copied().collect();
        literals.push(literal);
        literals.shrink_to_fit();
        Self::new(literals, self.function.inherited(), settings)
    }

    /// Bytes held besides the struct itself.
    pub(super) fn bytes(&self) -> usize {
        held(&self.literals)
            + self.function.bytes()
            + held(&self.columns)
            + self.columns.iter().map(ColumnSums::bytes).sum::<usize>()
            + self.usual.bytes()
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.literals.len() as u64);
        self.literals.iter().for_each(|literal| literal.save(out));
        self.function.save(out);
        self.sums.save(out);
        out.real(self.checked);
        let (drift_test, errors) = (self.drift_test, self.errors);
        out.reals(&[drift_test.seen, drift_test.items, drift_test.mean, drift_test.sum]);
        out.reals(&[errors.weight, errors.error, errors.labels, errors.distance]);
        self.usual.save(out);
        self.columns.iter().for_each(|seen| seen.save(out));
    }

    /// Read a rule; `like` is any rule of the same learner.
    pub(super) fn load(
        like: &Self,
        settings: &Settings,
        from: &mut Reader<'_>,
    ) -> crate::Result<Self> {
        let count = from.count(3)?;
        let mut literals = Vec::with_capacity(count);
        for _ in 0..count {
            literals.push(Literal::load(settings.columns.len(), from)?);
        }
        let mut rule = Self::new(literals, like.function.clone(), settings);
        rule.function.load(from)?;
        rule.sums = Sums::load(from)?;
        let (drift_test, errors) = (&mut rule.drift_test, &mut rule.errors);
        let parts = [
            &mut rule.checked,
            &mut drift_test.seen,
            &mut drift_test.items,
            &mut drift_test.mean,
            &mut drift_test.sum,
            &mut errors.weight,
            &mut errors.error,
            &mut errors.labels,
            &mut errors.distance,
        ];
        for part in parts {
            *part = from.real()?;
        }
        rule.usual.load(from)?;
        for (seen, &column) in rule.columns.iter_mut().zip(&settings.columns) {
            *seen = ColumnSums::load(column, settings.candidates, from)?;
        }
        Ok(rule)
    }
}
