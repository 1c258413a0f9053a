"""State files: whole they continue a learner bit by bit, broken they are refused in a sentence."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.state_files import broken, refusal
from samples.examples import examples
from samples.learners import EVERY
from streamgauge import _core
from streamgauge.types import Feature, Schema

FEATURES = (
    Feature("size"),
    Feature("colour", ("red", "green", "blue")),
    Feature("age"),
    Feature("height"),
)
ITEMS = 600


def bound(spec):
    return spec.bind(Schema(FEATURES, "y", "ab" if spec.task == "classification" else None), seed=5)


AROUND = [spec for spec in EVERY if not isinstance(bound(spec), _core.NativeLearner)]
NATIVE = [spec for spec in EVERY if isinstance(bound(spec), _core.NativeLearner)]


@pytest.fixture(scope="module")
def stream():
    """Rows with holes and undeclared values, and labels that follow them and then turn round."""
    draw = np.random.default_rng(1)
    rows = draw.normal(size=(ITEMS, len(FEATURES)))
    rows[:, 1] = draw.integers(0, 4, ITEMS)
    real = rows[:, 0] + (rows[:, 1] == 2) + np.where(np.arange(ITEMS) < ITEMS // 2, 1, -3)
    rows[draw.random(rows.shape) < 0.02] = np.nan
    real[np.isnan(real)] = 0.0
    return rows, {"regression": real, "classification": (real > 0).astype(np.int32)}


@pytest.mark.parametrize("spec", EVERY, ids=repr)
@given(at=st.integers(0, ITEMS))
@settings(deadline=None, max_examples=examples(10))
def test_a_learner_continues_bit_by_bit_after_save_and_load(spec, stream, at):
    rows, labels = stream[0], stream[1][spec.task]
    saved, other = bound(spec), bound(spec)
    saved.test_then_train(0, rows[:at], labels[:at])
    other.load(saved.save())
    expected = saved.test_then_train(at, rows[at:], labels[at:])
    np.testing.assert_array_equal(other.test_then_train(at, rows[at:], labels[at:]), expected)
    assert other.save() == saved.save()
    assert other.vitals() == saved.vitals()


def try_broken_states(spec, stream, times):
    rows, labels = stream[0], stream[1][spec.task]
    refused = 0
    draw = random.Random(repr(spec))
    trained = bound(spec)
    for turn in range(times):
        if turn % 100 == 0 and turn // 100 * 60 < ITEMS:
            part = slice(turn // 100 * 60, turn // 100 * 60 + 60)
            trained.learn(rows[part], labels[part])
            state = trained.save()
        learner = bound(spec)
        before = learner.save()
        error = refusal(learner, broken(state, draw))
        if error is None:  # numbers that can be so; then it must be able to work
            learner.test_then_train(0, rows[:50], labels[:50])
            learner.vitals()
            assert learner.memory() > 0
        else:
            refused += 1
            assert error.startswith("learner: state must be")
            assert learner.save() == before
    assert refused > 0.15 * times


@pytest.mark.parametrize("spec", NATIVE, ids=repr)
def test_a_broken_state_is_refused_or_harmless(spec, stream):
    try_broken_states(spec, stream, 300)


@pytest.mark.slow
@pytest.mark.parametrize("spec", NATIVE, ids=repr)
def test_a_hundred_thousand_broken_states_are_refused_or_harmless(spec, stream):
    try_broken_states(spec, stream, 1 + 100_000 // len(NATIVE))


@pytest.mark.parametrize("spec", AROUND, ids=repr)
def test_a_changed_or_cut_state_of_a_learner_around_another_is_refused(spec, stream):
    rows, labels = stream[0], stream[1][spec.task]
    trained, draw = bound(spec), random.Random(repr(spec))
    trained.test_then_train(0, rows, labels)
    state = trained.save()
    cuts = [state[: draw.randrange(len(state))] for _ in range(100)]
    flips = []
    for at in range(len(state)):
        flips.append(state[:at] + bytes([state[at] ^ (1 << draw.randrange(8))]) + state[at + 1 :])
    learner = bound(spec)
    before = learner.save()
    for other in [*cuts, *draw.sample(flips, min(len(flips), 1500)), b"", state + b"more"]:
        assert refusal(learner, other).startswith("learner: state must be")
        assert learner.save() == before


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("spec", [NATIVE[0], NATIVE[-1]], ids=repr)
def test_a_state_of_an_older_format_is_refused(spec, version):
    learner = bound(spec)
    state = learner.save()
    old = state[:8] + version.to_bytes(8, "little") + state[16:]
    expected = (
        f"learner: state must be of version 4, got version {version}; train again, the format has "
        "changed"
    )
    assert refusal(learner, old) == expected
    assert learner.save() == state
