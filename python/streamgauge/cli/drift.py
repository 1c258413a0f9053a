"""`streamgauge drift`: evaluate detectors on streams with known drifts and on stationary ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.printing import print_table
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import source_stream
from streamgauge.detector_evaluation import (
    DetectorEvaluation,
    to_csv,
    to_json,
    to_latex,
    to_markdown,
)
from streamgauge.detector_evaluation._evaluate_detectors import MEASURES, evaluate_detectors
from streamgauge.detector_evaluation._sources import named_source
from streamgauge.detector_evaluation.tables import stream_table
from streamgauge.detectors.losses import LossColdStart
from streamgauge.errors import ParameterError
from streamgauge.files import write_text
from streamgauge.names import make
from streamgauge.plots import alarm_raster, delay_by_false_alarms, save
from streamgauge.plots._plot import check_path
from streamgauge.progress import watcher
from streamgauge.report._format import REPEATED, count
from streamgauge.streams import inject
from streamgauge.streams._inject import Change
from streamgauge.streams._named_stream import is_file

WRITERS = {".csv": to_csv, ".md": to_markdown, ".tex": to_latex, ".json": to_json}
"""Writers of --table by suffix."""


@click.command()
@click.argument("sources", nargs=-1, required=True)
@click.option(
    "--detectors",
    "-d",
    default="adwin,ddm,page_hinkley",
    show_default=True,
    help="Detectors, separated by commas: ddm,page_hinkley(threshold=20),river:drift.ADWIN().",
)
@click.option(
    "--tolerance",
    "-t",
    type=click.IntRange(min=0),
    required=True,
    help="Items after the end of a drift up to which an alarm counts for it (W).",
)
@click.option(
    "--measures",
    "-m",
    default=",".join(MEASURES),
    show_default=True,
    help="Measures of alarms, separated by commas; `list alarm_measures` has all.",
)
@click.option(
    "--repetitions",
    "-r",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    help="Runs per stream, each with its own seed.",
)
@click.option("--learner", "-l", help="Learner whose errors are observed; naive_bayes by default.")
@click.option("--window", "-w", help="Window of the mean loss to observe; the losses by default.")
@click.option(
    "--cold-start",
    type=click.Choice(["count_wrong", "skip"]),
    default="count_wrong",
    show_default=True,
    help="How items without a prediction count.",
)
@click.option(
    "--inject",
    "positions",
    default="",
    help="Items at which drifts are injected into each stream, separated by commas.",
)
@click.option(
    "--change",
    type=click.Choice(["cycle_classes", "permute_features"]),
    default="cycle_classes",
    show_default=True,
    help="What an injected drift changes.",
)
@click.option("--take", type=click.IntRange(min=1), help="Number of items to use, from the start.")
@options.stream_options
@click.option(
    "--table",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the table: .csv, .md, .tex or .json.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the figure of delay against false alarms: .svg, .pdf or .png.",
)
@click.option(
    "--alarms",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the figure of the alarms over the items: .svg, .pdf or .png.",
)
@options.seed
@options.as_json
@options.quiet
def command(
    sources: tuple[str, ...],
    detectors: str,
    tolerance: int,
    measures: str,
    repetitions: int,
    learner: str | None,
    window: str | None,
    cold_start: LossColdStart,
    positions: str,
    change: Change,
    take: int | None,
    table: Path | None,
    plot: Path | None,
    alarms: Path | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Evaluate drift detectors on streams with known drifts, and on stationary ones.

    SOURCES are sequences of losses such as "bernoulli(items=10000, at=(5000,))", names of streams
    with known drifts, or data files. Rows of the baselines stand beside the detectors: one that
    never raises an alarm, one that always does, and as many alarms as each detector at random.
    """
    if table is not None and table.suffix not in WRITERS:
        must = "a name that ends in .csv, .md, .tex or .json"
        raise ParameterError.of("drift", "--table", must, str(table))
    for path in (plot, alarms):
        if path is not None:
            check_path(path)
    found = evaluate_detectors(
        [make("detector", name) for name in options.split(detectors)],
        [_source(text, take, positions, change, reading) for text in sources],
        tolerance,
        measures=[make("alarm_measure", name) for name in options.split(measures)],
        learner=None if learner is None else make("learner", learner),
        window=window,
        repetitions=repetitions,
        seed=seed or 0,
        cold_start=cold_start,
        progress=watcher("drift", quiet, "losses"),
    )
    if table is not None:
        write_text(table, WRITERS[table.suffix](found))
    if plot is not None:
        save(delay_by_false_alarms.draw(delay_by_false_alarms.data(found)), plot)
    if alarms is not None:
        save(alarm_raster.draw(alarm_raster.data(found)), alarms)
    if as_json:
        click.echo(to_json(found))
    elif not quiet:
        _print(found)


def _source(
    text: str, take: int | None, positions: str, change: Change, reading: dict[str, Any]
) -> Any:
    """A sequence of losses by name, or a stream, with the injected drifts."""
    if not is_file(text):
        made = named_source(text)
        if hasattr(made, "losses"):
            if take is not None or positions:
                option = "--take" if positions == "" else "--inject"
                raise ParameterError(
                    f"drift: {option} is for streams, got the sequence of losses {text!r}; give "
                    "items= and at= instead"
                )
            return made
    stream = source_stream("drift", text, take, reading)
    if not positions:
        return stream
    parts = options.split(positions)
    if not all(part.isdecimal() for part in parts):
        raise ParameterError.of("drift", "--inject", "items separated by commas", positions)
    return inject(stream, [int(part) for part in parts], change)


def _print(found: DetectorEvaluation) -> None:
    for stream in found.streams:
        starts = ", ".join(count(d.start) for d in stream.drifts)
        drifts = f"drifts at {starts}" if starts else "no known drifts"
        echo(f"{stream.name}: {count(stream.items)} items, {drifts}")
        print_table(stream_table(found, stream.name))
        echo("")
    several = f" {REPEATED}" if found.repetitions > 1 else ""
    echo(
        f"An alarm counts for a drift up to {count(found.tolerance)} items after its end.{several}"
    )
    for note in found.notes:
        echo(f"note: {note}")
