"""Registry of names: the members of the families, and the entry points of installed packages."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module
from typing import Any

from streamgauge.errors import ParameterError, UnknownNameError
from streamgauge.lazy import members
from streamgauge.names.outside import Permit, load, permit_all

FAMILIES = {
    "stream": "streamgauge.streams",
    "learner": "streamgauge.learners",
    "protocol": "streamgauge.protocols",
    "measure": "streamgauge.measures",
    "window": "streamgauge.windows",
    "detector": "streamgauge.detectors",
    "selector": "streamgauge.selectors",
    "delay": "streamgauge.delays",
    "executor": "streamgauge.executors",
    "transformer": "streamgauge.preprocessing",
    "alarm_measure": "streamgauge.alarm_measures",
    "loss_sequence": "streamgauge.loss_sequences",
}
"""Family -> its package, which is also the group of its entry points."""

PARTS = ("learner", "detector", "selector", "window", "delay", "transformer")
"""The families whose members are parameters of others."""

PLACES = {
    "stream": "streams, or is the SOURCE of a command",
    "learner": "learners",
    "protocol": "protocols",
    "measure": "measures",
    "window": "windows",
    "detector": "resetting(learner, detector), or in the detectors of detect",
    "selector": "selecting(selector, learner)",
    "delay": "delay(stream, by), or in the delays of delay-sweep",
    "executor": "the executor of a run",
    "transformer": "pipeline([transformer, …], learner)",
    "alarm_measure": "the measures of drift",
    "loss_sequence": "the SOURCES of drift",
}
"""Family -> where its members are written."""

UNNAMED = (
    "write_stream",
    "Measure",
    "Window",
    "AlarmMeasure",
    "Matching",
    "match_alarms",
    "Transformer",
    "BoundTransformer",
)
"""Members of the packages that are no members of the family: functions, interfaces."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A member of a family that an installed package declares by an entry point."""

    family: str
    name: str
    value: str
    package: str

    @property
    def listed(self) -> str:
        """The object with the package and its version, as the list of imports shows it."""
        return f"{self.value} ({self.package})"

    def load(self) -> Any:
        """Import it."""
        return load(f"{self.family} {self.name!r} of {self.package}", self.value)

    def loaded(self) -> Any:
        """The object, or None if its module has not been imported: nothing is imported here."""
        module, _, path = self.value.partition(":")
        found: Any = sys.modules.get(module)
        for part in path.split("."):
            found = getattr(found, part, None)
        return found


@cache
def known(family: str) -> dict[str, tuple[str, str]]:
    """Name -> (module, attribute), for every member of a family in this package."""
    package = FAMILIES[family]
    table: dict[str, tuple[str, str]] = {}
    for attribute, module in members(package).items():
        if attribute in UNNAMED:
            continue
        file = module.rpartition(".")[2]
        by_file = not file.startswith("_") and (snake(attribute) == file or attribute[:1].isupper())
        name = file if by_file and file not in table else snake(attribute)
        table[name] = (module, attribute)
    return dict(sorted(table.items()))


@cache
def aliases(family: str) -> dict[str, str]:
    """Alias -> name, as the classes of this package declare them."""
    found: dict[str, str] = {}
    for name, (module, attribute) in known(family).items():
        for alias in getattr(getattr(import_module(module), attribute), "aliases", ()):
            found[alias] = name
    return found


def installed(family: str) -> dict[str, tuple[Plugin, ...]]:
    """Name -> entry points with that name, of all installed packages."""
    return _installed(family, tuple(sys.path))


@cache
def _installed(family: str, path: tuple[str, ...]) -> dict[str, tuple[Plugin, ...]]:
    found: dict[str, tuple[Plugin, ...]] = {}
    for point in sorted(_entry_points(path).select(group=FAMILIES[family])):
        package = f"{point.dist.name} {point.dist.version}"
        plugin = Plugin(family, point.name, point.value.strip(), package)
        if plugin not in found.get(point.name, ()):
            found[point.name] = (*found.get(point.name, ()), plugin)
    return found


@cache
def _entry_points(path: tuple[str, ...]) -> Any:
    """All entry points, read once for all families: it takes tens of milliseconds."""
    return import_module("importlib.metadata").entry_points()


def clash(family: str, name: str) -> str:
    """Return a sentence if an entry point has a name that is taken, otherwise nothing."""
    plugins = installed(family).get(name, ())
    packages = " and ".join(plugin.package for plugin in plugins)
    values = " or ".join(dict.fromkeys(plugin.value for plugin in plugins))
    if plugins and (name in known(family) or name in aliases(family)):
        return (
            f"{family} {name!r}: is streamgauge's own, and also declared by {packages}; "
            f"write {values} for the other"
        )
    if len(plugins) > 1:
        return f"{family} {name!r}: is declared by {packages}; write {values}"
    return ""


def find(family: str, name: str, permit: Permit = permit_all) -> Callable[..., Any]:
    """The class or function with a name; a plug-in only if `permit` lets it be imported."""
    found: Callable[..., Any]
    table = known(family)
    own = name if name in table else aliases(family).get(name)
    if own is not None:
        module, attribute = table[own]
        found = getattr(import_module(module), attribute)
        return found
    plugin = plugin_of(family, name)
    permit(f"{family} {name!r}", plugin.listed)
    found = plugin.load()
    return found


def plugin_of(family: str, name: str) -> Plugin:
    """The entry point with a name; an unknown or ambiguous one is refused."""
    plugins = installed(family)
    if name not in plugins:
        raise UnknownNameError(
            family, name, [*known(family), *aliases(family), *plugins], _elsewhere(family, name)
        )
    if sentence := clash(family, name):
        raise ParameterError(sentence)
    return plugins[name][0]


def family_of(family: str, name: str) -> str | None:
    """The family that has a name: this one, or one whose members are parameters of others."""
    families = tuple(dict.fromkeys((family, *PARTS)))
    for one in families:
        if name in known(one):
            return one
    if name in aliases(family):
        return family
    return next((one for one in families if name in installed(one)), None)


def _elsewhere(family: str, name: str) -> str:
    """What a name is, and where it belongs, if it is one of another family."""
    for other, place in PLACES.items():
        if other != family and any(name in t(other) for t in (known, aliases, installed)):
            return f"it is a {other} and belongs in {place}"
    return ""


def name_of_class(family: str, kind: type) -> str:
    """The name that stands for a class: of its file, of its entry point, or `module:Class`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from streamgauge.windows import Sliding
    >>> name_of_class("window", Sliding), name_of_class("window", Fraction)
    ('sliding', 'fractions:Fraction')
    """
    package = kind.__module__.partition(".")[0]
    if package == "streamgauge":
        return kind.__module__.rpartition(".")[2]
    value = f"{kind.__module__}:{kind.__qualname__}"
    for name, (plugin, *_) in installed(family).items():
        if plugin.loaded() is kind and name.isidentifier() and not clash(family, name):
            return name
    return value


def description(family: str, thing: object) -> str:
    """The text that makes an equal member: its name and its non-default parameters (fields).

    Examples
    --------
    >>> from streamgauge.measures import FBeta
    >>> description("measure", FBeta(beta=2.0))
    'fbeta(beta=2.0)'
    """
    given = [
        f"{f.name}={value!r}"
        for f in (fields(thing) if is_dataclass(thing) else ())
        if f.init and repr(value := getattr(thing, f.name)) != repr(f.default)
    ]
    name = name_of_class(family, type(thing))
    return f"{name}({', '.join(given)})" if given else name


def refuse_unnamed(thing: object, base: type) -> None:
    """Raise if the text of a measure or window could not make it again.

    Reports and tables identify it by its text, so two settings must have two texts.
    """
    kind = type(thing)
    if getattr(kind, "__str__") is not getattr(base, "__str__"):  # noqa: B009 (mypy)
        raise ParameterError(
            f"{kind.__name__}: must not define __str__, its name is that of the class; "
            "register an entry point for another name"
        )
    if not is_dataclass(thing) and inspect.signature(kind).parameters:
        raise ParameterError(
            f"{kind.__name__}: must be a dataclass whose fields are its parameters, got a class "
            "with its own constructor; write @dataclass(frozen=True) above it"
        )


def snake(name: str) -> str:
    """`NaiveBayes` -> `naive_bayes`.

    Examples
    --------
    >>> snake("NaiveBayes"), snake("SEA"), snake("RandomRBF")
    ('naive_bayes', 'sea', 'random_rbf')
    """
    out = ""
    for i, c in enumerate(name):
        before = name[i - 1] if i else ""
        after = name[i + 1] if i + 1 < len(name) else ""
        if c.isupper() and before and (not before.isupper() or after.islower()):
            out += "_"
        out += c.lower()
    return out
