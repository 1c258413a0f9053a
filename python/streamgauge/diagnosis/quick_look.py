"""The paper's quick test: two baselines on the first hundred labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np

from streamgauge.diagnosis.labels import with_classes
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.types import NONE, Codes, Stream


@dataclass(frozen=True, slots=True)
class QuickLook:
    """Two baselines on the first labels: the majority so far, and the last label again.

    Over the items that both could answer, all but the first; NaN if there are none.
    """

    items: int
    majority: float
    persistent: float

    @property
    def dependent(self) -> bool:
        """Is the last label the better guide?"""
        return self.persistent > self.majority

    def words(self) -> str:
        """In plain words."""
        if math.isnan(self.majority):
            return "Quick test: fewer than two labels, nothing to see."
        better = "the last label is" if self.dependent else "the majority is"
        guide = "neither is" if self.majority == self.persistent else better
        return (
            f"Quick test on the first {self.items} labels: the last label again is right in "
            f"{100 * self.persistent:.0f} %, the majority so far in {100 * self.majority:.0f} %: "
            f"{guide} the better guide."
        )


@plain_numbers
def first_look(labels: Stream | Codes, items: int = 100, seed: int = 0) -> QuickLook:
    """Compare the majority class with the last label on the first labels of a stream.

    An easy test whether it is worth taking the order of labels into account, before any
    experiment. Of equally frequent classes the first is the majority.

    Examples
    --------
    >>> print(first_look(np.array([0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1], np.int32)).words())
    Quick test on the first 12 labels: the last label again is right in 73 %, the majority so far
    in 55 %: the last label is the better guide.

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015), sect. 7.
    """
    if not isinstance(items, int) or items < 2:
        raise ParameterError.of("first_look", "items", "a whole number, at least 2", items)
    if isinstance(labels, np.ndarray):
        line = labels[labels != NONE][:items].tolist()
    else:
        with_classes("first_look", labels)
        batches = labels.batches(1024, seed)
        known = (y for batch in batches for y in batch.label.tolist() if y != NONE)
        line = list(islice(known, items))
    if len(line) < 2:
        return QuickLook(len(line), math.nan, math.nan)
    seen: dict[int, int] = {line[0]: 1}
    right = 0
    for label in line[1:]:
        top = max(seen.values())
        right += label == min(c for c, n in seen.items() if n == top)
        seen[label] = seen.get(label, 0) + 1
    repeats = sum(a == b for a, b in pairwise(line))
    pairs = len(line) - 1
    return QuickLook(len(line), right / pairs, repeats / pairs)
