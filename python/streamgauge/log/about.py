"""Where a log comes from: the names, seeds and versions that make it repeatable."""

from __future__ import annotations

import platform
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, partial

import numpy as np

from streamgauge._core import VERSION


def name_of(thing: object) -> str:
    """What tables call a stream, learner or protocol: its file name and what is not default.

    Examples
    --------
    >>> from streamgauge.protocols import Chunks, Prequential
    >>> name_of(Prequential()), name_of(Chunks(size=500))
    ('prequential', 'chunks(size=500)')
    """
    own = getattr(thing, "name", None)
    if isinstance(own, str):
        return own
    if is_dataclass(thing) and type(thing).__module__.startswith("streamgauge."):
        given = ", ".join(
            f"{f.name}={_written(value)}"
            for f in fields(thing)
            if f.init and (value := getattr(thing, f.name)) != _default(f)
        )
        short = type(thing).__module__.rpartition(".")[2]
        return f"{short}({given})" if given else short
    if isinstance(thing, partial):  # a model that is built later, when its schema is known
        given = ", ".join(f"{name}={value!r}" for name, value in thing.keywords.items())
        return f"{name_of(thing.func)}({given})" if given else name_of(thing.func)
    if isinstance(thing, type):
        return f"{thing.__module__.partition('.')[0]}:{thing.__name__}"
    return f"{type(thing).__module__.partition('.')[0]}:{_parts(thing)}"


def _written(value: object) -> str:
    """A parameter: a literal as it is, a thing by its name."""
    if value is None or isinstance(value, str | int | float | tuple | list | dict):
        return repr(value)
    return name_of(value)


def _parts(model: object) -> str:
    """A model's class; of a pipeline, its steps."""
    steps = getattr(model, "steps", None)
    if isinstance(steps, dict):
        return "|".join(type(s).__name__ for s in steps.values())
    if isinstance(steps, list):
        return "|".join(type(s[1]).__name__ for s in steps)
    return type(model).__name__


def _default(field: object) -> object:
    default = getattr(field, "default", MISSING)
    factory = getattr(field, "default_factory", MISSING)
    return factory() if factory is not MISSING else default


@cache
def versions() -> dict[str, str]:
    """What the numbers were made with."""
    return {
        "streamgauge": VERSION,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": f"{platform.system()} {platform.machine()}",
    }
