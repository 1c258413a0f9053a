"""Checkpoints: what a run needs to go on from the middle of its stream."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from streamgauge._core import NativeLearner
from streamgauge.log._folder_writer import Beginning, Written

EVERY_SECONDS = 30.0
"""Seconds between two checkpoints, unless others are requested."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a run after `items` items.

    `tables` is what the log has of each table; `states` one state per fold. `pickled`: they are
    pickles of Python objects, which only the user who wrote them may load. `pending` are the
    pending items of each fold after `chunks` chunks of events or orders. `last_labelled` is the
    largest item with a label; `in_order`: labels are in the order of items. `seconds` and
    `cpu_seconds` are those of the run so far.
    """

    items: int
    tables: Mapping[str, Written]
    states: Sequence[bytes]
    pickled: bool
    pending: Sequence[bytes] = ()
    chunks: int = 0
    last_labelled: int = -1
    in_order: bool = True
    seconds: float = 0.0
    cpu_seconds: float = 0.0


class CheckpointStore(Protocol):
    """Where a run finds its last checkpoint and puts the next."""

    def last(self) -> tuple[Checkpoint, Beginning] | tuple[None, None]:
        """The last checkpoint and the log that it belongs to; None if there is none."""

    def save(self, checkpoint: Checkpoint) -> None:
        """Save a checkpoint, durably; it replaces the last one."""


class CannotBeSavedError(Exception):
    """A learner has no state that can be saved."""


@dataclass(slots=True)
class Checkpoints:
    """The checkpoints of one run: at most one in `every` seconds.

    `items` is the number of items of the one that the run went on from; 0 if it began anew.
    `refused`: there was one, but its states could not be loaded. A learner that cannot be saved has
    none: `why` states the reason.
    """

    store: CheckpointStore
    every: float = EVERY_SECONDS
    why: str = ""
    items: int = 0
    refused: bool = False
    _next: float = field(init=False)

    def __post_init__(self) -> None:
        self._next = time.monotonic() + self.every

    def last(self) -> tuple[Checkpoint, Beginning] | tuple[None, None]:
        """The last checkpoint and the log that it belongs to."""
        return self.store.last()

    def save_if_due(self, make: Callable[[], Checkpoint]) -> None:
        """Make and save a checkpoint if it is time for the next one."""
        if self.why or time.monotonic() < self._next:
            return
        try:
            self.store.save(make())
        except CannotBeSavedError as error:
            self.why = str(error)
        self._next = time.monotonic() + self.every


def states_of(learners: Sequence[Any]) -> tuple[list[bytes], bool]:
    """The states of the folds, and whether they are pickles."""
    if all(isinstance(learner, NativeLearner) for learner in learners):
        return [learner.save() for learner in learners], False
    try:
        return [pickle.dumps(learner) for learner in learners], True
    except Exception as error:  # whatever the code of a model raises
        raise CannotBeSavedError(f"it cannot be pickled ({type(error).__name__})") from error


def restored(learners: Sequence[Any], checkpoint: Checkpoint) -> list[Any]:
    """The learners of a run with the states of a checkpoint."""
    if checkpoint.pickled:
        return [pickle.loads(state) for state in checkpoint.states]
    for learner, state in zip(learners, checkpoint.states, strict=True):
        learner.load(state)
    return list(learners)
