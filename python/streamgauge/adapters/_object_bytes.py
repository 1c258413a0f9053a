"""The size of a Python model: that of the objects that can be reached from it."""

from __future__ import annotations

import pickle
import sys
from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

METHOD = "objects"
"""The name of this method in the log (`bytes_by`)."""

NUMBERS = (int, float, complex, np.generic)

NOT_ITS_OWN = (
    type,
    type(None),
    ModuleType,
    FunctionType,
    BuiltinFunctionType,
    MethodType,
    property,
    staticmethod,
    classmethod,
)
"""Objects that belong to the program, not to the model."""

CONTAINERS = (dict, list, tuple, set, frozenset, deque)

FLOAT_BYTES = sys.getsizeof(0.0)

EMPTY: dict[type, int] = {list: sys.getsizeof([]), tuple: sys.getsizeof(())}


def object_bytes(model: object) -> int:
    """Bytes of a model of Python objects.

    Counted is every object that can be reached from the model through containers and attributes,
    once, and every number where it is stored. A container counts by its number of entries, as one
    that was just filled; an array by its buffer, once, whichever views of it there are. A text is
    counted once. An object of compiled code counts as its pickle, which has what it holds
    outside of Python; if it has none, as the object alone. Classes and functions do not count.

    So the result depends on what a model holds, not on how it came to it: a model that was saved
    and loaded has the same size, unless views of one array have become arrays of their own.

    Examples
    --------
    >>> import numpy as np
    >>> array = np.zeros(100_000)
    >>> object_bytes([array, array, array[:10]]) - object_bytes([array, array])
    120
    >>> 800_000 < object_bytes(array) < 800_200
    True
    """
    seen: set[int] = set()
    texts: set[str | bytes] = set()
    total = 0
    todo: list[Any] = [model]
    kept: list[Any] = []  # what is made here must not be freed while its number is in `seen`
    while todo:
        one = todo.pop()
        kind: type = type(one)
        if kind is float:  # most objects of most models
            total += FLOAT_BYTES
            continue
        parts = _parts_of(kind)
        if parts is _NUMBER:
            total += sys.getsizeof(one)
        elif parts is _TEXT:
            if one not in texts:
                texts.add(one)
                total += sys.getsizeof(one)
        elif parts is not _NOTHING and id(one) not in seen:
            seen.add(id(one))
            kept.append(one)
            if isinstance(one, np.ndarray):
                total += _array_bytes(one, seen, todo)
            else:
                total += _own_bytes(one, parts, todo)
    return total


@dataclass(frozen=True, slots=True)
class _Parts:
    """What objects of a class consist of: the container that they are, if any, and their slots."""

    container: type | None = None
    slots: tuple[str, ...] = ()


_NUMBER, _TEXT, _NOTHING = _Parts(), _Parts(), _Parts()
"""Numbers, texts, and objects that do not count."""


@lru_cache(maxsize=4096)
def _parts_of(kind: type) -> _Parts:
    """The parts of objects of a class, which are the same for all of them."""
    if issubclass(kind, NUMBERS):
        return _NUMBER
    if issubclass(kind, str | bytes):
        return _TEXT
    if issubclass(kind, NOT_ITS_OWN):
        return _NOTHING
    slots = tuple(
        name
        for parent in kind.__mro__
        for name in _slots(parent)
        if name not in ("__dict__", "__weakref__")
    )
    return _Parts(next((held for held in CONTAINERS if issubclass(kind, held)), None), slots)


def _own_bytes(one: Any, parts: _Parts, todo: list[Any]) -> int:
    """The bytes of an object without those it refers to, which are added to `todo`."""
    size = 0
    if parts.container is dict:
        todo += one.keys()
        todo += one.values()
    elif parts.container is not None:
        todo += one
    if parts.container is not None:
        size = _filled(parts.container, len(one))
    attributes = getattr(one, "__dict__", None)
    if not isinstance(attributes, dict):
        if not parts.slots:
            return _compiled_bytes(one) if parts.container is None else size
        attributes = None
    if not size:
        size = object.__sizeof__(one)
    if attributes:
        todo += attributes.values()
        size += _filled(dict, len(attributes))
    todo += [getattr(one, name) for name in parts.slots if hasattr(one, name)]
    return size


@lru_cache(maxsize=4096)
def _slots(kind: type) -> tuple[str, ...]:
    """The names of the slots that a class adds; private ones as they are stored."""
    own = kind.__dict__.get("__slots__", ())
    names = (own,) if isinstance(own, str) else tuple(own)
    return tuple(
        f"_{kind.__name__.lstrip('_')}{name}"
        if name.startswith("__") and not name.endswith("__")
        else name
        for name in names
    )


def _array_bytes(array: Any, seen: set[int], todo: list[Any]) -> int:
    """The header of an array, and its buffer if no other array of it was counted."""
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    size = sys.getsizeof(array) if owner is not array else 0
    if owner is array or id(owner) not in seen:
        seen.add(id(owner))
        size += sys.getsizeof(owner)
        if owner.base is not None:  # a buffer of something else, of which it shows this much
            size += owner.nbytes
        if owner.dtype.hasobject:
            todo += owner.ravel().tolist()
    return size


def _compiled_bytes(one: Any) -> int:
    try:
        return len(pickle.dumps(one, pickle.HIGHEST_PROTOCOL))
    except Exception:  # noqa: BLE001 (whatever the code of a model raises: it has no pickle)
        return sys.getsizeof(one)


@lru_cache(maxsize=65_536)
def _filled(kind: type, count: int) -> int:
    """The size of a container of a kind with so many entries."""
    if kind is dict:
        return sys.getsizeof(dict.fromkeys(range(count)))
    if kind in (set, frozenset, deque):
        return sys.getsizeof(kind(range(count)))
    return EMPTY[kind] + 8 * count
