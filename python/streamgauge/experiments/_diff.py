"""Differences between two run folders: which cells, which results, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from streamgauge.errors import LogError
from streamgauge.experiments._cells import Cell, cells
from streamgauge.experiments._experiment import Experiment, read_stored
from streamgauge.experiments.spec import FileStream
from streamgauge.log.card import Card, read_card

Outcome = Literal["equal", "different", "only_a", "only_b", "missing"]
"""Of a cell: the same tables, others, in one folder only, or in none yet."""

PRESENTED = ("title", "measures", "windows", "bands", "spell", "margin", "scores")
"""Keys of an experiment that change no cell."""


@dataclass(frozen=True, slots=True)
class CellDifference:
    """A place in the grid of two run folders: whether its results are equal, and why not.

    `why` states what the two cells depend on that differs (seed, versions, data), or which tables
    differ although they depend on the same.
    """

    stream: str
    learner: str
    protocol: str
    repetition: int
    outcome: Outcome
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunDifference:
    """The differences between two run folders.

    `settings` are keys of the experiments that change no result, with both values.
    """

    settings: dict[str, tuple[Any, Any]]
    cells: tuple[CellDifference, ...]

    @property
    def equal(self) -> bool:
        """Whether every cell of both has the same tables."""
        return all(cell.outcome == "equal" for cell in self.cells)


def diff(a: Path | str, b: Path | str) -> RunDifference:
    """Compare two run folders, cell by cell, by the checksums of their tables.

    Nothing that the folders name is made or imported, and tables are not read.

    Parameters
    ----------
    a, b
        The run folders.

    Examples
    --------
    >>> import tempfile
    >>> from streamgauge.experiments import Spec, run_experiment
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, seed in (("a", 1), ("b", 2)):
    ...         spec = Spec(streams=["sea(items=50)"], learners=["nb"], seed=seed)
    ...         logs = run_experiment(spec, f"{folder}/{name}")
    ...     (cell,) = diff(f"{folder}/a", f"{folder}/b").cells
    >>> cell.outcome, cell.why
    ('different', ('seed: 1 and 2',))
    """
    a, b = Path(a), Path(b)
    one, other = read_stored(a), read_stored(b)
    settings = {
        key: (getattr(one, key), getattr(other, key))
        for key in PRESENTED
        if getattr(one, key) != getattr(other, key)
    }
    return RunDifference(settings, tuple(_compared(_places(one, a), _places(other, b))))


Place = tuple[str, str, str, int]


def _places(experiment: Experiment, folder: Path) -> dict[Place, tuple[Cell, Path]]:
    """The cells of an experiment and their folders, by their place in the grid.

    Places do not depend on names: those of streams and learners may differ between experiments.
    """
    return {
        (_entry(cell.stream), cell.learner, cell.protocol, cell.repetition): (
            cell,
            folder / "cells" / cell.id,
        )
        for cell in cells(experiment)
    }


def _entry(stream: str | FileStream) -> str:
    """A stream as the experiment writes it, whatever its file contains."""
    return stream if isinstance(stream, str) else stream.model_dump_json(exclude={"fingerprint"})


def _compared(
    a: dict[Place, tuple[Cell, Path]], b: dict[Place, tuple[Cell, Path]]
) -> Iterator[CellDifference]:
    for place in dict.fromkeys((*a, *b)):
        cell, _ = a.get(place) or b[place]
        named = cell.source, cell.name or cell.learner, cell.protocol, cell.repetition
        if place not in b:
            yield CellDifference(*named, "only_a", ("the other experiment does not name it",))
        elif place not in a:
            yield CellDifference(*named, "only_b", ("the other experiment does not name it",))
        else:
            yield CellDifference(*named, *_of_both(*a[place], *b[place]))


def _of_both(a: Cell, at_a: Path, b: Cell, at_b: Path) -> tuple[Outcome, tuple[str, ...]]:
    """The outcome for a cell that both experiments name, and why it is not equal."""
    cards = _card(at_a), _card(at_b)
    if isinstance(cards[0], str) or isinstance(cards[1], str):
        reasons = tuple(card for card in cards if isinstance(card, str))
        there = [isinstance(card, Card) for card in cards]
        outcome: Outcome = "only_a" if there[0] else "only_b" if there[1] else "missing"
        return outcome, reasons
    causes = tuple(_causes(a, b))
    tables = [
        name
        for name in dict.fromkeys((*cards[0].tables, *cards[1].tables))
        if _sum(cards[0], name) != _sum(cards[1], name)
    ]
    # The identifier of the run is in each table, so that tables of other cells always differ.
    if a.id == b.id and not tables:
        return "equal", ()
    if causes:
        return "different", causes
    return "different", (f"other tables of the same cell: {', '.join(tables)}",)


def _card(place: Path) -> Card | str:
    """The card of a complete cell, or why there is none."""
    if not place.exists():
        return f"{place}: was not run yet"
    try:
        card = read_card(place)
    except LogError as error:
        return str(error)
    return card if card.status == "complete" else f"{place}: is incomplete ({card.reason})"


def _sum(card: Card, name: str) -> object:
    found = card.tables.get(name)
    return None if found is None else (found.rows, found.checksum)


def _causes(a: Cell, b: Cell) -> Iterator[str]:
    """What two cells depend on that differs."""
    if a.seed != b.seed:
        yield f"seed: {a.seed} and {b.seed}"
    if a.content["stream"] != b.content["stream"]:
        yield "data: the files of the stream have other contents"
    version_a, libraries_a, files_a = a.made_with
    version_b, libraries_b, files_b = b.made_with
    if version_a != version_b:
        yield f"streamgauge: {version_a} and {version_b}"
    for one, other in zip(libraries_a, libraries_b, strict=True):
        for package in dict.fromkeys((*one, *other)):
            if one.get(package) != other.get(package):
                yield f"{package}: {one.get(package)} and {other.get(package)}"
    if files_a != files_b:
        yield f"data: other contents of {', '.join(dict.fromkeys((*files_a, *files_b)))}"
