"""`streamgauge diagnose`: temporal dependence of labels and its effect on learners."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import click
from rich.table import Table as Grid
from rich.text import Text

from streamgauge.cli import options
from streamgauge.cli.printing import COLOURS, plain, terminal
from streamgauge.cli.sources import source_stream
from streamgauge.diagnosis import Diagnosis, diagnose
from streamgauge.diagnosis.items_for_precision import (
    fading_horizon,
    fading_items,
    hoeffding_items,
    hoeffding_precision,
    window_items,
    window_precision,
)
from streamgauge.diagnosis.shuffles import SHUFFLES
from streamgauge.errors import DataError
from streamgauge.escapes import one_line
from streamgauge.names import make
from streamgauge.plots import label_dependence, save
from streamgauge.plots._plot import check_path
from streamgauge.progress import watcher
from streamgauge.report._format import shown
from streamgauge.report.page import Kind, TableCell

MANY = 12
"""Maximum number of classes of printed matrices; --json has all."""


@click.command()
@click.argument("source")
@options.stream_options
@click.option(
    "--learners",
    "-l",
    default="",
    help="Learners, separated by commas: nb,hoeffding_tree. Baselines are added.",
)
@click.option("--take", type=click.IntRange(min=1), help="Number of items to use, from the start.")
@click.option("--lags", type=click.IntRange(min=1), default=10, help="Largest lag.")
@click.option(
    "--shuffles",
    type=click.IntRange(min=0),
    default=3,
    help="Number of shuffles of each kind in which learners are ranked; 0 for none.",
)
@click.option(
    "--precision",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.01,
    help="Half width of an accuracy, for the required window sizes.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the figure of Delta(l): .svg, .pdf or .png.",
)
@options.seed
@options.as_json
@options.quiet
def command(
    source: str,
    learners: str,
    take: int | None,
    lags: int,
    shuffles: int,
    precision: float,
    plot: Path | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Test the labels of SOURCE for temporal dependence, and its effect on learners.

    SOURCE is a data file or the name of a stream.
    """
    if plot is not None:
        check_path(plot)
    chosen = {name: make("learner", name) for name in options.split(learners)} or None
    stream = source_stream("diagnose", source, take, reading)
    diagnosis = diagnose(
        stream,
        chosen,
        lags=lags,
        shuffles=shuffles,
        seed=seed or 0,
        progress=lambda name: watcher(name, quiet),
    )
    if not diagnosis.labels.items:
        raise DataError(f"{source}: must have labelled items to diagnose, got none")
    if plot is not None:
        drawn = label_dependence.draw(
            label_dependence.data(diagnosis.labels), title=diagnosis.stream
        )
        save(drawn, plot)
    if as_json:
        click.echo(json.dumps(plain(entry(diagnosis, precision)), indent=1))
    elif not quiet:
        _show(diagnosis, precision)


def entry(diagnosis: Diagnosis, precision: float) -> dict[str, Any]:
    """The diagnosis as a dictionary for JSON."""
    labels = diagnosis.labels
    return {
        "stream": diagnosis.stream,
        "items": diagnosis.items,
        "labels": {
            "known": labels.items,
            "classes": list(labels.classes),
            "counts": labels.counts.tolist(),
            "p_majority": labels.p_majority,
            "p_repeat": labels.p_repeat,
            "p_chance": labels.p_chance,
            "z": labels.z,
            "dependent": labels.dependent,
            "order": labels.order,
            "z_within_blocks": labels.sequence.z_repeats,
            "successions": [
                {
                    "lag": s.lag,
                    "before": labels.classes[s.before],
                    "after": labels.classes[s.after],
                    "rate": s.rate,
                    "in_random_order": s.expected,
                    "p": s.p,
                }
                for s in labels.sequence.successions
            ],
            "p_of_shares": labels.sequence.p_shares,
            "transitions": labels.transitions.tolist(),
            "matrix": labels.matrix.tolist(),
            "delta": labels.delta.tolist(),
            "conditional": labels.conditional.tolist(),
        },
        "quick_test": {
            "items": diagnosis.quick.items,
            "majority": diagnosis.quick.majority,
            "persistent": diagnosis.quick.persistent,
            "dependent": diagnosis.quick.dependent,
            "better": diagnosis.quick.better,
            "p": diagnosis.quick.p,
        },
        "learners": [
            {
                "name": one.name,
                "accuracy": one.accuracy,
                "kappa_temporal": one.kappa_temporal,
                "error_autocorrelation": one.errors.value.tolist(),
                "band": one.errors.band,
                "effective_items": one.errors.effective_items,
            }
            for one in diagnosis.learners.values()
        ],
        "shuffles": None
        if diagnosis.shuffles is None
        else {
            kind: {
                "accuracy": dict(diagnosis.shuffles.shuffled[kind]),
                "ranking": list(diagnosis.shuffles.ranking(kind)),
                "changed": [list(pair) for pair in diagnosis.shuffles.changed(kind)],
                "confirmed": [list(pair) for pair in diagnosis.shuffles.confirmed(kind)],
                "unchanged": diagnosis.shuffles.is_unchanged(kind),
            }
            for kind in SHUFFLES
        },
        "label_delay": None
        if diagnosis.lateness is None
        else {
            "clock": diagnosis.lateness.clock,
            "counts": diagnosis.lateness.counts.tolist(),
            "median": diagnosis.lateness.middle.tolist(),
            "later": diagnosis.lateness.later.tolist(),
            "p": diagnosis.lateness.p.tolist(),
            "dependent": diagnosis.lateness.dependent.tolist(),
        },
        "precision": rules(labels.items, precision),
        "findings": [
            {"rule": f.rule, "severity": f.severity, "sentence": f.sentence}
            for f in diagnosis.findings
        ],
    }


def rules(items: int, precision: float) -> dict[str, float]:
    """Sizes required for a precision, and the precision of these items and of common windows."""
    needed = window_items(precision)
    factor = max(0.0, (needed - 1) / (needed + 1))  # a fading mean of the same variance
    return {
        "precision": precision,
        "hoeffding_items": hoeffding_items(precision),
        "window_items": needed,
        "fading_factor": factor,
        "fading_horizon": fading_horizon(factor) if factor else 0.0,
        "hoeffding_precision": hoeffding_precision(items),
        "window_precision": window_precision(items),
        "sliding_1000_precision": window_precision(1000),
        "fading_0.999_precision": window_precision(fading_items(0.999)),
        "fading_0.999_horizon": fading_horizon(0.999),
    }


def _show(diagnosis: Diagnosis, precision: float) -> None:
    console = terminal()
    labels = diagnosis.labels
    console.print(f"\n{one_line(diagnosis.stream)}", style="bold")
    names = [str(name) for name in labels.classes]
    if len(names) <= MANY:
        console.print(
            _grid(
                ["after", *names, "labels"],
                [
                    [name, *((p, "share") for p in row), (n, "count")]
                    for name, row, n in zip(
                        names, labels.matrix.tolist(), labels.counts.tolist(), strict=True
                    )
                ],
            )
        )
        console.print()
        console.print(
            _grid(
                ["Delta(l)", *(str(lag) for lag in range(1, labels.lags + 1))],
                [
                    [name, *((d, "index") for d in row)]
                    for name, row in zip(names, labels.delta.tolist(), strict=True)
                ],
            )
        )
        console.print()
    shuffled = diagnosis.shuffles
    if diagnosis.learners:
        console.print(
            _grid(
                ["learner", "accuracy", "kappa_temporal", "errors, lag 1", "iid", "within class"],
                [
                    [
                        one.name,
                        (one.accuracy, "share"),
                        (one.kappa_temporal, "index"),
                        (float(one.errors.value[0]), "index"),
                        *(
                            (
                                None if shuffled is None else shuffled.shuffled[kind][one.name],
                                "share",
                            )
                            for kind in SHUFFLES
                        ),
                    ]
                    for one in diagnosis.learners.values()
                ],
            )
        )
        console.print()
    sizes = rules(labels.items, precision)
    console.print(
        f"half width of {100 * precision:g} percentage points: "
        f"{shown(sizes['window_items'], 'count')} items in a "
        f"window, fading({sizes['fading_factor']:.6g}), or "
        f"{shown(math.ceil(sizes['hoeffding_items']), 'count')} items by Hoeffding's bound\n"
    )
    for f in diagnosis.findings:
        line = Text(f"{f.severity:>8}", style=COLOURS[f.severity])
        console.print(line.append(f"  {one_line(f.sentence)}", style="default"))


def _grid(head: list[str], rows: list[list[Any]]) -> Grid:
    grid = Grid(box=None, header_style="dim", pad_edge=False)
    for i, title in enumerate(head):
        grid.add_column(one_line(title), justify="left" if i == 0 else "right", no_wrap=i == 0)
    for row in rows:
        grid.add_row(*(one_line(cell if isinstance(cell, str) else _text(*cell)) for cell in row))
    return grid


def _text(cell: TableCell, kind: Kind) -> str:
    return shown(cell, kind)
