"""Keyword arguments: an unknown one is refused with the name of the nearest known one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

from streamgauge.errors import ParameterError, UnknownParameterError

TAKES_ANY = 0x08
"""Flag of a code object: the function has `**keywords`."""

T = TypeVar("T")


def checked_keywords(thing: T) -> T:
    """Let a function, or the constructor of a class, refuse an unknown keyword with a suggestion.

    A class is changed in place; a function is replaced in its module. The arguments are looked at
    only after a call has failed.

    Examples
    --------
    >>> from streamgauge.windows import Sliding
    >>> Sliding(sise=3)
    Traceback (most recent call last):
    streamgauge.errors.UnknownParameterError: Sliding: no parameter is called 'sise'; \
did you mean 'size'?
    """
    if isinstance(thing, type):
        owner = next(kind for kind in thing.__mro__ if "__init__" in vars(kind))
        inner: Any = vars(owner)["__init__"]
        if _replaceable(inner) and owner.__module__.startswith("streamgauge."):
            setattr(owner, "__init__", _checked(inner))  # noqa: B010 (mypy refuses the assignment)
        return thing
    if not isinstance(thing, FunctionType) or not _replaceable(thing):
        return thing
    checked: Any = _checked(thing)
    setattr(sys.modules[thing.__module__], thing.__name__, checked)  # pickle looks there
    return checked  # type: ignore[no-any-return]


def refuse_unknown(
    function: Callable[..., Any], args: tuple[Any, ...], given: Iterable[str]
) -> None:
    """Raise if a keyword is not a parameter of the function; `args` hold the `self` of a method."""
    takes, any_keyword = _parameters(function)
    method = function.__name__ == "__init__"
    if any_keyword:
        return
    for name in given:
        if name not in takes:
            who = type(args[0]).__name__ if method else function.__name__
            raise UnknownParameterError(who, name, takes[1:] if method else takes)


def refuse_other_types(
    function: Callable[..., Any], args: tuple[Any, ...], named: Mapping[str, Any]
) -> None:
    """Raise if an argument that must be a log is something else; called after a failure.

    Types are compared by name: this module is below those that define them.
    """
    takes, _ = _parameters(function)
    annotations = getattr(function, "__annotations__", {})
    for name, value in {**dict(zip(takes, args, strict=False)), **named}.items():
        if annotations.get(name) == "Log" and type(value).__name__ != "Log":
            raise ParameterError.of(function.__name__, name, "a log, as returned by run", value)


def _checked(inner: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(inner)
    def call(*args: Any, **named: Any) -> Any:
        try:
            return inner(*args, **named)
        except (TypeError, AttributeError):
            refuse_unknown(inner, args, named)
            refuse_other_types(inner, args, named)
            raise

    setattr(call, "checks_keywords", True)  # noqa: B010 (mypy refuses the assignment)
    return call


def _replaceable(inner: object) -> bool:
    ours = isinstance(inner, FunctionType) and inner.__module__.startswith("streamgauge.")
    return ours and not hasattr(inner, "checks_keywords")


def _parameters(function: Any) -> tuple[tuple[str, ...], bool]:
    """The names of the parameters, and whether any other keyword is taken.

    Read from the code object: `inspect` would take longer to import than the whole package.
    """
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = function.__code__
    named = code.co_argcount + code.co_kwonlyargcount
    return code.co_varnames[:named], bool(code.co_flags & TAKES_ANY)
