"""Prequential: test, then train, item by item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols.timetable import immediate, pattern, pretrained
from streamgauge.types import Arrivals, Pattern, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class Prequential:
    """Predict each item, then learn it (interleaved test-then-train).

    Parameters
    ----------
    pretrain
        Number of first items that are only learned, not predicted.
    ignore_delays
        Treat every label as if it arrived with its item, though the stream has delays.

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
        at_least(self, "pretrain", self.pretrain, 0)

    @property
    def about(self) -> dict[str, str]:
        """Entries of the log from which the order of predictions and labels can be derived."""
        return {"learns_every": "1", "pretrain": str(self.pretrain)}

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, chunk by chunk."""
        who = type(self).__name__
        segments = (immediate(a, who, self.ignore_delays) for a in arrivals)
        for part in pretrained(segments, self.pretrain):
            yield part if isinstance(part, Pattern) else pattern("test_then_train", part)
