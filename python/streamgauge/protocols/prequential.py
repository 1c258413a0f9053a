"""Prequential: test, then train, item by item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols._folds import (
    FoldVariant,
    Split,
    assignment_of,
    check_folds,
    check_variant,
    enough_items,
)
from streamgauge.protocols.timetable import Segment, immediate, pattern, pretrained
from streamgauge.types import Arrivals, Timetable


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
    folds, split
        Number of folds (copies of the learner), and which of them learn an item: all but one,
        which predicts it (`"cross"`, the default of several folds); one, and all others predict
        it (`"split"`); each with a weight drawn from the Poisson distribution with mean 1, and
        those with weight 0 predict it (`"bootstrap"`). Items of `pretrain` are not predicted by
        any fold. `KFold` is a shorter name for several folds.
    variant
        `"default"`: the fold of an item is drawn at random, by its number. `"moa"`: item i belongs
        to fold i modulo `folds`, and every fold predicts every item before it learns it, as in
        MOA's `EvaluatePrequentialCV`.

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
    folds: int = 1
    split: Split | None = None
    variant: FoldVariant = "default"
    aliases: ClassVar[tuple[str, ...]] = ("test_then_train",)

    def __post_init__(self) -> None:
        at_least(self, "pretrain", self.pretrain, 0)
        check_folds(self, self.folds, self.split)
        check_variant(self, self.folds, self.variant)

    @property
    def about(self) -> dict[str, str]:
        """Entries of the log from which the order of predictions and labels can be derived."""
        return {"learns_every": "1", "pretrain": str(self.pretrain)}

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, chunk by chunk."""
        who = type(self).__name__
        assignment = assignment_of(self.folds, self.split, seed, self.variant)
        coming = enough_items(arrivals, self, self.folds)
        segments = (immediate(a, who, self.ignore_delays) for a in coming)
        for part in pretrained(segments, self.pretrain, assignment):
            if isinstance(part, Segment):
                yield pattern("test_then_train", part, assignment)
            else:
                yield part
