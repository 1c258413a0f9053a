//! Folds of a learner that carry out the same chunk, on as many threads as there may be.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::{Chunk, Coming, Event, Predictions, Store};
use crate::error::{Error, Result};
use crate::learners::Target;

/// So many cells, about, are shown to one fold before it is the next one's turn: they stay in the
/// cache while the others read them too.
const CELLS: usize = 16_384;

/// One fold: the model, its items in flight, and its share of those that come.
#[derive(Debug)]
pub struct Fold<'a, M: ?Sized, T> {
    /// The model.
    pub model: &'a mut M,
    /// Its items in flight.
    pub store: &'a mut Store<T>,
    /// See `Coming`.
    pub share: Option<&'a [u8]>,
}

/// A part of a chunk, and which items and updates come in it.
struct Part<'a> {
    chunk: Chunk<'a>,
    base: usize,
    items: Range<usize>,
    updates: Range<usize>,
}

/// A fold at work: how many parts it has done, and its predictions.
struct Turn<'a, M: ?Sized, T> {
    fold: Fold<'a, M, T>,
    number: usize,
    done: usize,
    out: Predictions<T>,
}

/// Carry the chunk out for every fold by `step`, part by part in turns. Gives the predictions of
/// each; of several that fail, the first fold's error. It does not depend on the threads.
/// `meanwhile` is done on the calling thread, which joins the others when it is done.
pub fn in_step<M, T>(
    folds: Vec<Fold<'_, M, T>>,
    chunk: Chunk<'_>,
    coming: Coming<'_, T>,
    threads: usize,
    step: impl Fn(&mut M, &mut Store<T>, Chunk<'_>, Coming<'_, T>, &mut Predictions<T>) -> Result<()>
    + Sync,
    meanwhile: impl FnOnce(),
) -> Result<Vec<Predictions<T>>>
where
    M: Send + ?Sized,
    T: Target,
{
    coming.check(None, &chunk)?;
    let expected = coming.items.len();
    for got in folds.iter().filter_map(|fold| fold.share.map(<[u8]>::len)) {
        if got != expected {
            return Err(Error::Length { what: "shares", expected, got });
        }
    }
    let parts = cut(chunk, &coming);
    let threads = threads.clamp(1, folds.len().max(1));
    let count = folds.len();
    let mut queues: Vec<_> = (0..threads).map(|_| VecDeque::new()).collect();
    let labels = chunk.labels();
    for (number, fold) in folds.into_iter().enumerate() {
        fold.store.begin(labels, number == 0);
        let out = Predictions::new(count > 1);
        queues[number * threads / count].push_back(Turn { fold, number, done: 0, out });
    }
    let queues: Vec<_> = queues.into_iter().map(Mutex::new).collect();
    let ready = Mutex::new(Vec::with_capacity(count));
    // A thread keeps its folds, which its processor has at hand, and takes one of another's when
    // it has none left. A thread that finds all queues empty exits.
    let next = |me: usize| {
        let own = held(&queues[me]).pop_front();
        own.or_else(|| queues.iter().find_map(|queue| held(queue).pop_back()))
    };
    let work = |me: usize| {
        while let Some(mut turn) = next(me) {
            let Some(part) = parts.get(turn.done) else {
                held(&ready).push((turn.number, Ok(turn.out)));
                continue;
            };
            let Fold { model, store, share } = &mut turn.fold;
            let coming = Coming { share: *share, ..coming };
            let some = coming.part(part.items.clone(), part.updates.clone());
            turn.out.base = part.base as u32;
            match step(model, store, part.chunk, some, &mut turn.out) {
                Ok(()) => {
                    turn.done += 1;
                    held(&queues[me]).push_back(turn);
                }
                Err(error) => held(&ready).push((turn.number, Err(error))),
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

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parts of about `CELLS` cells; orders are one part, since they may refer to any item.
fn cut<'a, T: Target>(chunk: Chunk<'a>, coming: &Coming<'_, T>) -> Vec<Part<'a>> {
    let Chunk::Events { events, ask_last } = chunk else {
        let (items, updates) = (0..coming.items.len(), 0..coming.updates.len());
        return vec![Part { chunk, base: 0, items, updates }];
    };
    let most = 2 * (CELLS / coming.items.width().max(1)).max(256);
    let (mut items, mut updates) = (0..0, 0..0);
    let part = |base: usize| {
        let now = events.part(base..(base + most).min(events.len()));
        items = items.end..items.end + now.arrivals();
        updates = updates.end..updates.end + now.count(Event::Update);
        let chunk = Chunk::Events { events: now, ask_last };
        Part { chunk, base, items: items.clone(), updates: updates.clone() }
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
    /// So wide that a chunk is cut into several parts.
    const WIDTH: usize = 300;
    const DELAY: usize = 40;

    type Row = (u64, u16, u32, u8, i64, i32);
    type Learned = (u64, u16, f64);

    struct Story {
        what: Vec<u8>,
        item: Vec<u64>,
        time: Vec<i64>,
        rows: Vec<f64>,
        labels: Vec<i32>,
        shares: Vec<Vec<u8>>,
    }

    fn story() -> Story {
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
        let share = |fold| (0..ITEMS as u64).map(|i| u8::from(own(i) != fold)).collect();
        Story { what, item, time, rows, labels, shares: (0..FOLDS).map(share).collect() }
    }

    fn stores(every: u64) -> Result<Vec<Store<i32>>> {
        let mut stores: Vec<_> = (0..FOLDS as u16).map(|fold| Store::new(fold, 0)).collect();
        for store in &mut stores {
            store.reschedule(every, true)?;
        }
        Ok(stores)
    }

    fn coming(story: &Story) -> Result<Coming<'_, i32>> {
        let items = Items::new(0, &story.rows, WIDTH, ITEMS)?;
        let updates = Items::blank(0, 0);
        Ok(Coming { items, labels: &story.labels, weights: None, share: None, updates })
    }

    fn carried_out(story: &Story, threads: usize) -> Result<(Vec<Row>, Vec<Learned>)> {
        let columns = [Column::Numeric; WIDTH];
        let mut models: Vec<_> = (0..FOLDS).map(|_| NaiveBayes::new(2, &columns)).collect();
        let mut stores = stores(7)?;
        let events = Events::new(&story.what, &story.item, &story.time)?;
        let chunk = Chunk::Events { events, ask_last: true };
        let folds = models.iter_mut().zip(&mut stores).zip(&story.shares);
        let folds = folds
            .map(|((model, store), share)| Fold { model, store, share: Some(share) })
            .collect();
        let mut called = 0;
        let step = Native::carry_out;
        let each = in_step(folds, chunk, coming(story)?, threads, step, || called += 1)?;
        assert_eq!(called, 1);
        let Rows { predictions, fold, training, .. } =
            Rows::new(each, &mut stores, &chunk, threads);
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
    fn threads_change_nothing_and_rows_are_in_order() -> Result<()> {
        let story = story();
        let (predicted, learned) = carried_out(&story, 1)?;
        for threads in [2, 3, 7] {
            let (others_predicted, others_learned) = carried_out(&story, threads)?;
            assert_eq!((&predicted, &learned), (&others_predicted, &others_learned));
        }
        assert!(predicted.iter().any(|row| row.3 == 1), "some prediction must change");
        assert!(predicted.iter().map(|row| row.4).is_sorted());
        assert_eq!(predicted.iter().filter(|row| row.3 == 0).count(), ITEMS);
        assert!(learned.iter().map(|row| (row.0, row.1)).is_sorted());
        assert_eq!(learned.len(), ITEMS * (FOLDS - 1));
        for (item, fold, ..) in predicted {
            assert_eq!(story.shares[fold as usize][item as usize], 0);
        }
        Ok(())
    }

    #[test]
    fn of_several_failures_the_first_folds_is_given() -> Result<()> {
        let story = story();
        let events = Events::new(&story.what, &story.item, &story.time)?;
        let (chunk, coming) = (Chunk::Events { events, ask_last: false }, coming(&story)?);
        for threads in [1, 2, 7] {
            let mut numbers: Vec<usize> = (0..FOLDS).collect();
            let mut stores = stores(0)?;
            let folds = numbers.iter_mut().zip(&mut stores);
            let folds = folds.map(|(model, store)| Fold { model, store, share: None }).collect();
            assert!(cut(chunk, &coming).len() > 3);
            let step =
                |number: &mut usize, _: &mut _, _: Chunk<'_>, _: Coming<'_, _>, _: &mut _| {
                    if *number > 1 {
                        Err(parameter("fold", "number", "small", *number))
                    } else {
                        Ok(())
                    }
                };
            let failed = in_step(folds, chunk, coming, threads, step, || ());
            let message = failed.map(|_| ()).map_err(|error| error.to_string());
            assert!(message.as_ref().is_err_and(|told| told.contains('2')), "{message:?}");
        }
        Ok(())
    }
}
