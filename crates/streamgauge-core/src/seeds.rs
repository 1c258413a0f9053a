//! Random draws that depend on a seed and an item number, not on chunks or threads.

/// Mix a counter into a well-spread 64-bit word (the finaliser of splitmix64).
#[inline]
pub fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A draw that depends on (seed, item) alone: uniform in [0, 1).
#[inline]
pub fn uniform(seed: u64, item: u64) -> f64 {
    (mix(mix(seed) ^ item) >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::uniform;

    #[test]
    fn draws_are_uniform_and_repeatable() {
        let n = 100_000;
        let mean = (0..n).map(|i| uniform(7, i)).sum::<f64>() / n as f64;
        assert!((mean - 0.5).abs() < 0.005);
        assert_eq!(uniform(7, 3), uniform(7, 3));
        assert_ne!(uniform(7, 3), uniform(8, 3));
    }
}
