//! The current prediction in each part of an item's label delay.

use crate::error::{Error, Result};

/// How the predictions within a bin are combined into one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binning {
    /// The prediction that is current for the longest time; of reals, the mean over time.
    Longest,
    /// As in the published program of Grzenda, Gomes and Bifet (2020): a bin with one prediction
    /// takes it, a bin with none takes the previous prediction; borders are rounded down; ties
    /// between classes go to the first in class order.
    Grzenda,
}

/// Predictions of several items, grouped by item, in order of time.
#[derive(Debug, Clone, Copy)]
pub struct PredictionHistory<'a, A> {
    /// The index of each item's first prediction, which is the one at its arrival, and finally the
    /// number of predictions.
    pub starts: &'a [usize],
    /// The times.
    pub time: &'a [i64],
    /// The predictions.
    pub prediction: &'a [A],
    /// The prediction of each item when its label arrived.
    pub last: &'a [A],
    /// The label time of each item.
    pub label_time: &'a [i64],
}

impl<A> PredictionHistory<'_, A> {
    fn check(&self) -> Result<()> {
        let items = self.label_time.len();
        let lengths = [
            ("starts", items + 1, self.starts.len()),
            ("last", items, self.last.len()),
            ("prediction", self.time.len(), self.prediction.len()),
        ];
        for (what, expected, got) in lengths {
            if expected != got {
                return Err(Error::Length { what, expected, got });
            }
        }
        let ordered = self.starts.windows(2).all(|pair| pair[0] < pair[1]);
        if !ordered || self.starts.last() != Some(&self.time.len()) {
            let (expected, got) = (self.time.len(), self.starts.last().copied().unwrap_or(0));
            return Err(Error::Length { what: "predictions", expected, got });
        }
        Ok(())
    }
}

/// The predictions of one item: at least one.
struct Item<'a, A> {
    time: &'a [i64],
    prediction: &'a [A],
    label_time: i64,
}

/// Bins 0 to `bins` + 1 of each item, in row-major order: the first prediction, for each part
/// of the delay the prediction that `how` chooses, the last prediction.
pub fn bins_of_classes(
    history: PredictionHistory<'_, i32>,
    bins: usize,
    how: Binning,
    classes: usize,
) -> Result<Vec<i32>> {
    let mut sums = vec![0i128; classes + 1];
    all(history, bins, how, |segments, how| longest_class(segments, how, &mut sums))
}

/// Bins of numbers as for classes, where the bin of a part is the mean, weighted by the time each
/// prediction was current.
pub fn bins_of_reals(
    history: PredictionHistory<'_, f64>,
    bins: usize,
    how: Binning,
) -> Result<Vec<f64>> {
    all(history, bins, how, |segments, _| mean(segments))
}

fn all<A: Copy>(
    history: PredictionHistory<'_, A>,
    bins: usize,
    how: Binning,
    mut one: impl FnMut(&[(i128, A)], Binning) -> A,
) -> Result<Vec<A>> {
    history.check()?;
    let mut out = Vec::with_capacity(history.label_time.len() * (bins + 2));
    let mut segments = Vec::new();
    for (i, pair) in history.starts.windows(2).enumerate() {
        let own = pair[0]..pair[1];
        let item = Item {
            time: &history.time[own.clone()],
            prediction: &history.prediction[own],
            label_time: history.label_time[i],
        };
        out.push(item.prediction[0]);
        match how {
            Binning::Longest => longest(&item, bins, &mut segments, &mut one, &mut out),
            Binning::Grzenda => grzenda(&item, bins, &mut segments, &mut one, &mut out),
        }
        out.push(history.last[i]);
    }
    Ok(out)
}

/// Times are ticks since arrival multiplied by `bins`, so that borders are whole numbers.
fn longest<A: Copy>(
    item: &Item<'_, A>,
    bins: usize,
    segments: &mut Vec<(i128, A)>,
    one: &mut impl FnMut(&[(i128, A)], Binning) -> A,
    out: &mut Vec<A>,
) {
    let (arrival, parts) = (i128::from(item.time[0]), bins as i128);
    let delay = i128::from(item.label_time) - arrival;
    let scaled = |i: usize| (i128::from(item.time[i]) - arrival) * parts;
    let mut now = 0;
    for bin in 0..parts {
        let (mut from, end) = (delay * bin, delay * (bin + 1));
        // of several predictions at one time the last is current
        while now + 1 < item.time.len() && scaled(now + 1) <= from {
            now += 1;
        }
        segments.clear();
        while now + 1 < item.time.len() && scaled(now + 1) < end {
            let at = scaled(now + 1);
            segments.push((at - from, item.prediction[now]));
            (now, from) = (now + 1, at);
        }
        segments.push((end - from, item.prediction[now]));
        out.push(one(segments, Binning::Longest));
    }
}

/// A bin with one prediction takes it, a bin with none takes the previous one; borders are rounded
/// down to whole ticks where times are weights; a prediction at the label time is in the last bin.
fn grzenda<A: Copy>(
    item: &Item<'_, A>,
    bins: usize,
    segments: &mut Vec<(i128, A)>,
    one: &mut impl FnMut(&[(i128, A)], Binning) -> A,
    out: &mut Vec<A>,
) {
    let (arrival, parts) = (i128::from(item.time[0]), bins as i128);
    let delay = i128::from(item.label_time) - arrival;
    let mut next = 1;
    for bin in 1..=parts {
        let first = next;
        let inside = |at: i64| (i128::from(at) - arrival) * parts < delay * bin || bin == parts;
        while next < item.time.len() && inside(item.time[next]) {
            next += 1;
        }
        if next - first < 2 {
            out.push(item.prediction[next - 1]);
            continue;
        }
        let border = |bin: i128| arrival + (delay * bin).div_euclid(parts);
        let (mut from, mut current) = (border(bin - 1), item.prediction[first - 1]);
        segments.clear();
        for i in first..next {
            let at = i128::from(item.time[i]);
            segments.push((at - from, current));
            (from, current) = (at, item.prediction[i]);
        }
        segments.push((border(bin) - from, current));
        out.push(one(segments, Binning::Grzenda));
    }
}

/// The class that is current for the longest time; ties go to the most recent one, or to the first
/// in class order. If no time passed, the last one.
fn longest_class(segments: &[(i128, i32)], how: Binning, sums: &mut [i128]) -> i32 {
    let Some(&(_, last)) = segments.last() else { return crate::NONE };
    if segments.len() == 1 {
        return last;
    }
    let index = |class: i32| (class + 1) as usize;
    for &(time, class) in segments {
        if let Some(sum) = sums.get_mut(index(class)) {
            *sum += time;
        }
    }
    let mut best = (0, last);
    for &(_, class) in segments.iter().rev().filter(|segment| segment.0 > 0) {
        let sum = sums.get(index(class)).copied().unwrap_or(0);
        let first = how == Binning::Grzenda && class < best.1;
        if sum > best.0 || (sum == best.0 && sum > 0 && first) {
            best = (sum, class);
        }
    }
    for &(_, class) in segments {
        if let Some(sum) = sums.get_mut(index(class)) {
            *sum = 0;
        }
    }
    best.1
}

/// The time-weighted mean; if no time passed, the last value.
fn mean(segments: &[(i128, f64)]) -> f64 {
    let Some(&(_, last)) = segments.last() else { return f64::NAN };
    let current = || segments.iter().filter(|s| s.0 > 0);
    let Some(&(_, value)) = current().next() else { return last };
    // The mean of one value is not rounded.
    if current().all(|s| s.1 == value) {
        return value;
    }
    let total: i128 = current().map(|s| s.0).sum();
    let sum: f64 = current().map(|s| s.0 as f64 * s.1).sum();
    sum / total as f64
}

#[cfg(test)]
mod tests {
    use super::{Binning, PredictionHistory, bins_of_classes, bins_of_reals, mean};
    use crate::error::Result;

    #[test]
    fn the_mean_of_one_value_is_not_rounded() {
        assert_ne!(3.0 * 0.1 / 3.0, 0.1);
        assert_eq!(mean(&[(3, 0.1)]), 0.1);
        assert_eq!(mean(&[(1, 0.1), (2, 0.1), (0, 0.7)]), 0.1);
        assert_eq!(mean(&[(0, 0.1), (0, 0.7)]), 0.7);
        assert_eq!(mean(&[(1, 1.0), (3, 2.0)]), 1.75);
        assert!(mean(&[(1, f64::NAN), (2, f64::NAN)]).is_nan());
        assert!(mean(&[]).is_nan());
    }

    #[test]
    fn each_bin_has_the_prediction_in_effect_longest() -> Result<()> {
        // 0 from time 0, 1 from 4, 0 from 9; the label arrives at 10
        let (time, prediction) = ([0, 4, 9], [0, 1, 0]);
        let history = PredictionHistory {
            starts: &[0, 3],
            time: &time,
            prediction: &prediction,
            last: &[1],
            label_time: &[10],
        };
        assert_eq!(bins_of_classes(history, 2, Binning::Longest, 2)?, [0, 0, 1, 1]);
        assert_eq!(bins_of_classes(history, 0, Binning::Longest, 2)?, [0, 1]);
        assert_eq!(bins_of_classes(history, 2, Binning::Grzenda, 2)?, [0, 1, 0, 1]);
        let prediction = [0.0, 1.0, 0.0];
        let history = PredictionHistory {
            starts: &[0, 3],
            time: &time,
            prediction: &prediction,
            last: &[7.0],
            label_time: &[10],
        };
        assert_eq!(bins_of_reals(history, 2, Binning::Longest)?, [0.0, 0.2, 0.8, 7.0]);
        Ok(())
    }

    #[test]
    fn the_last_prediction_counts_if_no_time_passes() -> Result<()> {
        let history = PredictionHistory {
            starts: &[0, 2],
            time: &[5, 5],
            prediction: &[0, 1],
            last: &[1],
            label_time: &[5],
        };
        assert_eq!(bins_of_classes(history, 3, Binning::Longest, 2)?, [0, 1, 1, 1, 1]);
        Ok(())
    }
}
