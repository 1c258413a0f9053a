"""Things by name, as the CLI and TOML files write them: `chunks(size=500)`.

A name is a file name of its family (`naive_bayes`) or an alias the class declares (`nb`);
parameters are literals, or things with a name (`take(sea(), 1000)`, `resetting(nb, ddm)`). A
model of another library is `river:tree.HoeffdingTreeClassifier(grace_period=100)`; `|` and `+`
join river's steps.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from streamgauge.doors import members, suggestion
from streamgauge.errors import MissingExtraError, ParameterError, UnknownNameError
from streamgauge.kinds import check_kinds

FAMILIES = {
    "stream": "streamgauge.streams",
    "learner": "streamgauge.learners",
    "protocol": "streamgauge.protocols",
    "measure": "streamgauge.measures",
    "window": "streamgauge.windows",
    "detector": "streamgauge.detectors",
    "wait": "streamgauge.waits",
}
PARTS = ("learner", "detector", "window", "wait")
"""The families whose members others take as parameters."""

TYPES = {"str": str, "int": int, "float": float}
"""The types a parameter may be, for river's `compose.SelectType(str)`."""

CALLED = ("write_stream",)
"""Members of families that are called in Python but make nothing that a name could stand for."""

LIBRARIES = {"river": "river", "sklearn": "sklearn", "capymoa": "capymoa"}
"""The libraries whose models have names -> the extra that installs each."""


@cache
def known(family: str) -> dict[str, tuple[str, str]]:
    """Name -> (module, attribute) for everything of a family that a user may name."""
    package = FAMILIES[family]
    table: dict[str, tuple[str, str]] = {}
    for attribute, module in members(package).items():
        if attribute in CALLED:
            continue
        file = module.rpartition(".")[2]
        name = file if snake(attribute) == file or attribute[:1].isupper() else attribute
        if name in table:  # a file with several things: each by its own name
            name = snake(attribute)
        table[name] = (module, attribute)
    return dict(sorted(table.items()))


@cache
def aliases(family: str) -> dict[str, str]:
    """Alias -> name, as the classes declare them."""
    found: dict[str, str] = {}
    for name, (module, attribute) in known(family).items():
        for alias in getattr(getattr(import_module(module), attribute), "aliases", ()):
            found[alias] = name
    return found


def find(family: str, name: str) -> Callable[..., Any]:
    """The class or function a name stands for."""
    table = known(family)
    if name not in table:
        other = aliases(family)
        if name not in other:
            raise UnknownNameError(family, name, [*table, *other])
        name = other[name]
    module, attribute = table[name]
    found: Callable[..., Any] = getattr(import_module(module), attribute)
    return found


def make(family: str, text: str) -> Any:
    """The thing that `text` describes.

    Examples
    --------
    >>> make("protocol", "chunks(size=500)")
    Chunks(size=500, pretrain=0, ignore_delays=False)
    >>> make("protocol", "prequental")
    Traceback (most recent call last):
    streamgauge.errors.UnknownNameError: no protocol is called 'prequental'; did you mean \
'prequential'?
    """
    library, colon, rest = text.partition(":")
    if colon and library in LIBRARIES:
        return _chained(library, _parse("model", rest))
    return _build(family, _parse(family, text), text)


def _parse(family: str, text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise ParameterError(
            f"{family} {text!r}: must be a name, or a name with parameters like name(size=10)"
        ) from None


def _build(family: str, node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Name):
        node = ast.Call(node, [], [])
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise ParameterError(f"{family} {text!r}: must be a name, or a name with parameters")
    name = node.func.id
    home = _home(family, name) or family
    return call(find(home, name), name, *_arguments(home, node, text))


def _home(family: str, name: str) -> str | None:
    """The family that knows a name: this one, or one whose members are parts of others."""
    homes = (home for home in (family, *PARTS) if name in known(home))
    return next(homes, family if name in aliases(family) else None)


def _arguments(family: str, node: ast.Call, text: str) -> tuple[list[Any], dict[str, Any]]:
    positional = [_value(family, a, text) for a in node.args]
    return positional, {str(k.arg): _value(family, k.value, text) for k in node.keywords}


def _value(family: str, node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(family, e, text) for e in node.elts]
    if isinstance(node, ast.Dict) and None not in node.keys:
        keys = [_value(family, k, text) for k in node.keys if k is not None]
        return dict(zip(keys, (_value(family, v, text) for v in node.values), strict=True))
    if isinstance(node, ast.Name) and node.id in TYPES:
        return TYPES[node.id]
    if isinstance(node, ast.Call) or (isinstance(node, ast.Name) and _home(family, node.id)):
        return _build(family, node, text)
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise ParameterError(
            f"{family} {text!r}: parameters must be literals, got {ast.unparse(node)}"
        ) from None


def call(make_it: Callable[..., Any], name: str, args: list[Any], given: dict[str, Any]) -> Any:
    """Call a constructor; a wrong parameter name is answered with the right one."""
    try:
        bound = inspect.signature(make_it).bind(*args, **given)
    except TypeError as error:
        takes = list(inspect.signature(make_it).parameters)
        wrong = [k for k in given if k not in takes]
        if wrong:
            hint = suggestion(wrong[0], takes) or f"; it takes: {', '.join(takes) or 'none'}"
            raise ParameterError(f"{name}: no parameter is called {wrong[0]!r}{hint}") from None
        raise ParameterError(f"{name}: {error}; it takes: {', '.join(takes) or 'none'}") from None
    if make_it.__module__.startswith("streamgauge."):  # a model's own constructor knows better
        check_kinds(make_it, name, bound)
    return make_it(*args, **given)


def _chained(library: str, node: ast.expr) -> Any:
    """A model, or several joined by `|` and `+` as river joins them."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.Add):
        left, right = _chained(library, node.left), _chained(library, node.right)
        return left | right if isinstance(node.op, ast.BitOr) else left + right
    return _foreign(library, node)


def _foreign(library: str, node: ast.expr) -> Any:
    text = ast.unparse(node)
    given: tuple[list[Any], dict[str, Any]] = ([], {})
    if isinstance(node, ast.Call):
        given = _arguments("learner", node, text)
        node = node.func
    module, _, attribute = ast.unparse(node).rpartition(".")
    try:
        home = import_module(f"{library}.{module}" if module else library)
    except ModuleNotFoundError as error:
        if error.name == library:
            raise MissingExtraError(library, LIBRARIES[library]) from None
        modules = [m.name for m in iter_modules(import_module(library).__path__)]
        raise UnknownNameError(f"module of {library}", module, modules) from None
    kind = getattr(home, attribute, None)
    if not callable(kind):
        where = f"{library}.{module}" if module else f"{library} (write {library}:module.Model())"
        raise UnknownNameError(
            f"model of {where}", attribute, [name for name in dir(home) if name[:1].isupper()]
        )
    if library == "capymoa":  # its models are built from a schema, so the adapter builds them
        return partial(kind, *given[0], **given[1])
    return call(kind, f"{library}:{module}.{attribute}", *given)


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
