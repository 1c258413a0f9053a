"""Logs in, a page out, and the page on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from streamgauge.comparisons.banding import bands as banded
from streamgauge.errors import ParameterError
from streamgauge.files import write_text
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log
from streamgauge.measures._measuring import measure, needs_scores
from streamgauge.names import make
from streamgauge.report.case import Case, Counts, Measured, counted
from streamgauge.report.composing import compose
from streamgauge.report.csv import to_csv
from streamgauge.report.defining import define
from streamgauge.report.derived import baselines
from streamgauge.report.html import to_html
from streamgauge.report.json import to_json
from streamgauge.report.markdown import to_markdown
from streamgauge.report.page import Page
from streamgauge.types import Curve

MEASURES = {
    "classification": ("accuracy", "kappa", "kappa_temporal", "kappa_plus"),
    "regression": ("mae", "rmse", "r2"),
}
"""What a report measures by default."""

READ = {"classification": ("accuracy", "kappa"), "regression": ("mae",)}
"""What the findings are made from: measured always, so that they do not depend on what is shown."""

WINDOWS = ("whole", "sliding(1000)", "fading(0.999)")

FINE = 10_000
"""Points of a curve before it is thinned for drawing: what drops and recoveries are read from."""

BANDED = 500
"""Points of a band."""

FORMATS: dict[str, Callable[[Page], str]] = {
    ".html": to_html,
    ".md": to_markdown,
    ".json": to_json,
    ".csv": to_csv,
}


def windows_for(measure: str) -> tuple[str, ...]:
    """The windows a report shows a measure in by default: of `WINDOWS`, those it is defined in.

    Examples
    --------
    >>> windows_for("accuracy"), windows_for("auc")
    (('whole', 'sliding(1000)', 'fading(0.999)'), ('whole', 'sliding(1000)'))
    """
    able = make("measure", measure).supports()
    return tuple(w for w in WINDOWS if make("window", w).spec[0] in able)


@plain_numbers
def build(
    logs: Log | Sequence[Log],
    measures: Sequence[str] | None = None,
    windows: Sequence[str] | None = None,
    every: int | None = None,
    title: str = "",
    bands: float | None = None,
) -> Page:
    """Measure logs and put together the page about them, one section a stream.

    Where no log is one of a baseline, what the baseline would have predicted, from the labels it
    would have learned by then, is worked out, so that every learner stands beside both. A log
    that does not tell which labels those are is shown without.

    Parameters
    ----------
    logs
        Of any streams and learners; each is measured once.
    measures, windows
        Names; the whole stream and the main measure (accuracy or mae) are always among them.
        Findings do not depend on which measures are shown.
    every
        Labels from one point of a curve to the next; at most 10,000 points if not given.
    bands
        Which share of resampled curves the bands around the learners' curves hold, such as 0.95;
        no bands if not given. They take about as long as 200 measurements.

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
        raise ParameterError.of("build", "logs", "logs, all of them", logs)
    measures = [measures] if isinstance(measures, str) else measures
    streams: dict[tuple[str, str], list[Log]] = {}
    for log in logs:  # a name may stand for two tasks, but no table can
        key = (log.about.get("stream", "stream"), log.schema.task)
        streams.setdefault(key, []).append(log)
    cases = [
        _case(
            stream,
            same,
            measures or MEASURES[task],
            windows or (),
            every,
            bands,
        )
        for (stream, task), same in streams.items()
    ]
    return compose(cases, title=title, definitions=define(cases))


@plain_numbers
def write_report(
    path: str | Path,
    content: Page | Log | Sequence[Log],
    title: str = "",
    measures: Sequence[str] | None = None,
    bands: float | None = None,
) -> Path:
    """Write the report about some logs: one file, whole or not at all.

    Parameters
    ----------
    path
        Where to. `.html` is the page itself, which needs no other file and no network; `.md`,
        `.json` and `.csv` (tables only) hold the same numbers.
    content
        Logs, or a page that `streamgauge.report.build` made of them.
    title, measures, bands
        Of logs: as in `streamgauge.report.build`.
    """
    path = Path(path)
    check_report(path)
    page = (
        content if isinstance(content, Page) else build(content, measures, title=title, bands=bands)
    )
    write_text(path, FORMATS[path.suffix](page))
    return path


def check_report(path: Path | None) -> None:
    """Raise now what `write_report` would raise after an hour's run."""
    if path is not None and path.suffix not in FORMATS:
        ends = ", ".join(FORMATS)
        raise ParameterError.of(
            "write_report", "path", f"a name that ends in one of {ends}", str(path)
        )
    if path is not None and not path.parent.is_dir():
        raise ParameterError(
            f"write_report: path must be in a folder that is there, got {str(path)!r}; make it"
        )


def _case(
    stream: str,
    logs: Sequence[Log],
    measures: Sequence[str],
    windows: Sequence[str],
    every: int | None,
    level: float | None,
) -> Case:
    counts = [counted(log) for log in logs]
    most = max(counts, key=lambda c: c.known)
    read = READ[logs[0].schema.task]
    step = _round_step(most.known) if every is None else every
    coarse = max(step, _round_step(most.known, BANDED))
    shown = dict.fromkeys(str(make("measure", name)) for name in (read[0], *measures))
    through: dict[tuple[str, ...], list[str]] = {}
    for name in dict.fromkeys((*shown, *read)):
        chosen = tuple(dict.fromkeys(("whole", *windows))) if windows else windows_for(name)
        through.setdefault(chosen, []).append(name)

    def taken(name: str, log: Log, count: Counts, derived: bool = False) -> Measured:
        curves: dict[tuple[str, str], Curve] = {}
        bands: dict[tuple[str, str], Curve] = {}
        for views, names in through.items():
            # nobody scored for a baseline that was worked out: it has no AUC, no log loss, …
            able = [m for m in names if not derived or not needs_scores([m])]
            if able:
                curves |= {(c.measure, c.window): c for c in measure(log, able, views, every=step)}
        plain = Measured(name, log, count, curves, derived)
        if level is None or plain.baseline:
            return plain
        for views, names in through.items():
            if drawn := [m for m in names if m in shown]:
                found = banded(log, drawn, views, level=level, every=coarse)
                bands |= {(c.measure, c.window): c for c in found}
        return replace(plain, bands=bands)

    found = [taken(*of) for of in zip(names_of(logs), logs, counts, strict=True)]
    case = Case(stream, logs[0].schema, tuple(found), tuple(shown))
    made = baselines(logs[counts.index(most)])
    for role, (name, log) in zip((case.persistent, case.majority), made.items(), strict=False):
        if role is None:
            found.append(taken(name, log, counted(log), derived=True))
    return replace(case, measured=tuple(found))


def names_of(logs: Sequence[Log]) -> list[str]:
    """A name for each log that no other has: learner, then protocol, then seed, then a number."""
    names = [log.about.get("learner", "learner") for log in logs]
    for key in ("protocol", "seed"):
        if len(set(names)) == len(names):
            break
        if len({log.about.get(key) for log in logs}) > 1:
            names = [
                f"{name}, {key} {log.about[key]}" if key in log.about else name
                for name, log in zip(names, logs, strict=True)
            ]
    seen: Counter[str] = Counter()
    for i, name in enumerate(names):
        seen[name] += 1
        names[i] = name if seen[name] == 1 else f"{name} #{seen[name]}"
    return names


def _round_step(labels: int, points: int = FINE) -> int:
    """The smallest of 1, 2, 5, 10, 20, … that makes at most so many points."""
    decade = 1
    while True:
        for step in (decade, 2 * decade, 5 * decade):
            if labels <= step * points:
                return step
        decade *= 10
