"""The verb: two logs of one stream in, a verdict out. One pass over both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from streamgauge.comparisons._terms import checked_terms, names_of
from streamgauge.comparisons._walk import Sums, Terms, Walked, walk
from streamgauge.comparisons.confidence_sequence import (
    DIFFERENCE,
    DIFFERENCE_FORMULA,
    difference_evidence,
    difference_interval,
)
from streamgauge.comparisons.diebold_mariano import DIEBOLD_MARIANO, from_autocovariances
from streamgauge.comparisons.mcnemar import (
    EXACT_BELOW,
    MCNEMAR,
    MCNEMAR_FORMULA,
    Side,
    mcnemar_evidence,
    mcnemar_p,
    mcnemar_statistic,
)
from streamgauge.comparisons.q import Q_FORMULA, Q, q_statistic
from streamgauge.comparisons.verdict import ANYTIME, FIXED, Reading, Validity, Verdict, items
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log, one_fold
from streamgauge.log.lateness import lateness
from streamgauge.measures._curves import Curves
from streamgauge.summaries.folding import ColdStart
from streamgauge.types import F64, Curve
from streamgauge.windows._window import Window

ALWAYS_VALID = "always_valid_mcnemar_evidence"


@plain_numbers
def compare(
    a: Log,
    b: Log,
    *,
    names: Sequence[str] | None = None,
    windows: str | Window | Sequence[str | Window] | None = None,
    alpha: float = 0.05,
    side: Side = "either",
    loss: str | None = None,
    bound: float | None = None,
    cold_start: ColdStart | None = None,
    every: int | None = None,
    lags: int | None = None,
    common: bool = False,
    fold: int | None = None,
) -> Verdict:
    """Compare two learners on one stream.

    The verdict is decided by evidence that may be watched all the time. The classical statistics
    are given beside it, in each window, and labelled *fixed horizon only*: watched until they
    please, they find a winner between equals sooner or later. Pairs are taken in the order the
    labels became known, and what is tested is the mean difference in that order.

    Parameters
    ----------
    a, b
        Their logs. Both must have labels for the same items; answers and labels meet by item.
    names
        What to call the two; their learners' names unless given.
    windows
        Where the classical statistics are looked at: `whole`, `sliding(1000)` and
        `fading(0.999)` unless given.
    alpha
        The chance to name a winner between equals, ever.
    side
        `"either"`, or only `"a"` or `"b"`: whose advantage is looked for.
    loss
        `"zero_one"` for classes; `"absolute"` (default) or `"squared"` for reals.
    bound
        The largest real loss; larger ones are cut to it. Without it real losses are compared at a
        fixed horizon only.
    cold_start
        What becomes of an item to which one of them said nothing, as in `measure`.
    every
        A point of the curves after so many pairs; a round number unless given.
    lags
        How many lags the Diebold-Mariano test looks at; by Newey and West's rule unless given.
    common
        Compare on the items that both logs have, where they differ.
    fold
        Which copy of both learners, where there are several; all of them by default.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> schema = Schema((), classes=("no", "yes"))
    >>> rng = np.random.default_rng(1)
    >>> label = rng.integers(0, 2, 5000, dtype=np.int32)
    >>> wrong = rng.random((2, 5000)) < [[0.2], [0.25]]
    >>> good, bad = (from_columns(schema, label, np.where(w, 1 - label, label)) for w in wrong)
    >>> verdict = compare(good, bad, names=("good", "bad"))
    >>> verdict.winner, verdict.since
    ('good', 2194)
    >>> verdict.difference, (verdict.low, verdict.high)
    (-0.0562, (-0.0841, -0.0283))
    >>> verdict["mcnemar", "whole"].value, verdict["mcnemar", "whole"].validity
    (-46.1, 'fixed horizon only')
    """
    a, b = one_fold(a, fold), one_fold(b, fold)
    terms = checked_terms(a, b, windows, alpha, side, loss, bound, cold_start, every, lags, common)
    return verdict_of(walk(a, b, terms), names_of(a, b, names), terms, alpha, side, in_order(a))


def in_order(log: Log) -> tuple[str, ...]:
    """A note where the order in which labels became known depends on the class."""
    seen = lateness(log)
    if seen is None or not seen.words():
        return ()
    return (f"{seen.words()} What is tested is the difference in the order labels became known.",)


def verdict_of(
    walked: Walked,
    names: tuple[str, str],
    terms: Terms,
    alpha: float,
    side: Side,
    notes: tuple[str, ...] = (),
) -> Verdict:
    """The verdict from what one pass leaves."""
    whole = walked.whole
    n, lost_a, lost_b, squares = (_last(x) for x in _of_whole(whole))
    apart = lost_a - lost_b
    difference = apart / n if n else math.nan
    low = high = log_e_a = log_e_b = math.nan
    winner, since, first = None, None, None
    if walked.crossed is not None:
        at_a, at_b = walked.crossed
        for_a, for_b = difference_evidence(apart, squares, terms.bound)
        log_e_a, log_e_b = float(for_a), float(for_b)
        if n:
            bounds = difference_interval(n, apart, squares, alpha, terms.bound, side)
            low, high = float(bounds[0]), float(bounds[1])
        sides = [s for s in zip("ab", names, (at_a, at_b), strict=True) if side in ("either", s[0])]
        for _, name, crossed in sides:
            if crossed.since is not None:
                winner, since = name, crossed.since
        begun = [
            (c.first[terms.main], name) for _, name, c in sides if c.first[terms.main] is not None
        ]
        if begun:
            at, name = min(begun)
            first = (name, int(at or 0))
    return Verdict(
        *names,
        winner=winner,
        since=since,
        first=first,
        loss=terms.loss,
        alpha=alpha,
        side=side,
        pairs=walked.pairs,
        counted=round(n),
        loss_a=lost_a / n if n else math.nan,
        loss_b=lost_b / n if n else math.nan,
        difference=difference,
        low=low,
        high=high,
        log_e_a=log_e_a,
        log_e_b=log_e_b,
        readings=_readings(walked, names, terms, alpha, side, (log_e_a, log_e_b, low, high)),
        curves=Curves(_curves(walked, terms, alpha, side)),
        notes=(*_notes(walked, names), *notes),
        axis=walked.axis,
    )


def _last(values: F64) -> float:
    return float(values[-1]) if len(values) else 0.0


def _of_whole(whole: Sums) -> tuple[F64, F64, F64, F64]:
    return whole.total, whole.lost_a, whole.lost_b, whole.squares


def _readings(
    walked: Walked,
    names: tuple[str, str],
    terms: Terms,
    alpha: float,
    side: Side,
    anytime: tuple[float, float, float, float],
) -> tuple[Reading, ...]:
    a, b = names

    def ahead(value: float) -> str | None:
        """Every one of the statistics is positive where A is worse."""
        return None if not value else (b if value > 0 else a if value < 0 else None)

    made: list[Reading] = []
    whole = walked.whole
    worse = (_last(whole.worse_a), _last(whole.worse_b))
    if walked.crossed is not None:
        log_e_a, log_e_b, low, high = anytime
        n, lost_a, lost_b, _ = (_last(x) for x in _of_whole(whole))
        value = (lost_a - lost_b) / n if n else math.nan
        log_e = _chosen(log_e_a, log_e_b, side)
        made.append(
            Reading(
                DIFFERENCE, "whole", value, ANYTIME, ahead(value), _p(log_e), log_e, low, high,
                "confidence sequence",
            )
        )  # fmt: skip
    if terms.loss == "zero_one":
        for_a, for_b = mcnemar_evidence(*worse)
        log_e = _chosen(float(for_a), float(for_b), side)
        value = worse[0] - worse[1]
        made.append(
            Reading(
                ALWAYS_VALID, "whole", math.exp(min(log_e, 700.0)), ANYTIME, ahead(value),
                _p(log_e), log_e, how="bets on the disagreements",
            )
        )  # fmt: skip
    for window, sums in zip(terms.windows, walked.windows, strict=True):
        value = _end(q_statistic(sums.lost_a, sums.lost_b))
        made.append(Reading(Q, str(window), value, FIXED, ahead(value)))
    if terms.loss == "zero_one":
        for window, sums in zip(terms.windows, walked.windows, strict=True):
            made.append(_mcnemar_reading(window, sums, side, ahead))
    if not walked.differences[0]:
        return tuple(made)
    value, p = from_autocovariances(*walked.differences, side)
    made.append(
        Reading(
            DIEBOLD_MARIANO, "whole", value, FIXED, ahead(value), p,
            how=f"{len(walked.differences[2]) - 1} lags",
        )
    )  # fmt: skip
    return tuple(made)


def _mcnemar_reading(window: Window, sums: Sums, side: Side, ahead: Any) -> Reading:
    value = _end(mcnemar_statistic(sums.worse_a, sums.worse_b))
    p, how = math.nan, "fading sums have no p-value"
    if window.spec[0] != "fading":
        counts = _last(sums.worse_a), _last(sums.worse_b)
        p = mcnemar_p(*counts, side) if len(sums.total) else math.nan
        how = "exact binomial" if sum(counts) < EXACT_BELOW else "chi-squared"
    return Reading(MCNEMAR, str(window), value, FIXED, ahead(value), p, how=how)


def _end(values: F64) -> float:
    return float(values[-1]) if len(values) else math.nan


def _chosen(log_e_a: float, log_e_b: float, side: Side) -> float:
    if side == "either":
        return max(log_e_a, log_e_b) - math.log(2)
    return log_e_a if side == "a" else log_e_b


def _p(log_e: float) -> float:
    return math.exp(-max(log_e, 0.0))


def _curves(walked: Walked, terms: Terms, alpha: float, side: Side) -> list[Curve]:
    about = {
        "loss": terms.loss,
        "cold_start": terms.cold_start,
        "every": str(walked.every),
        "items": str(walked.pairs),
    }

    def curve(
        name: str, window: str, sums: Sums, value: F64, formula: str, valid: Validity
    ) -> Curve:
        said = {"measure": name, "formula": formula, "window": window, "validity": valid}
        return Curve(name, window, sums.at, value, {**said, **about}, axis=walked.axis)

    made: list[Curve] = []
    for window, s in zip(terms.windows, walked.windows, strict=True):
        value = q_statistic(s.lost_a, s.lost_b)
        made.append(curve(Q, str(window), s, value, Q_FORMULA, FIXED))
        if terms.loss == "zero_one":
            value = mcnemar_statistic(s.worse_a, s.worse_b)
            made.append(curve(MCNEMAR, str(window), s, value, MCNEMAR_FORMULA, FIXED))
    s = walked.whole
    apart = s.lost_a - s.lost_b
    with np.errstate(invalid="ignore"):
        mean = apart / s.total
    if walked.crossed is None:
        made.append(curve(DIFFERENCE, "whole", s, mean, DIFFERENCE_FORMULA, FIXED))
    else:
        low, high = difference_interval(s.total, apart, s.squares, alpha, terms.bound, side)
        between = curve(DIFFERENCE, "whole", s, mean, DIFFERENCE_FORMULA, ANYTIME)
        made.append(replace(between, low=low, high=high))
    return made


def _notes(walked: Walked, names: tuple[str, str]) -> tuple[str, ...]:
    notes = []
    for only, name in ((walked.only_a, names[0]), (walked.only_b, names[1])):
        if only:
            notes.append(f"Left out: {items(only)} that only {name} has.")
    left = round(_last(walked.whole.left_out))
    if left:
        notes.append(f"Left out: {items(left)} to which one of them said nothing.")
    if walked.cut:
        notes.append(f"Cut to the bound: the losses of {items(walked.cut)}.")
    return tuple(notes)
