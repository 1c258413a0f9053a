//! Labels against answers, counted: what the measures of classification are computed from.
//!
//! No formula of the house needs the whole matrix of labels × answers. Its diagonal and its
//! margins do, and they are small enough to be kept a hundred thousand times over.

use super::coding::{
    Coder, ColdStart, FLAGS, GUESS, MAJORITY, MAJORITY_WITH, OPENING, PAIR, REPEAT, Row,
};
use super::fold::Summary;
use super::tables;

/// Which counts are wanted beyond total and agreed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// Pairs of labels, and repeats among them.
    pub repeats: bool,
    /// Whether the first label is of the first class.
    pub opening: bool,
    /// Items the majority class could be asked about, its hits, and those when it may look.
    pub majority: bool,
    /// Right answers per class.
    pub hits: bool,
    /// Labels per class.
    pub truths: bool,
    /// Answers per class.
    pub answers: bool,
}

/// Counts of rows.
#[derive(Debug)]
pub struct Confusion {
    classes: usize,
    bits: u32,
    cold_start: ColdStart,
    parts: Parts,
    sums: Vec<f64>,
    /// The flags that are on all rows looked at, and those on some.
    on: (Row, Row),
}

/// Where a count lies in the summary.
const TOTAL: usize = 0;
const AGREED: usize = 1;
const FIRST_PART: usize = 2;

impl Confusion {
    /// Counts of the rows that `coder` makes.
    pub fn new(coder: &Coder, parts: Parts) -> Self {
        let cells = coder.classes() << coder.bits();
        Self {
            classes: coder.classes(),
            bits: coder.bits(),
            cold_start: coder.cold_start(),
            parts,
            sums: vec![0.0; cells],
            on: (0, Row::MAX),
        }
    }

    /// The names of the numbers, and how many belong to each, in their order.
    pub fn layout(&self) -> Vec<(&'static str, usize)> {
        let mut names = vec![("total", 1), ("agreed", 1)];
        if self.parts.repeats {
            names.extend([("pairs", 1), ("repeats", 1)]);
        }
        if self.parts.opening {
            names.push(("opening", 1));
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
        let mut next = FIRST_PART
            + 2 * usize::from(self.parts.repeats)
            + usize::from(self.parts.opening)
            + 3 * usize::from(self.parts.majority);
        [self.parts.hits, self.parts.truths, self.parts.answers].map(|wanted| {
            wanted.then(|| {
                next += self.classes;
                next - self.classes
            })
        })
    }

    /// Turn the cells in `sums` into the summary.
    fn marginals(&self, out: &mut [f64]) {
        // with a known length the loops need no counting
        match self.bits {
            2 => self.marginals_of::<4>(out),
            3 => self.marginals_of::<8>(out),
            4 => self.marginals_of::<16>(out),
            _ => self.marginals_of_any(out),
        }
    }

    fn marginals_of<const LINE: usize>(&self, out: &mut [f64]) {
        let [hits, truths, answers] = self.per_class();
        let mut columns = [0.0; LINE];
        let (mut total, mut agreed) = (0.0, 0.0);
        let silence = if self.cold_start == ColdStart::Skip { 0.0 } else { 1.0 };
        for (label, line) in self.sums.as_chunks::<LINE>().0.iter().enumerate() {
            let mut counted = *line;
            counted[0] *= silence;
            let of_label = sum(&counted);
            for (column, cell) in columns.iter_mut().zip(counted) {
                *column += cell;
            }
            total += of_label;
            agreed += line[label + 1];
            if let Some(place) = hits {
                out[place + label] = line[label + 1];
            }
            if let Some(place) = truths {
                out[place + label] = of_label;
            }
        }
        if let Some(place) = answers {
            out[place..place + self.classes].copy_from_slice(&columns[1..=self.classes]);
        }
        out[TOTAL] = total;
        out[AGREED] = agreed;
    }

    fn marginals_of_any(&self, out: &mut [f64]) {
        let [hits, truths, answers] = self.per_class();
        let (mut total, mut agreed) = (0.0, 0.0);
        let silence = if self.cold_start == ColdStart::Skip { 0.0 } else { 1.0 };
        for (label, line) in self.sums.chunks_exact(1 << self.bits).enumerate() {
            let said = &line[1..=self.classes];
            let of_label = silence * line[0] + sum(said);
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
    }

    /// Count row by row, where a block is shorter than the table of cells.
    fn one_by_one(&self, rows: &[Row], weights: Option<&[f64]>, out: &mut [f64]) {
        let [hits, truths, answers] = self.per_class();
        for (i, &row) in rows.iter().enumerate() {
            let w = weights.map_or(1.0, |w| w[i]);
            let label = (row >> (FLAGS + self.bits)) as usize;
            let answer = ((row >> FLAGS) & ((1 << self.bits) - 1)) as usize;
            if !Coder::counts(self.cold_start, row) {
                continue;
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
        let (all, some) = self.on;
        let total = out[TOTAL];
        let sum_of = |flag: Row| {
            if all & flag != 0 {
                total
            } else if some & flag == 0 {
                0.0
            } else {
                match weights {
                    None => tables::count_where(rows, |row| row & flag != 0),
                    Some(weights) => tables::weigh_where(rows, weights, |row| row & flag != 0),
                }
            }
        };
        let mut wanted: &mut [f64] = &mut out[FIRST_PART..];
        let parts: [(bool, &[Row]); 3] = [
            (self.parts.repeats, &[PAIR, REPEAT]),
            (self.parts.opening, &[OPENING]),
            (self.parts.majority, &[GUESS, MAJORITY, MAJORITY_WITH]),
        ];
        for (_, flags) in parts.into_iter().filter(|(asked, _)| *asked) {
            let (place, rest) = wanted.split_at_mut(flags.len());
            for (o, &flag) in place.iter_mut().zip(flags) {
                *o = sum_of(flag);
            }
            wanted = rest;
        }
    }
}

/// A sum in two lanes.
#[inline]
fn sum(values: &[f64]) -> f64 {
    let (pairs, rest) = values.as_chunks::<2>();
    let lanes = pairs.iter().fold([0.0, 0.0], |s, p| [s[0] + p[0], s[1] + p[1]]);
    lanes[0] + lanes[1] + rest.iter().sum::<f64>()
}

impl Summary for Confusion {
    type Row = Row;

    fn width(&self) -> usize {
        self.layout().iter().map(|(_, n)| n).sum()
    }

    fn reversible(&self) -> bool {
        true
    }

    fn look(&mut self, rows: &[Row]) {
        // most flags are on all rows or on none, and then need no sum of their own
        self.on = rows.iter().fold((Row::MAX, 0), |(all, some), r| (all & r, some | r));
    }

    fn sum(&mut self, rows: &[Row], weights: Option<&[f64]>, out: &mut [f64]) {
        out.fill(0.0);
        if rows.len() < self.classes << self.bits {
            self.one_by_one(rows, weights, out);
        } else {
            match weights {
                None => tables::count(rows, &mut self.sums),
                Some(weights) => tables::weigh(rows, weights, &mut self.sums),
            }
            self.marginals(out);
        }
        self.flags(rows, weights, out);
    }
}
