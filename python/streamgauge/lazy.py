"""Lazy packages: a member is imported when it is first used.

The `__init__.py` of such a package lists its members once, as typed re-exports under
`TYPE_CHECKING`. `members` runs the compiled code of that file with an import function that
records names and imports nothing, so the list is the only table and no source is needed: a
package of `.pyc` files or in a zip archive works.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from streamgauge.errors import suggestion as suggestion
from streamgauge.keywords import checked_keywords

NOT_MEMBERS = ("__future__", "typing", "streamgauge.lazy")
"""Modules that a lazy package imports for its own use."""


class _Member(NamedTuple):
    """What `from module import attribute` names."""

    module: str
    attribute: str


class _Module:
    """Stands for an imported module; `TYPE_CHECKING` is true, a member is a `_Member`."""

    def __init__(self, name: str, *_: Any) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> object:
        return self._name in NOT_MEMBERS or _Member(self._name, attribute)


@cache
def _exports(package: str) -> Mapping[str, _Member]:
    """Name -> module and attribute, for everything a package re-exports."""
    loader: Any = getattr(import_module(package).__spec__, "loader", None)
    names: dict[str, Any] = {"__name__": package, "__builtins__": {"__import__": _Module}}
    exec(loader.get_code(package), names)
    return MappingProxyType(
        {name: member for name, member in names.items() if isinstance(member, _Member)}
    )


@cache
def members(package: str) -> dict[str, str]:
    """Name -> module, for every member of a lazy package.

    Examples
    --------
    >>> members("streamgauge.windows")["Sliding"]
    'streamgauge.windows.sliding'
    """
    return {
        name: member.module
        for name, member in _exports(package).items()
        if not name.startswith("__")
    }


def lazy_package(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a lazy package.

    Examples
    --------
    >>> import streamgauge.measures
    >>> streamgauge.measures.Kapa
    Traceback (most recent call last):
    AttributeError: streamgauge.measures has no 'Kapa'; did you mean 'Kappa'?
    """

    def __getattr__(name: str) -> object:  # noqa: N807 (PEP 562)
        if name.startswith("__") and name != "__version__":
            raise AttributeError(name)
        exports = _exports(package)
        if name not in exports:
            raise AttributeError(f"{package} has no {name!r}{suggestion(name, members(package))}")
        module, attribute = exports[name]
        value: object = (
            import_module(f"{package}.{name}")  # a subpackage
            if module == package
            else checked_keywords(getattr(import_module(module), attribute))
        )
        setattr(sys.modules[package], name, value)
        return value

    def __dir__() -> list[str]:  # noqa: N807 (PEP 562)
        return sorted(_exports(package))

    return __getattr__, __dir__
