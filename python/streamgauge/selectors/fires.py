"""FIRES: features whose weights in a probit model are large and certain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeSelector
from streamgauge.kinds import plain_numbers
from streamgauge.selectors._selector import (
    MOST_ROWS,
    check_count,
    check_n_features,
    check_number,
    native,
)
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class FIRES:
    r"""FIRES: the features whose weights in a probit model are large and certain.

    The weights of the model are independent and normal, with means :math:`\mu_j` (at the start 0)
    and deviations :math:`\sigma_j` (1). With the label :math:`y = \pm 1` (the second class is 1),
    :math:`\rho = \sqrt{1 + \sum_j \sigma_j^2 x_j^2}` and :math:`z = y \mu^\top x / \rho`, the
    likelihood of an item is :math:`\Phi(z)`. After every `batch_size` items means and deviations
    take `epochs` steps up the gradient of the mean logarithm of the likelihood,

    .. math:: \mu_j \mathrel{+}= \alpha_\mu \, \overline{h(z) \, y x_j / \rho}, \qquad
              \sigma_j \mathrel{-}= \alpha_\sigma \, \overline{h(z) \, z \sigma_j x_j^2 / \rho^2},
              \qquad h = \varphi / \Phi

    and the features with the largest :math:`(\mu_j^2 - \lambda_s \sigma_j^2) / (2 \lambda_r)` are
    selected.

    Model, update, ranking and the defaults of rates, penalties and epochs are those of the authors'
    programs; the gradients are derived from the model. Our choices: batches of 100 items, of which
    an incomplete one is kept; items are not shuffled; below z = -5 the hazard h is a continued
    fraction, where the programs divide 0 by 0 in the end; with more than two classes (where the
    programs refuse) one model per class against the rest, and the mean of their rankings; a nominal
    feature has one indicator per declared value, of which the highest counts; of equal features the
    first is selected, so at the start the first features are; a missing cell is the mean so far;
    gradients are means weighted by the weights of the items.

    Parameters
    ----------
    n_features
        Number of features; by default a tenth of them, rounded up.
    batch_size
        Number of items learned between two updates.
    epochs
        Steps per update.
    lr_mu, lr_sigma
        Learning rates :math:`\alpha` of means and deviations.
    penalty_s, penalty_r
        :math:`\lambda_s`, how much uncertain features are ranked lower, and :math:`\lambda_r`,
        which scales the ranks and changes no selection.
    sigma_min
        Smallest deviation. At 0 a deviation does not change any more.
    standardise
        Numeric features are standardised by mean and deviation so far, as in our linear learners
        (our choice; the authors advise to scale features). False: they are used as they are.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> draw = np.random.default_rng(0)
    >>> rows = draw.normal(size=(300, 4))
    >>> labels = (rows[:, 2] > 0).astype(np.int32)
    >>> selector = FIRES(n_features=1).bind(Schema(tuple(map(Feature, "abcd")), "y", (0, 1)))
    >>> at, sets = selector.mask_and_learn(rows, labels, None, 0.0)[1:]
    >>> at.tolist(), [np.flatnonzero(one).tolist() for one in sets]
    ([0, 99], [[0], [2]])

    References
    ----------
    Haug, Pawelczyk, Broelemann, Kasneci. Leveraging model inherent variable importance for stable
    online feature selection. KDD 2020.
    """

    task: ClassVar[Literal["classification"]] = "classification"

    n_features: int | None = None
    batch_size: int = 100
    epochs: int = 1
    lr_mu: float = 0.01
    lr_sigma: float = 0.01
    penalty_s: float = 0.01
    penalty_r: float = 0.01
    sigma_min: float = 0.0
    standardise: bool = True

    def __post_init__(self) -> None:
        check_n_features(self)
        check_count(self, "batch_size", most=MOST_ROWS)
        check_count(self, "epochs", most=10_000)
        for what in ("lr_mu", "lr_sigma", "penalty_s", "sigma_min"):
            check_number(self, what, zero=True)
        check_number(self, "penalty_r")

    def bind(self, schema: Schema, seed: int = 0) -> NativeSelector:
        """Create the selector for the features and classes of a stream."""
        return native(self, schema, seed)
