"""Refusal of logs whose items are not predicted in order."""

from __future__ import annotations

from streamgauge.errors import LogError
from streamgauge.log.table import Log


def refuse_test_set(who: str, log: Log) -> None:
    """Refuse a log of a holdout: its items are predicted again in every test."""
    if "test_set" in log.about:
        raise LogError(
            f"{who}: log must be of a protocol that predicts each item in order, got one of "
            f"{log.about.get('protocol', 'a holdout')}, whose test set is predicted again and "
            "again; run it with prequential, or look at its tests with measure"
        )
