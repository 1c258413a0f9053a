"""The runs of one learner in one repetition, and the curves of their logs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from streamgauge._core import VERSION
from streamgauge.engine._run import run_cell
from streamgauge.errors import LogError
from streamgauge.experiments._attempts import new_attempt, put_in_place, remove_attempts_of
from streamgauge.log import Log, read_log
from streamgauge.log._verify_log import is_complete
from streamgauge.log.about import name_of
from streamgauge.log.card import NAME as CARD
from streamgauge.log.card import read_card
from streamgauge.measures._compute import measure as measured
from streamgauge.measures._measure import Measure
from streamgauge.protocols import Holdout
from streamgauge.recovery_analysis.transition import PlacedTransition
from streamgauge.recovery_runs._held import Held
from streamgauge.seeds import child
from streamgauge.streams._concatenate import concatenate
from streamgauge.streams._delay import Delay
from streamgauge.streams._mix import Mix
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import Curve, Stream
from streamgauge.windows._window import Window

LOGS = "logs"
"""The folder of logs in the folder of an analysis."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """How a log becomes a curve."""

    measure: Measure[Any]
    window: Window
    every: int | None
    cold_start: ColdStart | None
    clock: Literal["label", "predicted"]

    def curve(self, log: Log) -> Curve:
        """The curve of a log over its stream."""
        return measured(
            log,
            self.measure,
            self.window,
            every=self.every,
            cold_start=self.cold_start,
            clock=self.clock,
        )

    def final(self, log: Log) -> float:
        """The value of the last test of a log with a test set."""
        return measured(log, self.measure, cold_start=self.cold_start).final


@dataclass(frozen=True, slots=True)
class RunInputs:
    """What is run for every learner and repetition.

    `concepts` are the pure streams, each once, and `sequence` is their order in the mixture;
    `settings` holds the transitions of each mixture. `cross`: the model of each pure stream is also
    tested on the others. `fingerprint` identifies the data.
    """

    concepts: tuple[Held, ...]
    sequence: tuple[int, ...]
    settings: tuple[tuple[PlacedTransition, ...], ...]
    items: int
    permute: bool
    delay: Any
    protocol: Any
    scores: bool
    cross: bool
    seed: int
    fingerprint: str

    def roles(self) -> Iterator[str]:
        """The names of the streams of a repetition."""
        yield from (f"pure-{nth}" for nth in range(len(self.concepts)))
        yield from (f"mixture-{nth}" for nth in range(len(self.settings)))
        if self.cross:
            yield from (f"cross-{a}-{b}" for a, b in self.crossed())

    def crossed(self) -> list[tuple[int, int]]:
        """Concepts that follow each other, in both directions."""
        pairs = list(pairwise(self.sequence))
        return list(dict.fromkeys(p for a, b in pairs for p in ((a, b), (b, a)) if a != b))

    def transition_of(self, role: str) -> tuple[PlacedTransition, ...]:
        """The transitions of a mixture; none for another stream."""
        kind, _, nth = role.partition("-")
        return self.settings[int(nth)] if kind == "mixture" else ()

    def log_id(self, role: str, learner: str, repetition: int) -> str:
        """The name of a log: a hash of everything that it depends on ends it."""
        places = [(place.t0, place.width) for place in self.transition_of(role)]
        kind = role.split("-")
        mixed = self.sequence if kind[0] == "mixture" else kind[1:]
        content = [
            VERSION,
            self.fingerprint,
            kind[0],
            list(map(str, mixed)),
            places,
            self.items,
            self.permute,
            str(self.delay),
            name_of(self.protocol),
            self.seed,
            repetition,
            learner,
        ]
        digest = blake2b(json.dumps(content).encode(), digest_size=5).hexdigest()
        slug = re.sub(r"[^a-z0-9]+", "-", learner.lower()).strip("-")[:40]
        return f"{role}-{slug}-{repetition}-{digest}"


@dataclass(frozen=True, slots=True)
class Job:
    """The runs of one learner in one repetition.

    `key` is the text that makes the learner again; empty if it is an object without one, whose
    logs are not used again.
    """

    name: str
    learner: Any
    key: str
    repetition: int
    inputs: RunInputs
    measuring: Measuring
    folder: Path | None
    threads: int = 1


def identity(name: str, key: str) -> str:
    """What identifies a learner in the names of its logs: its name, and the text that makes it.

    One learner under two names has two logs, each with its name.
    """
    return f"{name}: {key}" if key and key != name else name


@dataclass(frozen=True, slots=True)
class JobRun:
    """The curve of each stream, and the value of each test of a model on another stream."""

    name: str
    repetition: int
    curves: dict[str, Curve]
    crossed: dict[str, float]


def run_job(job: Job) -> JobRun:
    """Run a learner on the streams of a repetition, as far as logs are missing, and measure it."""
    streams = _Streams(job.inputs, job.repetition)
    curves: dict[str, Curve] = {}
    crossed: dict[str, float] = {}
    for role in job.inputs.roles():
        log = _log(job, streams, role)
        if role.startswith("cross"):
            crossed[role] = job.measuring.final(log)
        else:
            curves[role] = job.measuring.curve(log)
    return JobRun(job.name, job.repetition, curves, crossed)


class _Streams:
    """The streams of one repetition; the pure ones are made once, when one is used."""

    def __init__(self, inputs: RunInputs, repetition: int) -> None:
        self._inputs = inputs
        self._repetition = repetition
        self._made: dict[int, Held] = {}

    @property
    def seed(self) -> int:
        """The seed of the runs of the repetition, the same for all learners."""
        return child(self._inputs.seed, "recovery", "repetition", self._repetition)

    def of(self, role: str) -> tuple[Stream, Any]:
        """The stream and the protocol of a role."""
        inputs = self._inputs
        kind, *numbers = role.split("-")
        if kind == "cross":
            trained, tested = (self._pure(int(nth)) for nth in numbers)
            size = len(tested.batch)
            protocol = Holdout(size, len(trained.batch), ignore_delays=True)
            return concatenate(tested, trained), protocol
        stream: Stream
        if kind == "pure":
            stream = self._pure(int(numbers[0]))
        else:
            stream = self._mixture(inputs.settings[int(numbers[0])])
        if inputs.delay is not None:
            stream = Delay(stream, inputs.delay)
        return stream, inputs.protocol

    def _pure(self, nth: int) -> Held:
        if nth not in self._made:
            inputs = self._inputs
            source = inputs.concepts[nth]
            # Each concept has a permutation of its own, though its items may be those of another.
            own = child(self.seed, "permutation", str(nth))
            made = (
                source.permuted(own, inputs.items) if inputs.permute else source.first(inputs.items)
            )
            self._made[nth] = made
        return self._made[nth]

    def _mixture(self, places: tuple[PlacedTransition, ...]) -> Stream:
        """The mixture, position by position; a returning stream goes on at the same position."""
        inputs = self._inputs
        first: Stream = self._pure(inputs.sequence[0])
        steps = zip(inputs.sequence[1:], places, strict=True)

        def mixed(old: Stream, step: tuple[int, PlacedTransition]) -> Stream:
            nth, place = step
            return Mix(old, self._pure(nth), width=place.width, t0=place.t0)

        return reduce(mixed, steps, first)


def _log(job: Job, streams: _Streams, role: str) -> Log:
    """The log of a run; read if it is there."""
    if job.folder is None:
        stream, protocol = streams.of(role)
        return _run(job, streams, stream, protocol, None, "")
    cell = job.inputs.log_id(role, identity(job.name, job.key), job.repetition)
    place = job.folder / LOGS / cell
    if job.key and _is_whole(place, cell, job.inputs.scores):
        return read_log(place)
    stream, protocol = streams.of(role)
    attempt = new_attempt(job.folder, cell)
    _run(job, streams, stream, protocol, attempt, cell)
    put_in_place(attempt, place)
    remove_attempts_of(job.folder, cell)
    return read_log(place)


def _run(
    job: Job, streams: _Streams, stream: Stream, protocol: Any, folder: Path | None, cell: str
) -> Log:
    log, _ = run_cell(
        stream,
        job.learner,
        protocol,
        name=job.name if job.name != name_of(job.learner) else None,
        seed=streams.seed,
        scores=job.inputs.scores,
        folder=folder,
        progress=False,
        threads=job.threads,
        vitals_every=0,
        cell=cell,
    )
    return log


def _is_whole(place: Path, cell: str, scores: bool) -> bool:
    """Whether a log is there that can be used: complete, and with scores if they are needed."""
    try:
        if not (place / CARD).is_file() or (scores and not read_card(place).scores):
            return False
        return is_complete(place, cell)
    except LogError:  # damaged: it is run again
        return False
