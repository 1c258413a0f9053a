"""Standardisation by the mean and the standard deviation so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.preprocessing._native import NativeRows, check_kind, check_names, native
from streamgauge.types import Schema


@dataclass(frozen=True, slots=True)
class StandardScaler:
    r"""Numeric columns with mean 0 and standard deviation 1.

    .. math:: z = (x - \bar x) / s

    where :math:`\bar x` and :math:`s` are the mean and the population standard deviation of the
    known cells of the items learned so far, weighted, in one pass (Welford). z is 0 where s is 0
    or unknown. A missing cell stays missing. As river's StandardScaler; scikit-learn's divides by 1
    where s is 0.

    Parameters
    ----------
    columns
        Names of the columns to scale; by default all numeric ones.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> scaler = StandardScaler().bind(Schema((Feature("x"),)))
    >>> for x in (1.0, 3.0):
    ...     scaler.learn(np.array([x]), 1.0)
    >>> scaler.transform(np.array([[4.0], [np.nan]])).tolist()
    [[2.0], [nan]]

    References
    ----------
    Welford. Note on a method for calculating corrected sums of squares and products.
    Technometrics 4 (1962).
    """

    aliases: ClassVar[tuple[str, ...]] = ()

    columns: Sequence[str] | None = None

    def __post_init__(self) -> None:
        check_names(self, self.columns)

    def bind(self, schema: Schema) -> NativeRows:
        """Make the transformer for the columns of a stream."""
        check_kind(self, schema, self.columns, nominal=False)
        return native(self, schema, self.columns, {})
