"""`streamgauge delay-sweep`: score against delay and share of missing labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain, print_table
from streamgauge.cli.sources import source_stream
from streamgauge.engine import check_learner
from streamgauge.errors import ParameterError
from streamgauge.late.sweeping import Sweep, sweep
from streamgauge.measures._measuring import check_measures
from streamgauge.names import known, make
from streamgauge.plots import delay_sweep, save
from streamgauge.plots.plotting import check_path
from streamgauge.progress import watcher
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import kind_of

DEFAULTS = {
    "classification": ["naive_bayes", "persistent", "majority_class"],
    "regression": ["recursive_least_squares", "last_value", "target_mean"],
}


@click.command()
@click.argument("source")
@options.stream_options
@click.option("--learners", "-l", default="", help="Learners, with commas: nb,hoeffding_tree.")
@click.option(
    "--delays",
    default="0,10,100,1000",
    show_default=True,
    help="Delays, with commas: numbers, or waits: exponential(100), pareto(10), bursts(500).",
)
@click.option(
    "--missing",
    default="0",
    show_default=True,
    help="Shares of labels that never come, with commas: 0,0.5.",
)
@click.option(
    "--unit", default="item", show_default=True, help="What a delay counts: item, s, min, h, day."
)
@click.option(
    "--protocol", "-p", default="delayed", show_default=True, help="delayed, or reevaluating(…)."
)
@click.option("--measure", "-m", default="", help="accuracy or mae unless given.")
@click.option("--take", type=click.IntRange(min=1), help="Only the first so many items.")
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw it: .svg, .pdf."
)
@options.seed
@options.as_json
@options.quiet
def command(
    source: str,
    learners: str,
    delays: str,
    missing: str,
    unit: str,
    protocol: str,
    measure: str,
    take: int | None,
    plot: Path | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """See what late and missing labels cost learners on SOURCE, a file or a stream's name."""
    waits = [_wait(text) for text in options.split(delays)]
    shares = [_share(text) for text in options.split(missing)]
    plan = make("protocol", protocol)
    if plot is not None:
        check_path(plot)
    stream = source_stream("delay-sweep", source, take, reading)
    names = options.split(learners) or DEFAULTS[stream.schema.task]
    chosen = {name: make("learner", name) for name in names}
    for learner in chosen.values():
        check_learner(learner, stream.schema)
    if measure:
        check_measures([measure], ["whole"], stream.schema)
    found = sweep(
        stream,
        chosen,
        waits,
        shares,
        measure=measure,
        unit=unit,
        protocol=plan,
        seed=seed or 0,
        watch=lambda title: watcher(title, quiet),
    )
    if plot is not None:
        save(delay_sweep.draw(delay_sweep.data(found.points), found.measure, found.unit), plot)
    if as_json:
        said = {
            "stream": found.stream,
            "measure": found.measure,
            "unit": found.unit,
            "points": [
                {name: getattr(p, name) for name in p.__dataclass_fields__} for p in found.points
            ],
        }
        click.echo(json.dumps(plain(said), indent=1))
    elif not quiet:
        click.echo(f"{found.stream}: {found.measure} by delay ({found.unit})")
        print_table(_table(found))


def _wait(text: str) -> Any:
    try:
        return float(text) if "." in text and "(" not in text else int(text)
    except ValueError:
        pass
    if text.partition("(")[0] not in known("wait"):
        waits = ", ".join(known("wait"))
        raise ParameterError.of("delay-sweep", "--delays", f"numbers or waits ({waits})", text)
    return make("wait", text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ParameterError.of("delay-sweep", "--missing", "shares from 0 to 1", text)
    return share


def _table(found: Sweep) -> Table:
    delays = list(dict.fromkeys(p.delay for p in found.points))
    shares = list(dict.fromkeys(p.missing for p in found.points))
    kind = kind_of(found.measure)
    end: Literal["low", "high"] = "low" if found.best == 0 else "high"
    columns = [Column("learner", "learner")]
    if len(shares) > 1 or shares[0]:
        columns.append(Column("missing", "missing", "share"))
    columns += [Column(f"d{i}", by, kind, end) for i, by in enumerate(delays)]
    rows = []
    for share in shares:
        for learner in dict.fromkeys(p.learner for p in found.points):
            scores = found.of(learner, share)
            more = [share] if len(columns) > 1 + len(delays) else []
            rows.append(Row((learner, *more, *(scores[by] for by in delays))))
    return Table(tuple(columns), tuple(rows))
