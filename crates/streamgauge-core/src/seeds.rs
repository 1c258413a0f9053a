//! Random draws that depend on a seed and an item number, not on chunks or threads.

use std::ops::Range;

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

/// How many of the ascending `bounds` are at most the draw of each item.
pub fn counts_at_most(seed: u64, items: Range<u64>, bounds: &[f64]) -> Vec<u8> {
    let (usual, rare) = bounds.split_at(bounds.len().min(4));
    let count = |bounds: &[f64], draw: f64| -> u8 {
        bounds.iter().map(|&bound| u8::from(bound <= draw)).sum()
    };
    // The first bounds without branches, which could not be predicted.
    items
        .map(|item| {
            let draw = uniform(seed, item);
            let found = count(usual, draw);
            if usize::from(found) < usual.len() { found } else { found + count(rare, draw) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{counts_at_most, uniform};

    #[test]
    fn bounds_are_counted_up_to_the_draw() {
        let bounds = [0.1, 0.3, 0.3, 0.4, 0.7, 0.9, 0.99];
        for few in 0..=bounds.len() {
            let found = counts_at_most(3, 5..505, &bounds[..few]);
            for (item, found) in (5..).zip(found) {
                let at_most = |bound: &&f64| **bound <= uniform(3, item);
                assert_eq!(usize::from(found), bounds[..few].iter().filter(at_most).count());
            }
        }
    }

    #[test]
    fn draws_are_uniform_and_repeatable() {
        let n = 100_000;
        let mean = (0..n).map(|i| uniform(7, i)).sum::<f64>() / n as f64;
        assert!((mean - 0.5).abs() < 0.005);
        assert_eq!(uniform(7, 3), uniform(7, 3));
        assert_ne!(uniform(7, 3), uniform(8, 3));
    }
}
