"""Saved selectors: whole they go on bit by bit, broken they are refused in a sentence."""

from __future__ import annotations

import random

import numpy as np
import pytest

from oracles.state_files import broken, refusal
from streamgauge.selectors import (
    FIRES,
    OFS,
    AllFeatures,
    InformationGain,
    LargestVariance,
    RandomFeatures,
)
from streamgauge.types import Feature, Schema

SPECS = [
    AllFeatures(),
    RandomFeatures(2, every=7),
    LargestVariance(2, every=5),
    InformationGain(2, window=30, every=11, bins=4),
    OFS(2),
    OFS(2, standardise=False),
    OFS(2, variant="float"),
    OFS(2, variant="partial"),
    FIRES(2, batch_size=13),
    FIRES(2, batch_size=13, standardise=False),
]
each = pytest.mark.parametrize("spec", SPECS, ids=repr)
NUMERIC = Schema(tuple(map(Feature, "abcde")), "y", ("no", "yes"))
MIXED = Schema((*map(Feature, "abcd"), Feature("e", ("u", "v", "w"))), "y", ("no", "yes", "maybe"))


def items(draw, schema, count):
    rows = draw.normal(size=(count, 5))
    rows[:, 4] = draw.integers(0, 3, count)
    rows[draw.random(rows.shape) < 0.05] = np.nan
    return rows, draw.integers(0, len(schema.classes), count).astype(np.int32)


@each
@pytest.mark.parametrize("schema", [NUMERIC, MIXED], ids=["numeric", "mixed"])
def test_a_selector_goes_on_bit_by_bit_after_save_and_load(spec, schema):
    rows, labels = items(np.random.default_rng(2), schema, 120)
    for at in (0, 1, 17, 64, 119):
        saved, other = spec.bind(schema, 3), spec.bind(schema, 3)
        saved.mask_and_learn(rows[:at], labels[:at], None, 0.0)
        other.load(saved.save())
        mine = other.mask_and_learn(rows[at:], labels[at:], None, 0.0)
        for one, two in zip(
            mine, saved.mask_and_learn(rows[at:], labels[at:], None, 0.0), strict=True
        ):
            np.testing.assert_array_equal(one, two)
        assert other.save() == saved.save()


@each
@pytest.mark.parametrize("schema", [NUMERIC, MIXED], ids=["numeric", "mixed"])
def test_a_broken_state_of_a_selector_is_refused_or_harmless(spec, schema):
    draw, numbers = random.Random(repr(spec)), np.random.default_rng(1)
    refused = 0
    for _ in range(60):
        trained, other = spec.bind(schema, 3), spec.bind(schema, 3)
        trained.mask_and_learn(*items(numbers, schema, draw.randrange(60)), None, 0.0)
        before = other.save()
        error = refusal(other, broken(trained.save(), draw))
        if error is None:
            other.mask_and_learn(*items(numbers, schema, 40), None, 0.0)
            assert other.memory() > 0
        else:
            refused += 1
            assert ": state must be" in error
            assert other.save() == before
    assert refused > 10


def test_a_selector_of_other_parameters_is_refused():
    with pytest.raises(ValueError, match=r"state must be that of ofs\(.*, got that of fires\("):
        OFS(2).bind(NUMERIC).load(FIRES(2).bind(NUMERIC).save())
    with pytest.raises(ValueError, match="state must be that of"):
        OFS(2).bind(NUMERIC).load(OFS(3).bind(NUMERIC).save())


@each
def test_learning_without_masks_learns_the_same(spec):
    rows, labels = items(np.random.default_rng(4), NUMERIC, 90)
    one, other = spec.bind(NUMERIC, 3), spec.bind(NUMERIC, 3)
    changed, sets = one.learn(rows, labels)
    expected = other.mask_and_learn(rows, labels, None, 0.0)[1:]
    np.testing.assert_array_equal(changed, expected[0])
    np.testing.assert_array_equal(sets, expected[1])
    assert one.save() == other.save()
    assert one.vitals()["selected_features"] == one.selected().sum()
