//! FIRES: features with large and certain weights in a probit model.

use super::Selector;
use super::features::Features;
use super::hazard::hazards;
use super::largest::{Ties, largest};
use super::rule::{Rule, n_features};
use super::selection::Selection;
use crate::error::Result;
use crate::kernels::{F8, LANES, Simd, groups};
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
}

/// Labelled items in blocks of eight, one item per lane: of each block all inputs, eight at a time.
#[derive(Debug, Clone)]
struct Items {
    x: Vec<F8>,
    /// Class and weight of each item; a weight of 0 where there is none.
    classes: Vec<usize>,
    weights: Vec<f64>,
    count: usize,
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
    /// Buffers: the sums of the gradients of each input, in eight parts.
    gradients: Vec<(F8, F8)>,
}

impl Weights {
    /// A step up the gradient of the mean log likelihood.
    #[inline(always)]
    fn step<S: Simd>(
        &mut self,
        s: S,
        items: &Items,
        positive: usize,
        steps: &Steps,
        gradients: &mut [(F8, F8)],
    ) {
        gradients.fill((F8::ZERO, F8::ZERO));
        let total: f64 = items.weights.iter().sum();
        for (block, x) in items.x.chunks_exact(self.means.len()).enumerate() {
            let (mut margin, mut variance) = (s.splat(0.0), s.splat(1.0));
            for ((x, &mean), &deviation) in x.iter().zip(&self.means).zip(&self.deviations) {
                let x = s.load(&x.0);
                margin = s.add(margin, s.mul(s.splat(mean), x));
                let square = s.mul(s.splat(deviation * deviation), s.mul(x, x));
                variance = s.add(variance, square);
            }
            let (mut sign, mut weight) = ([0.0; LANES], [0.0; LANES]);
            let some = block * LANES..((block + 1) * LANES).min(items.count);
            for (lane, item) in some.enumerate() {
                sign[lane] = if items.classes[item] == positive { 1.0 } else { -1.0 };
                weight[lane] = items.weights[item];
            }
            let (sign, weight, root) = (s.load(&sign), s.load(&weight), s.sqrt(variance));
            let z = s.div(s.mul(sign, margin), root);
            let mut lanes = [0.0; LANES];
            s.store(z, &mut lanes);
            let lanes = lanes.map(bounded);
            let hazard = s.load(&hazards(s, &lanes));
            let z = s.load(&lanes);
            let by_mean = s.mul(weight, s.div(s.mul(hazard, sign), root));
            let by_deviation = s.mul(weight, s.div(s.mul(hazard, z), variance));
            for (x, sums) in x.iter().zip(&mut *gradients) {
                let x = s.load(&x.0);
                let mean = s.add(s.load(&sums.0.0), s.mul(by_mean, x));
                let square = s.mul(by_deviation, s.mul(x, x));
                let deviation = s.sub(s.load(&sums.1.0), square);
                s.store(mean, &mut sums.0.0);
                s.store(deviation, &mut sums.1.0);
            }
        }
        for ((mean, deviation), sums) in
            self.means.iter_mut().zip(&mut self.deviations).zip(gradients)
        {
            let by_mean = s.sum(s.load(&sums.0.0)) / total;
            let by_deviation = s.sum(s.load(&sums.1.0)) / total * *deviation;
            *mean = bounded(*mean + steps.mean_rate * by_mean);
            *deviation = bounded(*deviation + steps.deviation_rate * by_deviation);
        }
    }
}

impl Items {
    fn new(inputs: usize, batch: usize) -> Self {
        let (blocks, padded) = (groups(batch), groups(batch) * LANES);
        let x = vec![F8::ZERO; blocks * inputs];
        Self { x, classes: vec![0; padded], weights: vec![0.0; padded], count: 0 }
    }

    #[inline(always)]
    fn push(&mut self, x: &[f64], class: usize, weight: f64) {
        let (block, lane) = (self.count / LANES, self.count % LANES);
        let to = &mut self.x[block * x.len()..(block + 1) * x.len()];
        for (to, &x) in to.iter_mut().zip(x) {
            to.0[lane] = x;
        }
        (self.classes[self.count], self.weights[self.count]) = (class, weight);
        self.count += 1;
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
        let weights = Weights { means: vec![0.0; inputs], deviations: vec![1.0; inputs] };
        let vectors = if shape.classes <= 2 { 1 } else { shape.classes };
        Self {
            count,
            batch,
            penalties,
            steps,
            features,
            weights: vec![weights; vectors],
            items: Items::new(inputs, batch),
            gradients: vec![(F8::ZERO, F8::ZERO); inputs],
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
        self.features.learn(s, row, weight);
        self.items.push(&self.features.x, class, weight);
        if self.items.count < self.batch {
            return false;
        }
        let single = self.weights.len() == 1;
        for (class, weights) in self.weights.iter_mut().enumerate() {
            let positive = if single { 1 } else { class };
            for _ in 0..self.steps.epochs {
                weights.step(s, &self.items, positive, &self.steps, &mut self.gradients);
            }
            for deviation in &mut weights.deviations {
                *deviation = deviation.max(self.steps.least_deviation);
            }
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
        let each = |w: &Weights| held(&w.means) + held(&w.deviations);
        let weights = held(&self.weights) + self.weights.iter().map(each).sum::<usize>();
        let items = held(&self.items.x) + held(&self.items.classes) + held(&self.items.weights);
        self.features.bytes() + weights + items + held(&self.gradients)
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
        for item in 0..self.items.count {
            let (block, lane) = (item / LANES, item % LANES);
            let inputs = self.features.inputs();
            let x = &self.items.x[block * inputs..(block + 1) * inputs];
            x.iter().for_each(|x| out.real(x.0[lane]));
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
        let mut x = vec![0.0; self.features.inputs()];
        self.items.clear();
        for _ in 0..count {
            from.reals(&mut x)?;
            let class = from.below(self.weights.len().max(2))?;
            let weight = from.real()?;
            self.items.push(&x, class, weight);
        }
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
