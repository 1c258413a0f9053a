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
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from streamgauge.errors import ParameterError
from streamgauge.names.libraries import joined, model
from streamgauge.names.mentions import (
    FOLDER,
    FOLDER_AT,
    PATHS,
    READERS,
    catalog_file,
    imports_of,
    library_of,
)
from streamgauge.names.outside import call, check_signature, load, permit_none
from streamgauge.names.parsing import parse, quoted, reference, written
from streamgauge.names.registry import aliases, family_of, find, known

METHODS = {
    "stream": ("schema", "length", "batches"),
    "protocol": ("timetable",),
    "measure": ("value",),
    "window": ("spec",),
    "delay": ("ticks",),
    "transformer": ("bind",),
    "alarm_measure": ("value",),
    "selector": ("bind",),
}
"""What a member of a family that comes from outside must have."""

TYPES = {"str": str, "int": int, "float": float}
"""The types a parameter may be, for river's `compose.SelectType(str)`."""

OF_LIBRARIES = ("learner", "detector")
"""The families that other libraries have members of."""


def make(family: str, text: str, *, imports: bool = True, folder: Path | None = None) -> Any:
    """Make the member of a family that `text` describes.

    With `imports=False`, nothing is imported but streamgauge: `module:object`, models of other
    libraries and entry points of installed packages are refused. Otherwise what `imports_of` lists
    for the text is imported, and nothing else. Paths of files are relative to `folder`, by default
    the working folder. A text inside a text, such as `resetting("nb", "ddm")`, is made under the
    same rules.

    Examples
    --------
    >>> make("protocol", "chunks(size=500)")
    Chunks(size=500, pretrain=0, ignore_delays=False, folds=1, split=None)
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
    whole: tuple[str, str] | None = (family, text)
    if outer is not None:
        imports = imports and outer.imports
        folder = outer.folder if folder is None else folder
        whole = outer.whole
    reader = _Reader(family, text, imports, folder, whole)
    with _activated(reader):
        return reader.made()


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
    """Makes what a text describes; errors quote the text.

    `whole` is the outermost text and its family, of which the imports are listed; None while code
    from outside runs, which may import what it likes.
    """

    family: str
    text: str
    imports: bool
    folder: Path | None
    whole: tuple[str, str] | None

    @property
    def who(self) -> str:
        return f"{self.family} {quoted(self.text)}"

    def permit(self, who: str, name: str) -> None:
        """Raise unless a name may be imported: it must be in the list for the outermost text."""
        if not self.imports:
            permit_none(who, name)
        if self.whole is not None and name not in imports_of(*self.whole):
            raise ParameterError(
                f"{who}: must import only what the list of its imports has, got {name!r}; "
                "write it without quotation marks"
            )

    def made(self) -> Any:
        node = parse(self.who, self.text)
        return self.foreign(node) if library_of(node) else self.build(self.family, node)

    def build(self, family: str, node: ast.expr, parameter: bool = False) -> Any:
        """A member by its name, or what `module:object` names, with parameters or without.

        A `parameter` of another member may be of another family.
        """
        function = node.func if isinstance(node, ast.Call) else node
        if isinstance(function, ast.Name):
            name = function.id
            if parameter:
                family = family_of(family, name) or family
            ours = name in known(family) or name in aliases(family)
            with self.running(ours):
                made: Any = find(family, name, self.permit)
        elif name := reference(function):
            ours = False
            with self.running(ours):
                made = load(self.who, name, self.permit)
        else:
            must = "a name or module:object, with parameters or without"
            raise ParameterError(f"{self.who}: must be {must}")
        called = isinstance(node, ast.Call)
        args, given = self.arguments(family, node) if isinstance(node, ast.Call) else ([], {})
        if ours and name in READERS:
            self.place(args, given, 0, PATHS)
        elif ours and family == "stream" and catalog_file(name):
            self.place(args, given, FOLDER_AT, (FOLDER,))
        if called or inspect.isclass(made) or inspect.isroutine(made):
            with self.running(ours):
                made = call(made, name, args, given)
        if ours:
            return made
        if not parameter:
            _check_methods(family, name, made)
        if family == "stream" and all(hasattr(made, method) for method in METHODS["stream"]):
            check_signature(name, made.batches, "size", "seed")
            # so that two settings are two streams, whatever name they give themselves
            made = import_module("streamgauge.streams._renamed").Renamed(made, written(node))
        return made

    @contextmanager
    def running(self, ours: bool) -> Iterator[None]:
        """Texts that code from outside makes by itself are its own: they are not in the list."""
        with _activated(self if ours else replace(self, whole=None)):
            yield

    def place(
        self, args: list[Any], given: dict[str, Any], position: int, names: tuple[str, ...]
    ) -> None:
        """Make a path among the parameters, of a file or folder, relative to the folder."""
        if self.folder is None:
            return
        if len(args) > position and isinstance(args[position], str):
            args[position] = self.folder / args[position]
        for key in names:
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
        if library_of(node):
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
        library = library or library_of(node)
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
        return model(self.who, library, path, args, given, parameter=parameter, permit=self.permit)


_active: ContextVar[_Reader | None] = ContextVar("reader", default=None)
"""The reader whose text is being made: constructors make the texts among their parameters."""


@contextmanager
def _activated(reader: _Reader) -> Iterator[None]:
    token = _active.set(reader)
    try:
        yield
    finally:
        _active.reset(token)


def _check_methods(family: str, name: str, made: object) -> None:
    for method in METHODS.get(family, ()):
        if isinstance(made, type) or not hasattr(made, method):
            raise ParameterError(
                f"{name}: must be a {family} with {', '.join(METHODS[family])}, "
                f"got {type(made).__module__}.{type(made).__qualname__}"
            )
