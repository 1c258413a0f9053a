//! An ordered multiset of scores with the number of positive and of negative items per score.

/// The number of entries above which a bucket is split.
const MAX_BUCKET: usize = 256;

/// Scores in ascending order in buckets, and cumulative totals over the buckets.
#[derive(Debug, Default)]
pub(super) struct Ranks {
    buckets: Vec<Bucket>,
    /// The lowest score of each bucket.
    firsts: Vec<f64>,
    /// A Fenwick tree over the buckets' totals of either side.
    tree: Vec<[u64; 2]>,
}

#[derive(Debug, Default)]
struct Bucket {
    scores: Vec<f64>,
    counts: Vec<[u64; 2]>,
    total: [u64; 2],
}

impl Bucket {
    /// Split off the upper half.
    fn halve(&mut self) -> Self {
        let half = self.scores.len() / 2;
        let (scores, counts) = (self.scores.split_off(half), self.counts.split_off(half));
        let total = counts.iter().fold([0, 0], |t: [u64; 2], c| [t[0] + c[0], t[1] + c[1]]);
        self.total = [self.total[0] - total[0], self.total[1] - total[1]];
        Self { scores, counts, total }
    }
}

impl Ranks {
    /// The number of items of `side` with a lower score, and with the same score.
    pub(super) fn below(&self, score: f64, side: usize) -> (u64, u64) {
        let Some(nth) = self.bucket(score) else { return (0, 0) };
        let bucket = &self.buckets[nth];
        let place = bucket.scores.partition_point(|&s| s < score);
        let within: u64 = bucket.counts[..place].iter().map(|c| c[side]).sum();
        let same = match bucket.scores.get(place) {
            Some(&s) if s == score => bucket.counts[place][side],
            _ => 0,
        };
        (self.before(nth, side) + within, same)
    }

    /// Add an item of `side` with this score.
    pub(super) fn add(&mut self, score: f64, side: usize) {
        let nth = match self.bucket(score) {
            Some(nth) => nth,
            None if self.buckets.is_empty() => {
                self.buckets.push(Bucket::default());
                self.firsts.push(score);
                self.tree.push([0, 0]);
                0
            }
            None => 0,
        };
        let bucket = &mut self.buckets[nth];
        let place = bucket.scores.partition_point(|&s| s < score);
        if bucket.scores.get(place) == Some(&score) {
            bucket.counts[place][side] += 1;
        } else {
            bucket.scores.insert(place, score);
            bucket.counts.insert(place, [u64::from(side == 0), u64::from(side == 1)]);
            self.firsts[nth] = bucket.scores[0];
        }
        bucket.total[side] += 1;
        if bucket.scores.len() > MAX_BUCKET {
            let upper = bucket.halve();
            self.firsts.insert(nth + 1, upper.scores[0]);
            self.buckets.insert(nth + 1, upper);
            self.rebuild();
        } else {
            self.change(nth, side, 1);
        }
    }

    /// Remove an item of `side` with this score, if there is one.
    pub(super) fn remove(&mut self, score: f64, side: usize) {
        let Some(nth) = self.bucket(score) else { return };
        let bucket = &mut self.buckets[nth];
        let place = bucket.scores.partition_point(|&s| s < score);
        if bucket.scores.get(place) != Some(&score) || bucket.counts[place][side] == 0 {
            return;
        }
        bucket.counts[place][side] -= 1;
        bucket.total[side] -= 1;
        if bucket.counts[place] == [0, 0] {
            bucket.scores.remove(place);
            bucket.counts.remove(place);
            if bucket.scores.is_empty() {
                self.buckets.remove(nth);
                self.firsts.remove(nth);
                self.rebuild();
                return;
            }
            self.firsts[nth] = bucket.scores[0];
        }
        self.change(nth, side, -1);
    }

    /// Remove all items.
    pub(super) fn clear(&mut self) {
        self.buckets.clear();
        self.firsts.clear();
        self.tree.clear();
    }

    /// The bucket to which `score` belongs; None if it is below all.
    fn bucket(&self, score: f64) -> Option<usize> {
        self.firsts.partition_point(|&first| first <= score).checked_sub(1)
    }

    /// Totals of `side` over the buckets before the `nth`.
    fn before(&self, nth: usize, side: usize) -> u64 {
        let (mut i, mut total) = (nth, 0);
        while i > 0 {
            total += self.tree[i - 1][side];
            i &= i - 1;
        }
        total
    }

    fn change(&mut self, nth: usize, side: usize, by: i64) {
        let mut i = nth + 1;
        while i <= self.tree.len() {
            self.tree[i - 1][side] = self.tree[i - 1][side].wrapping_add_signed(by);
            i += i & i.wrapping_neg();
        }
    }

    fn rebuild(&mut self) {
        self.tree.clear();
        self.tree.extend(self.buckets.iter().map(|bucket| bucket.total));
        for i in 1..=self.tree.len() {
            let parent = i + (i & i.wrapping_neg());
            if parent <= self.tree.len() {
                let mine = self.tree[i - 1];
                self.tree[parent - 1][0] += mine[0];
                self.tree[parent - 1][1] += mine[1];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Ranks;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranks_equal_those_of_a_recount(
            moves in prop::collection::vec((0u32..2000, any::<bool>(), any::<bool>()), 0..3000)
        ) {
            let mut ranks = Ranks::default();
            let mut items: Vec<(f64, usize)> = Vec::new();
            for (i, (score, side, removed)) in moves.into_iter().enumerate() {
                let (score, side) = (f64::from(score), usize::from(side));
                if removed && !items.is_empty() {
                    let (s, side) = items.swap_remove(i % items.len());
                    ranks.remove(s, side);
                } else {
                    ranks.add(score, side);
                    items.push((score, side));
                }
                let below = items.iter().filter(|h| h.1 == side && h.0 < score).count() as u64;
                let same = items.iter().filter(|h| h.1 == side && h.0 == score).count() as u64;
                prop_assert_eq!(ranks.below(score, side), (below, same));
            }
        }
    }
}
