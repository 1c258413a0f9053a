"""Scaling by the smallest and the largest value so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.kinds import plain_numbers
from streamgauge.preprocessing._native import NativeRows, check_kind, check_names, native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class MinMaxScaler:
    r"""Numeric columns in the range from 0 to 1.

    .. math:: z = (x - \min) / (\max - \min)

    where min and max are those of the known cells of the items learned so far. A cell beyond them
    is below 0 or above 1, unless `clip`. z is 0 where max = min or nothing is known. A missing cell
    stays missing. As river's MinMaxScaler; scikit-learn's divides by 1 where max = min.

    Parameters
    ----------
    clip
        True: values below 0 become 0, values above 1 become 1.
    columns
        Names of the columns to scale; by default all numeric ones.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> scaler = MinMaxScaler().bind(Schema((Feature("x"),)))
    >>> for x in (1.0, 3.0):
    ...     scaler.learn(np.array([x]), 1.0)
    >>> scaler.transform(np.array([[2.0], [5.0]])).tolist()
    [[0.5], [2.0]]
    """

    aliases: ClassVar[tuple[str, ...]] = ()

    clip: bool = False
    columns: Sequence[str] | None = None

    def __post_init__(self) -> None:
        check_names(self, self.columns)

    def bind(self, schema: Schema) -> NativeRows:
        """Make the transformer for the columns of a stream."""
        check_kind(self, schema, self.columns, nominal=False)
        return native(self, schema, self.columns, {"clip": self.clip})
