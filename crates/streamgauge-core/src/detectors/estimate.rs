//! Running estimates of the error: over all losses, over the last ones, or fading.

use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer, refused};

/// A running mean of losses.
#[derive(Debug, Clone)]
pub enum Estimate {
    /// Mean of all losses.
    Whole {
        /// Sum of the losses.
        sum: f64,
        /// Number of losses.
        count: f64,
    },
    /// Mean of the last losses; of all while there are fewer.
    Sliding(Last),
    /// Each loss weighs `factor` times as much as the next.
    Fading {
        /// Above 0 and at most 1.
        factor: f64,
        /// Faded sum of the losses.
        sum: f64,
        /// Faded count.
        count: f64,
    },
}

/// The last `size` losses. Floating-point sums are never subtracted from: older losses are stored
/// in `front` as suffix sums, newer ones in `back` together with their sum.
#[derive(Debug, Clone)]
pub struct Last {
    size: usize,
    front: Vec<f64>,
    back: Vec<f64>,
    sum: f64,
}

impl Estimate {
    /// From the name and parameter of a window: whole, sliding or fading.
    pub fn new(kind: &str, with: f64) -> Result<Self> {
        match kind {
            "whole" => Ok(Self::Whole { sum: 0.0, count: 0.0 }),
            "sliding" if with >= 1.0 => Ok(Self::Sliding(Last {
                size: with as usize,
                front: Vec::new(),
                back: Vec::new(),
                sum: 0.0,
            })),
            "fading" if with > 0.0 && with <= 1.0 => {
                Ok(Self::Fading { factor: with, sum: 0.0, count: 0.0 })
            }
            _ => {
                let got = format!("{kind}({with})");
                Err(parameter("detector", "window", "whole, sliding or fading", got))
            }
        }
    }

    /// Add a loss and return the updated estimate.
    #[inline(always)]
    pub fn push(&mut self, loss: f64) -> f64 {
        match self {
            Self::Whole { sum, count } => {
                *sum += loss;
                *count += 1.0;
                *sum / *count
            }
            Self::Sliding(last) => last.push(loss),
            Self::Fading { factor, sum, count } => {
                *sum = loss + *factor * *sum;
                *count = 1.0 + *factor * *count;
                *sum / *count
            }
        }
    }

    /// Forget every loss.
    pub fn reset(&mut self) {
        match self {
            Self::Whole { sum, count } | Self::Fading { sum, count, .. } => {
                (*sum, *count) = (0.0, 0.0);
            }
            Self::Sliding(last) => {
                last.front.clear();
                last.back.clear();
                last.sum = 0.0;
            }
        }
    }

    /// Bytes held besides the struct itself.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Sliding(last) => {
                size_of::<f64>() * (last.front.capacity() + last.back.capacity())
            }
            _ => 0,
        }
    }

    /// Write the full state.
    pub fn save(&self, out: &mut Writer) {
        match self {
            Self::Whole { sum, count } | Self::Fading { sum, count, .. } => {
                out.reals(&[*sum, *count]);
            }
            Self::Sliding(last) => {
                write_counted(out, &last.front);
                write_counted(out, &last.back);
                out.real(last.sum);
            }
        }
    }

    /// Restore the state written by an equal estimate.
    pub fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        match self {
            Self::Whole { sum, count } | Self::Fading { sum, count, .. } => {
                *sum = from.real()?;
                *count = from.real()?;
            }
            Self::Sliding(last) => {
                last.front = read_counted(from)?;
                last.back = read_counted(from)?;
                last.sum = from.real()?;
                if last.front.len() + last.back.len() > last.size {
                    return Err(refused("of this window", "more losses than it holds"));
                }
            }
        }
        Ok(())
    }
}

impl Last {
    #[inline(always)]
    fn push(&mut self, loss: f64) -> f64 {
        self.back.push(loss);
        self.sum += loss;
        if self.front.len() + self.back.len() > self.size {
            if self.front.is_empty() {
                self.move_to_front();
            }
            self.front.pop();
        }
        let older = self.front.last().copied().unwrap_or(0.0);
        (older + self.sum) / (self.front.len() + self.back.len()) as f64
    }

    /// Move `back` to `front` as suffix sums, the oldest last.
    #[cold]
    fn move_to_front(&mut self) {
        let mut sum = 0.0;
        self.front.reserve_exact(self.back.len());
        for loss in self.back.drain(..).rev() {
            sum += loss;
            self.front.push(sum);
        }
        self.sum = 0.0;
    }
}

/// Write numbers preceded by their count.
pub(super) fn write_counted(out: &mut Writer, numbers: &[f64]) {
    out.whole(numbers.len() as u64);
    out.reals(numbers);
}

/// Read numbers preceded by their count; they must be finite.
pub(super) fn read_counted(from: &mut Reader<'_>) -> Result<Vec<f64>> {
    let count = from.count(1)?;
    let numbers: Vec<f64> = (0..count).map(|_| from.real()).collect::<Result<_>>()?;
    if numbers.iter().all(|x| x.is_finite()) {
        return Ok(numbers);
    }
    Err(refused("of finite losses", "NaN or infinity"))
}
