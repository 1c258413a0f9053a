//! Eight numbers in two AVX2 registers.
#![cfg(target_arch = "x86_64")]

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics are their own prefix")]
use std::arch::x86_64::*;

use super::{Kernel, LANES, Simd};

/// Proof that this machine has AVX2: only `detect` makes one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The proof, if this machine has AVX2.
    #[inline(always)]
    pub(super) fn detect() -> Option<Self> {
        std::is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// Run a kernel compiled for it.
    #[inline(always)]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Out {
        #[target_feature(enable = "avx2")]
        fn compiled<K: Kernel>(kernel: K, s: Avx2) -> K::Out {
            kernel.run(s)
        }
        // SAFETY: `self` is proof that the machine has AVX2.
        unsafe { compiled(kernel, self) }
    }
}

/// Loaded from index 4 - n on: a mask of the first n of four lanes, for n from 0 to 4.
static MASKS: [i64; 8] = [-1, -1, -1, -1, 0, 0, 0, 0];

type V = [__m256d; 2];
type I = [__m256i; 2];

/// An intrinsic on both halves. A macro, since a closure would be a separate function, which the
/// compiler may compile without AVX2.
macro_rules! halves {
    ($op:path; $($v:ident),+) => {
        // SAFETY: `halves!` is used in methods of `Avx2` only, which is proof of AVX2.
        unsafe { [$op($($v[0]),+), $op($($v[1]),+)] }
    };
}

impl Simd for Avx2 {
    type V = V;
    type I = I;

    #[inline(always)]
    fn splat(self, x: f64) -> V {
        // SAFETY: `self` is proof of AVX2.
        [unsafe { _mm256_set1_pd(x) }; 2]
    }

    #[inline(always)]
    fn load(self, x: &[f64; LANES]) -> V {
        // SAFETY: `self` is proof of AVX2, and `x` has eight cells.
        unsafe { [_mm256_loadu_pd(x.as_ptr()), _mm256_loadu_pd(x.as_ptr().add(4))] }
    }

    #[inline(always)]
    fn load_part(self, x: &[f64]) -> V {
        let low = x.len().min(4);
        let high = (x.len() - low).min(4);
        // SAFETY: `self` is proof of AVX2. The masks read at 4 - n are n times -1, then 0: within
        // MASKS for n from 0 to 4. Cells that a mask leaves out are not touched, so the pointer may
        // be at the end of `x`.
        unsafe {
            let first = _mm256_loadu_si256(MASKS.as_ptr().add(4 - low).cast());
            let second = _mm256_loadu_si256(MASKS.as_ptr().add(4 - high).cast());
            [_mm256_maskload_pd(x.as_ptr(), first), _mm256_maskload_pd(x.as_ptr().add(low), second)]
        }
    }

    #[inline(always)]
    fn store(self, x: V, to: &mut [f64; LANES]) {
        // SAFETY: `self` is proof of AVX2, and `to` has eight cells.
        unsafe {
            _mm256_storeu_pd(to.as_mut_ptr(), x[0]);
            _mm256_storeu_pd(to.as_mut_ptr().add(4), x[1]);
        }
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        halves!(_mm256_add_pd; a, b)
    }

    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        halves!(_mm256_sub_pd; a, b)
    }

    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        halves!(_mm256_mul_pd; a, b)
    }

    #[inline(always)]
    fn div(self, a: V, b: V) -> V {
        halves!(_mm256_div_pd; a, b)
    }

    #[inline(always)]
    fn sqrt(self, x: V) -> V {
        halves!(_mm256_sqrt_pd; x)
    }

    #[inline(always)]
    fn lesser(self, a: V, b: V) -> V {
        halves!(_mm256_min_pd; a, b)
    }

    #[inline(always)]
    fn greater(self, a: V, b: V) -> V {
        halves!(_mm256_max_pd; a, b)
    }

    #[inline(always)]
    fn below(self, a: V, b: V, yes: V, no: V) -> V {
        let less = halves!(_mm256_cmp_pd::<_CMP_LT_OQ>; a, b);
        halves!(_mm256_blendv_pd; no, yes, less)
    }

    #[inline(always)]
    fn known(self, x: V, yes: V, no: V) -> V {
        let ordered = halves!(_mm256_cmp_pd::<_CMP_ORD_Q>; x, x);
        halves!(_mm256_blendv_pd; no, yes, ordered)
    }

    #[inline(always)]
    fn sum(self, x: V) -> f64 {
        // SAFETY: `self` is proof of AVX2.
        unsafe {
            let four = _mm256_add_pd(x[0], x[1]);
            let two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd::<1>(four));
            _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
        }
    }

    #[inline(always)]
    fn at_most(self, a: V, b: V) -> u32 {
        let not_above = halves!(_mm256_cmp_pd::<_CMP_LE_OQ>; a, b);
        let [low, high] = halves!(_mm256_movemask_pd; not_above);
        low as u32 | (high as u32) << 4
    }

    #[inline(always)]
    fn whole(self, x: i64) -> I {
        // SAFETY: `self` is proof of AVX2.
        [unsafe { _mm256_set1_epi64x(x) }; 2]
    }

    #[inline(always)]
    fn split(self, x: V, exponents: I) -> (V, I) {
        // SAFETY: `self` is proof of AVX2.
        let mask = unsafe { _mm256_castsi256_pd(_mm256_set1_epi64x(0x000f_ffff_ffff_ffff)) };
        let (masks, ones) = ([mask; 2], self.splat(1.0));
        let bare = halves!(_mm256_and_pd; x, masks);
        let whole = halves!(_mm256_castpd_si256; x);
        let shifted = halves!(_mm256_srli_epi64::<52>; whole);
        (halves!(_mm256_or_pd; bare, ones), halves!(_mm256_add_epi64; exponents, shifted))
    }

    #[inline(always)]
    fn store_whole(self, x: I, to: &mut [i64; LANES]) {
        // SAFETY: `self` is proof of AVX2, and `to` has eight cells.
        unsafe {
            _mm256_storeu_si256(to.as_mut_ptr().cast(), x[0]);
            _mm256_storeu_si256(to.as_mut_ptr().add(4).cast(), x[1]);
        }
    }

    #[inline(always)]
    fn parts(self, x: V) -> (V, V) {
        let (mantissa, whole) = self.split(x, self.whole(0));
        // A whole number below 2^52 in the low bits of 2^52 is the sum of both.
        let magic = self.splat(4_503_599_627_370_496.0);
        let whole = halves!(_mm256_castsi256_pd; whole);
        let sum = halves!(_mm256_or_pd; whole, magic);
        (mantissa, self.sub(sum, self.splat(4_503_599_627_370_496.0 + 1023.0)))
    }

    #[inline(always)]
    fn power(self, x: V) -> V {
        let (whole, bias) = (halves!(_mm256_castpd_si256; x), self.whole(1023));
        let biased = halves!(_mm256_add_epi64; whole, bias);
        let shifted = halves!(_mm256_slli_epi64::<52>; biased);
        halves!(_mm256_castsi256_pd; shifted)
    }
}
