//! The normal distribution function of Cephes, as used in MOA: the same terms in the same order.
//!
//! It gives the class weights that branches inherit at a split. These weights determine when a
//! leaf attempts to split, and a difference in the last bit can shift that by an item.

/// Probability that a standard normal variable is at most `a`.
pub(super) fn normal_probability(a: f64) -> f64 {
    let x = a * std::f64::consts::FRAC_1_SQRT_2;
    let z = x.abs();
    if z < std::f64::consts::FRAC_1_SQRT_2 {
        return 0.5 + 0.5 * error_function(x);
    }
    let y = 0.5 * complement(z);
    if x > 0.0 { 1.0 - y } else { y }
}

fn error_function(x: f64) -> f64 {
    if x.abs() > 1.0 {
        return 1.0 - complement(x);
    }
    let z = x * x;
    x * horner(z, &T) / horner(z, &U)
}

fn complement(a: f64) -> f64 {
    let x = a.abs();
    if x < 1.0 {
        return 1.0 - error_function(a);
    }
    let z = -a * a;
    if z < -MAX_LOG {
        return if a < 0.0 { 2.0 } else { 0.0 };
    }
    let (above, below) = if x < 8.0 { (&P[..], &Q[..]) } else { (&R[..], &S[..]) };
    let y = exp(z) * horner(x, above) / horner(x, below);
    if a < 0.0 { 2.0 - y } else { y }
}

/// e to the `x` for `x` from -745 to 709, correctly rounded except in rare cases, by double-double
/// arithmetic.
pub(super) fn exp(x: f64) -> f64 {
    let k = (x * std::f64::consts::LOG2_E).round();
    let r = add(add(DoubleDouble(x, 0.0), product(-k, LN2.0)), product(-k, LN2.1));
    let mut sum = DoubleDouble(1.0, 0.0);
    // 1 + r (1 + r/2 (1 + r/3 (…))), from the innermost term.
    for n in (1..=26).rev() {
        sum = add(over(times(sum, r), f64::from(n)), DoubleDouble(1.0, 0.0));
    }
    let half = (k * 0.5).floor();
    (sum.0 + sum.1) * power_of_two(half) * power_of_two(k - half)
}

fn power_of_two(k: f64) -> f64 {
    f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

/// A double-double: the sum of two numbers, the second below the rounding error of the first.
#[derive(Clone, Copy)]
struct DoubleDouble(f64, f64);

fn renormalised(a: f64, b: f64) -> DoubleDouble {
    let sum = a + b;
    DoubleDouble(sum, b - (sum - a))
}

fn add(a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let sum = a.0 + b.0;
    let back = sum - a.0;
    let error = (a.0 - (sum - back)) + (b.0 - back);
    renormalised(sum, error + a.1 + b.1)
}

/// The exact product, by Dekker's splitting into halves of 26 bits.
fn product(a: f64, b: f64) -> DoubleDouble {
    let halves = |x: f64| {
        let far = x * 134_217_729.0;
        let high = far - (far - x);
        (high, x - high)
    };
    let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
    let whole = a * b;
    DoubleDouble(whole, ((a1 * b1 - whole) + a1 * b2 + a2 * b1) + a2 * b2)
}

fn times(a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let DoubleDouble(whole, rest) = product(a.0, b.0);
    renormalised(whole, rest + (a.0 * b.1 + a.1 * b.0))
}

fn over(a: DoubleDouble, n: f64) -> DoubleDouble {
    let quotient = a.0 / n;
    let DoubleDouble(whole, rest) = product(quotient, n);
    renormalised(quotient, ((a.0 - whole) - rest + a.1) / n)
}

fn horner(x: f64, terms: &[f64]) -> f64 {
    terms[1..].iter().fold(terms[0], |sum, term| sum * x + term)
}

const LN2: DoubleDouble = DoubleDouble(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
const MAX_LOG: f64 = 7.097_827_128_933_84e2;
const P: [f64; 9] = [
    2.461_969_814_735_305e-10,
    0.564_189_564_831_068_9,
    7.463_210_564_422_699,
    48.637_197_098_568_14,
    196.520_832_956_077_1,
    526.445_194_995_477_3,
    934.528_527_171_957_6,
    1_027.551_886_895_157_2,
    557.535_335_369_399_4,
];
const Q: [f64; 9] = [
    1.0,
    13.228_195_115_474_499,
    86.707_214_088_598_97,
    354.937_778_887_819_9,
    975.708_501_743_205_5,
    1_823.909_166_879_097_3,
    2_246.337_608_187_109_7,
    1_656.663_091_941_613_4,
    557.535_340_817_727_7,
];
const R: [f64; 6] = [
    0.564_189_583_547_755_1,
    1.275_366_707_599_781,
    5.019_050_422_511_805,
    6.160_210_979_930_536,
    7.409_742_699_504_489_5,
    2.978_866_653_721_002_2,
];
const S: [f64; 7] = [
    1.0,
    2.260_528_632_201_172_6,
    9.396_035_249_380_015,
    12.048_953_980_809_666,
    17.081_445_074_756_59,
    9.608_968_090_632_859,
    3.369_076_451_000_815,
];
const T: [f64; 5] = [
    9.604_973_739_870_516,
    90.026_019_720_384_27,
    2_232.005_345_946_843,
    7_003.325_141_128_051,
    55_592.301_301_039_49,
];
const U: [f64; 6] = [
    1.0,
    33.561_714_164_750_31,
    521.357_949_780_152_7,
    4_594.323_829_709_801,
    22_629.000_061_389_095,
    49_267.394_260_863_59,
];

#[cfg(test)]
mod tests {
    use super::{exp, normal_probability};
    use crate::kernels::math::normals;
    use crate::kernels::{LANES, Plain};

    #[test]
    fn the_distribution_equals_that_of_the_split_search() {
        for i in -900..900 {
            let z = f64::from(i) / 100.0 + 0.001;
            let expected = normals(Plain, [z; LANES], [0.5 * z * z; LANES])[0];
            assert!((normal_probability(z) - expected).abs() < 2e-15, "{z}");
        }
    }

    #[test]
    fn the_exponential_is_correctly_rounded() {
        for (x, expected) in [
            (-700.25, 7.678723813110872e-305),
            (-100.1, 3.3660639410403144e-44),
            (-20.3, 1.5269401591266087e-09),
            (-5.7, 0.003345965457471272),
            (-1.0, 0.36787944117144233),
            (-0.3333, 0.7165551953488858),
            (-0.001, 0.999000499833375),
            (0.0, 1.0),
            (0.7, 2.0137527074704766),
            (1.0, std::f64::consts::E),
            (12.34, 228661.9520568098),
            (650.5, 3.2252284201050854e+282),
        ] {
            assert_eq!(exp(x), expected, "{x}");
        }
    }
}
