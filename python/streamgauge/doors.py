"""How the families open: a name is imported when it is first asked for.

A family's `__init__.py` lists its members once, as typed re-exports under `TYPE_CHECKING`.
`door` reads that list from the file itself, so there is no second table to drift.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path


@cache
def members(package: str) -> dict[str, str]:
    """Name -> the module it lives in, for everything a family re-exports."""
    path = sys.modules[package].__file__ if package in sys.modules else None
    if path is None:
        path = import_module(package).__file__
    tree = ast.parse(Path(str(path)).read_text(encoding="utf-8"))
    return {
        alias.asname or alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def door(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a lazy package.

    Examples
    --------
    >>> import streamgauge.measures
    >>> streamgauge.measures.Kapa
    Traceback (most recent call last):
    AttributeError: streamgauge.measures has no 'Kapa'; did you mean 'Kappa'?
    """

    def __getattr__(name: str) -> object:  # noqa: N807 (PEP 562)
        table = members(package)
        if name.startswith("__"):
            raise AttributeError(name)
        if name in table:
            home = table[name]
            value: object = (
                import_module(f"{package}.{name}")  # a module of the family itself
                if home == package
                else getattr(import_module(home), name)
            )
            setattr(sys.modules[package], name, value)
            return value
        raise AttributeError(f"{package} has no {name!r}{suggestion(name, table)}")

    def __dir__() -> list[str]:  # noqa: N807 (PEP 562)
        return sorted(members(package))

    return __getattr__, __dir__


def suggestion(name: str, known: Iterable[str]) -> str:
    """`; did you mean …?`, or nothing when no known name is near."""
    near = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
