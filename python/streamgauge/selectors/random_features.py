"""Random features: the reference that does not use the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeSelector
from streamgauge.kinds import plain_numbers
from streamgauge.selectors._selector import check_count, check_n_features, native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class RandomFeatures:
    """A random set of features, drawn again after every `every` items.

    Each set is equally likely, and sets are independent: a selection that is not more stable than
    this one, or leads to no better predictions, is worth nothing. Draws depend on the seed and the
    number of items learned.

    Parameters
    ----------
    n_features
        Number of features; by default a tenth of them, rounded up.
    every
        Number of items learned between two draws.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> schema = Schema(tuple(map(Feature, "abcd")), "y", ("no", "yes"))
    >>> selector = RandomFeatures(n_features=2, every=3).bind(schema)
    >>> selector.selected().sum()
    np.int64(2)
    >>> selector.mask_and_learn(np.zeros((9, 4)), np.zeros(9, np.int32), None, 0.0)[1].tolist()
    [0, 2, 5, 8]
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
