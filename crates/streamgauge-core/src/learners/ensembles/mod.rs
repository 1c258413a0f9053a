//! Ensembles of Hoeffding trees.

mod adaptive_random_forest;
mod bagging;
mod poisson;
mod rising;

pub use adaptive_random_forest::{AdaptiveRandomForest, Forest};
pub use bagging::{Bagging, Bags};

use crate::NONE;

/// The class of the most votes, of equals the first; `NONE` without votes.
#[inline(always)]
fn elected(votes: &[f64]) -> i32 {
    let (mut best, mut most) = (NONE, 0.0);
    for (class, &vote) in votes.iter().enumerate() {
        if vote > most {
            (best, most) = (class as i32, vote);
        }
    }
    best
}

/// Add what a tree votes, times its voice; a tree that knows nothing does not vote.
#[inline(always)]
fn hear(shares: &[f64], voice: f64, votes: &mut [f64]) {
    if !shares[0].is_nan() {
        votes.iter_mut().zip(shares).for_each(|(vote, share)| *vote += share * voice);
    }
}

/// Votes as shares; NaN without votes.
fn share_out(votes: &mut [f64]) {
    let total: f64 = votes.iter().sum();
    votes.iter_mut().for_each(|vote| *vote /= total);
}

/// Was the label said? A tree that knows nothing says the first class, as in MOA.
#[inline(always)]
fn right(said: i32, label: usize) -> bool {
    said.max(0) as usize == label
}
