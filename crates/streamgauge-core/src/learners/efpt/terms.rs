//! Terms: one fuzzy set on one column each.

use crate::error::Result;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};

/// Points at which the peak of a triangle is tried, besides the first.
const GRID: usize = 100;

/// A fuzzy set on a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Term {
    pub(super) column: usize,
    set: Set,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Set {
    /// Falling from 1 to 0 over the range.
    Low { low: f64, high: f64 },
    /// Growing from 0 to 1 over the range.
    High { low: f64, high: f64 },
    /// A triangle over the range, or 1 minus it.
    Middle { low: f64, peak: f64, high: f64, negative: bool },
    /// 1 at one nominal value.
    Value(usize),
}

/// Where a number lies within a range, from 0 to 1.
#[inline(always)]
fn position(x: f64, low: f64, high: f64) -> f64 {
    ((x - low) / (high - low)).clamp(0.0, 1.0)
}

#[inline(always)]
fn triangle(x: f64, low: f64, peak: f64, high: f64) -> f64 {
    if x == peak {
        1.0
    } else if x <= low || x >= high {
        0.0
    } else if x < peak {
        (x - low) / (peak - low)
    } else {
        (high - x) / (high - peak)
    }
}

impl Term {
    /// The membership of a row; NaN if the cell is missing.
    #[inline(always)]
    pub(super) fn membership(&self, row: &[f64]) -> f64 {
        let x = row[self.column];
        if x.is_nan() {
            return x;
        }
        match self.set {
            Set::Low { low, high } => 1.0 - position(x, low, high),
            Set::High { low, high } => position(x, low, high),
            Set::Middle { low, peak, high, negative } => {
                let value = triangle(x, low, peak, high);
                if negative { 1.0 - value } else { value }
            }
            Set::Value(code) => f64::from(u8::from(x == code as f64)),
        }
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.column as u64);
        match self.set {
            Set::Low { low, high } => {
                out.whole(0);
                out.reals(&[low, high]);
            }
            Set::High { low, high } => {
                out.whole(1);
                out.reals(&[low, high]);
            }
            Set::Middle { low, peak, high, negative } => {
                out.whole(2 + u64::from(negative));
                out.reals(&[low, peak, high]);
            }
            Set::Value(code) => {
                out.whole(4);
                out.whole(code as u64);
            }
        }
    }

    pub(super) fn load(from: &mut Reader<'_>, columns: &[Column]) -> Result<Self> {
        let column = from.below(columns.len())?;
        let (kind, values) = (from.below(5)?, columns[column]);
        let set = match (kind, values) {
            (4, Column::Nominal(values)) => Set::Value(from.below(values)?),
            (0 | 1, Column::Numeric) => {
                let (low, high) = (from.real()?, from.real()?);
                if kind == 0 { Set::Low { low, high } } else { Set::High { low, high } }
            }
            (2 | 3, Column::Numeric) => {
                let (low, peak, high) = (from.real()?, from.real()?, from.real()?);
                Set::Middle { low, peak, high, negative: kind == 3 }
            }
            _ => return Err(refused("of this learner", "a fuzzy set of another kind of column")),
        };
        let ordered = match set {
            Set::Low { low, high } | Set::High { low, high } => low < high,
            Set::Middle { low, peak, high, .. } => low < peak && peak < high,
            Set::Value(_) => true,
        };
        let finite = match set {
            Set::Low { low, high } | Set::High { low, high } | Set::Middle { low, high, .. } => {
                (high - low).is_finite()
            }
            Set::Value(_) => true,
        };
        if ordered && finite {
            return Ok(Self { column, set });
        }
        Err(refused("of this learner", "a fuzzy set without a range"))
    }
}

/// The known values of a numeric column: the least and the largest, if they differ.
fn range(cells: &[f64]) -> Option<(f64, f64)> {
    let known = || cells.iter().copied().filter(|x| !x.is_nan());
    let (low, high) = (known().reduce(f64::min)?, known().reduce(f64::max)?);
    (low < high).then_some((low, high))
}

/// The terms of a class, column by column. A column that does not vary has none.
pub(super) fn terms_of(
    columns: &[Column],
    rows: &[&[f64]],
    targets: &[f64],
    middle: bool,
) -> Vec<Term> {
    let mut terms = Vec::new();
    for (column, kind) in columns.iter().enumerate() {
        let cells: Vec<f64> = rows.iter().map(|row| row[column]).collect();
        let mut add = |set| terms.push(Term { column, set });
        match *kind {
            Column::Nominal(values) => {
                let seen = (0..values).filter(|&code| cells.contains(&(code as f64))).take(2);
                if seen.count() > 1 {
                    (0..values).for_each(|code| add(Set::Value(code)));
                }
            }
            Column::Numeric => {
                let Some((low, high)) = range(&cells) else { continue };
                add(Set::Low { low, high });
                add(Set::High { low, high });
                if middle && let Some((peak, negative)) = peak(&cells, targets, low, high) {
                    add(Set::Middle { low, peak, high, negative });
                }
            }
        }
    }
    terms.shrink_to_fit();
    terms
}

/// The peak of the triangle whose memberships correlate most with the targets, and whether they
/// do so negatively. None if it is at an end, where the triangle repeats another set.
fn peak(cells: &[f64], targets: &[f64], low: f64, high: f64) -> Option<(f64, bool)> {
    let known = cells.iter().zip(targets).filter(|(x, _)| !x.is_nan());
    let (xs, targets): (Vec<f64>, Vec<f64>) = known.unzip();
    let at = |i: usize| low + i as f64 * (high - low) / GRID as f64;
    let (mut best, mut found, mut negative) = (0.0, 0, false);
    let mut memberships = vec![0.0; xs.len()];
    for i in 0..=GRID {
        let peak = at(i);
        for (membership, &x) in memberships.iter_mut().zip(&xs) {
            *membership = triangle(x, low, peak, high);
        }
        let r = correlation(&memberships, &targets);
        if r.abs() > best {
            (best, found, negative) = (r.abs(), i, r < 0.0);
        }
    }
    let peak = at(found);
    (found > 0 && found < GRID && low < peak && peak < high).then_some((peak, negative))
}

/// Pearson's correlation; 0 where it is not defined.
fn correlation(xs: &[f64], ys: &[f64]) -> f64 {
    let count = xs.len() as f64;
    let (mut x_sum, mut y_sum) = (0.0, 0.0);
    for (x, y) in xs.iter().zip(ys) {
        (x_sum, y_sum) = (x_sum + x, y_sum + y);
    }
    let (x_mean, y_mean) = (x_sum / count, y_sum / count);
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in xs.iter().zip(ys) {
        let (x, y) = (x - x_mean, y - y_mean);
        (xy, xx, yy) = (xy + x * y, xx + x * x, yy + y * y);
    }
    if xx * yy > 0.0 { xy / (xx * yy).sqrt() } else { 0.0 }
}

/// Fit LOW and HIGH to the range of these rows. A column that does not vary keeps its range.
pub(super) fn refit(terms: &mut [Term], rows: &[&[f64]]) {
    for term in terms {
        let cells: Vec<f64> = rows.iter().map(|row| row[term.column]).collect();
        if let Set::Low { low, high } | Set::High { low, high } = &mut term.set
            && let Some(new) = range(&cells)
        {
            (*low, *high) = new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Set, Term, correlation, refit, terms_of, triangle};
    use crate::learners::Column;

    #[test]
    fn memberships_are_those_of_the_worked_example() {
        let at = |set, x| Term { column: 0, set }.membership(&[x]);
        assert_eq!(at(Set::High { low: 0.0, high: 10.0 }, 7.0), 0.7);
        assert!((at(Set::Low { low: 0.0, high: 10.0 }, 7.0) - 0.3).abs() < 1e-15);
        assert_eq!(triangle(1.5, 0.0, 1.0, 4.0), 2.5 / 3.0);
        let set = Set::Middle { low: 0.0, peak: 1.0, high: 4.0, negative: true };
        assert_eq!((at(set, 1.0), at(set, -3.0), at(set, 9.0)), (0.0, 1.0, 1.0));
        assert!(at(set, f64::NAN).is_nan());
        assert_eq!((at(Set::Value(2), 2.0), at(Set::Value(2), 7.0)), (1.0, 0.0));
    }

    #[test]
    fn a_column_that_does_not_vary_has_no_terms() {
        let columns = [Column::Numeric, Column::Nominal(3), Column::Numeric, Column::Nominal(2)];
        let rows = [[1.0, 2.0, f64::NAN, 0.0], [1.0, 2.0, 5.0, 1.0], [1.0, 9.0, 5.0, 1.0]];
        let rows: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
        let terms = terms_of(&columns, &rows, &[0.0, 1.0, 1.0], true);
        assert_eq!(terms.iter().map(|term| term.column).collect::<Vec<_>>(), [3, 3]);
    }

    #[test]
    fn a_triangle_is_where_the_class_is_in_the_middle() {
        let rows: Vec<[f64; 1]> = (0..=20).map(|i| [f64::from(i)]).collect();
        let rows: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
        let targets: Vec<f64> =
            (0..=20).map(|i| f64::from(u8::from((8..=12).contains(&i)))).collect();
        let sets = |targets: &[f64]| terms_of(&[Column::Numeric], &rows, targets, true);
        let Some(Term { set: Set::Middle { peak, negative, .. }, .. }) =
            sets(&targets).last().copied()
        else {
            unreachable!("no triangle")
        };
        assert_eq!((peak, negative), (10.0, false));
        let others: Vec<f64> = targets.iter().map(|y| 1.0 - y).collect();
        assert!(matches!(
            sets(&others).last(),
            Some(Term { set: Set::Middle { negative: true, .. }, .. })
        ));
        let growing: Vec<f64> = (0..=20).map(f64::from).collect();
        assert_eq!(sets(&growing).len(), 2, "it would repeat HIGH");
        assert_eq!(sets(&[0.0; 21]).len(), 2);
        assert_eq!(correlation(&[1.0, 1.0], &[0.0, 1.0]), 0.0);
    }

    #[test]
    fn ranges_are_fitted_again_where_there_is_one() {
        let set = Set::Low { low: 0.0, high: 1.0 };
        let mut terms = [Term { column: 0, set }, Term { column: 1, set }];
        refit(&mut terms, &[&[3.0, 4.0], &[f64::NAN, 4.0], &[5.0, f64::NAN]]);
        assert_eq!(terms[0].set, Set::Low { low: 3.0, high: 5.0 });
        assert_eq!(terms[1].set, set);
    }
}
