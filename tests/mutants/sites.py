"""The mutants of a module: every change that the operators can make to its source.

A change replaces one span of the source, so that earlier line numbers stay and the change is
readable. Never changed: docstrings, annotations, decorators, `raise` statements, texts,
`overload`s, `if TYPE_CHECKING`, `__repr__` and `__str__`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mutants.named import Named
from mutants.operators import OPERATORS
from mutants.scope import Change, Scope, Signatures

PACKAGES = ["engine", "log", "late", "streams", "protocols", "measures", "windows", "summaries"]
PACKAGES += ["types", "comparisons", "repetitions", "report", "diagnosis", "seeds"]
PACKAGES += ["alarm_measures", "loss_sequences", "detector_evaluation"]
"""The packages from which mutants are drawn, in equal proportion."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module."""

    package: str
    path: str
    within: str
    kind: str
    line: int
    reached_by: tuple[int, ...]
    """Tests that run one of these lines may detect the change."""
    at_import: bool
    """Not in the body of a function: a test that runs no line of the module may detect it."""
    start: int
    stop: int
    before: str
    after: str
    nth: int = 0
    """The index among equal changes in the same function."""

    @property
    def change(self) -> str:
        """The change on one line."""
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        again = f" #{self.nth + 1}" if self.nth else ""
        return f"{self.kind}: {before or '(nothing)'} → {after or '(nothing)'}{again}"

    @property
    def named(self) -> Named:
        """Its name."""
        return Named(self.package, self.path, self.within, self.kind, self.line, self.change)

    def applied(self, source: bytes) -> bytes:
        """The module's source with the change applied."""
        return source[: self.start] + self.after.encode() + source[self.stop :]

    def compiles(self, source: bytes) -> bool:
        """Whether the changed source compiles."""
        try:
            compile(self.applied(source), self.path, "exec")
        except SyntaxError:
            return False
        return True


def mutants(root: Path) -> Iterator[Mutant]:
    """Every mutant of the packages, in the order of the source."""
    folder = root / "python" / "streamgauge"
    signatures = Signatures.of(folder)
    for package in PACKAGES:
        files = sorted(folder.glob(f"{package}/**/*.py")) or [folder / f"{package}.py"]
        for file in files:
            yield from of_module(package, folder, file, signatures)


def of_module(package: str, folder: Path, file: Path, signatures: Signatures) -> Iterator[Mutant]:
    """Every mutant of one module."""
    source = file.read_bytes()
    seen: dict[tuple[str, str], int] = {}
    path = file.relative_to(folder).as_posix()
    tree = ast.parse(source)
    for scope, change in _within(tree, Scope.of_module(tree, source, signatures)):
        made = Mutant(
            package,
            path,
            scope.name,
            change.kind,
            scope.line(change.node),
            scope.reached_by(change.node),
            not scope.inside,
            change.start,
            change.stop,
            source[change.start : change.stop].decode(),
            change.after,
        )
        if made.before == made.after:
            continue
        key = (scope.name, made.change)
        seen[key] = seen.get(key, -1) + 1
        yield replace(made, nth=seen[key])


def _within(node: ast.AST, scope: Scope) -> Iterator[tuple[Scope, Change]]:
    for child in _code_children(node):
        inner = scope.entered(child)
        for operator in OPERATORS:
            for change in operator(child, inner):
                yield inner, change
        yield from _within(child, inner)


def _code_children(node: ast.AST) -> Iterator[ast.AST]:
    """The children that are code: not annotations, decorators, docstrings, texts or errors."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_excluded(child):
                yield child


def _is_excluded(node: ast.AST) -> bool:
    match node:
        case ast.Raise() | ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.Assert():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.FunctionDef(name="__repr__" | "__str__"):
            return True
        case ast.FunctionDef(decorator_list=found):
            return any(isinstance(d, ast.Name) and d.id == "overload" for d in found)
        case ast.ClassDef(bases=bases):
            return any("Protocol" in ast.unparse(b) for b in bases)
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name == "__slots__" or "TypeVar" in ast.unparse(node)
        case ast.AnnAssign(annotation=kind):
            return "TypeAlias" in ast.unparse(kind)
    return False
