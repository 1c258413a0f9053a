"""The features with the largest variance: the reference that does not use labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeSelector
from streamgauge.kinds import plain_numbers
from streamgauge.selectors._selector import check_count, check_n_features, native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class LargestVariance:
    r"""The features with the largest variance so far, chosen again after every `every` items.

    The variance of a numeric feature is that of its cells, in the feature's own unit: scale the
    stream if units differ. That of a nominal feature is the sum of the variances of its indicators,
    :math:`1 - \sum_v p_v^2` with the shares :math:`p_v` of its values. Missing cells do not count,
    undeclared values neither; cells count with the weights of their items. Of equal variances the
    first feature is chosen, so at the start the first features are.

    Parameters
    ----------
    n_features
        Number of features; by default a tenth of them, rounded up.
    every
        Number of items learned between two choices.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> selector = LargestVariance(n_features=1, every=2).bind(
    ...     Schema((Feature("a"), Feature("b")), "y", ("no", "yes"))
    ... )
    >>> rows, labels = np.array([[1.0, 5.0], [2.0, 9.0]]), np.array([0, 1], np.int32)
    >>> masked, at, sets = selector.mask_and_learn(rows, labels, None, 0.0)
    >>> masked.tolist(), at.tolist(), sets.tolist()
    ([[1.0, 0.0], [2.0, 0.0]], [0, 1], [[True, False], [False, True]])
    """

    task: ClassVar[Literal["any"]] = "any"

    n_features: int | None = None
    every: int = 100

    def __post_init__(self) -> None:
        check_n_features(self)
        check_count(self, "every")

    def bind(self, schema: Schema, seed: int = 0) -> NativeSelector:
        """Create the selector for the features and classes of a stream."""
        return native(self, schema, seed)
