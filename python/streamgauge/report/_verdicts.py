"""Verdicts on every pair of learners of a stream: long run, so far and now."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from streamgauge.comparisons._compare_all import compare_all
from streamgauge.comparisons._holm import holm
from streamgauge.comparisons.diebold_mariano import diebold_mariano_test
from streamgauge.comparisons.long_run import LongRun
from streamgauge.comparisons.mcnemar import mcnemar_statistic
from streamgauge.comparisons.multiple_comparison import MultipleComparison
from streamgauge.comparisons.now import Now
from streamgauge.comparisons.so_far import SoFar
from streamgauge.comparisons.verdict import FIXED, Verdict
from streamgauge.errors import LogError
from streamgauge.log import Log
from streamgauge.report._format import count
from streamgauge.report._verdict_terms import VerdictTerms
from streamgauge.report._verdicts_over_repetitions import (
    repeated_columns,
    repeated_note,
    repeated_rows,
)
from streamgauge.report.page import NOTHING, Column, Kind, Row, Table, TableCell
from streamgauge.report.stream_results import StreamResults

ALPHA = 0.05
"""Family-wise error of the verdicts of a table, at any time."""

PAIRS = 66
"""Maximum number of pairs in a table (twelve learners)."""

TESTS: dict[str, tuple[Callable[..., object], ...]] = {
    "classification": (LongRun, SoFar, Now, holm, mcnemar_statistic, diebold_mariano_test),
    "regression": (LongRun, Now, holm, diebold_mariano_test),
}
"""Methods of the verdicts by task; their docstrings define them."""

BETTER, WORSE, UNDECIDED = "better", "worse", "undecided"


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
                rows += repeated_rows(logs, ALPHA, results.terms)
            else:
                single = {name: one for name, (one,) in logs.items()}
                comparison = compare_all(
                    single, alpha=ALPHA, spell=results.terms.spell, margin=results.terms.margin
                )
                rows += _rows(comparison, results.classification)
                notes += _caveats(comparison)
        except LogError as error:  # the page states why logs cannot be compared
            notes.append(f"{error}.")
    columns = repeated_columns(results) if repeated else _columns(results)
    table = Table(columns, tuple(rows)) if rows else NOTHING
    note = [
        repeated_note(ALPHA, len(runs), any(m.folds for m in results.learners))
        if repeated
        else verdict_note(results.schema.task, len(runs), results.terms)
    ]
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


def verdict_note(task: str, runs: int, terms: VerdictTerms) -> str:
    """What the verdicts on the learners of so many runs state, and when they are valid."""
    fixed = f"Tests marked “{FIXED}” are valid only if the end was fixed in advance"
    table = "this table" if runs == 1 else "one run"
    so_far = (
        "“So far” is exact for any dependence of errors, about the items seen only. "
        if task == "classification"
        else ""
    )
    return (
        "Every pair of learners on the same items, in the order labels became known. A verdict is "
        "about the long-run mean losses, from the current p-values; the probability that any "
        f"“{BETTER}” in {table} is ever wrong is about {100 * ALPHA:g} % at most (Holm), also "
        "under continuous monitoring, if luck comes in spells of at most about "
        f"{terms.spell:,} items on average. {so_far}“Now” is about the shortest recent window "
        f"that decides. {_margin_note(terms)}{fixed}; under continuous monitoring they reject true "
        "null hypotheses too often."
    )


def _margin_note(terms: VerdictTerms) -> str:
    if terms.margin is None:
        return ""
    return (
        f"“As good” and “not worse” mean within a margin of {terms.margin:g} between the long-run "
        "mean losses, at any time. "
    )


def _columns(results: StreamResults) -> tuple[Column, ...]:
    unit: Kind = "points" if results.classification else "number"
    better = "accuracy of the better learner minus that of the other, in percentage points"
    worse = "mean absolute error of the other learner minus that of the better one"
    of_long_run = "of the long-run difference, at the level that decides the pair"
    decided = results.classification
    margin = results.terms.margin
    within = (
        ()
        if margin is None
        else (
            Column(
                "margin", f"within ±{margin:g}", "text", None, "by the interval of the long run"
            ),
        )
    )
    return (
        Column("learner", "learner"),
        Column("other", "compared with"),
        Column("verdict", "verdict on the long run"),
        Column("since", "since item", "count", None, "the verdict holds since this item"),
        Column("difference", "difference", unit, None, better if decided else worse),
        Column("low", "lower bound", unit, None, of_long_run),
        Column("high", "upper bound", unit, None, of_long_run),
        Column("p", "p, anytime-valid", "p_value", None, "corrected for the number of pairs"),
        *within,
        *((Column("so_far", "so far", "text", None, "exact, about the items seen"),) * decided),
        Column("now", "now", "text", None, "over the shortest recent window that decides"),
        *((Column("mcnemar", f"McNemar p, {FIXED}", "p_value"),) * decided),
        Column("diebold_mariano", f"Diebold-Mariano p, {FIXED}", "p_value"),
    )


def _caveats(comparison: MultipleComparison) -> Iterator[str]:
    """The caveats of the winners."""
    for v in comparison.verdicts:
        if v.long_run.few_losses is not None:
            yield v.long_run.few_losses.to_text()


def _rows(comparison: MultipleComparison, classification: bool) -> Iterator[Row]:
    """Rows of the pairs: decided ones first, earliest decisions first."""
    pairs = zip(comparison.verdicts, comparison.p, strict=True)
    for v, p in sorted(
        pairs, key=lambda of: (of[0].since is None, of[0].since or 0, -abs(of[0].difference))
    ):
        yield Row(_cells(v, p, classification))


def _cells(v: Verdict, p: float, classification: bool) -> tuple[TableCell, ...]:
    """Cells of one pair, the learner with the smaller loss first."""
    swap = v.difference > 0
    first, second = (v.b, v.a) if swap else (v.a, v.b)
    low, high = (v.low, v.high) if swap else (-v.high, -v.low)
    verdict = BETTER if v.decided else v.status
    within = () if v.margin is None else (_within(v),)
    cells = (first, second, verdict, v.since, abs(v.difference), low, high, p, *within)
    recent = f"{_leads(v.now.leader, first)}"
    if v.now.leader is not None:
        recent += f" over the last {count(v.now.length)}"
    dm = _p(v, "diebold_mariano")
    if not classification:
        return *cells, recent, dm
    so_far = UNDECIDED if v.so_far is None else _leads(v.so_far.leader, first)
    return *cells, so_far, recent, _p(v, "mcnemar"), dm


def _within(v: Verdict) -> str:
    """What holds with the margin."""
    if v.equivalent:
        return "as good"
    return f"{v.not_worse[0]} not worse" if v.not_worse else UNDECIDED


def _leads(leader: str | None, first: str) -> str:
    """Whether the first learner of a row leads."""
    return UNDECIDED if leader is None else BETTER if leader == first else WORSE


def _p(v: Verdict, name: str) -> float:
    found = [r.p for r in v.statistics if r.name.startswith(name) and r.window == "whole"]
    return found[0] if found else math.nan
