//! Snapshots of a summary, stored by component.

/// Snapshots of a summary: for each component a run of numbers, one per sampled row.
///
/// Measures read one component of all snapshots at a time, hence this memory layout.
#[derive(Debug, Clone)]
pub struct Stack {
    width: usize,
    capacity: usize,
    at: Vec<i64>,
    data: Vec<f64>,
}

impl Stack {
    /// An empty stack of summaries of `width` numbers, with capacity for `capacity` snapshots.
    pub fn new(width: usize, capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self {
            width,
            capacity,
            at: Vec::with_capacity(capacity),
            data: vec![0.0; width * capacity],
        }
    }

    /// Append a snapshot of `summary` after `at` rows.
    pub fn push(&mut self, at: u64, summary: &[f64]) {
        if self.at.len() == self.capacity {
            self.grow();
        }
        let nth = self.at.len();
        for (i, &value) in summary.iter().enumerate() {
            self.data[i * self.capacity + nth] = value;
        }
        self.at.push(at as i64);
    }

    fn grow(&mut self) {
        let capacity = self.capacity * 2;
        let mut data = vec![0.0; self.width * capacity];
        for (new, old) in data.chunks_exact_mut(capacity).zip(self.data.chunks_exact(self.capacity))
        {
            new[..self.capacity].copy_from_slice(old);
        }
        self.capacity = capacity;
        self.data = data;
    }

    /// Number of snapshots.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    /// Return the snapshots so far; the stack continues with capacity for as many.
    pub fn take(&mut self) -> Self {
        let capacity = self.at.len().max(1);
        std::mem::replace(self, Self::new(self.width, capacity))
    }

    /// The rows after which snapshots were taken, and per component a run of `capacity` numbers of
    /// which the first `at.len()` are used: `(at, data, width, capacity)`.
    pub fn into_parts(self) -> (Vec<i64>, Vec<f64>, usize, usize) {
        (self.at, self.data, self.width, self.capacity)
    }

    /// The `nth` snapshot.
    #[cfg(test)]
    pub(super) fn row(&self, nth: usize) -> Vec<f64> {
        self.data.chunks_exact(self.capacity).map(|run| run[nth]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Stack;

    #[test]
    fn a_stack_keeps_its_snapshots_when_it_grows() {
        let mut stack = Stack::new(2, 1);
        for i in 0..9u32 {
            stack.push(u64::from(i), &[f64::from(i), f64::from(i * i)]);
        }
        assert_eq!(stack.len(), 9);
        assert!((0..9u32).all(|i| stack.row(i as usize) == [f64::from(i), f64::from(i * i)]));
    }
}
