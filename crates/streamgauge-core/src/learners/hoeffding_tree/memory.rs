//! The memory limit: what a tree holds never exceeds it. The least promising leaves sleep, which
//! leaves their blocks to others; where nodes need the memory, blocks move together and the slab
//! shrinks.

use super::leaves::Kind;
use super::statistics::NOTHING;
use super::tree::Tree;

impl Tree {
    /// Bytes left.
    fn slack(&self) -> usize {
        let held = self.bytes() + self.plan.bytes() + self.outside;
        self.plan.growth.memory.saturating_sub(held)
    }

    /// Are so many bytes left?
    pub(super) fn fits(&self, bytes: usize) -> bool {
        let held = self.bytes() + self.plan.bytes() + self.outside;
        held.saturating_add(bytes) <= self.plan.growth.memory
    }

    /// Take memory from the statistics until so many bytes are left; is it enough?
    pub(super) fn shed(&mut self, bytes: usize) -> bool {
        self.free_up(bytes, NOTHING)
    }

    /// The weight that the most frequent class does not explain.
    fn promise(&self, slot: u32) -> f64 {
        let head = self.leaves.head(slot);
        let weights = self.leaves.weights(&self.plan, slot);
        head.seen - usize::try_from(head.majority).map_or(0.0, |class| weights[class])
    }

    /// Give a leaf a block for a class, and its table; false if there is no memory, and the leaf
    /// sleeps from now on.
    #[cold]
    #[inline(never)]
    pub(super) fn make_room_to_learn(&mut self, slot: u32, class: usize) -> bool {
        let table = !self.plan.nominal.is_empty() && self.leaves.head(slot).table == NOTHING;
        while !self.room_for_block() || (table && !self.room_for_table()) {
            match self.least_promising(slot) {
                Some(other) if self.promise(other) < self.promise(slot) => self.sleep(other),
                _ => {
                    self.sleep(slot);
                    return false;
                }
            }
        }
        if table {
            self.leaves.heads[slot as usize].table = self.statistics.new_table(&self.plan);
        }
        let block = self.statistics.new_block(&self.plan);
        self.leaves.blocks[slot as usize * self.plan.classes + class] = block;
        self.leaves.heads[slot as usize].kind = Kind::Active;
        true
    }

    /// May a block that has met its first hole keep weights per column? If not, its leaf sleeps.
    #[cold]
    pub(super) fn make_room_for_holes(&mut self, slot: u32) -> bool {
        self.statistics.holes = true;
        let fits = self.free_up(self.statistics.box_size(&self.plan), slot);
        if !fits {
            self.sleep(slot);
        }
        fits
    }

    /// Is there memory for one more leaf, in a branch that is there already?
    pub(super) fn may_add_leaf(&mut self, parent: u32) -> bool {
        self.leaves.left() > 0 || self.reserve_leaves(1, parent)
    }

    /// Is there memory for a split?
    pub(super) fn may_split(&mut self, slot: u32, nodes: usize, leaves: usize) -> bool {
        (self.nodes.left() >= nodes || self.reserve_nodes(nodes, slot))
            && (self.leaves.left() >= leaves || self.reserve_leaves(leaves, slot))
    }

    fn reserve_nodes(&mut self, more: usize, slot: u32) -> bool {
        let size = self.nodes.size();
        let fits = self.free_up(more * size, slot);
        let spare = (self.nodes.nodes.len() / 32).min(self.slack() / size).max(more);
        if fits {
            self.nodes.reserve_exact(spare);
        }
        fits
    }

    fn reserve_leaves(&mut self, more: usize, slot: u32) -> bool {
        let size = self.leaves.size(&self.plan);
        let fits = self.free_up(more * size, slot);
        let spare = (self.leaves.heads.len() / 32).min(self.slack() / size).max(more);
        if fits {
            self.leaves.reserve_exact(&self.plan, spare);
        }
        fits
    }

    fn room_for_block(&mut self) -> bool {
        let (block, _) = self.statistics.sizes(&self.plan);
        let spare = (self.statistics.counts().0 / 32).max(1).min(self.slack() / block);
        self.statistics.has_block() || {
            self.statistics.reserve_blocks(&self.plan, spare);
            spare > 0
        }
    }

    fn room_for_table(&mut self) -> bool {
        let (_, table) = self.statistics.sizes(&self.plan);
        let spare = (self.statistics.counts().1 / 32).max(1).min(self.slack() / table.max(1));
        self.statistics.has_table() || {
            self.statistics.reserve_tables(&self.plan, spare);
            spare > 0
        }
    }

    /// The leaf with statistics, other than this one, that could gain the least.
    fn least_promising(&self, but: u32) -> Option<u32> {
        let active = |slot: &u32| *slot != but && self.leaves.head(*slot).kind == Kind::Active;
        let slots = (0..self.leaves.heads.len() as u32).filter(active);
        slots.min_by(|a, b| self.promise(*a).total_cmp(&self.promise(*b)))
    }

    /// Take memory from the statistics until so many bytes are left; is it enough?
    fn free_up(&mut self, bytes: usize, but: u32) -> bool {
        if self.fits(bytes) {
            return true;
        }
        let (blocks, _) = self.statistics.counts();
        // Some more at once, since moving blocks together looks at all of them.
        let want = blocks / 16 + 1;
        let mut ranked: Vec<u32> = (0..self.leaves.heads.len() as u32)
            .filter(|slot| *slot != but && self.leaves.head(*slot).kind == Kind::Active)
            .collect();
        ranked.sort_by(|a, b| self.promise(*a).total_cmp(&self.promise(*b)));
        let mut ranked = ranked.into_iter();
        loop {
            if self.statistics.free_blocks.len() >= want {
                self.statistics.compact(&self.plan, &mut self.leaves);
                if self.fits(bytes) {
                    return true;
                }
            }
            match ranked.next() {
                Some(slot) => self.sleep(slot),
                None => {
                    self.statistics.compact(&self.plan, &mut self.leaves);
                    return self.fits(bytes);
                }
            }
        }
    }

    /// From now on a leaf counts classes and nothing else.
    fn sleep(&mut self, slot: u32) {
        self.forget(slot);
        self.leaves.heads[slot as usize].kind = Kind::Inactive;
        self.active -= 1;
        self.inactive += 1;
    }

    /// While leaves sleep: the most promising ones wake, and others sleep for them. Not after
    /// every split, since all leaves are looked at.
    pub(super) fn after_split(&mut self) {
        if self.inactive == 0 || self.splits < self.rank_at {
            return;
        }
        let leaf = |slot: &u32| {
            matches!(self.leaves.head(*slot).kind, Kind::Fresh | Kind::Active | Kind::Inactive)
        };
        let mut ranked: Vec<u32> = (0..self.leaves.heads.len() as u32).filter(leaf).collect();
        ranked.sort_by(|a, b| self.promise(*b).total_cmp(&self.promise(*a)));
        self.rank_at = self.splits + 1 + ranked.len() as u32 / 64;
        let (blocks, _) = self.statistics.counts();
        let used = blocks - self.statistics.free_blocks.len();
        let (size, _) = self.statistics.sizes(&self.plan);
        let awake = ranked.iter().filter(|slot| self.leaves.head(**slot).kind == Kind::Active);
        let each = used.div_ceil(awake.count().max(1)).max(1);
        let most = ((blocks + self.slack() / size) / each).max(1);
        for (rank, slot) in ranked.into_iter().enumerate() {
            match (rank < most, self.leaves.head(slot).kind) {
                (true, Kind::Inactive) => {
                    self.forget(slot);
                    let head = &mut self.leaves.heads[slot as usize];
                    head.last = head.seen;
                    self.active += 1;
                    self.inactive -= 1;
                }
                (false, Kind::Active | Kind::Fresh) => self.sleep(slot),
                _ => {}
            }
        }
    }
}
