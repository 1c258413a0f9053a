//! What was on display in each part of the time an item waited.

use crate::error::{Error, Result};

/// How the answers given within a bin become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binning {
    /// By the time each was on display.
    Displayed,
    /// As the authors' program does: a bin with one asking takes that asking's answer, one with
    /// none what was said last; borders are rounded down; of classes displayed equally long the
    /// first in class order counts.
    Program,
}

/// Askings of several items, each item's one after the other in the order of time.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a, A> {
    /// Where each item's askings begin, and after the last where they end. The first of an item
    /// is the one when it came.
    pub starts: &'a [usize],
    /// When.
    pub time: &'a [i64],
    /// What was said.
    pub answer: &'a [A],
    /// What was said when the label came.
    pub last: &'a [A],
    /// When each item's label came.
    pub until: &'a [i64],
}

impl<A> Shown<'_, A> {
    fn check(&self) -> Result<()> {
        let items = self.until.len();
        let lengths = [
            ("starts", items + 1, self.starts.len()),
            ("last", items, self.last.len()),
            ("answer", self.time.len(), self.answer.len()),
        ];
        for (what, expected, got) in lengths {
            if expected != got {
                return Err(Error::Length { what, expected, got });
            }
        }
        let ordered = self.starts.windows(2).all(|pair| pair[0] < pair[1]);
        if !ordered || self.starts.last() != Some(&self.time.len()) {
            let (expected, got) = (self.time.len(), self.starts.last().copied().unwrap_or(0));
            return Err(Error::Length { what: "askings", expected, got });
        }
        Ok(())
    }
}

/// One item's askings: at least one.
struct Item<'a, A> {
    time: &'a [i64],
    answer: &'a [A],
    until: i64,
}

/// Bins 0 to `bins` + 1 of each item, row by row: the first answer, the dominating one of each
/// part of the waiting time, the last one.
pub fn bins_of_classes(
    shown: Shown<'_, i32>,
    bins: usize,
    how: Binning,
    classes: usize,
) -> Result<Vec<i32>> {
    let mut held = vec![0i128; classes + 1];
    all(shown, bins, how, |stretches, how| dominating(stretches, how, &mut held))
}

/// The same for numbers: each part's mean, weighted by the time each was on display.
pub fn bins_of_reals(shown: Shown<'_, f64>, bins: usize, how: Binning) -> Result<Vec<f64>> {
    all(shown, bins, how, |stretches, _| mean(stretches))
}

fn all<A: Copy>(
    shown: Shown<'_, A>,
    bins: usize,
    how: Binning,
    mut one: impl FnMut(&[(i128, A)], Binning) -> A,
) -> Result<Vec<A>> {
    shown.check()?;
    let mut out = Vec::with_capacity(shown.until.len() * (bins + 2));
    let mut stretches = Vec::new();
    for (i, pair) in shown.starts.windows(2).enumerate() {
        let own = pair[0]..pair[1];
        let item = Item {
            time: &shown.time[own.clone()],
            answer: &shown.answer[own],
            until: shown.until[i],
        };
        out.push(item.answer[0]);
        match how {
            Binning::Displayed => displayed(&item, bins, &mut stretches, &mut one, &mut out),
            Binning::Program => program(&item, bins, &mut stretches, &mut one, &mut out),
        }
        out.push(shown.last[i]);
    }
    Ok(out)
}

/// All in `bins` times the ticks since the item came, so that borders are whole numbers.
fn displayed<A: Copy>(
    item: &Item<'_, A>,
    bins: usize,
    stretches: &mut Vec<(i128, A)>,
    one: &mut impl FnMut(&[(i128, A)], Binning) -> A,
    out: &mut Vec<A>,
) {
    let (came, parts) = (i128::from(item.time[0]), bins as i128);
    let waited = i128::from(item.until) - came;
    let scaled = |i: usize| (i128::from(item.time[i]) - came) * parts;
    let mut now = 0;
    for bin in 0..parts {
        let (mut from, end) = (waited * bin, waited * (bin + 1));
        // at one moment the one made last is on display
        while now + 1 < item.time.len() && scaled(now + 1) <= from {
            now += 1;
        }
        stretches.clear();
        while now + 1 < item.time.len() && scaled(now + 1) < end {
            let at = scaled(now + 1);
            stretches.push((at - from, item.answer[now]));
            (now, from) = (now + 1, at);
        }
        stretches.push((end - from, item.answer[now]));
        out.push(one(stretches, Binning::Displayed));
    }
}

/// A bin with one asking takes its answer, one with none what was said last; borders are rounded
/// down to whole ticks where times are weighed; an asking when the label came is in the last bin.
fn program<A: Copy>(
    item: &Item<'_, A>,
    bins: usize,
    stretches: &mut Vec<(i128, A)>,
    one: &mut impl FnMut(&[(i128, A)], Binning) -> A,
    out: &mut Vec<A>,
) {
    let (came, parts) = (i128::from(item.time[0]), bins as i128);
    let waited = i128::from(item.until) - came;
    let mut next = 1;
    for bin in 1..=parts {
        let first = next;
        let inside = |at: i64| (i128::from(at) - came) * parts < waited * bin || bin == parts;
        while next < item.time.len() && inside(item.time[next]) {
            next += 1;
        }
        if next - first < 2 {
            out.push(item.answer[next - 1]);
            continue;
        }
        let border = |bin: i128| came + (waited * bin).div_euclid(parts);
        let (mut from, mut said) = (border(bin - 1), item.answer[first - 1]);
        stretches.clear();
        for i in first..next {
            let at = i128::from(item.time[i]);
            stretches.push((at - from, said));
            (from, said) = (at, item.answer[i]);
        }
        stretches.push((border(bin) - from, said));
        out.push(one(stretches, Binning::Program));
    }
}

/// The class displayed longest; of equals the one displayed most recently, or the first in class
/// order. Where no time passed, the last one.
fn dominating(stretches: &[(i128, i32)], how: Binning, held: &mut [i128]) -> i32 {
    let Some(&(_, last)) = stretches.last() else { return crate::NONE };
    if stretches.len() == 1 {
        return last;
    }
    let place = |class: i32| (class + 1) as usize;
    for &(time, class) in stretches {
        if let Some(sum) = held.get_mut(place(class)) {
            *sum += time;
        }
    }
    let mut best = (0, last);
    for &(_, class) in stretches.iter().rev().filter(|stretch| stretch.0 > 0) {
        let sum = held.get(place(class)).copied().unwrap_or(0);
        let first = how == Binning::Program && class < best.1;
        if sum > best.0 || (sum == best.0 && sum > 0 && first) {
            best = (sum, class);
        }
    }
    for &(_, class) in stretches {
        if let Some(sum) = held.get_mut(place(class)) {
            *sum = 0;
        }
    }
    best.1
}

/// The mean over time; where no time passed, the last one.
fn mean(stretches: &[(i128, f64)]) -> f64 {
    let Some(&(_, last)) = stretches.last() else { return f64::NAN };
    let total: i128 = stretches.iter().map(|s| s.0).sum();
    // One value alone is itself, without rounding.
    if total == 0 || stretches.iter().all(|s| s.0 == 0 || s.1 == last) {
        return if total == 0 { last } else { only(stretches) };
    }
    let sum: f64 = stretches.iter().filter(|s| s.0 > 0).map(|s| s.0 as f64 * s.1).sum();
    sum / total as f64
}

/// The one value that was on display for any time.
fn only(stretches: &[(i128, f64)]) -> f64 {
    stretches.iter().rev().find(|s| s.0 > 0).map_or(f64::NAN, |s| s.1)
}

#[cfg(test)]
mod tests {
    use super::{Binning, Shown, bins_of_classes, bins_of_reals};
    use crate::error::Result;

    #[test]
    fn each_bin_has_what_was_displayed_longest() -> Result<()> {
        // 0 from 0 on, 1 from 4 on, 0 from 9 on; the label comes at 10
        let (time, answer) = ([0, 4, 9], [0, 1, 0]);
        let shown =
            Shown { starts: &[0, 3], time: &time, answer: &answer, last: &[1], until: &[10] };
        assert_eq!(bins_of_classes(shown, 2, Binning::Displayed, 2)?, [0, 0, 1, 1]);
        assert_eq!(bins_of_classes(shown, 0, Binning::Displayed, 2)?, [0, 1]);
        assert_eq!(bins_of_classes(shown, 2, Binning::Program, 2)?, [0, 1, 0, 1]);
        let answer = [0.0, 1.0, 0.0];
        let shown =
            Shown { starts: &[0, 3], time: &time, answer: &answer, last: &[7.0], until: &[10] };
        assert_eq!(bins_of_reals(shown, 2, Binning::Displayed)?, [0.0, 0.2, 0.8, 7.0]);
        Ok(())
    }

    #[test]
    fn where_no_time_passes_the_last_answer_counts() -> Result<()> {
        let shown =
            Shown { starts: &[0, 2], time: &[5, 5], answer: &[0, 1], last: &[1], until: &[5] };
        assert_eq!(bins_of_classes(shown, 3, Binning::Displayed, 2)?, [0, 1, 1, 1, 1]);
        Ok(())
    }
}
