//! The arrays of statistics: a block per leaf and class, and a table of nominal counts per leaf.
//!
//! A block stores its numeric columns side by side, in groups of eight: means and steepness, which
//! scoring reads, and spreads, which learning and the search for splits read. A table is
//! value-major with the classes side by side, so that an item is scored for eight classes at once.

use super::layout::TreeLayout;
use super::leaves::Leaves;
use super::nodes::{grow, shrink};
use crate::kernels::{F8, LANES};
use crate::learners::gaussian_group::GaussianGroup;
use crate::learners::memory::held;

/// Index of no block or table.
pub(super) const NOTHING: u32 = u32::MAX;

/// The statistics of eight columns that scoring does not read.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Spread {
    /// Sums of squared deviations from the mean.
    pub(super) squares: F8,
    pub(super) lowest: F8,
    pub(super) highest: F8,
}

impl Spread {
    pub(super) const NONE: Self = Self {
        squares: F8::ZERO,
        lowest: F8([f64::INFINITY; LANES]),
        highest: F8([f64::NEG_INFINITY; LANES]),
    };
}

/// The columns of a leaf: numeric columns, and indices of nominal ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Picks<'a> {
    pub(super) numeric: &'a [u32],
    pub(super) nominal: &'a [u32],
}

#[derive(Debug, Clone, Default)]
pub(super) struct Statistics {
    pub(super) gaussians: Vec<GaussianGroup>,
    pub(super) spreads: Vec<Spread>,
    /// Weight of each block.
    pub(super) weights: Vec<f64>,
    /// Per block and nominal column: the largest code so far plus 1; NaN in the padding.
    pub(super) spans: Vec<F8>,
    /// Weight per column, numeric groups then nominal ones, of blocks that have learned a missing
    /// cell.
    pub(super) present: Vec<Option<Box<[F8]>>>,
    /// Nominal counts: one table per leaf, classes side by side, and eight cells of padding.
    pub(super) counts: Vec<f64>,
    pub(super) free_blocks: Vec<u32>,
    pub(super) free_tables: Vec<u32>,
    pub(super) tables: usize,
    /// Blocks with weights per column.
    pub(super) boxes: usize,
    /// Whether any cell has been missing; then every block may need weights per column.
    pub(super) any_missing: bool,
}

impl Statistics {
    /// Allocate an empty block.
    #[cold]
    pub(super) fn new_block(&mut self, layout: &TreeLayout) -> u32 {
        let mut last = F8::ZERO;
        let used = layout.nominal.len() % LANES;
        last.0[used..].fill(f64::NAN);
        let block = self.free_blocks.pop().unwrap_or(self.weights.len() as u32);
        let at = block as usize;
        if at == self.weights.len() {
            grow(&mut self.weights, at + 1, 0.0);
            grow(&mut self.present, at + 1, None);
            grow(&mut self.gaussians, (at + 1) * layout.groups, GaussianGroup::EMPTY);
            grow(&mut self.spreads, (at + 1) * layout.groups, Spread::NONE);
            grow(&mut self.spans, (at + 1) * layout.nominal_groups, F8::ZERO);
        }
        self.weights[at] = 0.0;
        self.gaussians[at * layout.groups..(at + 1) * layout.groups].fill(GaussianGroup::EMPTY);
        self.spreads[at * layout.groups..(at + 1) * layout.groups].fill(Spread::NONE);
        let spans = &mut self.spans[at * layout.nominal_groups..(at + 1) * layout.nominal_groups];
        spans.fill(F8::ZERO);
        if let (true, Some(end)) = (used > 0, spans.last_mut()) {
            *end = last;
        }
        block
    }

    /// Allocate an empty table.
    #[cold]
    pub(super) fn new_table(&mut self, layout: &TreeLayout) -> u32 {
        let cells = layout.values * layout.classes;
        let table = self.free_tables.pop().unwrap_or(self.tables as u32);
        let at = table as usize;
        if at == self.tables {
            self.tables += 1;
            grow(&mut self.counts, self.tables * cells + LANES, 0.0);
        }
        self.counts[at * cells..(at + 1) * cells].fill(0.0);
        table
    }

    /// Bytes per block and per table.
    pub(super) fn sizes(&self, layout: &TreeLayout) -> (usize, usize) {
        let numbers = layout.groups * (size_of::<GaussianGroup>() + size_of::<Spread>());
        let spans = layout.nominal_groups * size_of::<F8>();
        let index = size_of::<Option<Box<[F8]>>>() + size_of::<f64>() + size_of::<u32>();
        let own = if self.any_missing { self.box_size(layout) } else { 0 };
        let table = layout.values * layout.classes * size_of::<f64>() + size_of::<u32>();
        // The first table includes the eight cells of padding.
        let beyond = if self.tables == 0 { LANES * size_of::<f64>() } else { 0 };
        (numbers + spans + index + own, table + beyond)
    }

    /// Bytes of the per-column weights of a block.
    pub(super) fn box_size(&self, layout: &TreeLayout) -> usize {
        (layout.groups + layout.nominal_groups) * size_of::<F8>()
    }

    /// Whether a block is available without allocation.
    pub(super) fn has_block(&self) -> bool {
        !self.free_blocks.is_empty() || self.weights.len() < self.weights.capacity()
    }

    pub(super) fn has_table(&self) -> bool {
        !self.free_tables.is_empty() || self.tables < self.free_tables.capacity()
    }

    /// Reserve memory for more blocks and for the list of free ones.
    pub(super) fn reserve_blocks(&mut self, layout: &TreeLayout, more: usize) {
        let all = self.weights.len() + more;
        self.weights.reserve_exact(more);
        self.present.reserve_exact(more);
        self.gaussians.reserve_exact(more * layout.groups);
        self.spreads.reserve_exact(more * layout.groups);
        self.spans.reserve_exact(more * layout.nominal_groups);
        self.free_blocks.reserve_exact(all - self.free_blocks.len());
    }

    pub(super) fn reserve_tables(&mut self, layout: &TreeLayout, more: usize) {
        if more == 0 {
            return;
        }
        let all = self.tables + more;
        let cells = all * layout.values * layout.classes + LANES;
        self.counts.reserve_exact(cells.saturating_sub(self.counts.len()));
        self.free_tables.reserve_exact(all - self.free_tables.len());
    }

    /// Compact blocks and tables, and release the rest of their memory.
    pub(super) fn compact(&mut self, layout: &TreeLayout, leaves: &mut Leaves) {
        let left = self.weights.len() - self.free_blocks.len();
        let mut vacant = std::mem::take(&mut self.free_blocks);
        vacant.retain(|block| (*block as usize) < left);
        for block in &mut leaves.blocks {
            if *block == NOTHING || (*block as usize) < left {
                continue;
            }
            let Some(to) = vacant.pop() else { continue };
            let (from, at) = (*block as usize, to as usize);
            self.weights[at] = self.weights[from];
            self.present.swap(at, from);
            let (groups, nominal) = (layout.groups, layout.nominal_groups);
            self.gaussians.copy_within(from * groups..(from + 1) * groups, at * groups);
            self.spreads.copy_within(from * groups..(from + 1) * groups, at * groups);
            self.spans.copy_within(from * nominal..(from + 1) * nominal, at * nominal);
            *block = to;
        }
        shrink(&mut self.weights, left);
        shrink(&mut self.present, left);
        shrink(&mut self.gaussians, left * layout.groups);
        shrink(&mut self.spreads, left * layout.groups);
        shrink(&mut self.spans, left * layout.nominal_groups);
        self.free_blocks = Vec::with_capacity(left);

        let left = self.tables - self.free_tables.len();
        let cells = layout.values * layout.classes;
        let mut vacant = std::mem::take(&mut self.free_tables);
        vacant.retain(|table| (*table as usize) < left);
        for header in &mut leaves.headers {
            if header.table == NOTHING || (header.table as usize) < left {
                continue;
            }
            let Some(to) = vacant.pop() else { continue };
            let (from, at) = (header.table as usize, to as usize);
            self.counts.copy_within(from * cells..(from + 1) * cells, at * cells);
            header.table = to;
        }
        self.tables = left;
        let cells = if left == 0 { 0 } else { left * cells + LANES };
        shrink(&mut self.counts, cells);
        self.free_tables = Vec::with_capacity(left);
    }

    /// Release a block.
    pub(super) fn release(&mut self, block: u32) {
        self.boxes -= usize::from(self.present[block as usize].take().is_some());
        self.free_blocks.push(block);
    }

    pub(super) fn clear(&mut self) {
        self.gaussians.clear();
        self.spreads.clear();
        self.weights.clear();
        self.spans.clear();
        self.present.clear();
        self.counts.clear();
        self.free_blocks.clear();
        self.free_tables.clear();
        (self.tables, self.boxes, self.any_missing) = (0, 0, false);
    }

    pub(super) fn bytes(&self, layout: &TreeLayout) -> usize {
        held(&self.gaussians)
            + held(&self.spreads)
            + held(&self.weights)
            + held(&self.counts)
            + held(&self.spans)
            + held(&self.present)
            + held(&self.free_blocks)
            + held(&self.free_tables)
            + self.boxes * self.box_size(layout)
    }

    /// Number of blocks and tables, including free ones.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.weights.len(), self.tables)
    }
}
