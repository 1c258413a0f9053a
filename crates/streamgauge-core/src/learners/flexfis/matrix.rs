//! Symmetric matrices as rows in one slice.

/// The identity matrix times a number.
pub(super) fn identity(size: usize, factor: f64) -> Vec<f64> {
    let mut matrix = vec![0.0; size * size];
    matrix.iter_mut().step_by(size + 1).for_each(|x| *x = factor);
    matrix
}

/// Sum of products, in the order of the elements.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// A symmetric matrix times a vector. Each sum is in the order of the vector.
#[inline(always)]
pub(super) fn product(matrix: &[f64], vector: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (row, x) in matrix.chunks_exact(vector.len()).zip(vector) {
        // A row is a column too: the sums grow side by side.
        out.iter_mut().zip(row).for_each(|(sum, m)| *sum += m * x);
    }
}

/// The inverse by Cholesky's factors; None if the matrix is not positive definite.
pub(super) fn inverse(matrix: &[f64], size: usize) -> Option<Vec<f64>> {
    let mut low = vec![0.0; size * size];
    for a in 0..size {
        for b in 0..=a {
            let mut left = matrix[a * size + b];
            for j in 0..b {
                left -= low[a * size + j] * low[b * size + j];
            }
            low[a * size + b] = match a == b {
                false => left / low[b * size + b],
                true if left > 0.0 && left.is_finite() => left.sqrt(),
                true => return None,
            };
        }
    }
    let mut columns = identity(size, 1.0);
    for x in columns.chunks_exact_mut(size) {
        for a in 0..size {
            for j in 0..a {
                x[a] -= low[a * size + j] * x[j];
            }
            x[a] /= low[a * size + a];
        }
        for a in (0..size).rev() {
            for j in a + 1..size {
                x[a] -= low[j * size + a] * x[j];
            }
            x[a] /= low[a * size + a];
        }
    }
    let at = |a: usize, b: usize| columns[a * size + b];
    let cells = (0..size).flat_map(|a| (0..size).map(move |b| (a, b)));
    Some(cells.map(|(a, b)| 0.5 * (at(a, b) + at(b, a))).collect())
}

#[cfg(test)]
mod tests {
    use super::{identity, inverse};

    #[test]
    fn an_inverse_times_its_matrix_is_the_identity() {
        let matrix = [4.0, 2.0, 0.5, 2.0, 3.0, -1.0, 0.5, -1.0, 2.0];
        let inverse = inverse(&matrix, 3).unwrap_or_default();
        assert_eq!(inverse.len(), 9);
        for a in 0..3 {
            for b in 0..3 {
                let cell: f64 = (0..3).map(|j| matrix[a * 3 + j] * inverse[j * 3 + b]).sum();
                assert!((cell - f64::from(u8::from(a == b))).abs() < 1e-14);
                assert_eq!(inverse[a * 3 + b].to_bits(), inverse[b * 3 + a].to_bits());
            }
        }
    }

    #[test]
    fn only_positive_definite_matrices_have_one() {
        assert!(inverse(&[1.0, 2.0, 2.0, 1.0], 2).is_none());
        assert!(inverse(&[f64::NAN], 1).is_none());
        assert!(inverse(&[f64::INFINITY], 1).is_none());
        assert!(inverse(&identity(2, 0.0), 2).is_none());
        assert_eq!(inverse(&identity(2, 4.0), 2), Some(identity(2, 0.25)));
    }
}
