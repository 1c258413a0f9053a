"""`verify_recovery`: check the logs that a recovery analysis has kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamgauge.errors import ParameterError, StreamgaugeError
from streamgauge.log._verify_log import Verified, verify_log
from streamgauge.progress import Progress
from streamgauge.recovery_runs._runs import LOGS
from streamgauge.recovery_runs._stored import NAME, analyses_in, is_analysis, read_stored


def holds_recovery(folder: Path) -> bool:
    """Whether a folder is that of a recovery analysis, or of the analyses of a file of pairs."""
    return is_analysis(folder) or bool(analyses_in(folder))


def verify_recovery(folder: Path | str, progress: Progress | None = None) -> list[Verified]:
    """Check the folder of a recovery analysis, or of several: one result per log.

    Every byte that is read later is compared with its checksum, as `verify` does for run folders:
    the list of logs, the cards and the tables. A log that the list names must be there and be that
    of its learner, stream and repetition. A log that it does not name is checked, too, and marked
    as not used. Nothing is changed, and nothing is run.

    Parameters
    ----------
    folder
        The folder of an analysis, or one with the folders of several.
    progress
        A function that is called with the number of bytes that were checked and that of all.

    Examples
    --------
    >>> import tempfile
    >>> import streamgauge as sg
    >>> from streamgauge.recovery_runs import verify_recovery
    >>> streams = {"before": "sea(1)", "after": "sea(3)", "items": 200}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = sg.recovery("nb", **streams, repetitions=2, folder=folder)
    ...     logs = verify_recovery(folder)
    >>> len(logs), {log.verdict for log in logs}, logs[0].name
    (6, {'whole'}, 'naive_bayes, pure-0, repetition 0')
    """
    place = Path(folder)
    if not holds_recovery(place):
        raise ParameterError(
            f"{place}: must be the folder of a recovery analysis with {NAME}, got none; check "
            "the path"
        )
    folders = [place] if is_analysis(place) else analyses_in(place)
    sizes = [path.stat().st_size for one in folders for path in one.glob(f"{LOGS}/*/*.parquet")]
    done = 0

    def advance(size: int) -> None:
        nonlocal done
        done += size
        if progress is not None:
            progress(done, sum(sizes))

    return [found for one in folders for found in _verified(one, one != place, advance)]


def _verified(folder: Path, one_of_several: bool, advance: Callable[[int], None]) -> list[Verified]:
    """The results for the logs of one analysis."""
    found: list[Verified] = []
    before = f"{folder.name}: " if one_of_several else ""
    expected: dict[str, str] = {}
    try:
        stored = read_stored(folder)
        before = f"{stored.name}: " if one_of_several and stored.name else before
        expected = {
            log: f"{before}{learner}, {role}, repetition {repetition}"
            for learner, roles in stored.logs.items()
            for role, logs in roles.items()
            for repetition, log in enumerate(logs)
        }
    except StreamgaugeError as error:
        found.append(Verified(f"{before}{NAME}", folder / NAME, "damaged", {}, (str(error),)))
    for log, title in expected.items():
        place = folder / LOGS / log
        if place.is_dir():
            found.append(verify_log(place, title, log, advance))
        else:
            wrong = f"{place}: must be a log, got no such folder; run the analysis again"
            found.append(Verified(title, place, "missing", {}, (wrong,)))
    for place in sorted(path for path in folder.glob(f"{LOGS}/*") if path.is_dir()):
        if place.name not in expected:
            one = verify_log(place, f"{before}{place.name}", place.name, advance)
            found.append(_unused(one) if expected else one)
    return found


def _unused(one: Verified) -> Verified:
    """The result for a log of an earlier call with other learners or drifts."""
    return Verified(
        f"{one.name} (not used)", one.folder, one.verdict, one.rows, one.wrong, used=False
    )
