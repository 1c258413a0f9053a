"""Reader of texts: makes the member of a family that a text such as `chunks(size=500)` describes.

A name is, in this order, a file name of the family (`naive_bayes`) or an alias that the class
declares (`nb`); the name of an entry point of an installed package (group `streamgauge.measures`
and so on); `module:object`, imported from the user's own code; or a learner or detector of another
library (`river:tree.HoeffdingTreeClassifier(grace_period=100)`; `|` and `+` join the steps of
river). Parameters are literals, or members by name (`take(sea(), 1000)`, `resetting(nb, ddm)`).
"""

from __future__ import annotations

import ast
import inspect
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from streamgauge.errors import ParameterError
from streamgauge.names.libraries import LIBRARIES, joined, model
from streamgauge.names.outside import call, load
from streamgauge.names.parsing import mentioned, parse, quoted, reference, written
from streamgauge.names.registry import (
    FAMILIES,
    aliases,
    family_of,
    find,
    installed,
    known,
)

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

OF_LIBRARIES = ("learner", "detector")
"""The families that other libraries have members of."""

READERS = frozenset({"arff", "csv", "ipc", "open_stream", "parquet"})
"""Streams of files; the path is their first parameter."""

PATHS = ("path", "source")
"""The names of that parameter."""


def make(family: str, text: str, *, imports: bool = True, folder: Path | None = None) -> Any:
    """Make the member of a family that `text` describes.

    With `imports=False`, nothing is imported but streamgauge: `module:object`, models of other
    libraries and entry points of installed packages are refused. Paths of files are relative to
    `folder`, by default the working folder. A text inside a text, such as `resetting("nb", "ddm")`,
    is made under the same rules.

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
    streamgauge.errors.ParameterError: window 'fractions:Fraction(1, 3)': must be a name of \
streamgauge here, got 'fractions:Fraction', which would import code
    """
    outer = _active.get()
    if outer is not None:
        imports = imports and outer.imports
        folder = outer.folder if folder is None else folder
    reader = _Reader(family, text, imports, folder)
    token = _active.set(reader)
    try:
        return reader.made()
    finally:
        _active.reset(token)


def resolve(family: str, given: Any) -> Any:
    """Make a member of a family if its name is given; return anything else as it is.

    Examples
    --------
    >>> resolve("window", "sliding(10)"), resolve("window", None)
    (Sliding(size=10), None)
    """
    return make(family, given) if isinstance(given, str) else given


def imports_of(text: str) -> list[str]:
    """What a text would import, without importing it: references, and names of entry points.

    An entry point is written with its package and version.

    Examples
    --------
    >>> imports_of("resetting(mine:Last(), river:drift.ADWIN(delta=0.1))")
    ['mine:Last', 'river:drift.ADWIN']
    >>> imports_of("take(csv('a.csv', target='user:id'), 5)")
    []
    """
    found: dict[str, None] = {}
    for node in mentioned(parse(quoted(text), text), READERS):
        if name := reference(node):
            found[name] = None
        elif isinstance(node, ast.Name) and not any(
            node.id in known(one) or node.id in aliases(one) for one in FAMILIES
        ):
            plugins = [p for one in FAMILIES for p in installed(one).get(node.id, ())]
            found |= {f"{plugin.value} ({plugin.package})": None for plugin in plugins}
    return list(found)


def files_of(text: str) -> list[str]:
    """The paths of files in the text of a stream, as they are written.

    Examples
    --------
    >>> files_of("concatenate(csv('a.csv', target='y'), take(parquet(path='b.parquet'), 5))")
    ['a.csv', 'b.parquet']
    """
    found: dict[str, None] = {}
    for node in ast.walk(parse(quoted(text), text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in READERS:
            named = [k.value for k in node.keywords if k.arg in PATHS]
            for one in (*node.args[:1], *named):
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    found[one.value] = None
    return list(found)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes what a text describes; errors quote the text."""

    family: str
    text: str
    imports: bool
    folder: Path | None

    @property
    def who(self) -> str:
        return f"{self.family} {quoted(self.text)}"

    def made(self) -> Any:
        node = parse(self.who, self.text)
        return self.foreign(node) if _library(node) else self.build(self.family, node)

    def build(self, family: str, node: ast.expr, parameter: bool = False) -> Any:
        """A member by its name, or what `module:object` names, with parameters or without.

        A `parameter` of another member may be of another family.
        """
        function = node.func if isinstance(node, ast.Call) else node
        if isinstance(function, ast.Name):
            name = function.id
            if parameter:
                family = family_of(family, name) or family
            made: Any = find(family, name, self.imports)
            ours = name in known(family) or name in aliases(family)
        elif name := reference(function):
            made, ours = load(self.who, name, self.imports), False
        else:
            raise ParameterError(f"{self.who}: must be a name, or a name with parameters")
        if isinstance(node, ast.Call):
            args, given = self.arguments(family, node)
            if ours and name in READERS:
                self.place(args, given)
            made = call(made, name, args, given)
        elif inspect.isclass(made) or inspect.isroutine(made):
            made = call(made, name, [], {})
        if ours:
            return made
        if not parameter:
            _check_methods(family, name, made)
        if family == "stream" and all(hasattr(made, method) for method in METHODS["stream"]):
            # so that two settings are two streams, whatever name they give themselves
            made = import_module("streamgauge.streams._renamed").Renamed(made, written(node))
        return made

    def place(self, args: list[Any], given: dict[str, Any]) -> None:
        """Make the path among the parameters of a file's reader relative to the folder."""
        if self.folder is None:
            return
        if args and isinstance(args[0], str):
            args[0] = self.folder / args[0]
        for key in PATHS:
            if isinstance(given.get(key), str):
                given[key] = self.folder / given[key]

    def arguments(self, family: str, node: ast.Call) -> tuple[list[Any], dict[str, Any]]:
        positional = [self.value(family, a) for a in node.args]
        return positional, {str(k.arg): self.value(family, k.value) for k in node.keywords}

    def value(self, family: str, node: ast.expr) -> Any:
        """A parameter: a literal, or a member by its name."""
        if isinstance(node, ast.List | ast.Tuple):
            return [self.value(family, e) for e in node.elts]
        if isinstance(node, ast.Dict) and None not in node.keys:
            keys = [self.literal(k) for k in node.keys if k is not None]
            try:
                return dict(zip(keys, (self.value(family, v) for v in node.values), strict=True))
            except TypeError:  # a list as a key
                raise self.no_literal(node) from None
        if isinstance(node, ast.Name) and node.id in TYPES:
            return TYPES[node.id]
        if _library(node):
            return self.foreign(node, parameter=True)
        named = isinstance(node, ast.Name) and family_of(family, node.id)
        if isinstance(node, ast.Call) or named or reference(node):
            return self.build(family, node, parameter=True)
        return self.literal(node)

    def literal(self, node: ast.expr) -> Any:
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError):
            raise self.no_literal(node) from None

    def no_literal(self, node: ast.expr) -> ParameterError:
        return ParameterError(f"{self.who}: parameters must be literals, got {written(node)}")

    def foreign(self, node: ast.expr, library: str = "", parameter: bool = False) -> Any:
        """A model of a library, or several joined by `|` and `+` as river joins them."""
        library = library or _library(node)
        if self.family not in OF_LIBRARIES:
            raise ParameterError(
                f"{self.who}: must be a {self.family} of streamgauge or module:object, got a name "
                f"of {library}, whose names are learners and detectors"
            )
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.Add):
            left, right = (self.foreign(n, library, parameter) for n in (node.left, node.right))
            return joined(self.who, left, right, together=isinstance(node.op, ast.Add))
        args: list[Any] = []
        given: dict[str, Any] = {}
        if isinstance(node, ast.Call):
            args, given = self.arguments("learner", node)
            node = node.func
        path = (reference(node) or ast.unparse(node)).removeprefix(f"{library}:")
        return model(
            self.who, library, path, args, given, parameter=parameter, imports=self.imports
        )


_active: ContextVar[_Reader | None] = ContextVar("reader", default=None)
"""The reader whose text is being made: constructors make the texts among their parameters."""


def _library(node: ast.expr) -> str:
    """The library of a model, or of the first of several that are joined; '' if it has none."""
    while isinstance(node, ast.BinOp):
        node = node.left
    library, _, _ = reference(node.func if isinstance(node, ast.Call) else node).partition(":")
    return library if library in LIBRARIES else ""


def _check_methods(family: str, name: str, made: object) -> None:
    for method in METHODS.get(family, ()):
        if isinstance(made, type) or not hasattr(made, method):
            raise ParameterError(
                f"{name}: must be a {family} with {' and '.join(METHODS[family])}, "
                f"got {type(made).__module__}.{type(made).__qualname__}"
            )
