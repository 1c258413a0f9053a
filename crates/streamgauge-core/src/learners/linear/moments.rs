//! Running means and squared deviations of columns, eight at a time.

use super::bounded_lanes;
use crate::kernels::{F8, LANES, Simd, groups};
use crate::learners::memory::held;
use crate::learners::{Reader, Writer};

/// Load eight cells; fewer are padded with 0.
#[inline(always)]
pub(crate) fn load_cells<S: Simd>(s: S, cells: &[f64]) -> S::V {
    cells.first_chunk().map_or_else(|| s.load_part(cells), |whole| s.load(whole))
}

/// Weight, mean and squared deviations of each column. Missing cells are ignored.
#[derive(Debug, Clone)]
pub(crate) struct Moments {
    pub(crate) weights: Vec<F8>,
    pub(crate) means: Vec<F8>,
    /// Sums of squared deviations from the mean.
    pub(crate) squares: Vec<F8>,
}

impl Moments {
    pub(crate) fn new(width: usize) -> Self {
        let zeros = vec![F8::ZERO; groups(width)];
        Self { weights: zeros.clone(), means: zeros.clone(), squares: zeros }
    }

    /// Update with the cells of a group; returns its weights and squares.
    #[inline(always)]
    pub(crate) fn learn_group<S: Simd>(
        &mut self,
        s: S,
        g: usize,
        cells: S::V,
        weight: S::V,
    ) -> (S::V, S::V) {
        let (none, mean) = (s.splat(0.0), s.load(&self.means[g].0));
        let weight = s.known(cells, weight, none);
        let total = s.add(s.load(&self.weights[g].0), weight);
        let share = s.known(cells, s.div(weight, total), none);
        let x = s.known(cells, bounded_lanes(s, cells), mean);
        let moved = s.add(mean, s.mul(share, s.sub(x, mean)));
        let more = s.mul(s.mul(weight, s.sub(x, mean)), s.sub(x, moved));
        let squares = s.add(s.load(&self.squares[g].0), more);
        s.store(total, &mut self.weights[g].0);
        s.store(moved, &mut self.means[g].0);
        s.store(squares, &mut self.squares[g].0);
        (total, squares)
    }

    /// Update with a row.
    #[inline(always)]
    pub(crate) fn learn<S: Simd>(&mut self, s: S, row: &[f64], weight: f64) {
        let weight = s.splat(weight);
        for (g, cells) in row.chunks(LANES).enumerate() {
            self.learn_group(s, g, load_cells(s, cells), weight);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.weights) + held(&self.means) + held(&self.squares)
    }

    pub(crate) fn save(&self, out: &mut Writer) {
        for column in [&self.weights, &self.means, &self.squares] {
            column.iter().for_each(|eight| out.reals(&eight.0));
        }
    }

    pub(crate) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        for column in [&mut self.weights, &mut self.means, &mut self.squares] {
            column.iter_mut().try_for_each(|eight| from.reals(&mut eight.0))?;
        }
        Ok(())
    }
}
