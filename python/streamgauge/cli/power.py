"""`streamgauge power`: how many items a comparison needs."""

from __future__ import annotations

import json

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.comparisons._checks import Side
from streamgauge.comparisons._items_needed import items_needed
from streamgauge.comparisons._text import about


@click.command()
@click.option("--gap", type=float, required=True, help="Difference of mean losses that matters.")
@click.option(
    "--disagreement",
    type=float,
    required=True,
    help="Share of items on which exactly one of the two is wrong.",
)
@click.option(
    "--dependence",
    type=float,
    default=1.0,
    show_default=True,
    help="Number of items that one effective item takes; 1 if errors are independent.",
)
@click.option(
    "--alpha", default=0.05, show_default=True, help="Probability of a wrong winner, at any time."
)
@click.option(
    "--side",
    type=click.Choice(["either", "a", "b"]),
    default="either",
    show_default=True,
    help="Alternative hypothesis: either is better, the first (a), or the second (b).",
)
@click.option(
    "--spell",
    default=200,
    show_default=True,
    help="Longest mean spell of luck, in items, that must not name a winner.",
)
@options.as_json
def command(
    gap: float,
    disagreement: float,
    dependence: float,
    alpha: float,
    side: Side,
    spell: int,
    as_json: bool,
) -> None:
    """Say about how many items `compare` needs to name the better of two learners."""
    found = items_needed(gap, disagreement, dependence, alpha=alpha, side=side, spell=spell)
    if as_json:
        click.echo(json.dumps({"items": found}, indent=1))
        return
    echo(
        f"About {about(found)} items: half of the comparisons with a gap of {gap:g} are decided by "
        "then."
    )
