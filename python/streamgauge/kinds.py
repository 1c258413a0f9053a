"""What kind of value a parameter takes: NumPy's numbers are numbers, values in text are checked."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import BoundArguments, Parameter, isclass
from numbers import Integral
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from streamgauge.errors import ParameterError

WORDS: dict[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "text",
    type(None): "None",
}


Taker = TypeVar("Taker", bound=Callable[..., Any])


def plain(value: Any) -> Any:
    """A NumPy scalar as Python's own value, also inside a list, tuple or dict.

    Examples
    --------
    >>> plain(np.float32(0.5)), plain((np.int64(3), "a")), plain({"a": np.bool_(True)})
    (0.5, (3, 'a'), {'a': True})
    """
    if isinstance(value, np.floating):
        return float(value)  # `item` leaves a long double what it is
    if isinstance(value, np.integer | np.bool_ | np.str_):
        return value.item()
    if type(value) in (list, tuple):
        return type(value)(map(plain, value))
    return {plain(k): plain(v) for k, v in value.items()} if type(value) is dict else value


def plain_numbers(taker: Taker) -> Taker:
    """Give a function, or the constructor of a class, Python's numbers in place of NumPy's.

    Every check behind it and every name made from a parameter then knows one kind of number.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @plain_numbers
    ... @dataclass(frozen=True)
    ... class Fading:
    ...     factor: float
    >>> Fading(np.float32(0.5))
    Fading(factor=0.5)
    """
    inner: Any = taker.__init__ if isclass(taker) else taker

    @wraps(inner)
    def given(*args: Any, **named: Any) -> Any:
        return inner(*map(plain, args), **{name: plain(value) for name, value in named.items()})

    if not isclass(taker):
        return cast(Taker, given)
    setattr(taker, "__init__", given)  # noqa: B010 (mypy refuses the assignment)
    return taker


def at_least(who: object, what: str, value: object, least: int) -> None:
    """Refuse anything but a whole number from `least` on."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ParameterError.of(who, what, "a whole number", value)
    if int(value) < least:
        raise ParameterError.of(who, what, f"at least {least}", value)


def check_kinds(taker: Callable[..., Any], name: str, given: BoundArguments) -> None:
    """Refuse a value of a kind that the parameter does not take.

    Examples
    --------
    >>> from inspect import signature
    >>> def chunks(size: int, pretrain: int | None = None) -> None: ...
    >>> check_kinds(chunks, "chunks", signature(chunks).bind("ten"))
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: chunks: size must be a whole number, got 'ten'
    """
    try:
        hints = get_type_hints(taker.__init__ if isclass(taker) else taker)
    except NameError:  # a library that hides its types from the interpreter
        return
    for parameter, value in given.arguments.items():
        kind = hints.get(parameter, Any)
        starred = given.signature.parameters[parameter].kind in (
            Parameter.VAR_POSITIONAL,
            Parameter.VAR_KEYWORD,
        )
        values = list(value.values() if isinstance(value, dict) else value) if starred else [value]
        for one in values:
            if not fits(one, kind):
                raise ParameterError.of(name, parameter, in_words(kind), one)


def fits(value: object, kind: Any) -> bool:
    """Is it of this kind? Kinds this file knows nothing of take everything."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in inner)
    if origin in (Sequence, list, tuple):
        return isinstance(value, list | tuple) and all(fits(one, inner[0]) for one in value)
    if kind is bool:
        return isinstance(value, bool)
    if kind in (int, float):
        numbers = int if kind is int else int | float
        return isinstance(value, numbers) and not isinstance(value, bool)
    if isclass(kind) and (kind in WORDS or hasattr(kind, "batches")):
        return isinstance(value, kind)
    return True


def in_words(kind: Any) -> str:
    """The kind as a message says it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(in_words(one) for one in inner)
    if origin in (Sequence, list, tuple):
        return f"a list, each {in_words(inner[0])}"
    return WORDS.get(kind) or f"a {getattr(kind, '__name__', str(kind)).lower()}"
