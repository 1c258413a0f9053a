"""`streamgauge detect`: apply drift detectors to the errors in a log."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.printing import print_table
from streamgauge.cli.sources import source_log
from streamgauge.detectors._detect import detect, detected_fold
from streamgauge.detectors.external import detector_name
from streamgauge.detectors.losses import LossColdStart
from streamgauge.errors import ParameterError
from streamgauge.log import Log
from streamgauge.log.alarms import Alarms
from streamgauge.measures._compute import measure
from streamgauge.names import make
from streamgauge.plots import alarm_times, save
from streamgauge.plots._plot import check_path
from streamgauge.report._format import count, listed
from streamgauge.report.page import Column, Row, Table, TableCell
from streamgauge.types import Drift

RAW = "losses"
"""Input of the detectors by default."""

SHOWN = 6
"""Maximum number of alarms listed in the table; --json lists all."""

DRAWN = "sliding(1000)"
"""Window of the error that is drawn if the detectors get the losses."""


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--label", help="Column with the labels, in a file.")
@click.option("--prediction", help="Column with the predictions, in a file.")
@click.option(
    "--detectors",
    "-d",
    default="adwin",
    show_default=True,
    help="Detectors, separated by commas: ddm,page_hinkley(threshold=20),river:drift.ADWIN().",
)
@click.option(
    "--windows",
    "-w",
    default=RAW,
    show_default=True,
    help="Input of the detectors, separated by commas: losses, or windows of their mean.",
)
@click.option(
    "--drifts",
    default="",
    help="Items at which drifts start, separated by commas; those of the log by default.",
)
@click.option(
    "--cold-start",
    type=click.Choice(["count_wrong", "skip"]),
    default="count_wrong",
    show_default=True,
    help="How items without a prediction count.",
)
@click.option(
    "--fold", type=click.IntRange(min=0), help="Fold of the learner, if the log has several."
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the figure of error and alarms: .svg, .pdf or .png.",
)
@options.seed
@options.as_json
def command(
    source: Path,
    label: str | None,
    prediction: str | None,
    detectors: str,
    windows: str,
    drifts: str,
    cold_start: LossColdStart,
    fold: int | None,
    plot: Path | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Apply drift detectors to the errors in SOURCE.

    SOURCE is the folder of a log, or a file with --label and --prediction columns. Alarms of a
    detector inside the learner are listed too.
    """
    if plot is not None:
        check_path(plot)
    chosen = [make("detector", name) for name in options.split(detectors)]
    chosen_windows = [
        None if name == RAW else make("window", name) for name in options.split(windows)
    ]
    if not chosen or not chosen_windows:
        raise ParameterError(
            "detect: --detectors and --windows must have at least one name, got none"
        )
    log = source_log("detect", source, label, prediction)
    known = _drifts(drifts) or log.schema.drifts
    one = detected_fold(log, fold)
    signals = {
        detector_name(detector, window): detect(
            log, detector, window, fold=one, cold_start=cold_start, seed=seed or 0
        )
        for detector, window in product(chosen, chosen_windows)
    }
    signals |= _inside_learner(log, one)
    if plot is not None:
        drawn_windows = list(dict.fromkeys(DRAWN if w is None else str(w) for w in chosen_windows))
        error = "error" if log.schema.classes else "mae"
        drawn = alarm_times.data(list(measure(log, [error], drawn_windows, fold=one)), signals)
        save(alarm_times.draw(drawn, known, log.about.get("learner", ""), error), plot)
    if as_json:
        click.echo(json.dumps([_entry(name, a, known) for name, a in signals.items()], indent=1))
    else:
        _print(signals, known)


def _drifts(text: str) -> tuple[Drift, ...]:
    made = []
    for part in options.split(text):
        if not part.isdecimal():
            raise ParameterError.of("detect", "--drifts", "items separated by commas", text)
        made.append(Drift(int(part), int(part), int(part)))
    return tuple(dict.fromkeys(made))


def _inside_learner(log: Log, fold: int) -> dict[str, Alarms]:
    """Alarms of detectors inside the learner, by detector."""
    alarms = log.alarms()
    rows = [
        (int(item), name, kind)
        for item, of_fold, name, kind in zip(
            alarms.item.tolist(), alarms.fold.tolist(), alarms.detector, alarms.kind, strict=True
        )
        if of_fold == fold
    ]
    names = dict.fromkeys(name for _, name, _ in rows)
    return {
        f"{name} (in the learner)": Alarms.of([r for r in rows if r[1] == name], fold)
        for name in names
    }


def _entry(name: str, signals: Alarms, drifts: tuple[Drift, ...]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "detector": name,
        "alarms": signals.alarms.tolist(),
        "warnings": signals.warnings.tolist(),
    }
    if drifts:
        starts = sorted(d.start for d in drifts)
        late = signals.delays(drifts)
        entry["before_the_first_drift"] = signals.false(drifts)
        entry["delays"] = [{"drift": s, "delay": d} for s, d in zip(starts, late, strict=True)]
    return entry


def _print(signals: dict[str, Alarms], drifts: tuple[Drift, ...]) -> None:
    columns = [
        Column("detector", "detector"),
        Column("alarms", "alarms", "count"),
        Column("warnings", "warnings", "count"),
    ]
    if drifts:
        columns.append(Column("false", "before first drift", "count"))
        starts = sorted(d.start for d in drifts)
        columns += [Column(f"delay_{s}", f"delay at {count(s)}", "count") for s in starts]
    columns.append(Column("at", "at items"))
    rows = []
    for name, a in signals.items():
        cells: list[TableCell] = [name, len(a.alarms), len(a.warnings)]
        if drifts:
            cells += [a.false(drifts), *a.delays(drifts)]
        cells.append(listed((count(i) for i in a.alarms.tolist()), SHOWN))
        rows.append(Row(tuple(cells)))
    print_table(Table(tuple(columns), tuple(rows)))
