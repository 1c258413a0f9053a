"""Real labels against real answers, summed up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from streamgauge._core import Moments as Core
from streamgauge.log import Pairs
from streamgauge.summaries.folding import Snapshots, Terms, weights
from streamgauge.types import F64, I64


@dataclass(frozen=True)
class Moments:
    """Sums of errors, and mean, spread and range of labels; or a stack of such.

    `sums` holds, each under its name: `total` (items), `absolute` and `squared` (errors),
    `labels` (their sum), `mean`, `spread` (sum of squared distances from the mean), `lowest` and
    `highest` of the labels; the errors of repeating the last label (`last_absolute`,
    `last_squared`, over `pairs`) and of answering the mean of the labels before
    (`mean_absolute`, `mean_squared`, over `guesses`); and the first label as the error of a
    mean that starts at 0 (`opening_absolute`, `opening_squared`).

    Examples
    --------
    >>> m = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 1.0])
    >>> float(m["absolute"]), float(m["squared"]), float(m["last_absolute"])
    (4.0, 10.0, 3.0)
    """

    sums: Mapping[str, F64]

    def __getitem__(self, name: str) -> F64:
        return self.sums[name]

    @classmethod
    def of(cls, label: object, answer: object) -> Moments:
        """Of some labels and answers."""
        core = Core([("whole", 0.0)], 2**62, "skip")
        core.push(np.asarray(label, np.float64), np.asarray(answer, np.float64))
        ((_, stack),) = core.finish()
        return cls(dict(zip(Core.layout(), stack[:, 0], strict=True)))


class MomentsFolding:
    """Sums up labels and answers over many windows, in one pass."""

    def __init__(self, terms: Terms, parts: frozenset[str]) -> None:
        self.cold_start = terms.cold_start
        self._terms = terms
        self._core = Core(
            list(terms.windows), terms.every, terms.cold_start, terms.weighted, terms.room
        )

    def push(self, pairs: Pairs) -> int:
        """Take in a batch; how many of its labels are known."""
        return self._core.push(
            np.ascontiguousarray(pairs.label, np.float64),
            np.ascontiguousarray(pairs.answer, np.float64),
            None if pairs.previous is None else np.ascontiguousarray(pairs.previous, np.float64),
            weights(pairs) if self._terms.weighted else None,
        )

    def coverage(self) -> tuple[int, int]:
        """How many known labels there were, and to how many nothing was said."""
        return self._core.coverage()

    def take(self) -> list[Snapshots[Moments]]:
        """The snapshots of each window since they were last taken."""
        return _named(self._core.take())

    def finish(self) -> list[Snapshots[Moments]]:
        """The rest of the snapshots."""
        return _named(self._core.finish())


def _named(stacks: list[tuple[I64, F64]]) -> list[Snapshots[Moments]]:
    names = Core.layout()
    return [Snapshots(at, Moments(dict(zip(names, stack, strict=True)))) for at, stack in stacks]
