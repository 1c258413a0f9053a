"""`streamgauge stability`: the effect of noise in the features."""

from __future__ import annotations

import json
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain, print_table
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import logs_by_learner
from streamgauge.plots import learning_curve, save
from streamgauge.plots._plot import check_path
from streamgauge.properties._stability import stability
from streamgauge.report._format import REPEATED
from streamgauge.report._stability_section import stability_table
from streamgauge.report.json import plain as numbers
from streamgauge.summaries._builder import ColdStart


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--measure", "-m", default="", help="Measure; error or mae by default.")
@click.option(
    "--window",
    "-w",
    default="tumbling(1000)",
    show_default=True,
    help="Window of the curves: tumbling(500), sliding(1000), fading(0.999), whole.",
)
@click.option("--every", type=click.IntRange(min=1), help="Number of items between two values.")
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
    help="Path of the figure of the noise variability: .svg, .pdf or .png.",
)
@options.as_json
def command(
    sources: tuple[Path, ...],
    measure: str,
    window: str,
    every: int | None,
    fold: int | None,
    cold_start: ColdStart | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Measure how much noise in the features changes predictions and measures.

    SOURCES are folders of logs of the protocol perturbed, or run folders of such logs.
    """
    if plot is not None:
        check_path(plot)
    logs = logs_by_learner("stability", sources)
    found = {
        name: stability(runs, measure, window, every=every, cold_start=cold_start, fold=fold)
        for name, runs in logs.items()
    }
    if plot is not None:
        lines = learning_curve.data({name: one.curve for name, one in found.items()})
        save(learning_curve.draw(lines, measure=next(iter(found.values())).curve.measure), plot)
    if as_json:
        entries = [{"learner": name, **numbers(one)} for name, one in found.items()]
        click.echo(json.dumps(plain(entries), indent=1))
        return
    table = stability_table(found)
    print_table(table)
    if table.repeated:
        echo(REPEATED)
    for noise in dict.fromkeys(one.noise for one in found.values() if one.noise):
        echo(f"noise: {noise}")
