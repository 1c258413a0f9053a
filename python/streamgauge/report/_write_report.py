"""Build the page about logs and write it to disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from streamgauge.comparisons._band_level import ABandLevel, BandLevel, band_level
from streamgauge.comparisons._bands import bands as banded
from streamgauge.comparisons._checks import check_margin, check_spell
from streamgauge.errors import ParameterError, reported_by
from streamgauge.files import write_text
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log
from streamgauge.measures._compute import measure, needs_scores
from streamgauge.measures._defaults import MEASURES, windows_for
from streamgauge.names import make
from streamgauge.repetitions._by_fold import by_fold
from streamgauge.repetitions._by_learner import grouped, names_of, seed_of
from streamgauge.report._compose import BAND_POINTS, compose
from streamgauge.report._definitions import define
from streamgauge.report._pooled import pooled
from streamgauge.report._verdict_terms import VerdictTerms
from streamgauge.report.baselines import baselines
from streamgauge.report.csv import to_csv
from streamgauge.report.html import to_html
from streamgauge.report.json import to_json
from streamgauge.report.latex import to_latex
from streamgauge.report.markdown import to_markdown
from streamgauge.report.page import Page
from streamgauge.report.stream_results import Counts, MeasuredLog, StreamResults, count_log
from streamgauge.types import Curve

REQUIRED = {"classification": ("accuracy", "kappa"), "regression": ("mae",)}
"""Measures that the findings use: always computed, so findings do not depend on what is shown."""

CURVE_POINTS = 10_000
"""Points of a curve before it is thinned for drawing; drops and recoveries are computed from it."""

FORMATS: dict[str, Callable[[Page], str]] = {
    ".html": to_html,
    ".md": to_markdown,
    ".json": to_json,
    ".csv": to_csv,
    ".tex": to_latex,
}


def measures_shown(task: str, measures: Sequence[str] | None) -> tuple[str, ...]:
    """The measures of a report on streams of a task: the main one, then the given or usual ones."""
    named = (REQUIRED[task][0], *(measures or MEASURES[task]))
    return tuple(dict.fromkeys(str(make("measure", name)) for name in named))


def windows_shown(measure: str, windows: Sequence[str]) -> tuple[str, ...]:
    """The windows of a measure in a report: the whole log and the given ones, or the usual ones."""
    return tuple(dict.fromkeys(("whole", *windows))) if windows else windows_for(measure)


@plain_numbers
@reported_by("build", "measure", "bands")
def build(
    logs: Log | Sequence[Log],
    measures: Sequence[str] | None = None,
    windows: Sequence[str] | None = None,
    every: int | None = None,
    title: str = "",
    bands: ABandLevel | None = None,
    spell: int = 200,
    margin: float | None = None,
) -> Page:
    """Measure logs and build the page about them, one section per stream.

    Logs that differ only in their seeds are repetitions of one learner: values are means over
    repetitions with their standard deviation and an interval, curves are means with a band. So are
    those of the folds of a log, with an interval that accounts for their common items.

    If no log of a baseline is given, the predictions of the baseline are computed from the labels
    it would have learned by then. A log from which these labels cannot be determined is shown
    without baselines.

    Parameters
    ----------
    logs
        Logs of any streams and learners; each is measured once.
    measures, windows
        Names; the whole stream and the main measure (accuracy or mae) are always included.
        Findings do not depend on the measures shown.
    every
        Number of labels between two points of a curve; by default at most 10,000 points.
    title
        The heading of the page.
    bands
        Confidence level of the bands around the curves of the learners, such as 0.95, which holds
        at each point, or `"time_uniform(0.95)"`, which holds at all points together; no bands by
        default. They take about as long as 200 measurements. Curves of repetitions have a band in
        any case: mean ± standard deviation, or the pointwise t interval of the mean at this level.
    spell, margin
        Of the verdicts on pairs of learners, as in `compare`.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> label = np.tile(np.array([0, 0, 1], np.int32), 100)
    >>> log = from_columns(Schema((), classes=("no", "yes")), label, label)
    >>> page = build(log, title="a perfect learner")
    >>> page.sections[0].table.column("learner")
    ['learner', 'majority_class', 'persistent']
    >>> page.sections[0].table.column("accuracy")
    [1.0, 0.66, 0.33]
    """
    logs = list(logs) if isinstance(logs, Sequence) else [logs]
    if not logs:
        raise ParameterError.of("build", "logs", "at least one", logs)
    if not all(isinstance(log, Log) for log in logs):
        raise ParameterError.of("build", "logs", "Log objects", logs)
    level = None if bands is None else band_level("build", "bands", bands)
    check_margin("build", margin)
    terms = VerdictTerms(check_spell("build", spell), margin)
    measures = [measures] if isinstance(measures, str) else measures
    logs = [one for log in logs for one in by_fold(log)]
    streams: dict[tuple[str, str], list[Log]] = {}
    for log in logs:  # streams of one name but different tasks get separate tables
        key = (log.about.get("stream", "stream"), log.schema.task)
        streams.setdefault(key, []).append(log)
    all_results = [
        measure_stream(
            stream,
            same,
            measures,
            windows or (),
            every,
            level,
            terms,
        )
        for (stream, _), same in streams.items()
    ]
    return compose(all_results, title=title, definitions=define(all_results))


@plain_numbers
@reported_by("write_report", "build")
def write_report(
    path: str | Path,
    content: Page | Log | Sequence[Log],
    title: str = "",
    measures: Sequence[str] | None = None,
    bands: ABandLevel | None = None,
    spell: int = 200,
    margin: float | None = None,
) -> Path:
    """Write the report about logs to one file, atomically.

    Parameters
    ----------
    path
        File to write. `.html` is a self-contained page that needs no network; `.md`, `.json`,
        `.csv` and `.tex` (tables only) hold the same values.
    content
        Logs, or a page made by `streamgauge.report.build`.
    title, measures, bands, spell, margin
        As in `streamgauge.report.build`; used if `content` is logs.
    """
    if not isinstance(path, str | Path):
        raise ParameterError(
            f"write_report: path must be text or a path, got a {type(path).__name__}; the path is "
            "first, then the logs"
        )
    path = Path(path)
    check_report(path)
    page = (
        content
        if isinstance(content, Page)
        else build(content, measures, title=title, bands=bands, spell=spell, margin=margin)
    )
    write_text(path, FORMATS[path.suffix](page))
    return path


def check_report(path: Path | None) -> None:
    """Raise the errors of `write_report` about its path before a long run."""
    if path is not None and path.suffix not in FORMATS:
        ends = ", ".join(FORMATS)
        raise ParameterError.of(
            "write_report", "path", f"a name that ends in one of {ends}", str(path)
        )
    if path is not None and not path.parent.is_dir():
        raise ParameterError(
            f"write_report: path must be in an existing folder, got {str(path)!r}; create it"
        )


def measure_stream(
    stream: str,
    logs: Sequence[Log],
    measures: Sequence[str] | None,
    windows: Sequence[str],
    every: int | None,
    level: BandLevel | None,
    terms: VerdictTerms,
) -> StreamResults:
    """Measure the logs of one stream, and those of the baselines."""
    counts = [count_log(log) for log in logs]
    most = max(counts, key=lambda c: c.known)
    required = REQUIRED[logs[0].schema.task]
    step = _round_step(most.known) if every is None else every
    coarse = max(step, _round_step(most.known, BAND_POINTS))
    shown = measures_shown(logs[0].schema.task, measures)
    by_windows: dict[tuple[str, ...], list[str]] = {}
    for name in dict.fromkeys((*shown, *required)):
        by_windows.setdefault(windows_shown(name, windows), []).append(name)

    def measured(
        name: str, log: Log, count: Counts, derived: bool = False, repeated: bool = False
    ) -> MeasuredLog:
        curves: dict[tuple[str, str], Curve] = {}
        bands: dict[tuple[str, str], Curve] = {}
        for windows_used, names in by_windows.items():
            # a derived baseline has no scores, so no AUC, log loss, …
            names_used = [m for m in names if not derived or not needs_scores([m])]
            if names_used:
                curves |= {
                    (c.measure, c.window): c
                    for c in measure(log, names_used, windows_used, every=step)
                }
        result = MeasuredLog(name, log, count, curves, derived)
        if level is None or result.baseline or repeated:
            return result
        for windows_used, names in by_windows.items():
            if drawn := [m for m in names if m in shown]:
                band_curves = banded(log, drawn, windows_used, level=level, every=coarse)
                bands |= {(c.measure, c.window): c for c in band_curves}
        return replace(result, bands=bands)

    def learner(name: str, group: Sequence[Log], derived: bool = False) -> MeasuredLog:
        repeated = len(group) > 1
        runs = [
            measured(name, log, count_log(log) if derived else counted[id(log)], derived, repeated)
            for log in group
        ]
        return pooled(runs, None if level is None else level.level) if repeated else runs[0]

    counted = {id(log): count for log, count in zip(logs, counts, strict=True)}
    groups = grouped(logs)
    names = names_of([group[0] for group in groups])
    learners = [learner(name, group) for name, group in zip(names, groups, strict=True)]
    results = StreamResults(stream, logs[0].schema, tuple(learners), tuple(shown), terms)
    longest_first = sorted(logs, key=lambda log: -counted[id(log)].known)
    repeated = len(groups) < len(logs)
    derived_logs = _baselines_by_name(longest_first, repeated)
    for role, (name, group) in zip(
        (results.persistent, results.majority), derived_logs.items(), strict=False
    ):
        if role is None:
            learners.append(learner(name, group, derived=True))
    return replace(results, measured=tuple(learners))


def _baselines_by_name(longest_first: Sequence[Log], repeated: bool) -> dict[str, list[Log]]:
    """The derived baselines of the longest log; with repetitions, those of each, by its protocol.

    In each repetition the labels are others, so a baseline has repetitions as the learners have.
    """
    found: dict[str, list[Log]] = {}
    done: set[str | None] = set()
    protocol: str | None = None
    for log in longest_first:
        if found and (seed_of(log) in done or log.about.get("protocol") != protocol):
            continue
        if made := baselines(log):
            protocol = log.about.get("protocol")
            done.add(seed_of(log))
            for name, derived in made.items():
                found.setdefault(name, []).append(derived)
            if not repeated:
                break
    return found


def _round_step(labels: int, points: int = CURVE_POINTS) -> int:
    """Smallest of 1, 2, 5, 10, 20, … that gives at most this many points."""
    decade = 1
    while True:
        for step in (decade, 2 * decade, 5 * decade):
            if labels <= step * points:
                return step
        decade *= 10
