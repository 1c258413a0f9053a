//! FIRES: features with large and certain weights in a probit model.

use super::Selector;
use super::features::Features;
use super::hazard::hazards;
use super::largest::{Ties, largest};
use super::rule::{Rule, n_features};
use super::selection::Selection;
use crate::error::Result;
use crate::kernels::{Kernel, LANES, Simd, dispatch, groups};
use crate::learners::linear::bounded;
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
    /// Of each item: the margin and the variance; in a step, the factors of its gradients.
    margins: Vec<f64>,
    spreads: Vec<f64>,
}

/// Labelled items: their inputs row by row, classes and weights (0 where there is no item).
#[derive(Debug, Clone)]
struct Items {
    x: Vec<f64>,
    classes: Vec<usize>,
    weights: Vec<f64>,
    count: usize,
}

/// Buffers of a step.
#[derive(Debug, Clone)]
struct Buffers {
    /// The sums of the gradients of each input.
    by_mean: Vec<f64>,
    by_deviation: Vec<f64>,
}

struct Fires {
    count: usize,
    batch: usize,
    penalties: (f64, f64),
    steps: Steps,
    features: Features,
    /// For two classes one, otherwise one per class.
    weights: Vec<Weights>,
    items: Items,
    buffers: Buffers,
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

impl Weights {
    fn new(inputs: usize, batch: usize) -> Self {
        let padded = groups(batch) * LANES;
        Self {
            means: vec![0.0; inputs],
            deviations: vec![1.0; inputs],
            variances: vec![1.0; inputs],
            margins: vec![0.0; padded],
            spreads: vec![1.0; padded],
        }
    }

    /// Compute the margin and the variance of an item with these inputs. The weights stay the same
    /// until the batch is full, and the inputs are in the cache now.
    #[inline(always)]
    fn see<S: Simd>(&mut self, s: S, item: usize, x: &[f64]) {
        let (mut sum, mut squares) = (s.splat(0.0), s.splat(0.0));
        let weights = eights(&self.means).zip(eights(&self.variances));
        for (x, (mean, variance)) in eights(x).zip(weights) {
            let x = s.load(x);
            sum = s.add(sum, s.mul(s.load(mean), x));
            squares = s.add(squares, s.mul(s.load(variance), s.mul(x, x)));
        }
        self.margins[item] = s.sum(sum);
        self.spreads[item] = 1.0 + s.sum(squares);
    }

    /// The same for all items, after the weights have changed.
    #[inline(always)]
    fn see_all<S: Simd>(&mut self, s: S, items: &Items) {
        self.change();
        let inputs = self.means.len().max(1);
        for (item, x) in items.x.chunks_exact(inputs).take(items.count).enumerate() {
            self.see(s, item, x);
        }
    }

    /// Update a change of the deviations; no item is seen any more.
    fn change(&mut self) {
        for (variance, deviation) in self.variances.iter_mut().zip(&self.deviations) {
            *variance = deviation * deviation;
        }
        self.margins.fill(0.0);
        self.spreads.fill(1.0);
    }

    /// A step up the gradient of the mean log likelihood; all items were seen.
    #[inline(always)]
    fn step<S: Simd>(
        &mut self,
        s: S,
        items: &Items,
        positive: usize,
        steps: &Steps,
        buffers: &mut Buffers,
    ) {
        let Buffers { by_mean, by_deviation } = buffers;
        let (margins, spreads) = (&mut self.margins, &mut self.spreads);
        let inputs = self.means.len().max(1);
        let groups = eights_mut(margins).zip(eights_mut(spreads));
        for (group, (margin, spread)) in groups.enumerate() {
            let mut sign = [0.0; LANES];
            for (lane, sign) in sign.iter_mut().enumerate() {
                let hit = items.classes[group * LANES + lane] == positive;
                *sign = if hit { 1.0 } else { -1.0 };
            }
            let mut weight = [0.0; LANES];
            weight.copy_from_slice(&items.weights[group * LANES..(group + 1) * LANES]);
            let (sign, weight, variance) = (s.load(&sign), s.load(&weight), s.load(spread));
            let root = s.sqrt(variance);
            let mut z = [0.0; LANES];
            s.store(s.div(s.mul(sign, s.load(margin)), root), &mut z);
            let z = z.map(bounded);
            let hazard = s.mul(weight, s.load(&hazards(s, &z)));
            s.store(s.div(s.mul(hazard, sign), root), margin);
            s.store(s.div(s.mul(hazard, s.load(&z)), variance), spread);
        }
        // Eight inputs of all items at a time, so that their sums stay in registers.
        let x = items.x.as_chunks::<LANES>().0;
        let (groups, sums) = (inputs / LANES, eights_mut(by_mean).zip(eights_mut(by_deviation)));
        for (group, (mean, deviation)) in sums.enumerate() {
            let (mut by_mean, mut by_deviation) = (s.splat(0.0), s.splat(0.0));
            let column = x[group..].iter().step_by(groups).take(items.count);
            for ((x, &first), &second) in column.zip(&*margins).zip(&*spreads) {
                let x = s.load(x);
                by_mean = s.add(by_mean, s.mul(s.splat(first), x));
                let square = s.mul(s.splat(second), s.mul(x, x));
                by_deviation = s.sub(by_deviation, square);
            }
            s.store(by_mean, mean);
            s.store(by_deviation, deviation);
        }
        let total: f64 = items.weights.iter().sum();
        for ((mean, deviation), (first, second)) in
            self.means.iter_mut().zip(&mut self.deviations).zip(by_mean.iter().zip(&*by_deviation))
        {
            let by_deviation = second / total * *deviation;
            *mean = bounded(*mean + steps.mean_rate * (first / total));
            *deviation = bounded(*deviation + steps.deviation_rate * by_deviation);
        }
    }
}

/// `Weights::see_all` on the widest registers of the machine.
struct SeeAll<'a>(&'a mut Weights, &'a Items);

impl Kernel for SeeAll<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.0.see_all(s, self.1);
    }
}

impl Items {
    fn new(inputs: usize, batch: usize) -> Self {
        let padded = groups(batch) * LANES;
        let x = vec![0.0; batch * inputs];
        Self { x, classes: vec![0; padded], weights: vec![0.0; padded], count: 0 }
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
        let weights = Weights::new(inputs, batch);
        let vectors = if shape.classes <= 2 { 1 } else { shape.classes };
        Self {
            count,
            batch,
            penalties,
            steps,
            features,
            weights: vec![weights; vectors],
            items: Items::new(inputs, batch),
            buffers: Buffers { by_mean: vec![0.0; inputs], by_deviation: vec![0.0; inputs] },
        }
    }

    /// The weight of an input: large if its mean is far from 0 and its deviation small.
    fn weight(&self, input: usize) -> f64 {
        let (by_deviation, by_size) = self.penalties;
        let one = |w: &Weights| {
            let (mean, deviation) = (w.means[input], w.deviations[input]);
            (mean * mean - by_deviation * (deviation * deviation)) / (2.0 * by_size)
        };
        self.weights.iter().map(one).sum::<f64>() / self.weights.len() as f64
    }
}

impl Rule for Fires {
    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], class: usize, weight: f64) -> bool {
        let item = self.items.count;
        let x = self.items.push(self.features.inputs(), class, weight);
        self.features.learn(s, row, weight, x);
        for weights in &mut self.weights {
            weights.see(s, item, x);
        }
        if self.items.count < self.batch {
            return false;
        }
        let single = self.weights.len() == 1;
        for (class, weights) in self.weights.iter_mut().enumerate() {
            let positive = if single { 1 } else { class };
            for epoch in 0..self.steps.epochs {
                if epoch > 0 {
                    weights.see_all(s, &self.items);
                }
                weights.step(s, &self.items, positive, &self.steps, &mut self.buffers);
            }
            for deviation in &mut weights.deviations {
                *deviation = deviation.max(self.steps.least_deviation);
            }
            weights.change();
        }
        self.items.clear();
        true
    }

    fn select(&self, selected: &mut [bool]) {
        let mut scores = vec![0.0; self.features.len()];
        self.scores(&mut scores);
        largest(&scores, self.count, Ties::Lowest, selected);
    }

    fn scores(&self, out: &mut [f64]) {
        for (feature, out) in out.iter_mut().enumerate() {
            let weights = self.features.of(feature).map(|input| self.weight(input));
            *out = weights.fold(f64::NEG_INFINITY, f64::max);
        }
    }

    fn bytes(&self) -> usize {
        let each = |w: &Weights| {
            let Weights { means, deviations, variances, margins, spreads } = w;
            [means, deviations, variances, margins, spreads].into_iter().map(held).sum::<usize>()
        };
        let weights = held(&self.weights) + self.weights.iter().map(each).sum::<usize>();
        let items = held(&self.items.x) + held(&self.items.classes) + held(&self.items.weights);
        let buffers = held(&self.buffers.by_mean) + held(&self.buffers.by_deviation);
        self.features.bytes() + weights + items + buffers
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
        }
        out.whole(self.items.count as u64);
        let inputs = self.features.inputs();
        out.reals(&self.items.x[..self.items.count * inputs]);
        for item in 0..self.items.count {
            out.whole(self.items.classes[item] as u64);
            out.real(self.items.weights[item]);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.features.load(from)?;
        for weights in &mut self.weights {
            from.reals(&mut weights.means)?;
            from.reals(&mut weights.deviations)?;
        }
        let count = from.below(self.batch)?;
        self.items.clear();
        from.reals(&mut self.items.x[..count * self.features.inputs()])?;
        for item in 0..count {
            self.items.classes[item] = from.below(self.weights.len().max(2))?;
            self.items.weights[item] = from.real()?;
        }
        self.items.count = count;
        self.weights.iter_mut().for_each(|weights| dispatch(SeeAll(weights, &self.items)));
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
        fires.weights[0].change();
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
