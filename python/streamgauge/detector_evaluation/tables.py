"""An evaluation of detectors as tables, CSV, Markdown, LaTeX and JSON."""

from __future__ import annotations

import csv
import io
import json
import math

from streamgauge.detector_evaluation.evaluation import DetectorEvaluation, DetectorValue
from streamgauge.escapes import in_csv
from streamgauge.names import make
from streamgauge.repetitions import Spread
from streamgauge.report import latex, markdown
from streamgauge.report._format import count
from streamgauge.report.json import plain
from streamgauge.report.page import Column, Definition, Finding, Page, Row, Section, Table

COLUMNS = (
    "stream", "detector", "baseline", "measure", "mean", "sd", "low", "high", "n", "infinite",
)  # fmt: skip
"""Columns of the CSV table, before the number of repetitions."""


def stream_table(found: DetectorEvaluation, stream: str) -> Table:
    """One row per detector and baseline of a stream, one column per measure."""
    measures = {name: make("alarm_measure", name) for name in found.measures}
    columns = [Column("detector", "detector")]
    for name, measure in measures.items():
        columns.append(Column(name, name, measure.kind, measure.better(), measure.formula))
    by_row: dict[str, list[DetectorValue]] = {}
    for value in found.values:
        if value.stream == stream:
            by_row.setdefault(value.detector, []).append(value)
    rows = [
        Row((name, *(_cell(value) for value in own)), bool(own[0].baseline))
        for name, own in by_row.items()
    ]
    return Table(tuple(columns), tuple(rows))


def _cell(value: DetectorValue) -> float | Spread:
    """Values over repetitions; of one repetition, or of all together, the value alone."""
    alone = value.spread is None or value.repetitions == 1 or value.pooled is not None
    return value.mean if alone else value.spread or math.nan


def page_of(found: DetectorEvaluation) -> Page:
    """The tables of all streams as a page."""
    sections = []
    for stream in found.streams:
        starts = ", ".join(count(d.start) for d in stream.drifts) or "none"
        facts = {
            "items": count(stream.items),
            "drifts start at": starts,
            "tolerance": f"{count(found.tolerance)} items after the end of a drift",
            "repetitions": count(found.repetitions),
        }
        sections.append(Section(stream.name, facts, stream_table(found, stream.name)))
    definitions = (
        Definition(name, make("alarm_measure", name).formula, details={}) for name in found.measures
    )
    summary = (
        f"{count(len(found.detectors))} detectors on {count(len(found.streams))} streams, "
        f"{count(found.repetitions)} repetitions, seed {found.seed}; an alarm counts for a drift "
        f"up to {count(found.tolerance)} items after its end."
    )
    notes = (Finding("notes", "note", f"{note}.", "") for note in found.notes)
    return Page(
        "Evaluation of detectors",
        summary,
        tuple(notes),
        tuple(sections),
        definitions=tuple(definitions),
    )


def to_markdown(found: DetectorEvaluation) -> str:
    """The tables of all streams as Markdown, with the notes.

    Examples
    --------
    >>> from streamgauge import evaluate_detectors
    >>> stream = "bernoulli(items=2000, at=(1000,))"
    >>> found = evaluate_detectors("ddm", stream, 500, measures=["recall"], repetitions=2)
    >>> print(to_markdown(found).splitlines()[0])
    # Evaluation of detectors
    """
    return markdown.to_markdown(page_of(found))


def to_latex(found: DetectorEvaluation) -> str:
    """The tables of all streams as LaTeX (package booktabs)."""
    parts = [r"% \usepackage{booktabs}"]
    for section in page_of(found).sections:
        caption = f"Detectors on {section.stream}, {found.repetitions} repetitions, tolerance "
        parts += latex.table_lines(section.table, f"{caption}{found.tolerance}")
    return "\n".join([*parts, ""])


def to_csv(found: DetectorEvaluation) -> str:
    """One line per stream, detector and measure; undefined cells are empty, infinite ones `inf`.

    Examples
    --------
    >>> from streamgauge import evaluate_detectors
    >>> stream = "bernoulli(items=2000, at=(1000,))"
    >>> found = evaluate_detectors("ddm", stream, 500, measures=["recall"], repetitions=2)
    >>> print(to_csv(found).splitlines()[0])
    stream,detector,baseline,measure,mean,sd,low,high,n,infinite,repetitions
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, "repetitions"])
    for value in found.values:
        cells = [getattr(value, name) for name in (*COLUMNS, "repetitions")]
        writer.writerow("" if isinstance(c, float) and math.isnan(c) else in_csv(c) for c in cells)
    return out.getvalue()


def to_json(found: DetectorEvaluation) -> str:
    """Values, drifts and alarms as JSON: undefined is null, infinite a string."""
    names = (*COLUMNS, "repetitions")
    entry = {
        "tolerance": found.tolerance,
        "repetitions": found.repetitions,
        "seed": found.seed,
        "level": found.level,
        "streams": found.streams,
        "detectors": found.detectors,
        "measures": {name: make("alarm_measure", name).formula for name in found.measures},
        "values": [{name: getattr(value, name) for name in names} for value in found.values],
        "drifts": [
            {
                "stream": one.stream,
                "detector": one.detector,
                "start": one.drift.start,
                "found": one.found,
                "chance": one.chance,
                "lift": one.lift,
                "delays": one.delays,
            }
            for one in found.by_drift()
        ],
        "alarms": [
            {"stream": stream, "detector": detector, "alarms": [run.alarms for run in runs]}
            for (stream, detector), runs in found.matchings.items()
            if detector in found.detectors
        ],
        "notes": found.notes,
    }
    return json.dumps(plain(entry), indent=1, ensure_ascii=False, allow_nan=False)
