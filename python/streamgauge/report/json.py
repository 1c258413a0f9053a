"""A page as JSON: fractions as fractions, undefined as null."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from streamgauge.escapes import SURROGATE
from streamgauge.kinds import at_least, at_most, plain_numbers
from streamgauge.report.page import Page, PendingSection, Section, SelectionSection, Table

MOST_INDENT = 100
"""Largest number of spaces per level."""


@plain_numbers
def to_json(page: Page, indent: int | None = 1, curves: bool = True) -> str:
    """The whole page, without the points of curves if `curves` is False.

    Undefined values are null; infinite ones, which JSON lacks, are strings.
    """
    if indent is not None:
        at_least("to_json", "indent", indent, 0)
        at_most("to_json", "indent", indent, MOST_INDENT)
    if not curves:
        sections = tuple(
            dataclasses.replace(
                s,
                panels=(),
                vitals=(),
                pending=_tables_only(s),
                properties=tuple(dataclasses.replace(one, lines=()) for one in s.properties),
                selections=_without_pictures(s),
            )
            for s in page.sections
        )
        page = dataclasses.replace(page, sections=sections)
    text = json.dumps(plain(page), indent=indent, ensure_ascii=False, allow_nan=False)
    return SURROGATE.sub("\ufffd", text) + "\n"


def _tables_only(section: Section) -> PendingSection | None:
    if section.pending is None:
        return None
    return dataclasses.replace(section.pending, values={}, costs={})


def _without_pictures(section: Section) -> SelectionSection | None:
    if section.selections is None:
        return None
    return dataclasses.replace(section.selections, pictures={})


def plain(thing: object) -> Any:
    """A dataclass, array or mapping as JSON types."""
    if isinstance(thing, Table):
        thing = thing.without_intervals
        keys = [c.key for c in thing.columns]
        return {
            "columns": [plain_fields(c) for c in thing.columns],
            "rows": [
                {
                    "baseline": row.baseline,
                    "cells": dict(zip(keys, map(plain, row.cells), strict=True)),
                }
                for row in thing.rows
            ],
        }
    if dataclasses.is_dataclass(thing):
        return plain_fields(thing)
    if isinstance(thing, np.ndarray):
        return [plain(x) for x in thing.tolist()]
    if isinstance(thing, Mapping):
        return {str(k): plain(v) for k, v in thing.items()}
    if isinstance(thing, tuple | list):
        return [plain(x) for x in thing]
    if isinstance(thing, float | np.floating):
        value = float(thing)
        return None if math.isnan(value) else value if math.isfinite(value) else str(value)
    return int(thing) if isinstance(thing, np.integer) else thing


def plain_fields(thing: Any) -> dict[str, Any]:
    """The fields of a dataclass."""
    return {f.name: plain(getattr(thing, f.name)) for f in dataclasses.fields(thing)}
