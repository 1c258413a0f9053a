"""Changes of single values of an experiment file: `seed=3`, `streams.0.target="y"`."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from streamgauge.errors import ParameterError
from streamgauge.names.parsing import quoted


def overridden(content: dict[str, Any], changes: Sequence[str]) -> dict[str, Any]:
    """A copy of the content with each change applied, the last one of a key at last.

    A change is `key=value`; in the key, points lead into tables, and numbers into lists. The value
    is TOML; what is not TOML is text.

    Examples
    --------
    >>> overridden({"learners": ["nb", "ddm"]}, ["learners.1=perceptron", "seed=3"])
    {'learners': ['nb', 'perceptron'], 'seed': 3}
    """
    changed = deepcopy(content)
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals or not key.strip():
            raise ParameterError(f"change: must be key=value, got {quoted(change)}")
        _put(changed, [part.strip() for part in key.split(".")], _value(text.strip()), change)
    return changed


def _put(holder: Any, path: list[str], value: Any, change: str) -> None:
    """Set the value at the end of a path; tables on the way are made if they are missing."""
    for part in path[:-1]:
        holder = (
            holder[_place(holder, part, change)]
            if isinstance(holder, list)
            else _table(holder, part, change)
        )
    if isinstance(holder, list):
        holder[_place(holder, path[-1], change)] = value
    elif isinstance(holder, dict):
        holder[path[-1]] = value
    else:
        raise _nowhere(change)


def _table(holder: Any, part: str, change: str) -> Any:
    if not isinstance(holder, dict):
        raise _nowhere(change)
    return holder.setdefault(part, {})


def _place(holder: list[Any], part: str, change: str) -> int:
    if part.isdecimal() and len(part) < 10 and int(part) < len(holder):
        return int(part)
    places = f"from 0 to {len(holder) - 1}" if holder else "of a list that has values"
    raise ParameterError(f"change {quoted(change)}: {quoted(part)} must be a place {places}")


def _nowhere(change: str) -> ParameterError:
    return ParameterError(
        f"change {quoted(change)}: the key must lead into tables and lists, got one that leads "
        "into another value"
    )


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
