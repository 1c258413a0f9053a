"""Prequential: test, then train, item by item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols.timetable import pattern, pretrained, prompt
from streamgauge.types import Arrivals, Pattern, Timetable


@plain_numbers
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
        at_least(self, "pretrain", self.pretrain, 0)

    @property
    def about(self) -> dict[str, str]:
        """What a log must say, so that the order of predictions and labels is found in it."""
        return {"learns_every": "1", "pretrain": str(self.pretrain)}

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, chunk by chunk."""
        who = type(self).__name__
        stretches = (prompt(a, who, self.ignore_delays) for a in arrivals)
        for part in pretrained(stretches, self.pretrain):
            yield part if isinstance(part, Pattern) else pattern("test_then_train", part)
