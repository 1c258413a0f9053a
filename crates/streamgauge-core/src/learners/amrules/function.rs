//! The prediction function of a rule: the mean of its labels or a linear function, whichever has
//! the smaller error.

use crate::kernels::{F8, LANES, Simd, groups};
use crate::learners::linear::{Moments, bounded, bounded_lanes, load_cells};
use crate::learners::memory::held;
use crate::learners::model_tree::Draws;
use crate::learners::{Reader, Writer};

use super::{Consequent, Settings};

/// Columns with a smaller standard deviation are not scaled.
pub(super) const MIN_DEVIATION: f64 = 1e-7;

/// Maximum number of gradient steps for one weighted item.
const MAX_STEPS: f64 = 100.0;

/// A fading mean of absolute errors.
#[derive(Debug, Clone, Copy, Default)]
struct Faded {
    weight: f64,
    sum: f64,
}

impl Faded {
    #[inline(always)]
    fn add(&mut self, error: f64, weight: f64, fading: f64) {
        self.sum = weight * error.abs() + fading * self.sum;
        self.weight = weight + fading * self.weight;
    }

    #[inline(always)]
    fn error(self) -> f64 {
        if self.weight > 0.0 { self.sum / self.weight } else { f64::MAX }
    }
}

/// A mean and a linear function of standardised columns. Labels are relative to the first.
#[derive(Debug, Clone)]
pub(super) struct Function {
    /// Mean of the labels, and its weight.
    mean: f64,
    counted: f64,
    /// Moments of the columns learned by the linear function.
    columns: Moments,
    /// Scale factors of the deviations from the column means.
    factors: Vec<F8>,
    pub(super) seen: f64,
    centre: f64,
    squares: f64,
    weights: Vec<F8>,
    bias: f64,
    /// Errors of the mean and of the linear function.
    by_mean: Faded,
    by_linear: Faded,
}

impl Function {
    /// Random weights uniform in [-1, 1), one per numeric column and one for the bias.
    pub(super) fn new(numeric: &[bool], draws: &mut Draws) -> Self {
        let mut weights = vec![F8::ZERO; groups(numeric.len())];
        for (i, _) in numeric.iter().enumerate().filter(|(_, numeric)| **numeric) {
            weights[i / LANES].0[i % LANES] = 2.0 * draws.unit() - 1.0;
        }
        Self {
            mean: 0.0,
            counted: 0.0,
            columns: Moments::new(numeric.len()),
            factors: vec![F8::ZERO; weights.len()],
            seen: 0.0,
            centre: 0.0,
            squares: 0.0,
            weights,
            bias: 2.0 * draws.unit() - 1.0,
            by_mean: Faded::default(),
            by_linear: Faded::default(),
        }
    }

    /// A copy for a specialised rule: the mean has the weight of one item, the errors are reset.
    pub(super) fn inherited(&self) -> Self {
        let (by_mean, by_linear) = (Faded::default(), Faded::default());
        Self { counted: 1.0, by_mean, by_linear, ..self.clone() }
    }

    /// Scale of the labels.
    #[inline(always)]
    fn scale(&self) -> f64 {
        let variance = self.squares / (self.seen - 1.0);
        let wide = self.seen > 1.0 && variance > MIN_DEVIATION * MIN_DEVIATION;
        if wide { variance.sqrt() } else { 1.0 }
    }

    /// Prediction of the linear function.
    #[inline(always)]
    pub(super) fn linear<S: Simd>(&self, s: S, row: &[f64]) -> f64 {
        let mut lanes = s.splat(0.0);
        for (g, cells) in row.chunks(LANES).enumerate() {
            let x = self.scaled(s, g, load_cells(s, cells));
            lanes = s.add(lanes, s.mul(s.load(&self.weights[g].0), x));
        }
        bounded(self.centre + (s.sum(lanes) + self.bias) * self.scale())
    }

    /// A group of standardised cells; a missing cell is set to the mean.
    #[inline(always)]
    fn scaled<S: Simd>(&self, s: S, g: usize, cells: S::V) -> S::V {
        let mean = s.load(&self.columns.means[g].0);
        let x = s.known(cells, bounded_lanes(s, cells), mean);
        bounded_lanes(s, s.mul(s.sub(x, mean), s.load(&self.factors[g].0)))
    }

    /// The prediction: that of the linear function, or the mean.
    #[inline(always)]
    pub(super) fn choose(&self, linear: f64, consequent: Consequent) -> f64 {
        let by_linear = match consequent {
            Consequent::Adaptive => self.by_linear.error() < self.by_mean.error(),
            Consequent::Perceptron => true,
            Consequent::Mean => false,
        };
        if by_linear { linear } else { self.mean }
    }

    /// Learn an item for which the linear function predicted `linear`.
    #[inline(always)]
    pub(super) fn learn<S: Simd>(
        &mut self,
        s: S,
        (row, label, weight): (&[f64], f64, f64),
        linear: f64,
        settings: &Settings,
        scaled: &mut [F8],
    ) {
        if self.seen > 0.0 {
            self.by_mean.add(self.mean - label, weight, settings.fading);
            self.by_linear.add(linear - label, weight, settings.fading);
        }
        self.counted += weight;
        self.mean += weight / self.counted * (label - self.mean);
        self.seen += weight;
        let gap = label - self.centre;
        self.centre += weight / self.seen * gap;
        self.squares = (self.squares + weight * gap * (label - self.centre)).min(f64::MAX);
        if settings.consequent == Consequent::Mean {
            return;
        }
        let (one, weights) = (s.splat(1.0), s.splat(weight));
        for (g, cells) in row.chunks(LANES).enumerate() {
            let cells = load_cells(s, cells);
            let (total, squares) = self.columns.learn_group(s, g, cells, weights);
            let variance = s.div(squares, s.sub(total, one));
            let wide = s.below(s.splat(MIN_DEVIATION * MIN_DEVIATION), variance, one, s.splat(0.0));
            let wide = s.below(one, total, wide, s.splat(0.0));
            let factor = s.below(s.splat(0.0), wide, s.div(one, s.sqrt(variance)), one);
            let factor = s.mul(bounded_lanes(s, factor), s.load(&settings.numeric[g].0));
            s.store(factor, &mut self.factors[g].0);
            let x = self.scaled(s, g, cells);
            s.store(x, &mut scaled[g].0);
        }
        let goal = bounded((label - self.centre) / self.scale());
        // A rule without numeric columns still has a bias.
        let most = settings.numbers.max(1) as f64;
        let rate = settings.rate / (1.0 + self.seen * settings.decay);
        // One step per unit of weight, with a shorter last step for a fractional weight.
        let mut left = weight.min(MAX_STEPS);
        while left > 0.0 {
            self.step(s, scaled, goal, rate * left.min(1.0), most);
            left -= 1.0;
        }
    }

    /// One step of the delta rule; if the absolute weights sum to more than `most`, they are
    /// normalised to a sum of 1.
    #[inline(always)]
    fn step<S: Simd>(&mut self, s: S, scaled: &[F8], goal: f64, rate: f64, most: f64) {
        let mut lanes = s.splat(0.0);
        for (w, x) in self.weights.iter().zip(scaled) {
            lanes = s.add(lanes, s.mul(s.load(&w.0), s.load(&x.0)));
        }
        let step = rate * (goal - (s.sum(lanes) + self.bias));
        let (steps, none) = (s.splat(step), s.splat(0.0));
        let mut sizes = none;
        for (w, x) in self.weights.iter_mut().zip(scaled) {
            let moved = bounded_lanes(s, s.add(s.load(&w.0), s.mul(steps, s.load(&x.0))));
            sizes = s.add(sizes, s.greater(moved, s.sub(none, moved)));
            s.store(moved, &mut w.0);
        }
        self.bias = bounded(self.bias + step);
        let size = s.sum(sizes) + self.bias.abs();
        if size > most {
            let divisor = s.splat(size);
            for w in &mut self.weights {
                let less = s.div(s.load(&w.0), divisor);
                s.store(less, &mut w.0);
            }
            self.bias /= size;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.columns.bytes() + held(&self.factors) + held(&self.weights)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.reals(&[self.mean, self.counted, self.seen, self.centre, self.squares, self.bias]);
        let (mean, linear) = (self.by_mean, self.by_linear);
        out.reals(&[mean.weight, mean.sum, linear.weight, linear.sum]);
        self.columns.save(out);
        for column in [&self.factors, &self.weights] {
            column.iter().for_each(|eight| out.reals(&eight.0));
        }
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        let (mean, linear) = (&mut self.by_mean, &mut self.by_linear);
        let parts = [
            &mut self.mean,
            &mut self.counted,
            &mut self.seen,
            &mut self.centre,
            &mut self.squares,
            &mut self.bias,
            &mut mean.weight,
            &mut mean.sum,
            &mut linear.weight,
            &mut linear.sum,
        ];
        for part in parts {
            *part = from.real()?;
        }
        self.columns.load(from)?;
        for column in [&mut self.factors, &mut self.weights] {
            column.iter_mut().try_for_each(|eight| from.reals(&mut eight.0))?;
        }
        Ok(())
    }
}
