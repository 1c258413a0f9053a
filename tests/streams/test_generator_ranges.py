"""Both ends of the range of every number of a generator are accepted, and nothing beyond."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from streamgauge.errors import ParameterError
from streamgauge.streams import (
    LED,
    SEA,
    Agrawal,
    Friedman,
    HyperDistance,
    Hyperplane,
    Mixed,
    RandomRBF,
    RandomTree,
    Sine,
    Stagger,
    Waveform,
)
from streamgauge.streams._generated import Generated

RANGES: dict[str, tuple[type[Any], dict[str, Any], Any, Any]] = {
    "Agrawal.function": (Agrawal, {}, 1, 10),
    "Agrawal.perturbation": (Agrawal, {}, 0.0, 1.0),
    "Friedman.expansion": (Friedman, {}, 0, 3),
    "Friedman.noise": (Friedman, {}, 0.0, None),
    "HyperDistance.attributes": (HyperDistance, {"drifting": 0}, 1, 10_000),
    "HyperDistance.drifting": (HyperDistance, {"attributes": 5}, 0, 5),
    "HyperDistance.magnitude": (HyperDistance, {}, 0.0, None),
    "HyperDistance.reversal": (HyperDistance, {}, 0.0, 1.0),
    "HyperDistance.noise": (HyperDistance, {}, 0.0, None),
    "HyperDistance.model_seed": (HyperDistance, {}, 0, 2**64 - 1),
    "Hyperplane.attributes": (Hyperplane, {"drifting": 0}, 1, 10_000),
    "Hyperplane.drifting": (Hyperplane, {"attributes": 5}, 0, 5),
    "Hyperplane.magnitude": (Hyperplane, {}, 0.0, None),
    "Hyperplane.reversal": (Hyperplane, {}, 0.0, 1.0),
    "Hyperplane.noise": (Hyperplane, {}, 0.0, 1.0),
    "Hyperplane.model_seed": (Hyperplane, {}, 0, 2**64 - 1),
    "LED.noise": (LED, {}, 0.0, 1.0),
    "LED.drifting": (LED, {}, 0, 7),
    "Mixed.function": (Mixed, {}, 1, 2),
    "RandomRBF.classes": (RandomRBF, {}, 2, 10_000),
    "RandomRBF.attributes": (RandomRBF, {}, 1, 10_000),
    "RandomRBF.centroids": (RandomRBF, {}, 1, 10_000),
    "RandomRBF.moving": (RandomRBF, {"centroids": 5}, 0, 5),
    "RandomRBF.speed": (RandomRBF, {}, 0.0, None),
    "RandomRBF.model_seed": (RandomRBF, {}, 0, 2**64 - 1),
    "RandomTree.classes": (RandomTree, {}, 2, 10_000),
    "RandomTree.nominals": (RandomTree, {}, 0, 10_000),
    "RandomTree.numerics": (RandomTree, {}, 0, 10_000),
    "RandomTree.values": (RandomTree, {"max_depth": 1}, 2, 10_000),
    "RandomTree.max_depth": (RandomTree, {}, 0, None),
    "RandomTree.first_leaf_level": (RandomTree, {}, 0, None),
    "RandomTree.leaf_fraction": (RandomTree, {}, 0.0, 1.0),
    "RandomTree.model_seed": (RandomTree, {}, 0, 2**64 - 1),
    "SEA.function": (SEA, {}, 1, 4),
    "SEA.noise": (SEA, {}, 0.0, 1.0),
    "Sine.function": (Sine, {}, 1, 4),
    "Stagger.function": (Stagger, {}, 1, 3),
    "Waveform.drifting": (Waveform, {}, 0, 21),
    "Waveform.drifting with irrelevant features": (Waveform, {"irrelevant": True}, 0, 40),
    "Waveform.model_seed": (Waveform, {}, 0, 2**64 - 1),
}
"""Parameter -> its generator, the other parameters, and the ends of its range (None: no end)."""


def test_every_number_of_a_generator_has_its_range():
    numbers = {
        f"{kind.__name__}.{field.name}"
        for kind in Generated.__subclasses__()
        if kind.__module__.startswith("streamgauge.")
        for field in fields(kind)
        if field.init
        and field.name not in ("seed", "items")
        and field.type in ("int", "float", "int | None")
    }
    assert {name.partition(" ")[0] for name in RANGES} == numbers


@pytest.mark.parametrize("name", RANGES)
def test_both_ends_of_a_range_are_accepted_and_nothing_beyond(name):
    kind, others, least, most = RANGES[name]
    what = name.partition(" ")[0].partition(".")[2]
    ends = [least] if most is None else [least, most]
    for end in ends:
        assert getattr(kind(**others, **{what: end}), what) == end
        step = 1 if isinstance(end, int) else 1e-9
        with pytest.raises(ParameterError, match=what):
            kind(**others, **{what: end - step if end == least else end + step})
