//! Consecutive items whose labels arrive with them, executed by several folds of a native learner.
//!
//! The same as events, each label after the arrival of its item; but the rows of the log follow from
//! the items and the assignment, so that only predictions are returned.

use super::ChunkData;
use super::chunk::count;
use super::folds::{Fold, check_assigned, in_parts, items_per_part};
use crate::error::{Result, parameter};
use crate::learners::Target;

/// Items merged at a time, whose predictions by all folds stay in the cache.
const ITEMS_PER_BLOCK: usize = 512;

/// Predict and learn the items with every fold by `step`, part by part. Returns the predictions of
/// each item, in the order of folds; or the error of the first fold that fails, or if an item is
/// pending. The result does not depend on the number of threads. `meanwhile` is called on the calling
/// thread, which then works on folds too.
pub fn execute_labelled<'a, M, T>(
    folds: Vec<Fold<'a, M, T>>,
    data: ChunkData<'a, T>,
    threads: usize,
    step: impl Fn(&mut M, ChunkData<'_, T>, &mut Vec<T>) -> Result<()> + Sync,
    meanwhile: impl FnOnce(),
) -> Result<Vec<T>>
where
    M: Send + ?Sized,
    T: Target,
{
    data.items.check_training(data.labels.len(), data.weights)?;
    let items = data.items.len();
    check_assigned(&folds, items)?;
    let pending = folds.first().map_or(0, |fold| fold.state.len());
    if pending > 0 {
        return Err(parameter("labelled items", "pending items", "0", pending));
    }
    let most = items_per_part(data.items.width());
    let begin = |fold: Fold<'a, M, T>| {
        let predicted = match (fold.predicts, fold.times_learned) {
            (Some(predicts), _) => predicts.iter().filter(|&&predicts| predicts).count(),
            (None, Some(times_learned)) => count(times_learned, |times_learned| times_learned == 0),
            (None, None) => items,
        };
        (fold, Vec::with_capacity(predicted))
    };
    let begun: Vec<(Fold<'a, M, T>, Vec<T>)> = folds.into_iter().map(begin).collect();
    let execute = |(fold, out): &mut (Fold<'a, M, T>, Vec<T>), part: usize| {
        let Fold { model, times_learned, predicts, .. } = fold;
        let data = ChunkData { times_learned: *times_learned, predicts: *predicts, ..data };
        let some = part * most..((part + 1) * most).min(items);
        step(model, data.part(some, 0..0), out)
    };
    let mut done = in_parts(begun, items.div_ceil(most), threads, execute, meanwhile)?;
    for (Fold { state, times_learned, .. }, _) in &mut done {
        let learned = times_learned
            .map_or(items, |times_learned| count(times_learned, |times_learned| times_learned > 0));
        state.count_labels(items, learned);
    }
    Ok(merged(&done, &data))
}

/// The predictions of all folds, by item and then by fold.
fn merged<M: ?Sized, T: Target>(
    folds: &[(Fold<'_, M, T>, Vec<T>)],
    data: &ChunkData<'_, T>,
) -> Vec<T> {
    let items = data.items.len();
    let size = folds.iter().map(|(_, made)| made.len()).sum();
    let mut out = vec![T::NONE; size];
    if size == items * folds.len() {
        let blocks = out.chunks_mut(ITEMS_PER_BLOCK * folds.len().max(1)).enumerate();
        for (block, out) in blocks {
            for (number, (_, made)) in folds.iter().enumerate() {
                let cells = out[number..].iter_mut().step_by(folds.len());
                cells.zip(&made[block * ITEMS_PER_BLOCK..]).for_each(|(cell, &one)| *cell = one);
            }
        }
        return out;
    }
    let mut next: Vec<_> = folds.iter().map(|(_, made)| made.iter()).collect();
    let mut cells = out.iter_mut();
    for i in 0..items {
        for ((fold, _), next) in folds.iter().zip(&mut next) {
            let own =
                ChunkData { times_learned: fold.times_learned, predicts: fold.predicts, ..*data };
            if own.assigned(i).1
                && let (Some(cell), Some(&one)) = (cells.next(), next.next())
            {
                *cell = one;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Chunk, Events, FoldState, Rows, execute_folds};
    use crate::learners::{Column, Items, NaiveBayes, Native};
    use crate::seeds::uniform;

    const FOLDS: usize = 4;
    const ITEMS: usize = 1300;

    struct Fixture {
        rows: Vec<f64>,
        labels: Vec<i32>,
        weights: Vec<f64>,
        times_learned: Vec<Vec<u8>>,
        predicts: Vec<Vec<bool>>,
        everyone: Vec<bool>,
    }

    fn fixture() -> Fixture {
        let rows: Vec<f64> = (0..2 * ITEMS as u64).map(|i| uniform(1, i)).collect();
        let labels = rows.chunks(2).map(|row| i32::from(row[0] > row[1])).collect();
        let weights = (0..ITEMS as u64).map(|i| (uniform(4, i) * 3.0).floor()).collect();
        let drawn = |seed: u64| {
            let of_fold = move |fold: u64| (0..ITEMS as u64).map(move |i| uniform(seed + fold, i));
            (0..FOLDS as u64).map(of_fold)
        };
        let times_learned = drawn(10).map(|one| one.map(|draw| (draw * 3.0) as u8).collect());
        let predicts = drawn(20).map(|one| one.map(|draw| draw < 0.4).collect());
        let (times_learned, predicts) = (times_learned.collect(), predicts.collect());
        Fixture { rows, labels, weights, times_learned, predicts, everyone: vec![true; ITEMS] }
    }

    type Models = (Vec<NaiveBayes>, Vec<FoldState<i32>>);

    fn untrained() -> Models {
        let models = (0..FOLDS).map(|_| NaiveBayes::new(2, &[Column::Numeric; 2]));
        (models.collect(), (0..FOLDS as u16).map(|fold| FoldState::new(fold, 0)).collect())
    }

    fn folds<'a>(
        fixture: &'a Fixture,
        (models, states): &'a mut Models,
        how: usize,
    ) -> Vec<Fold<'a, NaiveBayes, i32>> {
        let fold = |(fold, (model, state)): (usize, (&'a mut _, &'a mut _))| Fold {
            model,
            state,
            times_learned: Some(fixture.times_learned[fold].as_slice()).filter(|_| how < 6),
            predicts: match how / 2 {
                0 => None,
                1 => Some(fixture.predicts[fold].as_slice()),
                _ => Some(fixture.everyone.as_slice()),
            },
        };
        models.iter_mut().zip(states).enumerate().map(fold).collect()
    }

    /// Compare both executions with one of eight kinds of assignments.
    fn compare(fixture: &Fixture, how: usize, threads: usize) -> Result<()> {
        let data = ChunkData {
            items: Items::new(0, &fixture.rows, 2, ITEMS)?,
            labels: &fixture.labels,
            weights: Some(fixture.weights.as_slice()).filter(|_| how.is_multiple_of(2)),
            times_learned: None,
            predicts: None,
            updates: Items::blank(0, 0),
            noise: None,
        };
        let what: Vec<u8> = (0..2 * ITEMS).map(|i| (i % 2) as u8).collect();
        let item: Vec<u64> = (0..2 * ITEMS as u64).map(|i| i / 2).collect();
        let time = vec![0; 2 * ITEMS];
        let events = Events::new(&what, &item, &time)?;
        let chunk = Chunk::Events { events, predict_last: false };
        let (mut one, mut other) = (untrained(), untrained());
        let each = folds(fixture, &mut one, how);
        let each = execute_folds(each, chunk, data, threads, Native::execute, || ())?;
        let rows = Rows::new(each, &mut one.1, &chunk, threads);
        let each = folds(fixture, &mut other, how);
        let found = execute_labelled(each, data, threads, Native::execute_labelled, || ())?;
        assert_eq!(found, rows.predictions.prediction);
        let learned = |states: &[FoldState<i32>]| -> Vec<u64> {
            states.iter().map(|state| state.learned).collect()
        };
        assert_eq!(learned(&one.1), learned(&other.1));
        Ok(())
    }

    #[test]
    fn predictions_are_those_of_events() -> Result<()> {
        let fixture = fixture();
        for how in 0..8 {
            for threads in [1, 2, 5] {
                compare(&fixture, how, threads)?;
            }
        }
        Ok(())
    }
}
