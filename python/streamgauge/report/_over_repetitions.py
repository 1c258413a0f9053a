"""Findings about repetitions: about their means, and in how many repetitions they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from streamgauge.report._format import listed
from streamgauge.report.page import Column, Table, TableCell
from streamgauge.report.stream_results import Remark

SUBJECTS = ("learner", "class", "drift", "window")
"""Columns of evidence that name what a row is about."""

ABOUT_ALL = ("identical_repetitions", "missing_repetitions")
"""Rules about the repetitions as a whole."""


TOGETHER = ("too_close_to_call",)
"""Rules whose rows of evidence are one statement together."""


def over_repetitions(
    rule: str, definition: str, remarks: Sequence[Remark], by_run: Sequence[Sequence[Remark]]
) -> list[Remark]:
    """The remarks of a rule about means, with the number of repetitions that show the same alone.

    `by_run` has the remarks on each repetition. A good remark that at most half of the repetitions
    show is not made. A warning about some repetitions that does not hold for the means is a note.
    """
    if rule in ABOUT_ALL:
        return list(remarks)
    n, shown = len(by_run), sum(map(bool, by_run))
    if not remarks:
        found = [remark for run in by_run for remark in run if remark.severity == "warning"]
        return [_only_some(definition, found, shown, n)] if found else []
    return [
        _counted(rule, remark, by_run)
        for remark in remarks
        if remark.severity != "good" or 2 * shown > n
    ]


def _only_some(definition: str, found: Sequence[Remark], shown: int, n: int) -> Remark:
    """A note about single repetitions, without their values."""
    names = dict.fromkeys(
        str(name)
        for remark in found
        if remark.evidence.columns and remark.evidence.columns[0].key == "learner"
        for name in remark.evidence.column("learner")
    )
    first = definition.partition(". ")[0].rstrip(".")
    who = f" ({listed(names)})" if names else ""
    what = f"{first[:1].lower()}{first[1:]}"
    return Remark("note", f"Only in {shown} of {n} repetitions, not in their mean: {what}{who}.")


def _counted(rule: str, remark: Remark, by_run: Sequence[Sequence[Remark]]) -> Remark:
    """The remark with the number of repetitions in its sentence and in its evidence."""
    n, evidence = len(by_run), remark.evidence
    found = [set().union(*(_subjects(one.evidence) for one in run)) for run in by_run]
    subjects = _subjects(evidence)
    if rule in TOGETHER:
        counts = [sum(of_run >= set(subjects) for of_run in found)] * len(subjects)
    else:
        counts = [sum(subject in of_run for of_run in found) for subject in subjects]
    rows = [
        replace(row, cells=(*row.cells, f"{k} of {n}"))
        for row, k in zip(evidence.rows, counts, strict=True)
    ]
    column = Column("repetitions", "in repetitions", "text", None, "repetitions that show it alone")
    return replace(
        remark,
        sentence=f"{remark.sentence} {_sentence(subjects, counts, by_run)}",
        evidence=Table((*evidence.columns, column), tuple(rows)) if rows else evidence,
    )


def _sentence(
    subjects: Sequence[tuple[TableCell, ...]],
    counts: Sequence[int],
    by_run: Sequence[Sequence[Remark]],
) -> str:
    """In how many repetitions the rule finds the same, by learner if they differ."""
    n = len(by_run)
    if not counts:
        return f"In {sum(map(bool, by_run))} of {n} repetitions."
    if len(set(counts)) == 1:
        return f"In {counts[0]} of {n} repetitions."
    if all(len(subject) == 1 for subject in subjects):
        names = {
            k: listed(subject[0] for subject, of in zip(subjects, counts, strict=True) if of == k)
            for k in sorted(set(counts), reverse=True)
        }
        return f"In {', '.join(f'{k} of {n} repetitions ({who})' for k, who in names.items())}."
    return f"In {min(counts)} to {max(counts)} of {n} repetitions."


def _subjects(table: Table) -> list[tuple[TableCell, ...]]:
    """What each row of evidence is about."""
    at = [i for i, c in enumerate(table.columns) if c.key in SUBJECTS]
    return [tuple(row.cells[i] for i in at) for row in table.rows]
