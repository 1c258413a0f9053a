//! OFS: online feature selection by truncation of a linear function.

use std::cmp::Ordering;

use super::Selector;
use super::features::Features;
use super::largest::{Ties, largest};
use super::random_features::draws;
use super::rule::{Rule, n_features};
use super::selection::{Selection, impossible};
use crate::error::{Result, parameter};
use crate::kernels::{LANES, Simd};
use crate::learners::linear::{bounded, bounded_lanes};
use crate::learners::memory::held;
use crate::learners::{Reader, Shape, Writer};
use crate::parameters::Parameters;

/// Which of the published forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    /// Shrinks and truncates.
    Paper,
    /// Truncates.
    Pystreamfs,
    /// Neither; the largest weights are selected, the highest index first among equals.
    Float,
    /// Truncates; only as many features of an item are looked at as are selected.
    Partial,
}

struct Ofs {
    count: usize,
    rate: f64,
    penalty: f64,
    variant: Variant,
    epsilon: f64,
    seed: u64,
    features: Features,
    /// The inputs of the last item.
    x: Vec<f64>,
    /// One weight per input: for two classes one vector, otherwise one per class.
    weights: Vec<Vec<f64>>,
    learned: u64,
    updates: u64,
    /// Buffers: the margins, the features looked at, those to keep, the scores, random numbers, the row.
    margins: Vec<f64>,
    looked_at: Vec<bool>,
    kept: Vec<bool>,
    scores: Vec<f64>,
    draws: Vec<f64>,
    row: Vec<f64>,
    /// Whether there is one vector of weights, of numeric features, that is truncated: then
    /// `used` has the features with a weight other than 0, ascending.
    sparse: bool,
    used: Vec<usize>,
    candidates: Vec<usize>,
    values: Vec<f64>,
    sizes: Vec<u64>,
    /// A rounded size that about as many weights reach as are kept; it changes the time only.
    guess: u64,
}

/// The low bits of a size that do not count in comparisons.
const NOISE: u32 = 12;

/// A size without the bits that are rounding errors, as bits, which are in the order of the sizes.
///
/// After two items all standardised features have the same size but for rounding, which must not
/// decide which of them are kept.
#[inline(always)]
fn rounded(size: f64) -> u64 {
    let half = 1 << (NOISE - 1);
    (size.abs().to_bits() + half) >> NOISE << NOISE
}

/// The sum of products, in index order.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// The least number whose rounded size is at least `least`, a rounded size; never 0.
#[inline(always)]
fn threshold(least: u64) -> f64 {
    f64::from_bits(least.saturating_sub(1 << (NOISE - 1)).max(1))
}

/// Collect the indices of the weights whose rounded size is at least `least` and that are not 0.
#[inline(always)]
fn of_size<S: Simd>(s: S, w: &[f64], least: u64, out: &mut Vec<usize>) {
    out.clear();
    let least = s.splat(threshold(least));
    for (group, w) in w.as_chunks::<LANES>().0.iter().enumerate() {
        let w = s.load(w);
        let mut large = s.at_most(least, s.greater(w, s.sub(s.splat(0.0), w)));
        while large != 0 {
            out.push(group * LANES + large.trailing_zeros() as usize);
            large &= large - 1;
        }
    }
}

/// Take a step, and scale the weights down to the radius if they are longer.
#[inline(always)]
fn move_by<S: Simd>(s: S, w: &mut [f64], x: &[f64], shrink: f64, step: f64, radius: f64) {
    let (shrink, step) = (s.splat(shrink), s.splat(step));
    let mut squares = s.splat(0.0);
    for (w, x) in w.as_chunks_mut::<LANES>().0.iter_mut().zip(x.as_chunks::<LANES>().0) {
        let moved = s.add(s.mul(shrink, s.load(w)), s.mul(step, s.load(x)));
        let moved = bounded_lanes(s, moved);
        squares = s.add(squares, s.mul(moved, moved));
        s.store(moved, w);
    }
    let length = s.sum(squares).sqrt();
    if length > radius {
        let scale = s.splat(radius / length);
        for w in w.as_chunks_mut::<LANES>().0 {
            s.store(s.mul(s.load(w), scale), w);
        }
    }
}

impl Ofs {
    fn new(
        shape: &Shape,
        count: usize,
        rate: f64,
        penalty: f64,
        variant: Variant,
        epsilon: f64,
        standardise: bool,
    ) -> Self {
        let features = Features::new(&shape.columns, standardise);
        let vectors = if shape.classes <= 2 { 1 } else { shape.classes };
        let width = features.len();
        let truncates = matches!(variant, Variant::Paper | Variant::Pystreamfs);
        Self {
            sparse: truncates && vectors == 1 && features.all_numeric(),
            used: Vec::new(),
            candidates: Vec::new(),
            values: Vec::new(),
            sizes: Vec::new(),
            guess: 0,
            count,
            rate,
            penalty,
            variant,
            epsilon,
            seed: shape.seed,
            weights: vec![vec![0.0; features.inputs()]; vectors],
            x: vec![0.0; features.inputs()],
            features,
            learned: 0,
            updates: 0,
            margins: vec![0.0; vectors],
            looked_at: vec![true; width],
            kept: vec![false; width],
            scores: vec![0.0; width],
            draws: vec![0.0; width + 1],
            row: Vec::new(),
        }
    }

    /// Length of the weights of a feature, over its inputs and all classes.
    #[inline(always)]
    fn score(weights: &[Vec<f64>], inputs: std::ops::Range<usize>) -> f64 {
        if weights.len() == 1 && inputs.len() == 1 {
            return weights[0][inputs.start].abs();
        }
        let squares = |w: &Vec<f64>| w[inputs.clone()].iter().fold(0.0, |sum, w| sum + w * w);
        weights.iter().fold(0.0, |sum, w| sum + squares(w)).sqrt()
    }

    #[inline(always)]
    fn non_zero(&self, feature: usize) -> bool {
        let inputs = self.features.of(feature);
        self.weights.iter().any(|w| w[inputs.clone()].iter().any(|&w| w != 0.0))
    }

    /// Choose the features to look at in the next item: all of them at random with probability
    /// epsilon, otherwise the selected ones, filled up at random.
    fn look(&mut self) {
        let width = self.features.len();
        draws(self.seed, self.learned, &mut self.draws);
        let explore = self.draws[width] < self.epsilon;
        for feature in 0..width {
            let first = !explore && self.non_zero(feature);
            self.scores[feature] = if first { 2.0 } else { self.draws[feature] };
        }
        largest(&self.scores, self.count, Ties::Lowest, &mut self.looked_at);
    }

    /// Set the inputs of features that are not looked at, and of missing cells, to 0.
    fn hide(&mut self) {
        for feature in 0..self.features.len() {
            if self.row[feature].is_nan() {
                let inputs = self.features.of(feature);
                self.x[inputs].fill(0.0);
            }
        }
    }

    /// Divide the inputs of each feature by the probability that it is looked at.
    fn weigh_by_chance(&mut self) {
        let width = self.features.len() as f64;
        let non_zero = (0..self.features.len()).filter(|&i| self.non_zero(i)).count();
        let by_chance = self.epsilon * self.count as f64 / width;
        let free = self.count.saturating_sub(non_zero) as f64 / (width - non_zero as f64);
        for feature in 0..self.features.len() {
            let kept = if self.non_zero(feature) { 1.0 } else { free };
            let chance = by_chance + (1.0 - self.epsilon) * kept;
            for i in self.features.of(feature) {
                if self.x[i] != 0.0 {
                    self.x[i] = bounded(self.x[i] / chance);
                }
            }
        }
    }

    /// The factor by which weights shrink at a learning rate.
    fn shrink(&self, rate: f64) -> f64 {
        match self.variant {
            Variant::Paper => (1.0 - self.penalty * rate).max(0.0),
            Variant::Pystreamfs | Variant::Float | Variant::Partial => 1.0,
        }
    }

    /// Move the weights by the encoded item; returns whether a step was made.
    #[inline(always)]
    fn step<S: Simd>(&mut self, s: S, class: usize, weight: f64) -> bool {
        let single = self.weights.len() == 1;
        let sign = |c: usize| if class == (if single { 1 } else { c }) { 1.0 } else { -1.0 };
        for (c, (margin, w)) in self.margins.iter_mut().zip(&self.weights).enumerate() {
            *margin = sign(c) * dot(w, &self.x);
        }
        let wrong = self.margins.iter().any(|&margin| margin <= 1.0);
        if wrong && self.variant == Variant::Partial {
            self.weigh_by_chance();
        }
        let rate = weight * self.rate;
        let (shrink, radius) = (self.shrink(rate), 1.0 / self.penalty.sqrt());
        for (c, (&margin, w)) in self.margins.iter().zip(&mut self.weights).enumerate() {
            if margin <= 1.0 {
                move_by(s, w, &self.x, shrink, rate * sign(c), radius);
            } else if self.variant == Variant::Paper {
                w.iter_mut().for_each(|w| *w *= shrink);
            }
        }
        wrong
    }

    /// Learn the encoded item where weights are sparse: only the step looks at all features.
    /// Returns whether other features have weights now.
    #[inline(always)]
    fn learn_sparse<S: Simd>(&mut self, s: S, class: usize, weight: f64) -> bool {
        let rate = weight * self.rate;
        let shrink = self.shrink(rate);
        let (w, x) = (&mut self.weights[0], &self.x);
        let y = if class == 1 { 1.0 } else { -1.0 };
        // Weights that are 0 add nothing, so this is the sum over all features in index order.
        let margin = y * self.used.iter().fold(0.0, |sum, &i| sum + w[i] * x[i]);
        self.margins[0] = margin;
        self.candidates.clear();
        if margin <= 1.0 {
            self.updates = self.updates.wrapping_add(1);
            move_by(s, w, x, shrink, rate * y, 1.0 / self.penalty.sqrt());
            of_size(s, w, self.guess, &mut self.candidates);
            if self.candidates.len() < self.count {
                // As many features as are kept have at least the smallest weight kept so far.
                let full = self.used.len() == self.count;
                let least = self.used.iter().map(|&i| rounded(w[i])).min();
                self.guess = if full { least.unwrap_or(0) } else { 0 };
                of_size(s, w, self.guess, &mut self.candidates);
            }
            if self.candidates.len() > self.count {
                let size = |i: usize| rounded(w[i]);
                self.sizes.clear();
                self.sizes.extend(self.candidates.iter().map(|&i| size(i)));
                let (_, &mut least, larger) =
                    self.sizes.select_nth_unstable(self.candidates.len() - self.count);
                self.guess = rounded(0.85 * f64::from_bits(least));
                let larger = larger.iter().filter(|&&size| size > least).count();
                // Of equal sizes, the lowest indices are kept.
                let mut equal = self.count - larger;
                self.candidates.retain(|&i| match size(i).cmp(&least) {
                    Ordering::Less => false,
                    Ordering::Greater => true,
                    Ordering::Equal => {
                        let kept = equal > 0;
                        equal -= usize::from(kept);
                        kept
                    }
                });
            }
            self.values.clear();
            self.values.extend(self.candidates.iter().map(|&i| w[i]));
            w.fill(0.0);
            self.candidates.iter().zip(&self.values).for_each(|(&i, &value)| w[i] = value);
        } else {
            self.used.iter().for_each(|&i| w[i] *= shrink);
            self.candidates.extend(self.used.iter().copied().filter(|&i| w[i] != 0.0));
        }
        std::mem::swap(&mut self.used, &mut self.candidates);
        self.used != self.candidates
    }

    /// Set all but the largest weights to 0.
    #[inline(always)]
    fn truncate(&mut self) {
        for (feature, score) in self.scores.iter_mut().enumerate() {
            let size = Self::score(&self.weights, self.features.of(feature));
            *score = f64::from_bits(rounded(size));
        }
        largest(&self.scores, self.count, Ties::Lowest, &mut self.kept);
        for feature in (0..self.features.len()).filter(|&i| !self.kept[i]) {
            let inputs = self.features.of(feature);
            self.weights.iter_mut().for_each(|w| w[inputs.clone()].fill(0.0));
        }
    }
}

impl Rule for Ofs {
    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], class: usize, weight: f64) -> bool {
        if self.variant == Variant::Partial {
            self.look();
            let looked_at = row.iter().zip(&self.looked_at);
            self.row.clear();
            self.row.extend(looked_at.map(|(&x, &seen)| if seen { x } else { f64::NAN }));
            self.features.learn(s, &self.row, weight, &mut self.x, &mut ());
            self.hide();
        } else {
            self.features.learn(s, row, weight, &mut self.x, &mut ());
        }
        self.learned = self.learned.wrapping_add(1);
        if self.sparse {
            return self.learn_sparse(s, class, weight);
        }
        let stepped = self.step(s, class, weight);
        if stepped {
            self.updates = self.updates.wrapping_add(1);
            if self.variant != Variant::Float {
                self.truncate();
            }
        }
        // Shrinking can set a weight to 0.
        stepped || self.variant == Variant::Paper
    }

    fn select(&self, selected: &mut [bool]) {
        if self.variant == Variant::Float {
            let mut scores = vec![0.0; self.features.len()];
            self.scores(&mut scores);
            largest(&scores, self.count, Ties::Highest, selected);
            return;
        }
        if self.sparse {
            selected.fill(false);
            self.used.iter().for_each(|&i| selected[i] = true);
            return;
        }
        for (feature, selected) in selected.iter_mut().enumerate() {
            *selected = self.non_zero(feature);
        }
    }

    fn scores(&self, out: &mut [f64]) {
        for (feature, out) in out.iter_mut().enumerate() {
            *out = Self::score(&self.weights, self.features.of(feature));
        }
    }

    fn bytes(&self) -> usize {
        let weights: usize = self.weights.iter().map(held).sum();
        let buffers = held(&self.margins) + held(&self.scores) + held(&self.draws);
        let flags = held(&self.looked_at) + held(&self.kept);
        let sparse = held(&self.used) + held(&self.candidates) + held(&self.values);
        let sparse = sparse + held(&self.sizes);
        sparse
            + self.features.bytes()
            + held(&self.x)
            + held(&self.weights)
            + weights
            + buffers
            + flags
            + held(&self.row)
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let weights = self.weights.iter().flatten();
        let (count, squares) = weights.fold((0, 0.0), |(count, squares), &w| {
            (count + usize::from(w != 0.0), squares + w * w)
        });
        let share = self.updates as f64 / self.learned as f64;
        vec![("non_zero_weights", count as f64), ("norm", squares.sqrt()), ("update_share", share)]
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.learned);
        out.whole(self.updates);
        self.features.save(out);
        self.weights.iter().for_each(|w| out.reals(w));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        (self.learned, self.updates) = (from.whole()?, from.whole()?);
        self.features.load(from)?;
        self.weights.iter_mut().try_for_each(|w| from.reals(w))?;
        if self.sparse {
            let padding = &self.weights[0][self.features.len()..];
            if padding.iter().any(|&weight| weight != 0.0) {
                return Err(impossible());
            }
            self.used = (0..self.features.len()).filter(|&i| self.non_zero(i)).collect();
        }
        Ok(())
    }
}

/// Make the selector for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Box<dyn Selector>> {
    let variant = match p.word("variant")? {
        "paper" => Variant::Paper,
        "pystreamfs" => Variant::Pystreamfs,
        "float" => Variant::Float,
        "partial" => Variant::Partial,
        other => {
            let must = "'paper', 'pystreamfs', 'float' or 'partial'";
            return Err(parameter("OFS", "variant", must, other));
        }
    };
    let count = n_features("OFS", p, shape)?;
    let (rate, penalty) = (p.real("learning_rate")?, p.real("penalty")?);
    let (epsilon, standardise) = (p.real("epsilon")?, p.flag("standardise")?);
    let rule = Ofs::new(shape, count, rate, penalty, variant, epsilon, standardise);
    Ok(Box::new(Selection::new(rule, shape.columns.len(), shape.classes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Plain;
    use crate::learners::Column;

    fn ofs(variant: Variant) -> Ofs {
        let shape = Shape { columns: vec![Column::Numeric; 4], classes: 2, seed: 0 };
        Ofs::new(&shape, 2, 0.2, 0.01, variant, 0.2, false)
    }

    /// The items of the worked example.
    const ITEMS: [([f64; 4], usize); 4] = [
        ([1.0, 0.5, -2.0, 0.1], 1),
        ([0.4, 3.0, -1.0, 0.0], 0),
        ([2.0, -1.0, -6.0, 1.0], 1),
        ([30.0, -60.0, 10.0, 5.0], 0),
    ];

    fn updated(variant: Variant) -> Vec<(f64, Vec<f64>)> {
        let mut ofs = ofs(variant);
        let learn = |(row, class): &([f64; 4], usize)| {
            ofs.learn(Plain, row, *class, 1.0);
            (ofs.margins[0], ofs.weights[0][..4].to_vec())
        };
        ITEMS.iter().map(learn).collect()
    }

    fn check(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-8, "{found} and {expected}");
        }
    }

    #[test]
    fn the_worked_example_of_the_paper_is_reproduced() {
        let steps = updated(Variant::Paper);
        let margins: Vec<f64> = steps.iter().map(|(margin, _)| *margin).collect();
        check(&margins, &[0.0, -0.48, 1.7952, -33.939984]);
        check(&steps[0].1, &[0.2, 0.0, -0.4, 0.0]);
        check(&steps[1].1, &[0.0, -0.6, -0.1992, 0.0]);
        check(&steps[2].1, &[0.0, -0.5988, -0.1988016, 0.0]);
        check(&steps[3].1, &[-4.5769845889, 8.6980996820, 0.0, 0.0]);
    }

    #[test]
    fn of_features_that_differ_by_rounding_the_first_are_kept() {
        let shape = Shape { columns: vec![Column::Numeric; 9], classes: 2, seed: 0 };
        for classes in [2, 3] {
            let shape = Shape { classes, ..shape.clone() };
            let mut ofs = Ofs::new(&shape, 4, 0.2, 0.01, Variant::Paper, 0.2, true);
            let row = |k: f64| (0..9).map(|i| k * (f64::from(i) + 0.1).sqrt()).collect::<Vec<_>>();
            ofs.learn(Plain, &row(0.3), 1, 1.0);
            ofs.learn(Plain, &row(-0.7), 0, 1.0);
            let mut selected = vec![false; 9];
            ofs.select(&mut selected);
            assert_eq!(selected, [true, true, true, true, false, false, false, false, false]);
        }
    }

    #[test]
    fn the_worked_example_without_shrinking_is_reproduced() {
        let steps = updated(Variant::Pystreamfs);
        let margins: Vec<f64> = steps.iter().map(|(margin, _)| *margin).collect();
        check(&margins, &[0.0, -0.48, 1.8, -34.0]);
        check(&steps[3].1, &[-4.5776192907, 8.6974766522, 0.0, 0.0]);
    }

    #[test]
    fn the_worked_example_with_partial_input_is_reproduced() {
        let mut ofs = ofs(Variant::Partial);
        ofs.weights[0][..4].copy_from_slice(&[0.5, 0.0, -0.3, 0.0]);
        ofs.row = vec![f64::NAN, 2.0, -1.0, f64::NAN];
        ofs.x[..4].copy_from_slice(&[9.0, 2.0, -1.0, 9.0]);
        ofs.hide();
        // The item has y = -1 and is on the wrong side by -0.3: w'x = 0.3.
        assert!(ofs.step(Plain, 0, 1.0));
        check(&ofs.margins, &[-0.3]);
        check(&ofs.x[..4], &[0.0, 20.0, -1.1111111111, 0.0]);
        ofs.truncate();
        check(&ofs.weights[0][..4], &[0.5, -4.0, 0.0, 0.0]);
    }
}
