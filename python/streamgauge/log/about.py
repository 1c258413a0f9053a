"""Origin of a log: the names of what was run, and the versions."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, partial
from hashlib import blake2b
from inspect import Parameter, isclass, isroutine, signature
from typing import Any

import numpy as np

from streamgauge._core import VERSION
from streamgauge.errors import LogError
from streamgauge.names import FAMILIES, LIBRARIES, name_of_class
from streamgauge.types.times import MAX_TICKS

LONGEST = 120
"""Longest name of a model of another package, in characters; a hash ends a longer one."""

UNKNOWN = (TypeError, ValueError, AttributeError, NotImplementedError)
"""How a class refuses to state its parameters."""


def name_of(thing: object) -> str:
    """Name of a stream, learner, protocol, detector or delay, with non-default parameters.

    The name that an object states (streams do), otherwise the file name for a member of
    streamgauge, the library and the class for a model of one, and for others the name of the entry
    point or the module and the class. Two models with different parameters have
    different names, as far as their parameters can be known.

    Examples
    --------
    >>> from streamgauge.protocols import Chunks, Prequential
    >>> name_of(Prequential()), name_of(Chunks(size=500))
    ('prequential', 'chunks(size=500)')
    >>> from sklearn.linear_model import SGDClassifier
    >>> name_of(SGDClassifier()), name_of(SGDClassifier(loss="hinge", alpha=0.1))
    ('sklearn:SGDClassifier', 'sklearn:SGDClassifier(alpha=0.1)')
    """
    name = _name(thing, full=True)
    return name if _own(thing) else bounded(name)


def seed_key(thing: object) -> str:
    """The name that seeds are made from: without the parameters of models of other packages.

    So that neither a name given by the user nor the parameters in a name change a result.
    """
    key = _name(thing, full=False)
    if is_dataclass(thing) and _own(thing) and hasattr(thing, "name"):
        # a learner around others writes their names into its own
        for part in (getattr(thing, f.name) for f in fields(thing)):
            if not isinstance(part, str | int | float | None):
                key = key.replace(name_of(part), seed_key(part))
    return key


def learner_name(about: Mapping[str, str]) -> str:
    """The name of a log's learner: the one that its experiment gives it, or else its own.

    Examples
    --------
    >>> learner_name({"learner": "naive_bayes"})
    'naive_bayes'
    >>> learner_name({"learner": "naive_bayes", "name": "control"})
    'control'
    """
    return about.get("name") or about.get("learner", "learner")


def stated_number(about: Mapping[str, str], key: str, least: int, who: str) -> int | None:
    """A whole number that the origin of a log states; None if it states none.

    Examples
    --------
    >>> stated_number({"learns_every": "20"}, "learns_every", 1, "measure")
    20
    """
    if key not in about:
        return None
    stated = about[key]
    # a longer text is no number of items, and `int` refuses a very long one
    if stated.isdecimal() and len(stated) <= len(str(MAX_TICKS)) and int(stated) >= least:
        return int(stated)
    raise LogError(
        f"{who}: {key} of a log must be a whole number of at least {least}, got {stated[:80]!r}; "
        "its card was changed"
    )


def bounded(name: str) -> str:
    """Shorten a name to at most `LONGEST` characters; names that differ stay different.

    Examples
    --------
    >>> bounded("a" * 120) == "a" * 120, len(bounded("a" * 121)), bounded("a" * 121)[-11:]
    (True, 120, 'aa~7c17fe72')
    """
    if len(name) <= LONGEST:
        return name
    end = f"~{blake2b(name.encode(), digest_size=4).hexdigest()}"
    return f"{name[: LONGEST - len(end)]}{end}"


def _own(thing: object) -> bool:
    return type(thing).__module__.startswith("streamgauge.")


def _name(thing: object, full: bool) -> str:
    given = getattr(thing, "name", None)
    if isinstance(given, str):
        return given
    if is_dataclass(thing) and _own(thing):
        short = type(thing).__module__.rpartition(".")[2]
        return _called(short, _fields(thing), full)
    if isinstance(thing, partial):  # a model that is built later, when its schema is known
        name = _name(thing.func, full)
        written = ", ".join(f"{key}={value!r}" for key, value in thing.keywords.items())
        return f"{name}({written})" if full and written else name
    kind = thing if isclass(thing) else type(thing)
    package = kind.__module__.partition(".")[0]
    if full and package not in LIBRARIES:
        entries = (name_of_class(family, kind) for family in FAMILIES)
        if entry := next((name for name in entries if ":" not in name), None):
            return _called(entry, {} if isclass(thing) else parameters(thing), full)
        return f"{kind.__module__}:{_model(thing, full)}"
    return f"{package}:{_model(thing, full)}"


def _model(thing: object, full: bool) -> str:
    """A model without its package: its class and parameters, or the steps of a pipeline."""
    if isclass(thing):
        return thing.__name__
    steps = getattr(thing, "steps", None)
    if isinstance(steps, dict):
        return "|".join(_step(step, full) for step in steps.values())
    if isinstance(steps, list):
        return "|".join(_step(step[1], full) for step in steps)
    branches = getattr(thing, "transformers", None)
    if full and isinstance(branches, dict):
        return f"({'+'.join(_step(branch, full) for branch in branches.values())})"
    kind = type(thing).__name__
    return _called(kind, parameters(thing), full) if full else kind


def _step(step: object, full: bool) -> str:
    return _model(step, full) if full else type(step).__name__


def _called(name: str, given: Mapping[str, object], full: bool) -> str:
    written = ", ".join(f"{key}={_written(value, full)}" for key, value in given.items())
    return f"{name}({written})" if written else name


def _written(value: object, full: bool) -> str:
    """A parameter as text that is the same in every process: never an address."""
    if value is None or isinstance(value, str | int | float | bytes | np.generic):
        return repr(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{k!r}: {_written(v, full)}' for k, v in value.items())}}}"
    if isinstance(value, tuple | list):
        inner = ", ".join(_written(one, full) for one in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(_written(one, full) for one in value))}}}"
    if isinstance(value, np.ndarray):
        content = blake2b(value.tobytes() if value.dtype != object else repr(value).encode())
        return f"array{value.shape}~{content.hexdigest()[:8]}"
    if isclass(value) or isroutine(value):
        return value.__name__
    if _own(value) or not full:
        return _name(value, full)
    return _model(value, full)


def parameters(thing: object) -> dict[str, object]:
    """Parameters of an object that differ from their defaults, as far as they can be known.

    Those of a dataclass are its fields; a model of river, scikit-learn or CapyMOA states them;
    of any other object, the attributes with the names of the parameters of its constructor.
    """
    if is_dataclass(thing):
        return _fields(thing)
    try:
        takes = signature(type(thing)).parameters.values()
        given = _starred(thing, takes) | _stated(thing)
    except UNKNOWN:
        return {}
    defaults = {p.name: p.default for p in takes} | _defaults(thing, given)
    return {
        name: value
        for name, value in given.items()
        if name in defaults and not _same(value, defaults[name])
    }


def _starred(thing: Any, takes: Iterable[Parameter]) -> dict[str, object]:
    """The values of `*arguments`, if the object has kept them."""
    names = [p.name for p in takes if p.kind is Parameter.VAR_POSITIONAL]
    return {name: getattr(thing, name) for name in names if getattr(thing, name, ())}


def _stated(thing: Any) -> dict[str, object]:
    """Name -> value of the parameters of an object."""
    if hasattr(thing, "_get_params"):  # river
        return {name: getattr(thing, name, value) for name, value in thing._get_params().items()}
    if hasattr(thing, "get_params"):
        takes = signature(thing.get_params).parameters
        return dict(thing.get_params(deep=False) if "deep" in takes else thing.get_params())
    names = [
        p.name
        for p in signature(type(thing)).parameters.values()
        if p.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    ]
    return {name: getattr(thing, name) for name in names if hasattr(thing, name)}


def _defaults(thing: Any, given: Mapping[str, object]) -> dict[str, object]:
    """Values that a model of river has when only its required parameters are given.

    A constructor of river may replace a default by what it stands for.
    """
    if not hasattr(thing, "_get_params"):
        return {}
    takes = signature(type(thing)).parameters.values()
    required = {p.name: given[p.name] for p in takes if p.default is p.empty and p.name in given}
    try:
        usual = _stated(type(thing)(**required))
    except UNKNOWN:
        return {}
    return {name: value for name, value in usual.items() if name not in required}


def _same(value: object, default: object) -> bool:
    if value is default:
        return True
    if default is Parameter.empty or type(value) is not type(default):
        plain = isinstance(value, int | float) and isinstance(default, int | float)
        return plain and value == default and isinstance(value, bool) == isinstance(default, bool)
    return _written(value, full=True) == _written(default, full=True)


def _fields(thing: Any) -> dict[str, object]:
    return {
        f.name: value
        for f in fields(thing)
        if f.init and not _same(value := getattr(thing, f.name), _default(f))
    }


def _default(field: object) -> object:
    default = getattr(field, "default", MISSING)
    factory = getattr(field, "default_factory", MISSING)
    return factory() if factory is not MISSING else default


@cache
def versions() -> dict[str, str]:
    """Versions of the package, Python and NumPy, and the machine."""
    return {
        "streamgauge": VERSION,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": f"{platform.system()} {platform.machine()}",
    }
