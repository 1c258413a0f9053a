//! Naive Bayes: Gaussian for numeric columns, counts for nominal ones, as MOA defines it.

mod gaussians;
mod nominals;

use crate::NONE;
use crate::kernels::lanes::{F8, LANES, Product, exp, groups};
use crate::learners::{Classifier, Column};
use gaussians::{Cells, Gaussians};
use nominals::{MISSING, Nominals};

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
    gaussians: Gaussians,
    nominals: Nominals,
}

/// A row, sorted into its numeric cells and its codes.
struct Sorted {
    numbers: Vec<f64>,
    codes: Vec<u32>,
    missing: bool,
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
            gaussians: Gaussians::new(classes, numeric.len()),
            nominals: Nominals::new(classes, values),
            numeric,
        }
    }

    #[inline(always)]
    fn sorted(&self, row: &[f64]) -> Sorted {
        let numbers: Vec<f64> = self.numeric.iter().map(|&i| row[i]).collect();
        let cells = self.nominal.iter().enumerate();
        let codes: Vec<u32> = cells.map(|(n, &i)| self.nominals.code(n, row[i])).collect();
        let missing = numbers.iter().any(|x| x.is_nan()) || codes.contains(&MISSING);
        Sorted { numbers, codes, missing }
    }

    /// The class of the largest score, of equals the first; `NONE` if none is above -inf.
    #[inline(always)]
    fn best(&self, score: impl Fn(usize) -> f64) -> i32 {
        let (mut best, mut highest) = (NONE, f64::NEG_INFINITY);
        for class in 0..self.weights.len() {
            let score = score(class);
            if score > highest {
                (best, highest) = (class as i32, score);
            }
        }
        best
    }

    /// The class of the largest weight: the answer where every density is 0.
    #[cold]
    fn heaviest(&self) -> i32 {
        let (mut best, mut most) = (NONE, 0.0);
        for (class, &weight) in self.weights.iter().enumerate() {
            if weight > most {
                (best, most) = (class as i32, weight);
            }
        }
        best
    }

    /// The score of a class for a row of numbers alone; NaN if one is missing.
    #[inline(always)]
    fn score_numbers(&self, class: usize, cells: &Cells<'_>) -> f64 {
        self.constants[class] - self.gaussians.distance(class, cells)
    }

    /// The answer to a row of numbers alone, and whether one was missing.
    #[inline(always)]
    fn answer_numbers(&self, cells: &Cells<'_>) -> (i32, bool) {
        let said = self.best(|class| self.score_numbers(class, cells));
        if said == NONE { self.answer_rare(cells) } else { (said, false) }
    }

    /// The same where no score was above -inf: a missing cell makes them all NaN, nothing
    /// taught or a distance that overflows makes them all -inf.
    #[cold]
    #[inline(never)]
    fn answer_rare(&self, cells: &Cells<'_>) -> (i32, bool) {
        let missing = cells.any_missing();
        let mut said = NONE;
        if missing {
            let mut scores = vec![0.0; self.weights.len()];
            self.score_partial(cells, &[], &mut scores);
            said = self.best(|class| scores[class]);
        }
        (if said == NONE { self.heaviest() } else { said }, missing)
    }

    /// All classes' scores for any row.
    #[inline(always)]
    fn score_all(&self, row: &[f64], out: &mut [f64]) {
        if self.nominal.is_empty() {
            let cells = Cells::of(row);
            for (class, out) in out.iter_mut().enumerate() {
                *out = self.score_numbers(class, &cells);
            }
            if out.iter().any(|score| score.is_nan()) {
                self.score_partial(&cells, &[], out);
            }
        } else {
            self.score_sorted(&self.sorted(row), out);
        }
    }

    #[inline(always)]
    fn score_sorted(&self, row: &Sorted, out: &mut [f64]) {
        let cells = Cells::of(&row.numbers);
        if row.missing {
            return self.score_partial(&cells, &row.codes, out);
        }
        let mut logs = [F8::ZERO; 8];
        let mut more = Vec::new();
        let logs = match logs.get_mut(..groups(out.len())) {
            Some(logs) => logs,
            None => {
                more.resize(groups(out.len()), F8::ZERO);
                &mut more[..]
            }
        };
        self.nominals.add_logs(&row.codes, logs);
        for (class, out) in out.iter_mut().enumerate() {
            *out = logs[class / LANES].0[class % LANES] + self.score_numbers(class, &cells);
        }
    }

    /// All classes' scores for a row with missing cells: constants are made for the cells there.
    #[inline(never)]
    fn score_partial(&self, cells: &Cells<'_>, codes: &[u32], out: &mut [f64]) {
        let mut logs = vec![F8::ZERO; groups(out.len())];
        self.nominals.add_logs(codes, &mut logs);
        for (class, out) in out.iter_mut().enumerate() {
            if self.weights[class] == 0.0 {
                *out = f64::NEG_INFINITY;
                continue;
            }
            let part = self.gaussians.partial(class, cells);
            let (denominators, unknown) = self.nominals.denominators(class, Some(codes));
            let constant = self.constant(class, part.heights, denominators);
            let unknown = (part.unknown + unknown) as f64;
            let logs = logs[class / LANES].0[class % LANES];
            *out = logs + (constant + UNKNOWN * unknown - part.distance);
        }
    }

    /// ln of (weight * sqrt(heights) / denominators), by one logarithm.
    #[inline(always)]
    fn constant(&self, class: usize, heights: Product, denominators: Product) -> f64 {
        let weight = Product::of(self.weights[class]);
        let side = weight.over(denominators);
        0.5 * side.times(side).times(heights).ln()
    }

    #[inline(always)]
    fn teach(
        &mut self,
        cells: &Cells<'_>,
        codes: &[u32],
        row: &[f64],
        class: usize,
        weight: f64,
        missing: bool,
    ) {
        let before = self.weights[class];
        self.weights[class] = before + weight;
        let heights = self.gaussians.learn(class, cells, weight, before, missing);
        let (denominators, mut unknown) = if codes.is_empty() {
            (Product::of(1.0), 0)
        } else {
            let nominal = &self.nominal;
            self.nominals.learn(class, codes, weight, |column| row[nominal[column]]);
            self.nominals.denominators(class, None)
        };
        unknown += self.gaussians.unknown(class);
        let constant = self.constant(class, heights, denominators);
        self.constants[class] = constant + UNKNOWN * unknown as f64;
    }
}

impl Classifier for NaiveBayes {
    fn classes(&self) -> usize {
        self.weights.len()
    }

    #[inline(always)]
    fn answer(&self, _item: u64, row: &[f64]) -> i32 {
        if self.nominal.is_empty() {
            self.answer_numbers(&Cells::of(row)).0
        } else {
            let mut scores = vec![0.0; self.weights.len()];
            self.score_all(row, &mut scores);
            let said = self.best(|class| scores[class]);
            if said == NONE { self.heaviest() } else { said }
        }
    }

    #[inline(always)]
    fn answer_then_learn(&mut self, item: u64, row: &[f64], label: usize, weight: f64) -> i32 {
        if self.nominal.is_empty() {
            let cells = Cells::of(row);
            let (said, missing) = self.answer_numbers(&cells);
            self.teach(&cells, &[], row, label, weight, missing);
            said
        } else {
            let said = self.answer(item, row);
            self.learn(row, label, weight);
            said
        }
    }

    #[inline(always)]
    fn scores(&self, _item: u64, row: &[f64], out: &mut [f64]) {
        self.score_all(row, out);
        match usize::try_from(self.best(|class| out[class])) {
            Ok(best) => {
                let highest = out[best];
                out.iter_mut().for_each(|score| *score = exp(*score - highest));
            }
            // Every density is 0: the prior is all there is (0 / 0 if nothing was taught).
            Err(_) => out.copy_from_slice(&self.weights),
        }
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|score| *score /= total);
    }

    #[inline(always)]
    fn learn(&mut self, row: &[f64], label: usize, weight: f64) {
        if self.nominal.is_empty() {
            let cells = Cells::of(row);
            self.teach(&cells, &[], row, label, weight, cells.any_missing());
        } else {
            let sorted = self.sorted(row);
            let cells = Cells::of(&sorted.numbers);
            self.teach(&cells, &sorted.codes, row, label, weight, cells.any_missing());
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&self.numeric[..])
            + size_of_val(&self.nominal[..])
            + size_of_val(&self.weights[..])
            + size_of_val(&self.constants[..])
            + self.gaussians.bytes()
            + self.nominals.bytes()
    }
}
