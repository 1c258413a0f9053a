//! What lists hold.

/// Bytes a list has taken, used or not; what its things point at is not in there.
pub(crate) fn held<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
