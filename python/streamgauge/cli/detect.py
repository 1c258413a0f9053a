"""`streamgauge detect`: detectors watch the errors in a log, after the fact."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.printing import print_table
from streamgauge.cli.sources import source_log
from streamgauge.detectors.detecting import detect
from streamgauge.detectors.foreign import watched_name
from streamgauge.detectors.losses import ColdStart
from streamgauge.errors import ParameterError
from streamgauge.log import Log
from streamgauge.log.alarms import Alarms
from streamgauge.measures._measuring import measure
from streamgauge.names import make
from streamgauge.plots import alarm_times, save
from streamgauge.plots.plotting import check_path
from streamgauge.report.page import Cell, Column, Row, Table
from streamgauge.report.wording import count, listed
from streamgauge.types import Drift

RAW = "losses"
"""What is watched unless an estimate is named."""

SHOWN = 6
"""So many alarms are named in the table; --json has all."""

SEEN = "sliding(1000)"
"""The error that is drawn where the losses themselves are watched."""


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--label", help="The column with what was true, in a file.")
@click.option("--answer", help="The column with what was said, in a file.")
@click.option(
    "--detectors",
    "-d",
    default="adwin",
    show_default=True,
    help="Detectors, with commas: ddm,page_hinkley(threshold=20),river:drift.ADWIN().",
)
@click.option(
    "--of",
    default=RAW,
    show_default=True,
    help="What they watch, with commas: losses, whole, sliding(1000), fading(0.999).",
)
@click.option(
    "--drifts", default="", help="Items at which drifts begin, with commas; the log's unless given."
)
@click.option(
    "--cold-start",
    type=click.Choice(["count_wrong", "skip"]),
    default="count_wrong",
    show_default=True,
    help="What an answer that was not given counts as.",
)
@click.option("--fold", type=click.IntRange(min=0), default=0, help="Which copy of the learner.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the error and the alarms here: .svg, .pdf or .png.",
)
@options.seed
@options.as_json
def command(
    source: Path,
    label: str | None,
    answer: str | None,
    detectors: str,
    of: str,
    drifts: str,
    cold_start: ColdStart,
    fold: int,
    plot: Path | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Let detectors watch the errors in SOURCE: when did they rise?

    SOURCE is the folder of a log, or a file with --label and --answer columns. Alarms that a
    detector inside the learner gave while it ran are shown beside them.
    """
    if plot is not None:
        check_path(plot)
    watching = [make("detector", name) for name in options.split(detectors)]
    estimates = [None if name == RAW else make("window", name) for name in options.split(of)]
    if not watching or not estimates:
        raise ParameterError("detect: --detectors and --of must name at least one, got none")
    log = source_log("detect", source, label, answer)
    known = _drifts(drifts) or log.schema.drifts
    said = {
        watched_name(detector, window): detect(
            log, detector, window, fold=fold, cold_start=cold_start, seed=seed or 0
        )
        for detector, window in product(watching, estimates)
    }
    said |= _inside(log, fold)
    if plot is not None:
        views = list(dict.fromkeys(SEEN if w is None else str(w) for w in estimates))
        error = "error" if log.schema.classes else "mae"
        drawn = alarm_times.data(list(measure(log, [error], views)), said)
        save(alarm_times.draw(drawn, known, log.about.get("learner", ""), error), plot)
    if as_json:
        click.echo(json.dumps([_entry(name, a, known) for name, a in said.items()], indent=1))
    else:
        _print(said, known)


def _drifts(text: str) -> tuple[Drift, ...]:
    made = []
    for word in options.split(text):
        if not word.isdecimal():
            raise ParameterError.of("detect", "--drifts", "items, with commas", text)
        made.append(Drift(int(word), int(word), int(word)))
    return tuple(made)


def _inside(log: Log, fold: int) -> dict[str, Alarms]:
    """What detectors inside the learner said, by detector."""
    held = log.alarms()
    rows = [
        (int(item), name, kind)
        for item, copy, name, kind in zip(
            held.item.tolist(), held.fold.tolist(), held.detector, held.kind, strict=True
        )
        if copy == fold
    ]
    names = dict.fromkeys(name for _, name, _ in rows)
    return {
        f"{name} (in the learner)": Alarms.of([r for r in rows if r[1] == name], fold)
        for name in names
    }


def _entry(name: str, said: Alarms, drifts: tuple[Drift, ...]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "detector": name,
        "alarms": said.alarms.tolist(),
        "warnings": said.warnings.tolist(),
    }
    if drifts:
        starts = sorted(d.start for d in drifts)
        late = said.delays(drifts)
        entry["before_the_first_drift"] = said.false(drifts)
        entry["delays"] = [{"drift": s, "delay": d} for s, d in zip(starts, late, strict=True)]
    return entry


def _print(said: dict[str, Alarms], drifts: tuple[Drift, ...]) -> None:
    columns = [
        Column("detector", "detector"),
        Column("alarms", "alarms", "count"),
        Column("warnings", "warnings", "count"),
    ]
    if drifts:
        columns.append(Column("false", "before a drift", "count"))
        starts = sorted(d.start for d in drifts)
        columns += [Column(f"delay_{s}", f"delay at {count(s)}", "count") for s in starts]
    columns.append(Column("at", "at items"))
    rows = []
    for name, a in said.items():
        cells: list[Cell] = [name, len(a.alarms), len(a.warnings)]
        if drifts:
            cells += [a.false(drifts), *a.delays(drifts)]
        cells.append(listed((count(i) for i in a.alarms.tolist()), SHOWN))
        rows.append(Row(tuple(cells)))
    print_table(Table(tuple(columns), tuple(rows)))
