//! Sums of labels, the candidate cuts of a column, and the conditions of rules.

use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};

/// Minimum share of the weight on either side of a cut.
const MIN_SHARE: f64 = 0.05;

/// Weight, sum and sum of squares of labels.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Sums {
    pub(super) weight: f64,
    total: f64,
    squares: f64,
}

impl Sums {
    #[inline(always)]
    pub(super) fn add(&mut self, label: f64, weight: f64) {
        self.weight += weight;
        self.total += weight * label;
        self.squares += weight * label * label;
    }

    fn plus(self, other: Self) -> Self {
        Self {
            weight: self.weight + other.weight,
            total: self.total + other.total,
            squares: self.squares + other.squares,
        }
    }

    fn less(self, other: Self) -> Self {
        Self {
            weight: self.weight - other.weight,
            total: self.total - other.total,
            squares: self.squares - other.squares,
        }
    }

    /// Sum of squared deviations from the mean.
    #[inline(always)]
    fn spread(self) -> f64 {
        self.squares - self.total * self.total / self.weight
    }

    fn variance(self) -> f64 {
        self.spread() / self.weight
    }

    /// Sample standard deviation; 0 for a single item.
    #[inline(always)]
    pub(super) fn deviation(self) -> f64 {
        if self.weight > 1.0 { (self.spread().max(0.0) / (self.weight - 1.0)).sqrt() } else { 0.0 }
    }

    /// Relative variance reduction of splitting `self` into `low` and the rest; 0 where a side is
    /// too small or there is no variance.
    fn merit(self, low: Self) -> f64 {
        let high = self.less(low);
        let least = MIN_SHARE * self.weight;
        let spread = self.spread();
        if !(low.weight >= least && high.weight >= least && spread > 0.0) {
            return 0.0;
        }
        let gap = low.total * high.weight - high.total * low.weight;
        gap / spread * gap / (low.weight * high.weight * self.weight)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.reals(&[self.weight, self.total, self.squares]);
    }

    pub(super) fn load(from: &mut Reader<'_>) -> crate::Result<Self> {
        Ok(Self { weight: from.real()?, total: from.real()?, squares: from.real()? })
    }
}

/// A test on a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Test {
    AtMost(f64),
    Above(f64),
    Equals(f64),
    NotEquals(f64),
}

/// A condition on one column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Literal {
    pub(super) column: u32,
    pub(super) test: Test,
}

impl Literal {
    /// A missing cell satisfies no condition.
    #[inline(always)]
    pub(super) fn covers(&self, row: &[f64]) -> bool {
        let x = row[self.column as usize];
        match self.test {
            Test::AtMost(value) => x <= value,
            Test::Above(value) => x > value,
            Test::Equals(value) => x == value,
            Test::NotEquals(value) => !x.is_nan() && x != value,
        }
    }

    /// Whether it implies an older condition. The newer of two bounds on a column is the tighter,
    /// and equality implies any other condition.
    pub(super) fn replaces(&self, older: &Self) -> bool {
        self.column == older.column
            && match self.test {
                Test::AtMost(_) => matches!(older.test, Test::AtMost(_)),
                Test::Above(_) => matches!(older.test, Test::Above(_)),
                Test::Equals(_) => true,
                Test::NotEquals(_) => false,
            }
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.column.into());
        let (kind, value) = match self.test {
            Test::AtMost(value) => (0, value),
            Test::Above(value) => (1, value),
            Test::Equals(value) => (2, value),
            Test::NotEquals(value) => (3, value),
        };
        out.whole(kind);
        out.real(value);
    }

    pub(super) fn load(width: usize, from: &mut Reader<'_>) -> crate::Result<Self> {
        let column = from.below(width)? as u32;
        let (kind, value) = (from.below(4)?, from.real()?);
        let test = match kind {
            0 => Test::AtMost(value),
            1 => Test::Above(value),
            2 => Test::Equals(value),
            _ => Test::NotEquals(value),
        };
        Ok(Self { column, test })
    }
}

/// The best condition on a column, and its relative reduction of the label variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Suggestion {
    pub(super) literal: Literal,
    pub(super) merit: f64,
}

/// Label sums per value of a column.
///
/// The first distinct values of a numeric column, up to a maximum number, are its candidate cuts;
/// later values are summed between them. A binary search tree of these values with the sums of
/// its subtrees holds the same information.
#[derive(Debug, Clone)]
pub(super) struct ColumnSums {
    nominal: bool,
    /// Candidate cuts, ascending; empty for a nominal column, whose values are its codes.
    cuts: Vec<f64>,
    /// Sums per code; or per interval that ends at a cut, and above the last.
    sums: Vec<Sums>,
    /// Sums of items whose cell is missing or undeclared.
    without: Sums,
}

impl ColumnSums {
    pub(super) fn new(column: Column) -> Self {
        let (nominal, sums) = match column {
            Column::Numeric => (false, 1),
            Column::Nominal(values) => (true, values),
        };
        let sums = vec![Sums::default(); sums];
        Self { nominal, cuts: Vec::new(), sums, without: Sums::default() }
    }

    pub(super) fn add(&mut self, x: f64, label: f64, weight: f64, most: usize) {
        let place = if self.nominal {
            let code = x as usize;
            if code as f64 == x { self.sums.get_mut(code) } else { None }
        } else if x.is_nan() {
            None
        } else {
            let mut at = self.cuts.partition_point(|&cut| cut < x);
            if self.cuts.len() < most && self.cuts.get(at) != Some(&x) {
                at = self.cut(at, x, most);
            }
            self.sums.get_mut(at)
        };
        place.unwrap_or(&mut self.without).add(label, weight);
    }

    /// Insert a cut; no items lie between its neighbours yet.
    fn cut(&mut self, at: usize, x: f64, most: usize) -> usize {
        // Grow geometrically: columns with few values never need the full capacity.
        if self.cuts.len() == self.cuts.capacity() {
            let more = (2 * self.cuts.len()).clamp(8, most.max(8)).min(most) - self.cuts.len();
            self.cuts.reserve_exact(more);
            self.sums.reserve_exact(more);
        }
        self.cuts.insert(at, x);
        self.sums.insert(at, Sums::default());
        at
    }

    /// The best condition; ties go to the first. `all`: the sums of all items. The condition covers
    /// the side with the smaller label variance.
    pub(super) fn best(&self, column: usize, all: Sums) -> Option<Suggestion> {
        let all = all.less(self.without);
        let mut best: Option<(f64, usize, Sums)> = None;
        let mut low = Sums::default();
        for (i, &sums) in self.sums.iter().enumerate() {
            low = if self.nominal { sums } else { low.plus(sums) };
            let merit = all.merit(low);
            if merit > best.map_or(0.0, |(merit, ..)| merit) {
                best = Some((merit, i, low));
            }
        }
        let (merit, i, low) = best?;
        let other = all.less(low).variance() < low.variance();
        let test = match (self.nominal, other) {
            (true, false) => Test::Equals(i as f64),
            (true, true) => Test::NotEquals(i as f64),
            (false, false) => Test::AtMost(*self.cuts.get(i)?),
            (false, true) => Test::Above(*self.cuts.get(i)?),
        };
        Some(Suggestion { literal: Literal { column: column as u32, test }, merit })
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.cuts) + held(&self.sums)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        self.without.save(out);
        out.whole(self.cuts.len() as u64);
        out.reals(&self.cuts);
        self.sums.iter().for_each(|sums| sums.save(out));
    }

    pub(super) fn load(column: Column, most: usize, from: &mut Reader<'_>) -> crate::Result<Self> {
        let mut seen = Self::new(column);
        seen.without = Sums::load(from)?;
        let count = from.count(4)?;
        if count > if seen.nominal { 0 } else { most } {
            return Err(refused("a rule", "a rule with too many cuts"));
        }
        if count > 0 {
            // The same capacity as after growth, so that the memory use is the same.
            let mut capacity = 8.min(most);
            while capacity < count {
                capacity = (2 * capacity).min(most);
            }
            seen.cuts.reserve_exact(capacity);
            seen.sums.reserve_exact(capacity);
            seen.cuts.resize(count, 0.0);
            from.reals(&mut seen.cuts)?;
            seen.sums.resize(count + 1, Sums::default());
        }
        for sums in &mut seen.sums {
            *sums = Sums::load(from)?;
        }
        Ok(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnSums, Literal, Suggestion, Sums, Test};
    use crate::learners::Column;
    use crate::seeds::uniform;

    /// Value, label and weight.
    type Item = (f64, f64, f64);

    fn items(values: f64) -> Vec<Item> {
        let item = |i| {
            let x = (uniform(1, i) * values).floor();
            (x, x * 0.3 + uniform(2, i) * 5.0, 1.0 + (uniform(3, i) * 2.0).floor())
        };
        (0..300).map(item).collect()
    }

    fn best(column: Column, items: &[Item], most: usize) -> Option<Suggestion> {
        let (mut seen, mut all) = (ColumnSums::new(column), Sums::default());
        for &(x, label, weight) in items {
            seen.add(x, label, weight, most);
            all.add(label, weight);
        }
        seen.best(7, all)
    }

    fn variance(items: &[Item], side: impl Fn(f64) -> bool) -> (f64, f64) {
        let side: Vec<&Item> = items.iter().filter(|item| side(item.0)).collect();
        let weight: f64 = side.iter().map(|i| i.2).sum();
        let mean = side.iter().map(|i| i.2 * i.1).sum::<f64>() / weight;
        (weight, side.iter().map(|i| i.2 * (i.1 - mean).powi(2)).sum::<f64>() / weight)
    }

    /// Relative variance reduction, and whether the other side has the smaller variance.
    fn recount(items: &[Item], side: impl Fn(f64) -> bool) -> (f64, bool) {
        let ((all, before), here) = (variance(items, |_| true), variance(items, &side));
        let there = variance(items, |x| !side(x));
        if here.0 < 0.05 * all || there.0 < 0.05 * all {
            return (0.0, false);
        }
        let after = (here.0 * here.1 + there.0 * there.1) / all;
        (1.0 - after / before, there.1 < here.1)
    }

    #[test]
    fn the_best_condition_equals_a_recount() {
        for most in [5, 12, 100] {
            let items = items(30.0);
            let mut cuts: Vec<f64> = Vec::new();
            for item in &items {
                if cuts.len() < most && !cuts.contains(&item.0) {
                    cuts.push(item.0);
                }
            }
            let of = |cut: f64| recount(&items, move |x| x <= cut);
            let merit = cuts.iter().map(|&cut| of(cut).0).fold(0.0, f64::max);
            let found = best(Column::Numeric, &items, most);
            assert!(found.is_some_and(|found| {
                let (value, other) = match found.literal.test {
                    Test::AtMost(value) => (value, false),
                    Test::Above(value) => (value, true),
                    _ => return false,
                };
                (found.merit - merit).abs() < 1e-9
                    && (of(value).0 - merit).abs() < 1e-9
                    && of(value).1 == other
                    && cuts.contains(&value)
                    && found.literal.column == 7
            }));
        }
    }

    #[test]
    fn the_best_value_equals_a_recount_and_undeclared_codes_are_ignored() {
        let items = items(6.0);
        let declared: Vec<Item> = items.iter().copied().filter(|item| item.0 < 4.0).collect();
        let of = |code: f64| recount(&declared, move |x| x == code);
        let merit = (0..4).map(|code| of(code.into()).0).fold(0.0, f64::max);
        let found = best(Column::Nominal(4), &items, 1);
        assert!(found.is_some_and(|found| match found.literal.test {
            Test::Equals(value) => of(value) == (of(value).0, false) && of(value).0 > 0.99 * merit,
            Test::NotEquals(value) => of(value).1 && of(value).0 > 0.99 * merit,
            _ => false,
        }));
        let missing: Vec<Item> = items.iter().map(|&(_, y, w)| (f64::NAN, y, w)).collect();
        for column in [Column::Numeric, Column::Nominal(4)] {
            assert_eq!(best(column, &missing, 9), None);
            assert_eq!(best(column, &[], 9), None);
        }
    }

    #[test]
    fn a_tighter_bound_replaces_a_bound_and_a_missing_cell_is_not_covered() {
        let on = |column, test| Literal { column, test };
        assert!(on(1, Test::AtMost(2.0)).replaces(&on(1, Test::AtMost(3.0))));
        assert!(!on(1, Test::AtMost(2.0)).replaces(&on(2, Test::AtMost(3.0))));
        assert!(!on(1, Test::AtMost(2.0)).replaces(&on(1, Test::Above(1.0))));
        assert!(!on(1, Test::NotEquals(2.0)).replaces(&on(1, Test::NotEquals(1.0))));
        assert!(on(1, Test::Equals(2.0)).replaces(&on(1, Test::NotEquals(1.0))));
        for (test, covered) in [
            (Test::AtMost(2.0), true),
            (Test::Above(2.0), false),
            (Test::Equals(2.0), true),
            (Test::NotEquals(2.0), false),
        ] {
            assert_eq!(on(0, test).covers(&[2.0]), covered);
            assert!(!on(0, test).covers(&[f64::NAN]));
        }
    }
}
