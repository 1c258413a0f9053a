//! The tree of one class, its neighbours and their latest losses.

use super::induction::{Table, induced};
use super::items::LabelledItems;
use super::operators::EXPANDING;
use super::terms::{Term, refit, terms_of};
use super::tree::{Node, Tree, share};
use super::{EfptParameters, Loss};
use crate::error::Result;
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};

/// Neighbours that are compared at a time.
const BLOCK: usize = 256;

/// Counts that are saved are below this.
const MOST: usize = 1 << 40;

/// A tree that is replaced by a neighbour whose losses are significantly lower.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    class: usize,
    /// Whether the task has two classes.
    binary: bool,
    terms: Vec<Term>,
    tree: Tree,
    /// The leaves that neighbours expand, with their terms.
    chosen: Vec<(usize, usize)>,
    /// For each of them and each operator with a share, the share with each term.
    shares: Vec<f64>,
    /// Losses of the tree and its neighbours, item by item; a ring once it is full.
    losses: Vec<f64>,
    /// Where the oldest item is.
    oldest: usize,
    expansions: u64,
    prunings: u64,
    largest_z: f64,
}

impl Pattern {
    /// A tree induced from items. At least one column must vary.
    pub(super) fn new(
        columns: &[Column],
        class: usize,
        binary: bool,
        items: &LabelledItems,
        parameters: &EfptParameters,
    ) -> Self {
        let terms = terms_of(columns, &items.rows(), &items.targets(class), parameters.middle);
        let tree = induced(&Table::new(&terms, items, class), parameters);
        Self {
            class,
            binary,
            terms,
            tree,
            chosen: Vec::new(),
            shares: Vec::new(),
            losses: Vec::new(),
            oldest: 0,
            expansions: 0,
            prunings: 0,
            largest_z: 0.0,
        }
    }

    /// Make the neighbours, and begin to compare them.
    pub(super) fn surround(&mut self, recent: &LabelledItems, parameters: &EfptParameters) {
        self.chosen.clear();
        self.shares.clear();
        self.losses = Vec::new();
        self.oldest = 0;
        if self.tree.leaf_count() < parameters.max_leaves {
            let table = Table::new(&self.terms, recent, self.class);
            self.chosen = table.chosen(&self.tree, parameters.expanded_leaves);
            for &(_, term) in &self.chosen {
                for operator in EXPANDING.into_iter().filter(|operator| operator.is_average()) {
                    self.shares
                        .extend((0..self.terms.len()).map(|new| table.share(operator, term, new)));
                }
            }
            self.shares.shrink_to_fit();
        }
    }

    /// Number of trees: the current one, its expansions and its prunings.
    fn count(&self) -> usize {
        let expansions = self.chosen.len() * EXPANDING.len() * (self.terms.len() - 1);
        1 + expansions + 2 * (self.tree.leaf_count() - 1)
    }

    /// Number of items whose losses are kept.
    fn filled(&self) -> usize {
        self.losses.len() / self.count()
    }

    /// The score of a row: the middle of its bounds with missing memberships at 0 and at 1.
    #[inline(always)]
    pub(super) fn score(&self, row: &[f64]) -> f64 {
        let mut values = Vec::new();
        let mut at = |missing: f64| {
            let membership = |term: usize| match self.terms[term].membership(row) {
                m if m.is_nan() => missing,
                m => m,
            };
            self.tree.values(membership, &mut values);
            values[0]
        };
        let least = at(0.0);
        let most = if row.iter().any(|x| x.is_nan()) { at(1.0) } else { least };
        (least + most) * 0.5
    }

    /// Scores of the tree and all neighbours from the memberships of the terms.
    #[inline(always)]
    fn score_all(&self, memberships: &[f64], values: &mut Vec<f64>, out: &mut Vec<f64>) {
        self.tree.values(|term| memberships[term], values);
        out.clear();
        out.push(values[0]);
        let mut shares = self.shares.chunks_exact(self.terms.len());
        for &(leaf, term) in &self.chosen {
            let first = out.len();
            let own = memberships[term];
            for operator in EXPANDING {
                let shares = if operator.is_average() { shares.next() } else { None };
                // In two parts, without a test per term.
                for others in [0..term, term + 1..memberships.len()] {
                    let new = &memberships[others.clone()];
                    match shares.map(|shares| &shares[others]) {
                        Some(shares) => out.extend(
                            new.iter()
                                .zip(shares)
                                .map(|(m, share)| operator.apply(*share, own, *m)),
                        ),
                        None => out.extend(new.iter().map(|m| operator.apply(0.0, own, *m))),
                    }
                }
            }
            let mut node = leaf;
            while let Some((parent, step)) = self.tree.step(node) {
                let sibling = values[step.sibling];
                step.operator.climb_by(step.share, &mut out[first..], sibling, step.left);
                node = parent;
            }
        }
        for (node, children) in self.tree.inner() {
            for child in children {
                out.push(self.tree.root_value(node, values[child], values));
            }
        }
    }

    /// Learn a row, which is the newest of the recent items.
    #[inline(always)]
    pub(super) fn learn(
        &mut self,
        row: &[f64],
        label: usize,
        recent: &LabelledItems,
        parameters: &EfptParameters,
    ) {
        let mut memberships: Vec<f64> =
            self.terms.iter().map(|term| term.membership(row)).collect();
        let missing: Vec<usize> =
            (0..memberships.len()).filter(|&term| memberships[term].is_nan()).collect();
        let (mut values, mut scores) = (Vec::new(), Vec::with_capacity(self.count()));
        missing.iter().for_each(|&term| memberships[term] = 0.0);
        self.score_all(&memberships, &mut values, &mut scores);
        if !missing.is_empty() {
            let mut most = Vec::with_capacity(scores.len());
            missing.iter().for_each(|&term| memberships[term] = 1.0);
            self.score_all(&memberships, &mut values, &mut most);
            for (score, most) in scores.iter_mut().zip(most) {
                *score = (*score + most) * 0.5;
            }
        }
        let target = f64::from(u8::from(label == self.class));
        match parameters.loss {
            Loss::Squared => scores.iter_mut().for_each(|s| *s = (target - *s) * (target - *s)),
            Loss::Absolute => scores.iter_mut().for_each(|s| *s = (target - *s).abs()),
            Loss::ZeroOne => scores.iter_mut().for_each(|s| {
                *s = f64::from(u8::from((*s >= 0.5) != (target == 1.0)));
            }),
        }
        let count = scores.len();
        if self.losses.len() < parameters.loss_window * count {
            self.losses.extend_from_slice(&scores);
        } else {
            self.losses[self.oldest * count..(self.oldest + 1) * count].copy_from_slice(&scores);
            self.oldest = (self.oldest + 1) % parameters.loss_window;
        }
        if self.losses.len() == parameters.loss_window * count {
            self.compare(recent, parameters);
        }
    }

    /// Losses item by item, the oldest first.
    #[inline(always)]
    fn losses(&self) -> impl Iterator<Item = &[f64]> {
        let (newer, older) = self.losses.split_at(self.oldest * self.count());
        older.chunks_exact(self.count()).chain(newer.chunks_exact(self.count()))
    }

    /// Test all neighbours; the one of least loss among those that are significantly better
    /// becomes the tree.
    #[inline(always)]
    fn compare(&mut self, recent: &LabelledItems, parameters: &EfptParameters) {
        let shares = self.binary && parameters.loss == Loss::ZeroOne;
        let size = parameters.loss_window as f64;
        let (mut best, mut largest) = (None, 0.0_f64);
        for first in (0..self.count()).step_by(BLOCK) {
            let block = first..(first + BLOCK).min(self.count());
            let z = if shares {
                self.z_of_shares(block.clone(), size)
            } else {
                self.z_of_pairs(block.clone(), size)
            };
            for (i, &z) in block.zip(&z) {
                largest = largest.max(z.min(f64::MAX));
                if z > parameters.z_threshold {
                    let lost = self.losses().fold(0.0, |lost, losses| lost + losses[i]);
                    if best.is_none_or(|(least, _)| lost < least) {
                        best = Some((lost, i));
                    }
                }
            }
        }
        self.largest_z = largest;
        if let Some((_, neighbour)) = best {
            self.change(neighbour);
            if parameters.refit_ranges {
                refit(&mut self.terms, &recent.rows());
            }
            self.surround(recent, parameters);
        }
    }

    /// z of the paired differences of losses, 0 where their mean is not above 0.
    #[inline(always)]
    fn z_of_pairs(&self, block: std::ops::Range<usize>, size: f64) -> [f64; BLOCK] {
        let (mut means, mut squares) = ([0.0; BLOCK], [0.0; BLOCK]);
        for losses in self.losses() {
            let current = losses[0];
            for (mean, loss) in means.iter_mut().zip(&losses[block.clone()]) {
                *mean += current - loss;
            }
        }
        means.iter_mut().for_each(|mean| *mean /= size);
        if !means.iter().any(|mean| *mean > 0.0) {
            return [0.0; BLOCK];
        }
        for losses in self.losses() {
            let current = losses[0];
            let cells = squares.iter_mut().zip(&means).zip(&losses[block.clone()]);
            for ((square, mean), loss) in cells {
                let gap = (current - loss) - mean;
                *square += gap * gap;
            }
        }
        let root = size.sqrt();
        for (mean, square) in means.iter_mut().zip(squares) {
            let variance = square / (size - 1.0);
            *mean = match *mean > 0.0 {
                true if variance > 0.0 => *mean * root / variance.sqrt(),
                true => f64::INFINITY,
                false => 0.0,
            };
        }
        means
    }

    /// z of the difference of two error rates, 0 where it is not above 0.
    #[inline(always)]
    fn z_of_shares(&self, block: std::ops::Range<usize>, size: f64) -> [f64; BLOCK] {
        let (mut current, mut z) = (0.0, [0.0; BLOCK]);
        for losses in self.losses() {
            current += losses[0];
            z.iter_mut().zip(&losses[block.clone()]).for_each(|(sum, loss)| *sum += loss);
        }
        let current = current / size;
        for z in z.iter_mut().take(block.len()) {
            let share = *z / size;
            let variance = (current * (1.0 - current) + share * (1.0 - share)) / size;
            *z = match current > share {
                true if variance > 0.0 => (current - share) / variance.sqrt(),
                true => f64::INFINITY,
                false => 0.0,
            };
        }
        z
    }

    /// Make a neighbour the tree, by its index among all trees.
    fn change(&mut self, neighbour: usize) {
        let each = self.terms.len() - 1;
        let of_a_leaf = EXPANDING.len() * each;
        let at = neighbour - 1;
        if let Some(&(leaf, term)) = self.chosen.get(at / of_a_leaf) {
            let (which, new) = (at % of_a_leaf / each, at % each);
            let new = new + usize::from(new >= term);
            let operator = EXPANDING[which];
            let averages = EXPANDING.iter().filter(|operator| operator.is_average()).count();
            // The operators with a share are the first.
            let share = if operator.is_average() {
                self.shares[(at / of_a_leaf * averages + which) * self.terms.len() + new]
            } else {
                0.0
            };
            self.tree = self.tree.expanded(leaf, operator, share, new);
            self.expansions += 1;
            return;
        }
        let at = at - self.chosen.len() * of_a_leaf;
        let pruned = self.tree.inner().nth(at / 2);
        if let Some((node, children)) = pruned {
            self.tree = self.tree.pruned(node, children[at % 2]);
            self.prunings += 1;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.terms)
            + self.tree.bytes()
            + held(&self.chosen)
            + held(&self.shares)
            + held(&self.losses)
    }

    pub(super) fn vitals(&self) -> PatternVitals {
        let filled = self.filled();
        let lost = self.losses().fold(0.0, |lost, losses| lost + losses[0]);
        PatternVitals {
            leaves: self.tree.leaf_count(),
            depth: self.tree.depth(),
            neighbours: self.count() - 1,
            expansions: self.expansions,
            prunings: self.prunings,
            filled,
            loss: lost / filled.max(1) as f64,
            largest_z: self.largest_z,
        }
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.terms.len() as u64);
        self.terms.iter().for_each(|term| term.save(out));
        self.tree.save(out);
        out.whole(self.chosen.len() as u64);
        self.chosen.iter().for_each(|(leaf, _)| out.whole(*leaf as u64));
        out.reals(&self.shares);
        out.whole(self.filled() as u64);
        self.losses().for_each(|losses| out.reals(losses));
        out.whole(self.expansions);
        out.whole(self.prunings);
        out.real(self.largest_z);
    }

    pub(super) fn load(
        from: &mut Reader<'_>,
        columns: &[Column],
        (class, binary): (usize, bool),
        parameters: &EfptParameters,
    ) -> Result<Self> {
        let count = from.count(3)?;
        let terms = (0..count).map(|_| Term::load(from, columns)).collect::<Result<Vec<_>>>()?;
        if terms.len() < 2 {
            return Err(refused("of this learner", "a tree without terms"));
        }
        let tree = Tree::load(from, terms.len(), parameters.max_leaves)?;
        let chosen = chosen(from, &tree, parameters)?;
        let averages = EXPANDING.iter().filter(|operator| operator.is_average()).count();
        let shares = (0..chosen.len() * averages * terms.len()).map(|_| share(from));
        let shares = shares.collect::<Result<Vec<_>>>()?;
        let losses = Vec::new();
        let mut pattern = Self {
            class,
            binary,
            terms,
            tree,
            chosen,
            shares,
            losses,
            oldest: 0,
            expansions: 0,
            prunings: 0,
            largest_z: 0.0,
        };
        let filled = from.count(pattern.count())?;
        if filled > parameters.loss_window {
            return Err(refused("of this learner", format!("losses of {filled} items")));
        }
        for _ in 0..filled * pattern.count() {
            pattern.losses.push(share(from)?);
        }
        pattern.expansions = from.below(MOST)? as u64;
        pattern.prunings = from.below(MOST)? as u64;
        pattern.largest_z = from.real()?;
        if !(0.0..=f64::MAX).contains(&pattern.largest_z) {
            return Err(refused("of this learner", "a z below 0"));
        }
        Ok(pattern)
    }
}

/// Read the leaves that neighbours expand.
fn chosen(
    from: &mut Reader<'_>,
    tree: &Tree,
    parameters: &EfptParameters,
) -> Result<Vec<(usize, usize)>> {
    let count = from.count(1)?;
    let limit = match parameters.expanded_leaves {
        0 => usize::MAX,
        limit => limit,
    };
    let full = tree.leaf_count() >= parameters.max_leaves;
    if count != if full { 0 } else { tree.leaf_count().min(limit) } {
        return Err(refused("of this learner", format!("{count} expanded leaves")));
    }
    let mut found: Vec<(usize, usize)> = Vec::with_capacity(count);
    for _ in 0..count {
        let at = from.below(tree.nodes.len())?;
        match tree.nodes[at] {
            Node::Leaf(term) if found.last().is_none_or(|(last, _)| *last < at) => {
                found.push((at, term));
            }
            _ => return Err(refused("of this learner", "expanded leaves out of order")),
        }
    }
    Ok(found)
}

/// What a tree tells of itself.
pub(super) struct PatternVitals {
    pub(super) leaves: usize,
    pub(super) depth: usize,
    pub(super) neighbours: usize,
    pub(super) expansions: u64,
    pub(super) prunings: u64,
    /// Number of items whose losses are kept.
    pub(super) filled: usize,
    /// Their mean loss.
    pub(super) loss: f64,
    pub(super) largest_z: f64,
}
