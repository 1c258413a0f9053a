//! Balanced classes: items are accepted so that classes 0 and 1 alternate.

/// Accepts items so that the classes alternate, class 1 first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Balance {
    on: bool,
    next: i32,
}

impl Balance {
    pub(crate) fn new(on: bool) -> Self {
        Self { on, next: 1 }
    }

    /// Whether an item of this class is accepted.
    #[inline]
    pub(crate) fn accepts(&mut self, label: i32) -> bool {
        if !self.on {
            return true;
        }
        let accepted = label == self.next;
        if accepted {
            self.next = 1 - self.next;
        }
        accepted
    }
}
