//! Locally weighted linear regression on the neighbours.

use crate::learners::nearest_neighbours_regression::mean;

/// Ridge penalty of the slopes, as a share of the total weight. It allows fewer neighbours than
/// columns; without information on a slope the prediction is the mean.
const RIDGE: f64 = 1e-3;

/// Prediction of the plane at the query, from the labels and weights of the neighbours and their
/// differences from the query in each column.
pub(super) fn fitted(votes: &[(f64, f64)], gaps: &[Vec<f64>]) -> f64 {
    let middle = mean(votes.iter().copied());
    let total: f64 = votes.iter().map(|&(_, weight)| weight).sum();
    let most = votes.iter().fold(0.0, |most, &(label, _)| f64::max(most, (label - middle).abs()));
    let width = gaps.first().map_or(0, Vec::len);
    if !(total > 0.0 && total.is_finite() && most > 0.0 && most.is_finite()) || width == 0 {
        return middle;
    }
    let mut centre = vec![0.0; width];
    for (&(_, weight), gaps) in votes.iter().zip(gaps) {
        for (sum, gap) in centre.iter_mut().zip(gaps) {
            *sum += weight / total * gap;
        }
    }
    // Centred neighbours times the square roots of their weights (dual form): one equation per
    // neighbour, for any number of columns.
    let rows: Vec<Vec<f64>> = votes
        .iter()
        .zip(gaps)
        .map(|(&(_, weight), gaps)| {
            let root = (weight / total).sqrt();
            gaps.iter().zip(&centre).map(|(gap, centre)| root * (gap - centre)).collect()
        })
        .collect();
    let goals: Vec<f64> = votes
        .iter()
        .map(|&(label, weight)| (weight / total).sqrt() * ((label - middle) / most))
        .collect();
    let shift: f64 =
        solved(&rows, &goals).iter().zip(&rows).map(|(share, row)| share * dot(row, &centre)).sum();
    let prediction = middle - most * shift;
    if prediction.is_finite() { prediction } else { middle }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The solution of (rows rowsᵀ + ridge) x = goals, by Cholesky's factors.
fn solved(rows: &[Vec<f64>], goals: &[f64]) -> Vec<f64> {
    let n = rows.len();
    let mut factor = vec![vec![0.0; n]; n];
    let mut x = vec![0.0; n];
    for i in 0..n {
        for j in 0..=i {
            let ridge = if i == j { RIDGE } else { 0.0 };
            let left = dot(&rows[i], &rows[j]) + ridge - dot(&factor[i][..j], &factor[j][..j]);
            factor[i][j] = if i == j { left.sqrt() } else { left / factor[j][j] };
        }
        x[i] = (goals[i] - dot(&factor[i][..i], &x[..i])) / factor[i][i];
    }
    for i in (0..n).rev() {
        let above: f64 = (i + 1..n).map(|j| factor[j][i] * x[j]).sum();
        x[i] = (x[i] - above) / factor[i][i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn neighbours_on_a_plane_recover_the_plane() {
        let gaps: Vec<Vec<f64>> = (0..30u32)
            .map(|i| vec![f64::from(i % 6) / 3.0 - 0.5, f64::from(i / 6) / 2.0 - 0.7])
            .collect();
        let votes: Vec<(f64, f64)> = gaps
            .iter()
            .enumerate()
            .map(|(i, gap)| (7.0 + 3.0 * gap[0] - 2.0 * gap[1], 1.0 + (i % 3) as f64))
            .collect();
        assert!((fitted(&votes, &gaps) - 7.0).abs() < 0.02);
    }

    #[test]
    fn without_slope_information_the_prediction_is_the_mean() {
        let votes = [(1.0, 1.0), (4.0, 3.0)];
        assert_eq!(fitted(&votes, &[vec![0.0], vec![0.0]]), 3.25);
        assert_eq!(fitted(&votes, &[vec![], vec![]]), 3.25);
        assert_eq!(fitted(&[(f64::MAX, 1.0), (-f64::MAX, 1.0)], &[vec![1.0], vec![-1.0]]), 0.0);
    }
}
