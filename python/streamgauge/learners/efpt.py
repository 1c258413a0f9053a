"""eFPT, evolving fuzzy pattern trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.learners._model_tree import at_least_0, one_of, whole
from streamgauge.learners._shape import native
from streamgauge.types import Schema

MOST_TREES = 1000
"""Largest number of trees in a beam, and of leaves of a tree."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class EFPT:
    r"""eFPT: a tree of fuzzy operators, replaced by a neighbour that is significantly better.

    **Model** (certain). A leaf is a term: the membership of a cell in a fuzzy set, from 0 to 1. An
    inner node is an operator on its two children a and b:

    .. math::
        \min(a, b), \; ab, \; \max(a + b - 1, 0), \; \frac{ab}{2 - (a + b - ab)}, \quad
        \max(a, b), \; a + b - ab, \; \min(a + b, 1), \; \frac{a + b}{1 + ab},

    or an average, :math:`\lambda a + (1 - \lambda) b` or
    :math:`\lambda \max(a, b) + (1 - \lambda) \min(a, b)`. With two classes one tree gives the score
    s of the first class, and the second has 1 - s; the first is predicted if s is at least 0.5.
    Otherwise each class has a tree against all others, the scores are divided by their sum, and the
    class of the highest is predicted.

    **Fuzzy sets** (certain, except as stated) come from the first `warm_start` items and stay. A
    nominal column has one set per declared value. A numeric column has LOW and HIGH, which fall and
    rise linearly over its range, and MID: the triangle over the range whose peak, one of 101
    points, makes membership and class correlate most, or 1 minus it if they correlate negatively.
    It is left out if the peak is at an end (likely); the authors' program nearly always leaves it
    out, by mistake, as `mid=False` does. A column that does not vary has no sets (our choice), and
    gets none later: of a stream whose columns begin to vary after these items much is not seen.

    **First tree** (certain). A beam search keeps the `beam_width` trees of least root mean squared
    error on these items, at first single terms. In each round a leaf of a kept tree is replaced by
    an operator on it and another term, in every way, until the best error falls by less than a
    share of `min_improvement`. λ is fitted by least squares to the two terms. Only the
    `expanded_leaves` leaves of highest potential are replaced: the mean over the items of
    :math:`|s' - s| / |g - m|`, where s' is the score if the leaf's membership m were g, 1 for the
    tree's class and 0 for others. Trees that are equal up to the order of children count once, and
    a tree of `max_leaves` leaves is not expanded, here and later (our choice).

    **Evolution** (certain). Neighbours of the tree are its expansions by an average, the minimum or
    the maximum, fitted to the last `recent_size` items, and its prunings: an inner node is replaced
    by one of its children. Of each tree the last `loss_window` losses are kept. Once these are
    there, after every item each neighbour is compared with the tree by the differences d of their
    losses:

    .. math:: z = \frac{\bar d \sqrt W}{s_d}, \qquad
              z = \frac{p_0 - p_i}{\sqrt{(p_0 (1 - p_0) + p_i (1 - p_i)) / W}}

    the second with `loss="zero_one"` and two classes. Of the neighbours with a z above
    `z_threshold` that of least loss becomes the tree, neighbours are made again, and losses are
    counted from 0: at most one change in `loss_window` items. The tests are not corrected for their
    number. The authors' program takes the last such neighbour with squared losses, expands by other
    operators than described, and computes shares and potentials from misaligned items; this is not
    repeated here.

    There is no prediction before the `warm_start`-th label (our choice; the program predicts the
    first class), and none of a class that has had no label (our choice). If no column has varied by
    then, the shares of the classes are the scores until `warm_start` further items are there (our
    choice).

    A missing cell: the tree is scored with all missing memberships at 0 and at 1, which are bounds,
    and the middle is taken (certain; once, at the root: our choice). An undeclared nominal value is
    in no set. A number beyond the range counts as its end. A weight multiplies an item's term in
    errors, λ and potentials; losses and correlations ignore weights (our choice). Numbers are held
    within ±1e100. Nothing in it is random. Which class is the first matters: the tree describes it.

    Vitals: `trees`, their `leaves`, largest `depth`, number of `neighbours`, `expansions` and
    `prunings` so far, `losses` kept of each tree, their `mean_loss`, `largest_z` of the last tests.

    Parameters
    ----------
    warm_start
        Number of items from which the first trees are made.
    beam_width
        Trees kept by the beam search.
    min_improvement
        Relative decrease of the error below which the beam search ends.
    expanded_leaves
        Leaves of a tree that are expanded, those of highest potential; 0: all.
    max_leaves
        Number of leaves with which a tree is not expanded.
    loss
        `"squared"` or `"absolute"` difference of score and class, or `"zero_one"`.
    loss_window
        Number of latest losses that are compared.
    z_threshold
        Test statistic above which a neighbour is better.
    recent_size
        Number of latest items to which neighbours are fitted; `None`: 500, at most `warm_start`.
    mid
        Whether numeric columns have the third set.
    refit_ranges
        Whether LOW and HIGH are fitted to the range of the last `recent_size` items with every
        change (our choice; the authors' sets stay).

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = EFPT(warm_start=200).bind(
    ...     Schema((Feature("a"), Feature("b")), "y", ("yes", "no"))
    ... )
    >>> x = np.random.default_rng(1).random((3000, 2))
    >>> turned = np.arange(3000) >= 1500
    >>> yes = (x[:, 0] > 0.5) & np.where(turned, x[:, 1] < 0.5, x[:, 1] > 0.5)
    >>> right = learner.test_then_train(0, x, (~yes).astype(np.int32)) == ~yes
    >>> bool(right[500:1500].mean() > 0.9), bool(right[2000:].mean() > 0.9)
    (True, True)
    >>> learner.vitals()["expansions"] > 0
    True

    References
    ----------
    Shaker, Senge, Hüllermeier. Evolving fuzzy pattern trees for binary classification on data
    streams. Information Sciences 220 (2013).
    Senge, Hüllermeier. Top-down induction of fuzzy pattern trees. IEEE Transactions on Fuzzy
    Systems 19 (2011).
    Huang, Gedeon, Nikravesh. Pattern trees induction: a new machine learning method. IEEE
    Transactions on Fuzzy Systems 16 (2008).
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data streams:
    experimental design and case study. Neurocomputing 150 (2015).
    """

    task: ClassVar[Literal["classification"]] = "classification"

    warm_start: int = 500
    beam_width: int = 5
    min_improvement: float = 0.0025
    expanded_leaves: int = 3
    max_leaves: int = 32
    loss: Literal["squared", "absolute", "zero_one"] = "squared"
    loss_window: int = 100
    z_threshold: float = 2.32
    recent_size: int | None = None
    mid: bool = True
    refit_ranges: bool = False

    def __post_init__(self) -> None:
        whole(self, "warm_start", self.warm_start)
        for what in ("beam_width", "max_leaves"):
            if type(getattr(self, what)) is not int or not 1 <= getattr(self, what) <= MOST_TREES:
                most = f"a whole number from 1 to {MOST_TREES:,}"
                raise ParameterError.of(self, what, most, getattr(self, what))
        if not 0.0 <= self.min_improvement < 1.0:
            raise ParameterError.of(
                self, "min_improvement", "from 0 to below 1", self.min_improvement
            )
        whole(self, "expanded_leaves", self.expanded_leaves, least=0)
        one_of(self, "loss", self.loss, ("squared", "absolute", "zero_one"))
        whole(self, "loss_window", self.loss_window, least=2)
        at_least_0(self, "z_threshold", self.z_threshold)
        if self.recent_size is not None:
            whole(self, "recent_size", self.recent_size)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
