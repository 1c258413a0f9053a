"""Friedman."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Goal, real, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Friedman(Generated):
    r"""A smooth function of five of ten features: a regression.

    The features are uniform in [0, 1). The target is

    .. math:: 10 \sin(\pi x_0 x_1) + 20 (x_2 - 0.5)^2 + 10 x_3 + 5 x_4 + \varepsilon

    with normal noise. The drifts of Ikonomovska et al. are mixtures of such streams:

    - global: the features change their parts, `relevant=(3, 4, 1, 0, 2)`;
    - local and expanding: in two corners of the cube other functions hold, and the corners
      grow, `expansion=1`, 2, 3.

    Parameters
    ----------
    relevant
        The features that play the parts of x0 to x4, counted from 0.
    expansion
        How far the local drift has spread, 0 (nowhere) to 3.
    noise
        Standard deviation of the noise.
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

    Examples
    --------
    >>> import numpy as np
    >>> [batch] = Friedman(noise=0.0, items=1000).batches()
    >>> x = batch.x.T
    >>> y = 10 * np.sin(np.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4]
    >>> bool(abs(batch.label - y).max() < 1e-12)
    True

    Three abrupt drifts, each a little larger than the one before:

    >>> from streamgauge.streams import drifts
    >>> stages = [Friedman(expansion=e) for e in range(4)]
    >>> [d.centre for d in drifts(stages, at=[1000, 2000, 3000]).schema.drifts]
    [1000, 2000, 3000]

    References
    ----------
    Friedman. Multivariate adaptive regression splines. Annals of Statistics 19, 1-67 (1991).

    Ikonomovska, Gama, Džeroski. Learning model trees from evolving data streams.
    Data Mining and Knowledge Discovery 23, 128-168 (2011).
    """

    relevant: tuple[int, int, int, int, int] = (0, 1, 2, 3, 4)
    expansion: int = 0
    noise: float = 1.0

    @property
    def schema(self) -> Schema:
        """Ten numbers, a real target."""
        return Schema(tuple(Feature(f"x{i}") for i in range(10)), "target")

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
        return Generator.friedman(self.relevant, self.expansion, self.noise, seed)

    def _check(self) -> None:
        parts = tuple(self.relevant)
        if (
            len(set(parts)) != 5
            or len(parts) != 5
            or not all(isinstance(i, int) and 0 <= i < 10 for i in parts)
        ):
            must = "five different integers from 0 to 9"
            raise ParameterError.of(self, "relevant", must, self.relevant)
        object.__setattr__(self, "relevant", parts)
        whole(self, "expansion", 0, 3)
        real(self, "noise")
