"""The cells of a run folder that is read, with the names that tables give them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from streamgauge.errors import LogError
from streamgauge.experiments._cells import Cell, cells
from streamgauge.experiments._experiment import Experiment
from streamgauge.log._verify_log import other_cell
from streamgauge.log.card import NAME as CARD
from streamgauge.log.card import RUN_AGAIN, Facts, read_facts


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A cell of an experiment, its id, its folder, and what the card of its log states.

    `facts` is None if it was not run yet. `stream` and `learner` are as the experiment writes them,
    and identify them in it; a learner that has a name of the user's own has that.
    """

    cell: Cell
    id: str
    stream: str
    place: str
    facts: Facts | None

    @property
    def learner(self) -> str:
        """Name of the learner."""
        return self.cell.name or self.cell.learner

    @property
    def status(self) -> str:
        """That of its log; `missing` if it was not run yet."""
        return "missing" if self.facts is None else self.facts.status


def found_cells(experiment: Experiment, folder: Path) -> Iterator[FoundCell]:
    """The cells of an experiment in the order of its grid; a damaged card is an error."""
    for cell in cells(experiment):
        found = cell.id
        place = f"{folder}/cells/{found}"
        yield FoundCell(cell, found, cell.source, place, _facts(place, cell, found))


def _facts(place: str, cell: Cell, found: str) -> Facts | None:
    try:
        facts = read_facts(place)
    except LogError:
        if Path(place).exists():
            check_card(Path(place), cell.title)
            raise
        return None
    if facts.cell != found:
        raise other_cell(Path(place), found, facts.cell)
    return facts


def check_card(place: Path, title: str) -> None:
    """Refuse the folder of a cell that has lost its card."""
    if not (place / CARD).is_file():
        raise LogError(f"{place}: {title} must have a {CARD}, got none; {RUN_AGAIN}")


def left_out(statuses: Counter[str], folder: Path) -> str:
    """The sentence about cells that have no complete log; nothing if all have one."""
    total = statuses.total()
    missing = statuses["missing"]
    incomplete = total - missing - statuses["complete"]
    parts = [
        *([f"{missing} that were not run yet"] if missing else []),
        *([f"{incomplete} whose logs are incomplete"] if incomplete else []),
    ]
    if not parts:
        return ""
    return (
        f"{folder}: the table has no values of {missing + incomplete} of {total} cells: "
        f"{' and '.join(parts)}; run the experiment again"
    )
