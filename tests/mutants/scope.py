"""The position of a node in the source, and the parameters of the project's functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Signatures:
    """Optional and required parameters of the project's functions and dataclasses, by name."""

    optional: dict[str, frozenset[str]]
    required: dict[str, frozenset[str]]

    @classmethod
    def of(cls, package: Path) -> Signatures:
        """Read from the sources."""
        optional: dict[str, set[str]] = {}
        required: dict[str, set[str]] = {}
        for file in package.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_bytes())):
                for name, defaulted in _parameters(node):
                    owner = getattr(node, "name", "")
                    (optional if defaulted else required).setdefault(owner, set()).add(name)
        return cls(
            {k: frozenset(v) for k, v in optional.items()},
            {k: frozenset(v) for k, v in required.items()},
        )

    def droppable(self, callee: str, parameter: str) -> bool:
        """Whether a call may omit it; assumed for functions of other libraries."""
        if parameter in self.optional.get(callee, ()):
            return True
        return parameter not in self.required.get(callee, ())


@dataclass(frozen=True, slots=True)
class Change:
    """A span of the source and its replacement."""

    kind: str
    node: ast.AST
    start: int
    stop: int
    after: str


@dataclass(frozen=True, slots=True)
class Scope:
    """The position of a node: its function or class, and the source."""

    name: str
    source: bytes
    starts: tuple[int, ...]
    """The offset of each line."""
    signatures: Signatures
    function: ast.FunctionDef | None
    owner: ast.AST
    inside: bool = False
    """Whether it is in the body of the function, not in its signature."""

    @classmethod
    def of_module(cls, tree: ast.Module, source: bytes, signatures: Signatures) -> Scope:
        """The outermost scope."""
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return cls("", source, tuple(starts), signatures, None, tree)

    def entered(self, node: ast.AST) -> Scope:
        """The scope of a node: a new one for a function or class."""
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{self.name}.{node.name}".lstrip(".")
            function = node if isinstance(node, ast.FunctionDef) else None
            return replace(self, name=name, function=function, owner=node, inside=False)
        if isinstance(node, ast.stmt):
            return replace(self, inside=self.function is not None)
        return self

    def span(self, node: ast.AST) -> tuple[int, int]:
        """The start and end of the node in the source."""
        at: ast.expr = node  # type: ignore[assignment]
        if at.end_lineno is None or at.end_col_offset is None:
            raise ValueError("a node without an end")
        return (
            self.starts[at.lineno - 1] + at.col_offset,
            self.starts[at.end_lineno - 1] + at.end_col_offset,
        )

    def text(self, node: ast.AST) -> str:
        """The node's source."""
        start, stop = self.span(node)
        return self.source[start:stop].decode()

    def swap(self, kind: str, node: ast.AST, after: str) -> Change:
        """A replacement of the node."""
        return Change(kind, node, *self.span(node), after)

    def line(self, node: ast.AST) -> int:
        """Its first line."""
        return int(getattr(node, "lineno", 1))

    def reached_by(self, node: ast.AST) -> tuple[int, ...]:
        """The lines that show that a test runs the node; in a body, its own.

        Code outside of a body (a default, a constant) runs once, at import; then every line of the
        function, class or module counts.
        """
        if self.inside:
            return tuple(range(self.line(node), int(getattr(node, "end_lineno", 1)) + 1))
        last = int(getattr(self.owner, "end_lineno", len(self.starts)))
        return tuple(range(int(getattr(self.owner, "lineno", 1)) + 1, last + 1))


def defaults(args: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """The parameters that have a default, and the default."""
    placed = [*args.posonlyargs, *args.args]
    for argument, default in zip(
        placed[len(placed) - len(args.defaults) :], args.defaults, strict=True
    ):
        yield argument.arg, default
    for argument, given in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if given is not None:
            yield argument.arg, given


def _parameters(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """The parameters of a function or dataclass, and whether each has a default."""
    if isinstance(node, ast.FunctionDef):
        optional = {name for name, _ in defaults(node.args)}
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            yield argument.arg, argument.arg in optional
    if isinstance(node, ast.ClassDef):
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                yield field.target.id, field.value is not None
            if isinstance(field, ast.FunctionDef) and field.name == "__init__":
                yield from _parameters(field)
