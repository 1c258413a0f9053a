"""Vitals: named facts about a learner, sampled during a run; a side table of the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.types import F64, I64, U16, U64


@dataclass(frozen=True, slots=True)
class Vitals:
    """Facts about the folds of a learner, one row per fact and sample, in order.

    `item` is the last item that had arrived when the sample was taken; `fold` the fold of the
    learner; `name` the fact (`bytes`, `nodes`, …); `value` is NaN where it was not known.

    Examples
    --------
    >>> sampled = Vitals.of(999, {"bytes": 512, "leaves": 1}) + Vitals.of(1999, {"leaves": 3})
    >>> sampled.names, len(sampled)
    (('bytes', 'leaves'), 3)
    >>> items, leaves = sampled.series("leaves")
    >>> items.tolist(), leaves.tolist()
    ([999, 1999], [1.0, 3.0])
    """

    item: U64 = field(default_factory=lambda: np.empty(0, np.uint64))
    fold: U16 = field(default_factory=lambda: np.empty(0, np.uint16))
    name: tuple[str, ...] = ()
    value: F64 = field(default_factory=lambda: np.empty(0))

    @classmethod
    def of(cls, item: int, facts: Mapping[str, float], fold: int = 0) -> Vitals:
        """The facts of one sample."""
        return cls.of_folds(item, {fold: facts})

    @classmethod
    def of_folds(cls, item: int, facts: Mapping[int, Mapping[str, float]]) -> Vitals:
        """The facts of one sample of several folds, by fold."""
        rows = [(fold, name, value) for fold, own in facts.items() for name, value in own.items()]
        return cls(
            np.full(len(rows), item, np.uint64),
            np.array([fold for fold, _, _ in rows], np.uint16),
            tuple(name for _, name, _ in rows),
            np.array([value for _, _, value in rows], np.float64),
        )

    def __len__(self) -> int:
        return len(self.item)

    def __add__(self, other: Vitals) -> Vitals:
        return concatenate_vitals((self, other))

    @property
    def names(self) -> tuple[str, ...]:
        """The facts, each once, in order."""
        return tuple(dict.fromkeys(self.name))

    def of_fold(self, fold: int) -> Vitals:
        """The rows of one fold."""
        return self._take(np.flatnonzero(self.fold == fold))

    def series(self, name: str, fold: int | None = None) -> tuple[I64, F64]:
        """The items and values of the samples of one fact of one fold: the only one by default."""
        named = np.fromiter((own == name for own in self.name), np.bool_, len(self))
        if fold is None and len(np.unique(self.fold[named])) > 1:
            raise ParameterError(
                "series: fold must be given for facts of several folds, got none; give fold=0 for "
                "the first, or use resources.vital_curves for all"
            )
        own = named if fold is None else named & (self.fold == fold)
        return self.item[own].astype(np.int64), self.value[own]

    def _take(self, rows: I64) -> Vitals:
        names = tuple(self.name[row] for row in rows.tolist())
        return Vitals(self.item[rows], self.fold[rows], names, self.value[rows])


def concatenate_vitals(parts: Iterable[Vitals]) -> Vitals:
    """Several tables as one."""
    held = [part for part in parts if len(part)]
    if not held:
        return Vitals()
    return Vitals(
        np.concatenate([p.item for p in held]),
        np.concatenate([p.fold for p in held]),
        tuple(name for p in held for name in p.name),
        np.concatenate([p.value for p in held]),
    )
