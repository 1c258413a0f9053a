"""Cells of a run folder, run again from what the folder states, and compared with its logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from streamgauge.engine._run import processors, run_cell
from streamgauge.errors import DiskError, ParameterError, StreamgaugeError, error_line
from streamgauge.experiments._cells import Cell, cells, settled_again
from streamgauge.experiments._experiment import NAME as SPEC
from streamgauge.experiments._experiment import read_stored, settle
from streamgauge.experiments.spec import FileStream, stream_of
from streamgauge.files import disk_errors
from streamgauge.kinds import at_least
from streamgauge.log._log_differences import (
    TableDifference,
    log_differences,
    version_differences,
)
from streamgauge.log._verify_log import verify_log
from streamgauge.log.card import read_card
from streamgauge.names import CATALOG, imports_of, make
from streamgauge.progress import Progress
from streamgauge.seeds import child

Outcome = Literal["same", "different", "unverified", "failed"]

TRUSTED = "which is code that the folder chooses; give allow_import=True if you trust its origin"
"""What to do about a cell that needs code outside streamgauge."""


@dataclass(frozen=True, slots=True)
class Rerun:
    """A cell that was run again, or why it was not.

    `outcome` is `same` (every row of every table is equal bit for bit), `different`, `unverified`
    (it needs code that may not be imported, or was made with other versions or data than there are
    here) or `failed` (there is no whole log to compare with, or the cell could not be run).
    `rows` is the number of rows per table that were compared, `differences` has the first one of
    each table, and `why` states reasons.
    """

    name: str
    folder: Path
    outcome: Outcome
    rows: dict[str, int]
    differences: tuple[TableDifference, ...] = ()
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reruns:
    """The cells of a run folder with the reasons why they are not run again; none if they are.

    `left_out` is the number of cells that could be run and are not, since they were not drawn.
    """

    folder: Path
    cells: tuple[tuple[Cell, tuple[str, ...]], ...]
    left_out: int

    def imports(self) -> list[str]:
        """What the cells that are run import, each once."""
        run = (cell for cell, reasons in self.cells if not reasons)
        return list(dict.fromkeys(name for cell in run for name in outside(cell)))

    def results(
        self, allow_import: bool, progress: Callable[[Cell], Progress] | None = None
    ) -> Iterator[Rerun]:
        """Run each cell in turn, and compare it with its log."""
        for cell, reasons in self.cells:
            if reasons:
                place = self.folder / "cells" / cell.id
                yield Rerun(cell.title, place, "unverified", {}, why=reasons)
            else:
                yield _result(cell, self.folder, allow_import, progress)


def reruns(
    folder: Path, data: Path | None, sample: int | None, seed: int, allow_import: bool
) -> Reruns:
    """The cells of a run folder, in the order of the grid, and why some cannot be run here.

    Of those that can, `sample` are drawn. Nothing is imported.
    """
    if sample is not None:
        at_least("verify", "sample", sample, 1)
    at_least("verify", "seed", seed, 0)
    if not (folder / SPEC).exists():
        raise ParameterError(
            f"{folder}: must be the folder of a run, with {SPEC}, to be run again, got none; "
            "check the path"
        )
    if data is not None and not data.is_dir():
        raise ParameterError(f"verify: data must be an existing folder, got {str(data)!r}")
    stored = read_stored(folder)
    where = folder.resolve().parent if data is None else data
    now = settle(stored.spec().in_folder(where), imports=False)
    found = []
    for cell in cells(stored):
        here = settled_again(cell, now)
        found.append((here, cell, tuple(_reasons(cell, here, where, allow_import))))
    able = [cell.id for _, cell, reasons in found if not reasons]
    chosen = set(able)
    if sample is not None:
        chosen = set(sorted(able, key=lambda name: child(seed, "sample", name))[:sample])
    return Reruns(
        folder,
        tuple(
            (cell if reasons else here, reasons)
            for here, cell, reasons in found
            if reasons or cell.id in chosen
        ),
        len(able) - len(chosen),
    )


def _reasons(stored: Cell, here: Cell, where: Path, allow_import: bool) -> Iterator[str]:
    """Why a cell cannot be run here with what it was made with."""
    version, libraries, files = stored.made_with
    version_here, libraries_here, files_here = here.made_with
    if version != version_here:
        yield f"made with streamgauge {version or 'unknown'}, here {version_here}"
    packages: dict[str, tuple[str, str]] = {}
    for one, other in zip(libraries, libraries_here, strict=True):
        packages |= {p: (one.get(p, ""), other.get(p, "")) for p in (*one, *other)}
    for package, (was, now) in packages.items():
        if was != now:
            yield f"made with {package} {was or 'unknown'}, here {now or 'none'}"
        elif not now:
            yield f"needs {package}, here none"
    changed = [name for name in (*files, *files_here) if files.get(name) != files_here.get(name)]
    if isinstance(stored.stream, FileStream) and isinstance(here.stream, FileStream):
        fingerprint = here.stream.fingerprint
        if stored.stream.fingerprint != fingerprint or not fingerprint:
            changed.append(str(stored.stream.file))
    for name in dict.fromkeys(changed):
        place = "the data folder" if name.startswith(CATALOG) else where
        advice = "set STREAMGAUGE_DATA" if name.startswith(CATALOG) else "give data='FOLDER'"
        yield (
            f"{name.removeprefix(CATALOG)} must be the file of the experiment in {place}, got none "
            f"or another content; {advice}"
        )
    if not allow_import and (names := outside(stored)):
        yield f"would import {', '.join(names)}, {TRUSTED}"


def outside(cell: Cell) -> list[str]:
    """What the names of a cell would import, each once."""
    texts = {"stream": cell.stream, "learner": cell.learner, "protocol": cell.protocol}
    return list(
        dict.fromkeys(
            name
            for family, text in texts.items()
            if isinstance(text, str)
            for name in imports_of(family, text)
        )
    )


def _result(
    cell: Cell, run: Path, imports: bool, progress: Callable[[Cell], Progress] | None
) -> Rerun:
    place = run / "cells" / cell.id
    if not place.exists():
        return Rerun(cell.title, place, "failed", {}, why=(f"{place}: was not run yet",))
    checked = verify_log(place, cell.title, cell.id)
    if checked.verdict != "whole":
        return Rerun(cell.title, place, "failed", {}, why=checked.wrong)
    with disk_errors(Path("the folder of temporary files")):
        temporary = TemporaryDirectory(prefix="streamgauge-rerun-")
    with temporary as elsewhere:
        again = Path(elsewhere) / "log"
        try:
            # A log that has scores serves an experiment that needs none.
            scores = read_card(place).scores
            _run(cell, again, scores, imports, progress)
            differences = tuple(log_differences(place, again))
        except DiskError:  # of this machine, not of the cell
            raise
        except Exception as error:  # noqa: BLE001 (the result of this cell; others follow)
            ours = isinstance(error, StreamgaugeError)
            return Rerun(
                cell.title, place, "failed", {}, why=(str(error) if ours else error_line(error),)
            )
        if not differences:
            return Rerun(cell.title, place, "same", checked.rows)
        why = tuple(version_differences(place, again))
    return Rerun(cell.title, place, "different", checked.rows, differences, why)


def _run(
    cell: Cell,
    folder: Path,
    scores: bool,
    imports: bool,
    progress: Callable[[Cell], Progress] | None,
) -> None:
    run_cell(
        stream_of(cell.stream, cell.folder, imports),
        make("learner", cell.learner, imports=imports),
        make("protocol", cell.protocol, imports=imports),
        seed=cell.seed,
        scores=scores,
        folder=folder,
        progress=progress(cell) if progress else False,
        threads=processors(),
        cell=cell.id,
    )
