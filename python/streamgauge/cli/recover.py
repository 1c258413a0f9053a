"""`streamgauge recover`: recovery analysis of learners on two pure streams and their mixture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain, show
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import source_stream
from streamgauge.errors import ParameterError, reported_by
from streamgauge.files import existing
from streamgauge.names import imports_of
from streamgauge.plots import recovery_panels, recovery_scatter, save
from streamgauge.plots._plot import check_path
from streamgauge.progress import watcher
from streamgauge.recovery_analysis.recovery_panel import Recovery, RecoveryPanel
from streamgauge.recovery_analysis.transition import Transition, transition_of
from streamgauge.recovery_runs._measure_recovery import measure_recovery
from streamgauge.recovery_runs._recovery import recovery
from streamgauge.recovery_runs._stored import analyses_in, is_analysis
from streamgauge.recovery_runs.spec import read_recovery_spec, run_recovery_spec
from streamgauge.report._recovery_page import recovery_page, recovery_table
from streamgauge.report._write_report import check_report, write_report
from streamgauge.report.json import plain as numbers
from streamgauge.streams._named_stream import is_file

OF_FILE = ("learners", "drift", "at", "items", "delay")
"""Options whose values are in a TOML file."""


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SPEC | BEFORE AFTER… | FOLDER")
@options.stream_options
@click.option("--learners", "-l", default="", help=options.LEARNERS)
@click.option(
    "--drift",
    default="",
    help="slow, moderate, sudden, width=500 or theta=0.1, several separated by commas; moderate "
    "by default.",
)
@click.option("--at", type=click.FloatRange(min=1), help="Centre of the drift; in the middle.")
@click.option("--repetitions", type=click.IntRange(min=1), help="Repetitions; 10 by default.")
@click.option("--items", type=click.IntRange(min=1), help="Number of items of each stream.")
@click.option("--measure", "-m", default="", help="Measure; accuracy or rmse by default.")
@click.option("--window", "-w", default="", help="Window of the curves, such as tumbling(500).")
@click.option("--every", type=click.IntRange(min=1), help="Items between two points.")
@click.option(
    "--bound",
    type=click.Choice(["levels", "curves", "cross", "none"]),
    help="Bound on the optimal performance; levels by default.",
)
@click.option(
    "--saturation-levels", default="", help="Saturation levels of both pure streams: 0.9,0.8."
)
@click.option("--delay", default="", help="Delay of the labels, in items, or exponential(100).")
@click.option(
    "--cold-start",
    type=click.Choice(["count_wrong", "skip", "default_class"]),
    help="How items without a prediction count.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to keep the logs in, so that they can be measured again.",
)
@click.option(
    "--executor",
    default="",
    help="Where runs take place: threads, serial, processes, ray or dask.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the figure of the panels: .svg, .pdf or .png.",
)
@click.option(
    "--scatter",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the figure of durations and losses: .svg, .pdf or .png.",
)
@options.report
@options.seed
@options.as_json
@options.quiet
def command(
    sources: tuple[str, ...],
    learners: str,
    drift: str,
    at: float | None,
    repetitions: int | None,
    items: int | None,
    measure: str,
    window: str,
    every: int | None,
    bound: str | None,
    saturation_levels: str,
    delay: str,
    cold_start: str | None,
    out: Path | None,
    executor: str,
    plot: Path | None,
    scatter: Path | None,
    report: Path | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Measure how well learners come back after a drift.

    SPEC is a TOML file with pairs of pure streams. BEFORE and AFTER are data files or names of
    streams; with several AFTER the mixture drifts from each to the next. FOLDER has the logs of an
    earlier analysis, which are measured again without a run.
    """
    check_report(report)
    for path in (plot, scatter):
        if path is not None:
            check_path(path)
    given = {
        "learners": learners,
        "drift": drift,
        "at": at,
        "repetitions": repetitions,
        "items": items,
        "delay": delay,
        "seed": seed,
        "executor": executor,
        "out": out,
    }
    measuring = {
        "measure": measure,
        "window": window or None,
        "every": every,
        "bound": bound,
        "saturation_levels": _saturation_levels(saturation_levels),
        "cold_start": cold_start,
    }
    used = {key: value for key, value in measuring.items() if value}
    if len(sources) == 1 and Path(sources[0]).is_dir():
        _refuse({**given, **reading}, "runs, got a folder of logs, which are only measured")
        title, found = "Recovery analysis", _measured(Path(sources[0]), used)
    elif len(sources) == 1:
        _refuse_one_stream(sources[0])
        of_file = {**{key: given[key] for key in OF_FILE}, **reading}
        _refuse(of_file, "streams, got an experiment file, which has them")
        title, found = _of_file(sources[0], given, used, quiet or as_json)
    else:
        title, found = (
            "Recovery analysis",
            _of_streams(sources, given, used, reading, quiet or as_json),
        )
    if plot is not None:
        pictures = [
            one if len(found) == 1 else replace(one, learner=f"{name}: {one.learner}")
            for name, each in found.items()
            for one in recovery_panels.data(each)
        ]
        save(recovery_panels.draw(pictures), plot)
    if scatter is not None:
        points = recovery_scatter.data(found if len(found) > 1 else next(iter(found.values())))
        save(recovery_scatter.draw(points), scatter)
    page = recovery_page(found, title)
    if report is not None:
        write_report(report, page)
    if as_json:
        entries = [{"name": name, **numbers(_plain(one))} for name, one in found.items()]
        click.echo(json.dumps(plain(entries), indent=1))
        return
    if not quiet:
        short = {
            section.stream: recovery_table(panels, short=True)
            for section, panels in zip(page.sections, _by_section(found), strict=True)
        }
        sections = tuple(replace(s, table=short[s.stream]) for s in page.sections)
        show(replace(page, sections=sections), as_json=False, quiet=False)
        for note in dict.fromkeys(note for one in found.values() for note in one.notes):
            echo(f"note: {note}", err=True)


def _of_streams(
    sources: tuple[str, ...],
    given: dict[str, Any],
    used: dict[str, Any],
    reading: dict[str, Any],
    quiet: bool,
) -> dict[str, Recovery]:
    """Run the learners on streams that are named or in files."""
    chosen = options.split(given["learners"])
    if not chosen:
        raise ParameterError("recover: --learners must be given, got none; add --learners nb")
    with reported_by("recover", "recovery", "Transition"):
        streams = [_stream(source, reading) for source in sources]
        transitions = [_transition(text, given["at"]) for text in _drifts(given["drift"])]
        runs = {
            key: given[key] for key in ("repetitions", "items", "seed") if given[key] is not None
        }
        found = recovery(
            chosen,
            before=streams[0],
            after=streams[1:],
            drift=transitions,
            delay=_delay(given["delay"]),
            folder=given["out"],
            executor=given["executor"] or _executor(chosen),
            progress=watcher("recover", quiet, unit="runs"),
            **runs,
            **used,
        )
    return {found.title: found}


def _of_file(
    source: str, given: dict[str, Any], used: dict[str, Any], quiet: bool
) -> tuple[str, dict[str, Recovery]]:
    """Run the analyses of a TOML file."""
    path = existing(source)
    spec = read_recovery_spec(path)
    update = {key: given[key] for key in ("repetitions", "seed") if given[key] is not None}
    spec = spec.model_copy(update=update)
    names = [e if isinstance(e, str) else e.learner for e in spec.learners]
    with reported_by("recover", "recovery"):
        found = run_recovery_spec(
            spec,
            path.parent,
            folder=given["out"],
            progress=lambda name: watcher(name, quiet, unit="runs"),
            executor=given["executor"] or _executor(names),
            **used,
        )
    return spec.title, found


def _measured(folder: Path, used: dict[str, Any]) -> dict[str, Recovery]:
    """Measure the logs of a folder, or of the folders in it, again."""
    folders = [folder]
    if not is_analysis(folder):
        folders = analyses_in(folder) or [folder]
    with reported_by("recover", "measure_recovery"):
        each = [measure_recovery(one, **used) for one in folders]
    titles = [one.title for one in each]
    return {
        title if titles.count(title) == 1 else f"{nth}: {title}": one
        for nth, (title, one) in enumerate(zip(titles, each, strict=True), 1)
    }


def _refuse_one_stream(source: str) -> None:
    if not source.endswith(".toml"):
        raise ParameterError(
            "recover: must have an experiment file (.toml), a folder of logs, or two streams, got "
            f"{source!r}; give the stream after the drift, too"
        )


def _refuse(given: dict[str, Any], why: str) -> None:
    for key, value in given.items():
        if value not in (None, ""):
            option = key.replace("_", "-")
            raise ParameterError(f"recover: --{option} is for {why}; leave it out")


def _stream(source: str, reading: dict[str, Any]) -> Any:
    """A file, read with these options; the text of a named stream, which is its name."""
    stream = source_stream("recover", source, None, reading)
    return stream if is_file(source) or any(reading.values()) else source


def _saturation_levels(text: str) -> tuple[float, ...] | None:
    try:
        return tuple(float(part) for part in options.split(text)) or None
    except ValueError:
        must = "two numbers separated by a comma"
        raise ParameterError.of("recover", "--saturation-levels", must, text) from None


def _drifts(text: str) -> list[str]:
    return options.split(text) or ["moderate"]


def _transition(text: str, at: float | None) -> Transition:
    found = transition_of(float(text) if text.replace(".", "", 1).isdecimal() else text)
    return found if at is None else replace(found, t0=at)


def _delay(text: str) -> Any:
    return int(text) if text.isdecimal() else text or None


def _executor(learners: list[str]) -> str:
    """Processes for models of other libraries, which threads do not speed up."""
    return "processes" if any(imports_of("learner", text) for text in learners) else "threads"


def _by_section(found: dict[str, Recovery]) -> Iterator[list[RecoveryPanel]]:
    """The panels of each section of the page, in its order."""
    for one in found.values():
        for setting in one.settings:
            for number in dict.fromkeys(panel.number for panel in one.panels):
                yield [p for p in one.panels if (p.setting, p.number) == (setting, number)]


def _plain(one: Recovery) -> Recovery:
    """The result without the bootstrap samples."""
    panels = tuple(
        replace(
            panel,
            values={name: replace(value, samples=None) for name, value in panel.values.items()},
        )
        for panel in one.panels
    )
    return replace(one, panels=panels)
