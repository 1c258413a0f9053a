//! Parameters of IBLStreams.

use crate::error::{Result, parameter};
use crate::kernels::math::exp;
use crate::parameters::Parameters;

/// Weight of a neighbour as a function of its distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    Equal,
    Inverse,
    Linear,
    Gaussian,
    Exponential,
}

/// The parameter that is adapted to the errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Adapt {
    Nothing,
    Neighbours,
    Width,
}

/// All parameters of IBLStreams.
#[derive(Debug, Clone)]
pub struct Settings {
    pub(super) k: usize,
    pub(super) k_least: usize,
    pub(super) k_most: usize,
    pub(super) kernel: Kernel,
    pub(super) width: f64,
    pub(super) adapt: Adapt,
    /// Whether numbers are predicted by a local linear fit; otherwise by the mean of the
    /// neighbours.
    pub(super) plane: bool,
    pub(super) cases: usize,
    pub(super) warm_start: usize,
}

impl Settings {
    /// Read from named parameters.
    pub fn read(from: &Parameters) -> Result<Self> {
        let kernel = match from.word("kernel")? {
            "equal" => Kernel::Equal,
            "inverse" => Kernel::Inverse,
            "linear" => Kernel::Linear,
            "gaussian" => Kernel::Gaussian,
            "exponential" => Kernel::Exponential,
            other => return Err(parameter("learner", "kernel", "that of a kernel", other)),
        };
        let adapt = match from.word("adapt")? {
            "nothing" => Adapt::Nothing,
            "k" => Adapt::Neighbours,
            "width" => Adapt::Width,
            other => return Err(parameter("learner", "adapt", "k, width or nothing", other)),
        };
        let k = from.whole("k")?.max(1);
        Ok(Self {
            k,
            k_least: from.whole("k_min")?.clamp(1, k),
            k_most: from.whole("k_max")?.max(k),
            kernel,
            width: from.real("width")?,
            adapt,
            plane: false,
            cases: from.whole("max_cases")?.max(1),
            warm_start: from.whole("warm_start")?,
        })
    }

    /// Read the parameters of regression, which has two prediction methods.
    pub fn read_for_numbers(from: &Parameters) -> Result<Self> {
        let plane = match from.word("pred_type")? {
            "mean" => false,
            "linear" => true,
            other => return Err(parameter("learner", "pred_type", "'mean' or 'linear'", other)),
        };
        Ok(Self { plane, ..Self::read(from)? })
    }
}

impl Kernel {
    /// Weights of neighbours at the given distances, nearest first and all above 0. The distances
    /// are divided by their sum; the largest weight is 1, except for
    /// `Linear`, where it is 1 at distance 0.
    pub(super) fn weights(self, distances: &[f64], width: f64) -> Vec<f64> {
        let sum: f64 = distances.iter().sum();
        let (first, last) = match (distances.first(), distances.last()) {
            (Some(&first), Some(&last)) if sum.is_finite() => (first / sum, last / sum),
            // The sum overflows: all weights are equal.
            _ => return vec![1.0; distances.len()],
        };
        let scale = 2.0 * width * width;
        let weight = |&distance: &f64| {
            let z = distance / sum;
            match self {
                Self::Equal => 1.0,
                Self::Inverse => first / z,
                Self::Linear => 0.001 + (1.0 - 0.001) * (last - z) / last,
                Self::Gaussian => exp((first * first - z * z) / scale),
                Self::Exponential => exp((first - z) / scale),
            }
        };
        distances.iter().map(weight).collect()
    }
}
