//! The operators of pattern trees: two numbers from 0 to 1 become one.

use crate::error::Result;
use crate::learners::Reader;

/// An operator: four t-norms, their four t-conorms, two averages. The order is that in which the induction tries them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Minimum,
    Algebraic,
    Lukasiewicz,
    Einstein,
    Maximum,
    CoAlgebraic,
    CoLukasiewicz,
    CoEinstein,
    /// Weighted average; the share is the weight of the left child.
    Average,
    /// Ordered weighted average; the share is the weight of the larger child.
    OrderedAverage,
}

use Operator::{
    Algebraic, Average, CoAlgebraic, CoEinstein, CoLukasiewicz, Einstein, Lukasiewicz, Maximum,
    Minimum, OrderedAverage,
};

/// All operators.
pub(super) const OPERATORS: [Operator; 10] = [
    Minimum,
    Algebraic,
    Lukasiewicz,
    Einstein,
    Maximum,
    CoAlgebraic,
    CoLukasiewicz,
    CoEinstein,
    Average,
    OrderedAverage,
];

/// The operators by which a tree is expanded as the stream goes on.
pub(super) const EXPANDING: [Operator; 4] = [OrderedAverage, Average, Minimum, Maximum];

#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// Rounding must not leave the interval from 0 to 1.
#[inline(always)]
fn clipped(x: f64) -> f64 {
    lesser(greater(x, 0.0), 1.0)
}

impl Operator {
    /// Whether it has a share, which is fitted.
    pub(super) fn is_average(self) -> bool {
        matches!(self, Average | OrderedAverage)
    }

    /// Apply `each` to the operator's formula, so that the choice is made once for many numbers.
    #[inline(always)]
    fn formula(self, share: f64, each: &mut impl Each) {
        match self {
            Minimum => each.with(lesser),
            Algebraic => each.with(|a, b| clipped(a * b)),
            Lukasiewicz => each.with(|a, b| clipped(a + b - 1.0)),
            Einstein => each.with(|a, b| clipped(a * b / (2.0 - (a + b - a * b)))),
            Maximum => each.with(greater),
            CoAlgebraic => each.with(|a, b| clipped(a + b - a * b)),
            CoLukasiewicz => each.with(|a, b| clipped(a + b)),
            CoEinstein => each.with(|a, b| clipped((a + b) / (1.0 + a * b))),
            Average => each.with(|a, b| clipped(share * a + (1.0 - share) * b)),
            OrderedAverage => {
                each.with(|a, b| clipped(share * greater(a, b) + (1.0 - share) * lesser(a, b)));
            }
        }
    }

    /// The value of a node from those of its children.
    #[inline(always)]
    pub(super) fn apply(self, share: f64, a: f64, b: f64) -> f64 {
        let mut one = One { a, b, value: 0.0 };
        self.formula(share, &mut one);
        one.value
    }

    /// Values of a node in place of those of one child; `left`: that child is the left one.
    #[inline(always)]
    pub(super) fn climb(self, share: f64, values: &mut [f64], sibling: &[f64], left: bool) {
        self.formula(share, &mut Columns { values, sibling, left });
    }

    /// As `climb`, where the other child has one value.
    #[inline(always)]
    pub(super) fn climb_by(self, share: f64, values: &mut [f64], sibling: f64, left: bool) {
        self.formula(share, &mut Column { values, sibling, left });
    }

    /// Its number in a state.
    pub(super) fn code(self) -> u64 {
        self as u64
    }

    pub(super) fn load(from: &mut Reader<'_>) -> Result<Self> {
        Ok(OPERATORS[from.below(OPERATORS.len())?])
    }
}

/// What a formula is applied to.
trait Each {
    fn with(&mut self, formula: impl Fn(f64, f64) -> f64);
}

struct One {
    a: f64,
    b: f64,
    value: f64,
}

impl Each for One {
    #[inline(always)]
    fn with(&mut self, formula: impl Fn(f64, f64) -> f64) {
        self.value = formula(self.a, self.b);
    }
}

struct Columns<'a> {
    values: &'a mut [f64],
    sibling: &'a [f64],
    left: bool,
}

impl Each for Columns<'_> {
    #[inline(always)]
    fn with(&mut self, formula: impl Fn(f64, f64) -> f64) {
        let both = self.values.iter_mut().zip(self.sibling);
        if self.left {
            both.for_each(|(value, other)| *value = formula(*value, *other));
        } else {
            both.for_each(|(value, other)| *value = formula(*other, *value));
        }
    }
}

struct Column<'a> {
    values: &'a mut [f64],
    sibling: f64,
    left: bool,
}

impl Each for Column<'_> {
    #[inline(always)]
    fn with(&mut self, formula: impl Fn(f64, f64) -> f64) {
        let other = self.sibling;
        if self.left {
            self.values.iter_mut().for_each(|value| *value = formula(*value, other));
        } else {
            self.values.iter_mut().for_each(|value| *value = formula(other, *value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OPERATORS, Operator};
    use crate::seeds::uniform;

    #[test]
    fn operators_have_the_values_of_the_worked_example() {
        let (a, b) = (0.7, 5.0 / 6.0);
        let expected = [
            0.7,
            0.5833333333,
            0.5333333333,
            0.5555555556,
            0.8333333333,
            0.95,
            1.0,
            0.9684210526,
            0.7933333333,
            0.74,
        ];
        for (operator, expected) in OPERATORS.into_iter().zip(expected) {
            assert!((operator.apply(0.3, a, b) - expected).abs() < 1e-10, "{operator:?}");
        }
    }

    #[test]
    fn operators_are_ordered_monotone_and_within_0_and_1() {
        use Operator::{
            Algebraic, Average, CoAlgebraic, CoEinstein, CoLukasiewicz, Einstein, Lukasiewicz,
            Maximum, Minimum, OrderedAverage,
        };
        let chains = [Average, OrderedAverage].map(|average| {
            let below = [Lukasiewicz, Einstein, Algebraic, Minimum, average];
            [below, [Maximum, CoAlgebraic, CoEinstein, CoLukasiewicz, CoLukasiewicz]].concat()
        });
        for i in 0..2000 {
            let draw = |j| match uniform(j, i) {
                u if u < 0.1 => 0.0,
                u if u > 0.9 => 1.0,
                _ => uniform(j + 9, i),
            };
            let (a, b, more, share) = (draw(1), draw(2), draw(3), draw(4));
            for operator in OPERATORS {
                let value = operator.apply(share, a, b);
                assert!((0.0..=1.0).contains(&value));
                assert!(operator.apply(share, a.max(more), b) >= value - 1e-15);
                assert!(operator.apply(share, a, b.max(more)) >= value - 1e-15);
            }
            for chain in &chains {
                for pair in chain.windows(2) {
                    let (less, more) = (pair[0].apply(share, a, b), pair[1].apply(share, a, b));
                    assert!(less <= more + 1e-15, "{pair:?} of {a} and {b}");
                }
            }
        }
    }

    #[test]
    fn columns_have_the_values_of_single_numbers() {
        let (a, b) = ([0.1, 0.5, 1.0, 0.0], [0.9, 0.5, 0.3, 0.2]);
        for operator in OPERATORS {
            for left in [true, false] {
                let one = |a, b| {
                    if left { operator.apply(0.3, a, b) } else { operator.apply(0.3, b, a) }
                };
                let (mut columns, mut column) = (a, a);
                operator.climb(0.3, &mut columns, &b, left);
                operator.climb_by(0.3, &mut column, 0.9, left);
                for i in 0..4 {
                    assert_eq!((columns[i], column[i]), (one(a[i], b[i]), one(a[i], 0.9)));
                }
            }
        }
    }
}
