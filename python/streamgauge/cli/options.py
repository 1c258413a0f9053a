"""Options that several commands share, written once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
quiet = click.option("--quiet", "-q", is_flag=True, help="No progress, no table.")
seed = click.option("--seed", type=click.IntRange(min=0), help="The seed of everything random.")
report = click.option(
    "--report", type=click.Path(dir_okay=False, path_type=Path), help="Write the HTML report here."
)
bands = click.option(
    "--bands",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Draw a band around each curve of the report that holds so many resampled ones: 0.95.",
)
measures = click.option(
    "--measures", "-m", default="", help="Measures, with commas: accuracy,kappa,fbeta(beta=2)."
)
windows = click.option(
    "--windows", "-w", default="", help="Windows, with commas: whole,sliding(1000),fading(0.999)."
)


def stream_options(command: F) -> F:
    """How a data file is read: the words of `streams.open_stream`."""
    for option in reversed(
        (
            click.option("--target", help="The column to be learnt; the last one unless given."),
            click.option("--time", help="The column with each item's time."),
            click.option("--label-time", help="The column with each label's time."),
            click.option("--weight", help="The column with each item's weight."),
            click.option("--separator", help="What divides a CSV's cells; found out unless given."),
            click.option(
                "--decimal",
                type=click.Choice([".", ","]),
                help="The decimal mark of a CSV's numbers; a point by default.",
            ),
            click.option(
                "--header/--no-header",
                default=None,
                help="Does a CSV begin with names? Found out unless given.",
            ),
            click.option("--drop", default="", help="Columns to leave out, with commas."),
            click.option("--nominal", default="", help="Columns that are nominal, with commas."),
            click.option("--classes", default="", help="The classes in order, with commas."),
            click.option(
                "--task",
                type=click.Choice(["classification", "regression"]),
                help="Inferred from the target unless given.",
            ),
            click.option(
                "--impute", type=click.Choice(["mean", "last", "zero"]), help="Fill missing values."
            ),
            click.option(
                "--clock",
                type=click.Choice(["strict", "sort", "allow"]),
                help="What to do when times step back; strict (refuse) unless given.",
            ),
            click.option(
                "--unseen-class",
                type=click.Choice(["refuse", "grow"]),
                help="What to do with a class that was not declared; refuse unless given.",
            ),
        )
    ):
        command = option(command)
    return command


def split(text: str) -> list[str]:
    """Names at commas, but not at those inside brackets.

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
