"""Prequential: test, then train, item by item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.errors import ParameterError
from streamgauge.protocols.timetable import prompt
from streamgauge.types import Arrivals, Pattern, Timetable


@dataclass(frozen=True, slots=True)
class Prequential:
    """Each item is first asked about, then taught (interleaved test-then-train).

    Parameters
    ----------
    pretrain
        The first so many items are only taught, never asked about.
    ignore_delays
        Take labels as if they came with their items, though the stream says they come later.

    Examples
    --------
    >>> from streamgauge.protocols.timetable import arrivals, in_words
    >>> print(", ".join(in_words(Prequential(pretrain=1).timetable(arrivals(3)))))
    learn 0, predict 1, reveal 1, learn 1, predict 2, reveal 2, learn 2

    References
    ----------
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013).
    """

    pretrain: int = 0
    ignore_delays: bool = False
    folds: ClassVar[int] = 1
    aliases: ClassVar[tuple[str, ...]] = ("test_then_train",)

    def __post_init__(self) -> None:
        if self.pretrain < 0:
            raise ParameterError.of(self, "pretrain", "at least 0", self.pretrain)

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, chunk by chunk."""
        for chunk in arrivals:
            part = prompt(chunk, type(self).__name__, self.ignore_delays)
            turn = min(max(self.pretrain, part.first), part.stop)
            if part.first < turn:
                head = part.cut(part.first, turn)
                yield Pattern("train", head.first, turn, head.known, head.time, turn)
            if turn < part.stop:
                tail = part.cut(turn, part.stop)
                yield Pattern("test_then_train", turn, tail.stop, tail.known, tail.time, tail.stop)
