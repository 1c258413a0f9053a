//! Naive Bayes: Gaussian for numeric columns, counts for nominal ones, as MOA defines it.

mod gaussians;
mod nominals;

use std::mem::take;

use crate::NONE;
use crate::error::Result;
use crate::kernels::math::{Product, exp};
use crate::kernels::{Plain, Simd};
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;
use gaussians::Gaussians;
use nominals::{MISSING, Nominals, code};

/// Log density of a cell in a column without data for the class.
const UNKNOWN: f64 = -1e300;

/// Naive Bayes in the logarithmic domain.
///
/// A class's score is the logarithm of its weight plus the log densities of all present cells.
/// Numeric: Gaussian with the sample variance (divisor weight - 1); variance 0 means density 1 at
/// the mean and practically 0 elsewhere. Nominal: (count + 1) / (weight + span), where span is the
/// class's largest code so far plus 1. A class without items has density 0 everywhere.
#[derive(Debug, Clone)]
pub struct NaiveBayes {
    numeric: Vec<usize>,
    nominal: Vec<usize>,
    weights: Vec<f64>,
    /// Per class: the part of its score that does not depend on the cells; -inf without items.
    constants: Vec<f64>,
    /// Per class that has learned: the number of columns without data.
    unknown: Vec<usize>,
    /// Number of classes with such columns. If above 0, all rows are scored by
    /// `score_with_missing`.
    gaps: usize,
    gaussians: Gaussians,
    nominals: Nominals,
    scratch: SplitRow,
}

/// The class with the largest score; ties go to the first; `NONE` if all are -inf.
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

/// A row split into numbers and codes, and a buffer for the class scores.
#[derive(Debug, Clone, Default)]
struct SplitRow {
    numbers: Vec<f64>,
    codes: Vec<u32>,
    missing: bool,
    scores: Vec<f64>,
}

impl SplitRow {
    fn bytes(&self) -> usize {
        held(&self.numbers) + held(&self.codes) + held(&self.scores)
    }
}

impl NaiveBayes {
    /// A new, untrained learner.
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
            scratch: SplitRow::default(),
        }
    }

    #[inline(always)]
    fn split_row(&self, row: &[f64], out: &mut SplitRow) {
        out.numbers.clear();
        out.numbers.extend(self.numeric.iter().map(|&i| row[i]));
        out.codes.clear();
        out.codes.extend(self.nominal.iter().map(|&i| code(row[i])));
        let missing = out.numbers.iter().fold(false, |any, x| any | x.is_nan());
        out.missing = out.codes.iter().fold(missing, |any, &code| any | (code == MISSING));
        out.scores.clear();
        out.scores.resize(self.nominals.stride(), 0.0);
    }

    /// The class with the largest weight: the prediction where every density is 0.
    #[cold]
    fn heaviest(&self) -> i32 {
        let any = self.weights.iter().any(|weight| *weight > 0.0);
        if any { best(&self.weights) } else { NONE }
    }

    /// Score of a class from constants and numbers; NaN if a number is missing.
    #[inline(always)]
    fn score_numbers<S: Simd>(&self, s: S, class: usize, cells: &[f64]) -> f64 {
        self.constants[class] - self.gaussians.distance(s, class, cells)
    }

    /// The prediction for a row of numbers only, and whether one was missing.
    #[inline(always)]
    fn predict_numbers<S: Simd>(&self, s: S, cells: &[f64]) -> (i32, bool) {
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
        self.predict_rare(cells)
    }

    /// The prediction where no score is above -inf, or where there are gaps. A missing cell makes
    /// all scores NaN; an untrained learner or a distance that overflows makes them -inf.
    #[cold]
    #[inline(never)]
    fn predict_rare(&self, cells: &[f64]) -> (i32, bool) {
        let missing = any_missing(cells);
        let mut prediction = NONE;
        if missing || self.gaps > 0 {
            let mut scores = vec![0.0; self.nominals.stride()];
            self.score_with_missing(cells, &[], &mut scores);
            prediction = best(&scores[..self.weights.len()]);
        }
        (if prediction == NONE { self.heaviest() } else { prediction }, missing)
    }

    #[inline(always)]
    fn predict_split<S: Simd>(&self, s: S, row: &mut SplitRow) -> i32 {
        self.score(s, &row.numbers, &row.codes, row.missing, &mut row.scores);
        let prediction = best(&row.scores[..self.weights.len()]);
        if prediction == NONE { self.heaviest() } else { prediction }
    }

    /// Add the scores of all classes for a row to `out`, which has `stride` elements.
    #[inline(always)]
    fn score<S: Simd>(&self, s: S, cells: &[f64], codes: &[u32], missing: bool, out: &mut [f64]) {
        if missing || self.gaps > 0 {
            return self.score_with_missing(cells, codes, out);
        }
        self.nominals.add_logs(s, codes, out);
        for (class, out) in out.iter_mut().enumerate().take(self.weights.len()) {
            *out += self.score_numbers(s, class, cells);
        }
    }

    /// Add the scores of all classes where cells are missing or there are gaps: constants are
    /// recomputed for the present cells. Always uses plain arrays, which give the same bits and
    /// keep the common path short.
    #[inline(never)]
    fn score_with_missing(&self, cells: &[f64], codes: &[u32], out: &mut [f64]) {
        self.nominals.add_logs(Plain, codes, out);
        for (class, out) in out.iter_mut().enumerate().take(self.weights.len()) {
            if self.weights[class] == 0.0 {
                *out = f64::NEG_INFINITY;
                continue;
            }
            let part = self.gaussians.score_with_missing(class, cells);
            let (denominators, unknown) = self.nominals.denominators(Plain, class, Some(codes));
            let constant = self.constant(class, part.peaks, denominators);
            let unknown = part.unknown + unknown as f64;
            *out += constant + UNKNOWN * unknown - part.distance;
        }
    }

    /// ln of (weight * sqrt(peaks) / denominators), by a single logarithm.
    #[inline(always)]
    fn constant(&self, class: usize, peaks: Product, denominators: Product) -> f64 {
        let side = Product::of(self.weights[class]).over(denominators);
        0.5 * side.times(side).times(peaks).ln()
    }

    #[inline(always)]
    fn update<S: Simd>(
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
        let peaks = self.gaussians.learn(s, class, cells, (weight, before), missing);
        let (denominators, unknown) = if codes.is_empty() {
            (Product::of(1.0), 0)
        } else {
            self.nominals.learn(class, codes, weight);
            self.nominals.denominators(s, class, None)
        };
        self.constants[class] = self.constant(class, peaks, denominators);
        let unknown = unknown + self.gaussians.unknown(class, self.numeric.len());
        if unknown != self.unknown[class] {
            self.unknown[class] = unknown;
            self.gaps = self.unknown.iter().filter(|unknown| **unknown > 0).count();
        }
    }

    #[inline(always)]
    fn update_split<S: Simd>(&mut self, s: S, row: &SplitRow, class: usize, weight: f64) {
        let missing = row.missing && any_missing(&row.numbers);
        self.update(s, &row.numbers, &row.codes, class, weight, missing);
    }
}

impl NativeModel for NaiveBayes {
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
            return self.predict_numbers(s, row).0;
        }
        let mut split = SplitRow::default();
        self.split_row(row, &mut split);
        self.predict_split(s, &mut split)
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        let mut split = SplitRow::default();
        self.split_row(row, &mut split);
        match usize::try_from(self.predict_split(s, &mut split)).map(|class| split.scores[class]) {
            Ok(highest) if highest > f64::NEG_INFINITY => {
                for (out, score) in out.iter_mut().zip(&split.scores) {
                    *out = exp(score - highest);
                }
            }
            // Every density is 0: only the prior remains (0 / 0 if nothing was learned).
            _ => out.copy_from_slice(&self.weights),
        }
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|score| *score /= total);
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: usize, weight: f64) {
        if self.nominal.is_empty() {
            self.update(s, row, &[], label, weight, any_missing(row));
        } else {
            let mut split = take(&mut self.scratch);
            self.split_row(row, &mut split);
            self.update_split(s, &split, label, weight);
            self.scratch = split;
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
            let (prediction, missing) = self.predict_numbers(s, row);
            self.update(s, row, &[], label, weight, missing);
            prediction
        } else {
            let mut split = take(&mut self.scratch);
            self.split_row(row, &mut split);
            let prediction = self.predict_split(s, &mut split);
            self.update_split(s, &split, label, weight);
            self.scratch = split;
            prediction
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
        // Per class: its weight, mean and variance per numeric column, a count per nominal value.
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

/// Make the learner from its parameters, for the columns and classes of a stream.
#[expect(clippy::unnecessary_wraps, reason = "the signature of every learner in the table")]
pub(super) fn make(_: &Parameters, shape: &Shape) -> Result<Model> {
    Ok(Model::of(NaiveBayes::new(shape.classes, &shape.columns)))
}
