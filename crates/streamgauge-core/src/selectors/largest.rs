//! The features with the largest scores.

/// Which of two features with equal scores is taken first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ties {
    Lowest,
    Highest,
}

/// Mark the `count` features with the largest scores. NaN counts as the smallest score.
pub(super) fn largest(scores: &[f64], count: usize, ties: Ties, selected: &mut [bool]) {
    selected.fill(false);
    if count == 0 {
        return;
    }
    if count >= scores.len() {
        selected.fill(true);
        return;
    }
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let key = |i: usize| if scores[i].is_nan() { f64::NEG_INFINITY } else { scores[i] + 0.0 };
    order.select_nth_unstable_by(count - 1, |&a, &b| {
        let by_index = if ties == Ties::Lowest { a.cmp(&b) } else { b.cmp(&a) };
        key(b).total_cmp(&key(a)).then(by_index)
    });
    for &i in &order[..count] {
        selected[i] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::{Ties, largest};

    fn chosen(scores: &[f64], count: usize, ties: Ties) -> Vec<usize> {
        let mut selected = vec![false; scores.len()];
        largest(scores, count, ties, &mut selected);
        (0..scores.len()).filter(|&i| selected[i]).collect()
    }

    #[test]
    fn equal_scores_are_ordered_by_index() {
        let scores = [1.0, 3.0, 3.0, f64::NAN, 3.0, -0.0, 0.0];
        assert_eq!(chosen(&scores, 2, Ties::Lowest), [1, 2]);
        assert_eq!(chosen(&scores, 2, Ties::Highest), [2, 4]);
        assert_eq!(chosen(&scores, 5, Ties::Lowest), [0, 1, 2, 4, 5]);
        assert_eq!(chosen(&scores, 7, Ties::Lowest).len(), 7);
        assert!(chosen(&scores, 0, Ties::Lowest).is_empty());
    }
}
