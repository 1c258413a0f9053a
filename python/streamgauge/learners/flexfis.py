"""FLEXFIS, flexible fuzzy inference systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.learners._model_tree import at_least_0, up_to_1, whole
from streamgauge.learners._shape import native, positive
from streamgauge.types import Schema

MOST_RULES = 10_000
"""Largest number of rules."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class FLEXFIS:
    r"""FLEXFIS: a fuzzy system of local linear functions, one per evolving cluster of items.

    **Model** (certain; Gaussian sets and their product: likely). A rule i has a centre c, widths
    :math:`\sigma` and a linear function :math:`l_i(x) = w_{i0} + \sum_j w_{ij} x_j`. The prediction
    is the mean of the functions, weighted by how far x is from the centres:

    .. math:: \hat y = \frac{\sum_i \mu_i(x)\, l_i(x)}{\sum_i \mu_i(x)}, \qquad
              \mu_i(x) = \exp\Big(-\frac{1}{2} \sum_j \frac{(x_j - c_{ij})^2}{\sigma_{ij}^2}\Big)

    Far from all rules the nearest one predicts.

    **Rules** are clusters of z = (x, y) (likely). Distances are Euclidean, in units of the ranges
    so far. With an item farther than :math:`\rho = f \sqrt{p + 1} / \sqrt 2` from every centre
    (f is `vigilance`, p the number of inputs) a rule begins there, with the function of the nearest
    one. Otherwise the nearest rule has won its k-th item and moves:

    .. math:: c' = c + \frac{0.5}{k} (z - c), \qquad
              v' = \frac{(k - 1) v + (z - c')^2}{k} + (c' - c)^2

    per column, where v is the variance. A width is the root of v, at least `epsilon` times the
    range (that there is a minimum: likely; its size: our choice). Centres of old rules hardly move:
    there is no forgetting of clusters.

    **Functions** are fitted by weighted recursive least squares with forgetting (certain; the
    formulas: likely). With r = (1, x), the normalised activation :math:`\Psi_i` of the moved rules
    and :math:`\lambda` = `forgetting_factor`, for every rule:

    .. math:: \gamma = \frac{P r}{\lambda / \Psi_i + r^T P r}, \qquad
              w \leftarrow w + \gamma (y - r^T w), \qquad
              P \leftarrow (P - \gamma r^T P) / \lambda

    P begins as `covariance` times the identity. The terms of the paper that correct w and P for the
    movement of the centres are 0, as in practice (likely).

    **Merging** (that redundant rules are merged: likely; how: our choice). After an item the
    rule that won it is merged with the first other rule that overlaps it,
    :math:`\exp(-\frac{1}{2} \sum_j (c_{aj} - c_{bj})^2 / (\sigma_{aj}^2 + \sigma_{bj}^2)) \ge 0.8`,
    if their functions differ at both centres by at most a tenth of the range of y. Counts, centres,
    variances and least-squares fits are pooled, as if one rule had learned the items of both.

    In the recovery study of 2015 forgetting was 0.999 and merging ("pruning") on; its other
    parameters came from a search function (certain), for which `tune` stands here (our choice). Our
    choices too: a rule whose P would exceed `max_covariance` does not forget that item; one with an
    invalid P, or a function that is not finite, begins again (`resets`); activations below 1e-12
    change nothing. Only regression is implemented.

    A missing cell is left out of distances and activations, does not move its centre, and is the
    centre in a rule's function; in the centre of a new rule it is that of the nearest rule, or 0.
    A nominal column is one indicator per declared value; for an undeclared value all are 0. A
    weight multiplies the activation in the fit; clusters ignore weights. Numbers are held within
    ±1e100. P is in units of x: standardise columns of very different scales by a `Pipeline`.
    There is no prediction (NaN) before the first label.

    Vitals: `rules`, those `created`, `merged` and `dropped` so far, `fewest_wins` and `most_wins`
    of a rule, `largest_covariance` (of a diagonal of P), `resets`, `far_share` (of items farther
    than ρ from every rule), `vigilance`.

    Parameters
    ----------
    vigilance
        The factor f of the distance at which a rule begins; sensible from 0.1 to 0.9.
    forgetting_factor
        Factor of an item's weight per later item, in (0, 1].
    merge
        Whether rules that have become redundant are merged.
    covariance
        Initial diagonal of P; its inverse is a ridge penalty.
    max_covariance
        Diagonal of P above which a rule does not forget.
    epsilon
        Smallest width of a fuzzy set, as a share of the column's range.
    min_firing
        Normalised activation below which a rule's function is not fitted.
    max_rules
        Maximum number of rules.
    max_age
        Number of items after which a rule that has won none of them is dropped; `None`: never.
    tune
        Number of first items by which the vigilance is chosen: 0.1, 0.2, …, 0.9 are tried on them,
        and that of least squared error before learning is kept. Meanwhile the best so far predicts.
        0: `vigilance` is used.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = FLEXFIS().bind(Schema((Feature("x"),), "y"))
    >>> x = np.random.default_rng(1).uniform(0, 10, size=(3000, 1))
    >>> predictions = learner.test_then_train(0, x, np.sin(x[:, 0]))
    >>> bool(abs(predictions - np.sin(x[:, 0]))[1000:].mean() < 0.2)
    True
    >>> learner.vitals()["rules"] > 1
    True

    References
    ----------
    Lughofer. FLEXFIS: a robust incremental learning approach for evolving Takagi-Sugeno fuzzy
    models. IEEE Transactions on Fuzzy Systems 16 (2008).
    Lughofer, Bouchot, Shaker. On-line elimination of local redundancies in evolving fuzzy systems.
    Evolving Systems 2 (2011).
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data streams:
    experimental design and case study. Neurocomputing 150 (2015).
    """

    task: ClassVar[Literal["regression"]] = "regression"

    vigilance: float = 0.3
    forgetting_factor: float = 0.999
    merge: bool = True
    covariance: float = 1000.0
    max_covariance: float = 1e6
    epsilon: float = 0.1
    min_firing: float = 0.0
    max_rules: int = 200
    max_age: int | None = None
    tune: int = 0

    def __post_init__(self) -> None:
        at_least_0(self, "vigilance", self.vigilance)
        up_to_1(self, "forgetting_factor", self.forgetting_factor)
        positive(self, "covariance", self.covariance)
        if not self.covariance <= self.max_covariance <= 1e100:
            at_least = "at least covariance and at most 1e100"
            raise ParameterError.of(self, "max_covariance", at_least, self.max_covariance)
        positive(self, "epsilon", self.epsilon)
        if not 0.0 <= self.min_firing < 1.0:
            raise ParameterError.of(self, "min_firing", "from 0 to below 1", self.min_firing)
        if type(self.max_rules) is not int or not 1 <= self.max_rules <= MOST_RULES:
            most = f"a whole number from 1 to {MOST_RULES:,}"
            raise ParameterError.of(self, "max_rules", most, self.max_rules)
        if self.max_age is not None:
            whole(self, "max_age", self.max_age)
        whole(self, "tune", self.tune, least=0)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
