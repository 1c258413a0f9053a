"""`recovery`: how well learners come back after a drift."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from streamgauge.engine import check_accepted
from streamgauge.engine._run import check_name
from streamgauge.errors import CellError, ParameterError, reported_by
from streamgauge.executors._executor import Executor
from streamgauge.executors.serial import Serial
from streamgauge.executors.threads import Threads
from streamgauge.experiments._attempts import NAME as ATTEMPTS
from streamgauge.experiments._attempts import remove_attempts
from streamgauge.files import check_no_links, disk_errors, make_folder
from streamgauge.kinds import plain_numbers
from streamgauge.learners._named_learners import named_learners
from streamgauge.locks import NAME as LOCK
from streamgauge.locks import lock_folder
from streamgauge.log.about import name_of
from streamgauge.measures._compute import needs_scores
from streamgauge.names import make, resolve
from streamgauge.processors import processors
from streamgauge.progress import Bar, Progress, watcher
from streamgauge.protocols import Delayed, Prequential
from streamgauge.recovery_analysis._analyse import RESAMPLES
from streamgauge.recovery_analysis._below import SHARE
from streamgauge.recovery_analysis._saturation_level import LAST
from streamgauge.recovery_analysis.recovery_panel import Recovery
from streamgauge.recovery_analysis.transition import (
    PlacedTransition,
    Transition,
    transition_of,
)
from streamgauge.recovery_runs._assemble import Setup, assemble
from streamgauge.recovery_runs._bound_curve import BoundKind, check_bound
from streamgauge.recovery_runs._checks import (
    check_delay,
    check_fit,
    check_names,
    check_numbers,
    check_protocol,
)
from streamgauge.recovery_runs._concepts import Concepts, read_concepts
from streamgauge.recovery_runs._measure_options import MeasureOptions
from streamgauge.recovery_runs._runs import LOGS, Job, JobRun, RunInputs, identity, run_job
from streamgauge.recovery_runs._stored import NAME, Stored, write_stored
from streamgauge.repetitions._spread import LEVEL
from streamgauge.summaries._builder import ColdStart

WHO = "recovery"


@plain_numbers
@reported_by(WHO, "measure", "run", WHO, "Transition")
def recovery(
    learners: object,
    *,
    before: Any,
    after: Any,
    drift: Any = "moderate",
    repetitions: int = 10,
    items: int | None = None,
    measure: Any = "",
    window: Any = None,
    every: int | None = None,
    bound: BoundKind = "levels",
    delay: Any = None,
    protocol: Any = None,
    permute: bool = True,
    share: float = SHARE,
    last: float = LAST,
    saturation_levels: tuple[float, float] | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    cold_start: ColdStart | None = None,
    seed: int = 0,
    folder: Path | str | None = None,
    name: str = "",
    executor: Executor | str = "",
    progress: Progress | bool = False,
) -> Recovery:
    """Recovery analysis: how well do learners come back after a drift?

    Each learner is evaluated on three streams: a pure stream before the drift, a pure stream after
    it, and their mixture, which drifts from the one to the other along a sigmoid. The pure streams
    are what can be reached; the curve of the mixture against theirs shows how much is lost, how
    long it takes to recover, and whether the recovery is complete. This is repeated over random
    permutations of the pure streams, each permuted by itself; item t of the mixture is item t of
    one of them. Curves are averaged over the repetitions and measured then.

    Parameters
    ----------
    learners
        A learner or its name, several of these, or a mapping from names to learners.
    before, after
        The pure streams: streams, names or files with equal features and classes. `after` may be a
        list: then the mixture drifts from each to the next. A stream that occurs again returns.
    drift
        `"slow"`, `"moderate"`, `"sudden"`, a width in items, `"theta=…"` or a `Transition`; or
        several of these, for which the pure streams are run once.
    repetitions
        Number of repetitions, at least 2: intervals are computed from their differences.
    items
        Number of items of each stream; that of the shorter one by default.
    measure, window, every
        The measure of the curves, by default accuracy or rmse, its window and the number of items
        between two points. By default each point is a block of a round number of items, such that
        there are at most 125 blocks.
    bound
        The bound on the optimal performance: by the saturation levels of the pure streams
        (`"levels"`), by their curves (`"curves"`), with tests of each model on the other stream
        (`"cross"`), or `"none"`. A measure that is no mean over items has none.
    delay
        Delay of the labels in items, or a delay of `streamgauge.delays`; curves are then in the
        order in which items arrive.
    protocol
        By default `Prequential()`, with delays `Delayed()`.
    permute
        Whether the pure streams are permuted. If not, repetitions differ by the draws of the
        mixture and the seeds of the learners only.
    share
        Share of the performance on a pure stream below which a learner has dropped.
    last
        Share of the points at the end of a pure curve whose mean is its saturation level.
    saturation_levels
        Instead: the saturation levels of both pure streams, for all learners.
    level, resamples
        Level of bands and intervals, and number of bootstrap samples of the repetitions.
    cold_start
        How an item without a prediction counts, as in `measure`.
    seed
        The seed of all.
    folder
        Where to keep the logs, so that `measure_recovery` can measure them again in another way.
        A second call runs only what is missing.
    name
        The name of the pair of streams in tables and reports, kept with the logs; the names of the
        streams by default.
    executor
        Where the runs take place: an executor of `streamgauge.executors`, or its name. By default
        `threads` for native learners, and `serial` for others.
    progress
        True for a progress bar, or a function of the number of finished runs and of all.

    Examples
    --------
    >>> import streamgauge as sg
    >>> found = sg.recovery(
    ...     ["naive_bayes", "resetting(naive_bayes, adwin)"],
    ...     before="sea(1)",
    ...     after="relabel(sea(1), 'invert')",
    ...     drift="sudden",
    ...     items=4000,
    ...     repetitions=4,
    ... )
    >>> for panel in found.panels:
    ...     print(panel.learner, panel.outcome, f"{panel.value('duration').value:.1%}")
    naive_bayes not recovered 48.8%
    resetting(naive_bayes, adwin) recovered 2.5%

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015).
    """
    check_numbers(repetitions, items, seed)
    check_names(name, permute)
    check_bound(bound)
    chosen = chosen_learners(learners)
    transitions = _transitions(drift)
    concepts = read_concepts(before, after, items, permute, seed)
    setup = _setup(concepts, transitions, repetitions, seed)
    check_delay(delay, setup.settings)
    if saturation_levels is not None and len(concepts.sequence) > 2:
        raise ParameterError.of(
            WHO, "saturation_levels", "omitted with several drifts", saturation_levels
        )
    schema = concepts.held[0].schema
    late = delay is not None or concepts.late
    options = MeasureOptions(
        measure, window, every, bound, share, last, level, resamples, cold_start, saturation_levels
    )
    measuring = options.measuring(schema, setup.items, late)
    scores = needs_scores([measuring.measure])
    for learner in chosen.values():
        check_accepted(learner, schema, scores)
    inputs = RunInputs(
        concepts.held,
        concepts.sequence,
        setup.settings,
        setup.items,
        permute,
        resolve("delay", delay),
        resolve("protocol", protocol) or (Delayed() if late else Prequential()),
        scores,
        bound == "cross" and bool(measuring.measure.averages),
        seed,
        concepts.fingerprint,
    )
    check_protocol(inputs.protocol)
    where = _executor(executor, chosen)
    place = None if folder is None else Path(folder)
    jobs = [
        Job(
            title,
            learner,
            _key(learner),
            repetition,
            inputs,
            measuring,
            place,
            max(1, processors() // where.width),
        )
        for repetition in range(repetitions)
        for title, learner in chosen.items()
    ]
    about = {
        "protocol": name_of(inputs.protocol),
        **({} if delay is None else {"delay": str(delay)}),
        "permuted": "each repetition by itself" if permute else "no",
    }
    with _locked(place):
        runs = _run(jobs, where, progress)
        notes = list(concepts.notes)
        if place is not None:
            logs = {
                title: {
                    role: [inputs.log_id(role, own, r) for r in range(repetitions)]
                    for role in inputs.roles()
                }
                for title, learner in chosen.items()
                for own in [identity(title, _key(learner))]
            }
            measured = {
                "measure": str(measuring.measure),
                "window": str(measuring.window),
                "every": every,
                "bound": bound,
            }
            write_stored(place, Stored(setup, logs, late, about, notes, name, measured))
    by_learner = {
        title: sorted((run for run in runs if run.name == title), key=lambda run: run.repetition)
        for title in chosen
    }
    analysis = options.analysis(measuring, seed, about)
    bounds = options.bounds(measuring, setup.items, setup.span)
    return assemble(setup, by_learner, analysis, bounds, notes, name)


def chosen_learners(given: object) -> dict[str, Any]:
    """Name -> learner; refuses none, and a name that a run would refuse."""
    chosen = named_learners(given)
    if not chosen:
        raise ParameterError.of(WHO, "learners", "at least one", given)
    for title, learner in chosen.items():
        if isinstance(learner, type) and hasattr(learner, "bind"):
            raise ParameterError.of(WHO, "learners", "objects, not their classes", learner)
        if title != name_of(learner):
            check_name(title, learner)
    return chosen


def _transitions(given: Any) -> list[Transition]:
    several = isinstance(given, list | tuple)
    found = [transition_of(one) for one in (given if several else [given])]
    if not found:
        raise ParameterError.of(WHO, "drift", "at least one", given)
    return list(dict.fromkeys(found))


def _setup(
    concepts: Concepts, transitions: Sequence[Transition], repetitions: int, seed: int
) -> Setup:
    """Place the transitions in the streams, and check that they fit."""
    drifts, items = len(concepts.sequence) - 1, concepts.items
    settings: list[tuple[PlacedTransition, ...]] = []
    for one in transitions:
        if one.t0 is not None and drifts > 1:
            raise ParameterError.of(WHO, "t0", "omitted with several drifts", one.t0)
        places = tuple(
            one.placed(items, items * nth / (drifts + 1), drifts) for nth in range(1, drifts + 1)
        )
        check_fit(places, items)
        settings.append(places)
    names = [one.name if one.t0 is None else f"{one.name} at {one.t0:.15g}" for one in transitions]
    return Setup(
        tuple(held.name for held in concepts.held),
        concepts.sequence,
        tuple(names),
        tuple(settings),
        items,
        repetitions,
        seed,
        concepts.held[0].schema.task,
        concepts.span,
    )


def _key(learner: Any) -> str:
    """The text that makes a learner again; empty for an object that has none."""
    own = type(learner).__module__.startswith("streamgauge.")
    return name_of(learner) if own else ""


def _executor(given: Executor | str, learners: Mapping[str, Any]) -> Executor:
    if not given:
        native = all(map(_key, learners.values()))
        return Threads() if native else Serial()
    made: Executor = make("executor", given) if isinstance(given, str) else given
    if not callable(getattr(made, "run", None)) or not hasattr(made, "width"):
        raise ParameterError.of(WHO, "executor", "an executor or the name of one", given)
    return made


def _run(jobs: Sequence[Job], executor: Executor, progress: Progress | bool) -> list[JobRun]:
    """Run the jobs; the first error ends it, and logs that are finished stay."""
    streams = len(list(jobs[0].inputs.roles()))
    watch = watcher(WHO, unit="runs") if progress is True else progress or None
    found: list[JobRun] = []
    try:
        for ended in executor.run(run_job, jobs, lambda: None):
            if ended.error is not None:
                raise ended.error
            if ended.died:
                title = f"{ended.job.name}, repetition {ended.job.repetition}"
                raise CellError({title: ended.died}, len(jobs))
            found.append(ended.result)
            if watch is not None:
                watch(len(found) * streams, len(jobs) * streams)
    finally:
        if isinstance(watch, Bar):
            watch.close()
    return found


@contextmanager
def _locked(folder: Path | None) -> Iterator[None]:
    """Lock the folder of an analysis, which is created if it does not exist."""
    if folder is None:
        yield
        return
    with disk_errors(folder):
        check_no_links(folder / name for name in (LOCK, NAME, LOGS, ATTEMPTS))
        if folder.is_dir() and any(folder.iterdir()) and not (folder / NAME).exists():
            known = {LOCK, LOGS, ATTEMPTS}
            others = [path.name for path in folder.iterdir() if path.name not in known]
            if others:
                raise ParameterError(
                    f"{WHO}: folder must be new, empty or that of an analysis, got {folder} with "
                    f"{others[0]}; choose another"
                )
        make_folder(folder)
        lock = lock_folder(folder)
    try:
        remove_attempts(folder)
        yield
        remove_attempts(folder)
    finally:
        lock.release()
