"""Chunks of items: predict a whole chunk of items, then learn it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols._folds import OneStep, Split, assignment_of, check_folds, enough_items
from streamgauge.protocols.timetable import blocks, immediate, pattern, pretrained
from streamgauge.types import Arrivals, Pattern, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class Chunks:
    """Predict a chunk of items, then learn the same chunk.

    No item of a chunk is learned before all of them are predicted. The last chunk may be shorter.

    Parameters
    ----------
    size
        Number of items in a chunk.
    pretrain
        Number of first items that are only learned, not predicted.
    ignore_delays
        Treat every label as if it arrived with its item, though the stream has delays.
    folds, split
        Number of folds (copies of the learner), and which of them learn a chunk: all but one,
        which predicts it (`"cross"`, the default of several folds); one, and all others predict
        it (`"split"`); each with a weight drawn from the Poisson distribution with mean 1, and
        those with weight 0 predict it (`"bootstrap"`). It is drawn once per chunk. Items of
        `pretrain` are learned by the folds that would learn them one by one.

    Examples
    --------
    >>> from streamgauge.protocols.timetable import arrivals, in_words
    >>> print(", ".join(in_words(Chunks(size=2).timetable(arrivals(3)))))
    predict 0, predict 1, reveal 0, reveal 1, learn 0, learn 1, predict 2, reveal 2, learn 2
    """

    size: int = 1000
    pretrain: int = 0
    ignore_delays: bool = False
    folds: int = 1
    split: Split | None = None
    aliases: ClassVar[tuple[str, ...]] = ("chunked",)

    def __post_init__(self) -> None:
        at_least(self, "size", self.size, 1)
        at_least(self, "pretrain", self.pretrain, 0)
        check_folds(self, self.folds, self.split)

    @property
    def about(self) -> dict[str, str]:
        """Entries of the log from which the order of predictions and labels can be derived."""
        return {"learns_every": str(self.size), "pretrain": str(self.pretrain)}

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, chunk by chunk, each after the arrival of its last item."""
        who = type(self).__name__
        assignment = assignment_of(self.folds, self.split, seed)
        coming = enough_items(arrivals, self, self.folds)
        segments = (immediate(a, who, self.ignore_delays) for a in coming)
        for part in blocks(pretrained(segments, self.pretrain, assignment), lambda _: self.size):
            if isinstance(part, Pattern):
                yield part
            else:
                step = None if assignment is None else OneStep(assignment, part.first)
                yield pattern("predict_then_learn", part, step)
