"""What all generators share: a seed, a length, a name, and the walk over the compiled source."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import ClassVar, TypeAlias

from streamgauge._core import Generator
from streamgauge.errors import ParameterError
from streamgauge.types import Batch, Drift, Schema

SEEDS = 2**64
"""Seeds are from 0 to below this."""

Goal: TypeAlias = tuple[int, float, float]
"""Where a concept is going: its number or seed, the item half way, the width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated(ABC):
    """A synthetic stream.

    Parameters
    ----------
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.
    """

    seed: int | None = None
    items: int | None = None
    moves: ClassVar[str | None] = None
    """The parameter along which the concept can move, if it is made of numbers."""

    def __post_init__(self) -> None:
        if self.seed is not None:
            whole(self, "seed", 0, SEEDS - 1)
        if self.items is not None:
            whole(self, "items", 0)
        self._check()

    @property
    def name(self) -> str:
        """The class and the parameters that are not the usual ones."""
        told = ", ".join(
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if f.name not in ("seed", "items") and getattr(self, f.name) != f.default
        )
        return f"{type(self).__name__}({told})" if told else type(self).__name__

    @property
    def length(self) -> int | None:
        """How many items, None if endless."""
        return self.items

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """What it promises about its items."""

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        return walk(self.source(drawn_by(self, size, seed)), size, self.items)

    @abstractmethod
    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items, at the first; `goal` only where the concept moves."""

    @abstractmethod
    def _check(self) -> None:
        """Raise where a parameter is out of its range."""


MOST = 10_000
"""As many features, classes or centroids a generator has at most; they are held in memory."""


def walk(source: Generator, size: int, items: int | None) -> Iterator[Batch]:
    """The items of a compiled source, batch by batch."""
    first = 0
    while items is None or first < items:
        x, label = source.fill(size if items is None else min(size, items - first))
        yield Batch(first, x, label)
        first += len(label)


def drawn_by(stream: Generated, size: int, seed: int) -> int:
    """The seed that counts: the stream's own, or the one given."""
    if size < 1:
        raise ParameterError.of(stream, "size", "at least 1", size)
    if not 0 <= seed < SEEDS:
        raise ParameterError.of(stream, "seed", f"from 0 to {SEEDS - 1}", seed)
    return seed if stream.seed is None else stream.seed


def always(moving: bool, items: int | None) -> tuple[tuple[Drift, ...], tuple[str, ...]]:
    """The known drifts and the notes of a stream whose concept moves with every item."""
    if not moving:
        return (), ()
    drifts = () if items is None else (Drift(0, items // 2, items, "incremental"),)
    return drifts, ("the concept moves a little with every item",)


def whole(who: object, what: str, least: int, most: int | None = None) -> None:
    """Raise unless the field `what` is an integer in its range."""
    value = getattr(who, what)
    fits = isinstance(value, Integral) and not isinstance(value, bool)
    if not fits or value < least or (most is not None and value > most):
        span = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ParameterError.of(who, what, f"an integer {span}", value)


def real(who: object, what: str, least: float = 0.0, most: float = float("inf")) -> None:
    """Raise unless the field `what` is a finite number in its range."""
    value = getattr(who, what)
    fits = isinstance(value, Real) and not isinstance(value, bool)
    if not fits or not least <= float(value) <= most or float(value) == float("inf"):
        span = f"at least {least:g}" if most == float("inf") else f"from {least:g} to {most:g}"
        raise ParameterError.of(who, what, f"a number {span}", value)


def flag(who: object, what: str) -> None:
    """Raise unless the field `what` is true or false."""
    value = getattr(who, what)
    if not isinstance(value, bool):
        raise ParameterError.of(who, what, "true or false", value)
