"""Code from outside the package: the one place that imports it, and calls its constructors."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from streamgauge.errors import (
    ImportFailedError,
    ParameterError,
    StreamgaugeError,
    UnknownNameError,
    UnknownParameterError,
    error_line,
)
from streamgauge.kinds import check_kinds

OUTSIDE: set[str] = set()
"""Top-level modules of the user's own that names have imported: their errors are not ours."""


Permit = Callable[[str, str], None]
"""Raises unless a name may be imported: called with who names it, and the name as it is listed."""


def permit_all(who: str, name: str) -> None:
    """Permit every import: the names are the user's own."""


def permit_none(who: str, name: str) -> None:
    """Refuse every import."""
    raise ParameterError(
        f"{who}: must be a name of streamgauge here, got {name!r}, which would import code"
    )


def load(who: str, reference: str, permit: Permit = permit_all) -> Any:
    """Import what `module:object` names."""
    module, colon, path = reference.replace(" ", "").partition(":")
    if not colon or not all(part.isidentifier() for part in f"{module}.{path}".split(".")):
        raise ParameterError(f"{who}: must be module:object, got {reference!r}")
    permit(who, reference)
    try:
        found: Any = imported(module)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            raise ImportFailedError(
                f"{who}: no module is called {error.name!r}; install it, or add its folder to "
                "PYTHONPATH"
            ) from None
        raise ImportFailedError(f"{who}: cannot be imported: {error}") from error
    except (Exception, SystemExit) as error:
        raise ImportFailedError(f"{who}: cannot be imported: {error_line(error)}") from error
    for part in path.split("."):
        if not hasattr(found, part):
            names = [name for name in dir(found) if not name.startswith("_")]
            where = module if isinstance(found, ModuleType) else type(found).__name__
            raise ImportFailedError(str(UnknownNameError(f"object of {where}", part, names)))
        found = getattr(found, part)
    return found


def imported(module: str) -> ModuleType:
    """Import a module that a text names: the only place that does."""
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
        raise ParameterError(f"{name}: failed: {error_line(error)}") from error


def check_signature(who: str, method: Callable[..., Any], *names: str, **options: object) -> None:
    """Raise if a method of the user's own cannot be called with these arguments.

    Examples
    --------
    >>> check_signature("mine:Rows", lambda size: [], "size", "seed")
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: mine:Rows: <lambda> must take (size, seed), got (size)
    """
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # a compiled function without a signature
        return
    try:
        signature.bind(*names, **options)
    except TypeError:
        called, takes = getattr(method, "__name__", "it"), ", ".join(signature.parameters)
        must = ", ".join([*names, *options])
        raise ParameterError(f"{who}: {called} must take ({must}), got ({takes})") from None


def own_code(error: BaseException) -> str:
    """Where an error was raised in code of the user's own; nothing if it was not.

    The user's own modules are those that a name has imported.
    """
    for frame, line in reversed([*traceback.walk_tb(error.__traceback__)]):
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] in OUTSIDE:
            return f"{module}:{frame.f_code.co_qualname} (line {line})"
    return ""
