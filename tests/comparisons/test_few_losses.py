"""The caveat of a winner whose own losses were few: the same live and from logs."""

from __future__ import annotations

import numpy as np

from streamgauge.comparisons import Duel, Tournament, compare, compare_all
from streamgauge.log import from_columns
from streamgauge.types import Schema

ITEMS = 6000
LABEL = np.zeros(ITEMS, np.int32)
WRONG = {
    "outages": (np.arange(ITEMS) >= 4000) & (np.arange(ITEMS) < 4010),
    "singles": np.arange(ITEMS) % 50 == 7,
    "poor": np.arange(ITEMS) % 3 == 1,
}
SCHEMA = Schema((), classes=(0, 1))
LOGS = {name: from_columns(SCHEMA, LABEL, wrong.astype(np.int32)) for name, wrong in WRONG.items()}
CAVEAT = (
    "outages's lead over singles, a total loss lower by 110, is below that of 3 outages of 200 "
    "items, and outages had the larger loss in only about 1 separate stretch of 50 items: an "
    "outage that has not occurred yet could undo the lead."
)


def test_a_verdict_has_the_caveat_live_and_from_logs():
    verdict = compare(LOGS["outages"], LOGS["singles"], names=("outages", "singles"))
    assert verdict.winner == "outages"
    assert CAVEAT in verdict.to_text()
    duel = Duel("outages", "singles")
    by_arrays = Duel("outages", "singles")
    predictions = WRONG["outages"].astype(int), WRONG["singles"].astype(int)
    by_arrays.update(*predictions, LABEL)
    for item, (a, b) in enumerate(zip(*(p.tolist() for p in predictions), strict=True)):
        duel.observe(item, a, b)
        duel.label(item, 0)
    for live in (duel, by_arrays):
        assert live.verdict().long_run.few_losses == verdict.long_run.few_losses
    mirrored = compare(LOGS["singles"], LOGS["outages"], names=("singles", "outages"))
    assert mirrored.long_run.few_losses == verdict.long_run.few_losses


def test_of_several_pairs_only_those_with_few_losses_have_the_caveat():
    comparison = compare_all(LOGS)
    live = Tournament(list(LOGS))
    live.update({name: wrong.astype(int) for name, wrong in WRONG.items()}, LABEL)
    for found in (comparison, live.comparison()):
        caveats = {(v.a, v.b): v.long_run.few_losses for v in found.verdicts}
        assert caveats["outages", "singles"] is not None
        assert caveats["outages", "poor"] is None  # a lead of more than three outages
        assert caveats["singles", "poor"] is None
        (line,) = [line for line in found.to_text().splitlines() if "outage that" in line]
        assert line.startswith("outages beats singles since ")
        assert line.endswith(CAVEAT)


def test_the_one_with_single_losses_has_no_caveat():
    verdict = compare(LOGS["singles"], LOGS["poor"], names=("singles", "poor"))
    assert (verdict.winner, verdict.long_run.few_losses) == ("singles", None)
    assert "outage" not in verdict.to_text()
