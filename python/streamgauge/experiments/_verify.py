"""Verification of a folder: a log, or all cells of an experiment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal, overload

from streamgauge.errors import ParameterError, StreamgaugeError
from streamgauge.experiments._cells import NAME as CELL
from streamgauge.experiments._cells import Cell, cells, has_content
from streamgauge.experiments._experiment import NAME as SPEC
from streamgauge.experiments._experiment import read_stored
from streamgauge.experiments._kept_cells import made_with_words
from streamgauge.experiments._rerun import Rerun, Reruns, reruns
from streamgauge.experiments._values import wrong_values
from streamgauge.kinds import plain_numbers
from streamgauge.log._verify_log import Verified, verify_log
from streamgauge.log.card import NAME, RUN_AGAIN
from streamgauge.progress import Progress

REMOVE = "it is of another version and not used: remove its folder if you do not need it"
"""What to do about a log that no run repeats."""


@overload
def verify(
    folder: Path | str, progress: Progress | None = None, *, rerun: Literal[False] = False
) -> list[Verified]: ...


@overload
def verify(
    folder: Path | str,
    progress: Progress | None = None,
    *,
    rerun: Literal[True],
    sample: int | None = None,
    seed: int = 0,
    allow_import: bool = False,
    data: Path | str | None = None,
) -> list[Rerun]: ...


@plain_numbers
def verify(
    folder: Path | str,
    progress: Progress | None = None,
    *,
    rerun: bool = False,
    sample: int | None = None,
    seed: int = 0,
    allow_import: bool = False,
    data: Path | str | None = None,
) -> list[Verified] | list[Rerun]:
    """Check a log, or a run folder: one result per cell, in the order of the grid.

    Every byte that is read later is compared with its checksum: the spec, the cards and the
    tables. Tables are read to their end; their columns, number of rows and run must be those that
    the card states, and a cell must contain its own log. The values that are kept beside a log are
    computed again. Nothing is changed, and nothing is run.

    Checksums find accidents, not forgeries. With `rerun`, the cells of a run folder are run again
    from what it states, elsewhere, and their tables are compared with its own, row by row and bit
    by bit: a result was computed from this stream, learner, protocol and seed, or it is different.

    Parameters
    ----------
    folder
        The folder of a log, or the folder of a run.
    progress
        A function that is called with the number of bytes that were checked and that of all; with
        `rerun`, with the number of cells.
    rerun
        Whether to run cells again.
    sample, seed
        With `rerun`: run so many cells, drawn by `seed` from those that can be run here; all by
        default.
    allow_import
        With `rerun`: whether cells that name code outside streamgauge may import it. The folder
        chooses that code.
    data
        With `rerun`: the folder of the data files; by default the one that `folder` is in.

    Examples
    --------
    >>> import tempfile
    >>> import streamgauge as sg
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = sg.run("sea(items=100)", "nb", folder=f"{folder}/log")
    ...     (found,) = sg.verify(f"{folder}/log")
    >>> found.verdict, found.rows
    ('whole', {'predictions': 100, 'labels': 100, 'training': 100, 'vitals': 3})
    >>> from streamgauge.experiments import Spec, run_experiment
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     logs = run_experiment(Spec(streams=["sea(items=50)"], learners=["nb"]), folder)
    ...     [cell.outcome for cell in sg.verify(folder, rerun=True)]
    ['same']
    """
    folder = Path(folder)
    if rerun:
        where = None if data is None else Path(data)
        return _run_again(reruns(folder, where, sample, seed, allow_import), allow_import, progress)
    given = {"sample": sample, "data": data, "seed": seed or None, "allow_import": allow_import}
    for name, value in given.items():
        if value:
            raise ParameterError(
                f"verify: {name} is for cells that are run again, got {value!r}; give rerun=True"
            )
    if not (folder / NAME).exists() and not (folder / SPEC).exists():
        raise ParameterError(
            f"{folder}: must be the folder of a log or of a run, with {NAME} or {SPEC}, got none; "
            "check the path"
        )
    one_log = not (folder / SPEC).exists()
    tables = "*.parquet" if one_log else "cells/*/*.parquet"
    total = sum(map(_size, folder.glob(tables)))
    done = 0

    def advance(size: int) -> None:
        nonlocal done
        done += size
        if progress is not None:
            progress(done, total)

    if one_log:
        return [_with_values(verify_log(folder, folder.name, advance=advance))]
    found: list[Verified] = []
    expected: dict[str, str] = {}
    try:
        expected = {cell.id: _title(cell) for cell in cells(read_stored(folder))}
    except StreamgaugeError as error:
        found.append(Verified(SPEC, folder / SPEC, "damaged", {}, (str(error),)))
    for cell, title in expected.items():
        place = folder / "cells" / cell
        if not place.exists():
            wrong = f"{place}: must be the log of a cell, got no such folder; run the experiment"
            found.append(Verified(title, place, "missing", {}, (wrong,)))
        else:
            found.append(_with_content(verify_log(place, title, cell, advance)))
    for place in sorted(folder.glob("cells/*")):
        if place.name in expected or not _is_log(place):  # what another program has left
            continue
        one = _with_content(verify_log(place, place.name, place.name, advance))
        found.append(_unused(one) if expected else one)
    return found


def _title(cell: Cell) -> str:
    return f"{cell.title} (kept: {made_with_words(cell)})" if cell.kept else cell.title


def _run_again(to_run: Reruns, allow_import: bool, progress: Progress | None) -> list[Rerun]:
    found = []
    for one in to_run.results(allow_import):
        found.append(one)
        if progress is not None:
            progress(len(found), len(to_run.cells))
    return found


def _with_content(one: Verified) -> Verified:
    """The result for a cell, with those for its content and its values."""
    if one.verdict != "whole" or has_content(one.folder):
        return _with_values(one)
    wrong = f"{one.folder / CELL}: must state the content of its cell, got another; {RUN_AGAIN}"
    return replace(one, verdict="damaged", wrong=(*one.wrong, wrong))


def _with_values(one: Verified) -> Verified:
    """The result for a log, with that for the values that are kept beside it."""
    if one.verdict == "whole" and (wrong := wrong_values(one.folder)):
        return replace(one, verdict="damaged", wrong=(*one.wrong, wrong))
    return one


def _is_log(place: Path) -> bool:
    """Whether a folder has a card or a table."""
    return place.is_dir() and any(
        file.name == NAME or file.suffix in (".parquet", ".arrows") for file in place.iterdir()
    )


def _size(path: Path) -> int:
    """The size of a file; 0 if a run has moved it since, or if it cannot be read."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _unused(one: Verified) -> Verified:
    """The result for a cell of another version: checked, but no run or report uses it."""
    wrong = tuple(text.replace(RUN_AGAIN, REMOVE) for text in one.wrong)
    return replace(one, name=f"{one.name} (not used)", wrong=wrong, used=False)
