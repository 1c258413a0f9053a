"""Base class of all generators: seed, length, name, and batches from the compiled generator."""

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
"""Seeds are below this number."""

Transition: TypeAlias = tuple[int, float, float]
"""Change to another concept: its number or seed, the centre, the width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated(ABC):
    """A synthetic stream.

    Parameters
    ----------
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.
    """

    seed: int | None = None
    items: int | None = None
    concept_parameter: ClassVar[str | None] = None
    """The parameter that an incremental drift changes, None if there is none."""

    def __post_init__(self) -> None:
        if self.seed is not None:
            check_integer(self, "seed", 0, SEEDS - 1)
        if self.items is not None:
            check_integer(self, "items", 0)
        self._check()

    @property
    def name(self) -> str:
        """The class, and the parameters that differ from their defaults."""
        changed = ", ".join(
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if f.name not in ("seed", "items") and getattr(self, f.name) != f.default
        )
        return f"{type(self).__name__}({changed})" if changed else type(self).__name__

    @property
    def length(self) -> int | None:
        """Number of items, None if endless."""
        return self.items

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """Features, target and clock of the items."""

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        return generate_batches(self.source(effective_seed(self, size, seed)), size, self.items)

    @abstractmethod
    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator; `transition` needs a `concept_parameter`."""

    @abstractmethod
    def _check(self) -> None:
        """Raise if a parameter is out of its range."""


MAX_SIZE = 10_000
"""Maximum number of features, classes or centroids, which are held in memory."""


def generate_batches(source: Generator, size: int, items: int | None) -> Iterator[Batch]:
    """Yield the items of a compiled generator in batches."""
    first = 0
    while items is None or first < items:
        x, label = source.fill(size if items is None else min(size, items - first))
        yield Batch(first, x, label)
        first += len(label)


def effective_seed(stream: Generated, size: int, seed: int) -> int:
    """Return the stream's own seed if it has one, otherwise `seed`."""
    if size < 1:
        raise ParameterError.of(stream, "size", "at least 1", size)
    if not 0 <= seed < SEEDS:
        raise ParameterError.of(stream, "seed", f"from 0 to {SEEDS - 1}", seed)
    return seed if stream.seed is None else stream.seed


def continuous_drift(moving: bool, items: int | None) -> tuple[tuple[Drift, ...], tuple[str, ...]]:
    """Return drifts and notes of a stream whose concept moves with every item."""
    if not moving:
        return (), ()
    drifts = () if items is None else (Drift(0, items // 2, items, "incremental"),)
    return drifts, ("the concept moves a little with every item",)


def check_integer(who: object, what: str, least: int, most: int | None = None) -> None:
    """Raise unless the field `what` is an integer in its range."""
    value = getattr(who, what)
    fits = isinstance(value, Integral) and not isinstance(value, bool)
    if not fits or value < least or (most is not None and value > most):
        span = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ParameterError.of(who, what, f"an integer {span}", value)


def check_real(who: object, what: str, least: float = 0.0, most: float = float("inf")) -> None:
    """Raise unless the field `what` is a finite number in its range."""
    value = getattr(who, what)
    fits = isinstance(value, Real) and not isinstance(value, bool)
    if not fits or not least <= float(value) <= most or float(value) == float("inf"):
        span = f"at least {least:g}" if most == float("inf") else f"from {least:g} to {most:g}"
        raise ParameterError.of(who, what, f"a number {span}", value)
