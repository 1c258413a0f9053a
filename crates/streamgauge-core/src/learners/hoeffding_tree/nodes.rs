//! The arena of nodes: 16 bytes each and 4 for the slot of a split, children side by side, no pointers.

use super::leaves::{Kind, Leaves};
use super::state::{capacity, free_list};
use super::tree::ROOT;
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// Column of a leaf; its child is its slot.
pub(super) const LEAF: u32 = u32::MAX;
/// Column of an absent branch, which no row has taken yet.
pub(super) const ABSENT: u32 = u32::MAX - 1;
/// Flag in `column` of a split with one branch per value of a nominal column.
const MULTIWAY: u32 = 1 << 31;
/// Flag in `column` of a split of one nominal value against the rest.
const EQUALS: u32 = 1 << 30;

/// A split, a leaf, or an absent branch.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub(super) struct Node {
    /// Numeric: cells up to this go to the first child. One value: the value. One branch per value:
    /// the number of branches.
    pub(super) threshold: f64,
    column: u32,
    /// The first of its children; of a leaf, its slot.
    pub(super) child: u32,
}

/// The test of a split.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Test {
    /// At most the threshold, or above it.
    AtMost(f64),
    /// This value, or another.
    Equals(u32),
    /// One branch per value.
    Multiway,
}

/// The position where a row ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    /// Slot of the leaf, or of the split where the row cannot descend further.
    pub(crate) slot: u32,
    /// The leaf, the absent branch, or the split.
    pub(super) node: u32,
}

/// All nodes of a tree, and the slot of each split.
#[derive(Debug, Clone, Default)]
pub(super) struct Nodes {
    pub(super) nodes: Vec<Node>,
    pub(super) split_slot: Vec<u32>,
    /// Free blocks of children: length and first node.
    pub(super) free: Vec<(u32, u32)>,
}

impl Node {
    pub(super) fn leaf(slot: u32) -> Self {
        Self { threshold: 0.0, column: LEAF, child: slot }
    }

    pub(super) fn absent() -> Self {
        Self { threshold: 0.0, column: ABSENT, child: 0 }
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.column == LEAF
    }

    pub(super) fn is_absent(&self) -> bool {
        self.column == ABSENT
    }

    /// Number of children.
    pub(super) fn branches(&self) -> usize {
        match self.column {
            LEAF | ABSENT => 0,
            column if column & MULTIWAY != 0 => self.threshold as usize,
            _ => 2,
        }
    }
}

impl Nodes {
    /// The position where a row ends, from a node on: a leaf, an absent branch, or a split whose
    /// cell is missing.
    #[inline(always)]
    pub(super) fn descend(&self, root: u32, row: &[f64]) -> Position {
        let mut at = root;
        loop {
            let node = self.nodes[at as usize];
            if node.column < EQUALS {
                let cell = row[node.column as usize];
                if cell.is_nan() {
                    return Position { slot: self.split_slot[at as usize], node: at };
                }
                at = node.child + u32::from(cell > node.threshold);
            } else if node.column == LEAF {
                return Position { slot: node.child, node: at };
            } else {
                match Self::nominal_branch(node, row) {
                    None => return Position { slot: self.split_slot[at as usize], node: at },
                    Some(branch) => {
                        let next = node.child + branch;
                        if self.nodes[next as usize].is_absent() {
                            return Position { slot: self.split_slot[at as usize], node: next };
                        }
                        at = next;
                    }
                }
            }
        }
    }

    /// The branch of a split that a row takes; None if the cell is missing.
    #[inline(always)]
    pub(super) fn branch(&self, at: u32, row: &[f64]) -> Option<u32> {
        let node = self.nodes[at as usize];
        if node.column >= EQUALS {
            return Self::nominal_branch(node, row);
        }
        let cell = row[node.column as usize];
        (!cell.is_nan()).then(|| u32::from(cell > node.threshold))
    }

    #[inline(always)]
    fn nominal_branch(node: Node, row: &[f64]) -> Option<u32> {
        let cell = row[(node.column & !(MULTIWAY | EQUALS)) as usize];
        if node.column & MULTIWAY == 0 {
            return (!cell.is_nan()).then(|| u32::from(cell != node.threshold));
        }
        let code = cell as u32;
        (f64::from(code) == cell && cell < node.threshold).then_some(code)
    }

    /// Reserve `count` adjacent nodes; returns the first.
    pub(super) fn reserve(&mut self, count: usize) -> u32 {
        let fits = |(length, _): &(u32, u32)| *length as usize == count;
        if let Some(at) = self.free.iter().position(fits) {
            return self.free.swap_remove(at).1;
        }
        let first = self.nodes.len();
        grow(&mut self.nodes, first + count, Node::absent());
        grow(&mut self.split_slot, first + count, 0);
        first as u32
    }

    /// Number of nodes that can be appended without allocation.
    pub(super) fn spare_capacity(&self) -> usize {
        self.nodes.capacity() - self.nodes.len()
    }

    /// Bytes per node.
    pub(super) fn bytes_per_node(&self) -> usize {
        size_of::<Node>() + size_of::<u32>()
    }

    pub(super) fn reserve_exact(&mut self, more: usize) {
        self.nodes.reserve_exact(more);
        self.split_slot.reserve_exact(more);
    }

    /// Turn a node into a split with its slot and existing children.
    pub(super) fn split(
        &mut self,
        (at, slot): (u32, u32),
        (column, test): (u32, Test),
        (child, count): (u32, usize),
    ) {
        let (threshold, column) = match test {
            Test::AtMost(threshold) => (threshold, column),
            Test::Equals(value) => (f64::from(value), column | EQUALS),
            Test::Multiway => (count as f64, column | MULTIWAY),
        };
        self.nodes[at as usize] = Node { threshold, column, child };
        self.split_slot[at as usize] = slot;
    }

    /// Length of the longest path from a node to a leaf.
    pub(super) fn depth(&self, root: u32) -> usize {
        let mut deepest = 0;
        let mut open = vec![(root, 0)];
        while let Some((at, depth)) = open.pop() {
            deepest = deepest.max(depth);
            let node = self.nodes[at as usize];
            let children = (0..node.branches() as u32).map(|i| node.child + i);
            open.extend(
                children
                    .filter(|at| !self.nodes[*at as usize].is_absent())
                    .map(|at| (at, depth + 1)),
            );
        }
        deepest
    }

    /// The slots of the leaves below a node.
    pub(super) fn leaves_below(&self, root: u32) -> Vec<u32> {
        let (mut found, mut open) = (Vec::new(), vec![root]);
        while let Some(at) = open.pop() {
            let node = self.nodes[at as usize];
            if node.is_leaf() {
                found.push(node.child);
            }
            open.extend((0..node.branches() as u32).map(|i| node.child + i));
        }
        found
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.split_slot.clear();
        self.free.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.split_slot) + held(&self.free)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.nodes.capacity() as u64);
        out.whole(self.nodes.len() as u64);
        for (node, slot) in self.nodes.iter().zip(&self.split_slot) {
            out.real(node.threshold);
            out.whole(u64::from(node.column) << 32 | u64::from(node.child));
            out.whole(u64::from(*slot));
        }
        out.whole(self.free.capacity() as u64);
        out.whole(self.free.len() as u64);
        for (length, first) in &self.free {
            out.whole(u64::from(*length) << 32 | u64::from(*first));
        }
    }

    /// `slots`: number of slots; `values`: number of values per column, 0 if numeric.
    pub(super) fn load(
        &mut self,
        from: &mut Reader<'_>,
        slots: usize,
        values: &[u32],
    ) -> crate::Result<()> {
        self.clear();
        let had = from.whole()?;
        let count = from.count(3)?;
        let most = values.iter().max().map_or(2, |values| *values as usize);
        self.reserve_exact(capacity(count, had, most.max(2))?);
        for _ in 0..count {
            let threshold = from.real()?;
            let word = from.whole()?;
            let (column, child) = ((word >> 32) as u32, word as u32);
            self.nodes.push(Node { threshold, column, child });
            // The slot is unused and 0 unless the node is a split.
            self.split_slot.push(from.below(slots.max(1))? as u32);
        }
        self.free = free_list(from, count)?;
        for _ in 0..from.count(1)? {
            let word = from.whole()?;
            self.free.push(((word >> 32) as u32, word as u32));
        }
        self.check(slots, values)
    }

    /// Check that the nodes form a forest: each is free or the child of at most one split.
    fn check(&self, slots: usize, values: &[u32]) -> crate::Result<()> {
        let bad = || refused("a tree", "inconsistent nodes");
        let mut taken = vec![false; self.nodes.len()];
        let mut take = |first: u32, count: usize| {
            let block = taken.get_mut(first as usize..first as usize + count).ok_or_else(bad)?;
            if block.iter().any(|taken| *taken) {
                return Err(bad());
            }
            block.fill(true);
            Ok(())
        };
        for node in &self.nodes {
            if node.is_absent() {
                continue;
            }
            if node.is_leaf() {
                if node.child as usize >= slots {
                    return Err(bad());
                }
                continue;
            }
            let column = (node.column & !(MULTIWAY | EQUALS)) as usize;
            let many = *values.get(column).ok_or_else(bad)?;
            let legal = match (node.column & MULTIWAY != 0, node.column & EQUALS != 0) {
                (false, false) => many == 0,
                (false, true) => many > 0 && node.threshold.is_finite(),
                (true, false) => many > 0 && node.threshold == f64::from(many),
                (true, true) => false,
            };
            if !legal {
                return Err(bad());
            }
            take(node.child, node.branches())?;
        }
        for (length, first) in &self.free {
            take(*first, *length as usize)?;
        }
        Ok(())
    }
}

impl Nodes {
    /// Check that nodes and headers refer to each other below a root with the given parent slot;
    /// returns the number of slots reached. Nodes have at most one parent, so the traversal ends
    /// unless the root has one.
    pub(super) fn check_links(&self, leaves: &Leaves, root: u32, parent: u32) -> Option<usize> {
        let mut open = vec![(root, parent)];
        let mut seen = 0;
        while let Some((at, parent)) = open.pop() {
            let node = self.nodes.get(at as usize)?;
            if at == ROOT && seen > 0 {
                return None;
            }
            let slot = if node.is_leaf() { node.child } else { self.split_slot[at as usize] };
            let header = leaves.headers.get(slot as usize)?;
            let fits = match header.kind {
                Kind::Free => false,
                Kind::Split => !node.is_leaf() && !node.is_absent(),
                _ => node.is_leaf(),
            };
            if !fits || header.node != at || header.parent != parent {
                return None;
            }
            seen += 1;
            let children = (0..node.branches() as u32).map(|i| node.child + i);
            let there = |at: &u32| !self.nodes[*at as usize].is_absent();
            open.extend(children.filter(there).map(|at| (at, slot)));
        }
        Some(seen)
    }
}

/// Truncate a vector and release the rest of its memory.
pub(super) fn shrink<T>(vector: &mut Vec<T>, length: usize) {
    vector.truncate(length);
    vector.shrink_to_fit();
}

/// Extend a vector; the spare capacity is at most 1/32, because memory is limited.
pub(super) fn grow<T: Clone>(vector: &mut Vec<T>, length: usize, with: T) {
    if length > vector.capacity() {
        let more = (length - vector.len()).max(vector.len() / 32);
        vector.reserve_exact(more);
    }
    vector.resize(length, with);
}
