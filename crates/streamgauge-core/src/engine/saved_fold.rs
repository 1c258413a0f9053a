//! The state of a fold as plain bytes, for checkpoints: its pending items and its counts.

use super::FoldState;
use super::fold_state::PendingItem;
use crate::error::Result;
use crate::learners::Target;
use crate::learners::state::{framed, refused, unframed};

/// What the frame of such bytes names as their owner.
const OWNER: &str = "pending items";

/// The state of an item has at least so many words.
const WORDS: usize = 8;

impl<T: Target, C> FoldState<T, C> {
    /// The pending items after a chunk. Caches are not saved: predictions do not depend on them.
    pub fn save(&self) -> Vec<u8> {
        let width = self.cells.len() / self.slots.len().max(1);
        framed(OWNER, |out| {
            let (every, first_at_zero) = self.schedule.interval();
            out.whole(every);
            out.whole(u64::from(first_at_zero));
            out.whole(self.schedule.labels());
            out.whole(self.learned);
            let pending = self.schedule.pending();
            out.whole(pending.len() as u64);
            out.whole(width as u64);
            for (item, labels_at_arrival, at) in pending {
                let at = at as usize;
                let slot = &self.slots[at];
                out.whole(item);
                out.whole(labels_at_arrival);
                out.whole(slot.label.to_word());
                out.real(slot.weight);
                out.whole(slot.last.to_word());
                out.whole(u64::from(slot.predicted));
                out.whole(u64::from(slot.times_learned));
                out.whole(slot.learned);
                out.reals(&self.cells[at * width..][..width]);
                out.reals(&self.scores[at * self.classes..][..self.classes]);
            }
            out.whole(self.held.len() as u64);
            self.held.iter().for_each(|&item| out.whole(item));
        })
    }

    /// Load what `save` gave, into a fold without pending items. `width` is the number of cells per
    /// row, `classes` the number of classes (0: the target is real), `cache` that of a new item.
    pub fn load(
        &mut self,
        bytes: &[u8],
        width: usize,
        classes: usize,
        cache: impl Fn() -> C,
    ) -> Result<()> {
        let mut from = unframed(OWNER, bytes)?;
        let (every, first_at_zero) = (from.whole()?, from.flag()?);
        let labels = from.whole()?;
        let mut new = Self::new(self.fold, self.classes);
        new.schedule.set_interval(every, first_at_zero)?;
        new.schedule = new.schedule.after(labels);
        new.learned = from.whole()?;
        let count = from.count(WORDS)?;
        let stated = from.whole()?;
        if count > 0 && stated != width as u64 {
            return Err(refused(&format!("of rows with {width} cells"), stated));
        }
        let (mut row, mut scores) = (vec![0.0; width], vec![0.0; self.classes]);
        let mut last_item = None;
        for _ in 0..count {
            let (item, labels_at_arrival) = (from.whole()?, from.whole()?);
            if labels_at_arrival > labels || last_item.is_some_and(|last| last >= item) {
                return Err(refused("valid", "items that are out of order"));
            }
            last_item = Some(item);
            let label = T::from_word(from.whole()?);
            let weight = from.real()?;
            let last = T::from_word(from.whole()?);
            T::check(&[label, last], classes)?;
            if !(weight >= 0.0 && weight.is_finite()) {
                return Err(refused("valid", "a weight that is negative or not finite"));
            }
            let (predicted, times_learned) = (from.flag()?, from.below(256)? as u8);
            let learned = from.whole()?;
            from.reals(&mut row)?;
            from.reals(&mut scores)?;
            let at = new.schedule.add_at(item, labels_at_arrival, predicted)?;
            let slot = PendingItem {
                label,
                weight,
                last,
                cache: cache(),
                predicted,
                times_learned,
                learned,
            };
            new.put(at, slot, &row, scores.len());
            let from = at as usize * scores.len();
            new.scores[from..from + scores.len()].copy_from_slice(&scores);
        }
        for _ in 0..from.count(1)? {
            let item = from.whole()?;
            new.schedule.slot(item)?;
            new.held.push(item);
        }
        from.end()?;
        *self = new;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fold_state::EMPTY_CACHE;
    use super::FoldState;
    use crate::engine::fold_state::PendingItem;
    use crate::error::Result;

    fn pending() -> Result<FoldState<i32>> {
        let mut all: FoldState<i32> = FoldState::new(0, 2);
        all.set_interval(3, true)?;
        for item in 0..6 {
            let at = all.schedule.add(item, item != 4)?;
            let slot =
                PendingItem { last: 1, predicted: item != 4, ..PendingItem::new(0, EMPTY_CACHE) };
            all.put(at, slot, &[item as f64, -1.0], 2);
            all.schedule.add_label();
        }
        for item in [0, 3] {
            let (at, _) = all.schedule.remove(item)?;
            all.schedule.vacate(at);
        }
        Ok(all)
    }

    #[test]
    fn a_loaded_state_is_the_saved_one_without_its_vacant_slots() -> Result<()> {
        let saved = pending()?.save();
        let mut again: FoldState<i32> = FoldState::new(0, 2);
        again.load(&saved, 2, 2, || EMPTY_CACHE)?;
        assert_eq!(again.len(), 4);
        assert_eq!(again.save(), saved);
        assert_eq!(again.cells, [1.0, -1.0, 2.0, -1.0, 4.0, -1.0, 5.0, -1.0]);
        Ok(())
    }

    #[test]
    fn a_state_of_other_rows_or_classes_or_changed_bytes_is_refused() -> Result<()> {
        let saved = pending()?.save();
        let mut again: FoldState<i32> = FoldState::new(0, 2);
        assert!(again.load(&saved, 3, 2, || EMPTY_CACHE).is_err());
        assert!(again.load(&saved, 2, 1, || EMPTY_CACHE).is_err());
        for at in 0..saved.len() {
            let mut changed = saved.clone();
            changed[at] ^= 1;
            assert!(again.load(&changed, 2, 2, || EMPTY_CACHE).is_err());
        }
        assert!(again.is_empty());
        Ok(())
    }
}
