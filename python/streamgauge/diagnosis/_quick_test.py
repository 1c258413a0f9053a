"""The quick test of temporal dependence: two baselines on the first labels."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np

from streamgauge.diagnosis.labels import with_classes
from streamgauge.errors import ParameterError
from streamgauge.kinds import check_seed, plain_numbers
from streamgauge.streams._named_stream import named_stream
from streamgauge.types import NONE, Codes, Stream


@dataclass(frozen=True, slots=True)
class QuickTest:
    """Accuracy of two baselines on the first labels: majority so far and last label.

    Over all items but the first; NaN if there are none.
    """

    items: int
    majority: float
    persistent: float

    @property
    def dependent(self) -> bool:
        """Whether the last label is the better baseline."""
        return self.persistent > self.majority

    def to_text(self) -> str:
        """The result as text."""
        if math.isnan(self.majority):
            return "Quick test: not defined for fewer than two labels."
        better = "the last label is" if self.dependent else "the majority is"
        guide = "neither is" if self.majority == self.persistent else better
        return (
            f"Quick test on the first {self.items} labels: repeating the last label is right in "
            f"{100 * self.persistent:.0f} %, the majority so far in {100 * self.majority:.0f} %: "
            f"{guide} the better baseline."
        )


@plain_numbers
def quick_test(labels: Stream | Codes, items: int = 100, seed: int = 0) -> QuickTest:
    """Compare the majority class with the last label on the first labels of a stream.

    A simple test of whether the order of labels matters, before any experiment. Of equally
    frequent classes the first is the majority.

    Examples
    --------
    >>> print(quick_test(np.array([0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1], np.int32)).to_text())
    Quick test on the first 12 labels: repeating the last label is right in 73 %, the majority so
    far in 55 %: the last label is the better baseline.

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015), sect. 7.
    """
    if not isinstance(items, int) or items < 2:
        raise ParameterError.of("quick_test", "items", "a whole number, at least 2", items)
    check_seed("quick_test", seed)
    if isinstance(labels, np.ndarray):
        first_labels = labels[labels != NONE][:items].tolist()
    else:
        stream: Stream = named_stream(labels)
        with_classes("quick_test", stream)
        batches = stream.batches(1024, seed)
        known = (y for batch in batches for y in batch.label.tolist() if y != NONE)
        first_labels = list(islice(known, min(items, sys.maxsize)))
    if len(first_labels) < 2:
        return QuickTest(len(first_labels), math.nan, math.nan)
    counts: dict[int, int] = {first_labels[0]: 1}
    correct = 0
    for label in first_labels[1:]:
        top = max(counts.values())
        correct += label == min(c for c, n in counts.items() if n == top)
        counts[label] = counts.get(label, 0) + 1
    repeats = sum(a == b for a, b in pairwise(first_labels))
    pairs = len(first_labels) - 1
    return QuickTest(len(first_labels), correct / pairs, repeats / pairs)
