//! Logarithms, exponentials and long products with identical results on every machine.
//! The platform's `ln` and `exp` differ between machines in the last bit; these use only additions,
//! multiplications and divisions and are the same everywhere.

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
    let k = f64::from(exponent as i32);
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

/// e to the `x`, within one unit in the last place; 0 on underflow, inf on overflow, NaN for NaN
/// (the rational form of FreeBSD's `e_exp.c`).
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    // Written so that NaN is passed on: a comparison with NaN is false.
    let x = if x < -746.0 { -746.0 } else { x };
    let x = if x > 710.0 { 710.0 } else { x };
    // Adding and subtracting 1.5 * 2^52 rounds to a whole number without a branch.
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
    // 2^k as two factors, so that subnormal results are correct.
    let k = shifted.to_bits().wrapping_sub(rounder.to_bits()) as i64;
    let half = k >> 1;
    y * power_of_two(half) * power_of_two(k - half)
}

#[inline(always)]
fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((k + BIAS) as u64) << 52)
}

/// A product of many positive normal numbers that can neither overflow nor underflow: `mantissa *
/// 2^exponent`. Its logarithm costs one logarithm.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Product {
    mantissa: f64,
    exponent: i64,
}

impl Product {
    /// The product of one number.
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

    /// The quotient of the two.
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

/// The mantissa in [1, 2) and the exponent of a number.
#[inline(always)]
fn split(x: f64) -> (f64, i64) {
    let bits = x.to_bits();
    (f64::from_bits(bits & MANTISSA | ONE), (bits >> 52) as i64 - BIAS)
}

/// Eight such products, one per lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Products<S: Simd> {
    mantissa: S::V,
    exponent: S::I,
    taken: usize,
}

impl<S: Simd> Products<S> {
    /// Eight products of no factors.
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
            self.normalize(s);
        }
    }

    #[inline(always)]
    fn normalize(&mut self, s: S) {
        (self.mantissa, self.exponent) = s.split(self.mantissa, self.exponent);
        self.taken += 1;
    }

    /// The product of all lanes.
    #[inline(always)]
    pub(crate) fn all(mut self, s: S) -> Product {
        self.normalize(s);
        let (mut m, mut e) = ([0.0; LANES], [0; LANES]);
        s.store(self.mantissa, &mut m);
        s.store_whole(self.exponent, &mut e);
        let mantissa = ((m[0] * m[4]) * (m[2] * m[6])) * ((m[1] * m[5]) * (m[3] * m[7]));
        let exponent = e.iter().sum::<i64>() - BIAS * (LANES * self.taken) as i64;
        let (mantissa, carry) = split(mantissa);
        Product { mantissa, exponent: exponent + carry }
    }
}

/// Eight products of many factors, one per lane, whose logarithms cost one logarithm each. Factors
/// are from 1 to 1e150.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Factors<S: Simd> {
    mantissa: S::V,
    exponent: S::V,
    /// A factor to be multiplied with the next one.
    pending: S::V,
    taken: usize,
}

impl<S: Simd> Factors<S> {
    /// Eight products of no factors.
    #[inline(always)]
    pub(crate) fn new(s: S) -> Self {
        let one = s.splat(1.0);
        Self { mantissa: one, exponent: s.splat(0.0), pending: one, taken: 0 }
    }

    /// Multiply each lane by a factor.
    #[inline(always)]
    pub(crate) fn take(&mut self, s: S, x: S::V) {
        self.taken += 1;
        if !self.taken.is_multiple_of(2) {
            self.pending = x;
            return;
        }
        self.fold(s, s.mul(self.pending, x));
        self.pending = s.splat(1.0);
        // Back to [1, 2) before 2^1024 is reached.
        if self.taken.is_multiple_of(1024) {
            let whole = self.mantissa;
            self.mantissa = s.splat(1.0);
            self.fold(s, whole);
        }
    }

    #[inline(always)]
    fn fold(&mut self, s: S, x: S::V) {
        let (mantissa, exponent) = s.parts(x);
        self.mantissa = s.mul(self.mantissa, mantissa);
        self.exponent = s.add(self.exponent, exponent);
    }

    /// The natural logarithms of the products.
    #[inline(always)]
    pub(crate) fn logs(mut self, s: S) -> S::V {
        self.fold(s, self.pending);
        let bits = s.add(log2s(s, self.mantissa), self.exponent);
        s.mul(bits, s.splat(std::f64::consts::LN_2))
    }
}

/// Logarithms to base 2 of positive normal numbers, within two units in the last place; -1023
/// for 0.
#[inline(always)]
pub(crate) fn log2s<S: Simd>(s: S, x: S::V) -> S::V {
    let (m, k) = s.parts(x);
    // Around 1: m in (sqrt 1/2, sqrt 2].
    let root = s.splat(std::f64::consts::SQRT_2);
    let k = s.below(root, m, s.add(k, s.splat(1.0)), k);
    let m = s.below(root, m, s.mul(m, s.splat(0.5)), m);
    let f = s.sub(m, s.splat(1.0));
    let q = s.div(f, s.add(s.splat(2.0), f));
    let z = s.mul(q, q);
    let w = s.mul(z, z);
    let even = polynomial(
        s,
        w,
        [1.531_383_769_920_937_3e-1, 2.222_219_843_214_978_4e-1, 3.999_999_999_940_942e-1, 0.0],
    );
    let odd = polynomial(
        s,
        w,
        [
            1.479_819_860_511_658_6e-1,
            1.818_357_216_161_805e-1,
            2.857_142_874_366_239e-1,
            6.666_666_666_666_735e-1,
        ],
    );
    let tail = s.add(even, s.mul(z, odd));
    let half = s.mul(s.mul(s.splat(0.5), f), f);
    let ln = s.sub(f, s.sub(half, s.mul(q, s.add(half, tail))));
    s.add(k, s.mul(ln, s.splat(std::f64::consts::LOG2_E)))
}

/// e to the `x` for x from -700 to 700, within two units in the last place.
#[inline(always)]
pub(crate) fn exps<S: Simd>(s: S, x: S::V) -> S::V {
    let rounder = s.splat(6_755_399_441_055_744.0);
    let shifted = s.add(s.mul(x, s.splat(std::f64::consts::LOG2_E)), rounder);
    let k = s.sub(shifted, rounder);
    let (hi, lo) = (s.sub(x, s.mul(k, s.splat(LN2_HI))), s.mul(k, s.splat(LN2_LO)));
    let r = s.sub(hi, lo);
    let t = s.mul(r, r);
    let series = polynomial(
        s,
        t,
        [
            4.138_136_797_057_238_5e-8,
            -1.653_390_220_546_525_2e-6,
            6.613_756_321_437_934e-5,
            -2.777_777_777_701_559_3e-3,
            1.666_666_666_666_660_2e-1,
        ],
    );
    let c = s.sub(r, s.mul(t, series));
    let ratio = s.div(s.mul(r, c), s.sub(s.splat(2.0), c));
    let y = s.sub(s.splat(1.0), s.sub(s.sub(lo, ratio), hi));
    s.mul(y, s.power(shifted))
}

/// The distribution function of the standard normal at `z`, with an absolute error below 2e-15 and
/// a relative error below 1e-5 for any `z`; `halved` is z² / 2 (Hart's rational form, whose tail
/// has the right limit).
#[inline(always)]
pub(crate) fn normals<S: Simd>(s: S, z: S::V, halved: S::V) -> S::V {
    // The result is constant above 40, and larger powers would overflow.
    let x = s.lesser(s.greater(z, s.sub(s.splat(0.0), z)), s.splat(40.0));
    let above = polynomial(
        s,
        x,
        [
            3.526_249_659_989_11e-2,
            0.700_383_064_443_688,
            6.373_962_203_531_65,
            33.912_866_078_383,
            112.079_291_497_871,
            221.213_596_169_931,
            220.206_867_912_376,
        ],
    );
    let below = polynomial(
        s,
        x,
        [
            8.838_834_764_831_84e-2,
            1.755_667_163_182_64,
            16.064_177_579_207,
            86.780_732_202_946_1,
            296.564_248_779_674,
            637.333_633_378_831,
            793.826_512_519_948,
            440.413_735_824_752,
        ],
    );
    let least = s.greater(s.sub(s.splat(0.0), halved), s.splat(-700.0));
    let tail = s.div(s.mul(exps(s, least), above), below);
    s.below(s.splat(0.0), z, s.sub(s.splat(1.0), tail), tail)
}

/// A polynomial by Horner's rule, the highest power first.
#[inline(always)]
fn polynomial<S: Simd, const N: usize>(s: S, x: S::V, terms: [f64; N]) -> S::V {
    let mut sum = s.splat(terms[0]);
    for term in &terms[1..] {
        sum = s.add(s.mul(sum, x), s.splat(*term));
    }
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{LANES, Product, Products, exp, exps, ln, log2s, normals};
    use crate::kernels::Plain;

    /// Values of the standard normal distribution function, to 17 digits.
    const NORMAL: [(f64, f64); 13] = [
        (-30.0, 4.906713927148187e-198),
        (-12.0, 1.776482112077679e-33),
        (-7.1, 6.237844463331591e-13),
        (-7.0, 1.279812543885835e-12),
        (-5.5, 1.8989562465887718e-08),
        (-3.0, 0.0013498980316300946),
        (-1.0, 0.15865525393145705),
        (-0.1, 0.460172162722971),
        (0.0, 0.5),
        (0.25, 0.5987063256829237),
        (1.5, 0.9331927987311419),
        (4.0, 0.9999683287581669),
        (8.0, 0.9999999999999993),
    ];

    #[test]
    fn normal_probabilities_equal_reference_values() {
        for (z, expected) in NORMAL {
            let value = normals(Plain, [z; LANES], [0.5 * z * z; LANES])[0];
            assert!((value - expected).abs() < 2e-15, "{z}: {value} and {expected}");
            assert!((value - expected).abs() < 1e-5 * expected, "{z}: {value} and {expected}");
        }
        for (z, expected) in [(f64::MAX, 1.0), (f64::INFINITY, 1.0), (f64::MIN, 0.0)] {
            let value = normals(Plain, [z; LANES], [f64::INFINITY; LANES])[0];
            assert!((value - expected).abs() < 1e-300);
        }
    }

    proptest! {
        #[test]
        fn logarithms_in_lanes_equal_those_of_the_platform(x in 1e-300f64..1e300, y in 0.5f64..2.0) {
            for x in [x, y] {
                let (value, expected) = (log2s(Plain, [x; LANES])[0], x.log2());
                prop_assert!((value - expected).abs() <= 4.0 * f64::EPSILON * expected.abs().max(1e-3));
            }
        }

        #[test]
        fn exponentials_in_lanes_equal_those_of_the_platform(x in -700.0f64..700.0) {
            let (value, expected) = (exps(Plain, [x; LANES])[0], x.exp());
            prop_assert!((value - expected).abs() <= 4.0 * f64::EPSILON * expected);
        }

        #[test]
        fn the_logarithm_is_within_two_units_of_the_platform(x in 1e-300f64..1e300) {
            let expected = x.ln();
            prop_assert!((ln(x) - expected).abs() <= 2.0 * f64::EPSILON * expected.abs().max(1e-3));
        }

        #[test]
        fn the_exponential_is_within_two_units_of_the_platform(x in -745.0f64..709.0) {
            let expected = x.exp();
            prop_assert!((exp(x) - expected).abs() <= 2.0 * f64::EPSILON * expected + 1e-323);
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
            let expected: f64 = xs.iter().map(|x| x.ln()).sum();
            prop_assert!((lanes.all(Plain).ln() - expected).abs() < 1e-9);
            prop_assert!((plain.ln() - expected).abs() < 1e-9);
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
    fn extreme_arguments_give_the_limits() {
        assert_eq!(exp(-1e300), 0.0);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert_eq!(exp(1e300), f64::INFINITY);
        assert!(exp(f64::NAN).is_nan());
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(ln(1.0), 0.0);
    }
}
