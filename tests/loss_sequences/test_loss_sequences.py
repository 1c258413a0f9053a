"""Sequences of losses: their levels, drifts and seeds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from streamgauge.errors import ParameterError
from streamgauge.loss_sequences import Bernoulli, Normal
from streamgauge.loss_sequences._loss_sequence import level_of_items
from streamgauge.names import make
from streamgauge.streams import SEA, drift


def slow_level(t, at, levels, width):
    """The level at an item: one concept after the other, along sigmoids."""
    level = levels[0]
    for nth, centre in enumerate(at):
        old, new = levels[nth % len(levels)], levels[(nth + 1) % len(levels)]
        if width <= 1:
            level = new if t >= centre else level
        else:
            level += (new - old) / (1 + np.exp(-4 * (t - centre) / width))
    return level


@pytest.mark.parametrize("width", [0, 1, 30])
@pytest.mark.parametrize("at", [(), (40,), (40, 90, 150)])
def test_the_level_is_that_of_the_definition(at, width):
    found = level_of_items(200, at, (0.1, 0.5, 0.3), width)
    expected = [slow_level(t, at, (0.1, 0.5, 0.3), width) for t in range(200)]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_bernoulli_losses_have_the_rates_of_their_concepts():
    sequence = Bernoulli(items=40_000, at=(10_000, 30_000), levels=(0.2, 0.6))
    losses = sequence.losses(seed=4)
    assert set(losses) == {0.0, 1.0}
    for part, rate in ((losses[:10_000], 0.2), (losses[10_000:30_000], 0.6)):
        assert stats.binomtest(int(part.sum()), len(part), rate).pvalue > 1e-4
    assert abs(np.corrcoef(losses[10_001:30_000], losses[10_000:29_999])[0, 1]) < 0.03


def test_normal_losses_have_the_means_of_their_concepts():
    losses = Normal(items=20_000, at=(10_000,), levels=(1, -2), sd=3).losses(seed=4)
    for part, mean in ((losses[:10_000], 1), (losses[10_000:], -2)):
        assert stats.kstest((part - mean) / 3, "norm").pvalue > 1e-4


def test_losses_depend_on_the_seed_alone():
    for sequence in (Bernoulli(at=(50,), items=100), Normal(at=(50,), items=100)):
        assert sequence.losses(3).tolist() == sequence.losses(3).tolist()
        assert sequence.losses(3).tolist() != sequence.losses(4).tolist()


def test_a_gradual_drift_is_known_as_that_of_a_stream():
    stream = drift(SEA(1), SEA(2), at=1000, width=100)
    assert Bernoulli(items=2000, at=(1000,), width=100).drifts == stream.schema.drifts


def test_a_sequence_is_made_from_its_text():
    sequence = make("loss_sequence", "bernoulli(items=500, at=[100], levels=[0.1, 0.2])")
    assert sequence == Bernoulli(500, (100,), (0.1, 0.2))
    assert make("loss_sequence", sequence.name) == sequence


@pytest.mark.parametrize(
    ("make_it", "sentence"),
    [
        (lambda: Bernoulli(items=0), "Bernoulli: items must be at least 1, got 0"),
        (
            lambda: Bernoulli(items=100, at=(100,)),
            "Bernoulli: at must be increasing items below 100, the number of items, got (100,)",
        ),
        (lambda: Bernoulli(at=(0,)), "Bernoulli: at must be at least 1, got 0"),
        (lambda: Bernoulli(levels=(0.1, 1.5)), "Bernoulli: levels must be from 0 to 1, got"),
        (
            lambda: Normal(at=(5,), levels=(1,)),
            "Normal: levels must be numbers, at least two if there is a drift, got (1,)",
        ),
        (lambda: Normal(sd=-1), "Normal: sd must be a number, at least 0, got -1"),
        (lambda: Normal(width=-1), "Normal: width must be at least 0, got -1"),
    ],
)
def test_a_wrong_parameter_is_named(make_it, sentence):
    with pytest.raises(ParameterError) as caught:
        make_it()
    assert str(caught.value).startswith(sentence)
