//! Tests of trees as members of ensembles: the columns that a leaf looks at, saved and untrained trees.

use std::sync::Arc;

use super::{Criterion, HoeffdingTreeParameters, Leaf, Tree, TreeLayout};
use crate::kernels::Plain;
use crate::learners::{Column, Reader, Writer};
use crate::seeds::uniform;

const PARAMETERS: HoeffdingTreeParameters = HoeffdingTreeParameters {
    grace_period: 25.0,
    delta: 0.05,
    tie: 0.4,
    criterion: Criterion::InfoGain,
    leaf: Leaf::Adaptive,
    candidates: 10,
    binary: false,
    prune: true,
    memory: usize::MAX,
};

fn tree(subspace: Option<usize>) -> Tree {
    let mixed = |i: usize| if i % 3 == 1 { Column::Nominal(4) } else { Column::Numeric };
    let columns: Vec<Column> = (0..11).map(mixed).collect();
    Tree::new(Arc::new(TreeLayout::new(3, &columns, PARAMETERS, subspace, 5)))
}

fn row(item: u64) -> Vec<f64> {
    let cell = |i: u64| match uniform(i, item) {
        u if u < 0.01 => f64::NAN,
        u if i % 3 == 1 => (u * 4.0).floor(),
        u => u,
    };
    (0..11).map(cell).collect()
}

fn label(row: &[f64]) -> usize {
    let known = |x: &f64| if x.is_nan() { 0.0 } else { *x };
    (row.iter().take(3).map(known).sum::<f64>() * 1.5) as usize % 3
}

#[test]
fn a_leaf_uses_only_the_columns_it_has_drawn() -> crate::Result<()> {
    let mut tree = tree(Some(4));
    for item in 0..1500 {
        let cells = row(item);
        tree.learn(Plain, &cells, label(&cells), 1.0 + (item % 3) as f64);
    }
    assert!(tree.leaves.headers.len() > 5);
    for slot in 0..tree.leaves.headers.len() as u32 {
        let picks = tree.picks(slot);
        assert_eq!(picks.numeric.len() + picks.nominal.len(), 4);
    }
    let first: Vec<u32> = tree.leaves.picks[..4].to_vec();
    let predictions: Vec<i32> = (2000..2200).map(|item| tree.predict(Plain, &row(item))).collect();

    let mut out = Writer::default();
    tree.save(&mut out);
    let bytes = out.into_bytes();
    let mut other = self::tree(Some(4));
    other.load(&mut Reader::new(&bytes))?;
    assert_eq!(
        predictions,
        (2000..2200).map(|i| other.predict(Plain, &row(i))).collect::<Vec<_>>()
    );

    let other = other.untrained();
    assert_eq!(other.leaves.headers.len(), 1);
    assert_ne!(first, other.leaves.picks[..4]);
    assert_eq!(other.predict(Plain, &row(0)), crate::NONE);
    Ok(())
}
