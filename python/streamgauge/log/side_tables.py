"""The side tables that the engine writes besides the rows of a chunk."""

from __future__ import annotations

from streamgauge.log.alarms import Alarms
from streamgauge.log.selections import Selections
from streamgauge.log.vitals import Vitals

SideTable = Alarms | Vitals | Selections

NAMES: dict[type[SideTable], str] = {Alarms: "alarms", Vitals: "vitals", Selections: "selections"}
"""Rows of a side table -> the name of the table."""
