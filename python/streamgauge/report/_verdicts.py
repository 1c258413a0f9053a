"""Verdicts on every pair of learners of a stream, anytime-valid."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from streamgauge.comparisons._compare import compare
from streamgauge.comparisons._compare_all import compare_all
from streamgauge.comparisons._holm import holm
from streamgauge.comparisons.confidence_sequence import difference_interval
from streamgauge.comparisons.diebold_mariano import diebold_mariano_test
from streamgauge.comparisons.mcnemar import mcnemar_statistic
from streamgauge.comparisons.multiple_comparison import Decision
from streamgauge.comparisons.verdict import FIXED, Verdict
from streamgauge.errors import LogError
from streamgauge.log import Log
from streamgauge.report._format import count
from streamgauge.report._repeated_verdicts import repeated_columns, repeated_note, repeated_rows
from streamgauge.report.page import NOTHING, Cell, Column, Kind, Row, Table
from streamgauge.report.stream_results import StreamResults

ALPHA = 0.05
"""Family-wise error of the verdicts of a table, at any time."""

PAIRS = 66
"""Maximum number of pairs in a table (twelve learners)."""

TESTS: dict[str, tuple[Callable[..., object], ...]] = {
    "classification": (difference_interval, holm, mcnemar_statistic, diebold_mariano_test),
    "regression": (diebold_mariano_test,),
}
"""Methods of the verdicts by task; their docstrings define them."""

BETTER, UNDECIDED = "better", "undecided"


def verdict_table(results: StreamResults) -> tuple[Table, str]:
    """Table of verdicts on every pair of learners, earliest decisions first, and a note.

    Over repetitions, largest differences first.
    """
    repeated = any(m.runs for m in results.learners)
    runs = _by_protocol(results) if repeated else _by_run(results)
    pairs = sum(math.comb(len(logs), 2) for logs in runs)
    if not pairs:
        return NOTHING, ""
    if pairs > PAIRS:
        return NOTHING, (
            f"{count(pairs)} pairs of learners are too many for a table of verdicts; "
            "streamgauge compare --control compares all with one."
        )
    rows: list[Row] = []
    notes: list[str] = []
    for logs in runs:
        try:
            if repeated:
                rows += repeated_rows(logs, ALPHA)
            else:
                single = {name: one for name, (one,) in logs.items()}
                rows += _anytime_valid(single) if results.classification else _fixed(single)
        except LogError as error:  # the page states why logs cannot be compared
            notes.append(f"{error}.")
    columns = repeated_columns(results) if repeated else _columns(results)
    table = Table(columns, tuple(rows)) if rows else NOTHING
    note = [
        repeated_note(ALPHA, len(runs), any(m.folds for m in results.learners))
        if repeated
        else verdict_note(results.schema.task, len(runs))
    ]
    if not repeated and not results.classification:
        note.append("streamgauge compare --bound gives anytime-valid verdicts.")
    return table, " ".join([*(note if rows else ()), *dict.fromkeys(notes)])


def _by_run(results: StreamResults) -> list[dict[str, tuple[Log, ...]]]:
    """Logs of learners on the same items: of one protocol and one seed."""
    runs: dict[tuple[str, str], dict[str, tuple[Log, ...]]] = {}
    for m in results.learners:
        key = (m.log.about.get("protocol", ""), m.log.about.get("seed", ""))
        runs.setdefault(key, {})[m.name] = (m.log,)
    return [logs for logs in runs.values() if len(logs) > 1]


def _by_protocol(results: StreamResults) -> list[dict[str, tuple[Log, ...]]]:
    """Repetitions of learners of one protocol."""
    runs: dict[str, dict[str, tuple[Log, ...]]] = {}
    for m in results.learners:
        key = m.log.about.get("protocol", "")
        runs.setdefault(key, {})[m.name] = tuple(run.log for run in m.each)
    return [logs for logs in runs.values() if len(logs) > 1]


def verdict_note(task: str, runs: int) -> str:
    """What the verdicts on the learners of so many runs state, and when they are valid."""
    fixed = f"Tests marked “{FIXED}” are valid only if the end was fixed in advance"
    if task == "regression":
        return f"{fixed}. Regression losses are unbounded, so no anytime-valid test is shown."
    table = "this table" if runs == 1 else "one run"
    return (
        "Every pair of learners on the same items, in the order labels became known. The "
        f"probability that any “{BETTER}” in {table} is ever wrong is at most {100 * ALPHA:g} % "
        "(Holm), also under continuous monitoring; the intervals hold simultaneously at all "
        f"times. {fixed}; under continuous monitoring they reject true null hypotheses too often."
    )


def _columns(results: StreamResults) -> tuple[Column, ...]:
    unit: Kind = "points" if results.classification else "number"
    better = "accuracy of the better learner minus that of the other, in percentage points"
    worse = "mean absolute error of the other learner minus that of the better one"
    anytime_valid = (
        Column("verdict", "verdict"),
        Column("since", "since item", "count", None, "the verdict holds since this item"),
    )
    interval = (
        Column("low", "lower bound", unit, None, "of the difference, at all times simultaneously"),
        Column("high", "upper bound", unit, None, "of the difference, at all times simultaneously"),
        Column("p", "p, anytime-valid", "p_value", None, "corrected for the number of pairs"),
        Column("mcnemar", f"McNemar p, {FIXED}", "p_value"),
    )
    decided = results.classification
    return (
        Column("learner", "learner"),
        Column("other", "compared with"),
        *(anytime_valid if decided else ()),
        Column("difference", "difference", unit, None, better if decided else worse),
        *(interval if decided else ()),
        Column("diebold_mariano", f"Diebold-Mariano p, {FIXED}", "p_value"),
    )


def _anytime_valid(logs: Mapping[str, Log]) -> Iterator[Row]:
    comparison = compare_all(logs, alpha=ALPHA)
    decided = {frozenset((d.winner, d.loser)): d for d in comparison.current_decisions}

    def order(v: Verdict) -> tuple[bool, int, float]:
        beaten = decided.get(frozenset((v.a, v.b)))
        return beaten is None, 0 if beaten is None else beaten.at, -abs(v.difference)

    for v in sorted(comparison.verdicts, key=order):
        yield Row(_cells(v, decided.get(frozenset((v.a, v.b))), len(comparison.verdicts)))


def _cells(v: Verdict, beaten: Decision | None, pairs: int) -> tuple[Cell, ...]:
    """Cells of one pair, the learner with the smaller loss first."""
    swap = v.difference > 0
    first, second = (v.b, v.a) if swap else (v.a, v.b)
    low, high = (v.low, v.high) if swap else (-v.high, -v.low)
    verdict = UNDECIDED if beaten is None else BETTER
    since = None if beaten is None else beaten.at
    p = min(1.0, v.p * pairs)
    tests = (_p(v, "mcnemar"), _p(v, "diebold_mariano"))
    return first, second, verdict, since, abs(v.difference), low, high, p, *tests


def _fixed(logs: Mapping[str, Log]) -> Iterator[Row]:
    pairs: Sequence[Verdict] = [
        compare(logs[a], logs[b], names=(a, b)) for a, b in combinations(logs, 2)
    ]
    for v in sorted(pairs, key=lambda v: _p(v, "diebold_mariano")):
        first, second = (v.b, v.a) if v.difference > 0 else (v.a, v.b)
        yield Row((first, second, abs(v.difference), _p(v, "diebold_mariano")))


def _p(v: Verdict, name: str) -> float:
    found = [r.p for r in v.statistics if r.name.startswith(name) and r.window == "whole"]
    return found[0] if found else math.nan
