"""How many items a comparison needs, against simulation."""

from __future__ import annotations

import json
import math
from functools import partial

import numpy as np
import pytest

from comparisons.test_simulations import first_winner, watch
from oracles import dependent_losses as kinds
from streamgauge.cli import main
from streamgauge.comparisons import items_needed
from streamgauge.errors import ParameterError

PLANS = {
    "20 against 22 %": (partial(kinds.independent, b=0.22), 0.02, 0.332, 1.0),
    "1 against 2 %": (partial(kinds.independent, a=0.01, b=0.02), 0.01, 0.0296, 1.0),
    "bursts of 5, 20 against 26 %": (
        partial(kinds.in_bursts, length=5, b=0.26),
        0.06,
        0.356,
        6.6,
    ),
}
"""Kind of stream, gap, share of disagreements, and items per effective item."""


@pytest.mark.parametrize("name", PLANS)
def test_the_plan_is_the_simulated_median_within_a_third(name):
    make, *plan = PLANS[name]
    planned = items_needed(*plan)
    at = []
    for nth in range(41):
        first = first_winner(watch(make(np.random.default_rng((20, nth)), 3 * planned)))
        at.append(math.inf if first is None else first[0])
    assert planned / 1.5 <= np.median(at) <= planned * 1.2


def test_more_is_needed_for_smaller_gaps_and_more_dependence():
    assert items_needed(0.5, 0.5) == 2000
    assert items_needed(0.5, 0.5, spell=20) == 200
    assert items_needed(0.5, 0.5, dependence=50) == 5000
    assert items_needed(0.01, 0.3) > 3.5 * items_needed(0.02, 0.3)
    assert items_needed(0.01, 0.3, side="a") < items_needed(0.01, 0.3)
    assert items_needed(0.01, 0.3, alpha=0.01) > items_needed(0.01, 0.3)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"gap": 0}, "gap must be above 0 and below 1e15, got 0"),
        ({"dependence": math.inf}, "dependence must be above 0 and below 1e15, got inf"),
        ({"disagreement": 1e-9}, "disagreement must be at least the square of the gap, got 1e-09"),
        ({"spell": 3}, "spell must be a whole number of items, from 10 to"),
    ],
)
def test_impossible_plans_are_refused(given, words):
    with pytest.raises(ParameterError, match=f"^items_needed: {words}"):
        items_needed(**{"gap": 0.02, "disagreement": 0.3, **given})


def test_the_command_prints_a_sentence_or_json(capsys):
    args = ["power", "--gap", "0.02", "--disagreement", "0.33"]
    main(args)
    assert capsys.readouterr().out.startswith("About 7,500 items: half of the comparisons")
    main([*args, "--json"])
    assert json.loads(capsys.readouterr().out) == {"items": items_needed(0.02, 0.33)}
