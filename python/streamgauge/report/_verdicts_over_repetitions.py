"""Verdicts on every pair of learners of a stream, over paired repetitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from streamgauge.comparisons._compare_all import compare_all
from streamgauge.comparisons.verdict import FIXED
from streamgauge.comparisons.verdict_over_repetitions import VerdictOverRepetitions
from streamgauge.log import Log
from streamgauge.repetitions._spread import Spread
from streamgauge.report._verdict_terms import VerdictTerms
from streamgauge.report.page import Column, Kind, Row, TableCell
from streamgauge.report.stream_results import StreamResults


def repeated_columns(results: StreamResults) -> tuple[Column, ...]:
    """Columns of the table."""
    unit: Kind = "points" if results.classification else "number"
    better = "accuracy of the better learner minus that of the other, in percentage points"
    worse = "mean absolute error of the other learner minus that of the better one"
    of_mean = "of the mean difference over repetitions, for all pairs simultaneously"
    columns = (
        Column("learner", "learner"),
        Column("other", "compared with"),
        Column("verdict", "verdict"),
        Column("difference", "difference", unit, None, better if results.classification else worse),
        Column("low", "lower bound", unit, None, of_mean),
        Column("high", "upper bound", unit, None, of_mean),
        Column("p", f"paired t p, {FIXED}", "p_value", None, "corrected for the number of pairs"),
        Column("ahead", "ahead in", "text", None, "repetitions with the smaller loss"),
    )
    alone = Column(
        "alone", "decided within runs", "text", None, "by the verdicts of the runs on the long run"
    )
    return (*columns, alone)


def repeated_note(alpha: float, tables: int, folds: bool = False) -> str:
    """What the verdicts state."""
    table = "this table" if tables == 1 else "the table of one protocol"
    if folds:
        return (
            "Every pair of learners over the folds that both have: in each, both predict and learn "
            "the same items. A verdict is about the mean difference over folds, on this stream; "
            f"the probability that any “better” in {table} is wrong is at most {100 * alpha:g} % "
            "(corrected resampled t test, since folds learn overlapping items; Holm), at a number "
            "of folds fixed in advance. No single fold decides; “decided within runs” counts their "
            "own anytime-valid verdicts."
        )
    return (
        "Every pair of learners over the repetitions that both have, paired by seed: in each, both "
        "have the same items. A verdict is about the mean difference over repetitions, on this "
        f"stream; the probability that any “better” in {table} is wrong is at most "
        f"{100 * alpha:g} % (paired t test, Holm), at a number of repetitions fixed in advance. No "
        "single run decides; “decided within runs” counts their own anytime-valid verdicts."
    )


def repeated_rows(
    logs: Mapping[str, tuple[Log, ...]], alpha: float, terms: VerdictTerms
) -> Iterator[Row]:
    """Rows of the table: decided pairs first, then by the size of the difference."""
    comparison = compare_all(logs, alpha=alpha, spell=terms.spell)
    decided = zip(comparison.verdicts, comparison.winners, comparison.p, strict=True)
    for v, winner, p in sorted(
        decided, key=lambda of: (of[1] is None, -abs(of[0].difference.mean))
    ):
        yield Row(_cells(v, winner, p))


def _cells(v: VerdictOverRepetitions, winner: str | None, p: float) -> tuple[TableCell, ...]:
    """Cells of one pair, the learner with the smaller mean loss first."""
    swap = v.difference.mean > 0
    first, second = (v.b, v.a) if swap else (v.a, v.b)
    difference = v.difference if swap else _negative(v.difference)
    n = v.repetitions
    ahead = sum(value > 0 for value in difference.values)
    verdict = "undecided" if winner is None else "better"
    cells = (first, second, verdict, difference, difference.low, difference.high, p)
    against = v.decided_alone(second)
    alone = f"{v.decided_alone(first)} of {len(v.verdicts)}" + (
        f", {against} against" if against else ""
    )
    return *cells, f"{ahead} of {n}", alone


def _negative(values: Spread) -> Spread:
    return replace(values, values=tuple(-value for value in values.values))
