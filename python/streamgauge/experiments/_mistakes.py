"""Mistakes in the content of an experiment file, in our own words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from streamgauge.comparisons._band_level import FORMS as LEVEL_FORMS
from streamgauge.lazy import suggestion
from streamgauge.names.parsing import quoted, shortened

WORDS = {
    "string_type": "must be text",
    "list_type": "must be a list",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number of at most 4,300 digits",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be above {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be below {lt}",
    "too_short": "must have at least {min_length}",
    "string_too_short": "must have at least {min_length} character",
    "path_type": "must be the path of a file",
    "model_type": "must be a table",
    "dict_type": "must be a table",
    "level": f"must be {LEVEL_FORMS}",
    "model_attributes_type": "must be a table",
}
"""Types of errors of pydantic -> what must be."""

TAGS = ("text", "table", "number", "level")
"""Alternatives of a value, which pydantic puts into the place of an error."""


def mistake(error: dict[str, Any], known: Iterable[str]) -> str:
    """The sentence about an error of pydantic; `known` are the keys that could be meant."""
    parts = [str(p) for p in error["loc"] if p not in TAGS]
    where = quoted(".".join(parts))[1:-1]
    if error["type"] == "extra_forbidden":
        hint = suggestion(parts[-1], known)
        return f"{where}: no such key{hint or '; known: ' + ', '.join(known)}"
    if error["type"] == "missing":
        return f"{where}: must be given"
    must = WORDS.get(error["type"])
    if "text" in error["loc"]:
        must = "must be text or a table"
    elif must is None:
        must = f"{error['msg'][:1].lower()}{error['msg'][1:]}"
    else:
        must = must.format(**error.get("ctx", {}))
    return f"{where}: {must}, got {shortened(error['input'])}" if where else must
