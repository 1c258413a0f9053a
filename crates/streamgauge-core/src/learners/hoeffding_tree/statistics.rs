//! The slab of statistics: a block for every leaf and class it has met, and a table of nominal
//! counts for every leaf.
//!
//! A block holds its numeric columns side by side, in groups of eight: means and steepness, which
//! scoring reads, and spreads, which learning and the search for splits read. A table is
//! value-major with the classes side by side, so that an item is scored for eight classes at once.

use super::leaves::Leaves;
use super::nodes::{grow, shrink};
use super::plan::{MISSING, Plan};
use crate::kernels::math::{Product, Products};
use crate::kernels::{F8, LANES, Plain, Simd};
use crate::learners::bells::{Bells, Step, squared, squared_heights};
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// No block, no table.
pub(super) const NOTHING: u32 = u32::MAX;

/// What scoring does not read.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Spread {
    /// Sums of squared departures from the mean.
    pub(super) squares: F8,
    pub(super) lowest: F8,
    pub(super) highest: F8,
}

impl Spread {
    const NONE: Self = Self {
        squares: F8::ZERO,
        lowest: F8([f64::INFINITY; LANES]),
        highest: F8([f64::NEG_INFINITY; LANES]),
    };
}

/// What one class makes of the cells that are there.
pub(super) struct Partial {
    /// Sum of squared distances in units of the variance, halved.
    pub(super) distance: f64,
    /// Product of the squared heights of the bells.
    pub(super) heights: Product,
    /// Product of (count + 1) of the codes, and of the denominators.
    pub(super) counts: Product,
    pub(super) denominators: Product,
    /// Cells of columns the class has never seen filled.
    pub(super) unknown: usize,
}

/// The columns a leaf looks at: numeric ones, and numbers of nominal ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Picks<'a> {
    pub(super) numeric: &'a [u32],
    pub(super) nominal: &'a [u32],
}

#[derive(Debug, Clone, Default)]
pub(super) struct Statistics {
    pub(super) bells: Vec<Bells>,
    pub(super) spreads: Vec<Spread>,
    /// Weight of each block.
    pub(super) weights: Vec<f64>,
    /// Of each block and nominal column: the largest code so far, plus 1; NaN beyond the last.
    pub(super) spans: Vec<F8>,
    /// Weight per column, numeric groups then nominal ones, of blocks that have been taught a
    /// missing cell.
    pub(super) present: Vec<Option<Box<[F8]>>>,
    /// Nominal counts: a table a leaf, classes side by side, and eight cells beyond the last.
    pub(super) counts: Vec<f64>,
    pub(super) free_blocks: Vec<u32>,
    pub(super) free_tables: Vec<u32>,
    tables: usize,
    /// Blocks with weights per column.
    boxes: usize,
    /// Holes have been met: every block may need weights per column.
    pub(super) holes: bool,
}

impl Statistics {
    /// A block that has learnt nothing.
    #[cold]
    pub(super) fn new_block(&mut self, plan: &Plan) -> u32 {
        let mut last = F8::ZERO;
        let used = plan.nominal.len() % LANES;
        last.0[used..].fill(f64::NAN);
        let block = self.free_blocks.pop().unwrap_or(self.weights.len() as u32);
        let at = block as usize;
        if at == self.weights.len() {
            grow(&mut self.weights, at + 1, 0.0);
            grow(&mut self.present, at + 1, None);
            grow(&mut self.bells, (at + 1) * plan.groups, Bells::FLAT);
            grow(&mut self.spreads, (at + 1) * plan.groups, Spread::NONE);
            grow(&mut self.spans, (at + 1) * plan.nominal_groups, F8::ZERO);
        }
        self.weights[at] = 0.0;
        self.bells[at * plan.groups..(at + 1) * plan.groups].fill(Bells::FLAT);
        self.spreads[at * plan.groups..(at + 1) * plan.groups].fill(Spread::NONE);
        let spans = &mut self.spans[at * plan.nominal_groups..(at + 1) * plan.nominal_groups];
        spans.fill(F8::ZERO);
        if let (true, Some(end)) = (used > 0, spans.last_mut()) {
            *end = last;
        }
        block
    }

    /// A table without counts.
    #[cold]
    pub(super) fn new_table(&mut self, plan: &Plan) -> u32 {
        let cells = plan.values * plan.classes;
        let table = self.free_tables.pop().unwrap_or(self.tables as u32);
        let at = table as usize;
        if at == self.tables {
            self.tables += 1;
            grow(&mut self.counts, self.tables * cells + LANES, 0.0);
        }
        self.counts[at * cells..(at + 1) * cells].fill(0.0);
        table
    }

    /// Bytes that one more block takes, and one more table.
    pub(super) fn sizes(&self, plan: &Plan) -> (usize, usize) {
        let numbers = plan.groups * (size_of::<Bells>() + size_of::<Spread>());
        let spans = plan.nominal_groups * size_of::<F8>();
        let index = size_of::<Option<Box<[F8]>>>() + size_of::<f64>() + size_of::<u32>();
        let own = if self.holes { self.box_size(plan) } else { 0 };
        let table = plan.values * plan.classes * size_of::<f64>() + size_of::<u32>();
        // The first table comes with eight cells beyond the last.
        let beyond = if self.tables == 0 { LANES * size_of::<f64>() } else { 0 };
        (numbers + spans + index + own, table + beyond)
    }

    /// Bytes of the weights per column of a block.
    pub(super) fn box_size(&self, plan: &Plan) -> usize {
        (plan.groups + plan.nominal_groups) * size_of::<F8>()
    }

    /// Is there a block to be had without asking for memory?
    pub(super) fn has_block(&self) -> bool {
        !self.free_blocks.is_empty() || self.weights.len() < self.weights.capacity()
    }

    pub(super) fn has_table(&self) -> bool {
        !self.free_tables.is_empty() || self.tables < self.free_tables.capacity()
    }

    /// Room for so many more blocks, and to give all of them back.
    pub(super) fn reserve_blocks(&mut self, plan: &Plan, more: usize) {
        let all = self.weights.len() + more;
        self.weights.reserve_exact(more);
        self.present.reserve_exact(more);
        self.bells.reserve_exact(more * plan.groups);
        self.spreads.reserve_exact(more * plan.groups);
        self.spans.reserve_exact(more * plan.nominal_groups);
        self.free_blocks.reserve_exact(all - self.free_blocks.len());
    }

    pub(super) fn reserve_tables(&mut self, plan: &Plan, more: usize) {
        if more == 0 {
            return;
        }
        let all = self.tables + more;
        let cells = all * plan.values * plan.classes + LANES;
        self.counts.reserve_exact(cells.saturating_sub(self.counts.len()));
        self.free_tables.reserve_exact(all - self.free_tables.len());
    }

    /// Move blocks and tables together, and give the memory behind them back.
    pub(super) fn compact(&mut self, plan: &Plan, leaves: &mut Leaves) {
        let left = self.weights.len() - self.free_blocks.len();
        let mut holes = std::mem::take(&mut self.free_blocks);
        holes.retain(|block| (*block as usize) < left);
        for block in leaves.blocks.iter_mut() {
            if *block == NOTHING || (*block as usize) < left {
                continue;
            }
            let Some(to) = holes.pop() else { continue };
            let (from, at) = (*block as usize, to as usize);
            self.weights[at] = self.weights[from];
            self.present.swap(at, from);
            let (groups, nominal) = (plan.groups, plan.nominal_groups);
            self.bells.copy_within(from * groups..(from + 1) * groups, at * groups);
            self.spreads.copy_within(from * groups..(from + 1) * groups, at * groups);
            self.spans.copy_within(from * nominal..(from + 1) * nominal, at * nominal);
            *block = to;
        }
        shrink(&mut self.weights, left);
        shrink(&mut self.present, left);
        shrink(&mut self.bells, left * plan.groups);
        shrink(&mut self.spreads, left * plan.groups);
        shrink(&mut self.spans, left * plan.nominal_groups);
        self.free_blocks = Vec::with_capacity(left);

        let left = self.tables - self.free_tables.len();
        let cells = plan.values * plan.classes;
        let mut holes = std::mem::take(&mut self.free_tables);
        holes.retain(|table| (*table as usize) < left);
        for head in &mut leaves.heads {
            if head.table == NOTHING || (head.table as usize) < left {
                continue;
            }
            let Some(to) = holes.pop() else { continue };
            let (from, at) = (head.table as usize, to as usize);
            self.counts.copy_within(from * cells..(from + 1) * cells, at * cells);
            head.table = to;
        }
        self.tables = left;
        let cells = if left == 0 { 0 } else { left * cells + LANES };
        shrink(&mut self.counts, cells);
        self.free_tables = Vec::with_capacity(left);
    }

    /// Take a block back.
    pub(super) fn give_back(&mut self, block: u32) {
        self.boxes -= usize::from(self.present[block as usize].take().is_some());
        self.free_blocks.push(block);
    }

    /// The distance of cells without holes from a block's means. NaN if there are holes.
    #[inline(always)]
    pub(super) fn distance<S: Simd>(&self, s: S, groups: usize, block: u32, cells: &[f64]) -> f64 {
        let at = block as usize * groups;
        let bells = &self.bells[at..at + groups];
        let (whole, rest) = cells.as_chunks();
        let mut sum = s.splat(0.0);
        for (x, bells) in whole.iter().zip(bells) {
            sum = s.add(sum, squared(s, s.load(x), bells));
        }
        if let (false, Some(bells)) = (rest.is_empty(), bells.get(whole.len())) {
            sum = s.add(sum, squared(s, s.load_part(rest), bells));
        }
        s.sum(sum)
    }

    /// Teach a block cells without holes; gives the product of the squared heights of its bells.
    #[inline(always)]
    pub(super) fn learn_numbers<S: Simd>(
        &mut self,
        s: S,
        groups: usize,
        block: u32,
        cells: &[f64],
        weight: f64,
    ) -> Product {
        let at = block as usize * groups;
        let step = Step::new(s, weight, self.weights[block as usize]);
        let (bells, spreads) =
            (&mut self.bells[at..at + groups], &mut self.spreads[at..at + groups]);
        let mut heights = Products::new(s);
        let (whole, rest) = cells.as_chunks();
        for ((x, bells), spread) in whole.iter().zip(&mut *bells).zip(&mut *spreads) {
            let x = s.load(x);
            widen(s, x, spread);
            heights.take(s, step.take(x, bells, &mut spread.squares));
        }
        if let (false, Some(bells), Some(spread)) =
            (rest.is_empty(), bells.get_mut(whole.len()), spreads.get_mut(whole.len()))
        {
            let x = s.load_part(rest);
            widen(s, x, spread);
            heights.take(s, step.take(x, bells, &mut spread.squares));
        }
        heights.all(s)
    }

    /// The same with holes, or where there once were some. Numeric cells and nominal weights.
    #[inline(never)]
    pub(super) fn learn_present(
        &mut self,
        plan: &Plan,
        (block, picks): (u32, Picks<'_>),
        (cells, row): (&[f64], &[f64]),
        weight: f64,
    ) -> Product {
        let (s, groups) = (Plain, plan.groups);
        let before = self.weights[block as usize];
        let all = groups + plan.nominal_groups;
        self.boxes += usize::from(self.present[block as usize].is_none());
        let present = self.present[block as usize]
            .get_or_insert_with(|| vec![F8([before; LANES]); all].into_boxed_slice());
        let mut heights = Products::new(s);
        for (g, cells) in cells.chunks(LANES).enumerate() {
            let at = block as usize * groups + g;
            let mut x = [0.0; LANES];
            x[..cells.len()].copy_from_slice(cells);
            let (bells, spread) = (&mut self.bells[at], &mut self.spreads[at]);
            let step = Step::of_present(s, x, weight, &mut present[g]);
            spread.lowest.0 =
                s.known(x, s.lesser(x, s.load(&spread.lowest.0)), s.load(&spread.lowest.0));
            spread.highest.0 =
                s.known(x, s.greater(x, s.load(&spread.highest.0)), s.load(&spread.highest.0));
            // A missing cell is put at the mean, with no weight: it moves nothing.
            let x = s.known(x, x, s.load(&bells.mean.0));
            heights.take(s, step.take(x, bells, &mut spread.squares));
        }
        for &j in picks.nominal {
            if plan.nominal[j as usize].code(row) != MISSING {
                let j = j as usize;
                present[groups + j / LANES].0[j % LANES] += weight;
            }
        }
        heights.all(s)
    }

    /// Teach a block, whose weight has the item's already, and its leaf's table the codes of a
    /// row; gives the product of the denominators.
    #[inline(always)]
    pub(super) fn learn_codes<S: Simd>(
        &mut self,
        s: S,
        plan: &Plan,
        (block, table, picks): (u32, u32, Picks<'_>),
        row: &[f64],
        (class, weight): (usize, f64),
    ) -> Product {
        let groups = plan.nominal_groups;
        let from = table as usize * plan.values * plan.classes;
        let spans = &mut self.spans[block as usize * groups..(block as usize + 1) * groups];
        for &j in picks.nominal {
            let nominal = &plan.nominal[j as usize];
            let code = nominal.code(row);
            if code == MISSING {
                continue;
            }
            self.counts[from + (nominal.offset + code) as usize * plan.classes + class] += weight;
            let span = &mut spans[j as usize / LANES].0[j as usize % LANES];
            *span = span.max(f64::from(code + 1));
        }
        if plan.subspace.is_some() || self.present[block as usize].is_some() {
            return self.denominators(plan, block, picks);
        }
        let total = s.splat(self.weights[block as usize]);
        let mut product = Products::new(s);
        for span in spans.iter() {
            let span = s.load(&span.0);
            product.take(s, s.known(span, s.add(total, span), s.splat(1.0)));
        }
        product.all(s)
    }

    /// The product of a block's denominators where columns differ in weight; those never seen
    /// filled are left out.
    fn denominators(&self, plan: &Plan, block: u32, picks: Picks<'_>) -> Product {
        let mut product = Product::of(1.0);
        for &j in picks.nominal {
            let total = self.weight_of(block, plan.groups, j as usize);
            if total > 0.0 {
                product = product.times(Product::of(total + self.span(plan, block, j as usize)));
            }
        }
        product
    }

    /// A block's largest code of a nominal column, plus 1; 0 if it has met none.
    #[inline(always)]
    pub(super) fn span(&self, plan: &Plan, block: u32, nominal: usize) -> f64 {
        self.spans[block as usize * plan.nominal_groups + nominal / LANES].0[nominal % LANES]
    }

    /// A block's weight in a column: that of the block, or its own.
    #[inline(always)]
    pub(super) fn weight_of(&self, block: u32, first: usize, lane: usize) -> f64 {
        match &self.present[block as usize] {
            Some(present) => present[first + lane / LANES].0[lane % LANES],
            None => self.weights[block as usize],
        }
    }

    /// Columns that a block has never seen filled, though it has been taught.
    pub(super) fn unknown(&self, plan: &Plan, block: u32, picks: Picks<'_>) -> usize {
        let Some(present) = &self.present[block as usize] else { return 0 };
        let empty =
            |first: usize, lane: usize| present[first + lane / LANES].0[lane % LANES] == 0.0;
        (0..picks.numeric.len()).filter(|lane| empty(0, *lane)).count()
            + picks.nominal.iter().filter(|j| empty(plan.groups, **j as usize)).count()
    }

    /// What a class makes of a row with missing cells, or with columns it has never seen filled.
    #[inline(never)]
    pub(super) fn partial(
        &self,
        plan: &Plan,
        (block, table, picks): (u32, u32, Picks<'_>),
        (cells, row): (&[f64], &[f64]),
        class: usize,
    ) -> Partial {
        let s = Plain;
        let (mut distance, mut heights) = (s.splat(0.0), Products::new(s));
        let mut unknown = 0;
        for (g, cells) in cells.chunks(LANES).enumerate() {
            let bells = &self.bells[block as usize * plan.groups + g];
            let mut x = [f64::NAN; LANES];
            for (l, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_nan()) {
                if self.weight_of(block, g, l) > 0.0 {
                    x[l] = *cell;
                } else {
                    unknown += 1;
                }
            }
            let height = squared_heights(s, s.load(&bells.steepness.0));
            distance = s.add(distance, s.known(x, squared(s, x, bells), s.splat(0.0)));
            heights.take(s, s.known(x, height, s.splat(1.0)));
        }
        let (mut counts, mut denominators) = (Product::of(1.0), Product::of(1.0));
        let from = table as usize * plan.values * plan.classes;
        for &j in picks.nominal {
            let nominal = &plan.nominal[j as usize];
            let code = nominal.code(row);
            if code == MISSING {
                continue;
            }
            let total = self.weight_of(block, plan.groups, j as usize);
            if total > 0.0 {
                let at = from + (nominal.offset + code) as usize * plan.classes + class;
                counts = counts.times(Product::of(self.counts[at] + 1.0));
                let factor = total + self.span(plan, block, j as usize);
                denominators = denominators.times(Product::of(factor));
            } else {
                unknown += 1;
            }
        }
        let (distance, heights) = (s.sum(distance), heights.all(s));
        Partial { distance, heights, counts, denominators, unknown }
    }

    pub(super) fn clear(&mut self) {
        self.bells.clear();
        self.spreads.clear();
        self.weights.clear();
        self.spans.clear();
        self.present.clear();
        self.counts.clear();
        self.free_blocks.clear();
        self.free_tables.clear();
        (self.tables, self.boxes, self.holes) = (0, 0, false);
    }

    pub(super) fn bytes(&self, plan: &Plan) -> usize {
        held(&self.bells)
            + held(&self.spreads)
            + held(&self.weights)
            + held(&self.counts)
            + held(&self.spans)
            + held(&self.present)
            + held(&self.free_blocks)
            + held(&self.free_tables)
            + self.boxes * self.box_size(plan)
    }

    pub(super) fn save(&self, plan: &Plan, out: &mut Writer) {
        out.whole(self.holes.into());
        out.whole(self.weights.capacity() as u64);
        out.whole(self.free_tables.capacity() as u64);
        out.whole(self.weights.len() as u64);
        for at in 0..self.weights.len() {
            out.real(self.weights[at]);
            for g in at * plan.groups..(at + 1) * plan.groups {
                out.reals(&self.bells[g].mean.0);
                out.reals(&self.bells[g].steepness.0);
                out.reals(&self.spreads[g].squares.0);
                out.reals(&self.spreads[g].lowest.0);
                out.reals(&self.spreads[g].highest.0);
            }
            for g in at * plan.nominal_groups..(at + 1) * plan.nominal_groups {
                out.reals(&self.spans[g].0);
            }
            out.whole(self.present[at].is_some().into());
            self.present[at].iter().flatten().for_each(|eight| out.reals(&eight.0));
        }
        out.whole(self.tables as u64);
        out.reals(&self.counts[..self.tables * plan.values * plan.classes]);
        for free in [&self.free_blocks, &self.free_tables] {
            out.whole(free.len() as u64);
            free.iter().for_each(|index| out.whole(u64::from(*index)));
        }
    }

    pub(super) fn load(&mut self, plan: &Plan, from: &mut Reader<'_>) -> crate::Result<()> {
        self.clear();
        self.holes = from.below(2)? == 1;
        let (blocks, tables) = (from.whole()?, from.whole()?);
        let words = 2 + LANES * (5 * plan.groups + plan.nominal_groups);
        let count = from.count(words)?;
        self.reserve_blocks(plan, room(count, blocks, 1)?);
        for at in 0..count {
            self.new_block(plan);
            self.weights[at] = weight(from)?;
            for g in at * plan.groups..(at + 1) * plan.groups {
                finite(from, &mut self.bells[g].mean)?;
                // Steepness and squares stay what learning can make them.
                positive(from, &mut self.bells[g].steepness)?;
                positive(from, &mut self.spreads[g].squares)?;
                from.reals(&mut self.spreads[g].lowest.0)?;
                from.reals(&mut self.spreads[g].highest.0)?;
            }
            for g in at * plan.nominal_groups..(at + 1) * plan.nominal_groups {
                from.reals(&mut self.spans[g].0)?;
            }
            for (g, spans) in self.spans[at * plan.nominal_groups..].iter().enumerate() {
                for (l, span) in spans.0.iter().enumerate() {
                    let most = plan.nominal.get(g * LANES + l).map(|n| f64::from(n.values));
                    let legal = match most {
                        Some(most) => span.fract() == 0.0 && (0.0..=most).contains(span),
                        None => span.is_nan(),
                    };
                    if !legal {
                        return Err(refused("whole", "a number out of its range"));
                    }
                }
            }
            if from.below(2)? == 1 {
                let mut own = vec![F8::ZERO; plan.groups + plan.nominal_groups];
                for eight in &mut own {
                    positive(from, eight)?;
                }
                self.present[at] = Some(own.into_boxed_slice());
                self.boxes += 1;
            }
        }
        let cells = plan.values * plan.classes;
        let count = from.count(cells)?;
        self.reserve_tables(plan, room(count, tables, 1)?);
        for _ in 0..count {
            self.new_table(plan);
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

    /// How many blocks and tables there are, free ones included.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.weights.len(), self.tables)
    }
}

/// How much room a list of so many had, if it can have had it: a thirty-second more than it needed,
/// or what one more thing needs.
pub(super) fn room(count: usize, had: u64, one: usize) -> crate::Result<usize> {
    let most = count + count / 32 + one;
    match usize::try_from(had) {
        // What was cut after it had grown may have been longer.
        Ok(had) if had >= count && had <= most + most / 32 + 1 => Ok(had),
        _ => Err(refused("whole", "a number out of its range")),
    }
}

/// A weight, as learning can have made it.
pub(super) fn weight(from: &mut Reader<'_>) -> crate::Result<f64> {
    match from.real()? {
        x if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err(refused("whole", "a number out of its range")),
    }
}

fn finite(from: &mut Reader<'_>, into: &mut F8) -> crate::Result<()> {
    from.reals(&mut into.0)?;
    if into.0.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(refused("whole", "a number out of its range"))
}

fn positive(from: &mut Reader<'_>, into: &mut F8) -> crate::Result<()> {
    from.reals(&mut into.0)?;
    if into.0.iter().all(|x| *x >= 0.0) {
        return Ok(());
    }
    Err(refused("whole", "a number out of its range"))
}

/// Take cells into the extremes.
#[inline(always)]
fn widen<S: Simd>(s: S, x: S::V, spread: &mut Spread) {
    s.store(s.lesser(x, s.load(&spread.lowest.0)), &mut spread.lowest.0);
    s.store(s.greater(x, s.load(&spread.highest.0)), &mut spread.highest.0);
}
