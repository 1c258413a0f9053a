//! ADWIN: a window of losses that drops its oldest ones while two parts differ in mean.

use super::{Detector, State, Test};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer, refused};
use crate::parameters::Parameters;

/// Maximum number of bucket rows; a window of 2^47 losses is out of reach.
const ROWS: usize = 48;

/// ADWIN2 of Bifet and Gavaldà (2007): a window of losses, kept as sums of buckets whose sizes
/// are powers of two, that drops its oldest bucket while two of its parts differ in mean.
///
/// Stored sums are never reduced: the mean and the variance of the window are
/// summed from the buckets at each check for cuts.
#[derive(Debug, Clone)]
pub struct Adwin {
    delta: f64,
    clock: u64,
    max_buckets: usize,
    /// Minimum length of a part in the bound of a cut.
    min_window_length: f64,
    /// Minimum length of a part that is compared; another one only in MOA's variant.
    min_compared_length: f64,
    grace_period: u64,
    /// Row i holds buckets of 2^i losses in a ring of `ring_size` (a power of two) entries.
    buckets: Vec<Bucket>,
    rows: Vec<Row>,
    ring_size: usize,
    width: u64,
    ticks: u64,
    cut_list: CutList,
    /// Highest row that has changed since the cuts were listed.
    touched: usize,
    /// List all cuts at each check instead of keeping the list.
    lean: bool,
}

/// The buckets of a window with cumulative sums, oldest first, and the start of each row.
#[derive(Debug, Clone, Default)]
struct CutList {
    cuts: Vec<Cut>,
    starts: Vec<usize>,
}

impl CutList {
    fn bytes(&self) -> usize {
        size_of::<Cut>() * self.cuts.capacity() + size_of::<usize>() * self.starts.capacity()
    }
}

/// Sum of a bucket's losses, and sum of their squared distances to their mean.
#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    total: f64,
    spread: f64,
}

/// Ring position of a row's oldest bucket, and number of buckets.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    head: usize,
    used: usize,
}

impl Adwin {
    /// `delta`: confidence; cuts are checked every `clock` losses once there are more than
    /// `grace_period`; at most `max_buckets` buckets per size; parts shorter than
    /// `min_window_length` are not compared.
    pub fn new(
        delta: f64,
        clock: u64,
        max_buckets: usize,
        min_window_length: u64,
        grace_period: u64,
    ) -> Result<Self> {
        if !(delta > 0.0 && delta < 1.0) {
            return Err(parameter("ADWIN", "delta", "above 0 and below 1", delta));
        }
        for (what, got, least) in [
            ("clock", clock, 1),
            ("max_buckets", max_buckets as u64, 2),
            ("min_window_length", min_window_length, 1),
        ] {
            if !(least..1 << 40).contains(&got) {
                let must = format!("a whole number from {least} to 2**40 - 1");
                return Err(parameter("ADWIN", what, must, got));
            }
        }
        let ring_size = (max_buckets + 1).next_power_of_two();
        let (buckets, rows) = (vec![Bucket::default(); ring_size], vec![Row::default()]);
        let min_window_length = min_window_length as f64;
        let (width, ticks, touched) = (0, 0, 0);
        let (cut_list, lean) = (CutList::default(), false);
        let mut empty = Self {
            delta,
            clock,
            max_buckets,
            min_window_length,
            min_compared_length: min_window_length,
            grace_period,
            buckets,
            rows,
            ring_size,
            width,
            ticks,
            cut_list,
            touched,
            lean,
        };
        empty.fit();
        Ok(empty)
    }

    /// The same detector with a third of the memory and a slightly slower check for cuts.
    pub(crate) fn lean(mut self) -> Self {
        self.lean = true;
        self.drop_cuts();
        self
    }

    fn drop_cuts(&mut self) {
        (self.cut_list, self.touched) = (CutList::default(), ROWS);
    }

    /// An empty window with the same parameters.
    pub(crate) fn emptied(&self) -> Self {
        let mut empty = self.clone();
        empty.reset();
        empty
    }

    /// Drop the oldest row of buckets, which has the largest ones: with five buckets per row from
    /// about a sixth to five ninths of the window. False if there is only one row.
    pub(crate) fn forget_row(&mut self) -> bool {
        let rows = self.rows.len();
        while rows > 1 && self.rows.len() == rows {
            self.drop_oldest();
        }
        rows > 1
    }

    /// Set capacities to exactly what the rows need, so that equal windows use equally many bytes
    /// and a memory limit acts the same after a load.
    #[cold]
    fn fit(&mut self) {
        let rows = self.rows.len();
        set_capacity(&mut self.rows, rows);
        set_capacity(&mut self.buckets, rows * self.ring_size);
        if !self.lean {
            set_capacity(&mut self.cut_list.cuts, rows * self.max_buckets);
            set_capacity(&mut self.cut_list.starts, rows);
        }
    }

    /// MOA's variant: the bound allows for parts of five, but only parts of at least seven are
    /// compared.
    pub(crate) fn of_moa(delta: f64) -> Result<Self> {
        Ok(Self { min_compared_length: 7.0, ..Self::new(delta, 32, 5, 5, 10)? })
    }

    /// Number of losses in the window.
    pub fn width(&self) -> u64 {
        self.width
    }

    /// Mean of the losses in the window, summed on each call; 0 if it is empty.
    pub fn mean(&self) -> f64 {
        if self.width == 0 { 0.0 } else { self.total() / self.width as f64 }
    }

    /// The sum of the losses in the window.
    pub(crate) fn total(&self) -> f64 {
        (0..self.rows.len()).flat_map(|row| self.row(row)).map(|bucket| bucket.total).sum()
    }

    /// Whether cuts are checked after the next loss, if the window is longer than the grace period.
    pub(crate) fn due(&self) -> bool {
        self.ticks + 1 >= self.clock
    }

    #[inline(always)]
    fn bucket_index(&self, row: usize, nth: usize) -> usize {
        row * self.ring_size + ((self.rows[row].head + nth) & (self.ring_size - 1))
    }

    /// The buckets of a row, the oldest first.
    #[inline(always)]
    fn row(&self, row: usize) -> impl Iterator<Item = Bucket> + '_ {
        let Row { head, used } = self.rows[row];
        let ring = &self.buckets[row * self.ring_size..(row + 1) * self.ring_size];
        (head..head + used).map(move |at| ring[at & (ring.len() - 1)])
    }

    #[inline(always)]
    fn push(&mut self, loss: f64) {
        self.width += 1;
        let index = self.bucket_index(0, self.rows[0].used);
        self.buckets[index] = Bucket { total: loss, spread: 0.0 };
        self.rows[0].used += 1;
        if self.rows[0].used > self.max_buckets {
            self.merge();
        }
    }

    /// The two oldest buckets of a full row become one of the next.
    #[inline(always)]
    fn merge(&mut self) {
        let mut row = 0;
        let mut size = 2.0;
        while self.rows[row].used > self.max_buckets {
            let a = self.buckets[self.bucket_index(row, 0)];
            let b = self.buckets[self.bucket_index(row, 1)];
            let gap = a.total - b.total;
            let spread = a.spread + b.spread + gap * gap / size;
            self.rows[row].head = (self.rows[row].head + 2) & (self.ring_size - 1);
            self.rows[row].used -= 2;
            row += 1;
            size *= 2.0;
            if row == self.rows.len() {
                self.rows.push(Row::default());
                self.fit();
                self.buckets.resize(self.ring_size * self.rows.len(), Bucket::default());
            }
            let index = self.bucket_index(row, self.rows[row].used);
            self.buckets[index] = Bucket { total: a.total + b.total, spread };
            self.rows[row].used += 1;
        }
        self.touched = self.touched.max(row);
    }

    #[cold]
    fn drop_oldest(&mut self) {
        let row = self.rows.len() - 1;
        self.width -= 1 << row;
        self.rows[row].head = (self.rows[row].head + 1) & (self.ring_size - 1);
        self.rows[row].used -= 1;
        while self.rows.len() > 1 && self.rows[self.rows.len() - 1].used == 0 {
            self.rows.pop();
        }
        if self.rows.len() <= row {
            self.buckets.truncate(self.ring_size * self.rows.len());
            self.cut_list.cuts.clear();
            self.cut_list.starts.clear();
            self.fit();
        }
        self.touched = row;
    }

    /// List the cuts again from the first changed row on; older ones are unchanged.
    fn update_cuts(&mut self) {
        let rows = self.rows.len();
        let CutList { cuts, starts } = &mut self.cut_list;
        if self.lean {
            cuts.reserve_exact(rows * self.max_buckets);
        }
        // The list starts with the oldest bucket, so a row follows all higher rows.
        let stays = if self.touched < rows { starts.get(self.touched).copied() } else { None };
        cuts.truncate(stays.unwrap_or(0));
        starts.resize(rows, 0);
        let mut last = cuts.last().copied().unwrap_or_default();
        for row in (0..rows.min(self.touched + 1)).rev() {
            starts[row] = cuts.len();
            let size = (1u64 << row) as f64;
            let Row { head, used } = self.rows[row];
            let ring = &self.buckets[row * self.ring_size..(row + 1) * self.ring_size];
            for at in head..head + used {
                let bucket = ring[at & (ring.len() - 1)];
                last = Cut {
                    size,
                    inverse: 1.0 / size,
                    total: bucket.total,
                    old: last.old + size,
                    old_total: last.old_total + bucket.total,
                    within: last.within + bucket.spread,
                };
                cuts.push(last);
            }
        }
        self.touched = 0;
    }

    /// Whether the parts on both sides of any cut differ.
    fn cut(&mut self) -> bool {
        self.update_cuts();
        let cuts = self.cut_list.cuts.iter();
        self.bound().is_some_and(|bound| {
            cuts.into_iter().any(|cut| bound.may_be_passed(cut) && bound.passed(cut))
        })
    }

    /// The bound of the listed cuts; None for an empty window.
    #[inline(always)]
    fn bound(&self) -> Option<Bound> {
        let cut_list = &self.cut_list.cuts;
        let &Cut { old: width, old_total: total, within, .. } = cut_list.last()?;
        let spread = within + between(cut_list, total / width);
        let confidence = (2.0 * width.ln() / self.delta).ln();
        Some(Bound {
            width,
            total,
            min_window_length: self.min_window_length,
            min_compared_length: self.min_compared_length,
            by_spread: 2.0 * spread / width * confidence,
            by_size: 2.0 / 3.0 * confidence,
        })
    }

    /// The test of the cut whose parts differ most, as a share of the bound.
    fn closest_test(&mut self) -> Test {
        self.update_cuts();
        let Some(bound) = self.bound() else { return Test::NONE };
        let compared = self.cut_list.cuts.iter().filter(|cut| bound.compares(cut));
        compared.map(|cut| bound.test(cut)).fold(Test::NONE, Test::or_closer)
    }
}

/// Set the capacity of a vector, or its length if that is more.
fn set_capacity<T>(vector: &mut Vec<T>, capacity: usize) {
    vector.reserve_exact(capacity.saturating_sub(vector.len()));
    vector.shrink_to(capacity);
}

/// Sum over buckets of size times squared distance of the bucket mean to the overall mean.
fn between(cut_list: &[Cut], mean: f64) -> f64 {
    let term = |cut: &Cut| {
        let gap = cut.total - cut.size * mean;
        gap * gap * cut.inverse
    };
    let (fours, rest) = cut_list.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    for four in fours {
        for (lane, cut) in lanes.iter_mut().zip(four) {
            *lane += term(cut);
        }
    }
    lanes[0] + lanes[1] + (lanes[2] + lanes[3]) + rest.iter().map(term).sum::<f64>()
}

/// A bucket of the window and the cut at its end: size and sum of the bucket, and the count, sum
/// and within-bucket spread of all losses up to the cut.
#[derive(Debug, Clone, Copy, Default)]
struct Cut {
    size: f64,
    inverse: f64,
    total: f64,
    old: f64,
    old_total: f64,
    within: f64,
}

/// Largest difference allowed between the means of two parts of a window.
struct Bound {
    width: f64,
    total: f64,
    min_window_length: f64,
    min_compared_length: f64,
    by_spread: f64,
    by_size: f64,
}

impl Bound {
    /// Whether the difference may exceed the bound: a necessary condition without divisions.
    #[inline(always)]
    fn may_be_passed(&self, &Cut { old, old_total, .. }: &Cut) -> bool {
        let new = self.width - old;
        let (a, b) = (old - self.min_window_length + 1.0, new - self.min_window_length + 1.0);
        let (gap, both) = (old_total * self.width - self.total * old, old * new);
        // The bound exceeds sqrt(m * by_spread) by more than rounding errors.
        gap * gap * (a * b) >= (1.0 - 1e-9) * self.by_spread * (a + b) * (both * both)
    }

    /// |old mean - new mean| > sqrt(m * by_spread) + m * by_size, where both parts are long enough.
    fn passed(&self, cut: &Cut) -> bool {
        if !self.compares(cut) {
            return false;
        }
        let test = self.test(cut);
        test.statistic > test.threshold
    }

    /// Whether both parts are long enough.
    fn compares(&self, &Cut { old, .. }: &Cut) -> bool {
        old >= self.min_compared_length && self.width - old >= self.min_compared_length
    }

    fn test(&self, &Cut { old, old_total, .. }: &Cut) -> Test {
        let new = self.width - old;
        let m =
            1.0 / (old - self.min_window_length + 1.0) + 1.0 / (new - self.min_window_length + 1.0);
        Test {
            statistic: (old_total / old - (self.total - old_total) / new).abs(),
            threshold: (m * self.by_spread).sqrt() + m * self.by_size,
        }
    }
}

impl Detector for Adwin {
    fn name(&self) -> &'static str {
        "ADWIN"
    }

    #[inline(always)]
    fn observe(&mut self, loss: f64) -> State {
        self.push(loss);
        self.ticks += 1;
        if self.ticks < self.clock {
            return State::Normal;
        }
        self.ticks = 0;
        if self.width <= self.grace_period {
            return State::Normal;
        }
        let mut state = State::Normal;
        while self.cut() {
            self.drop_oldest();
            state = State::Alarm;
        }
        if self.lean {
            self.drop_cuts();
        }
        state
    }

    /// Unknown afterwards, as buckets are dropped and merged; see `observe_traced`.
    fn last_test(&self) -> Test {
        Test::NONE
    }

    /// The test is made before buckets are dropped.
    fn observe_traced(&mut self, loss: f64) -> (State, Test) {
        let tested = self.due() && self.width + 1 > self.grace_period;
        let mut test = Test::NONE;
        if tested {
            let mut after = self.clone();
            after.push(loss);
            test = after.closest_test();
        }
        (self.observe(loss), test)
    }

    fn reset(&mut self) {
        self.buckets.truncate(self.ring_size);
        self.rows.clear();
        self.rows.push(Row::default());
        (self.width, self.ticks, self.touched) = (0, 0, 0);
        self.cut_list.cuts.clear();
        self.cut_list.starts.clear();
        self.fit();
    }

    /// The remaining window is of the new concept and is kept.
    fn after_alarm(&mut self) {}

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of::<Bucket>() * self.buckets.capacity()
            + size_of::<Row>() * self.rows.capacity()
            + self.cut_list.bytes()
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.rows.len() as u64);
        for row in 0..self.rows.len() {
            out.whole(self.rows[row].used as u64);
            self.row(row).for_each(|b| out.reals(&[b.total, b.spread]));
        }
        out.whole(self.width);
        out.whole(self.ticks);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.reset();
        let rows = from.below(ROWS + 1)?;
        self.rows = vec![Row::default(); rows.max(1)];
        self.buckets = vec![Bucket::default(); self.ring_size * self.rows.len()];
        for row in 0..rows {
            self.rows[row].used = from.below(self.max_buckets + 1)?;
            self.width += (self.rows[row].used as u64) << row;
            for nth in 0..self.rows[row].used {
                let index = self.bucket_index(row, nth);
                self.buckets[index] = Bucket { total: from.real()?, spread: from.real()? };
            }
        }
        // The oldest row is empty only if it is the only one.
        if from.whole()? != self.width || rows > 1 && self.rows[rows - 1].used == 0 {
            return Err(refused("valid", "inconsistent buckets"));
        }
        self.ticks = from.below(self.clock as usize)? as u64;
        self.touched = self.rows.len();
        self.fit();
        Ok(())
    }
}

/// Make the detector from its parameters and the seed of its draws.
pub(super) fn make(p: &Parameters, _: u64) -> Result<Box<dyn Detector>> {
    Ok(Box::new(Adwin::new(
        p.real("delta")?,
        p.count("clock")?,
        p.whole("max_buckets")?,
        p.count("min_window_length")?,
        p.count("grace_period")?,
    )?))
}

#[cfg(test)]
mod tests {
    use super::Adwin;
    use crate::detectors::Detector;
    use crate::error::Result;

    #[test]
    fn the_moa_variant_does_not_compare_parts_below_seven() -> Result<()> {
        let width = |mut adwin: Adwin| {
            for t in 0..32 {
                adwin.observe(if t < 26 { 0.0 } else { 50.0 });
            }
            adwin.width()
        };
        assert_eq!(width(Adwin::new(0.3, 32, 5, 5, 10)?), 12);
        assert_eq!(width(Adwin::of_moa(0.3)?), 16);
        Ok(())
    }
}
