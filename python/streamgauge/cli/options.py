"""Options shared by several commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from streamgauge.comparisons._band_level import BandLevel, band_level

F = TypeVar("F", bound=Callable[..., Any])

UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
"""Units of a size."""


class Size(click.ParamType[int]):
    """A number of bytes: 500MB, 2GB, 1.5 GB."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of bytes."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([KMGT]?B|)", str(value).strip().upper())
        if found is None:
            self.fail(f"{value!r} must be a number of bytes such as 500MB or 2GB", param, ctx)
        return int(float(found[1]) * UNITS.get(found[2], 1))


SIZE = Size()

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
quiet = click.option("--quiet", "-q", is_flag=True, help="Print no progress and no table.")
seed = click.option("--seed", type=click.IntRange(min=0), help="Seed of all random numbers.")
report = click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the HTML report to write.",
)
plot = click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the figure: .svg or .pdf.",
)

LEARNERS = "Learners, separated by commas: nb,hoeffding_tree."
"""What `--learners` takes."""

allow_import = click.option(
    "--allow-import", is_flag=True, help="Import the code that the experiment names."
)
changes = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a value of the experiment: --set seed=3, --set streams.0.target=y.",
)


def level(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> BandLevel | None:
    """The level of a band that the value of an option states."""
    if value is None:
        return None
    return band_level(str(context.info_name), parameter.opts[0], value)


bands = click.option(
    "--bands",
    callback=level,
    metavar="LEVEL",
    help="Confidence level of bootstrap bands around the curves of the report: 0.95 (at each "
    "point) or time_uniform(0.95) (at all points together).",
)
spell = click.option(
    "--spell",
    type=int,
    default=200,
    show_default=True,
    help="Longest mean spell of luck, in items, that must not name a winner.",
)
margin = click.option(
    "--margin",
    type=float,
    help="Difference of mean losses that does not matter: also test whether they are as good.",
)
measures = click.option(
    "--measures",
    "-m",
    default="",
    help="Measures, separated by commas: accuracy,kappa,fbeta(beta=2).",
)
windows = click.option(
    "--windows",
    "-w",
    default="",
    help="Windows, separated by commas: whole,sliding(1000),fading(0.999).",
)


def stream_options(command: F) -> F:
    """Options for reading a data file: most parameters of `streams.open_stream`."""
    for option in reversed(
        (
            click.option("--target", help="Target column; the last one by default."),
            click.option("--time", help="Column with the time of each item."),
            click.option("--label-time", help="Column with the time of each label."),
            click.option("--weight", help="Column with the weight of each item."),
            click.option(
                "--separator", help="Separator of the cells of a CSV file; inferred by default."
            ),
            click.option(
                "--decimal",
                type=click.Choice([".", ","]),
                help="Decimal mark of the numbers in a CSV file; a point by default.",
            ),
            click.option(
                "--header/--no-header",
                default=None,
                help="Whether the first line of a CSV file holds names; inferred by default.",
            ),
            click.option("--drop", default="", help="Columns to leave out, separated by commas."),
            click.option("--nominal", default="", help="Nominal columns, separated by commas."),
            click.option("--classes", default="", help="Classes in order, separated by commas."),
            click.option(
                "--task",
                type=click.Choice(["classification", "regression"]),
                help="Task; inferred from the target by default.",
            ),
            click.option(
                "--impute",
                type=click.Choice(["mean", "last", "zero"]),
                help="Fill missing values with the mean, the last value or zero.",
            ),
            click.option(
                "--clock",
                type=click.Choice(["strict", "sort", "allow"]),
                help="Handling of decreasing times; strict (an error) by default.",
            ),
            click.option(
                "--unseen-class",
                type=click.Choice(["refuse", "grow"]),
                help="Handling of classes that are not declared; refuse by default.",
            ),
        )
    ):
        command = option(command)
    return command


def split(text: str) -> list[str]:
    """Split names at commas outside brackets.

    Examples
    --------
    >>> split("nb, fbeta(beta=2, average='macro'),kappa")
    ['nb', "fbeta(beta=2, average='macro')", 'kappa']
    """
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]
