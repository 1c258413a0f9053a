//! Labels against answers, counted: what the measures of classification are computed from.
//!
//! No formula of the house needs the whole matrix of labels × answers. Its diagonal and its
//! margins do, and they are small enough to be kept a hundred thousand times over.

use super::coding::{
    ABSTAINED, Coder, ColdStart, FLAGS, GUESS, MAJORITY, MAJORITY_WITH, OPENING, PAIR, REPEAT, Row,
};
use super::fold::Summary;

/// Which counts are wanted beyond total, agreed and abstained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// Pairs of labels, repeats among them, and whether the first label is of the first class.
    pub repeats: bool,
    /// Items the majority class could be asked about, its hits, and those when it may look.
    pub majority: bool,
    /// Right answers per class.
    pub hits: bool,
    /// Labels per class.
    pub truths: bool,
    /// Answers per class.
    pub answers: bool,
}

/// Copies of a histogram that take turns, so that one row need not wait for the one before.
const COPIES: usize = 4;

/// Counts of rows.
#[derive(Debug)]
pub struct Confusion {
    classes: usize,
    bits: u32,
    cold_start: ColdStart,
    parts: Parts,
    counts: Vec<u32>,
    sums: Vec<f64>,
}

/// Where a count lies in the summary.
const TOTAL: usize = 0;
const AGREED: usize = 1;
const SILENT: usize = 2;
const FIRST_PART: usize = 3;

impl Confusion {
    /// Counts of the rows that `coder` makes.
    pub fn new(coder: &Coder, parts: Parts) -> Self {
        let cells = coder.classes() << coder.bits();
        Self {
            classes: coder.classes(),
            bits: coder.bits(),
            cold_start: coder.cold_start(),
            parts,
            counts: vec![0; cells * COPIES],
            sums: vec![0.0; cells * COPIES],
        }
    }

    /// The names of the numbers, and how many belong to each, in their order.
    pub fn layout(&self) -> Vec<(&'static str, usize)> {
        let mut names = vec![("total", 1), ("agreed", 1), ("abstained", 1)];
        if self.parts.repeats {
            names.extend([("pairs", 1), ("repeats", 1), ("opening", 1)]);
        }
        if self.parts.majority {
            names.extend([("guesses", 1), ("majority_hits", 1), ("majority_hits_looking", 1)]);
        }
        let wanted = [self.parts.hits, self.parts.truths, self.parts.answers];
        for (name, wanted) in ["hits", "truths", "answers"].into_iter().zip(wanted) {
            if wanted {
                names.push((name, self.classes));
            }
        }
        names
    }

    /// Where hits, truths and answers per class begin, if they are wanted.
    fn per_class(&self) -> [Option<usize>; 3] {
        let mut next =
            FIRST_PART + 3 * usize::from(self.parts.repeats) + 3 * usize::from(self.parts.majority);
        [self.parts.hits, self.parts.truths, self.parts.answers].map(|wanted| {
            wanted.then(|| {
                next += self.classes;
                next - self.classes
            })
        })
    }

    /// Count the cells of `rows` into the first copy of `sums`.
    fn count(&mut self, rows: &[Row]) {
        let cells = self.classes << self.bits;
        self.counts.fill(0);
        let (a, rest) = self.counts.split_at_mut(cells);
        let (b, rest) = rest.split_at_mut(cells);
        let (c, d) = rest.split_at_mut(cells);
        let mut fours = rows.chunks_exact(COPIES);
        for four in &mut fours {
            a[(four[0] >> FLAGS) as usize] += 1;
            b[(four[1] >> FLAGS) as usize] += 1;
            c[(four[2] >> FLAGS) as usize] += 1;
            d[(four[3] >> FLAGS) as usize] += 1;
        }
        for &row in fours.remainder() {
            a[(row >> FLAGS) as usize] += 1;
        }
        for (i, sum) in self.sums[..cells].iter_mut().enumerate() {
            *sum = f64::from(a[i] + b[i] + c[i] + d[i]);
        }
    }

    /// The same with a weight a row.
    fn weigh(&mut self, rows: &[Row], weights: &[f64]) {
        let cells = self.classes << self.bits;
        self.sums.fill(0.0);
        let (a, rest) = self.sums.split_at_mut(cells);
        let (b, rest) = rest.split_at_mut(cells);
        let (c, d) = rest.split_at_mut(cells);
        let mut fours = rows.chunks_exact(COPIES);
        let mut weights = weights.chunks_exact(COPIES);
        for (four, w) in (&mut fours).zip(&mut weights) {
            a[(four[0] >> FLAGS) as usize] += w[0];
            b[(four[1] >> FLAGS) as usize] += w[1];
            c[(four[2] >> FLAGS) as usize] += w[2];
            d[(four[3] >> FLAGS) as usize] += w[3];
        }
        for (&row, &w) in fours.remainder().iter().zip(weights.remainder()) {
            a[(row >> FLAGS) as usize] += w;
        }
        for i in 0..cells {
            a[i] += b[i] + (c[i] + d[i]);
        }
    }

    /// Turn the cells in `sums` into the summary.
    fn marginals(&self, out: &mut [f64]) {
        let [hits, truths, answers] = self.per_class();
        let (mut total, mut agreed, mut silent) = (0.0, 0.0, 0.0);
        let skip = self.cold_start == ColdStart::Skip;
        for (label, line) in
            self.sums[..self.classes << self.bits].chunks_exact(1 << self.bits).enumerate()
        {
            let said = &line[1..=self.classes];
            let mut of_label: f64 = said.iter().sum();
            silent += line[0];
            if !skip {
                of_label += line[0];
            }
            total += of_label;
            agreed += said[label];
            if let Some(place) = hits {
                out[place + label] = said[label];
            }
            if let Some(place) = truths {
                out[place + label] = of_label;
            }
            if let Some(place) = answers {
                for (o, s) in out[place..place + self.classes].iter_mut().zip(said) {
                    *o += s;
                }
            }
        }
        out[TOTAL] = total;
        out[AGREED] = agreed;
        out[SILENT] = silent;
    }

    /// Count row by row, where a block is shorter than the table of cells.
    fn one_by_one(&self, rows: &[Row], weights: Option<&[f64]>, out: &mut [f64]) {
        let [hits, truths, answers] = self.per_class();
        for (i, &row) in rows.iter().enumerate() {
            let w = weights.map_or(1.0, |w| w[i]);
            let label = (row >> (FLAGS + self.bits)) as usize;
            let answer = ((row >> FLAGS) & ((1 << self.bits) - 1)) as usize;
            if answer == 0 {
                out[SILENT] += w;
                if !Coder::counts(self.cold_start, row) {
                    continue;
                }
            }
            out[TOTAL] += w;
            if let Some(place) = truths {
                out[place + label] += w;
            }
            if answer == 0 {
                continue;
            }
            if let Some(place) = answers {
                out[place + answer - 1] += w;
            }
            if answer == label + 1 {
                out[AGREED] += w;
                if let Some(place) = hits {
                    out[place + label] += w;
                }
            }
        }
    }

    /// Sum up the flags.
    fn flags(&self, rows: &[Row], weights: Option<&[f64]>, out: &mut [f64]) {
        // most flags are on all rows or on none
        let (all, some) = rows.iter().fold((Row::MAX, 0), |(all, some), r| (all & r, some | r));
        let total = out[TOTAL];
        let sum = |flag: Row| {
            if all & flag != 0 {
                total
            } else if some & flag == 0 {
                0.0
            } else {
                match weights {
                    None => rows.iter().map(|row| u32::from(row & flag != 0)).sum::<u32>().into(),
                    Some(weights) => weighed(rows, weights, flag),
                }
            }
        };
        let mut wanted: &mut [f64] = &mut out[FIRST_PART..];
        let parts = [
            (self.parts.repeats, [PAIR, REPEAT, OPENING]),
            (self.parts.majority, [GUESS, MAJORITY, MAJORITY_WITH]),
        ];
        for (_, flags) in parts.into_iter().filter(|(asked, _)| *asked) {
            let (place, rest) = wanted.split_at_mut(flags.len());
            for (o, flag) in place.iter_mut().zip(flags) {
                *o = sum(flag);
            }
            wanted = rest;
        }
        if self.cold_start == ColdStart::DefaultClass {
            out[SILENT] = sum(ABSTAINED);
        }
    }
}

/// The weights of the rows that have a flag, summed in four lanes.
fn weighed(rows: &[Row], weights: &[f64], flag: Row) -> f64 {
    let mut lanes = [0.0; COPIES];
    let mut fours = rows.chunks_exact(COPIES);
    let mut by = weights.chunks_exact(COPIES);
    for (four, w) in (&mut fours).zip(&mut by) {
        for lane in 0..COPIES {
            lanes[lane] += f64::from(i32::from(four[lane] & flag != 0)) * w[lane];
        }
    }
    for (&row, &w) in fours.remainder().iter().zip(by.remainder()) {
        lanes[0] += if row & flag == 0 { 0.0 } else { w };
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

impl Summary for Confusion {
    type Row = Row;

    fn width(&self) -> usize {
        self.layout().iter().map(|(_, n)| n).sum()
    }

    fn reversible(&self) -> bool {
        true
    }

    fn sum(&mut self, rows: &[Row], weights: Option<&[f64]>, out: &mut [f64]) {
        out.fill(0.0);
        if rows.len() < self.classes << self.bits {
            self.one_by_one(rows, weights, out);
        } else {
            match weights {
                None => self.count(rows),
                Some(weights) => self.weigh(rows, weights),
            }
            self.marginals(out);
        }
        self.flags(rows, weights, out);
    }
}
