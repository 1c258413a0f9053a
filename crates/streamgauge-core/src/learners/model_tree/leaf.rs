//! A leaf: its statistics per column and its prediction function.

use super::cuts::{Cut, Cuts, Suggestion};
use super::scales::Target;
use super::{Draws, Item, Settings};
use crate::kernels::{F8, LANES};
use crate::learners::linear::bounded;
use crate::learners::{Reader, Writer};

/// Maximum number of repetitions of one weighted item.
const MAX_REPETITIONS: f64 = 100.0;

/// Number of values (label and weight) before the cells of a pending row.
const PREFIX: usize = 2;

/// Number of fading steps for an item of this weight.
pub(super) fn times(weight: f64) -> usize {
    weight.ceil().min(MAX_REPETITIONS) as usize
}

/// A linear function of a scaled row, trained by the delta rule.
#[derive(Debug, Clone)]
pub(in crate::learners) struct Plane {
    weights: Vec<F8>,
    bias: f64,
    seen: f64,
}

impl Plane {
    /// Random weights uniform in [-1, 1), one per column and one for the bias.
    pub(super) fn random(width: usize, groups: usize, draws: &mut Draws) -> Self {
        let mut weights = vec![F8::ZERO; groups];
        for i in 0..width {
            weights[i / LANES].0[i % LANES] = 2.0 * draws.unit() - 1.0;
        }
        Self { weights, bias: 2.0 * draws.unit() - 1.0, seen: 0.0 }
    }

    /// A copy with the initial learning rate.
    pub(super) fn inherited(&self) -> Self {
        Self { seen: 0.0, ..self.clone() }
    }

    #[inline(always)]
    pub(super) fn at(&self, scaled: &[F8], bias: f64) -> f64 {
        let mut sums = [0.0; LANES];
        for (w, x) in self.weights.iter().zip(scaled) {
            for ((sum, w), x) in sums.iter_mut().zip(w.0).zip(x.0) {
                *sum += w * x;
            }
        }
        let [a, b, c, d, e, f, g, h] = sums;
        ((a + b) + (c + d)) + ((e + f) + (g + h)) + self.bias * bias
    }

    fn step(&mut self, item: &Item<'_>, bias: f64, goal: f64, rate: f64) {
        let step = rate * (goal - self.at(item.scaled, bias));
        for (w, x) in self.weights.iter_mut().zip(item.scaled) {
            for (w, x) in w.0.iter_mut().zip(x.0) {
                *w = bounded(*w + step * x);
            }
        }
        self.bias = bounded(self.bias + step * bias);
    }

    /// One step per unit of weight, with a shorter last step for a fractional weight.
    pub(super) fn learn(&mut self, item: &Item<'_>, bias: f64, goal: f64, settings: &Settings) {
        self.seen += item.weight;
        let rate = settings.rate / (1.0 + self.seen * settings.decay);
        let weight = item.weight.min(MAX_REPETITIONS);
        for _ in 0..weight as usize {
            self.step(item, bias, goal, rate);
        }
        if weight.fract() > 0.0 {
            self.step(item, bias, goal, rate * weight.fract());
        }
    }

    fn bytes(&self) -> usize {
        self.weights.capacity() * size_of::<F8>()
    }

    fn save(&self, out: &mut Writer) {
        self.weights.iter().for_each(|eight| out.reals(&eight.0));
        out.reals(&[self.bias, self.seen]);
    }

    fn load(groups: usize, from: &mut Reader<'_>) -> crate::Result<Self> {
        let mut weights = vec![F8::ZERO; groups];
        weights.iter_mut().try_for_each(|eight| from.reals(&mut eight.0))?;
        Ok(Self { weights, bias: from.real()?, seen: from.real()? })
    }
}

/// A leaf.
#[derive(Debug, Clone)]
pub(in crate::learners) struct Leaf {
    pub(super) seen: f64,
    /// Sum of the labels, relative to the first label of the tree.
    total: f64,
    /// The mean before the first item.
    prior: f64,
    /// Sum of the relative errors.
    pub(super) errors: f64,
    /// Weight at the last attempt to split.
    checked: f64,
    /// Whether alarms are enabled.
    pub(super) detect: bool,
    /// See `moa.rs`.
    pub(super) orphan: bool,
    pub(super) plane: Option<Plane>,
    /// The columns it may split on.
    columns: Vec<u32>,
    /// Rows not yet merged into the cuts: label, weight, the cells of those columns.
    pending: Vec<f64>,
    cuts: Vec<Cuts>,
}

impl Leaf {
    pub(super) fn new(prior: f64, columns: Vec<u32>, plane: Option<Plane>) -> Self {
        let cuts = vec![Cuts::default(); columns.len()];
        Self {
            seen: 0.0,
            total: 0.0,
            prior,
            errors: 0.0,
            checked: 0.0,
            detect: true,
            orphan: false,
            plane,
            columns,
            pending: Vec::new(),
            cuts,
        }
    }

    /// Set the columns it may split on, before its first item.
    pub(super) fn choose(&mut self, columns: Vec<u32>) {
        self.cuts = vec![Cuts::default(); columns.len()];
        self.columns = columns;
    }

    /// The mean of its labels.
    pub(super) fn mean(&self, target: &Target) -> f64 {
        if self.seen > 0.0 { bounded(target.first + self.total / self.seen) } else { self.prior }
    }

    #[inline(always)]
    pub(super) fn predict(&self, scaled: &[F8], target: &Target, settings: &Settings) -> f64 {
        match &self.plane {
            _ if !settings.planes => self.mean(target),
            None => target.mean,
            Some(plane) => target.unscaled(plane.at(scaled, target.bias())),
        }
    }

    /// Learn an item; true if an attempt to split is due.
    pub(super) fn learn(&mut self, item: &Item<'_>, target: &Target, settings: &Settings) -> bool {
        self.seen += item.weight;
        self.total += item.weight * (item.label - target.first);
        let prediction = self.predict(item.scaled, target, settings);
        let error = item.label - prediction;
        self.errors += item.weight
            * if settings.as_moa {
                // MOA scales the absolute error as if it were a label.
                target.scaled(error.abs()).abs()
            } else {
                target.relative(error)
            };
        if let Some(plane) = &mut self.plane {
            plane.learn(item, target.bias(), target.scaled(item.label), settings);
        }
        if !self.columns.is_empty() {
            let weight = if settings.as_moa { 1.0 } else { item.weight };
            self.pending.extend([item.label - target.first, weight]);
            let cells = self.columns.iter().map(|&column| bounded_cell(item.row[column as usize]));
            self.pending.extend(cells);
            if self.pending.len() >= settings.pending * (PREFIX + self.columns.len()) {
                self.merge_pending();
            }
        }
        self.seen - self.checked >= settings.grace_period
    }

    fn merge_pending(&mut self) {
        let (mut fresh, mut buffer) = (Vec::new(), Vec::new());
        for (i, cuts) in self.cuts.iter_mut().enumerate() {
            fresh.clear();
            for row in self.pending.chunks_exact(PREFIX + self.columns.len()) {
                let (value, weight) = (row[PREFIX + i], row[1]);
                if !value.is_nan() {
                    fresh.push(Cut { value, weight, total: weight * row[0] });
                }
            }
            cuts.merge(&mut fresh, &mut buffer);
        }
        self.pending.clear();
    }

    /// The best cut of each column, by ascending merit; ties in column order.
    pub(super) fn suggestions(&mut self, settings: &Settings) -> Vec<Suggestion> {
        self.checked = self.seen;
        self.merge_pending();
        let all = settings.as_moa.then_some((self.seen, self.total));
        let columns = self.columns.iter().zip(&self.cuts);
        let mut found: Vec<Suggestion> =
            columns.filter_map(|(&column, cuts)| cuts.best(column as usize, all)).collect();
        found.sort_by(|a, b| a.merit.total_cmp(&b.merit));
        found
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.columns.capacity() * size_of::<u32>()
            + self.pending.capacity() * size_of::<f64>()
            + self.cuts.capacity() * size_of::<Cuts>()
            + self.cuts.iter().map(Cuts::bytes).sum::<usize>()
            + self.plane.as_ref().map_or(0, Plane::bytes)
    }

    /// Number of parameters of its prediction function.
    pub(super) fn parameters(&self, width: usize) -> usize {
        if self.plane.is_some() { width + 1 } else { 1 }
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.reals(&[self.seen, self.total, self.prior, self.errors, self.checked]);
        out.whole(u64::from(self.detect) | u64::from(self.orphan) << 1);
        out.whole(self.plane.is_some().into());
        if let Some(plane) = &self.plane {
            plane.save(out);
        }
        out.whole(self.columns.len() as u64);
        self.columns.iter().for_each(|&column| out.whole(column.into()));
        self.cuts.iter().for_each(|cuts| cuts.save(out));
        out.whole(self.pending.len() as u64);
        out.reals(&self.pending);
    }

    pub(super) fn load(width: usize, groups: usize, from: &mut Reader<'_>) -> crate::Result<Self> {
        let [seen, total, prior, errors, checked] =
            [from.real()?, from.real()?, from.real()?, from.real()?, from.real()?];
        let flags = from.below(4)?;
        let (detect, orphan) = (flags & 1 == 1, flags & 2 == 2);
        let plane = if from.below(2)? == 1 { Some(Plane::load(groups, from)?) } else { None };
        let count = from.below(width + 1)?;
        let mut columns = Vec::with_capacity(count);
        for _ in 0..count {
            columns.push(from.below(width)? as u32);
        }
        let mut cuts = Vec::with_capacity(count);
        for _ in 0..count {
            cuts.push(Cuts::load(from)?);
        }
        let mut pending = vec![0.0; from.count(1)?];
        from.reals(&mut pending)?;
        Ok(Self {
            seen,
            total,
            prior,
            errors,
            checked,
            detect,
            orphan,
            plane,
            columns,
            pending,
            cuts,
        })
    }
}

/// A clipped cell; NaN if missing; -0 becomes 0.
fn bounded_cell(x: f64) -> f64 {
    if x.is_nan() { x } else { bounded(x) + 0.0 }
}
