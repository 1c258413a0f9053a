//! Ensembles of Hoeffding trees.

pub(super) mod adaptive_random_forest;
pub(super) mod bagging;
mod increase_detector;
mod poisson;

pub use adaptive_random_forest::{AdaptiveRandomForest, AdaptiveRandomForestParameters};
pub use bagging::{Bagging, BaggingParameters};

use crate::NONE;

/// The class with the most votes; ties go to the first; `NONE` without votes.
#[inline(always)]
fn most_voted(votes: &[f64]) -> i32 {
    let (mut best, mut most) = (NONE, 0.0);
    for (class, &vote) in votes.iter().enumerate() {
        if vote > most {
            (best, most) = (class as i32, vote);
        }
    }
    best
}

/// Add the class shares of a tree, times its weight; an untrained tree adds nothing.
#[inline(always)]
fn add_votes(shares: &[f64], weight: f64, votes: &mut [f64]) {
    if !shares[0].is_nan() {
        votes.iter_mut().zip(shares).for_each(|(vote, share)| *vote += share * weight);
    }
}

/// Normalise votes to shares; NaN without votes.
fn normalise(votes: &mut [f64]) {
    let total: f64 = votes.iter().sum();
    votes.iter_mut().for_each(|vote| *vote /= total);
}

/// Whether the prediction is correct. No prediction counts as the first class, as in MOA.
#[inline(always)]
fn is_correct(prediction: i32, label: usize) -> bool {
    prediction.max(0) as usize == label
}
