"""`streamgauge diagnose`: how labels hang together, and what that does to learners."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import click
from rich.table import Table as Grid

from streamgauge.cli import options
from streamgauge.cli.printing import COLOURS, plain, terminal
from streamgauge.cli.sources import source_stream
from streamgauge.diagnosis import Diagnosis, diagnose
from streamgauge.diagnosis.precision import (
    fading_horizon,
    fading_items,
    hoeffding_items,
    hoeffding_precision,
    window_items,
    window_precision,
)
from streamgauge.diagnosis.shuffles import WAYS
from streamgauge.errors import DataError
from streamgauge.names import make
from streamgauge.plots import label_dependence, save
from streamgauge.plots.plotting import check_path
from streamgauge.progress import watcher
from streamgauge.report.page import Cell, Kind
from streamgauge.report.wording import shown

MANY = 12
"""With more classes than this the matrices are for --json only."""


@click.command()
@click.argument("source")
@options.stream_options
@click.option(
    "--learners",
    "-l",
    default="",
    help="Learners, with commas: nb,temporally_augmented(naive_bayes()). Baselines are added.",
)
@click.option("--take", type=click.IntRange(min=1), help="Only the first so many items.")
@click.option("--lags", type=click.IntRange(min=1), default=10, help="How far back to look.")
@click.option(
    "--shuffles",
    type=click.IntRange(min=0),
    default=3,
    help="Shuffles of each kind to rank learners in; 0: none.",
)
@click.option(
    "--precision",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.01,
    help="How good an accuracy should be, for the sizes that needs.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw Delta(l) here: .svg, .pdf or .png.",
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
    """Diagnose SOURCE, a data file or a stream's name: do its labels depend on those before?"""
    if plot is not None:
        check_path(plot)
    chosen = {name: make("learner", name) for name in options.split(learners)} or None
    stream = source_stream("diagnose", source, take, reading)
    seen = diagnose(
        stream,
        chosen,
        lags=lags,
        shuffles=shuffles,
        seed=seed or 0,
        watch=lambda name: watcher(name, quiet),
    )
    if not seen.labels.items:
        raise DataError(f"{source}: must have labelled items to diagnose, got none")
    if plot is not None:
        drawn = label_dependence.draw(label_dependence.data(seen.labels), title=seen.stream)
        save(drawn, plot)
    if as_json:
        click.echo(json.dumps(plain(entry(seen, precision)), indent=1))
    elif not quiet:
        _show(seen, precision)


def entry(seen: Diagnosis, precision: float) -> dict[str, Any]:
    """Everything, for machines."""
    labels = seen.labels
    return {
        "stream": seen.stream,
        "items": seen.items,
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
            "transitions": labels.transitions.tolist(),
            "matrix": labels.matrix.tolist(),
            "delta": labels.delta.tolist(),
            "conditional": labels.conditional.tolist(),
        },
        "quick_test": {
            "items": seen.quick.items,
            "majority": seen.quick.majority,
            "persistent": seen.quick.persistent,
            "dependent": seen.quick.dependent,
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
            for one in seen.learners.values()
        ],
        "shuffles": None
        if seen.shuffles is None
        else {
            how: {
                "accuracy": dict(seen.shuffles.shuffled[how]),
                "ranking": list(seen.shuffles.ranking(how)),
                "changed": [list(pair) for pair in seen.shuffles.changed(how)],
                "survives": seen.shuffles.survives(how),
            }
            for how in WAYS
        },
        "label_delay": None
        if seen.lateness is None
        else {
            "clock": seen.lateness.clock,
            "counts": seen.lateness.counts.tolist(),
            "median": seen.lateness.middle.tolist(),
            "later": seen.lateness.later.tolist(),
            "p": seen.lateness.p.tolist(),
            "dependent": seen.lateness.dependent.tolist(),
        },
        "precision": rules(labels.items, precision),
        "findings": [
            {"rule": said.rule, "severity": said.severity, "sentence": said.sentence}
            for said in seen.findings
        ],
    }


def rules(items: int, precision: float) -> dict[str, float]:
    """Sizes that a precision needs, and what these items and the usual windows give."""
    needed = window_items(precision)
    factor = max(0.0, (needed - 1) / (needed + 1))  # a fading mean that varies as little
    return {
        "wanted": precision,
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


def _show(seen: Diagnosis, precision: float) -> None:
    console = terminal()
    labels = seen.labels
    console.print(f"\n{seen.stream}", style="bold")
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
    mixed = seen.shuffles
    if seen.learners:
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
                            (None if mixed is None else mixed.shuffled[how][one.name], "share")
                            for how in WAYS
                        ),
                    ]
                    for one in seen.learners.values()
                ],
            )
        )
        console.print()
    told = rules(labels.items, precision)
    console.print(
        f"good to ±{100 * precision:g} points: {shown(told['window_items'], 'count')} items in a "
        f"window, fading({told['fading_factor']:.6g}), or "
        f"{shown(math.ceil(told['hoeffding_items']), 'count')} items by Hoeffding's bound\n"
    )
    for said in seen.findings:
        console.print(f"[{COLOURS[said.severity]}]{said.severity:>8}[/]  {_safe(said.sentence)}")


def _grid(head: list[str], rows: list[list[Any]]) -> Grid:
    grid = Grid(box=None, header_style="dim", pad_edge=False)
    for i, title in enumerate(head):
        grid.add_column(_safe(title), justify="left" if i == 0 else "right", no_wrap=i == 0)
    for row in rows:
        grid.add_row(*(_safe(cell if isinstance(cell, str) else _text(*cell)) for cell in row))
    return grid


def _text(cell: Cell, kind: Kind) -> str:
    return shown(cell, kind)


def _safe(text: str) -> str:
    return text.replace("[", r"\[")
