"""`streamgauge adaptation`: deterioration and restoration at known drifts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain, print_table
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import logs_by_learner
from streamgauge.errors import ParameterError
from streamgauge.plots import aligned_curves, save
from streamgauge.plots._plot import check_path
from streamgauge.properties._adaptation import adaptation
from streamgauge.properties._drift_adaptation import Adaptation
from streamgauge.report._adaptation_section import adaptation_table
from streamgauge.report._format import REPEATED
from streamgauge.report.json import plain as numbers
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import Drift


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--label", help="Column with the labels, in a file.")
@click.option("--prediction", help="Column with the predictions, in a file.")
@click.option("--measure", "-m", default="", help="Measure; error or mae by default.")
@click.option(
    "--window",
    "-w",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Number of items on each side of a drift that are compared.",
)
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Number of items in a step.",
)
@click.option(
    "--every",
    type=click.IntRange(min=1),
    help="Number of items from one step to the next; the batch by default, less overlaps.",
)
@click.option(
    "--drifts",
    default="",
    help="First items after the drifts, separated by commas, or START-END; those of the log by "
    "default.",
)
@click.option(
    "--position",
    type=click.Choice(["start", "centre", "end"]),
    default="start",
    show_default=True,
    help="Item of a gradual drift from which on steps are counted.",
)
@click.option(
    "--until",
    type=click.Choice(["end", "next_drift"]),
    default="end",
    show_default=True,
    help="How long a measure may take to be restored.",
)
@click.option("--partial", is_flag=True, help="Use incomplete windows for the deterioration.")
@click.option(
    "--fold", type=click.IntRange(min=0), help="Fold of the learner, if the log has several."
)
@click.option(
    "--cold-start",
    type=click.Choice(["count_wrong", "skip", "default_class"]),
    help="How items without a prediction count.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the figure of curves aligned at the drifts: .svg, .pdf or .png.",
)
@options.as_json
def command(
    sources: tuple[Path, ...],
    label: str | None,
    prediction: str | None,
    measure: str,
    window: int,
    batch: int,
    every: int | None,
    drifts: str,
    position: Literal["start", "centre", "end"],
    until: Literal["end", "next_drift"],
    partial: bool,
    fold: int | None,
    cold_start: ColdStart | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Measure how learners deteriorate at known drifts, and when they are restored.

    SOURCES are folders of logs, run folders, or files with --label and --prediction columns.
    """
    if plot is not None:
        check_path(plot)
    given: Any = {
        "batch": batch,
        "every": every,
        "drifts": _drifts(drifts),
        "position": position,
        "until": until,
        "partial": partial,
        "cold_start": cold_start,
        "fold": fold,
    }
    logs = logs_by_learner("adaptation", sources, label, prediction)
    found = {name: adaptation(runs, measure, window, **given) for name, runs in logs.items()}
    if plot is not None:
        first = next(iter(found.values()))
        curves = {name: one.curves[0] for name, one in found.items()}
        save(aligned_curves.draw(aligned_curves.data(curves), first.measure), plot)
    if as_json:
        entries = [_entry(name, one) for name, one in found.items()]
        click.echo(json.dumps(plain(entries), indent=1))
        return
    table = adaptation_table(found)
    print_table(table)
    if table.repeated:
        echo(REPEATED)
    first = next(iter(found.values()))
    echo(
        f"{first.measure} in steps of {batch:,} items, windows of {window:,} items; DPD is the "
        "mean after the drift minus the mean before it, DRT the number of items until restored"
    )
    for note in dict.fromkeys(note for one in found.values() for note in one.notes):
        echo(f"note: {note}", err=True)


def _drifts(text: str) -> list[Drift] | None:
    """Drifts as text: items, or ranges of items."""
    found = []
    for part in options.split(text):
        start, dash, end = part.partition("-")
        if not start.isdigit() or (dash and not end.isdigit()):
            must = "items separated by commas, or START-END"
            raise ParameterError.of("adaptation", "--drifts", must, part)
        first, last = int(start), int(end) if dash else int(start)
        if last < first:
            raise ParameterError.of("adaptation", "--drifts", "START-END in this order", part)
        kind: Literal["gradual", "abrupt"] = "gradual" if last > first else "abrupt"
        found.append(Drift(first, (first + last) // 2, last, kind))
    return found or None


def _entry(name: str, found: Adaptation) -> dict[str, Any]:
    """Everything of one learner; an infinite time is a string, an undefined one null."""
    entry: dict[str, Any] = {"learner": name, **numbers(found)}
    return entry
