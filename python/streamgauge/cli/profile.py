"""`streamgauge profile`: all properties of learners side by side."""

from __future__ import annotations

import csv
import json
import math
import sys
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain, print_table
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import logs_by_learner
from streamgauge.escapes import in_csv
from streamgauge.plots import radar, save
from streamgauge.plots._plot import check_path
from streamgauge.properties._profile import Profile
from streamgauge.report._format import REPEATED
from streamgauge.report._profile import profile
from streamgauge.report._profile_section import axis_table, score_table, value_table
from streamgauge.report.json import plain as numbers

COLUMNS = ("learner", "baseline", "property", "value", "score", "times_cheapest")
"""Columns of `--csv`."""


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the radar chart: .svg, .pdf or .png.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print one row per learner and property.")
@options.as_json
def command(sources: tuple[Path, ...], plot: Path | None, as_csv: bool, as_json: bool) -> None:
    """Show all properties of learners side by side, with those of the baselines.

    SOURCES are folders of logs of one stream, or a run folder of one stream.
    """
    if plot is not None:
        check_path(plot)
    logs = [log for runs in logs_by_learner("profile", sources).values() for log in runs]
    found = profile(logs)
    if plot is not None:
        save(radar.draw(radar.data(found), found.stream), plot)
    if as_json:
        click.echo(json.dumps(plain(numbers(found)), indent=1))
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(_rows(found))
    else:
        values = value_table(found)
        for table in (values, score_table(found), axis_table(found)):
            print_table(table)
            echo("")
        if values.repeated:
            echo(REPEATED)
        for name, why in found.missing.items():
            echo(f"not measured: {name}: {why}")


def _rows(found: Profile) -> list[list[str | float]]:
    """One row per learner and property; undefined cells are empty."""
    return [
        [
            in_csv(name),
            str(name in found.baselines).lower(),
            axis.key,
            *(
                "" if math.isnan(number) else number
                for number in (
                    float(axis.values[name]),
                    axis.scores[name],
                    axis.ratios.get(name, math.nan),
                )
            ),
        ]
        for name in found.learners
        for axis in found.axes
    ]
