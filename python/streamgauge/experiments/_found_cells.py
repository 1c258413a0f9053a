"""The cells of a run folder that is read, with the names that tables give them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from streamgauge.errors import LogError
from streamgauge.experiments._cells import Cell, cells
from streamgauge.experiments._experiment import Experiment
from streamgauge.experiments.spec import FileStream
from streamgauge.log._verify_log import other_cell
from streamgauge.log.card import Card, read_card


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A cell of an experiment: its id, its folder and the card of its log; None: not run yet.

    `stream` and `learner` are as the experiment writes them, and identify them in it; a learner
    that has a name of the user's own has that.
    """

    cell: Cell
    id: str
    stream: str
    place: Path
    card: Card | None

    @property
    def learner(self) -> str:
        """Name of the learner."""
        return self.cell.name or self.cell.learner

    @property
    def complete(self) -> Card | None:
        """The card, if the log is complete."""
        return self.card if self.card is not None and self.card.status == "complete" else None


def found_cells(experiment: Experiment, folder: Path) -> Iterator[FoundCell]:
    """The cells of an experiment in the order of its grid; a damaged card is an error."""
    names: dict[str | FileStream, str] = {}
    parent = folder / "cells"
    for cell in cells(experiment):
        if cell.stream not in names:
            names[cell.stream] = _unused(cell.source, set(names.values()))
        found = cell.id
        place = parent / found
        yield FoundCell(cell, found, names[cell.stream], place, _card(place, found))


def _unused(name: str, used: set[str]) -> str:
    """The name, with a number if other streams (files of one name) have it."""
    nth, unused = 1, name
    while unused in used:
        nth += 1
        unused = f"{name} #{nth}"
    return unused


def _card(place: Path, cell: str) -> Card | None:
    try:
        card = read_card(place)
    except LogError:
        if place.exists():
            raise
        return None
    if card.cell != cell:
        raise other_cell(place, cell, card.cell)
    return card


def left_out(found: list[FoundCell], folder: Path) -> str:
    """The sentence about cells that have no complete log; nothing if all have one."""
    missing = sum(one.card is None for one in found)
    incomplete = sum(one.complete is None for one in found) - missing
    parts = [
        *([f"{missing} that were not run yet"] if missing else []),
        *([f"{incomplete} whose logs are incomplete"] if incomplete else []),
    ]
    if not parts:
        return ""
    return (
        f"{folder}: the table has no values of {missing + incomplete} of {len(found)} cells: "
        f"{' and '.join(parts)}; run the experiment again"
    )
