"""A closed log: read-only, the one thing every measure is computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from streamgauge.errors import LogError
from streamgauge.log.alarms import Alarms, gathered
from streamgauge.log.arrivals import arrivals_of
from streamgauge.log.pairs import Pairs, pairs_of
from streamgauge.log.rows import Came, Plain, Rows, Said, Taught, Truth, of_fold
from streamgauge.types import F64, Codes, Schema, missing

AT_ONCE = {"learns_every": "1"}
"""What a log says of itself (`about`) where each item is learned before the next is predicted."""


class Tables(Protocol):
    """Where a log's rows are: in memory, or in a folder."""

    @property
    def labels_in_order(self) -> bool:
        """Did every label come in the order of the items?"""

    def said(self) -> Iterator[Said]:
        """What was said, batch by batch, in the order it was said."""

    def true(self) -> Iterator[Truth]:
        """What was true, batch by batch, in the order it became known."""

    def taught(self) -> Iterator[Taught]:
        """What was taught, batch by batch, in the order it was taught."""

    def arrivals(self) -> Iterator[Came]:
        """When each item came, whichever copy predicted it, batch by batch, in order."""

    def labels(self) -> int:
        """How many labels are known."""

    def pairs(self, fold: int | None = None) -> Iterator[Pairs]:
        """Labels beside answers, in the order the labels became known."""

    def alarms(self) -> Alarms:
        """What detectors said, in that order."""


@dataclass(frozen=True, slots=True)
class Held:
    """A log's rows in memory."""

    rows: Sequence[Rows] = ()
    labels_in_order: bool = True
    signals: Sequence[Alarms] = ()

    def said(self) -> Iterator[Said]:
        """What was said."""
        return (r.said for r in self.rows)

    def true(self) -> Iterator[Truth]:
        """What was true."""
        return (r.true for r in self.rows)

    def taught(self) -> Iterator[Taught]:
        """What was taught."""
        return (r.taught for r in self.rows)

    def arrivals(self) -> Iterator[Came]:
        """When each item came."""
        silent = (r.unpredicted for r in self.rows)
        return arrivals_of(self.said(), (came for came in silent if came is not None))

    def labels(self) -> int:
        """How many labels are known."""
        return sum(_labels(r) for r in self.rows)

    def alarms(self) -> Alarms:
        """What detectors said."""
        return gathered(self.signals)

    def pairs(self, fold: int | None = None) -> Iterator[Pairs]:
        """Labels beside answers; without a copy where rows are plain."""
        if not all(isinstance(r, Plain) for r in self.rows):
            yield from pairs_of(of_fold(self.said(), fold), self.true, self.labels_in_order)
            return
        if fold:  # plain rows are of fold 0
            return
        for r in self.rows:
            if not isinstance(r, Plain) or r.answer is None or not len(r):
                continue
            out = r.time if r.out is None else r.out
            if r.known is None:
                yield Pairs(r.first, r.label, r.answer, r.scores, time=out, weight=r.weight)
            elif r.known.any():
                yield Pairs(
                    r.first,
                    r.label[r.known],
                    r.answer[r.known],
                    None if r.scores is None else r.scores[r.known],
                    item=r.items[r.known],
                    time=None if out is None else out[r.known],
                    weight=None if r.weight is None else r.weight[r.known],
                )


def _labels(rows: Rows) -> int:
    if not isinstance(rows, Plain):
        return len(rows.true)
    if rows.answer is None:
        return 0
    return len(rows) if rows.known is None else int(rows.known.sum())


@dataclass(frozen=True, slots=True)
class Log:
    """What a run said, what was true, what was taught. Plain data; the verbs are functions.

    `about` says where it comes from: stream, learner, protocol, seed, versions. `complete` is
    False when the run was cut off; what is there can be measured all the same. `resources`
    are the costs of the run; they are not part of what makes two logs equal.
    """

    schema: Schema
    tables: Tables = field(repr=False)
    about: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True
    resources: Mapping[str, float] = field(default_factory=dict)

    def pairs(self, fold: int | None = None) -> Iterator[Pairs]:
        """Every known label with its answer, batch by batch, in constant memory.

        With several copies of the learner there is one answer of each, unless `fold` names one.
        """
        return self.tables.pairs() if fold is None else self.tables.pairs(fold)

    def labels(self) -> int:
        """How many labels are known, without reading them where that can be had."""
        return self.tables.labels()

    def said(self) -> Iterator[Said]:
        """What was said, batch by batch."""
        return self.tables.said()

    def true(self) -> Iterator[Truth]:
        """What was true, batch by batch."""
        return self.tables.true()

    def taught(self) -> Iterator[Taught]:
        """What was taught, batch by batch."""
        return self.tables.taught()

    def alarms(self) -> Alarms:
        """What detectors inside the learner said; empty if it has none."""
        return self.tables.alarms()

    def _repr_html_(self) -> str:
        facts = "".join(f"<tr><th>{k}</th><td>{v}</td></tr>" for k, v in self.about.items())
        state = "" if self.complete else "<p>incomplete: the run was cut off</p>"
        return f"{state}<table>{facts}</table>"


def from_columns(
    schema: Schema,
    label: Codes | F64,
    answer: Codes | F64,
    scores: F64 | None = None,
    about: Mapping[str, str] | None = None,
) -> Log:
    """A log from two columns: a run made elsewhere is as good as ours.

    Each label is taken to be known, and learned, before the next item is predicted, unless
    `about` says otherwise. Codes are int32 (`NONE` for a missing one), reals float64 (NaN for a
    missing one).

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature, Schema
    >>> schema = Schema((Feature("x"),), classes=("no", "yes"))
    >>> log = from_columns(schema, np.array([0, 1], np.int32), np.array([0, 0], np.int32))
    >>> [len(p) for p in log.pairs()]
    [2]
    """
    if len(label) != len(answer):
        raise LogError(f"answer must have {len(label)} rows like label, got {len(answer)}")
    known = ~missing(label)
    held = None if scores is None else scores.copy()  # of its own: arrays may be used again
    row = Plain(0, label.copy(), answer.copy(), held, None if known.all() else known)
    return Log(schema, Held((row,)), {**AT_ONCE, **(about or {})})
