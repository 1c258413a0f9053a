//! ADWIN.

use super::{Detector, State};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer, refused};

/// As many rows as a window can ever have: one of 2^47 losses is out of reach.
const ROWS: usize = 48;

/// ADWIN2 of Bifet and Gavaldà (2007): a window of losses, kept as sums of buckets whose sizes
/// are powers of two, that drops its oldest bucket while two of its parts differ in mean.
///
/// Of real sums nothing is subtracted: the mean and the variance of the window are added up from
/// the buckets whenever cuts are looked at.
#[derive(Debug, Clone)]
pub struct Adwin {
    delta: f64,
    clock: u64,
    most: usize,
    shortest: f64,
    /// What the shorter part must have at least.
    least: f64,
    grace: u64,
    /// Row i holds buckets of 2^i losses: a ring of `places` (a power of two) each.
    buckets: Vec<Bucket>,
    rows: Vec<Row>,
    places: usize,
    width: u64,
    ticks: u64,
    line: Line,
    /// The highest row that has changed since the line was written.
    touched: usize,
    /// The line is written whole whenever cuts are looked at, and not kept.
    lean: bool,
}

/// The buckets as they lie in a window, and where each row begins there.
#[derive(Debug, Clone, Default)]
struct Line {
    cuts: Vec<Cut>,
    starts: Vec<usize>,
}

impl Line {
    fn bytes(&self) -> usize {
        size_of::<Cut>() * self.cuts.capacity() + size_of::<usize>() * self.starts.capacity()
    }
}

/// The sum of a bucket's losses, and of their squared distances to their mean.
#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    total: f64,
    spread: f64,
}

/// Where in its ring a row's oldest bucket lies, and how many there are.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    head: usize,
    used: usize,
}

impl Adwin {
    /// `delta`: confidence; cuts are looked at every `clock` losses once there are more than
    /// `grace`; at most `most` buckets of a size; parts shorter than `shortest` are not compared.
    pub fn new(delta: f64, clock: u64, most: usize, shortest: u64, grace: u64) -> Result<Self> {
        if !(delta > 0.0 && delta < 1.0) {
            return Err(parameter("ADWIN", "delta", "above 0 and below 1", delta));
        }
        for (what, got, least) in
            [("clock", clock, 1), ("buckets", most as u64, 2), ("shortest", shortest, 1)]
        {
            if !(least..1 << 40).contains(&got) {
                let must = format!("a whole number, at least {least}");
                return Err(parameter("ADWIN", what, must, got));
            }
        }
        let places = (most + 1).next_power_of_two();
        let (buckets, rows) = (vec![Bucket::default(); places], vec![Row::default()]);
        let shortest = shortest as f64;
        let (width, ticks, touched) = (0, 0, 0);
        let (line, lean) = (Line::default(), false);
        let mut empty = Self {
            delta,
            clock,
            most,
            shortest,
            least: shortest,
            grace,
            buckets,
            rows,
            places,
            width,
            ticks,
            line,
            touched,
            lean,
        };
        empty.fit();
        Ok(empty)
    }

    /// One that holds a third of the bytes, and takes a little longer to look for cuts.
    pub(crate) fn lean(mut self) -> Self {
        self.lean = true;
        self.drop_line();
        self
    }

    fn drop_line(&mut self) {
        (self.line, self.touched) = (Line::default(), ROWS);
    }

    /// A window of the same kind without a loss in it.
    pub(crate) fn emptied(&self) -> Self {
        let mut empty = self.clone();
        empty.reset();
        empty
    }

    /// Let the oldest row of buckets go, the older half of the window or more; false if there is
    /// but one.
    pub(crate) fn forget_row(&mut self) -> bool {
        let rows = self.rows.len();
        while rows > 1 && self.rows.len() == rows {
            self.drop_oldest();
        }
        rows > 1
    }

    /// Hold exactly what this many rows need: equal windows hold equally many bytes, whatever
    /// they held before, so that a limit of memory works the same after a load.
    #[cold]
    fn fit(&mut self) {
        let rows = self.rows.len();
        hold(&mut self.rows, rows);
        hold(&mut self.buckets, rows * self.places);
        if !self.lean {
            hold(&mut self.line.cuts, rows * self.most);
            hold(&mut self.line.starts, rows);
        }
    }

    /// As MOA has it: parts of five are allowed for, but only those of seven and more compared.
    pub(crate) fn of_moa(delta: f64) -> Result<Self> {
        Ok(Self { least: 7.0, ..Self::new(delta, 32, 5, 5, 10)? })
    }

    /// How many losses are in the window.
    pub fn width(&self) -> u64 {
        self.width
    }

    /// The mean of the losses in the window, added up anew; 0 if there are none.
    pub fn mean(&self) -> f64 {
        if self.width == 0 { 0.0 } else { self.total() / self.width as f64 }
    }

    /// The sum of the losses in the window.
    pub(crate) fn total(&self) -> f64 {
        (0..self.rows.len()).flat_map(|row| self.row(row)).map(|bucket| bucket.total).sum()
    }

    /// Will it look for cuts after the next loss?
    pub(crate) fn due(&self) -> bool {
        self.ticks + 1 >= self.clock
    }

    #[inline(always)]
    fn place(&self, row: usize, nth: usize) -> usize {
        row * self.places + ((self.rows[row].head + nth) & (self.places - 1))
    }

    /// The buckets of a row, the oldest first.
    #[inline(always)]
    fn row(&self, row: usize) -> impl Iterator<Item = Bucket> + '_ {
        let Row { head, used } = self.rows[row];
        let ring = &self.buckets[row * self.places..(row + 1) * self.places];
        (head..head + used).map(move |at| ring[at & (ring.len() - 1)])
    }

    #[inline(always)]
    fn push(&mut self, loss: f64) {
        self.width += 1;
        let place = self.place(0, self.rows[0].used);
        self.buckets[place] = Bucket { total: loss, spread: 0.0 };
        self.rows[0].used += 1;
        if self.rows[0].used > self.most {
            self.merge();
        }
    }

    /// The two oldest buckets of a full row become one of the next.
    #[inline(always)]
    fn merge(&mut self) {
        let mut row = 0;
        let mut size = 2.0;
        while self.rows[row].used > self.most {
            let a = self.buckets[self.place(row, 0)];
            let b = self.buckets[self.place(row, 1)];
            let gap = a.total - b.total;
            let spread = a.spread + b.spread + gap * gap / size;
            self.rows[row].head = (self.rows[row].head + 2) & (self.places - 1);
            self.rows[row].used -= 2;
            row += 1;
            size *= 2.0;
            if row == self.rows.len() {
                self.rows.push(Row::default());
                self.fit();
                self.buckets.resize(self.places * self.rows.len(), Bucket::default());
            }
            let place = self.place(row, self.rows[row].used);
            self.buckets[place] = Bucket { total: a.total + b.total, spread };
            self.rows[row].used += 1;
        }
        self.touched = self.touched.max(row);
    }

    #[cold]
    fn drop_oldest(&mut self) {
        let row = self.rows.len() - 1;
        self.width -= 1 << row;
        self.rows[row].head = (self.rows[row].head + 1) & (self.places - 1);
        self.rows[row].used -= 1;
        while self.rows.len() > 1 && self.rows[self.rows.len() - 1].used == 0 {
            self.rows.pop();
        }
        if self.rows.len() <= row {
            self.buckets.truncate(self.places * self.rows.len());
            self.line.cuts.clear();
            self.line.starts.clear();
            self.fit();
        }
        self.touched = row;
    }

    /// Write the line anew from the first row on that has changed. What is older stays.
    fn update_line(&mut self) {
        let rows = self.rows.len();
        let Line { cuts, starts } = &mut self.line;
        if self.lean {
            cuts.reserve_exact(rows * self.most);
        }
        // It begins with the oldest, so a row lies behind all those above it.
        let stays = if self.touched < rows { starts.get(self.touched).copied() } else { None };
        cuts.truncate(stays.unwrap_or(0));
        starts.resize(rows, 0);
        let mut last = cuts.last().copied().unwrap_or_default();
        for row in (0..rows.min(self.touched + 1)).rev() {
            starts[row] = cuts.len();
            let size = (1u64 << row) as f64;
            let Row { head, used } = self.rows[row];
            let ring = &self.buckets[row * self.places..(row + 1) * self.places];
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

    /// Do the parts on both sides of some cut differ?
    fn cut(&mut self) -> bool {
        self.update_line();
        let line = &self.line.cuts;
        let Some(&Cut { old: width, old_total: total, within, .. }) = line.last() else {
            return false;
        };
        let spread = within + between(line, total / width);
        let confidence = (2.0 * width.ln() / self.delta).ln();
        let bound = Bound {
            width,
            total,
            shortest: self.shortest,
            least: self.least,
            by_spread: 2.0 * spread / width * confidence,
            by_size: 2.0 / 3.0 * confidence,
        };
        line.iter().any(|cut| bound.may_be_passed(cut) && bound.passed(cut))
    }
}

/// Make the capacity of a vector what is asked for, or as much as it needs.
fn hold<T>(vector: &mut Vec<T>, capacity: usize) {
    vector.reserve_exact(capacity.saturating_sub(vector.len()));
    vector.shrink_to(capacity);
}

/// The squared distances of the buckets' means to the mean of all, each times its size.
fn between(line: &[Cut], mean: f64) -> f64 {
    let term = |cut: &Cut| {
        let gap = cut.total - cut.size * mean;
        gap * gap * cut.inverse
    };
    let (fours, rest) = line.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    for four in fours {
        for (lane, cut) in lanes.iter_mut().zip(four) {
            *lane += term(cut);
        }
    }
    lanes[0] + lanes[1] + (lanes[2] + lanes[3]) + rest.iter().map(term).sum::<f64>()
}

/// A bucket of the window, the oldest first, and the cut at its end: its size and sum, how many
/// losses there are up to here, their sum, and the sum of the buckets' spreads.
#[derive(Debug, Clone, Copy, Default)]
struct Cut {
    size: f64,
    inverse: f64,
    total: f64,
    old: f64,
    old_total: f64,
    within: f64,
}

/// How far apart the means of two parts of a window may be.
struct Bound {
    width: f64,
    total: f64,
    shortest: f64,
    least: f64,
    by_spread: f64,
    by_size: f64,
}

impl Bound {
    /// A quick look without a division: can the means be so far apart at all?
    #[inline(always)]
    fn may_be_passed(&self, &Cut { old, old_total, .. }: &Cut) -> bool {
        let new = self.width - old;
        let (a, b) = (old - self.shortest + 1.0, new - self.shortest + 1.0);
        let (apart, both) = (old_total * self.width - self.total * old, old * new);
        // The bound is above sqrt(m * by_spread) by more than roundings can do.
        apart * apart * (a * b) >= (1.0 - 1e-9) * self.by_spread * (a + b) * (both * both)
    }

    /// |old mean - new mean| > sqrt(m * by_spread) + m * by_size, where both parts are long enough.
    fn passed(&self, &Cut { old, old_total, .. }: &Cut) -> bool {
        let new = self.width - old;
        if old < self.least || new < self.least {
            return false;
        }
        let m = 1.0 / (old - self.shortest + 1.0) + 1.0 / (new - self.shortest + 1.0);
        let apart = (old_total / old - (self.total - old_total) / new).abs();
        apart > (m * self.by_spread).sqrt() + m * self.by_size
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
            return State::Quiet;
        }
        self.ticks = 0;
        if self.width <= self.grace {
            return State::Quiet;
        }
        let mut state = State::Quiet;
        while self.cut() {
            self.drop_oldest();
            state = State::Alarm;
        }
        if self.lean {
            self.drop_line();
        }
        state
    }

    fn reset(&mut self) {
        self.buckets.truncate(self.places);
        self.rows.clear();
        self.rows.push(Row::default());
        (self.width, self.ticks, self.touched) = (0, 0, 0);
        self.line.cuts.clear();
        self.line.starts.clear();
        self.fit();
    }

    /// What is left of the window is of the new concept, and stays.
    fn after_alarm(&mut self) {}

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of::<Bucket>() * self.buckets.capacity()
            + size_of::<Row>() * self.rows.capacity()
            + self.line.bytes()
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
        self.buckets = vec![Bucket::default(); self.places * self.rows.len()];
        for row in 0..rows {
            self.rows[row].used = from.below(self.most + 1)?;
            self.width += (self.rows[row].used as u64) << row;
            for nth in 0..self.rows[row].used {
                let place = self.place(row, nth);
                self.buckets[place] = Bucket { total: from.real()?, spread: from.real()? };
            }
        }
        // The oldest row cannot be empty, unless there is no other.
        if from.whole()? != self.width || rows > 1 && self.rows[rows - 1].used == 0 {
            return Err(refused("whole", "buckets that make no window"));
        }
        self.ticks = from.below(self.clock as usize)? as u64;
        self.touched = self.rows.len();
        self.fit();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Adwin;
    use crate::detectors::Detector;
    use crate::error::Result;

    #[test]
    fn as_moa_has_it_parts_below_seven_are_not_compared() -> Result<()> {
        let left = |mut adwin: Adwin| {
            for t in 0..32 {
                adwin.observe(if t < 26 { 0.0 } else { 50.0 });
            }
            adwin.width()
        };
        assert_eq!(left(Adwin::new(0.3, 32, 5, 5, 10)?), 12);
        assert_eq!(left(Adwin::of_moa(0.3)?), 16);
        Ok(())
    }
}
