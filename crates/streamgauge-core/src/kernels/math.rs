//! Logarithms, exponentials and long products, the same on every machine.
//!
//! The platform's own `ln` and `exp` differ from machine to machine in the last bit; these are
//! made of additions, multiplications and divisions alone and so are the same everywhere.

use super::{LANES, Simd};

const MANTISSA: u64 = 0x000f_ffff_ffff_ffff;
const ONE: u64 = 0x3ff0_0000_0000_0000;
const BIAS: i64 = 1023;
const LN2_HI: f64 = 6.931_471_803_691_238e-1;
const LN2_LO: f64 = 1.908_214_929_270_587_7e-10;

/// The natural logarithm of a positive normal number, within one unit in the last place
/// (the series of FreeBSD's `e_log.c`).
#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    // Halve the exponent range around 1: m in [sqrt 1/2, sqrt 2).
    let bits = x.to_bits() as i64;
    let exponent = (bits - 0x3fe6_a09e_667f_3bcd) >> 52;
    let m = f64::from_bits((bits - (exponent << 52)) as u64);
    let k = exponent as i32 as f64;
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w
        * (3.999_999_999_940_942e-1
            + w * (2.222_219_843_214_978_4e-1 + w * 1.531_383_769_920_937_3e-1));
    let odd = z
        * (6.666_666_666_666_735e-1
            + w * (2.857_142_874_366_239e-1
                + w * (1.818_357_216_161_805e-1 + w * 1.479_819_860_511_658_6e-1)));
    let half = 0.5 * f * f;
    k * LN2_HI - ((half - (s * (half + (even + odd)) + k * LN2_LO)) - f)
}

/// e to the `x`, within one unit in the last place; 0 far below, inf far above, NaN for NaN
/// (the rational form of FreeBSD's `e_exp.c`).
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    // Written so that NaN goes through: a comparison with NaN is false.
    let x = if x < -746.0 { -746.0 } else { x };
    let x = if x > 710.0 { 710.0 } else { x };
    // Adding and taking away 1.5 * 2^52 rounds to a whole number without a branch.
    let rounder = 6_755_399_441_055_744.0;
    let shifted = x * std::f64::consts::LOG2_E + rounder;
    let k = shifted - rounder;
    let (hi, lo) = (x - k * LN2_HI, k * LN2_LO);
    let r = hi - lo;
    let t = r * r;
    let c = r - t
        * (1.666_666_666_666_660_2e-1
            + t * (-2.777_777_777_701_559_3e-3
                + t * (6.613_756_321_437_934e-5
                    + t * (-1.653_390_220_546_525_2e-6 + t * 4.138_136_797_057_238_5e-8))));
    let y = 1.0 - ((lo - (r * c) / (2.0 - c)) - hi);
    // 2^k in two halves, so that results below the normal range come out right.
    let k = shifted.to_bits().wrapping_sub(rounder.to_bits()) as i64;
    let half = k >> 1;
    y * power_of_two(half) * power_of_two(k - half)
}

#[inline(always)]
fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((k + BIAS) as u64) << 52)
}

/// A product of many positive normal numbers that can neither overflow nor vanish:
/// `mantissa * 2^exponent`. Its logarithm costs one logarithm.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Product {
    mantissa: f64,
    exponent: i64,
}

impl Product {
    /// One number.
    #[inline(always)]
    pub(crate) fn of(x: f64) -> Self {
        let (mantissa, exponent) = split(x);
        Self { mantissa, exponent }
    }

    /// The product of the two.
    #[inline(always)]
    pub(crate) fn times(self, other: Self) -> Self {
        let (mantissa, carry) = split(self.mantissa * other.mantissa);
        Self { mantissa, exponent: self.exponent + other.exponent + carry }
    }

    /// This over the other.
    #[inline(always)]
    pub(crate) fn over(self, other: Self) -> Self {
        let (mantissa, carry) = split(self.mantissa / other.mantissa);
        Self { mantissa, exponent: self.exponent - other.exponent + carry }
    }

    /// Its natural logarithm.
    #[inline(always)]
    pub(crate) fn ln(self) -> f64 {
        ln(self.mantissa) + self.exponent as f64 * std::f64::consts::LN_2
    }
}

/// A number as mantissa in [1, 2) and exponent.
#[inline(always)]
fn split(x: f64) -> (f64, i64) {
    let bits = x.to_bits();
    (f64::from_bits(bits & MANTISSA | ONE), (bits >> 52) as i64 - BIAS)
}

/// Eight such products side by side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Products<S: Simd> {
    mantissa: S::V,
    exponent: S::I,
    taken: usize,
}

impl<S: Simd> Products<S> {
    /// Nothing multiplied yet.
    #[inline(always)]
    pub(crate) fn new(s: S) -> Self {
        Self { mantissa: s.splat(1.0), exponent: s.whole(0), taken: 0 }
    }

    /// Multiply each lane by a positive normal number.
    #[inline(always)]
    pub(crate) fn take(&mut self, s: S, x: S::V) {
        let (mantissa, exponent) = s.split(x, self.exponent);
        self.mantissa = s.mul(self.mantissa, mantissa);
        self.exponent = exponent;
        self.taken += 1;
        // Back to [1, 2) before 2^1024 is reached.
        if self.taken.is_multiple_of(512) {
            self.settle(s);
        }
    }

    #[inline(always)]
    fn settle(&mut self, s: S) {
        (self.mantissa, self.exponent) = s.split(self.mantissa, self.exponent);
        self.taken += 1;
    }

    /// The product over all lanes.
    #[inline(always)]
    pub(crate) fn all(mut self, s: S) -> Product {
        self.settle(s);
        let (mut m, mut e) = ([0.0; LANES], [0; LANES]);
        s.store(self.mantissa, &mut m);
        s.store_whole(self.exponent, &mut e);
        let mantissa = ((m[0] * m[4]) * (m[2] * m[6])) * ((m[1] * m[5]) * (m[3] * m[7]));
        let exponent = e.iter().sum::<i64>() - BIAS * (LANES * self.taken) as i64;
        let (mantissa, carry) = split(mantissa);
        Product { mantissa, exponent: exponent + carry }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{LANES, Product, Products, exp, ln};
    use crate::kernels::Plain;

    proptest! {
        #[test]
        fn the_logarithm_is_the_platforms_within_two_units(x in 1e-300f64..1e300) {
            let there = x.ln();
            prop_assert!((ln(x) - there).abs() <= 2.0 * f64::EPSILON * there.abs().max(1e-3));
        }

        #[test]
        fn the_exponential_is_the_platforms_within_two_units(x in -745.0f64..709.0) {
            let there = x.exp();
            prop_assert!((exp(x) - there).abs() <= 2.0 * f64::EPSILON * there + 1e-323);
        }

        #[test]
        fn the_logarithm_of_a_product_is_the_sum_of_logarithms(
            xs in prop::collection::vec(1e-300f64..1e300, 0..100)
        ) {
            let mut lanes = Products::new(Plain);
            let mut plain = Product::of(1.0);
            for group in xs.chunks(LANES) {
                let mut eight = [1.0; LANES];
                eight[..group.len()].copy_from_slice(group);
                lanes.take(Plain, eight);
                for &x in group {
                    plain = plain.times(Product::of(x));
                }
            }
            let there: f64 = xs.iter().map(|x| x.ln()).sum();
            prop_assert!((lanes.all(Plain).ln() - there).abs() < 1e-9);
            prop_assert!((plain.ln() - there).abs() < 1e-9);
            prop_assert!(Product::of(1.0).over(plain).ln() + plain.ln() < 1e-9);
        }
    }

    #[test]
    fn many_factors_do_not_overflow() {
        let mut lanes = Products::new(Plain);
        for _ in 0..3000 {
            lanes.take(Plain, [1.999; LANES]);
        }
        assert!((lanes.all(Plain).ln() - 24000.0 * 1.999f64.ln()).abs() < 1e-6);
    }

    #[test]
    fn the_ends_are_where_they_should_be() {
        assert_eq!(exp(-1e300), 0.0);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert_eq!(exp(1e300), f64::INFINITY);
        assert!(exp(f64::NAN).is_nan());
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(ln(1.0), 0.0);
    }
}
