"""The features with the largest information gain about the class in the last items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeSelector
from streamgauge.kinds import plain_numbers
from streamgauge.selectors._selector import MOST_ROWS, check_count, check_n_features, native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class InformationGain:
    r"""The features with the largest information gain about the class in the last items.

    .. math:: I = H(Y) - \sum_b \frac{n_b}{n} H(Y \mid b)

    over the last `window` items learned, with the entropies in bits and the weights :math:`n_b` of
    the items in bin b. The bins of a numeric feature are `bins` intervals of equal width from its
    smallest to its largest cell in the window, those of a nominal feature its declared values;
    missing cells and undeclared values are a bin of their own. Features are chosen again after
    every `every` items. Of equal gains the first feature is chosen, so at the start the first
    features are. Features are ranked one by one: two copies of a feature are both chosen.

    Parameters
    ----------
    n_features
        Number of features; by default a tenth of them, rounded up.
    window
        Number of items from which the gain is computed; their features are held in memory.
    every
        Number of items learned between two choices.
    bins
        Number of intervals of a numeric feature.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> selector = InformationGain(n_features=1, every=4).bind(
    ...     Schema((Feature("a"), Feature("b")), "y", ("no", "yes"))
    ... )
    >>> rows = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> labels = np.array([0, 0, 1, 1], np.int32)
    >>> masked, at, sets = selector.mask_and_learn(rows, labels, None, 0.0)
    >>> selector.scores().tolist(), selector.selected().tolist()
    ([0.0, 1.0], [False, True])

    References
    ----------
    Quinlan. Induction of decision trees. Machine Learning 1 (1986).
    """

    task: ClassVar[Literal["classification"]] = "classification"

    n_features: int | None = None
    window: int = 1000
    every: int = 100
    bins: int = 10

    def __post_init__(self) -> None:
        check_n_features(self)
        check_count(self, "window", most=MOST_ROWS)
        check_count(self, "every")
        check_count(self, "bins", most=10_000)

    def bind(self, schema: Schema, seed: int = 0) -> NativeSelector:
        """Create the selector for the features and classes of a stream."""
        return native(self, schema, seed)
