//! Memory held by vectors.

/// Bytes allocated by a vector, used or not, without what its elements point to.
pub(crate) fn held<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
