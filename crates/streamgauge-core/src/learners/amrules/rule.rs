//! One rule: its conditions, its function, and how it watches itself.

use super::function::{Function, NARROW};
use super::sums::{Literal, Seen, Suggestion, Sums};
use super::{Settings, Taught};
use crate::kernels::math::{Products, ln};
use crate::kernels::{F8, LANES, Simd};
use crate::learners::linear::{Moments, load_cells};
use crate::learners::memory::held;
use crate::learners::{Reader, Writer};

/// What must be seen before an alarm, and before an item can be strange.
const WARM_UP: f64 = 30.0;

/// By how much a sum of errors shrinks with each item of the test for a change.
const KEEP: f64 = 0.9999;

/// A column whose deviation is at most this says nothing about strange items.
const STILL: f64 = 0.01;

/// How likely a cell is at least, and at most.
const RARE: f64 = 0.01;
const USUAL: f64 = 0.99;

/// The test for a change: errors above their mean, added up and fading.
#[derive(Debug, Clone, Copy, Default)]
struct Watch {
    seen: f64,
    items: f64,
    mean: f64,
    sum: f64,
}

impl Watch {
    #[inline(always)]
    fn alarm(&mut self, error: f64, weight: f64, settings: &Settings) -> bool {
        self.seen += weight;
        self.items += 1.0;
        self.mean += weight / self.seen * (error - self.mean);
        self.sum = KEEP * self.sum + weight * (error - self.mean - settings.tolerance);
        self.items + 1.0 >= WARM_UP && self.sum > settings.threshold
    }
}

/// The error of a rule over the distance of its answers from the mean label, both fading.
#[derive(Debug, Clone, Copy, Default)]
struct Relative {
    weight: f64,
    lost: f64,
    labels: f64,
    distance: f64,
}

impl Relative {
    #[inline(always)]
    fn add(&mut self, said: f64, label: f64, weight: f64, fading: f64) {
        self.weight = weight + fading * self.weight;
        self.lost = weight * (said - label).abs() + fading * self.lost;
        self.labels = weight * label + fading * self.labels;
        let distance = (said - self.labels / self.weight).abs();
        self.distance = weight * distance + fading * self.distance;
    }
}

/// A rule. All but conditions and function begins anew when a condition is added.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) literals: Vec<Literal>,
    pub(super) function: Function,
    sums: Sums,
    /// What it had seen when it last looked for a condition.
    checked: f64,
    columns: Vec<Seen>,
    watch: Watch,
    errors: Relative,
    /// Of the columns, but for strange items.
    usual: Moments,
}

impl Rule {
    pub(super) fn new(literals: Vec<Literal>, function: Function, settings: &Settings) -> Self {
        Self {
            literals,
            function,
            sums: Sums::default(),
            checked: 0.0,
            columns: settings.columns.iter().map(|&column| Seen::new(column)).collect(),
            watch: Watch::default(),
            errors: Relative::default(),
            usual: Moments::new(settings.columns.len()),
        }
    }

    #[inline(always)]
    pub(super) fn covers(&self, row: &[f64]) -> bool {
        self.literals.iter().all(|literal| literal.covers(row))
    }

    #[inline(always)]
    pub(super) fn answer<S: Simd>(&self, s: S, row: &[f64], settings: &Settings) -> f64 {
        self.function.choose(self.function.plane(s, row), settings.consequent)
    }

    /// By how much it counts among others: nothing before its first error.
    #[inline(always)]
    pub(super) fn vote(&self) -> f64 {
        let Relative { weight, lost, distance, .. } = self.errors;
        if weight > 0.0 { 1.0 / (lost / distance + 1e-9) } else { 0.0 }
    }

    /// Teach it an item that it covers. `watched`: it may find the item strange, or itself wrong.
    #[inline(always)]
    pub(super) fn teach<S: Simd>(
        &mut self,
        s: S,
        item: (&[f64], f64, f64),
        watched: bool,
        settings: &Settings,
        scratch: &mut [F8],
    ) -> Taught {
        let (row, label, weight) = item;
        let begun = watched && self.sums.weight > 0.0;
        if let Some(threshold) = settings.anomaly
            && begun
        {
            if self.oddity(s, row, settings) < threshold {
                return Taught::Strange;
            }
            self.usual.learn(s, row, weight);
        }
        let plane = self.function.plane(s, row);
        let said = self.function.choose(plane, settings.consequent);
        if begun {
            let deviation = self.sums.deviation();
            let error = if deviation > NARROW { (said - label).abs() / deviation } else { 0.0 };
            if self.watch.alarm(error, weight, settings) {
                return Taught::Changed;
            }
        }
        self.observe(row, label, weight, settings.candidates);
        if self.function.seen > 0.0 {
            self.errors.add(said, label, weight, settings.fading);
        }
        self.function.learn(s, item, plane, settings, scratch);
        if self.sums.weight - self.checked >= settings.grace { Taught::Due } else { Taught::Well }
    }

    /// The mean log odds of the cells by Cantelli's inequality; 0 where there is nothing to tell.
    #[inline(always)]
    fn oddity<S: Simd>(&self, s: S, row: &[f64], settings: &Settings) -> f64 {
        let (none, one) = (s.splat(0.0), s.splat(1.0));
        let mut odds = Products::new(s);
        let mut counted = none;
        for (g, cells) in row.chunks(LANES).enumerate() {
            let cells = load_cells(s, cells);
            let weight = s.load(&self.usual.weights[g].0);
            let variance = s.div(s.load(&self.usual.squares[g].0), s.sub(weight, one));
            let gap = s.sub(cells, s.load(&self.usual.means[g].0));
            let chance = s.div(s.add(variance, variance), s.add(variance, s.mul(gap, gap)));
            let chance = s.greater(s.lesser(chance, s.splat(USUAL)), s.splat(RARE));
            let tells = s.below(s.splat(STILL * STILL), variance, one, none);
            let tells = s.below(s.splat(WARM_UP), weight, tells, none);
            let tells = s.mul(s.known(cells, tells, none), s.load(&settings.numeric[g].0));
            let odd = s.div(chance, s.sub(one, chance));
            odds.take(s, s.below(none, tells, odd, one));
            counted = s.add(counted, tells);
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

    /// The condition that it should have in addition, if it is time for one.
    pub(super) fn look(&mut self, settings: &Settings) -> Option<Literal> {
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

    /// The rule with one more condition.
    pub(super) fn narrower(&self, literal: Literal, settings: &Settings) -> Self {
        let mut literals: Vec<Literal> =
            self.literals.iter().filter(|older| !literal.replaces(older)).copied().collect();
        literals.push(literal);
        literals.shrink_to_fit();
        Self::new(literals, self.function.heir(), settings)
    }

    /// Bytes it holds besides its place.
    pub(super) fn bytes(&self) -> usize {
        held(&self.literals)
            + self.function.bytes()
            + held(&self.columns)
            + self.columns.iter().map(Seen::bytes).sum::<usize>()
            + self.usual.bytes()
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.literals.len() as u64);
        self.literals.iter().for_each(|literal| literal.save(out));
        self.function.save(out);
        self.sums.save(out);
        out.real(self.checked);
        let (watch, errors) = (self.watch, self.errors);
        out.reals(&[watch.seen, watch.items, watch.mean, watch.sum]);
        out.reals(&[errors.weight, errors.lost, errors.labels, errors.distance]);
        self.usual.save(out);
        self.columns.iter().for_each(|seen| seen.save(out));
    }

    /// Read one; `like` is any rule of the same learner.
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
        let (watch, errors) = (&mut rule.watch, &mut rule.errors);
        let parts = [
            &mut rule.checked,
            &mut watch.seen,
            &mut watch.items,
            &mut watch.mean,
            &mut watch.sum,
            &mut errors.weight,
            &mut errors.lost,
            &mut errors.labels,
            &mut errors.distance,
        ];
        for part in parts {
            *part = from.real()?;
        }
        rule.usual.load(from)?;
        for (seen, &column) in rule.columns.iter_mut().zip(&settings.columns) {
            *seen = Seen::load(column, settings.candidates, from)?;
        }
        Ok(rule)
    }
}
