//! Writing and reading the state of a tree; a state that is read is checked for consistency.

use super::layout::TreeLayout;
use super::leaves::Kind;
use super::statistics::{NOTHING, Statistics};
use super::tree::{ROOT, Tree};
use crate::kernels::{F8, LANES};
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

impl Tree {
    pub(crate) fn save(&self, out: &mut Writer) {
        for count in [self.splits, self.rank_at] {
            out.whole(u64::from(count));
        }
        self.leaves.save(&self.layout, out);
        self.nodes.save(out);
        self.statistics.save(&self.layout, out);
        out.whole(self.alternates.capacity() as u64);
        out.whole(self.alternates.len() as u64);
        self.alternates.iter().for_each(|slot| out.whole(u64::from(*slot)));
    }

    pub(crate) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.splits = from.below(1 << 32)? as u32;
        self.rank_at = from.below(1 << 32)? as u32;
        self.leaves.load(&self.layout, from)?;
        let mut values = vec![0; self.layout.width];
        self.layout.nominal.iter().for_each(|n| values[n.column as usize] = n.values);
        self.nodes.load(from, self.leaves.headers.len(), &values)?;
        self.statistics.load(&self.layout, from)?;
        let had = from.whole()?;
        let count = from.count(1)?;
        self.alternates = Vec::with_capacity(capacity(count, had, 1)?);
        for _ in 0..count {
            self.alternates.push(from.below(1 << 32)? as u32);
        }
        self.check()
    }

    /// Check that nodes, leaves and statistics are consistent.
    fn check(&mut self) -> crate::Result<()> {
        let bad = || refused("a tree", "inconsistent parts");
        let (blocks, tables) = self.statistics.counts();
        let mut block_taken = vec![false; blocks];
        let mut table_taken = vec![false; tables];
        let take = |taken: &mut [bool], index: u32| {
            let place = taken.get_mut(index as usize).filter(|taken| !**taken).ok_or_else(bad)?;
            *place = true;
            Ok(())
        };
        for block in self.leaves.blocks.iter().chain(&self.statistics.free_blocks) {
            if *block != NOTHING {
                take(&mut block_taken, *block)?;
            }
        }
        for table in &self.statistics.free_tables {
            take(&mut table_taken, *table)?;
        }
        (self.active, self.inactive) = (0, 0);
        for (slot, header) in self.leaves.headers.iter().enumerate() {
            if header.table != NOTHING {
                take(&mut table_taken, header.table)?;
            }
            let classes = slot * self.layout.classes..(slot + 1) * self.layout.classes;
            let has_blocks = self.leaves.blocks[classes].iter().any(|block| *block != NOTHING);
            let wants_table = has_blocks && !self.layout.nominal.is_empty();
            if has_blocks != (header.kind == Kind::Active)
                || wants_table != (header.table != NOTHING)
            {
                return Err(bad());
            }
            match header.kind {
                Kind::Free | Kind::Split => {}
                Kind::Inactive => self.inactive += 1,
                Kind::Fresh | Kind::Active => self.active += 1,
            }
        }
        let used = self.leaves.headers.iter().filter(|header| header.kind != Kind::Free).count();
        let reached = self.nodes.check_links(&self.leaves, ROOT, NOTHING).ok_or_else(bad)?;
        let mut alternates = 0;
        for (slot, alternate) in self.alternates.iter().enumerate() {
            if *alternate == NOTHING {
                continue;
            }
            let split = self.leaves.headers.get(slot).ok_or_else(bad)?;
            let leaf = self.leaves.headers.get(*alternate as usize).ok_or_else(bad)?;
            let is_leaf = !matches!(leaf.kind, Kind::Split | Kind::Free);
            let place = self.nodes.nodes.get(leaf.node as usize).ok_or_else(bad)?;
            let fits = split.kind == Kind::Split && is_leaf && !place.is_leaf();
            if !fits || leaf.node != split.node || leaf.parent != split.parent {
                return Err(bad());
            }
            alternates += 1;
        }
        if reached + alternates == used { Ok(()) } else { Err(bad()) }
    }
}

impl Statistics {
    pub(super) fn save(&self, layout: &TreeLayout, out: &mut Writer) {
        out.whole(self.any_missing.into());
        out.whole(self.weights.capacity() as u64);
        out.whole(self.free_tables.capacity() as u64);
        out.whole(self.weights.len() as u64);
        for at in 0..self.weights.len() {
            out.real(self.weights[at]);
            for g in at * layout.groups..(at + 1) * layout.groups {
                out.reals(&self.gaussians[g].mean.0);
                out.reals(&self.gaussians[g].steepness.0);
                out.reals(&self.spreads[g].squares.0);
                out.reals(&self.spreads[g].lowest.0);
                out.reals(&self.spreads[g].highest.0);
            }
            for g in at * layout.nominal_groups..(at + 1) * layout.nominal_groups {
                out.reals(&self.spans[g].0);
            }
            out.whole(self.present[at].is_some().into());
            self.present[at].iter().flatten().for_each(|eight| out.reals(&eight.0));
        }
        out.whole(self.tables as u64);
        out.reals(&self.counts[..self.tables * layout.values * layout.classes]);
        for free in [&self.free_blocks, &self.free_tables] {
            out.whole(free.len() as u64);
            free.iter().for_each(|index| out.whole(u64::from(*index)));
        }
    }

    pub(super) fn load(&mut self, layout: &TreeLayout, from: &mut Reader<'_>) -> crate::Result<()> {
        self.clear();
        self.any_missing = from.below(2)? == 1;
        let (blocks, tables) = (from.whole()?, from.whole()?);
        let words = 2 + LANES * (5 * layout.groups + layout.nominal_groups);
        let count = from.count(words)?;
        self.reserve_blocks(layout, capacity(count, blocks, 1)?);
        for at in 0..count {
            self.new_block(layout);
            self.weights[at] = weight(from)?;
            for g in at * layout.groups..(at + 1) * layout.groups {
                finite(from, &mut self.gaussians[g].mean)?;
                // Steepness and squares are never negative.
                positive(from, &mut self.gaussians[g].steepness)?;
                positive(from, &mut self.spreads[g].squares)?;
                from.reals(&mut self.spreads[g].lowest.0)?;
                from.reals(&mut self.spreads[g].highest.0)?;
            }
            for g in at * layout.nominal_groups..(at + 1) * layout.nominal_groups {
                from.reals(&mut self.spans[g].0)?;
            }
            for (g, spans) in self.spans[at * layout.nominal_groups..].iter().enumerate() {
                for (l, span) in spans.0.iter().enumerate() {
                    let most = layout.nominal.get(g * LANES + l).map(|n| f64::from(n.values));
                    let legal = match most {
                        Some(most) => span.fract() == 0.0 && (0.0..=most).contains(span),
                        None => span.is_nan(),
                    };
                    if !legal {
                        return Err(refused("valid", "a number out of range"));
                    }
                }
            }
            if from.below(2)? == 1 {
                let mut own = vec![F8::ZERO; layout.groups + layout.nominal_groups];
                for eight in &mut own {
                    positive(from, eight)?;
                }
                self.present[at] = Some(own.into_boxed_slice());
                self.boxes += 1;
            }
        }
        let cells = layout.values * layout.classes;
        let count = from.count(cells)?;
        self.reserve_tables(layout, capacity(count, tables, 1)?);
        for _ in 0..count {
            self.new_table(layout);
        }
        for count in &mut self.counts[..self.tables * cells] {
            *count = weight(from)?;
        }
        let sizes = [self.weights.len(), self.tables];
        for (free, most) in [&mut self.free_blocks, &mut self.free_tables].into_iter().zip(sizes) {
            for _ in 0..from.count(1)? {
                free.push(from.below(most)? as u32);
            }
        }
        Ok(())
    }
}

/// The stored capacity of a list of `count` elements, if it is possible: at most 1/32 above the
/// length, or the length plus `one`.
pub(super) fn capacity(count: usize, had: u64, one: usize) -> crate::Result<usize> {
    let most = count + count / 32 + one;
    match usize::try_from(had) {
        // A list that was truncated may have a larger capacity.
        Ok(had) if had >= count && had <= most + most / 32 + 1 => Ok(had),
        _ => Err(refused("valid", "a number out of range")),
    }
}

/// An empty free list with its stored capacity, which doubles whenever the list is full; the list
/// is never longer than `all`.
pub(super) fn free_list<T>(from: &mut Reader<'_>, all: usize) -> crate::Result<Vec<T>> {
    Ok(Vec::with_capacity(from.below(2 * all + 9)?))
}

/// Read a weight, which must be finite and at least 0.
pub(super) fn weight(from: &mut Reader<'_>) -> crate::Result<f64> {
    match from.real()? {
        x if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err(refused("valid", "a number out of range")),
    }
}

fn finite(from: &mut Reader<'_>, into: &mut F8) -> crate::Result<()> {
    from.reals(&mut into.0)?;
    if into.0.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(refused("valid", "a number out of range"))
}

fn positive(from: &mut Reader<'_>, into: &mut F8) -> crate::Result<()> {
    from.reals(&mut into.0)?;
    if into.0.iter().all(|x| *x >= 0.0) {
        return Ok(());
    }
    Err(refused("valid", "a number out of range"))
}
