"""Chunks: test a whole chunk, then train on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols.timetable import Stretch, join, pattern, pretrained, prompt
from streamgauge.types import Arrivals, Pattern, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class Chunks:
    """A chunk of items is asked about, then the same chunk is taught.

    The model that answers has seen nothing of the chunk. The last chunk may be shorter.

    Parameters
    ----------
    size
        Items in a chunk.
    pretrain
        The first so many items are only taught, never asked about.
    ignore_delays
        Take labels as if they came with their items, though the stream says they come later.

    Examples
    --------
    >>> from streamgauge.protocols.timetable import arrivals, in_words
    >>> print(", ".join(in_words(Chunks(size=2).timetable(arrivals(3)))))
    predict 0, predict 1, reveal 0, reveal 1, learn 0, learn 1, predict 2, reveal 2, learn 2
    """

    size: int = 1000
    pretrain: int = 0
    ignore_delays: bool = False
    folds: ClassVar[int] = 1
    aliases: ClassVar[tuple[str, ...]] = ("chunked",)

    def __post_init__(self) -> None:
        at_least(self, "size", self.size, 1)
        at_least(self, "pretrain", self.pretrain, 0)

    @property
    def about(self) -> dict[str, str]:
        """What a log must say, so that the order of predictions and labels is found in it."""
        return {"learns_every": str(self.size), "pretrain": str(self.pretrain)}

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, chunk by chunk; a chunk waits until its last item is there."""
        who = type(self).__name__
        stretches = (prompt(a, who, self.ignore_delays) for a in arrivals)
        waiting: list[Stretch] = []
        for part in pretrained(stretches, self.pretrain):
            if isinstance(part, Pattern):
                yield part
                continue
            at = part.first
            while at < part.stop:
                begun = waiting[0].first if waiting else at
                stop = min(begun + self.size, part.stop)
                waiting.append(part.cut(at, stop))
                at = stop
                if stop - begun == self.size:
                    yield pattern("chunk", join(waiting))
                    waiting = []
        if waiting:
            yield pattern("chunk", join(waiting))
