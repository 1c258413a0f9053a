//! The two kinds of target: class codes and real numbers.

use std::fmt::Debug;

use crate::NONE;
use crate::error::Result;
use crate::learners::items::check_codes;

/// A value of the target. Labels and predictions have the same type: `i32`, a class code, or
/// `f64`, a real number.
pub trait Target: Copy + Debug + Send + Sync + 'static {
    /// A label that is not missing, as a learner learns it.
    type Known: Copy;

    /// Whether there are scores per value; true for class codes.
    const SCORED: bool;

    /// Name of such values in messages.
    const PLURAL: &'static str;

    /// A missing label; as a prediction, no prediction.
    const NONE: Self;

    /// The label, unless it is missing.
    fn known(self) -> Option<Self::Known>;

    /// Equality in which two missing values are equal.
    fn same(self, other: Self) -> bool;

    /// Check that every label is missing or a declared class.
    fn check(labels: &[Self], classes: usize) -> Result<()>;

    /// The value as a word of a state.
    fn to_word(self) -> u64;

    /// The value of a word of a state, which may be that of no class.
    fn from_word(word: u64) -> Self;
}

impl Target for i32 {
    type Known = usize;

    const SCORED: bool = true;

    const PLURAL: &'static str = "class codes";

    const NONE: Self = NONE;

    #[inline(always)]
    fn known(self) -> Option<usize> {
        (self != NONE).then_some(self as usize)
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        self == other
    }

    fn check(labels: &[Self], classes: usize) -> Result<()> {
        check_codes(labels, classes)
    }

    fn to_word(self) -> u64 {
        i64::from(self) as u64
    }

    fn from_word(word: u64) -> Self {
        i32::try_from(word as i64).unwrap_or(i32::MAX)
    }
}

impl Target for f64 {
    type Known = f64;

    const SCORED: bool = false;

    const PLURAL: &'static str = "reals";

    const NONE: Self = Self::NAN;

    #[inline(always)]
    fn known(self) -> Option<f64> {
        (!self.is_nan()).then_some(self)
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        self == other || (self.is_nan() && other.is_nan())
    }

    fn check(_labels: &[Self], _classes: usize) -> Result<()> {
        Ok(())
    }

    fn to_word(self) -> u64 {
        self.to_bits()
    }

    fn from_word(word: u64) -> Self {
        Self::from_bits(word)
    }
}

#[cfg(test)]
mod tests {
    use super::Target;
    use crate::NONE;

    #[test]
    fn missing_values_are_not_known_and_are_the_same() {
        assert_eq!((NONE.known(), 3.known()), (None, Some(3)));
        assert_eq!((f64::NAN.known(), 0.5.known()), (None, Some(0.5)));
        assert!(<i32 as Target>::NONE.known().is_none() && <f64 as Target>::NONE.known().is_none());
        assert!(NONE.same(NONE) && f64::NAN.same(-f64::NAN) && 0.0.same(-0.0));
        assert!(!1.same(NONE) && !1.0.same(f64::NAN) && !f64::NAN.same(1.0) && !1.0.same(2.0));
    }

    #[test]
    fn only_class_codes_can_be_out_of_range() {
        assert!(i32::check(&[NONE, 0, 1], 2).is_ok());
        assert!(i32::check(&[0, 2], 2).is_err() && i32::check(&[-2], 2).is_err());
        assert!(f64::check(&[f64::NAN, -1e300], 0).is_ok());
    }
}
