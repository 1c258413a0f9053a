"""Folds: which copies of the learner learn and predict an item."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from streamgauge._core import uniform_counts, uniforms
from streamgauge.errors import ParameterError, TimetableError
from streamgauge.kinds import at_least
from streamgauge.seeds import child
from streamgauge.types import U8, Arrivals, Flags, FoldAssignment

Split: TypeAlias = Literal["cross", "split", "bootstrap"]
"""Which folds learn an item: all but one, which predicts it (`cross`); one, and all others predict
it (`split`); each with a weight drawn from the Poisson distribution with mean 1, and those with
weight 0 predict it (`bootstrap`)."""

FoldVariant: TypeAlias = Literal["default", "moa"]
"""Whose folds: those of the paper, drawn at random; or those of MOA's `EvaluatePrequentialCV`."""

ALONE = {"cross": "never learn", "split": "never predict"}
"""What a single fold would not do, by split; with `bootstrap` it does both."""

MOST_FOLDS = 65_535
"""The log numbers folds in 16 bits."""

POISSON = np.cumsum([math.exp(-1) / math.factorial(k) for k in range(12)])
"""The probability that a bootstrap weight is at most 0, 1, 2, …"""


def one_of(who: object, what: str, got: object, known: Sequence[object]) -> None:
    """Refuse an option that is not one of the known ones."""
    if got not in known:
        raise ParameterError.of(who, what, " or ".join(map(repr, known)), got)


def check_folds(who: object, folds: int, split: str | None, name: str = "folds") -> None:
    """Check the number of folds, a parameter called `name`; one fold must learn and predict."""
    at_least(who, name, folds, 1)
    if folds > MOST_FOLDS:
        raise ParameterError.of(who, name, f"at most {MOST_FOLDS:,}", folds)
    one_of(who, "split", split, (None, *get_args(Split)))
    if folds == 1 and split in ALONE:
        raise ParameterError(
            f"{type(who).__name__}: {name} must be at least 2 with split={split!r}, got 1, and the "
            f"only fold would {ALONE[split]}; leave split out for one fold that predicts and learns"
        )


def check_variant(who: object, folds: int, variant: str, name: str = "folds") -> None:
    """Check whose folds they are; MOA's are several."""
    one_of(who, "variant", variant, get_args(FoldVariant))
    if variant == "moa" and folds == 1:
        raise ParameterError.of(who, name, "at least 2 with variant='moa'", folds)


def enough_items(arrivals: Iterable[Arrivals], who: object, folds: int) -> Iterator[Arrivals]:
    """The arrivals; an error after the last one if there are fewer items than folds."""
    items = 0
    for batch in arrivals:
        items += batch.count
        yield batch
    if 0 < items < folds:
        raise TimetableError(
            f"{type(who).__name__}: folds must be at most the number of items, got {folds:,} folds "
            f"and {items:,} items"
        )


def assignment_of(
    folds: int, split: Split | None, seed: int, variant: FoldVariant = "default"
) -> FoldAssignment | None:
    """Who learns and predicts each item; None: one fold, which predicts and learns every item."""
    if folds == 1 and split is None:
        return None
    drawn = RandomAssignment(folds, split or "cross", seed)
    return Everyone(RoundRobin(drawn)) if variant == "moa" else drawn


@dataclass(frozen=True, slots=True)
class RandomAssignment:
    """Items assigned to folds at random, by their numbers: see `Split`."""

    folds: int
    split: Split
    seed: int

    def weights(self, first: int, count: int) -> U8:
        """One row per fold, one column per item: how often it learns it; 0: it predicts it."""
        if self.split == "bootstrap":
            seeds = [child(self.seed, f"weight {fold}") for fold in range(self.folds)]
            return np.stack([uniform_counts(seed, first, count, POISSON) for seed in seeds])
        drawn = uniforms(child(self.seed, "fold"), first, count)
        own = (drawn * self.folds).astype(np.uint32)
        return _weights_of(own, self.folds, self.split)

    def predicts(self, first: int, count: int) -> None:
        """Each fold predicts the items that it does not learn."""


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Items assigned to folds in turn: item i belongs to fold i modulo k.

    Bootstrap weights are drawn as otherwise.
    """

    drawn: RandomAssignment

    @property
    def folds(self) -> int:
        """The number of folds."""
        return self.drawn.folds

    def weights(self, first: int, count: int) -> U8:
        """One row per fold, one column per item: how often it learns it."""
        if self.drawn.split == "bootstrap":
            return self.drawn.weights(first, count)
        own = (np.arange(first, first + count) % self.folds).astype(np.uint32)
        return _weights_of(own, self.folds, self.drawn.split)

    def predicts(self, first: int, count: int) -> None:
        """Each fold predicts the items that it does not learn."""


@dataclass(frozen=True, slots=True)
class OneStep:
    """Items that are one time step: all are assigned as the item `step`."""

    items: FoldAssignment
    step: int

    @property
    def folds(self) -> int:
        """The number of folds."""
        return self.items.folds

    def weights(self, first: int, count: int) -> U8:
        """One row per fold, one column per item: how often it learns it."""
        return np.repeat(self.items.weights(self.step, 1), count, axis=1)

    def predicts(self, first: int, count: int) -> Flags | None:
        """As the item `step`."""
        flags = self.items.predicts(self.step, 1)
        return None if flags is None else np.repeat(flags, count, axis=1)


@dataclass(frozen=True, slots=True)
class Everyone:
    """Every fold predicts every item; the weights are those of `items`."""

    items: FoldAssignment

    @property
    def folds(self) -> int:
        """The number of folds."""
        return self.items.folds

    def weights(self, first: int, count: int) -> U8:
        """One row per fold, one column per item: how often it learns it."""
        return self.items.weights(first, count)

    def predicts(self, first: int, count: int) -> Flags:
        """Every fold predicts every item."""
        return np.ones((self.folds, count), np.bool_)


@dataclass(frozen=True, slots=True)
class OnlyFold:
    """The assignment of one fold; the others neither learn nor predict."""

    items: FoldAssignment
    fold: int

    @property
    def folds(self) -> int:
        """The number of folds."""
        return self.items.folds

    def weights(self, first: int, count: int) -> U8:
        """One row per fold, one column per item: how often it learns it."""
        weights = self.items.weights(first, count)
        out = np.zeros_like(weights)
        out[self.fold] = weights[self.fold]
        return out

    def predicts(self, first: int, count: int) -> Flags:
        """Whether the fold predicts each item; the other folds do not."""
        out = np.zeros((self.folds, count), np.bool_)
        out[self.fold] = predicted(self.items, first, count)[self.fold]
        return out


def predicted(assignment: FoldAssignment, first: int, count: int) -> Flags:
    """One row per fold, one column per item: whether it predicts it."""
    flags = assignment.predicts(first, count)
    return assignment.weights(first, count) == 0 if flags is None else flags


def _weights_of(own: np.ndarray[tuple[int], np.dtype[np.uint32]], folds: int, split: Split) -> U8:
    """The weights if item i belongs to fold `own[i]`: only it learns it, or all others do."""
    rows = np.arange(folds, dtype=np.uint32)[:, None]
    mine: Flags = own == rows if split == "split" else own != rows
    return mine.view(np.uint8)
