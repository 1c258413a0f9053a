//! Sums of labels, and where a column could be cut.

use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};

/// Either side of a cut must have this share of the weight.
const LEAST: f64 = 0.05;

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

    /// Squared departures from the mean.
    #[inline(always)]
    fn spread(self) -> f64 {
        self.squares - self.total * self.total / self.weight
    }

    fn variance(self) -> f64 {
        self.spread() / self.weight
    }

    /// The deviation of a sample; 0 of a single item.
    #[inline(always)]
    pub(super) fn deviation(self) -> f64 {
        if self.weight > 1.0 { (self.spread().max(0.0) / (self.weight - 1.0)).sqrt() } else { 0.0 }
    }

    /// By which share the variance falls where `self` is parted into `low` and the rest; 0 where a
    /// side is too small, and where there is no variance.
    fn merit(self, low: Self) -> f64 {
        let high = self.less(low);
        let least = LEAST * self.weight;
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

/// What a cell must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Test {
    AtMost(f64),
    Above(f64),
    Is(f64),
    IsNot(f64),
}

/// A condition on one column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Literal {
    pub(super) column: u32,
    pub(super) test: Test,
}

impl Literal {
    /// A missing cell is covered by no condition.
    #[inline(always)]
    pub(super) fn covers(&self, row: &[f64]) -> bool {
        let x = row[self.column as usize];
        match self.test {
            Test::AtMost(value) => x <= value,
            Test::Above(value) => x > value,
            Test::Is(value) => x == value,
            Test::IsNot(value) => !x.is_nan() && x != value,
        }
    }

    /// Does it go without the other, an older one? Of a column's bounds the newer is the tighter,
    /// and nothing is narrower than one value.
    pub(super) fn replaces(&self, older: &Self) -> bool {
        self.column == older.column
            && match self.test {
                Test::AtMost(_) => matches!(older.test, Test::AtMost(_)),
                Test::Above(_) => matches!(older.test, Test::Above(_)),
                Test::Is(_) => true,
                Test::IsNot(_) => false,
            }
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.column.into());
        let (kind, value) = match self.test {
            Test::AtMost(value) => (0, value),
            Test::Above(value) => (1, value),
            Test::Is(value) => (2, value),
            Test::IsNot(value) => (3, value),
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
            2 => Test::Is(value),
            _ => Test::IsNot(value),
        };
        Ok(Self { column, test })
    }
}

/// The best condition on a column, and by which share it lowers the variance of the labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Suggestion {
    pub(super) literal: Literal,
    pub(super) merit: f64,
}

/// What came with the values of a column.
///
/// The first different values of a numeric column are where it could be cut, so many as are
/// allowed; later ones are added up between them. That is what a binary tree of these values with
/// the sums of everything below knows, too.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    nominal: bool,
    /// Ascending. Of a nominal column none: its values are its codes.
    cuts: Vec<f64>,
    /// Of each code; or up to each cut from the one before, and above the last.
    sums: Vec<Sums>,
    /// Where the cell was missing or a value that is not declared.
    without: Sums,
}

impl Seen {
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

    /// A new cut: nothing has come between its neighbours yet.
    fn cut(&mut self, at: usize, x: f64, most: usize) -> usize {
        // A column of few values, and most rules, never need all; of those that do, most do soon.
        if self.cuts.len() == self.cuts.capacity() {
            let room = (2 * self.cuts.len()).clamp(8, most.max(8)).min(most) - self.cuts.len();
            self.cuts.reserve_exact(room);
            self.sums.reserve_exact(room);
        }
        self.cuts.insert(at, x);
        self.sums.insert(at, Sums::default());
        at
    }

    /// The best condition; of equal ones the first. `all`: the sums of all items. The side on which
    /// labels vary less is the one that is kept.
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
            (true, false) => Test::Is(i as f64),
            (true, true) => Test::IsNot(i as f64),
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
            return Err(refused("a rule", "one with too many cuts"));
        }
        if count > 0 {
            // As much room as it had when it grew, so that it holds what it held.
            let mut room = 8.min(most);
            while room < count {
                room = (2 * room).min(most);
            }
            seen.cuts.reserve_exact(room);
            seen.sums.reserve_exact(room);
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
    use super::{Literal, Seen, Suggestion, Sums, Test};
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
        let (mut seen, mut all) = (Seen::new(column), Sums::default());
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

    /// By which share the variance falls, and whether it is less on the other side.
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
    fn the_best_condition_is_that_of_a_recount() {
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
    fn the_best_value_is_that_of_a_recount_and_the_undeclared_teach_nothing() {
        let items = items(6.0);
        let declared: Vec<Item> = items.iter().copied().filter(|item| item.0 < 4.0).collect();
        let of = |code: f64| recount(&declared, move |x| x == code);
        let merit = (0..4).map(|code| of(code.into()).0).fold(0.0, f64::max);
        let found = best(Column::Nominal(4), &items, 1);
        assert!(found.is_some_and(|found| match found.literal.test {
            Test::Is(value) => of(value) == (of(value).0, false) && of(value).0 > 0.99 * merit,
            Test::IsNot(value) => of(value).1 && of(value).0 > 0.99 * merit,
            _ => false,
        }));
        let holes: Vec<Item> = items.iter().map(|&(_, y, w)| (f64::NAN, y, w)).collect();
        for column in [Column::Numeric, Column::Nominal(4)] {
            assert_eq!(best(column, &holes, 9), None);
            assert_eq!(best(column, &[], 9), None);
        }
    }

    #[test]
    fn a_bound_gives_way_to_a_tighter_one_and_a_hole_is_covered_by_nothing() {
        let on = |column, test| Literal { column, test };
        assert!(on(1, Test::AtMost(2.0)).replaces(&on(1, Test::AtMost(3.0))));
        assert!(!on(1, Test::AtMost(2.0)).replaces(&on(2, Test::AtMost(3.0))));
        assert!(!on(1, Test::AtMost(2.0)).replaces(&on(1, Test::Above(1.0))));
        assert!(!on(1, Test::IsNot(2.0)).replaces(&on(1, Test::IsNot(1.0))));
        assert!(on(1, Test::Is(2.0)).replaces(&on(1, Test::IsNot(1.0))));
        for (test, covered) in [
            (Test::AtMost(2.0), true),
            (Test::Above(2.0), false),
            (Test::Is(2.0), true),
            (Test::IsNot(2.0), false),
        ] {
            assert_eq!(on(0, test).covers(&[2.0]), covered);
            assert!(!on(0, test).covers(&[f64::NAN]));
        }
    }
}
