//! Snapshots of a summary, stored component by component.

/// Snapshots of a summary: for each component a run of numbers, one a sampled row.
///
/// Formulas read one component of all snapshots at a time, so that is how they lie in memory.
#[derive(Debug, Clone)]
pub struct Stack {
    width: usize,
    room: usize,
    at: Vec<i64>,
    data: Vec<f64>,
}

impl Stack {
    /// An empty stack of summaries of `width` numbers, with room for `room` snapshots.
    pub fn new(width: usize, room: usize) -> Self {
        let room = room.max(1);
        Self { width, room, at: Vec::with_capacity(room), data: vec![0.0; width * room] }
    }

    /// Keep a copy of `summary` as it is after `at` rows.
    pub fn push(&mut self, at: u64, summary: &[f64]) {
        if self.at.len() == self.room {
            self.grow();
        }
        let nth = self.at.len();
        for (i, &value) in summary.iter().enumerate() {
            self.data[i * self.room + nth] = value;
        }
        self.at.push(at as i64);
    }

    fn grow(&mut self) {
        let room = self.room * 2;
        let mut data = vec![0.0; self.width * room];
        for (new, old) in data.chunks_exact_mut(room).zip(self.data.chunks_exact(self.room)) {
            new[..self.room].copy_from_slice(old);
        }
        self.room = room;
        self.data = data;
    }

    /// Number of snapshots.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    /// Hand over the snapshots so far; what follows goes into as much room.
    pub fn take(&mut self) -> Self {
        let room = self.at.len().max(1);
        std::mem::replace(self, Self::new(self.width, room))
    }

    /// The rows after which snapshots were taken, and per component one run of `room` numbers of
    /// which the first `at.len()` are meant: `(at, data, width, room)`.
    pub fn into_parts(self) -> (Vec<i64>, Vec<f64>, usize, usize) {
        (self.at, self.data, self.width, self.room)
    }

    /// The `nth` snapshot, written out.
    #[cfg(test)]
    pub(super) fn row(&self, nth: usize) -> Vec<f64> {
        self.data.chunks_exact(self.room).map(|run| run[nth]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Stack;

    #[test]
    fn a_stack_grows_and_forgets_nothing() {
        let mut stack = Stack::new(2, 1);
        for i in 0..9u32 {
            stack.push(u64::from(i), &[f64::from(i), f64::from(i * i)]);
        }
        assert_eq!(stack.len(), 9);
        assert!((0..9u32).all(|i| stack.row(i as usize) == [f64::from(i), f64::from(i * i)]));
    }
}
