//! Naive Bayes: Gaussian for numeric columns, counts for nominal ones, as MOA defines it.

mod gaussians;
mod nominals;

use std::mem::take;

use crate::NONE;
use crate::kernels::math::{Product, exp};
use crate::kernels::{Plain, Simd};
use crate::learners::memory::held;
use crate::learners::native::Learns;
use crate::learners::{Column, Reader, Writer};
use gaussians::Gaussians;
use nominals::{MISSING, Nominals, code};

/// The logarithm of the density of a cell whose column a class has never seen filled.
const UNKNOWN: f64 = -1e300;

/// Naive Bayes in the logarithmic domain.
///
/// A class's score is the logarithm of its weight plus that of the density of every cell that is
/// there. Numeric: Gaussian with the sample variance (divisor weight - 1); variance 0 means
/// density 1 at the mean and as good as 0 elsewhere. Nominal: (count + 1) / (weight + span), span
/// being the class's largest code so far plus 1. A class never taught has no density anywhere.
#[derive(Debug, Clone)]
pub struct NaiveBayes {
    numeric: Vec<usize>,
    nominal: Vec<usize>,
    weights: Vec<f64>,
    /// Of each class: the part of its score that no cell changes; -inf until it is taught.
    constants: Vec<f64>,
    /// Of each class: columns it has never seen filled, though it has been taught.
    unknown: Vec<usize>,
    /// Classes with such columns. While there are any, all rows take the long way.
    gaps: usize,
    gaussians: Gaussians,
    nominals: Nominals,
    scratch: Sorted,
}

/// The class of the largest score, of equals the first; `NONE` if none is above -inf.
#[inline(always)]
fn best(scores: &[f64]) -> i32 {
    let (mut best, mut highest) = (NONE, f64::NEG_INFINITY);
    for (class, &score) in scores.iter().enumerate() {
        if score > highest {
            (best, highest) = (class as i32, score);
        }
    }
    best
}

#[inline(always)]
fn any_missing(cells: &[f64]) -> bool {
    cells.iter().fold(false, |any, x| any | x.is_nan())
}

/// A row sorted into its numbers and its codes, and room for the classes' scores.
#[derive(Debug, Clone, Default)]
struct Sorted {
    numbers: Vec<f64>,
    codes: Vec<u32>,
    missing: bool,
    scores: Vec<f64>,
}

impl Sorted {
    fn bytes(&self) -> usize {
        held(&self.numbers) + held(&self.codes) + held(&self.scores)
    }
}

impl NaiveBayes {
    /// It knows nothing.
    pub fn new(classes: usize, columns: &[Column]) -> Self {
        let at = |numeric: bool| {
            let wanted = |column: &Column| (*column == Column::Numeric) == numeric;
            (0..columns.len()).filter(|&i| wanted(&columns[i])).collect::<Vec<_>>()
        };
        let values = columns.iter().filter_map(|column| match column {
            Column::Numeric => None,
            Column::Nominal(values) => Some(*values),
        });
        let numeric = at(true);
        Self {
            nominal: at(false),
            weights: vec![0.0; classes],
            constants: vec![f64::NEG_INFINITY; classes],
            unknown: vec![0; classes],
            gaps: 0,
            gaussians: Gaussians::new(classes, numeric.len()),
            nominals: Nominals::new(classes, values),
            numeric,
            scratch: Sorted::default(),
        }
    }

    #[inline(always)]
    fn sort(&self, row: &[f64], out: &mut Sorted) {
        out.numbers.clear();
        out.numbers.extend(self.numeric.iter().map(|&i| row[i]));
        out.codes.clear();
        out.codes.extend(self.nominal.iter().map(|&i| code(row[i])));
        let holes = out.numbers.iter().fold(false, |any, x| any | x.is_nan());
        out.missing = out.codes.iter().fold(holes, |any, &code| any | (code == MISSING));
        out.scores.clear();
        out.scores.resize(self.nominals.stride(), 0.0);
    }

    /// The class of the largest weight: the answer where every density is 0.
    #[cold]
    fn heaviest(&self) -> i32 {
        let taught = self.weights.iter().any(|weight| *weight > 0.0);
        if taught { best(&self.weights) } else { NONE }
    }

    /// What constants and numbers say for a class; NaN if a number is missing.
    #[inline(always)]
    fn score_numbers<S: Simd>(&self, s: S, class: usize, cells: &[f64]) -> f64 {
        self.constants[class] - self.gaussians.distance(s, class, cells)
    }

    /// The answer to a row of numbers alone, and whether one was missing.
    #[inline(always)]
    fn answer_numbers<S: Simd>(&self, s: S, cells: &[f64]) -> (i32, bool) {
        if self.gaps == 0 {
            let (mut best, mut highest) = (NONE, f64::NEG_INFINITY);
            for class in 0..self.weights.len() {
                let score = self.score_numbers(s, class, cells);
                if score > highest {
                    (best, highest) = (class as i32, score);
                }
            }
            if best != NONE {
                return (best, false);
            }
        }
        self.answer_rare(cells)
    }

    /// The same where no score was above -inf: a missing cell makes them all NaN, nothing
    /// taught or a distance that overflows makes them all -inf. Or where there are gaps.
    #[cold]
    #[inline(never)]
    fn answer_rare(&self, cells: &[f64]) -> (i32, bool) {
        let missing = any_missing(cells);
        let mut said = NONE;
        if missing || self.gaps > 0 {
            let mut scores = vec![0.0; self.nominals.stride()];
            self.score_partial(cells, &[], &mut scores);
            said = best(&scores[..self.weights.len()]);
        }
        (if said == NONE { self.heaviest() } else { said }, missing)
    }

    #[inline(always)]
    fn answer_sorted<S: Simd>(&self, s: S, row: &mut Sorted) -> i32 {
        self.score(s, &row.numbers, &row.codes, row.missing, &mut row.scores);
        let said = best(&row.scores[..self.weights.len()]);
        if said == NONE { self.heaviest() } else { said }
    }

    /// Add all classes' scores for a row to `out`, which has room for `stride` of them.
    #[inline(always)]
    fn score<S: Simd>(&self, s: S, cells: &[f64], codes: &[u32], missing: bool, out: &mut [f64]) {
        if missing || self.gaps > 0 {
            return self.score_partial(cells, codes, out);
        }
        self.nominals.add_logs(s, codes, out);
        for (class, out) in out.iter_mut().enumerate().take(self.weights.len()) {
            *out += self.score_numbers(s, class, cells);
        }
    }

    /// The same with missing cells or gaps: constants are made anew for the cells there. On any
    /// machine by plain arrays, which give the same bits and leave the common way short.
    #[inline(never)]
    fn score_partial(&self, cells: &[f64], codes: &[u32], out: &mut [f64]) {
        self.nominals.add_logs(Plain, codes, out);
        for (class, out) in out.iter_mut().enumerate().take(self.weights.len()) {
            if self.weights[class] == 0.0 {
                *out = f64::NEG_INFINITY;
                continue;
            }
            let part = self.gaussians.partial(class, cells);
            let (denominators, unknown) = self.nominals.denominators(Plain, class, Some(codes));
            let constant = self.constant(class, part.heights, denominators);
            let unknown = part.unknown + unknown as f64;
            *out += constant + UNKNOWN * unknown - part.distance;
        }
    }

    /// ln of (weight * sqrt(heights) / denominators), by one logarithm.
    #[inline(always)]
    fn constant(&self, class: usize, heights: Product, denominators: Product) -> f64 {
        let side = Product::of(self.weights[class]).over(denominators);
        0.5 * side.times(side).times(heights).ln()
    }

    #[inline(always)]
    fn teach<S: Simd>(
        &mut self,
        s: S,
        cells: &[f64],
        codes: &[u32],
        class: usize,
        weight: f64,
        missing: bool,
    ) {
        let before = self.weights[class];
        self.weights[class] = before + weight;
        let heights = self.gaussians.learn(s, class, cells, (weight, before), missing);
        let (denominators, unknown) = if codes.is_empty() {
            (Product::of(1.0), 0)
        } else {
            self.nominals.learn(class, codes, weight);
            self.nominals.denominators(s, class, None)
        };
        self.constants[class] = self.constant(class, heights, denominators);
        let unknown = unknown + self.gaussians.unknown(class, self.numeric.len());
        if unknown != self.unknown[class] {
            self.unknown[class] = unknown;
            self.gaps = self.unknown.iter().filter(|unknown| **unknown > 0).count();
        }
    }

    #[inline(always)]
    fn teach_sorted<S: Simd>(&mut self, s: S, row: &Sorted, class: usize, weight: f64) {
        let missing = row.missing && any_missing(&row.numbers);
        self.teach(s, &row.numbers, &row.codes, class, weight, missing);
    }
}

impl Learns for NaiveBayes {
    type Target = i32;

    fn width(&self) -> Option<usize> {
        Some(self.numeric.len() + self.nominal.len())
    }

    fn classes(&self) -> usize {
        self.weights.len()
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> i32 {
        if self.nominal.is_empty() {
            return self.answer_numbers(s, row).0;
        }
        let mut sorted = Sorted::default();
        self.sort(row, &mut sorted);
        self.answer_sorted(s, &mut sorted)
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        let mut sorted = Sorted::default();
        self.sort(row, &mut sorted);
        match usize::try_from(self.answer_sorted(s, &mut sorted)).map(|said| sorted.scores[said]) {
            Ok(highest) if highest > f64::NEG_INFINITY => {
                for (out, score) in out.iter_mut().zip(&sorted.scores) {
                    *out = exp(score - highest);
                }
            }
            // Every density is 0: the prior is all there is (0 / 0 if nothing was taught).
            _ => out.copy_from_slice(&self.weights),
        }
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|score| *score /= total);
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: usize, weight: f64) {
        if self.nominal.is_empty() {
            self.teach(s, row, &[], label, weight, any_missing(row));
        } else {
            let mut sorted = take(&mut self.scratch);
            self.sort(row, &mut sorted);
            self.teach_sorted(s, &sorted, label, weight);
            self.scratch = sorted;
        }
    }

    #[inline(always)]
    fn predict_then_learn<S: Simd>(
        &mut self,
        s: S,
        _item: u64,
        row: &[f64],
        label: usize,
        weight: f64,
    ) -> i32 {
        if self.nominal.is_empty() {
            let (said, missing) = self.answer_numbers(s, row);
            self.teach(s, row, &[], label, weight, missing);
            said
        } else {
            let mut sorted = take(&mut self.scratch);
            self.sort(row, &mut sorted);
            let said = self.answer_sorted(s, &mut sorted);
            self.teach_sorted(s, &sorted, label, weight);
            self.scratch = sorted;
            said
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + held(&self.numeric)
            + held(&self.nominal)
            + held(&self.weights)
            + held(&self.constants)
            + held(&self.unknown)
            + self.scratch.bytes()
            + self.gaussians.bytes()
            + self.nominals.bytes()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let seen = self.weights.iter().filter(|weight| **weight > 0.0).count();
        // Of each class: its weight, a mean and a variance a numeric column, a count a value.
        let each = 1 + 2 * self.numeric.len() + self.nominals.values();
        vec![("classes_seen", seen as f64), ("parameters", (seen * each) as f64)]
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&self.weights);
        out.reals(&self.constants);
        self.unknown.iter().for_each(|&unknown| out.whole(unknown as u64));
        self.gaussians.save(out);
        self.nominals.save(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        from.reals(&mut self.weights)?;
        from.reals(&mut self.constants)?;
        for unknown in &mut self.unknown {
            *unknown = from.below(self.numeric.len() + self.nominal.len() + 1)?;
        }
        self.gaps = self.unknown.iter().filter(|unknown| **unknown > 0).count();
        self.gaussians.load(from)?;
        self.nominals.load(from)
    }
}
