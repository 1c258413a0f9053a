//! The columns that a transformer changes.

use crate::error::{Result, parameter};
use crate::learners::Column;
use crate::parameters::Parameters;

/// The columns given by their numbers as text (`0 3`); by default all for which `fits` is true. A
/// given column that does not fit is refused.
pub(super) fn chosen(
    p: &Parameters,
    columns: &[Column],
    fits: fn(Column) -> bool,
) -> Result<Vec<usize>> {
    let Some(given) = p.maybe_word("columns")? else {
        return Ok((0..columns.len()).filter(|&i| fits(columns[i])).collect());
    };
    let number = |text: &str| {
        let number =
            text.parse().ok().filter(|&i: &usize| columns.get(i).copied().is_some_and(fits));
        number.ok_or_else(|| parameter("transformer", "columns", "columns of its kind", text))
    };
    given.split_whitespace().map(number).collect()
}

/// Whether a column is numeric.
pub(super) fn numeric(column: Column) -> bool {
    column == Column::Numeric
}

/// Whether a column is nominal.
pub(super) fn nominal(column: Column) -> bool {
    column != Column::Numeric
}

/// The code in a cell of a nominal column, if it is one of the declared values.
pub(super) fn code(cell: f64, values: usize) -> Option<usize> {
    let code = cell as usize;
    (code as f64 == cell && code < values).then_some(code)
}
