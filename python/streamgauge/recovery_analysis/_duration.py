"""Duration of a recovery."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.recovery_analysis._below import SHARE, Better, checked_curves, is_below
from streamgauge.types import F64, I64

Outcome: TypeAlias = Literal["recovered", "no drop", "not recovered", "undefined"]
"""How a recovery ended; `"not recovered"` is censored: it may recover after the last point."""

PanelOutcome: TypeAlias = Literal["recovered", "relapsed", "no drop", "not recovered", "undefined"]
"""How the recovery of a panel ended; `"relapsed"`: it was back, but not for good."""

FOR_GOOD: tuple[PanelOutcome, ...] = ("recovered", "no drop")
"""Outcomes of a curve that is not below that of the new stream at its end."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
RECOVERED, NO_DROP, NOT_RECOVERED, UNDEFINED = range(len(OUTCOMES))


@dataclass(frozen=True, slots=True)
class Duration:
    """Duration of a recovery: `value` = (t2 - t1) / T, and how it ended.

    `t1` and `t2` are numbers of points, counted from 1; None if the curve does not drop.
    """

    value: float
    t1: int | None
    t2: int | None
    outcome: Outcome


@plain_numbers
def duration(
    before: Sequence[float] | F64,
    after: Sequence[float] | F64,
    mixture: Sequence[float] | F64,
    *,
    better: Better = "high",
    sustained: bool = False,
    share: float = SHARE,
    start: int = 1,
) -> Duration:
    r"""How long the performance on a drifting stream is below that on the pure streams.

    .. math:: (t_2 - t_1) / T

    where :math:`t_1` is the first point at which the curve of the mixture is below 95 % of that of
    the pure stream before the drift, and :math:`t_2` the first later one at which it is not below
    95 % of that of the pure stream after the drift, having been below it since :math:`t_1`. If it
    is never below the latter from :math:`t_1` on, :math:`t_2 = t_1`. T is the number of points. A
    loss is below if it is more than 105 % of the reference.

    The duration is 0, with the outcome `"no drop"`, if there is no :math:`t_1`. Without a
    :math:`t_2` it is that up to the last point, with the outcome `"not recovered"`. NaN if no
    point has all three values; a point without all of them is passed over.

    Parameters
    ----------
    before, after, mixture
        The three curves, of equal length.
    better
        `"high"` for a score, `"low"` for a loss.
    sustained
        Let :math:`t_2` be the first point from which on the curve stays not below, instead of the
        first one at which it is not.
    share
        The 95 %.
    start
        The first point that may be :math:`t_1`, counted from 1, such as that at which the drift
        begins. By default all points count.

    Examples
    --------
    >>> before, after = [0.9] * 6, [0.8] * 6
    >>> duration(before, after, [0.9, 0.8, 0.5, 0.7, 0.8, 0.8])
    Duration(value=0.5, t1=2, t2=5, outcome='recovered')
    >>> duration(before, after, [0.9] * 6).outcome
    'no drop'

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015).
    """
    a, b, c = checked_curves("duration", better, before, after, mixture)
    if not 0 < share <= 1:
        raise ParameterError.of("duration", "share", "above 0 and at most 1", share)
    at_least("duration", "start", start, 1)
    found = durations(a[None], b[None], c[None], better, sustained, share, start - 1)
    return found.row(0)


def outcome_of(first: Duration, sustained: Duration) -> PanelOutcome:
    """How a recovery ended, by the duration to the first point back and by that for good.

    Examples
    --------
    >>> first, sustained = Duration(0.1, 5, 6, "recovered"), Duration(0.5, 5, 10, "not recovered")
    >>> outcome_of(first, sustained), outcome_of(first, first)
    ('relapsed', 'recovered')
    """
    if first.outcome == "recovered" and sustained.outcome == "not recovered":
        return "relapsed"
    return first.outcome


@dataclass(frozen=True, slots=True)
class Durations:
    """The durations of many recoveries, one row each; points are counted from 0, -1 is none."""

    value: F64
    t1: I64
    t2: I64
    outcome: I64

    def row(self, nth: int) -> Duration:
        """One of them."""
        t1, t2 = (int(t[nth]) + 1 or None for t in (self.t1, self.t2))
        return Duration(float(self.value[nth]), t1, t2, OUTCOMES[int(self.outcome[nth])])


def durations(
    a: F64, b: F64, c: F64, better: Better, sustained: bool, share: float, start: int = 0
) -> Durations:
    """`duration` of each row of three arrays with one column per point; `start` is from 0 on."""
    rows, points = c.shape
    none = np.full(rows, -1)
    if not points:
        return Durations(np.full(rows, np.nan), none, none, np.full(rows, UNDEFINED))
    point = np.arange(points)
    below_a = is_below(c, a, better, share) & (point >= start)
    below_b = is_below(c, b, better, share)
    t1 = below_a.argmax(axis=1)
    down = below_b & (point >= t1[:, None])
    if sustained:
        t2 = points - down[:, ::-1].argmax(axis=1)
        back = t2 < points
    else:
        up = ~below_b & (point > down.argmax(axis=1)[:, None])
        t2, back = up.argmax(axis=1), up.any(axis=1)
    ever = down.any(axis=1)
    t2 = np.where(ever, np.where(back, t2, points - 1), t1)
    outcome = np.where(ever & ~back, NOT_RECOVERED, RECOVERED)
    dropped = below_a.any(axis=1)
    outcome = np.where(dropped, outcome, NO_DROP)
    undefined = (np.isnan(a) | np.isnan(b) | np.isnan(c)).all(axis=1)
    outcome = np.where(undefined, UNDEFINED, outcome)
    none_of = undefined | ~dropped
    t1, t2 = np.where(none_of, -1, t1), np.where(none_of, -1, t2)
    return Durations(np.where(undefined, np.nan, (t2 - t1) / points), t1, t2, outcome)
