"""Sources of losses: sequences, and learners on streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from streamgauge.detectors.losses import LossColdStart, losses
from streamgauge.engine import run
from streamgauge.errors import DataError, ParameterError, StreamgaugeError, error_line
from streamgauge.log.about import name_of
from streamgauge.names import installed, known, make
from streamgauge.seeds import child
from streamgauge.streams._named_stream import is_file, named_stream
from streamgauge.types import F64, I64, Drift, Stream

LEARNERS = {"classification": "naive_bayes", "regression": "recursive_least_squares"}
"""The learner by default, by task."""


@dataclass(frozen=True, slots=True)
class Losses:
    """Losses of one repetition; `item` has their items, None if they are those of all items."""

    loss: F64
    items: int
    item: I64 | None = None


@dataclass(frozen=True, slots=True)
class SequenceSource:
    """A sequence of losses, drawn again in each repetition."""

    name: str
    sequence: Any

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """The known drifts."""
        return tuple(self.sequence.drifts)

    @property
    def simulated(self) -> bool:
        """Whether a stream without known drifts has none."""
        return True

    def losses(self, seed: int) -> Losses:
        """The losses of one repetition."""
        try:
            drawn: Any = self.sequence.losses(seed)
            loss = np.ascontiguousarray(drawn, np.float64)
        except StreamgaugeError:
            raise
        except (Exception, SystemExit) as error:
            raise ParameterError(
                f"{self.name}: losses(seed) failed: {error_line(error)}"
            ) from error
        if loss.ndim != 1:
            must = f"{self.name}: losses(seed) must return one number per item"
            raise ParameterError(f"{must}, got an array of shape {loss.shape}")
        return Losses(loss, len(loss))


@dataclass(frozen=True, slots=True)
class StreamSource:
    """The errors of a learner on a stream."""

    name: str
    stream: Stream
    learner: object
    cold_start: LossColdStart
    drifts: tuple[Drift, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "drifts", self.stream.schema.drifts)

    @property
    def simulated(self) -> bool:
        """Whether a stream without known drifts has none: unknown."""
        return False

    def losses(self, seed: int) -> Losses:
        """The losses of one repetition."""
        log = run(self.stream, self.learner, seed=seed, threads=1)
        parts: list[F64] = []
        items: list[I64] = []
        for pairs in log.labelled_predictions():
            loss, has = losses(pairs.label, pairs.prediction, self.cold_start)
            parts.append(loss[has])
            items.append(np.asarray(pairs.items, np.int64)[has])
        count = sum(int((rows.turn == 0).sum()) for rows in log.predictions())
        if not count:
            raise DataError(f"evaluate_detectors: {self.name} must have items, got none")
        return Losses(np.concatenate(parts), count, np.concatenate(items))


Source = SequenceSource | StreamSource


def named_sources(given: Any, learner: object, cold_start: LossColdStart) -> tuple[Source, ...]:
    """The sources of losses: of one, several, or a mapping; names are made into objects."""
    if isinstance(given, Mapping):
        made = {str(name): named_source(one) for name, one in given.items()}
    else:
        several = isinstance(given, Sequence) and not isinstance(given, str)
        objects = [named_source(one) for one in (given if several else [given])]
        made = {}
        for one in objects:
            name = _name(one)
            if name in made:
                raise ParameterError.of(
                    "evaluate_detectors",
                    "streams",
                    "of different names (give a mapping from names to streams)",
                    name,
                )
            made[name] = one
    if not made:
        raise ParameterError.of("evaluate_detectors", "streams", "at least one", given)
    return tuple(_source(name, one, learner, cold_start) for name, one in made.items())


def named_source(given: Any) -> Any:
    """A sequence of losses or a stream; the text of either is read."""
    if not isinstance(given, str):
        return given
    head = given.partition("(")[0].strip()
    if head in known("loss_sequence") or head in installed("loss_sequence"):
        return make("loss_sequence", given)
    if ":" in head and not is_file(given):  # module:object is either
        own = make("loss_sequence", given)
        if hasattr(own, "losses"):
            return own
    return named_stream(given)


def _name(one: Any) -> str:
    name = getattr(one, "name", None)
    return name if isinstance(name, str) else name_of(one)


def _source(name: str, one: Any, learner: object, cold_start: LossColdStart) -> Source:
    if hasattr(one, "losses") and hasattr(one, "drifts"):
        return SequenceSource(name, one)
    if hasattr(one, "schema") and hasattr(one, "batches"):
        return StreamSource(name, one, learner or LEARNERS[one.schema.task], cold_start)
    must = "streams or sequences of losses, by name or as objects"
    raise ParameterError.of("evaluate_detectors", "streams", must, one)


def repetition_seed(seed: int, source: str, repetition: int) -> int:
    """The seed of one repetition of a stream, the same for all detectors."""
    return child(seed, "repetition", source, repetition)
