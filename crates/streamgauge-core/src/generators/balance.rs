//! Two classes in turn.

/// Lets items through so that the classes alternate, class 1 first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Balance {
    on: bool,
    next: i32,
}

impl Balance {
    pub(crate) fn new(on: bool) -> Self {
        Self { on, next: 1 }
    }

    /// Is it this class's turn?
    #[inline]
    pub(crate) fn takes(&mut self, label: i32) -> bool {
        if !self.on {
            return true;
        }
        let taken = label == self.next;
        if taken {
            self.next = 1 - self.next;
        }
        taken
    }
}
