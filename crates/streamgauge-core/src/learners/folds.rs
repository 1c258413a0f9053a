//! Copies of a learner that are told of the same events, on as many threads as there may be.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::error::{Error, Result};
use crate::late::{Event, Events, Room, Said};
use crate::learners::Coming;

/// So many cells, about, are shown to one copy before it is the next one's turn: they stay in the
/// cache while the others look at them too.
const CELLS: usize = 16_384;

/// One copy, where its items wait, and its share of those that come.
#[derive(Debug)]
pub struct Fold<'a, M: ?Sized, A> {
    /// The copy.
    pub model: &'a mut M,
    /// Where its items wait.
    pub room: &'a mut Room<A>,
    /// See `Coming`.
    pub share: Option<&'a [u8]>,
}

/// What happens at a stretch, and which items and updates come in it.
struct Stretch {
    events: Range<usize>,
    items: Range<usize>,
    updates: Range<usize>,
}

/// A copy at work: how many stretches are behind it, and what it said.
struct Turn<'a, M: ?Sized, A> {
    fold: Fold<'a, M, A>,
    number: usize,
    done: usize,
    said: Said<A>,
}

/// Tell every copy of all events, by `step`, stretch by stretch in turns. Gives what each said; of
/// several that fail, the first copy's error. It does not depend on the threads. `meanwhile` is
/// done on the thread that calls, which joins the others when it is done.
pub fn in_step<M, A>(
    folds: Vec<Fold<'_, M, A>>,
    events: Events<'_>,
    coming: Coming<'_, A>,
    threads: usize,
    step: impl Fn(&mut M, &mut Room<A>, Events<'_>, Coming<'_, A>, &mut Said<A>) -> Result<()> + Sync,
    meanwhile: impl FnOnce(),
) -> Result<Vec<Said<A>>>
where
    M: Send + ?Sized,
    A: Copy + Send + Sync,
{
    coming.check(None, events)?;
    let expected = coming.items.len();
    for got in folds.iter().filter_map(|fold| fold.share.map(<[u8]>::len)) {
        if got != expected {
            return Err(Error::Length { what: "shares", expected, got });
        }
    }
    let stretches = cut(events, &coming);
    let threads = threads.clamp(1, folds.len().max(1));
    let count = folds.len();
    let mut queues: Vec<_> = (0..threads).map(|_| VecDeque::new()).collect();
    let labels = events.count(Event::Label);
    for (number, fold) in folds.into_iter().enumerate() {
        fold.room.begin(labels, number == 0);
        queues[number * threads / count].push_back(Turn {
            fold,
            number,
            done: 0,
            said: Said::default(),
        });
    }
    let queues: Vec<_> = queues.into_iter().map(Mutex::new).collect();
    let ready = Mutex::new(Vec::with_capacity(count));
    // A thread keeps its copies, which its processor has at hand, and takes one of another's when
    // it has none left. Whoever finds nobody waiting is not needed.
    let next = |me: usize| {
        let own = held(&queues[me]).pop_front();
        own.or_else(|| queues.iter().find_map(|queue| held(queue).pop_back()))
    };
    let work = |me: usize| {
        while let Some(mut turn) = next(me) {
            let Some(stretch) = stretches.get(turn.done) else {
                held(&ready).push((turn.number, Ok(turn.said)));
                continue;
            };
            let Fold { model, room, share } = &mut turn.fold;
            let coming = Coming { share: *share, ..coming };
            let some = coming.part(stretch.items.clone(), stretch.updates.clone());
            let now = events.part(stretch.events.clone());
            match step(model, room, now, some, &mut turn.said) {
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
    ready.into_iter().map(|(_, said)| said).collect()
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stretches of about `CELLS` cells.
fn cut<A>(events: Events<'_>, coming: &Coming<'_, A>) -> Vec<Stretch> {
    let most = 2 * (CELLS / coming.items.width().max(1)).max(256);
    let (mut items, mut updates) = (0..0, 0..0);
    let stretch = |begun: usize| {
        let part = begun..(begun + most).min(events.len());
        let now = events.part(part.clone());
        let came = now.count(Event::Arrival) + now.count(Event::Passing);
        items = items.end..items.end + came;
        updates = updates.end..updates.end + now.count(Event::Update);
        Stretch { events: part, items: items.clone(), updates: updates.clone() }
    };
    (0..events.len()).step_by(most).map(stretch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::parameter;
    use crate::late::{Heard, Schedule};
    use crate::learners::{Column, Items, NaiveBayes, Native};
    use crate::seeds::uniform;

    const COPIES: usize = 5;
    const ITEMS: usize = 1500;
    /// So wide that the story is told in several stretches.
    const WIDTH: usize = 300;
    const DELAY: usize = 40;

    type Row = (u64, u16, u32, u8, i64, i32);
    type Taught = (u64, u16, f64);

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
        let own = |i: u64| (uniform(2, i) * COPIES as f64) as usize;
        let share = |fold| (0..ITEMS as u64).map(|i| u8::from(own(i) != fold)).collect();
        Story { what, item, time, rows, labels, shares: (0..COPIES).map(share).collect() }
    }

    fn told(story: &Story, threads: usize) -> Result<(Vec<Row>, Vec<Taught>)> {
        let columns = [Column::Numeric; WIDTH];
        let mut models: Vec<_> = (0..COPIES).map(|_| NaiveBayes::new(2, &columns)).collect();
        let mut rooms: Vec<_> =
            (0..COPIES).map(|_| Room::new(Schedule::new(7, true), true)).collect();
        let events = Events::new(&story.what, &story.item, &story.time)?;
        let items = Items::new(0, &story.rows, WIDTH, ITEMS)?;
        let coming = Coming {
            items,
            labels: &story.labels,
            weights: None,
            share: None,
            updates: Items::blank(0, 0),
        };
        let folds = models.iter_mut().zip(&mut rooms).zip(&story.shares);
        let folds =
            folds.map(|((model, room), share)| Fold { model, room, share: Some(share) }).collect();
        let mut called = 0;
        let step = Native::wait_and_learn;
        let said = in_step(folds, events, coming, threads, step, || called += 1)?;
        assert_eq!(called, 1);
        let heard = Heard::new(said, &mut rooms, threads);
        let (said, taught) = (&heard.said, &heard.taught);
        let rows = (0..heard.fold.len()).map(|i| {
            let (item, turn, kind) = (said.item[i], said.turn[i], said.kind[i]);
            (item, heard.fold[i], turn, kind, said.time[i], said.answer[i])
        });
        let taught = taught.item.iter().zip(&taught.fold).zip(&taught.weight);
        Ok((rows.collect(), taught.map(|((item, fold), weight)| (*item, *fold, *weight)).collect()))
    }

    #[test]
    fn threads_change_nothing_and_rows_are_in_order() -> Result<()> {
        let story = story();
        let (said, taught) = told(&story, 1)?;
        for threads in [2, 3, 7] {
            let (others_said, others_taught) = told(&story, threads)?;
            assert_eq!((&said, &taught), (&others_said, &others_taught));
        }
        assert!(said.iter().any(|row| row.3 == 1), "somebody must change their mind");
        assert!(said.iter().map(|row| (row.4, row.1)).is_sorted());
        assert_eq!(said.iter().filter(|row| row.3 == 0).count(), ITEMS);
        assert!(taught.iter().map(|row| (row.0, row.1)).is_sorted());
        assert_eq!(taught.len(), ITEMS * (COPIES - 1));
        for (item, fold, ..) in said {
            assert_eq!(story.shares[fold as usize][item as usize], 0);
        }
        Ok(())
    }

    #[test]
    fn of_several_failures_the_first_copys_is_told() -> Result<()> {
        let story = story();
        let events = Events::new(&story.what, &story.item, &story.time)?;
        let items = Items::new(0, &story.rows, WIDTH, ITEMS)?;
        let updates = Items::blank(0, 0);
        let labels = &story.labels;
        let coming = Coming { items, labels, weights: None, share: None, updates };
        for threads in [1, 2, 7] {
            let mut numbers: Vec<usize> = (0..COPIES).collect();
            let mut rooms: Vec<Room<i32>> =
                (0..COPIES).map(|_| Room::new(Schedule::new(0, true), false)).collect();
            let folds = numbers.iter_mut().zip(&mut rooms);
            let folds = folds.map(|(model, room)| Fold { model, room, share: None }).collect();
            assert!(cut(events, &coming).len() > 3);
            let step =
                |number: &mut usize, _: &mut _, _: Events<'_>, _: Coming<'_, _>, _: &mut _| {
                    if *number > 1 {
                        Err(parameter("copy", "number", "small", *number))
                    } else {
                        Ok(())
                    }
                };
            let failed = in_step(folds, events, coming, threads, step, || ());
            let message = failed.map(|_| ()).map_err(|error| error.to_string());
            assert!(message.as_ref().is_err_and(|told| told.contains('2')), "{message:?}");
        }
        Ok(())
    }
}
