//! The memory limit, which a tree never exceeds. The least promising leaves are deactivated, which
//! frees their blocks for others; if nodes need the memory, blocks are compacted and their
//! memory is released.

use super::leaves::Kind;
use super::statistics::NOTHING;
use super::tree::Tree;

impl Tree {
    /// Bytes left below the limit.
    fn slack(&self) -> usize {
        let held = self.bytes() + self.layout.bytes() + self.outside_bytes;
        self.layout.parameters.memory.saturating_sub(held)
    }

    /// Whether `bytes` more bytes are available.
    pub(super) fn fits(&self, bytes: usize) -> bool {
        let held = self.bytes() + self.layout.bytes() + self.outside_bytes;
        held.saturating_add(bytes) <= self.layout.parameters.memory
    }

    /// Release statistics until `bytes` bytes are available; false if that fails.
    pub(super) fn release_memory(&mut self, bytes: usize) -> bool {
        self.free_up(bytes, NOTHING)
    }

    /// The weight outside the most frequent class, MOA's measure of promise.
    fn promise(&self, slot: u32) -> f64 {
        let header = self.leaves.header(slot);
        let weights = self.leaves.weights(&self.layout, slot);
        header.seen - usize::try_from(header.majority).map_or(0.0, |class| weights[class])
    }

    /// Allocate a block for a class of a leaf, and its table; without memory the leaf is
    /// deactivated and the result is false.
    #[cold]
    #[inline(never)]
    pub(super) fn reserve_statistics(&mut self, slot: u32, class: usize) -> bool {
        let table = !self.layout.nominal.is_empty() && self.leaves.header(slot).table == NOTHING;
        while !self.reserve_block() || (table && !self.reserve_table()) {
            match self.least_promising(slot) {
                Some(other) if self.promise(other) < self.promise(slot) => self.deactivate(other),
                _ => {
                    self.deactivate(slot);
                    return false;
                }
            }
        }
        if table {
            self.leaves.headers[slot as usize].table = self.statistics.new_table(&self.layout);
        }
        let block = self.statistics.new_block(&self.layout);
        self.leaves.blocks[slot as usize * self.layout.classes + class] = block;
        self.leaves.headers[slot as usize].kind = Kind::Active;
        true
    }

    /// Reserve per-column weights for a block with its first missing cell; without memory the leaf
    /// is deactivated and the result is false.
    #[cold]
    pub(super) fn reserve_column_weights(&mut self, slot: u32) -> bool {
        self.statistics.any_missing = true;
        let fits = self.free_up(self.statistics.box_size(&self.layout), slot);
        if !fits {
            self.deactivate(slot);
        }
        fits
    }

    /// Reserve memory for a leaf in an existing branch; false if that fails.
    pub(super) fn may_add_leaf(&mut self, parent: u32) -> bool {
        self.leaves.spare_capacity() > 0 || self.reserve_leaves(1, parent)
    }

    /// Reserve memory for a split; false if that fails.
    pub(super) fn may_split(&mut self, slot: u32, nodes: usize, leaves: usize) -> bool {
        (self.nodes.spare_capacity() >= nodes || self.reserve_nodes(nodes, slot))
            && (self.leaves.spare_capacity() >= leaves || self.reserve_leaves(leaves, slot))
    }

    fn reserve_nodes(&mut self, more: usize, slot: u32) -> bool {
        let size = self.nodes.bytes_per_node();
        let fits = self.free_up(more * size, slot);
        let spare = (self.nodes.nodes.len() / 32).min(self.slack() / size).max(more);
        if fits {
            self.nodes.reserve_exact(spare);
        }
        fits
    }

    fn reserve_leaves(&mut self, more: usize, slot: u32) -> bool {
        let size = self.leaves.bytes_per_slot(&self.layout);
        let fits = self.free_up(more * size, slot);
        let spare = (self.leaves.headers.len() / 32).min(self.slack() / size).max(more);
        if fits {
            self.leaves.reserve_exact(&self.layout, spare);
        }
        fits
    }

    fn reserve_block(&mut self) -> bool {
        let (block, _) = self.statistics.sizes(&self.layout);
        let spare = (self.statistics.counts().0 / 32).max(1).min(self.slack() / block);
        self.statistics.has_block() || {
            self.statistics.reserve_blocks(&self.layout, spare);
            spare > 0
        }
    }

    fn reserve_table(&mut self) -> bool {
        let (_, table) = self.statistics.sizes(&self.layout);
        let spare = (self.statistics.counts().1 / 32).max(1).min(self.slack() / table.max(1));
        self.statistics.has_table() || {
            self.statistics.reserve_tables(&self.layout, spare);
            spare > 0
        }
    }

    /// The least promising leaf with statistics, other than `but`.
    fn least_promising(&self, but: u32) -> Option<u32> {
        let active = |slot: &u32| *slot != but && self.leaves.header(*slot).kind == Kind::Active;
        let slots = (0..self.leaves.headers.len() as u32).filter(active);
        slots.min_by(|a, b| self.promise(*a).total_cmp(&self.promise(*b)))
    }

    /// Release statistics of leaves other than `but` until `bytes` bytes are available; false if
    /// that fails.
    fn free_up(&mut self, bytes: usize, but: u32) -> bool {
        if self.fits(bytes) {
            return true;
        }
        let (blocks, _) = self.statistics.counts();
        // Free several at a time, since compaction visits all blocks.
        let want = blocks / 16 + 1;
        let mut ranked: Vec<u32> = (0..self.leaves.headers.len() as u32)
            .filter(|slot| *slot != but && self.leaves.header(*slot).kind == Kind::Active)
            .collect();
        ranked.sort_by(|a, b| self.promise(*a).total_cmp(&self.promise(*b)));
        let mut ranked = ranked.into_iter();
        loop {
            if self.statistics.free_blocks.len() >= want {
                self.statistics.compact(&self.layout, &mut self.leaves);
                if self.fits(bytes) {
                    return true;
                }
            }
            match ranked.next() {
                Some(slot) => self.deactivate(slot),
                None => {
                    self.statistics.compact(&self.layout, &mut self.leaves);
                    return self.fits(bytes);
                }
            }
        }
    }

    /// Deactivate a leaf: it only counts classes from now on.
    fn deactivate(&mut self, slot: u32) {
        self.forget(slot);
        self.leaves.headers[slot as usize].kind = Kind::Inactive;
        self.active -= 1;
        self.inactive += 1;
    }

    /// If there are inactive leaves, activate the most promising and deactivate the others. Not
    /// after every split, since all leaves are ranked.
    pub(super) fn after_split(&mut self) {
        if self.inactive == 0 || self.splits < self.rank_at {
            return;
        }
        let leaf = |slot: &u32| {
            matches!(self.leaves.header(*slot).kind, Kind::Fresh | Kind::Active | Kind::Inactive)
        };
        let mut ranked: Vec<u32> = (0..self.leaves.headers.len() as u32).filter(leaf).collect();
        ranked.sort_by(|a, b| self.promise(*b).total_cmp(&self.promise(*a)));
        self.rank_at = self.splits + 1 + ranked.len() as u32 / 64;
        let (blocks, _) = self.statistics.counts();
        let used = blocks - self.statistics.free_blocks.len();
        let (size, _) = self.statistics.sizes(&self.layout);
        let active = ranked.iter().filter(|slot| self.leaves.header(**slot).kind == Kind::Active);
        let each = used.div_ceil(active.count().max(1)).max(1);
        let most = ((blocks + self.slack() / size) / each).max(1);
        for (rank, slot) in ranked.into_iter().enumerate() {
            match (rank < most, self.leaves.header(slot).kind) {
                (true, Kind::Inactive) => {
                    self.forget(slot);
                    let header = &mut self.leaves.headers[slot as usize];
                    header.last = header.seen;
                    self.active += 1;
                    self.inactive -= 1;
                }
                (false, Kind::Active | Kind::Fresh) => self.deactivate(slot),
                _ => {}
            }
        }
    }
}
