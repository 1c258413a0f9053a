"""Predictions of perturbed copies of items, beside any protocol."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, at_most, check_number, plain_numbers
from streamgauge.log.about import name_of
from streamgauge.names import resolve
from streamgauge.noise import check_noise
from streamgauge.protocols.prequential import Prequential
from streamgauge.protocols.timetable import expand, unpredicted
from streamgauge.seeds import child
from streamgauge.types import Arrivals, Flags, Kind, Noise, NoiseForm, Op, Orders, Timetable

MOST_COPIES = 10_000
"""Largest number of copies of an item."""

FIRST, PERTURBED, PREDICT = int(Kind.FIRST), int(Kind.PERTURBED), int(Op.PREDICT)
"""As plain numbers: comparing an array with an enumeration member is slow."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class Perturbed:
    """Predict, right after the first prediction of an item, copies of it with noise.

    The copies are predicted by the same fold in the same state. They are never learned and change
    nothing: all other predictions, labels and training are those of the protocol alone. Their
    predictions are a side table of the log (`log.perturbed()`); `streamgauge.stability` measures
    them. Noise depends on the seed, the item and the number of the copy alone. Missing values
    stay missing, and finite ones finite.

    Parameters
    ----------
    protocol
        Any protocol, or its name; `Prequential()` by default.
    copies
        Number of copies of an item.
    scale
        Standard deviation of the noise in numeric features.
    relative
        Whether `scale` is a factor of the standard deviation of each feature over the items that
        have arrived, instead of an absolute number. While fewer than two have a value there is no
        noise.
    nominal
        Probability that a nominal value is replaced by one of its declared values, drawn
        uniformly; 0 leaves nominal features as they are.
    form
        Distribution of the noise: `"normal"`, or `"uniform"` with the same standard deviation.
    share
        Share of the items that are copied, drawn by their numbers; it bounds the cost.

    Examples
    --------
    >>> from streamgauge.protocols.timetable import arrivals, in_words
    >>> print(", ".join(in_words(Perturbed(copies=2).timetable(arrivals(1)))))
    predict 0, predict copy 0 of 0, predict copy 1 of 0, reveal 0, learn 0
    >>> import streamgauge as sg
    >>> log = sg.run("sea(items=1000)", "nb", "perturbed(chunks(size=100), copies=3)")
    >>> sum(len(rows) for rows in log.perturbed())
    3000

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv:2204.13625 (2022).
    """

    protocol: Any = field(default_factory=Prequential)
    copies: int = 5
    scale: float = 0.1
    relative: bool = False
    nominal: float = 0.0
    form: NoiseForm = "normal"
    share: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "protocol", resolve("protocol", self.protocol))
        if isinstance(self.protocol, type) or not callable(
            getattr(self.protocol, "timetable", None)
        ):
            must = "a protocol like Prequential()"
            raise ParameterError.of(self, "protocol", must, self.protocol)
        if isinstance(self.protocol, Perturbed):
            raise ParameterError(
                "Perturbed: protocol must be one without copies, got another Perturbed; "
                "give its copies here"
            )
        at_least(self, "copies", self.copies, 1)
        at_most(self, "copies", self.copies, MOST_COPIES)
        check_noise(self, self.scale, self.nominal, self.form)
        check_number(self, "share", self.share, "above 0 and at most 1")
        if not 0 < self.share <= 1:
            raise ParameterError.of(self, "share", "above 0 and at most 1", self.share)

    @property
    def name(self) -> str:
        """The name of the protocol, and the parameters that are not default."""
        inner = name_of(self.protocol)
        own = [f for f in fields(self) if f.name != "protocol"]
        parts = [] if inner == "prequential" else [inner]
        parts += [
            f"{f.name}={value!r}" for f in own if (value := getattr(self, f.name)) != f.default
        ]
        return f"perturbed({', '.join(parts)})" if parts else "perturbed"

    @property
    def folds(self) -> int:
        """The number of folds of the protocol."""
        folds: int = self.protocol.folds
        return folds

    @property
    def about(self) -> dict[str, str]:
        """What the log states of the protocol, and the noise."""
        return {
            **getattr(self.protocol, "about", {}),
            "copies": str(self.copies),
            "noise": f"{self.form}, scale {self.scale:g}{' relative' if self.relative else ''}"
            + (f", nominal {self.nominal:g}" if self.nominal else ""),
        }

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders of the protocol, with those of the copies."""
        noise = Noise(
            child(seed, "noise"), float(self.scale), self.relative, float(self.nominal), self.form
        )
        drawn = child(seed, "perturbed")
        for chunk in self.protocol.timetable(arrivals, seed):
            whole = replace(expand(chunk), noise=noise, unpredicted=unpredicted(chunk))
            yield self._with_copies(whole, drawn)

    def _with_copies(self, orders: Orders, drawn: int) -> Orders:
        counts = np.where(self._copied(orders, drawn), 1 + self.copies, 1)
        row = np.repeat(np.arange(len(orders)), counts)
        copy = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
        copied = copy > 0
        every = orders.take(row)
        turn, kind = every.turn.copy(), every.kind.copy()
        turn[copied] = copy[copied] - 1
        kind[copied] = PERTURBED
        return replace(every, turn=turn, kind=kind)

    def _copied(self, orders: Orders, drawn: int) -> Flags:
        """Which orders are first predictions of items that are copied."""
        first: Flags = (orders.op == PREDICT) & (orders.kind == FIRST) & (orders.turn == 0)
        if self.share == 1 or not first.any():
            return first
        item = orders.item[first]
        low, high = int(item.min()), int(item.max())
        first[first] = uniforms(drawn, low, high - low + 1)[item - np.uint64(low)] < self.share
        return first
