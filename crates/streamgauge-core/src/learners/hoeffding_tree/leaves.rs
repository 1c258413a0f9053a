//! Leaves: how often each class came, how right the two answers were, and where the statistics
//! lie. A leaf that is split keeps its slot, as the distribution of the split.

use super::nodes::grow;
use super::plan::Plan;
use super::state::{given_back, room, weight};
use super::statistics::NOTHING;
use crate::NONE;
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// What a slot stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A leaf that has kept no statistics yet: its classes are all it knows.
    Fresh,
    /// A leaf with statistics.
    Active,
    /// A leaf that counts classes and nothing else.
    Inactive,
    /// A split.
    Split,
    /// Nothing: given back.
    Free,
}

const KINDS: [Kind; 5] = [Kind::Fresh, Kind::Active, Kind::Inactive, Kind::Split, Kind::Free];

/// The head of a leaf.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    /// Weight of all its classes, what it inherited included.
    pub(super) seen: f64,
    /// The same at the last attempt to split.
    pub(super) last: f64,
    /// Weight the majority was right on, and naive Bayes.
    pub(super) right_majority: f64,
    pub(super) right_bayes: f64,
    /// Grows whenever the leaf learns.
    pub(super) version: u32,
    /// The count of splits when the slot became what it is.
    pub(super) born: u32,
    /// The most frequent class, `NONE` if it knows none.
    pub(super) majority: i32,
    /// Classes up to the last one met: what MOA takes for the number of classes.
    pub(super) length: u32,
    pub(super) table: u32,
    pub(super) node: u32,
    /// The slot of the split above.
    pub(super) parent: u32,
    /// Classes with columns they have never seen filled.
    pub(super) gaps: u16,
    pub(super) kind: Kind,
}

/// All leaves, and what splits keep of having been one.
#[derive(Debug, Clone, Default)]
pub(super) struct Leaves {
    pub(super) heads: Vec<Head>,
    /// Of each slot and class: its weight, the part of its score that no cell changes (-inf until
    /// it has statistics), and its block.
    pub(super) weights: Vec<f64>,
    pub(super) constants: Vec<f64>,
    pub(super) blocks: Vec<u32>,
    /// Columns that each leaf looks at, if not all: numeric ones, then numbers of nominal ones.
    pub(super) picks: Vec<u32>,
    /// How many of them are numeric.
    pub(super) numbers: Vec<u32>,
    pub(super) free: Vec<u32>,
    /// Leaves ever made.
    pub(super) made: u64,
}

impl Leaves {
    /// A leaf that inherits these weights of classes, `length` of them met.
    pub(super) fn add(
        &mut self,
        plan: &Plan,
        weights: &[f64],
        length: usize,
        (node, parent, born): (u32, u32, u32),
    ) -> u32 {
        let classes = plan.classes;
        let slot = self.free.pop().unwrap_or(self.heads.len() as u32);
        let at = slot as usize;
        let seen = weights[..length].iter().sum();
        let head = Head {
            seen,
            last: seen,
            right_majority: 0.0,
            right_bayes: 0.0,
            version: 0,
            born,
            majority: majority(&weights[..length]),
            length: length as u32,
            table: NOTHING,
            node,
            parent,
            gaps: 0,
            kind: Kind::Fresh,
        };
        if at == self.heads.len() {
            grow(&mut self.heads, at + 1, head);
            grow(&mut self.weights, (at + 1) * classes, 0.0);
            grow(&mut self.constants, (at + 1) * classes, f64::NEG_INFINITY);
            grow(&mut self.blocks, (at + 1) * classes, NOTHING);
        }
        self.heads[at] = head;
        self.weights[at * classes..(at + 1) * classes].copy_from_slice(weights);
        self.constants[at * classes..(at + 1) * classes].fill(f64::NEG_INFINITY);
        self.blocks[at * classes..(at + 1) * classes].fill(NOTHING);
        if let Some(most) = plan.subspace {
            let (numeric, nominal) = plan.draw(self.made);
            grow(&mut self.picks, (at + 1) * most, 0);
            grow(&mut self.numbers, at + 1, 0);
            self.numbers[at] = numeric.len() as u32;
            let picks = &mut self.picks[at * most..(at + 1) * most];
            picks[..numeric.len()].copy_from_slice(&numeric);
            picks[numeric.len()..].copy_from_slice(&nominal);
        }
        self.made += 1;
        slot
    }

    #[inline(always)]
    pub(super) fn head(&self, slot: u32) -> &Head {
        &self.heads[slot as usize]
    }

    /// Weights of the classes of a slot.
    #[inline(always)]
    pub(super) fn weights(&self, plan: &Plan, slot: u32) -> &[f64] {
        let at = slot as usize * plan.classes;
        &self.weights[at..at + plan.classes]
    }

    /// The slot itself if it has met a class, else the nearest above that has.
    #[inline(always)]
    pub(super) fn with_mass(&self, mut slot: u32) -> u32 {
        while self.heads[slot as usize].seen == 0.0 && self.heads[slot as usize].parent != NOTHING {
            slot = self.heads[slot as usize].parent;
        }
        slot
    }

    /// Count a class. The most frequent is the first of equals.
    #[inline(always)]
    pub(super) fn count(&mut self, plan: &Plan, slot: u32, class: usize, weight: f64) -> f64 {
        let at = slot as usize * plan.classes;
        let weights = &mut self.weights[at..at + plan.classes];
        weights[class] += weight;
        let after = weights[class];
        let head = &mut self.heads[slot as usize];
        let highest = usize::try_from(head.majority).map_or(f64::NEG_INFINITY, |c| weights[c]);
        if after > highest || (after == highest && (class as i32) < head.majority) {
            head.majority = class as i32;
        }
        head.seen += weight;
        head.length = head.length.max(class as u32 + 1);
        head.version = head.version.wrapping_add(1);
        after
    }

    pub(super) fn clear(&mut self) {
        self.heads.clear();
        self.weights.clear();
        self.constants.clear();
        self.blocks.clear();
        self.picks.clear();
        self.numbers.clear();
        self.free.clear();
    }

    /// Slots to be had without asking for memory.
    pub(super) fn left(&self) -> usize {
        self.free.len() + self.heads.capacity() - self.heads.len()
    }

    /// Bytes that one more takes.
    pub(super) fn size(&self, plan: &Plan) -> usize {
        let picks = plan.subspace.map_or(0, |most| (most + 1) * size_of::<u32>());
        let class = 2 * size_of::<f64>() + size_of::<u32>();
        size_of::<Head>() + plan.classes * class + picks
    }

    pub(super) fn reserve_exact(&mut self, plan: &Plan, more: usize) {
        self.heads.reserve_exact(more);
        self.weights.reserve_exact(more * plan.classes);
        self.constants.reserve_exact(more * plan.classes);
        self.blocks.reserve_exact(more * plan.classes);
        if let Some(most) = plan.subspace {
            self.picks.reserve_exact(more * most);
            self.numbers.reserve_exact(more);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.heads)
            + held(&self.weights)
            + held(&self.constants)
            + held(&self.blocks)
            + held(&self.picks)
            + held(&self.numbers)
            + held(&self.free)
    }

    pub(super) fn save(&self, plan: &Plan, out: &mut Writer) {
        out.whole(self.made);
        out.whole(self.heads.capacity() as u64);
        out.whole(self.heads.len() as u64);
        for (at, head) in self.heads.iter().enumerate() {
            out.reals(&[head.seen, head.last, head.right_majority, head.right_bayes]);
            let pairs = [
                (head.version, head.born),
                (head.majority as u32, head.length),
                (head.table, head.node),
                (head.parent, u32::from(head.gaps) << 8 | head.kind as u32),
            ];
            pairs.iter().for_each(|(a, b)| out.whole(u64::from(*a) << 32 | u64::from(*b)));
            let classes = at * plan.classes..(at + 1) * plan.classes;
            out.reals(&self.weights[classes.clone()]);
            out.reals(&self.constants[classes.clone()]);
            self.blocks[classes].iter().for_each(|block| out.whole(u64::from(*block)));
            if let Some(most) = plan.subspace {
                out.whole(u64::from(self.numbers[at]));
                let picks = &self.picks[at * most..(at + 1) * most];
                picks.iter().for_each(|pick| out.whole(u64::from(*pick)));
            }
        }
        out.whole(self.free.capacity() as u64);
        out.whole(self.free.len() as u64);
        self.free.iter().for_each(|slot| out.whole(u64::from(*slot)));
    }

    pub(super) fn load(&mut self, plan: &Plan, from: &mut Reader<'_>) -> crate::Result<()> {
        let bad = || refused("whole", "a number out of its range");
        self.clear();
        let made = from.whole()?;
        let had = from.whole()?;
        let count = from.count(8 + 3 * plan.classes)?;
        let most = plan.nominal.iter().map(|nominal| nominal.values as usize).max();
        self.reserve_exact(plan, room(count, had, most.unwrap_or(2).max(2))?);
        let nothing = vec![0.0; plan.classes];
        for at in 0..count {
            self.add(plan, &nothing, 0, (0, NOTHING, 0));
            let head = &mut self.heads[at];
            (head.seen, head.last) = (weight(from)?, weight(from)?);
            (head.right_majority, head.right_bayes) = (weight(from)?, weight(from)?);
            let mut pair = || from.whole().map(|word| ((word >> 32) as u32, word as u32));
            (head.version, head.born) = pair()?;
            let (majority, length) = pair()?;
            (head.majority, head.length) = (majority as i32, length);
            (head.table, head.node) = pair()?;
            let (parent, rest) = pair()?;
            (head.parent, head.gaps) = (parent, (rest >> 8) as u16);
            head.kind = *KINDS.get((rest & 0xff) as usize).ok_or_else(bad)?;
            let known = head.majority == NONE || usize::try_from(head.majority).is_ok();
            if !known
                || head.majority >= plan.classes as i32
                || length as usize > plan.classes
                || (head.majority == NONE) != (length == 0)
                || usize::from(head.gaps) > plan.classes
            {
                return Err(bad());
            }
            for weights in &mut self.weights[at * plan.classes..] {
                *weights = weight(from)?;
            }
            for constant in &mut self.constants[at * plan.classes..] {
                *constant = from.real()?;
                if constant.is_nan() {
                    return Err(bad());
                }
            }
            for block in &mut self.blocks[at * plan.classes..] {
                *block = u32::try_from(from.whole()?).map_err(|_| bad())?;
            }
            if let Some(most) = plan.subspace {
                let numbers = from.below(plan.groups * crate::kernels::LANES + 1)?;
                if numbers > most {
                    return Err(bad());
                }
                self.numbers[at] = numbers as u32;
                for (i, pick) in self.picks[at * most..].iter_mut().enumerate() {
                    let limit = if i < numbers { plan.width } else { plan.nominal.len() };
                    *pick = from.below(limit)? as u32;
                }
            }
        }
        self.free = given_back(from, count)?;
        for _ in 0..from.count(1)? {
            self.free.push(from.below(count)? as u32);
        }
        self.made = made;
        self.check()
    }

    /// What is free is free once.
    fn check(&self) -> crate::Result<()> {
        let bad = || refused("a tree", "leaves that are none");
        let free = self.heads.iter().filter(|head| head.kind == Kind::Free).count();
        let all_free = self.free.iter().all(|slot| self.heads[*slot as usize].kind == Kind::Free);
        let mut once = self.free.clone();
        once.sort_unstable();
        once.dedup();
        if !all_free || once.len() != free || self.free.len() != free {
            return Err(bad());
        }
        Ok(())
    }
}

/// The first of the heaviest classes; `NONE` if there are none.
pub(super) fn majority(weights: &[f64]) -> i32 {
    let mut best = NONE;
    let mut highest = f64::NEG_INFINITY;
    for (class, &weight) in weights.iter().enumerate() {
        if weight > highest {
            (best, highest) = (class as i32, weight);
        }
    }
    best
}
