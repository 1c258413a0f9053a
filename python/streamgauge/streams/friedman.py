"""Friedman generator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Transition, check_integer, check_real
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Friedman(Generated):
    r"""Regression on a smooth function of five of ten features.

    The features are uniform in [0, 1). The target is

    .. math:: 10 \sin(\pi x_0 x_1) + 20 (x_2 - 0.5)^2 + 10 x_3 + 5 x_4 + \varepsilon

    with normal noise. The drifts of Ikonomovska et al. are mixtures of such streams:

    - global: the features are permuted, `relevant=(3, 4, 1, 0, 2)`;
    - local and expanding: other functions apply in two corners of the cube, and the corners
      grow, `expansion=1`, 2, 3.

    Parameters
    ----------
    relevant
        The features used as x0 to x4, counted from 0.
    expansion
        Stage of the local drift, 0 (none) to 3.
    noise
        Standard deviation of the noise.
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

    Examples
    --------
    >>> import numpy as np
    >>> [batch] = Friedman(noise=0.0, items=1000).batches()
    >>> x = batch.x.T
    >>> y = 10 * np.sin(np.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4]
    >>> bool(abs(batch.label - y).max() < 1e-12)
    True

    Three abrupt drifts of increasing size:

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

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
        return Generator.friedman(self.relevant, self.expansion, self.noise, seed)

    def _check(self) -> None:
        parts = tuple(self.relevant) if isinstance(self.relevant, Sequence) else ()
        if (
            len(set(parts)) != 5
            or len(parts) != 5
            or not all(isinstance(i, int) and 0 <= i < 10 for i in parts)
        ):
            must = "five different integers from 0 to 9"
            raise ParameterError.of(self, "relevant", must, self.relevant)
        object.__setattr__(self, "relevant", parts)
        check_integer(self, "expansion", 0, 3)
        check_real(self, "noise")
