"""Models of other libraries by name: public classes derived from the library's own bases.

`river:tree.HoeffdingTreeClassifier` is imported only if no part of its path is private or belongs
to tests, and called only if it is a class that the library itself defines and that is derived from
one of its estimator bases. A function, another class or an object that a module of the library
merely imports is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from streamgauge.errors import MissingExtraError, ParameterError, UnknownNameError, error_line
from streamgauge.names.outside import Permit, call, imported, permit_all

TESTS = ("tests", "test", "conftest", "testing")
"""Parts of the path of a module that has no models."""


@dataclass(frozen=True, slots=True)
class Library:
    """A library whose models have names.

    `bases` are those of learners and detectors, `parts` those of their parameters, as
    module and class; classes derived from `detectors` are made at once even if the library's
    learners are `built_later`, from a schema, by the adapter. `paper` describes the library.
    """

    extra: str
    package: str
    bases: tuple[tuple[str, str], ...]
    parts: tuple[tuple[str, str], ...] = ()
    detectors: tuple[tuple[str, str], ...] = ()
    built_later: bool = False
    paper: str = ""


LIBRARIES = {
    "river": Library(
        "river",
        "river",
        bases=(("river.base", "Estimator"), ("river.base.drift_detector", "_BaseDriftDetector")),
        parts=(("river.base", "Base"),),
        paper="Montiel et al. River: machine learning for streaming data in Python. JMLR (2021).",
    ),
    "sklearn": Library(
        "sklearn",
        "scikit-learn",
        bases=(("sklearn.base", "BaseEstimator"),),
        paper="Pedregosa et al. Scikit-learn: machine learning in Python. JMLR (2011).",
    ),
    "capymoa": Library(
        "capymoa",
        "capymoa",
        bases=(
            ("capymoa.base", "Classifier"),
            ("capymoa.base", "Regressor"),
            ("capymoa.base", "AnomalyDetector"),
            ("capymoa.base", "Clusterer"),
        ),
        detectors=(("capymoa.drift.base_detector", "BaseDriftDetector"),),
        built_later=True,
        paper="Gomes et al. CapyMOA: efficient machine learning for data streams in Python (2025).",
    ),
}
"""Library -> what its models are derived from."""


def model(
    who: str,
    library: str,
    path: str,
    args: list[Any],
    given: dict[str, Any],
    *,
    parameter: bool,
    permit: Permit = permit_all,
) -> Any:
    """Make the model of a library that has this path; a `parameter` of a model may be another part.

    Examples
    --------
    >>> model("", "river", "drift.ADWIN", [], {"delta": 0.1}, parameter=False).delta
    0.1
    >>> model("", "sklearn", "base.clone", [], {}, parameter=False)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: sklearn:base.clone: must be a class of sklearn derived from \
BaseEstimator, got a function
    """
    kind = _class(who, library, path, parameter, permit)
    name = f"{library}:{path}"
    about = LIBRARIES[library]
    if about.built_later and not issubclass(kind, tuple(_classes(about.detectors))):
        return partial(kind, *args, **given)
    return call(kind, name, args, given)


def joined(who: str, left: Any, right: Any, together: bool) -> Any:
    """Join two steps, by `+` if they work together and by `|` one after the other."""
    try:
        return left + right if together else left | right
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{who}: cannot be joined: {error_line(error)}") from error


def _class(who: str, library: str, path: str, parameter: bool, permit: Permit) -> type:
    name = f"{library}:{path}"
    parts = path.split(".")
    if not all(part.isidentifier() for part in parts):
        raise ParameterError(f"{who}: must be {library}:module.Model, got {name!r}")
    permit(who, name)
    if any(part.startswith("_") or part in TESTS for part in parts):
        raise ParameterError(
            f"{name}: must be a public class of {library}, got a private name or a test"
        )
    *modules, attribute = parts
    kind: Any = getattr(_module(library, modules), attribute, None)
    if kind is None:
        _raise_unknown(library, modules, attribute)
    _check(name, library, kind, parameter)
    made: type = kind
    return made


def _module(library: str, parts: list[str]) -> Any:
    try:
        return imported(".".join([library, *parts]))
    except ModuleNotFoundError as error:
        if error.name == library:
            raise MissingExtraError(library, LIBRARIES[library].extra) from None
        if error.name is None or error.name.partition(".")[0] != library:
            raise ParameterError(f"{library}: cannot be imported: {error_line(error)}") from error
        modules = [m.name for m in iter_modules(import_module(library).__path__)]
        raise UnknownNameError(f"module of {library}", ".".join(parts), modules) from None


def _raise_unknown(library: str, modules: list[str], attribute: str) -> None:
    source = _module(library, modules)
    full = ".".join([library, *modules])
    where = full if modules else f"{library} (write {library}:module.Model())"
    names = [name for name in dir(source) if name[:1].isupper()]
    raise UnknownNameError(f"model of {where}", attribute, names)


def _check(name: str, library: str, kind: Any, parameter: bool) -> None:
    """Raise unless it is a class that the library defines, derived from one of its bases."""
    about = LIBRARIES[library]
    bases = about.parts + about.bases if parameter else about.bases
    bases += about.detectors
    must = f"must be a class of {library} derived from {_listed(bases)}"
    if not isinstance(kind, type):
        advice = f"; write {library}:module.Model()" if isinstance(kind, ModuleType) else ""
        raise ParameterError(f"{name}: {must}, got a {type(kind).__name__}{advice}")
    home = kind.__module__.split(".")
    if home[0] != library or any(part in TESTS for part in home):
        raise ParameterError(f"{name}: {must}, got {kind.__module__}.{kind.__qualname__}")
    if not issubclass(kind, tuple(_classes(bases))):
        raise ParameterError(f"{name}: {must}, got another class")


def _classes(bases: tuple[tuple[str, str], ...]) -> Iterator[type]:
    for module, name in bases:
        base: type = getattr(import_module(module), name)
        yield base


def _listed(bases: tuple[tuple[str, str], ...]) -> str:
    return " or ".join(dict.fromkeys(name.lstrip("_") for _, name in bases))
