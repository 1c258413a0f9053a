//! What lists hold.

/// Bytes a list has taken, used or not; what its things point at is not in there.
#[expect(clippy::ptr_arg, reason = "a slice does not know what its list has taken")]
pub(crate) fn held<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
