//! Block bootstrap: a series of dependent values, resampled in blocks that keep their order.

use crate::error::{Result, parameter};
use crate::kernels::math::ln;
use crate::seeds::{mix, uniform};

/// How blocks are cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Blocks {
    /// Of fixed length, inside the series (Künsch 1989).
    Moving(u64),
    /// Of fixed length, on the series as a circle (Politis and Romano 1992).
    Circular(u64),
    /// Of geometric length with this mean, on a circle (Politis and Romano 1994).
    Stationary(f64),
}

/// The means of `draws` resampled series. Each depends only on the seed and its index.
pub fn resampled_means(values: &[f64], blocks: Blocks, draws: u64, seed: u64) -> Result<Vec<f64>> {
    let n = values.len();
    let legal = match blocks {
        Blocks::Moving(length) | Blocks::Circular(length) => length >= 1 && length <= n as u64,
        Blocks::Stationary(mean) => mean >= 1.0,
    };
    if n > 0 && !legal {
        let (must, got) = match blocks {
            Blocks::Moving(b) | Blocks::Circular(b) => {
                ("from 1 to the length of the series", b as f64)
            }
            Blocks::Stationary(b) => ("at least 1", b),
        };
        return Err(parameter("block_bootstrap", "block", must, got));
    }
    if n == 0 {
        return Ok(vec![f64::NAN; draws as usize]);
    }
    let mut upto = Vec::with_capacity(n + 1);
    let mut total = 0.0;
    upto.push(0.0);
    for value in values {
        total += value;
        upto.push(total);
    }
    // the sum of `length` values from `start` on, around the circle; length is at most n
    let run = |start: usize, length: usize| {
        let end = start + length;
        if end <= n { upto[end] - upto[start] } else { total - upto[start] + upto[end - n] }
    };
    Ok((0..draws)
        .map(|draw| {
            let own = mix(mix(seed) ^ draw);
            let (mut taken, mut sum, mut turn) = (0, 0.0, 0);
            while taken < n {
                let (u, v) = (uniform(own, 2 * turn), uniform(own, 2 * turn + 1));
                turn += 1;
                let (starts, length) = match blocks {
                    Blocks::Moving(length) => (n - length as usize + 1, length as usize),
                    Blocks::Circular(length) => (n, length as usize),
                    Blocks::Stationary(mean) if mean > 1.0 => {
                        let more = ln(1.0 - v) / ln(1.0 - 1.0 / mean);
                        (n, 1 + more.min(n as f64) as usize)
                    }
                    Blocks::Stationary(_) => (n, 1),
                };
                let start = ((u * starts as f64) as usize).min(starts - 1);
                let length = length.min(n - taken);
                sum += run(start, length);
                taken += length;
            }
            sum / n as f64
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_block_of_the_full_length_is_the_series_itself() -> Result<()> {
        let values = [1.0, 2.0, 6.0];
        assert_eq!(resampled_means(&values, Blocks::Moving(3), 4, 0)?, vec![3.0; 4]);
        assert_eq!(resampled_means(&values, Blocks::Circular(3), 4, 0)?, vec![3.0; 4]);
        assert!(resampled_means(&values, Blocks::Moving(4), 4, 0).is_err());
        assert!(resampled_means(&[], Blocks::Moving(4), 2, 0)?.iter().all(|m| m.is_nan()));
        Ok(())
    }

    #[test]
    fn blocks_of_length_one_have_the_variance_of_an_independent_sample() -> Result<()> {
        let values: Vec<f64> = (0..400).map(|i| uniform(3, i)).collect();
        for blocks in [Blocks::Moving(1), Blocks::Circular(1), Blocks::Stationary(1.0)] {
            let means = resampled_means(&values, blocks, 4000, 1)?;
            let mean = means.iter().sum::<f64>() / 4000.0;
            let variance = means.iter().map(|m| (m - mean) * (m - mean)).sum::<f64>() / 4000.0;
            assert!((variance * 400.0 * 12.0 - 1.0).abs() < 0.1, "{variance}");
        }
        Ok(())
    }
}
