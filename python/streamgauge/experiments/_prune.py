"""Removal of the cells of a run folder that its experiment does not name."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from streamgauge.experiments._cells import cells
from streamgauge.experiments._events import append_event
from streamgauge.experiments._experiment import read_stored
from streamgauge.experiments._run_experiment import locked_run, unused_cells
from streamgauge.experiments.spec import Spec
from streamgauge.files import disk_errors, sync_folder


@dataclass(frozen=True, slots=True)
class Pruned:
    """A cell that was removed, or would be, and its size in bytes."""

    cell: str
    bytes: int


def prune(folder: Path | str, keep: Sequence[Spec] = (), *, dry_run: bool = False) -> list[Pruned]:
    """Remove the cells of a run folder that its experiment does not name.

    Parameters
    ----------
    folder
        The run folder; it is locked meanwhile.
    keep
        Other experiments whose cells stay too.
    dry_run
        Remove nothing; only list the cells.

    Examples
    --------
    >>> import tempfile
    >>> from streamgauge.experiments import Spec, run_experiment
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for learner in ("nb", "perceptron"):
    ...         logs = run_experiment(Spec(streams=["sea(items=50)"], learners=[learner]), folder)
    ...     [pruned.cell.rpartition("-")[0] for pruned in prune(folder)]
    ['sea-items-50-nb']
    """
    folder = Path(folder)
    experiment = read_stored(folder)
    kept = {cell.id for spec in keep for cell in cells(spec)}
    if dry_run:
        return [_measured(p) for p in unused_cells(experiment, folder) if p.name not in kept]
    with locked_run(folder):
        places = [p for p in unused_cells(experiment, folder) if p.name not in kept]
        found = [_measured(place) for place in places]
        for place in places:
            with disk_errors(place):
                shutil.rmtree(place)
                sync_folder(place.parent)
            append_event(folder, "prune", cell=place.name)
    return found


def _measured(place: Path) -> Pruned:
    return Pruned(place.name, sum(p.stat().st_size for p in place.rglob("*") if p.is_file()))
