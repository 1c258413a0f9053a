"""Who beats whom on a stream: each learner against each other, anytime valid."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from streamgauge.comparisons.comparing import compare
from streamgauge.comparisons.several import compare_all
from streamgauge.comparisons.standings import Beaten
from streamgauge.comparisons.verdict import FIXED, Verdict
from streamgauge.errors import LogError
from streamgauge.log import Log
from streamgauge.report.case import Case
from streamgauge.report.page import NOTHING, Cell, Column, Kind, Row, Table
from streamgauge.report.wording import count

ALPHA = 0.05
"""The chance that any name of a winner in a table is wrong, ever."""

PAIRS = 66
"""With more pairs than this (twelve learners) a table is no help."""

BEATS, UNDECIDED = "beats it", "undecided"


def judge(case: Case) -> tuple[Table, str]:
    """The verdicts on every pair of learners, surest first, and how to read them."""
    runs = _runs(case)
    pairs = sum(math.comb(len(logs), 2) for logs in runs)
    if not pairs:
        return NOTHING, ""
    if pairs > PAIRS:
        return NOTHING, (
            f"{count(pairs)} pairs of learners are too many for a table of verdicts; "
            "streamgauge compare --champion compares all with one."
        )
    rows: list[Row] = []
    notes: list[str] = []
    for logs in runs:
        try:
            rows += _watched(logs) if case.classification else _fixed(logs)
        except LogError as error:  # what keeps logs from being compared is for the reader
            notes.append(f"{error}.")
    table = Table(_columns(case), tuple(rows)) if rows else NOTHING
    how = [] if not rows else [_how(case, len(runs))]
    return table, " ".join([*how, *dict.fromkeys(notes)])


def _runs(case: Case) -> list[dict[str, Log]]:
    """Logs of learners that saw the same items: of one protocol and one seed."""
    runs: dict[tuple[str, str], dict[str, Log]] = {}
    for m in case.learners:
        key = (m.log.about.get("protocol", ""), m.log.about.get("seed", ""))
        runs.setdefault(key, {})[m.name] = m.log
    return [logs for logs in runs.values() if len(logs) > 1]


def _how(case: Case, runs: int) -> str:
    fixed = f"Tests marked “{FIXED}” hold only if that end was fixed beforehand"
    if not case.classification:
        return (
            f"{fixed}. Real losses have no bound, so none of this may be watched; streamgauge "
            "compare --bound gives verdicts that may."
        )
    table = "this table" if runs == 1 else "a run"
    return (
        "Each learner against each other on the same items, in the order labels became known. The "
        f"chance that any “{BEATS}” in {table} is wrong, ever, is at most {100 * ALPHA:g} % "
        "(Holm), however often one looks; intervals hold all at once, at all times. "
        f"{fixed}: watched, they name winners between equals."
    )


def _columns(case: Case) -> tuple[Column, ...]:
    unit: Kind = "points" if case.classification else "number"
    better = "accuracy of the one less that of the other, in points"
    worse = "mean absolute error of the other less that of the one"
    watched = (
        Column("verdict", "verdict"),
        Column("since", "since item", "count", None, "since then the evidence has been enough"),
    )
    between = (
        Column("low", "from", unit, None, "where the difference lies, at all times at once"),
        Column("high", "to", unit, None, "where the difference lies, at all times at once"),
        Column("p", "p, anytime valid", "chance", None, "corrected for the number of pairs"),
        Column("mcnemar", f"McNemar p, {FIXED}", "chance"),
    )
    decided = case.classification
    return (
        Column("ahead", "who is ahead"),
        Column("of", "of whom"),
        *(watched if decided else ()),
        Column("by", "by", unit, None, better if decided else worse),
        *(between if decided else ()),
        Column("diebold_mariano", f"Diebold-Mariano p, {FIXED}", "chance"),
    )


def _watched(logs: Mapping[str, Log]) -> Iterator[Row]:
    standings = compare_all(logs, alpha=ALPHA)
    ahead = {frozenset((d.winner, d.loser)): d for d in standings.ahead}

    def order(v: Verdict) -> tuple[bool, int, float]:
        beaten = ahead.get(frozenset((v.a, v.b)))
        return beaten is None, 0 if beaten is None else beaten.at, -abs(v.difference)

    for v in sorted(standings.verdicts, key=order):
        yield Row(_cells(v, ahead.get(frozenset((v.a, v.b))), len(standings.verdicts)))


def _cells(v: Verdict, beaten: Beaten | None, pairs: int) -> tuple[Cell, ...]:
    """One pair, the learner that is ahead first."""
    turn = v.difference > 0
    first, second = (v.b, v.a) if turn else (v.a, v.b)
    low, high = (v.low, v.high) if turn else (-v.high, -v.low)
    verdict = UNDECIDED if beaten is None else BEATS
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
    found = [r.p for r in v.readings if r.name.startswith(name) and r.window == "whole"]
    return found[0] if found else math.nan
