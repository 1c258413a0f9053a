"""`measure_recovery`: the logs of a recovery analysis, measured again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamgauge.errors import LogError, ParameterError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log, read_log
from streamgauge.log._verify_log import other_cell
from streamgauge.log.card import read_card
from streamgauge.measures._compute import needs_scores
from streamgauge.names import imports_of
from streamgauge.recovery_analysis._analyse import RESAMPLES
from streamgauge.recovery_analysis._below import SHARE
from streamgauge.recovery_analysis._saturation_level import LAST
from streamgauge.recovery_analysis.recovery_panel import Recovery
from streamgauge.recovery_runs._assemble import assemble
from streamgauge.recovery_runs._bound_curve import BoundKind, check_bound
from streamgauge.recovery_runs._measure_options import MeasureOptions
from streamgauge.recovery_runs._runs import LOGS, JobRun, Measuring
from streamgauge.recovery_runs._stored import NAME, Stored, read_stored
from streamgauge.repetitions._spread import LEVEL
from streamgauge.summaries._builder import ColdStart


@plain_numbers
@reported_by("measure_recovery", "measure", "recovery")
def measure_recovery(
    folder: Path | str,
    measure: Any = "",
    window: Any = None,
    *,
    every: int | None = None,
    bound: BoundKind | None = None,
    share: float = SHARE,
    last: float = LAST,
    saturation_levels: tuple[float, float] | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    cold_start: ColdStart | None = None,
) -> Recovery:
    """Measure the logs that `recovery` has kept, in any measure and window; nothing is run.

    Parameters
    ----------
    folder
        The folder of the analysis.
    measure, window, every, bound, share, last, saturation_levels, level, resamples, cold_start
        As in `recovery`; a measure, window or bound that is omitted is the run's own.
        `bound="cross"` needs logs that were made with it, and a measure of scores logs that have
        them.

    Examples
    --------
    >>> import tempfile
    >>> import streamgauge as sg
    >>> streams = {"before": "sea(1)", "after": "sea(3)", "items": 2000}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = sg.recovery("nb", **streams, repetitions=2, folder=folder)
    ...     again = sg.measure_recovery(folder)
    ...     other = sg.measure_recovery(folder, "kappa", "sliding(100)")
    >>> again.panels[0].values == found.panels[0].values
    True
    >>> other.measure, other.panels[0].bound is None
    ('kappa', True)
    """
    if bound is not None:
        check_bound(bound)
    place = Path(folder)
    stored = read_stored(place)
    setup = stored.setup
    options = _options(
        stored,
        measure,
        window,
        every,
        bound,
        (share, last, level, resamples, cold_start, saturation_levels),
    )
    measuring: Measuring | None = None
    runs: dict[str, list[JobRun]] = {}
    for learner, roles in stored.logs.items():
        runs[learner] = []
        for repetition in range(setup.repetitions):
            found = JobRun(learner, repetition, {}, {})
            for role, names in roles.items():
                log = _read(place, names[repetition])
                if measuring is None:
                    measuring = options.measuring(log.schema, setup.items, stored.late)
                crossed = role.startswith("cross")
                if crossed and (options.bound != "cross" or not measuring.measure.averages):
                    continue
                _check_scores(place, names[repetition], measuring)
                if crossed:
                    found.crossed[role] = measuring.final(log)
                else:
                    found.curves[role] = measuring.curve(log)
            runs[learner].append(found)
    if measuring is None:
        raise LogError(f"{place / NAME}: must list logs, got none; run it again")
    analysis = options.analysis(measuring, setup.seed, stored.about)
    bounds = options.bounds(measuring, setup.items, setup.span)
    return assemble(setup, runs, analysis, bounds, stored.notes, stored.name)


def _options(
    stored: Stored, measure: Any, window: Any, every: int | None, bound: Any, others: Any
) -> MeasureOptions:
    """What is given, and the run's own where it is not; another window has its own step."""
    own = stored.measured
    for kind, given in (("measure", measure), ("window", window)):
        # A folder may come from elsewhere: it names nothing that would be imported.
        text = own.get(kind, "")
        if text and not given and (code := imports_of(kind, text)):
            raise ParameterError(
                f"measure_recovery: {kind} must be given, as that of the run imports "
                f"{', '.join(code)}, got none"
            )
    check_bound(own.get("bound", "levels"))
    if every is None and window is None:
        every = own.get("every")
    # The bound of the run may not exist for another measure, and a note then says so.
    return MeasureOptions(
        measure or own.get("measure", ""),
        own.get("window") if window is None else window,
        every,
        bound or own.get("bound", "levels"),
        *others,
    )


def _check_scores(folder: Path, name: str, measuring: Measuring) -> None:
    """Raise if the measure needs scores and the logs have none."""
    if needs_scores([measuring.measure]) and not read_card(folder / LOGS / name).scores:
        raise LogError(
            f"measure_recovery: {measuring.measure} needs logs with scores, got those in {folder} "
            "without; run recovery with this measure and folder"
        )


def _read(folder: Path, name: str) -> Log:
    place = folder / LOGS / name
    if not place.is_dir():
        raise LogError(f"{place}: must be a log, got no such folder; run the analysis again")
    card = read_card(place)
    if card.cell != name:
        raise other_cell(place, name, card.cell)
    log = read_log(place)
    if not log.complete:
        raise LogError(f"{place}: must be complete, got an interrupted log; run the analysis again")
    return log
