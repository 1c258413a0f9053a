//! FIRES: features with large and certain weights in a probit model.

use super::Selector;
use super::features::Features;
use super::hazard::hazards;
use super::largest::{Ties, largest};
use super::means::Cells;
use super::rule::{Rule, n_features};
use super::selection::Selection;
use crate::error::Result;
use crate::kernels::{Kernel, LANES, Simd, dispatch, groups};
use crate::learners::linear::{bounded, bounded_lanes};
use crate::learners::memory::held;
use crate::learners::{Reader, Shape, Writer};
use crate::parameters::Parameters;

/// The numbers that a step needs.
#[derive(Debug, Clone, Copy)]
struct Steps {
    epochs: usize,
    mean_rate: f64,
    deviation_rate: f64,
    least_deviation: f64,
}

/// Independent normal weights of the inputs: their means and standard deviations.
#[derive(Debug, Clone)]
struct Weights {
    means: Vec<f64>,
    deviations: Vec<f64>,
    /// The squares of the deviations.
    variances: Vec<f64>,
    /// The sums of the gradients of each input over the items of the batch so far.
    by_mean: Vec<f64>,
    by_deviation: Vec<f64>,
    /// Of each item of the block: the margin and the variance.
    margins: Vec<f64>,
    spreads: Vec<f64>,
}

/// Labelled items whose gradients are not summed yet: eight of them, or the whole batch if there
/// are several epochs. Inputs row by row, classes and weights (0 where there is no item).
#[derive(Debug, Clone)]
struct Block {
    size: usize,
    x: Vec<f64>,
    classes: Vec<usize>,
    weights: Vec<f64>,
    count: usize,
}

struct Fires {
    /// Number of features to select.
    count: usize,
    batch: usize,
    penalties: (f64, f64),
    steps: Steps,
    features: Features,
    /// For two classes one, otherwise one per class.
    weights: Vec<Weights>,
    block: Block,
    /// The items of the batch so far, and their weight without that of the block.
    in_batch: usize,
    total: f64,
}

/// Eight numbers of a column at a time.
#[inline(always)]
fn eights(column: &[f64]) -> std::slice::Iter<'_, [f64; LANES]> {
    column.as_chunks().0.iter()
}

#[inline(always)]
fn eights_mut(column: &mut [f64]) -> std::slice::IterMut<'_, [f64; LANES]> {
    column.as_chunks_mut().0.iter_mut()
}

/// Each of eight numbers, eight times.
#[inline(always)]
fn splats<S: Simd>(s: S, numbers: &[f64; LANES]) -> [S::V; LANES] {
    let mut out = [s.splat(0.0); LANES];
    for (out, &number) in out.iter_mut().zip(numbers) {
        *out = s.splat(number);
    }
    out
}

/// The margin and the variance of an item, summed up while its inputs come.
struct Margin<'a, S: Simd> {
    means: &'a [[f64; LANES]],
    variances: &'a [[f64; LANES]],
    sum: S::V,
    squares: S::V,
}

impl<S: Simd> Margin<'_, S> {
    #[inline(always)]
    fn sums(self, s: S) -> (f64, f64) {
        (s.sum(self.sum), 1.0 + s.sum(self.squares))
    }
}

impl<S: Simd> Cells<S> for Margin<'_, S> {
    #[inline(always)]
    fn take(&mut self, s: S, group: usize, x: S::V) {
        let (mean, variance) = (s.load(&self.means[group]), s.load(&self.variances[group]));
        self.sum = s.add(self.sum, s.mul(mean, x));
        self.squares = s.add(self.squares, s.mul(variance, s.mul(x, x)));
    }
}

impl Weights {
    fn new(inputs: usize, block: usize) -> Self {
        let padded = groups(block) * LANES;
        Self {
            means: vec![0.0; inputs],
            deviations: vec![1.0; inputs],
            variances: vec![1.0; inputs],
            by_mean: vec![0.0; inputs],
            by_deviation: vec![0.0; inputs],
            margins: vec![0.0; padded],
            spreads: vec![1.0; padded],
        }
    }

    /// The margin and the variance of an item, before its inputs are known.
    #[inline(always)]
    fn margin<S: Simd>(&self, s: S) -> Margin<'_, S> {
        let (means, variances) = (self.means.as_chunks().0, self.variances.as_chunks().0);
        Margin { means, variances, sum: s.splat(0.0), squares: s.splat(0.0) }
    }

    /// Compute the margin and the variance of an item with these inputs. The weights stay the same
    /// until the batch is full, and the inputs are in the cache now.
    #[inline(always)]
    fn see<S: Simd>(&mut self, s: S, item: usize, x: &[f64]) {
        let mut margin = self.margin(s);
        for (group, x) in eights(x).enumerate() {
            margin.take(s, group, s.load(x));
        }
        (self.margins[item], self.spreads[item]) = margin.sums(s);
    }

    /// The same for all items, after the weights have changed.
    #[inline(always)]
    fn see_all<S: Simd>(&mut self, s: S, block: &Block) {
        let inputs = self.means.len().max(1);
        for (item, x) in block.x.chunks_exact(inputs).take(block.count).enumerate() {
            self.see(s, item, x);
        }
    }

    /// Follow a change of the deviations.
    fn square(&mut self) {
        for (variance, deviation) in self.variances.iter_mut().zip(&self.deviations) {
            *variance = deviation * deviation;
        }
    }

    /// Add the gradients of the log likelihood of the items of the block; all were seen.
    #[inline(always)]
    fn add_gradients<S: Simd>(&mut self, s: S, block: &Block, positive: usize) {
        let inputs = self.means.len();
        let items = eights(&self.margins).zip(eights(&self.spreads)).take(groups(block.count));
        for (group, (margin, spread)) in items.enumerate() {
            let from = group * LANES;
            let (mut sign, mut weight) = ([0.0; LANES], [0.0; LANES]);
            for (sign, class) in sign.iter_mut().zip(&block.classes[from..]) {
                *sign = if *class == positive { 1.0 } else { -1.0 };
            }
            weight.copy_from_slice(&block.weights[from..from + LANES]);
            let (sign, weight, variance) = (s.load(&sign), s.load(&weight), s.load(spread));
            let root = s.sqrt(variance);
            let mut z = [0.0; LANES];
            s.store(s.div(s.mul(sign, s.load(margin)), root), &mut z);
            let z = z.map(bounded);
            let hazard = s.mul(weight, s.load(&hazards(s, &z)));
            let (mut firsts, mut seconds) = ([0.0; LANES], [0.0; LANES]);
            s.store(s.div(s.mul(hazard, sign), root), &mut firsts);
            s.store(s.div(s.mul(hazard, s.load(&z)), variance), &mut seconds);
            // Eight inputs of the eight items at a time, so that their sums stay in registers.
            let (firsts, seconds) = (splats(s, &firsts), splats(s, &seconds));
            let rows = (block.count - from).min(LANES);
            let x = block.x[from * inputs..(from + rows) * inputs].as_chunks::<LANES>().0;
            let sums = eights_mut(&mut self.by_mean).zip(eights_mut(&mut self.by_deviation));
            for (first, (mean, deviation)) in sums.enumerate() {
                let (mut by_mean, mut by_deviation) = (s.load(mean), s.load(deviation));
                let column = x[first..].iter().step_by(inputs / LANES);
                for ((x, &first), &second) in column.zip(&firsts).zip(&seconds) {
                    let x = s.load(x);
                    by_mean = s.add(by_mean, s.mul(first, x));
                    by_deviation = s.sub(by_deviation, s.mul(second, s.mul(x, x)));
                }
                s.store(by_mean, mean);
                s.store(by_deviation, deviation);
            }
        }
    }

    /// A step up the gradient of the mean log likelihood of the batch, whose weight is `total`.
    #[inline(always)]
    fn step<S: Simd>(&mut self, s: S, total: f64, steps: &Steps) {
        let total = s.splat(total);
        let (mean_rate, deviation_rate) = (s.splat(steps.mean_rate), s.splat(steps.deviation_rate));
        let weights = eights_mut(&mut self.means).zip(eights_mut(&mut self.deviations));
        let sums = eights_mut(&mut self.by_mean).zip(eights_mut(&mut self.by_deviation));
        let all = weights.zip(sums).zip(eights_mut(&mut self.variances));
        for (((mean, deviation), (first, second)), variance) in all {
            let (old, before) = (s.load(mean), s.load(deviation));
            let by_mean = s.div(s.load(first), total);
            let by_deviation = s.mul(s.div(s.load(second), total), before);
            let old = s.add(old, s.mul(mean_rate, by_mean));
            let after = s.add(before, s.mul(deviation_rate, by_deviation));
            let after = bounded_lanes(s, after);
            s.store(bounded_lanes(s, old), mean);
            s.store(after, deviation);
            s.store(s.mul(after, after), variance);
            s.store(s.splat(0.0), first);
            s.store(s.splat(0.0), second);
        }
    }

    /// Raise the deviations to the least one.
    #[inline(always)]
    fn raise<S: Simd>(&mut self, s: S, least: f64) {
        let least = s.splat(least);
        let weights = eights_mut(&mut self.deviations).zip(eights_mut(&mut self.variances));
        for (deviation, variance) in weights {
            let raised = s.greater(s.load(deviation), least);
            s.store(raised, deviation);
            s.store(s.mul(raised, raised), variance);
        }
    }
}

/// `Weights::see_all` on the widest registers of the machine.
struct SeeAll<'a>(&'a mut Weights, &'a Block);

impl Kernel for SeeAll<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.0.see_all(s, self.1);
    }
}

impl Block {
    fn new(inputs: usize, size: usize) -> Self {
        let padded = groups(size) * LANES;
        let x = vec![0.0; size * inputs];
        Self { size, x, classes: vec![0; padded], weights: vec![0.0; padded], count: 0 }
    }

    /// Add an item, and return its inputs, which are to be filled.
    #[inline(always)]
    fn push(&mut self, inputs: usize, class: usize, weight: f64) -> &mut [f64] {
        let from = self.count * inputs;
        (self.classes[self.count], self.weights[self.count]) = (class, weight);
        self.count += 1;
        &mut self.x[from..from + inputs]
    }

    fn clear(&mut self) {
        self.weights.fill(0.0);
        self.count = 0;
    }
}

impl Fires {
    fn new(
        shape: &Shape,
        count: usize,
        batch: usize,
        penalties: (f64, f64),
        steps: Steps,
        standardise: bool,
    ) -> Self {
        let features = Features::new(&shape.columns, standardise);
        let inputs = features.inputs();
        let block = if steps.epochs == 1 { batch.min(LANES) } else { batch };
        let weights = Weights::new(inputs, block);
        let vectors = if shape.classes <= 2 { 1 } else { shape.classes };
        Self {
            count,
            batch,
            penalties,
            steps,
            features,
            weights: vec![weights; vectors],
            block: Block::new(inputs, block),
            in_batch: 0,
            total: 0.0,
        }
    }

    /// The class whose items are the positive ones of a vector of weights.
    #[inline(always)]
    fn positive(&self, vector: usize) -> usize {
        if self.weights.len() == 1 { 1 } else { vector }
    }

    /// Add the gradients of the block; at the end of the batch, move the weights.
    #[inline(always)]
    fn use_block<S: Simd>(&mut self, s: S) {
        let last = self.in_batch == self.batch;
        // Rows without an item have the weight 0.
        self.total = self.block.weights.iter().fold(self.total, |sum, weight| sum + weight);
        for vector in 0..self.weights.len() {
            let positive = self.positive(vector);
            let weights = &mut self.weights[vector];
            weights.add_gradients(s, &self.block, positive);
            if last {
                weights.step(s, self.total, &self.steps);
                for _ in 1..self.steps.epochs {
                    weights.see_all(s, &self.block);
                    weights.add_gradients(s, &self.block, positive);
                    weights.step(s, self.total, &self.steps);
                }
                weights.raise(s, self.steps.least_deviation);
            }
        }
        self.block.clear();
        if last {
            (self.in_batch, self.total) = (0, 0.0);
        }
    }

    /// The weight of an input: the mean over the vectors.
    fn weight(&self, input: usize) -> f64 {
        let (by_deviation, by_size) = self.penalties;
        let one = |w: &Weights| weight(w.means[input], w.deviations[input], by_deviation, by_size);
        self.weights.iter().map(one).sum::<f64>() / self.weights.len() as f64
    }
}

/// The weight of an input: large if its mean is far from 0 and its deviation small.
#[inline(always)]
fn weight(mean: f64, deviation: f64, by_deviation: f64, by_size: f64) -> f64 {
    (mean * mean - by_deviation * (deviation * deviation)) / (2.0 * by_size)
}

impl Rule for Fires {
    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], class: usize, weight: f64) -> bool {
        let item = self.block.count;
        let x = self.block.push(self.features.inputs(), class, weight);
        let mut margin = self.weights[0].margin(s);
        let seen = self.features.learn(s, row, weight, x, &mut margin);
        if seen {
            let sums = margin.sums(s);
            (self.weights[0].margins[item], self.weights[0].spreads[item]) = sums;
        }
        for weights in &mut self.weights[usize::from(seen)..] {
            weights.see(s, item, x);
        }
        self.in_batch += 1;
        let last = self.in_batch == self.batch;
        if last || self.block.count == self.block.size {
            self.use_block(s);
        }
        last
    }

    fn select(&self, selected: &mut [bool]) {
        let mut scores = vec![0.0; self.features.len()];
        self.scores(&mut scores);
        largest(&scores, self.count, Ties::Lowest, selected);
    }

    fn scores(&self, out: &mut [f64]) {
        if let ([weights], true) = (&self.weights[..], self.features.all_numeric()) {
            // Input i is feature i; the compiler takes several at a time.
            let (by_deviation, by_size) = self.penalties;
            let inputs = weights.means.iter().zip(&weights.deviations);
            for (out, (&mean, &deviation)) in out.iter_mut().zip(inputs) {
                *out = weight(mean, deviation, by_deviation, by_size);
            }
            return;
        }
        for (feature, out) in out.iter_mut().enumerate() {
            let weights = self.features.of(feature).map(|input| self.weight(input));
            *out = weights.fold(f64::NEG_INFINITY, f64::max);
        }
    }

    fn bytes(&self) -> usize {
        let each = |w: &Weights| {
            let Weights { means, deviations, variances, by_mean, by_deviation, margins, spreads } =
                w;
            [means, deviations, variances, by_mean, by_deviation, margins, spreads]
                .into_iter()
                .map(held)
                .sum::<usize>()
        };
        let weights = held(&self.weights) + self.weights.iter().map(each).sum::<usize>();
        let block = held(&self.block.x) + held(&self.block.classes) + held(&self.block.weights);
        self.features.bytes() + weights + block
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let inputs = (0..self.features.len()).flat_map(|feature| self.features.of(feature));
        let inputs: Vec<usize> = inputs.collect();
        let all = self.weights.iter().flat_map(|w| inputs.iter().map(|&i| w.deviations[i]));
        let (count, sum, most, zero) =
            all.fold((0, 0.0, 0.0_f64, 0), |(count, sum, most, zero), deviation| {
                let at_zero = usize::from(deviation == 0.0);
                (count + 1, sum + deviation, most.max(deviation), zero + at_zero)
            });
        let mean = sum / f64::from(count);
        vec![("mean_sigma", mean), ("max_sigma", most), ("zero_sigmas", zero as f64)]
    }

    fn save(&self, out: &mut Writer) {
        self.features.save(out);
        for weights in &self.weights {
            out.reals(&weights.means);
            out.reals(&weights.deviations);
            out.reals(&weights.by_mean);
            out.reals(&weights.by_deviation);
        }
        out.whole(self.in_batch as u64);
        out.real(self.total);
        let inputs = self.features.inputs();
        out.reals(&self.block.x[..self.block.count * inputs]);
        for item in 0..self.block.count {
            out.whole(self.block.classes[item] as u64);
            out.real(self.block.weights[item]);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.features.load(from)?;
        for weights in &mut self.weights {
            from.reals(&mut weights.means)?;
            from.reals(&mut weights.deviations)?;
            from.reals(&mut weights.by_mean)?;
            from.reals(&mut weights.by_deviation)?;
            weights.square();
        }
        self.in_batch = from.below(self.batch)?;
        self.total = from.real()?;
        let count = self.in_batch % self.block.size;
        self.block.clear();
        from.reals(&mut self.block.x[..count * self.features.inputs()])?;
        for item in 0..count {
            self.block.classes[item] = from.below(self.weights.len().max(2))?;
            self.block.weights[item] = from.real()?;
        }
        self.block.count = count;
        self.weights.iter_mut().for_each(|weights| dispatch(SeeAll(weights, &self.block)));
        Ok(())
    }
}

/// Make the selector for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Box<dyn Selector>> {
    let steps = Steps {
        epochs: p.whole("epochs")?,
        mean_rate: p.real("lr_mu")?,
        deviation_rate: p.real("lr_sigma")?,
        least_deviation: p.real("sigma_min")?,
    };
    let penalties = (p.real("penalty_s")?, p.real("penalty_r")?);
    let count = n_features("FIRES", p, shape)?;
    let (batch, standardise) = (p.whole("batch_size")?.max(1), p.flag("standardise")?);
    let rule = Fires::new(shape, count, batch, penalties, steps, standardise);
    Ok(Box::new(Selection::new(rule, shape.columns.len(), shape.classes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Plain;
    use crate::learners::Column;

    const ITEMS: [([f64; 3], usize); 3] =
        [([0.5, 1.0, 0.0], 1), ([1.0, 0.2, 0.4], 0), ([0.3, 0.6, 1.0], 1)];

    fn fires() -> Fires {
        let shape = Shape { columns: vec![Column::Numeric; 3], classes: 2, seed: 0 };
        let steps =
            Steps { epochs: 1, mean_rate: 0.01, deviation_rate: 0.01, least_deviation: 0.0 };
        Fires::new(&shape, 1, 3, (0.01, 0.01), steps, false)
    }

    fn learn(fires: &mut Fires) {
        for (row, class) in ITEMS {
            fires.learn(Plain, &row, class, 1.0);
        }
    }

    fn check(found: &[f64], expected: &[f64]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{found} and {expected}");
        }
    }

    #[test]
    fn the_worked_example_is_reproduced() {
        let mut fires = fires();
        fires.weights[0].means[..3].copy_from_slice(&[0.10, -0.20, 0.05]);
        fires.weights[0].deviations[..3].copy_from_slice(&[1.0, 0.8, 0.5]);
        fires.weights[0].square();
        learn(&mut fires);
        check(&fires.weights[0].means, &[0.0997725577, -0.1969746012, 0.0514032827]);
        check(&fires.weights[0].deviations, &[1.0001216608, 0.8001520837, 0.5000337120]);
        let mut scores = [0.0; 3];
        fires.scores(&mut scores);
        check(&scores, &[-0.0023935042, 1.6198279974, 0.0070980173]);
        let mut selected = [true; 3];
        fires.select(&mut selected);
        assert_eq!(selected, [false, true, false]);
    }

    #[test]
    fn the_first_step_leaves_the_deviations() {
        let mut fires = fires();
        learn(&mut fires);
        check(&fires.weights[0].deviations, &[1.0, 1.0, 1.0]);
        check(&fires.weights[0].means, &[-0.000396824055, 0.002433953856, 0.000981920943]);
    }
}
