//! Synthetic streams. One file each; the Python class of the same name states whose definition it is.
//! The items of a generator depend only on its parameters and seeds, not on how many are generated
//! at a time. What is drawn once (a tree, centroids, a plane) has its own seed, so that a concept
//! can be kept while the items change.

mod agrawal;
mod balance;
mod draws;
mod friedman;
mod hyper_distance;
mod hyperplane;
mod led;
mod mixed;
mod plane;
mod ramp;
mod random_rbf;
mod random_tree;
mod sea;
mod sine;
mod stagger;
mod waveform;

pub use agrawal::Agrawal;
pub use friedman::Friedman;
pub use hyper_distance::{Distance, HyperDistance};
pub use hyperplane::Hyperplane;
pub use led::Led;
pub use mixed::Mixed;
pub use plane::Motion;
pub use ramp::{Ramp, sigmoid};
pub use random_rbf::{Centroids, RandomRbf};
pub use random_tree::{RandomTree, TreeShape};
pub use sea::Sea;
pub use sine::Sine;
pub use stagger::Stagger;
pub use waveform::Waveform;

use crate::error::parameter;
use crate::{Error, Result};

/// An endless source of labelled items.
/// `fill` is compiled for every generator, so that there is one dynamic call per chunk.
pub trait Generator: Send + Sync {
    /// A class code (`i32`) or a real (`f64`).
    type Label: Copy + Default;

    /// Features per item.
    fn width(&self) -> usize;

    /// Write the features of the next item to `row` and return its label.
    fn item(&mut self, row: &mut [f64]) -> Self::Label;

    /// Generate the next `labels.len()` items, in row-major order.
    fn fill(&mut self, rows: &mut [f64], labels: &mut [Self::Label]) -> Result<()> {
        let width = self.width();
        if rows.len() != labels.len() * width {
            return Err(Error::Length {
                what: "rows",
                expected: labels.len(),
                got: rows.len() / width.max(1),
            });
        }
        for (row, label) in rows.chunks_exact_mut(width.max(1)).zip(labels) {
            *label = self.item(row);
        }
        Ok(())
    }
}

/// The number of a concept, counted from 1 as in the papers.
fn function(who: &'static str, given: usize, last: usize) -> Result<usize> {
    if (1..=last).contains(&given) {
        Ok(given)
    } else {
        Err(parameter(who, "function", format!("from 1 to {last}"), given))
    }
}

/// A probability.
fn probability(who: &'static str, what: &'static str, given: f64) -> Result<f64> {
    if (0.0..=1.0).contains(&given) {
        Ok(given)
    } else {
        Err(parameter(who, what, "from 0 to 1", given))
    }
}

/// A count of at least `least`.
fn at_least(who: &'static str, what: &'static str, given: usize, least: usize) -> Result<usize> {
    if given >= least {
        Ok(given)
    } else {
        Err(parameter(who, what, format!("at least {least}"), given))
    }
}

/// A count of at most `most`.
fn at_most(who: &'static str, what: &'static str, given: usize, most: usize) -> Result<usize> {
    if given <= most {
        Ok(given)
    } else {
        Err(parameter(who, what, format!("at most {most}"), given))
    }
}

/// A size: finite, at least 0.
fn size(who: &'static str, what: &'static str, given: f64) -> Result<f64> {
    if given.is_finite() && given >= 0.0 {
        Ok(given)
    } else {
        Err(parameter(who, what, "finite and at least 0", given))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generate(mut source: impl Generator<Label = i32>, cuts: &[usize]) -> Result<Vec<f64>> {
        let mut all = Vec::new();
        for &n in cuts {
            let mut rows = vec![0.0; n * source.width()];
            let mut labels = vec![0; n];
            source.fill(&mut rows, &mut labels)?;
            all.push((rows, labels));
        }
        let (rows, labels): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        Ok(rows.concat().into_iter().chain(labels.concat().into_iter().map(f64::from)).collect())
    }

    #[test]
    fn items_do_not_depend_on_the_chunking() -> Result<()> {
        let sea = || Sea::new(2, 0.1, true, None, 5);
        assert_eq!(generate(sea()?, &[100])?, generate(sea()?, &[1, 30, 0, 69])?);
        let shape = TreeShape::default();
        let tree = || RandomTree::new(shape, 1, 5);
        assert_eq!(generate(tree()?, &[100])?, generate(tree()?, &[7, 93])?);
        Ok(())
    }

    #[test]
    fn seeds_differ() -> Result<()> {
        let sea = |seed| Sea::new(1, 0.0, false, None, seed);
        assert_ne!(generate(sea(1)?, &[10])?, generate(sea(2)?, &[10])?);
        Ok(())
    }

    #[test]
    fn a_wrong_number_of_rows_is_refused() -> Result<()> {
        let mut sea = Sea::new(1, 0.0, false, None, 1)?;
        assert!(sea.fill(&mut [0.0; 5], &mut [0; 2]).is_err());
        Ok(())
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(Sea::new(0, 0.0, false, None, 1).is_err());
        assert!(Sea::new(5, 0.0, false, None, 1).is_err());
        assert!(Sea::new(1, f64::NAN, false, None, 1).is_err());
        assert!(Led::new(0.1, true, 8, 1).is_err());
        assert!(Led::new(0.1, false, 1, 1).is_err());
        assert!(Friedman::new([0, 1, 2, 3, 10], 0, 1.0, 1).is_err());
    }
}
