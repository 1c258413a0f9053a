"""Checks of the arguments of a recovery analysis, before anything is run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, at_most, check_seed
from streamgauge.recovery_analysis.transition import PlacedTransition
from streamgauge.recovery_runs._measure_options import LEAST_POINTS

MOST_REPETITIONS = 10_000
"""Largest number of repetitions."""

MOST_ITEMS = 100_000_000
"""Largest number of items: the pure streams are held in memory."""

WHO = "recovery"


def check_numbers(repetitions: int, items: int | None, seed: int) -> None:
    """Raise unless the number of repetitions and items can be run."""
    at_least(WHO, "repetitions", repetitions, 1)
    if repetitions == 1:
        raise ParameterError(
            f"{WHO}: repetitions must be at least 2, got 1; one run does not show how much others "
            "would differ"
        )
    at_most(WHO, "repetitions", repetitions, MOST_REPETITIONS)
    if items is not None:
        at_least(WHO, "items", items, LEAST_POINTS)
        at_most(WHO, "items", items, MOST_ITEMS)
    check_seed(WHO, seed)


def check_names(name: object, permute: object) -> None:
    """Raise unless the name is text that can be printed and `permute` is yes or no."""
    if not isinstance(name, str) or (name and not (name.strip() and name.isprintable())):
        raise ParameterError.of(WHO, "name", "printable text", name)
    if not isinstance(permute, bool):
        raise ParameterError.of(WHO, "permute", "True or False", permute)


def check_protocol(protocol: Any) -> None:
    """Raise for a holdout: its test set is of the old stream, and predicted again and again."""
    if "test_set" in getattr(protocol, "about", {}):
        must = "one that predicts every item as it comes, such as prequential"
        raise ParameterError.of(WHO, "protocol", must, protocol)


def check_fit(places: Sequence[PlacedTransition], items: int) -> None:
    """Raise unless the drifts of a mixture are in it and do not overlap."""
    for place in places:
        if max(place.width, place.t0) > MOST_ITEMS:  # its end is a number that nobody can read
            raise ParameterError(
                f"{WHO}: streams must be longer than the drift, whose centre is item "
                f"{place.t0:.6g} and whose width is {place.width:.6g} items, got {items:,} items; "
                "give a smaller width or longer streams"
            )
    ends = [place.end for place in places]
    if ends[-1] > items or places[0].start < 2:
        raise ParameterError(
            f"{WHO}: streams must be longer than the drift, which is from item "
            f"{places[0].start:,} to {ends[-1]:,}, got {items:,} items; give a smaller width or "
            "longer streams"
        )
    for one, other in pairwise(places):
        if one.end > other.start:
            raise ParameterError(
                f"{WHO}: streams must be longer than their drifts, which overlap from item "
                f"{other.start:,} to {one.end:,}, got {items:,} items; give a smaller width or "
                "longer streams"
            )


def check_delay(delay: Any, settings: Sequence[Sequence[PlacedTransition]]) -> None:
    """Raise for a constant delay so long that no label is known when a drift begins."""
    if not isinstance(delay, int | float) or isinstance(delay, bool):
        return
    first = min(places[0].start for places in settings)
    if delay >= first:
        must = f"less than {first:,}, the item with which the drift begins"
        raise ParameterError.of(WHO, "delay", must, delay)
