//! The layout of a tree, which does not change as it grows: columns, classes, parameters.

use crate::error::{Result, parameter};
use crate::kernels::groups;
use crate::learners::Column;
use crate::parameters::Parameters;
use crate::seeds::mix;

/// Prediction method of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// Its most frequent class.
    Majority,
    /// Naive Bayes over its statistics.
    Bayes,
    /// The one of the two with more correct predictions in the leaf.
    Adaptive,
}

/// Split criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Criterion {
    /// Information gain, in bits.
    InfoGain,
    /// 1 - the Gini impurity after the split.
    Gini,
}

/// Parameters of a Hoeffding tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HoeffdingTreeParameters {
    /// Weight that a leaf learns between two attempts to split.
    pub grace_period: f64,
    /// Allowed error of a split decision.
    pub delta: f64,
    /// Below this bound the best split is made even if the second best is close.
    pub tie: f64,
    /// Split criterion.
    pub criterion: Criterion,
    /// Prediction method of the leaves.
    pub leaf: Leaf,
    /// Number of candidate thresholds per numeric column.
    pub candidates: usize,
    /// Only binary splits.
    pub binary: bool,
    /// Whether no split is one of the candidates (pre-pruning).
    pub prune: bool,
    /// Memory limit in bytes.
    pub memory: usize,
}

impl HoeffdingTreeParameters {
    /// Read from named parameters.
    pub fn of(p: &Parameters) -> Result<Self> {
        let leaf = match p.word("leaf_prediction")? {
            "majority" => Leaf::Majority,
            "nb" => Leaf::Bayes,
            "nb_adaptive" => Leaf::Adaptive,
            other => {
                let must = "one of majority, nb, nb_adaptive";
                return Err(parameter("Hoeffding tree", "leaf_prediction", must, other));
            }
        };
        let criterion = match p.word("split_criterion")? {
            "info_gain" => Criterion::InfoGain,
            "gini" => Criterion::Gini,
            other => {
                let must = "one of info_gain, gini";
                return Err(parameter("Hoeffding tree", "split_criterion", must, other));
            }
        };
        Ok(Self {
            grace_period: p.real("grace_period")?,
            delta: p.real("delta")?,
            tie: p.real("tau")?,
            criterion,
            leaf,
            candidates: p.whole("n_splits")?,
            binary: p.flag("binary_split")?,
            prune: p.flag("merit_preprune")?,
            memory: p.maybe_whole("max_bytes")?.unwrap_or(usize::MAX),
        })
    }
}

/// A nominal column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nominal {
    pub(super) column: u32,
    pub(super) values: u32,
    /// Its first value among the values of all nominal columns.
    pub(super) offset: u32,
}

/// Code of a nominal cell that is missing or undeclared.
pub(super) const MISSING: u32 = u32::MAX;

impl Nominal {
    /// The code in a row; `MISSING` if it is not declared.
    #[inline(always)]
    pub(super) fn code(&self, row: &[f64]) -> u32 {
        let cell = row[self.column as usize];
        let code = cell as u32;
        if f64::from(code) == cell && code < self.values { code } else { MISSING }
    }
}

/// Columns, classes and parameters of a tree.
#[derive(Debug, Clone)]
pub(crate) struct TreeLayout {
    pub(super) parameters: HoeffdingTreeParameters,
    pub(super) classes: usize,
    pub(crate) width: usize,
    /// Numeric columns.
    pub(super) numeric: Vec<u32>,
    /// Nominal columns.
    pub(super) nominal: Vec<Nominal>,
    /// 0, 1, … over the nominal columns.
    pub(super) all_nominal: Vec<u32>,
    /// Values of all nominal columns together.
    pub(super) values: usize,
    /// Number of columns per leaf, if not all.
    pub(super) subspace: Option<usize>,
    pub(super) seed: u64,
    /// Number of groups of eight numeric columns per leaf, and of nominal ones.
    pub(super) groups: usize,
    pub(super) nominal_groups: usize,
    /// Whether rows are used directly as numeric cells.
    pub(super) in_place: bool,
}

impl TreeLayout {
    /// `subspace`: number of columns per leaf, drawn at random by `seed`.
    pub(crate) fn new(
        classes: usize,
        columns: &[Column],
        parameters: HoeffdingTreeParameters,
        subspace: Option<usize>,
        seed: u64,
    ) -> Self {
        let (mut numeric, mut nominal, mut values) = (Vec::new(), Vec::new(), 0);
        for (i, column) in columns.iter().enumerate() {
            match *column {
                Column::Numeric => numeric.push(i as u32),
                Column::Nominal(count) => {
                    let (column, count) = (i as u32, count as u32);
                    nominal.push(Nominal { column, values: count, offset: values });
                    values += count;
                }
            }
        }
        let subspace = subspace.filter(|most| *most < columns.len());
        let numbers = subspace.map_or(numeric.len(), |most| most.min(numeric.len()));
        Self {
            parameters,
            classes,
            width: columns.len(),
            groups: groups(numbers),
            nominal_groups: groups(nominal.len()),
            in_place: nominal.is_empty() && subspace.is_none(),
            all_nominal: (0..nominal.len() as u32).collect(),
            values: values as usize,
            numeric,
            nominal,
            subspace,
            seed,
        }
    }

    /// The columns of the `nth` leaf: numeric columns, and indices of nominal ones.
    pub(super) fn draw(&self, nth: u64) -> (Vec<u32>, Vec<u32>) {
        let most = self.subspace.unwrap_or(self.width);
        let mut columns: Vec<u32> = (0..self.width as u32).collect();
        for i in 0..most {
            let draw = mix(mix(mix(self.seed) ^ nth) ^ i as u64);
            // The high half of the product is uniform over the remaining columns.
            let left = (self.width - i) as u128;
            let at = i + ((u128::from(draw) * left) >> 64) as usize;
            columns.swap(i, at);
        }
        let mut picked = columns[..most].to_vec();
        picked.sort_unstable();
        let numeric = |column: &u32| self.numeric.binary_search(column).is_ok();
        let numbers = picked.iter().copied().filter(numeric).collect();
        let at = |column: &u32| {
            let found = self.nominal.binary_search_by_key(column, |nominal| nominal.column);
            found.ok().map(|i| i as u32)
        };
        (numbers, picked.iter().filter_map(at).collect())
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of::<u32>() * (self.numeric.capacity() + self.all_nominal.capacity())
            + size_of::<Nominal>() * self.nominal.capacity()
    }
}
