//! Folds (copies) of a native learner that execute the same chunk on several threads.
//!
//! Those of Python models run one after the other, in the bindings.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::{Chunk, ChunkData, Event, FoldState, Predictions};
use crate::error::{Error, Result};
use crate::learners::Target;

/// Approximate number of cells a fold processes before the next fold does, so that they stay in the
/// cache while all folds read them.
const CELLS_PER_PART: usize = 16_384;

/// One fold: the model, its state, how many times it learns each arriving item, and whether
/// it predicts it.
#[derive(Debug)]
pub struct Fold<'a, M: ?Sized, T> {
    /// The model.
    pub model: &'a mut M,
    /// Its state besides the model.
    pub state: &'a mut FoldState<T>,
    /// See `ChunkData`.
    pub times_learned: Option<&'a [u8]>,
    /// See `ChunkData`.
    pub predicts: Option<&'a [bool]>,
}

/// A part of a chunk, and the ranges of its items and updates.
struct ChunkPart<'a> {
    chunk: Chunk<'a>,
    base: usize,
    items: Range<usize>,
    updates: Range<usize>,
}

/// The progress of a fold: the number of parts done.
struct Progress<W> {
    work: W,
    number: usize,
    done: usize,
}

/// Execute the chunk with every fold by `step`, part by part. Returns the predictions of each
/// fold, or the error of the first fold that fails; the result does not depend on the number of
/// threads. `meanwhile` is called on the calling thread, which then works on folds too.
pub fn execute_folds<'a, M, T>(
    folds: Vec<Fold<'a, M, T>>,
    chunk: Chunk<'_>,
    data: ChunkData<'a, T>,
    threads: usize,
    step: impl Fn(
        &mut M,
        &mut FoldState<T>,
        Chunk<'_>,
        ChunkData<'_, T>,
        &mut Predictions<T>,
    ) -> Result<()>
    + Sync,
    meanwhile: impl FnOnce(),
) -> Result<Vec<Predictions<T>>>
where
    M: Send + ?Sized,
    T: Target,
{
    data.check(None, &chunk)?;
    check_assigned(&folds, data.items.len())?;
    let (parts, labels, keyed) = (cut(chunk, &data), chunk.labels(), folds.len() > 1);
    let begin = |(number, fold): (usize, Fold<'a, M, T>)| {
        fold.state.begin(labels, number == 0);
        (fold, Predictions::new(keyed))
    };
    let begun: Vec<_> = folds.into_iter().enumerate().map(begin).collect();
    let execute = |(fold, out): &mut (Fold<'a, M, T>, Predictions<T>), at: usize| {
        let (Fold { model, state, times_learned, predicts }, part) = (fold, &parts[at]);
        let data = ChunkData { times_learned: *times_learned, predicts: *predicts, ..data };
        let data = data.part(part.items.clone(), part.updates.clone());
        out.base = part.base as u32;
        step(model, state, part.chunk, data, out)
    };
    let done = in_parts(begun, parts.len(), threads, execute, meanwhile)?;
    Ok(done.into_iter().map(|(_, out)| out).collect())
}

/// Check that the assignments of the folds have one cell per item.
pub(super) fn check_assigned<M: ?Sized, T>(
    folds: &[Fold<'_, M, T>],
    expected: usize,
) -> Result<()> {
    for fold in folds {
        let lengths = [
            ("times_learned", fold.times_learned.map_or(expected, <[u8]>::len)),
            ("predicts", fold.predicts.map_or(expected, <[bool]>::len)),
        ];
        if let Some((what, got)) = lengths.into_iter().find(|(_, got)| *got != expected) {
            return Err(Error::Length { what, expected, got });
        }
    }
    Ok(())
}

/// Do all parts of the work of each fold by `step`, part by part. Returns the folds in their order,
/// or the error of the first one that fails. `meanwhile` is called on the calling thread, which then
/// works too.
pub(super) fn in_parts<W: Send>(
    folds: Vec<W>,
    parts: usize,
    threads: usize,
    step: impl Fn(&mut W, usize) -> Result<()> + Sync,
    meanwhile: impl FnOnce(),
) -> Result<Vec<W>> {
    let threads = threads.clamp(1, folds.len().max(1));
    let count = folds.len();
    let mut queues: Vec<_> = (0..threads).map(|_| VecDeque::new()).collect();
    for (number, work) in folds.into_iter().enumerate() {
        queues[number * threads / count].push_back(Progress { work, number, done: 0 });
    }
    let queues: Vec<_> = queues.into_iter().map(Mutex::new).collect();
    let ready = Mutex::new(Vec::with_capacity(count));
    // A thread keeps its folds, whose models are in its cache, and takes one from another queue
    // when its own is empty. A thread that finds all queues empty exits.
    let next = |me: usize| {
        let own = lock(&queues[me]).pop_front();
        own.or_else(|| queues.iter().find_map(|queue| lock(queue).pop_back()))
    };
    let work = |me: usize| {
        while let Some(mut progress) = next(me) {
            if progress.done == parts {
                lock(&ready).push((progress.number, Ok(progress.work)));
                continue;
            }
            match step(&mut progress.work, progress.done) {
                Ok(()) => {
                    progress.done += 1;
                    lock(&queues[me]).push_back(progress);
                }
                Err(error) => lock(&ready).push((progress.number, Err(error))),
            }
        }
    };
    thread::scope(|scope| {
        for other in 1..threads {
            scope.spawn(move || work(other));
        }
        meanwhile();
        work(0);
    });
    let mut ready = ready.into_inner().unwrap_or_else(PoisonError::into_inner);
    ready.sort_by_key(|(number, _)| *number);
    ready.into_iter().map(|(_, out)| out).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Number of items in a part, if they have `width` cells.
pub(super) fn items_per_part(width: usize) -> usize {
    (CELLS_PER_PART / width.max(1)).max(256)
}

/// Split a chunk into parts of about `CELLS_PER_PART` cells, and at least 512 events. Orders are
/// one part, since they may refer to any item.
fn cut<'a, T: Target>(chunk: Chunk<'a>, data: &ChunkData<'_, T>) -> Vec<ChunkPart<'a>> {
    let Chunk::Events { events, predict_last } = chunk else {
        let (items, updates) = (0..data.items.len(), 0..data.updates.len());
        return vec![ChunkPart { chunk, base: 0, items, updates }];
    };
    let most = 2 * items_per_part(data.items.width());
    let (mut items, mut updates) = (0..0, 0..0);
    let part = |base: usize| {
        let now = events.part(base..(base + most).min(events.len()));
        items = items.end..items.end + now.arrivals();
        updates = updates.end..updates.end + now.count(Event::Update);
        let chunk = Chunk::Events { events: now, predict_last };
        ChunkPart { chunk, base, items: items.clone(), updates: updates.clone() }
    };
    (0..events.len()).step_by(most).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Events, Rows};
    use crate::error::parameter;
    use crate::learners::{Column, Items, NaiveBayes, Native};
    use crate::seeds::uniform;

    const FOLDS: usize = 5;
    const ITEMS: usize = 1500;
    /// Wide enough that a chunk is cut into several parts.
    const WIDTH: usize = 300;
    const DELAY: usize = 40;

    type Row = (u64, u16, u32, u8, i64, i32);
    type Learned = (u64, u16, f64);

    struct Fixture {
        what: Vec<u8>,
        item: Vec<u64>,
        time: Vec<i64>,
        rows: Vec<f64>,
        labels: Vec<i32>,
        times_learned: Vec<Vec<u8>>,
    }

    fn fixture() -> Fixture {
        let (mut what, mut item) = (Vec::new(), Vec::new());
        for i in 0..ITEMS + DELAY {
            if i >= DELAY {
                what.push(1);
                item.push((i - DELAY) as u64);
            }
            if i < ITEMS {
                what.push(0);
                item.push(i as u64);
            }
        }
        let time = (0..what.len() as i64).map(|i| i / 2).collect();
        let rows: Vec<f64> = (0..(ITEMS * WIDTH) as u64).map(|i| uniform(1, i)).collect();
        let labels = rows.chunks(WIDTH).map(|row| i32::from(row[0] > 0.5)).collect();
        let own = |i: u64| (uniform(2, i) * FOLDS as f64) as usize;
        let times_learned = |fold| (0..ITEMS as u64).map(|i| u8::from(own(i) != fold)).collect();
        Fixture {
            what,
            item,
            time,
            rows,
            labels,
            times_learned: (0..FOLDS).map(times_learned).collect(),
        }
    }

    fn states(every: u64) -> Result<Vec<FoldState<i32>>> {
        let mut states: Vec<_> = (0..FOLDS as u16).map(|fold| FoldState::new(fold, 0)).collect();
        for state in &mut states {
            state.set_interval(every, true)?;
        }
        Ok(states)
    }

    fn data(fixture: &Fixture) -> Result<ChunkData<'_, i32>> {
        let items = Items::new(0, &fixture.rows, WIDTH, ITEMS)?;
        let updates = Items::blank(0, 0);
        Ok(ChunkData {
            items,
            labels: &fixture.labels,
            weights: None,
            times_learned: None,
            predicts: None,
            updates,
            noise: None,
        })
    }

    fn executed(fixture: &Fixture, threads: usize) -> Result<(Vec<Row>, Vec<Learned>)> {
        let columns = [Column::Numeric; WIDTH];
        let mut models: Vec<_> = (0..FOLDS).map(|_| NaiveBayes::new(2, &columns)).collect();
        let mut states = states(7)?;
        let events = Events::new(&fixture.what, &fixture.item, &fixture.time)?;
        let chunk = Chunk::Events { events, predict_last: true };
        let folds = models.iter_mut().zip(&mut states).zip(&fixture.times_learned);
        let folds = folds
            .map(|((model, state), times_learned)| Fold {
                model,
                state,
                times_learned: Some(times_learned),
                predicts: None,
            })
            .collect();
        let mut called = 0;
        let step = Native::execute;
        let each = execute_folds(folds, chunk, data(fixture)?, threads, step, || called += 1)?;
        assert_eq!(called, 1);
        let Rows { predictions, fold, training, .. } =
            Rows::new(each, &mut states, &chunk, threads);
        let rows = (0..fold.len()).map(|i| {
            let (item, turn, kind) =
                (predictions.item[i], predictions.turn[i], predictions.kind[i]);
            (item, fold[i], turn, kind, predictions.time[i], predictions.prediction[i])
        });
        let learned = training.item.iter().zip(&training.fold).zip(&training.weight);
        Ok((
            rows.collect(),
            learned.map(|((item, fold), weight)| (*item, *fold, *weight)).collect(),
        ))
    }

    #[test]
    fn rows_are_in_order_and_do_not_depend_on_the_threads() -> Result<()> {
        let fixture = fixture();
        let (predicted, learned) = executed(&fixture, 1)?;
        for threads in [2, 3, 7] {
            let (others_predicted, others_learned) = executed(&fixture, threads)?;
            assert_eq!((&predicted, &learned), (&others_predicted, &others_learned));
        }
        assert!(predicted.iter().any(|row| row.3 == 1), "some prediction must change");
        assert!(predicted.iter().map(|row| row.4).is_sorted());
        assert_eq!(predicted.iter().filter(|row| row.3 == 0).count(), ITEMS);
        assert!(learned.iter().map(|row| (row.0, row.1)).is_sorted());
        assert_eq!(learned.len(), ITEMS * (FOLDS - 1));
        for (item, fold, ..) in predicted {
            assert_eq!(fixture.times_learned[fold as usize][item as usize], 0);
        }
        Ok(())
    }

    #[test]
    fn the_error_of_the_first_failing_fold_is_returned() -> Result<()> {
        let fixture = fixture();
        let events = Events::new(&fixture.what, &fixture.item, &fixture.time)?;
        let (chunk, data) = (Chunk::Events { events, predict_last: false }, data(&fixture)?);
        for threads in [1, 2, 7] {
            let mut numbers: Vec<usize> = (0..FOLDS).collect();
            let mut states = states(0)?;
            let folds = numbers.iter_mut().zip(&mut states);
            let folds = folds
                .map(|(model, state)| Fold { model, state, times_learned: None, predicts: None })
                .collect();
            assert!(cut(chunk, &data).len() > 3);
            let step =
                |number: &mut usize, _: &mut _, _: Chunk<'_>, _: ChunkData<'_, _>, _: &mut _| {
                    if *number > 1 {
                        Err(parameter("fold", "number", "small", *number))
                    } else {
                        Ok(())
                    }
                };
            let failed = execute_folds(folds, chunk, data, threads, step, || ());
            let message = failed.map(|_| ()).map_err(|error| error.to_string());
            assert!(message.as_ref().is_err_and(|text| text.contains('2')), "{message:?}");
        }
        Ok(())
    }
}
