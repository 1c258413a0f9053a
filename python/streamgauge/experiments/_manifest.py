"""Manifest of a run folder: what its results were made from, with, and on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from streamgauge.errors import LogError
from streamgauge.experiments._cells import cells
from streamgauge.experiments._experiment import read_stored
from streamgauge.experiments.spec import FileStream, Spec
from streamgauge.log._log_differences import versions_in
from streamgauge.log.card import Card, read_card


@dataclass(frozen=True, slots=True)
class Origin:
    """The machine and the versions that cells were run with.

    `cells` are their ids. `machine` has the operating system, the processor, numbers of cores and
    processors, memory in GiB and the version of pyarrow; `versions` those of streamgauge, Python,
    NumPy and the learner's library.
    """

    machine: Mapping[str, str | int]
    versions: Mapping[str, str]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a run folder states about its results.

    `spec` is the experiment, `seeds` are those of its cells, `data` holds the fingerprints of its
    files. `origins` has one entry per machine and set of versions; cells that were run later may be
    of others. `without_log` are the cells that have none.
    """

    spec: Mapping[str, Any]
    seeds: tuple[int, ...]
    data: Mapping[str, str]
    origins: tuple[Origin, ...]
    without_log: tuple[str, ...]


def manifest(folder: Path | str) -> Manifest:
    """The manifest of a run folder, from `experiment.json` and the cards of its cells.

    Nothing that the folder names is made or imported, and no table is read.

    Examples
    --------
    >>> import tempfile
    >>> from streamgauge.experiments import Spec, run_experiment
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     spec = Spec(streams=["sea(items=50)"], learners=["nb"], seed=7)
    ...     logs = run_experiment(spec, folder)
    ...     found = manifest(folder)
    >>> found.seeds, len(found.origins), len(found.origins[0].cells)
    ((7,), 1, 1)
    """
    folder = Path(folder)
    experiment = read_stored(folder)
    grid = list(cells(experiment))
    data = {
        str(stream.file): stream.fingerprint
        for stream in experiment.all_streams()
        if isinstance(stream, FileStream)
    }
    for files in experiment.files.values():
        data |= files
    origins: dict[tuple[Any, ...], Origin] = {}
    without_log = []
    for cell in grid:
        card = _card(folder / "cells" / cell.id)
        if card is None:
            without_log.append(cell.id)
            continue
        versions = versions_in(card.about)
        key = (tuple(card.machine.items()), tuple(versions.items()))
        same = origins.get(key)
        ids = (cell.id,) if same is None else (*same.cells, cell.id)
        origins[key] = Origin(card.machine, versions, ids)
    return Manifest(
        experiment.model_dump(mode="json", include=set(Spec.model_fields)),
        tuple(dict.fromkeys(cell.seed for cell in grid)),
        data,
        tuple(origins.values()),
        tuple(without_log),
    )


def _card(place: Path) -> Card | None:
    """The card of a cell; None if it has none that can be read."""
    try:
        return read_card(place)
    except LogError:
        return None
