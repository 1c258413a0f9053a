"""`streamgauge measure`: measure predictions in a file or in a log."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import source_log
from streamgauge.comparisons._band_level import BandLevel
from streamgauge.comparisons._bands import bands
from streamgauge.measures._compute import measure
from streamgauge.repetitions._by_fold import fold_count
from streamgauge.repetitions._over_folds import each_over_folds
from streamgauge.repetitions._spread import Spread
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import Curve

DEFAULTS = {
    "classification": [
        "accuracy",
        "kappa",
        "kappa_m",
        "kappa_temporal",
        "kappa_plus",
        "f1",
        "mcc",
        "p_maj",
        "p_per",
    ],
    "regression": ["mae", "rmse", "r2"],
}


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--label", help="Column with the labels.")
@click.option("--prediction", help="Column with the predictions.")
@click.option("--time", help="Column with the time of each row.")
@click.option(
    "--scores", default="", help="Columns with the scores of the classes, separated by commas."
)
@click.option("--classes", default="", help="Classes in order, separated by commas.")
@click.option(
    "--task",
    type=click.Choice(["classification", "regression"]),
    help="Task; inferred from the labels by default.",
)
@click.option("--every", type=click.IntRange(min=1), help="Number of items between two values.")
@click.option("--curve", is_flag=True, help="Print whole curves instead of the last values.")
@click.option(
    "--cold-start",
    type=click.Choice(["count_wrong", "skip", "default_class"]),
    help="How items without a prediction count.",
)
@click.option(
    "--band",
    callback=options.level,
    metavar="LEVEL",
    help="Confidence level of a bootstrap band: 0.95 (at each point) or time_uniform(0.95) (at all "
    "points together).",
)
@options.measures
@options.windows
@options.as_json
def command(
    source: Path,
    measures: str,
    windows: str,
    every: int | None,
    curve: bool,
    cold_start: ColdStart | None,
    band: BandLevel | None,
    as_json: bool,
    **columns: Any,
) -> None:
    """Measure SOURCE: a file with --label and --prediction columns, or the folder of a log."""
    log = source_log("measure", source, **columns)
    chosen = options.split(measures) or DEFAULTS[log.schema.task]
    views = options.split(windows) or None
    terms: Any = {"every": every, "cold_start": cold_start}
    folds: list[Spread] = []
    if band is not None:
        curves = list(bands(log, chosen, views or ["whole"], level=band, **terms))
    elif fold_count(log) > 1:
        found = each_over_folds(log, chosen, views, **terms)
        curves, folds = [one.mean for one in found], [one.final for one in found]
    else:
        curves = list(measure(log, chosen, views, **terms))
    for c in curves:
        if "warning" in c.definition and not as_json:
            echo(f"note: {c.measure}, {c.window}: {c.definition['warning']}", err=True)
    if as_json:
        entries = [_entry(c, curve) for c in curves]
        for entry, spread in zip(entries, folds, strict=False):
            entry |= {"value": spread.mean, "sd": spread.sd, "folds": list(spread.values)}
            entry |= {"low": spread.low, "high": spread.high}
        click.echo(json.dumps(plain(entries), indent=1))
        return
    if curve:
        bounds = ["low", "high"] if curves[0].low is not None else []
        echo("\t".join(["measure", "window", curves[0].axis, "value", *bounds]))
        for c in curves:
            lines = [x.tolist() for x in (c.value, c.low, c.high) if x is not None]
            for at, *values in zip(c.at.tolist(), *lines, strict=True):
                cells = [c.measure, c.window, str(at), *map(_shown, values)]
                echo("\t".join(cells))
        return
    width = max(len(c.measure) for c in curves)
    for c, spread in zip(curves, folds, strict=False):
        value = f"{_shown(spread.mean)} ± {_shown(float(f'{spread.sd:.3g}'))}"
        echo(f"{c.measure:<{width}}  {c.window:<16}  {value}  [{_shown(spread.low)}, "
             f"{_shown(spread.high)}]")  # fmt: skip
    if folds:
        echo(f"mean ± standard deviation over {len(folds[0])} folds [corrected 95 % interval]")
        return
    for c in curves:
        echo(f"{c.measure:<{width}}  {c.window:<16}  {_shown(c.final)}{_interval(c)}")
    definition = curves[0].definition
    echo(
        ", ".join(
            f"{k}: {definition[k]}" for k in ("items", "coverage", "cold_start") if k in definition
        )
    )


def _entry(c: Curve, whole: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "measure": c.measure,
        "window": c.window,
        "value": c.final,
        "definition": dict(c.definition),
    }
    for name, bound in (("low", c.low), ("high", c.high)):
        if bound is not None:
            entry[name] = float(bound[-1]) if len(bound) else math.nan
    if whole:
        entry["axis"] = c.axis
        entry["at"] = c.at.tolist()
        entry["curve"] = c.value.tolist()
        for name, bound in (("low_curve", c.low), ("high_curve", c.high)):
            if bound is not None:
                entry[name] = bound.tolist()
    return entry


def _interval(c: Curve) -> str:
    if c.low is None or c.high is None:
        return ""
    return f"  [{_shown(float(c.low[-1]))}, {_shown(float(c.high[-1]))}]"


def _shown(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.6g}"
