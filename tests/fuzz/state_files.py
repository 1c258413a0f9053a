"""Saved states of learners and detectors: changed words, most often under a fitting checksum."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.kind import Difference, Input, Progress
from oracles.state_files import broken, sealed
from samples.learners import EVERY
from streamgauge import _core, detectors
from streamgauge.errors import ParameterError
from streamgauge.types import Feature, Schema
from streamgauge.windows import Fading, Sliding

FIRST_CHECK = "frame and checksum are right"
REFUSED = re.compile(r"(learner|detector): state must be ")
FEATURES = (Feature("size"), Feature("colour", ("red", "green", "blue")), Feature("age"))
DETECTORS: list[tuple[Any, Any]] = [
    (detectors.ADWIN(0.5), None), (detectors.DDM(), Fading(0.99)), (detectors.EDDM(), None),
    (detectors.HDDMA(), None), (detectors.HDDMW(), None), (detectors.RDDM(), None),
    (detectors.KSWIN(window_size=20, stat_size=5), None), (detectors.PageHinkleyRatio(), None),
    (detectors.PageHinkley(0.0, 5.0), Sliding(30)), (detectors.RandomAlarms(0.01), None),
]  # fmt: skip


def _bound(nth: int) -> Any:
    if nth >= len(EVERY):
        spec, window = DETECTORS[nth - len(EVERY)]
        return spec.bind(seed=3, window=window)
    spec = EVERY[nth]
    return spec.bind(
        Schema(FEATURES, "y", ("a", "b") if spec.task == "classification" else None), 5
    )


@cache
def _stream(task: str) -> tuple[Any, Any]:
    draw = np.random.default_rng(1)
    rows = draw.normal(size=(400, len(FEATURES)))
    rows[:, 1] = draw.integers(0, 4, len(rows))
    real = rows[:, 0] + np.where(np.arange(len(rows)) < 200, 1, -3)
    rows[draw.random(rows.shape) < 0.02] = np.nan
    return rows, np.nan_to_num(real) if task == "regression" else (real > 0).astype(np.int32)


@cache
def _state(nth: int, learned: int) -> bytes:
    """The state after so many items."""
    thing = _bound(nth)
    if nth >= len(EVERY):
        thing.observe_many((np.random.default_rng(2).random(learned) < 0.3).astype(float))
    else:
        rows, labels = _stream(EVERY[nth].task)
        thing.test_then_train(0, rows[:learned], labels[:learned])
    saved: bytes = thing.save()
    return saved


def draw(draw: random.Random) -> Input:
    """The state of a random learner or detector, changed."""
    nth = draw.randrange(len(EVERY) + len(DETECTORS))
    state = _state(nth, draw.choice((0, 7, 60, 400)))
    if isinstance(_bound(nth), _core.NativeLearner | _core.NativeDetector):
        state = broken(state, draw)
    elif state:
        state = _around(draw, state)
    return Input({"state": state}, {"nth": nth})


def _around(draw: random.Random, state: bytes) -> bytes:
    """The state of a learner around another: one of the states inside changed, or any byte."""
    at = draw.randrange(len(state))
    if draw.random() < 0.5:
        return state[:at] + bytes([state[at] ^ (1 << draw.randrange(8))]) + state[at + 1 :]
    return state[:at]


def run(given: Input, folder: Path, progress: Progress) -> None:
    """Load the state; it is refused and changes nothing, or the learner works."""
    nth, state = given.call["nth"], given.files["state"]
    thing = _bound(nth)
    before = thing.save()
    words = [int.from_bytes(state[i : i + 8], "little") for i in range(0, len(state) - 8, 8)]
    progress.past = state[:16] == before[:16] and sealed(words) == state
    try:
        thing.load(state)
    except ValueError as error:
        if thing.save() != before:
            raise Difference("a refused state has changed the learner: it must not") from None
        if REFUSED.match(str(error)):  # the core has no classes of errors
            raise ParameterError(str(error)) from None
        raise
    if nth >= len(EVERY):
        thing.observe_many((np.random.default_rng(4).random(300) < 0.5).astype(float))
    else:
        rows, labels = _stream(EVERY[nth].task)
        thing.test_then_train(0, rows[:50], labels[:50])
        thing.vitals()
    if thing.memory() <= 0:
        raise Difference(f"memory of a loaded state: {thing.memory()}")
    again = _bound(nth)
    again.load(thing.save())
    if again.save() != thing.save():
        raise Difference("a loaded state that is saved and loaded again: differs")
