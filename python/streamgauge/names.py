"""Members of the families by name, as the CLI and TOML files write them: `chunks(size=500)`.

A name is, in this order, a file name of the family (`naive_bayes`) or an alias that the class
declares (`nb`); the name of an entry point of an installed package (group `streamgauge.measures`
and so on); `module:object`, imported from the user's own code; or a model of another library
(`river:tree.HoeffdingTreeClassifier(grace_period=100)`; `|` and `+` join the steps of river).
Parameters are literals, or members by name (`take(sea(), 1000)`, `resetting(nb, ddm)`).
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from streamgauge.errors import (
    MissingExtraError,
    ParameterError,
    StreamgaugeError,
    UnknownNameError,
    UnknownParameterError,
    one_line,
)
from streamgauge.kinds import check_kinds
from streamgauge.lazy import members

FAMILIES = {
    "stream": "streamgauge.streams",
    "learner": "streamgauge.learners",
    "protocol": "streamgauge.protocols",
    "measure": "streamgauge.measures",
    "window": "streamgauge.windows",
    "detector": "streamgauge.detectors",
    "delay": "streamgauge.delays",
}
"""Family -> its package, which is also the group of its entry points."""

PARTS = ("learner", "detector", "window", "delay")
"""The families whose members are parameters of others."""

METHODS = {
    "stream": ("schema", "batches"),
    "protocol": ("timetable",),
    "measure": ("value",),
    "window": ("spec",),
    "delay": ("ticks",),
}
"""What a member of a family that comes from outside must have."""

TYPES = {"str": str, "int": int, "float": float}
"""The types a parameter may be, for river's `compose.SelectType(str)`."""

UNNAMED = ("write_stream", "Measure", "Window")
"""Members of the packages that are no members of the family: a function, and the base classes."""

LIBRARIES = {"river": "river", "sklearn": "sklearn", "capymoa": "capymoa"}
"""The libraries whose models have names -> the extra that installs each."""

OUTSIDE: set[str] = set()
"""Top-level modules of the user's own that names have imported: their errors are not ours."""

COLON = "__colon__"
"""Stands for the colon of `module:object` in text that is parsed as Python."""

REFERENCE = re.compile(
    r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
    r"""|(?<![\w.])(?!(?:True|False|None)\b)([A-Za-z_][\w.]*):([A-Za-z_][\w.]*)"""
)
"""Quoted text, or `module:object`."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A member of a family that an installed package declares by an entry point."""

    family: str
    name: str
    value: str
    package: str

    def load(self) -> Any:
        """Import it."""
        return _load(f"{self.family} {self.name!r} of {self.package}", self.value)

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
    metadata = import_module("importlib.metadata")
    for point in sorted(metadata.entry_points(group=FAMILIES[family])):
        package = f"{point.dist.name} {point.dist.version}"
        plugin = Plugin(family, point.name, point.value.strip(), package)
        if plugin not in found.get(point.name, ()):
            found[point.name] = (*found.get(point.name, ()), plugin)
    return found


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


def find(family: str, name: str) -> Callable[..., Any]:
    """The class or function with a name."""
    found: Callable[..., Any]
    table = known(family)
    own = name if name in table else aliases(family).get(name)
    if own is not None:
        module, attribute = table[own]
        found = getattr(import_module(module), attribute)
        return found
    plugins = installed(family)
    if name not in plugins:
        raise UnknownNameError(family, name, [*table, *aliases(family), *plugins])
    if sentence := clash(family, name):
        raise ParameterError(sentence)
    found = plugins[name][0].load()
    return found


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


def make(family: str, text: str, *, imports: bool = True) -> Any:
    """Make the member of a family that `text` describes.

    With `imports=False`, nothing is imported but streamgauge and installed plug-ins:
    `module:object` and models of other libraries are refused.

    Examples
    --------
    >>> make("protocol", "chunks(size=500)")
    Chunks(size=500, pretrain=0, ignore_delays=False)
    >>> make("protocol", "prequental")
    Traceback (most recent call last):
    streamgauge.errors.UnknownNameError: no protocol is called 'prequental'; did you mean \
'prequential'?
    >>> make("window", "fractions:Fraction(1, 3)", imports=False)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: window 'fractions:Fraction(1, 3)': must have a name of \
streamgauge or of an installed package here, got 'fractions:Fraction'
    """
    return _Reader(family, text, imports).made()


def resolve(family: str, given: Any) -> Any:
    """Make a member of a family if its name is given; return anything else as it is.

    Examples
    --------
    >>> resolve("window", "sliding(10)"), resolve("window", None)
    (Sliding(size=10), None)
    """
    return make(family, given) if isinstance(given, str) else given


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes what a text describes; errors quote the text."""

    family: str
    text: str
    imports: bool

    @property
    def who(self) -> str:
        return f"{self.family} {self.text!r}"

    def made(self) -> Any:
        # an attribute in place of each colon makes the text an expression
        plain = REFERENCE.sub(
            lambda m: m.group(1) or f"{m.group(2)}.{COLON}.{m.group(3)}", self.text.strip()
        )
        try:
            node = ast.parse(plain, mode="eval").body
        except SyntaxError:
            raise ParameterError(
                f"{self.who}: must be a name, or a name with parameters like name(size=10)"
            ) from None
        return self.foreign(node) if _library(node) else self.build(self.family, node)

    def build(self, family: str, node: ast.expr, parameter: bool = False) -> Any:
        """A member by its name, or what `module:object` names, with parameters or without.

        A `parameter` of another member may be of another family.
        """
        function = node.func if isinstance(node, ast.Call) else node
        if isinstance(function, ast.Name):
            name = function.id
            if parameter:
                family = _family_of(family, name) or family
            made: Any = find(family, name)
            ours = name in known(family) or name in aliases(family)
        elif name := _reference(function):
            made, ours = _load(self.who, name, self.imports), False
        else:
            raise ParameterError(f"{self.who}: must be a name, or a name with parameters")
        if isinstance(node, ast.Call):
            made = call(made, name, *self.arguments(family, node))
        elif inspect.isclass(made) or inspect.isroutine(made):
            made = call(made, name, [], {})
        if ours:
            return made
        if not parameter:
            _check_methods(family, name, made)
        if family == "stream" and all(hasattr(made, method) for method in METHODS["stream"]):
            # so that two settings are two streams, whatever name they give themselves
            text = ast.unparse(node).replace(f".{COLON}.", ":")
            made = import_module("streamgauge.streams._renamed").Renamed(made, text)
        return made

    def arguments(self, family: str, node: ast.Call) -> tuple[list[Any], dict[str, Any]]:
        positional = [self.value(family, a) for a in node.args]
        return positional, {str(k.arg): self.value(family, k.value) for k in node.keywords}

    def value(self, family: str, node: ast.expr) -> Any:
        """A parameter: a literal, or a member by its name."""
        if isinstance(node, ast.List | ast.Tuple):
            return [self.value(family, e) for e in node.elts]
        if isinstance(node, ast.Dict) and None not in node.keys:
            keys = [self.value(family, k) for k in node.keys if k is not None]
            return dict(zip(keys, (self.value(family, v) for v in node.values), strict=True))
        if isinstance(node, ast.Name) and node.id in TYPES:
            return TYPES[node.id]
        if _library(node):
            return self.foreign(node)
        named = isinstance(node, ast.Name) and _family_of(family, node.id)
        if isinstance(node, ast.Call) or named or _reference(node):
            return self.build(family, node, parameter=True)
        try:
            return ast.literal_eval(node)
        except ValueError:
            raise ParameterError(
                f"{self.who}: parameters must be literals, got {ast.unparse(node)}"
            ) from None

    def foreign(self, node: ast.expr, library: str = "") -> Any:
        """A model of a library, or several joined by `|` and `+` as river joins them."""
        library = library or _library(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.Add):
            left, right = self.foreign(node.left, library), self.foreign(node.right, library)
            return left | right if isinstance(node.op, ast.BitOr) else left + right
        given: tuple[list[Any], dict[str, Any]] = ([], {})
        if isinstance(node, ast.Call):
            given = self.arguments("learner", node)
            node = node.func
        path = (_reference(node) or ast.unparse(node)).removeprefix(f"{library}:")
        module, _, attribute = path.rpartition(".")
        kind = self.foreign_class(library, module, attribute)
        if library == "capymoa":  # its models are built from a schema, so the adapter builds them
            return partial(kind, *given[0], **given[1])
        return call(kind, f"{library}:{module}.{attribute}", *given)

    def foreign_class(self, library: str, module: str, attribute: str) -> Callable[..., Any]:
        full = f"{library}.{module}" if module else library
        try:
            source = _imported(self.who, full, self.imports)
        except ModuleNotFoundError as error:
            if error.name == library:
                raise MissingExtraError(library, LIBRARIES[library]) from None
            modules = [m.name for m in iter_modules(import_module(library).__path__)]
            raise UnknownNameError(f"module of {library}", module, modules) from None
        kind: Callable[..., Any] | None = getattr(source, attribute, None)
        if not callable(kind):
            where = full if module else f"{library} (write {library}:module.Model())"
            raise UnknownNameError(
                f"model of {where}", attribute, [name for name in dir(source) if name[:1].isupper()]
            )
        return kind


def _family_of(family: str, name: str) -> str | None:
    """The family that has a name: this one, or one whose members are parameters of others."""
    families = tuple(dict.fromkeys((family, *PARTS)))
    for one in families:
        if name in known(one):
            return one
    if name in aliases(family):
        return family
    return next((one for one in families if name in installed(one)), None)


def _reference(node: ast.expr) -> str:
    """`module:object`, or nothing if the node is something else."""
    text = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
    return text.replace(f".{COLON}.", ":") if COLON in text else ""


def _library(node: ast.expr) -> str:
    """The library of a model, or of the first of several that are joined; '' if it has none."""
    while isinstance(node, ast.BinOp):
        node = node.left
    library, _, _ = _reference(node.func if isinstance(node, ast.Call) else node).partition(":")
    return library if library in LIBRARIES else ""


def _load(who: str, reference: str, imports: bool = True) -> Any:
    """Import what `module:object` names."""
    module, colon, path = reference.replace(" ", "").partition(":")
    if not colon or not all(part.isidentifier() for part in f"{module}.{path}".split(".")):
        raise ParameterError(f"{who}: must be module:object, got {reference!r}")
    try:
        found: Any = _imported(who, module, imports, reference)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            raise ParameterError(
                f"{who}: no module is called {error.name!r}; install it, or add its folder to "
                "PYTHONPATH"
            ) from None
        raise ParameterError(f"{who}: cannot be imported: {error}") from error
    except ParameterError:
        raise
    except (Exception, SystemExit) as error:
        raise ParameterError(f"{who}: cannot be imported: {one_line(error)}") from error
    for part in path.split("."):
        if not hasattr(found, part):
            names = [name for name in dir(found) if not name.startswith("_")]
            where = module if isinstance(found, ModuleType) else type(found).__name__
            raise UnknownNameError(f"object of {where}", part, names)
        found = getattr(found, part)
    return found


def _imported(who: str, module: str, imports: bool, reference: str = "") -> ModuleType:
    """Import a module that a text names: the only place that does."""
    if not imports:
        raise ParameterError(
            f"{who}: must have a name of streamgauge or of an installed package here, "
            f"got {reference or module!r}"
        )
    if (top := module.partition(".")[0]) not in sys.stdlib_module_names:
        OUTSIDE.add(top)
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        here = str(Path.cwd())
        if error.name != module.partition(".")[0] or here in sys.path or "" in sys.path:
            raise
    sys.path.append(here)  # a command does not look for modules in the working folder
    return import_module(module)


def _check_methods(family: str, name: str, made: object) -> None:
    for method in METHODS.get(family, ()):
        if isinstance(made, type) or not hasattr(made, method):
            raise ParameterError(
                f"{name}: must be a {family} with {' and '.join(METHODS[family])}, "
                f"got {type(made).__module__}.{type(made).__qualname__}"
            )


def call(make_it: Callable[..., Any], name: str, args: list[Any], given: dict[str, Any]) -> Any:
    """Call a constructor; an unknown parameter is refused with the name of the nearest one."""
    if not callable(make_it):
        raise ParameterError(f"{name}: is an object and takes no parameters; write it without ()")
    ours = str(getattr(make_it, "__module__", "")).startswith("streamgauge.")
    try:
        signature = inspect.signature(make_it)
    except ValueError:  # a compiled function without a signature
        return _called(make_it, name, args, given)
    takes = list(signature.parameters)
    try:
        bound = signature.bind(*args, **given)
    except TypeError as error:
        for wrong in (k for k in given if k not in takes):
            raise UnknownParameterError(name, wrong, takes) from None
        raise ParameterError(f"{name}: {error}; it takes: {', '.join(takes) or 'none'}") from None
    if ours:  # other constructors check their own values
        check_kinds(make_it, name, bound)
        return make_it(*args, **given)
    return _called(make_it, name, args, given)


def _called(make_it: Callable[..., Any], name: str, args: list[Any], given: dict[str, Any]) -> Any:
    """Call a constructor of the user's or of another library; its failure is no bug of ours."""
    try:
        return make_it(*args, **given)
    except StreamgaugeError:
        raise
    except (Exception, SystemExit) as error:
        raise ParameterError(f"{name}: failed: {one_line(error)}") from error


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
