"""OFS: online feature selection by truncation of a linear function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, get_args

from streamgauge._core import NativeSelector
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.selectors._selector import check_n_features, check_number, native
from streamgauge.types import Schema

Variant: TypeAlias = Literal["paper", "pystreamfs", "float", "partial"]
"""Published forms of OFS."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class OFS:
    r"""OFS: the features with the largest weights of a linear function, which is truncated.

    With the label :math:`y = \pm 1` (the second class is 1), the learning rate :math:`\eta`, the
    penalty :math:`\lambda` and the weights w, at the start 0, an item with
    :math:`y \, w^\top x \le 1` changes the weights to :math:`(1 - \lambda\eta) w + \eta y x`,
    scaled down to the length :math:`1 / \sqrt\lambda` if they are longer; then all but the
    `n_features` weights of largest size are set to 0. Any other item changes them to
    :math:`(1 - \lambda\eta) w`. The features with a weight other than 0 are selected: before the
    first label none is, and there may be fewer than `n_features`.

    The defaults of `learning_rate` and `penalty` are those of the authors of all programs; the
    update is the paper's as the literature states it. Our choices: with more than two classes one
    vector of weights per class against the rest, and the size of a feature is the length of its
    weights over the classes; a nominal feature has one indicator per declared value and is selected
    as a whole, by the length of its weights; of equal sizes the first feature is kept, and sizes
    that agree in 41 binary digits (about twelve decimals) are equal, since two standardised items
    give all features one size but for rounding; a missing cell is the mean so far; the weight of an
    item multiplies the learning rate; there is no bias.

    Parameters
    ----------
    n_features
        Largest number of selected features; by default a tenth of them, rounded up, as in the
        paper.
    learning_rate
        Length of a gradient step.
    penalty
        The factor of the squared length of the weights.
    variant
        ``"paper"``; ``"pystreamfs"``, as in that program: weights do not shrink; ``"float"``, as in
        that program: they neither shrink nor are they truncated, and the `n_features` largest are
        selected, of equal sizes the last; ``"partial"``, of the paper: only `n_features` features
        of an item are looked at, with probability `epsilon` random ones, otherwise the selected
        ones, filled up at random. Those looked at are divided by the probability of that.
    epsilon
        See ``variant="partial"``.
    standardise
        Numeric features are standardised by mean and deviation so far, as in our linear learners
        (our choice: weights can be compared only if features have one scale). False: they are used
        as they are, as in the programs.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> schema = Schema(tuple(map(Feature, "abcd")), "y", ("no", "yes"))
    >>> selector = OFS(n_features=2, standardise=False).bind(schema)
    >>> rows = np.array([[1, 0.5, -2, 0.1], [0.4, 3, -1, 0], [2, -1, -6, 1]])
    >>> at, sets = selector.mask_and_learn(rows, np.array([1, 0, 1], np.int32), None, 0.0)[1:]
    >>> at.tolist(), [np.flatnonzero(one).tolist() for one in sets]
    ([0, 1], [[0, 2], [1, 2]])
    >>> selector.scores().round(4).tolist()
    [0.0, 0.5988, 0.1988, 0.0]

    References
    ----------
    Wang, Zhao, Hoi, Jin. Online feature selection and its applications. IEEE Transactions on
    Knowledge and Data Engineering 26 (2014).
    """

    task: ClassVar[Literal["classification"]] = "classification"

    n_features: int | None = None
    learning_rate: float = 0.2
    penalty: float = 0.01
    variant: Variant = "paper"
    epsilon: float = 0.2
    standardise: bool = True

    def __post_init__(self) -> None:
        check_n_features(self)
        check_number(self, "learning_rate")
        check_number(self, "penalty")
        check_number(self, "epsilon")
        if self.epsilon > 1:
            raise ParameterError.of(self, "epsilon", "above 0 and at most 1", self.epsilon)
        if self.variant not in get_args(Variant):
            names = ", ".join(get_args(Variant))
            raise ParameterError.of(self, "variant", f"one of {names}", self.variant)

    def bind(self, schema: Schema, seed: int = 0) -> NativeSelector:
        """Create the selector for the features and classes of a stream."""
        return native(self, schema, seed)
