"""Kinds of parameter values: NumPy scalars become Python's, values in text are checked."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import BoundArguments, Parameter, isclass
from numbers import Integral, Real
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.keywords import refuse_other_types, refuse_unknown

WORDS: dict[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "text",
    type(None): "None",
}

Function = TypeVar("Function", bound=Callable[..., Any])


def plain(value: Any) -> Any:
    """Convert a NumPy scalar to a Python value, also inside a list, tuple or dict.

    Examples
    --------
    >>> plain(np.float32(0.5)), plain((np.int64(3), "a")), plain({"a": np.bool_(True)})
    (0.5, (3, 'a'), {'a': True})
    """
    if isinstance(value, np.floating):
        return float(value)  # `item` returns a long double unchanged
    if isinstance(value, np.integer | np.bool_ | np.str_):
        return value.item()
    if type(value) in (list, tuple):
        return type(value)(map(plain, value))
    return {plain(k): plain(v) for k, v in value.items()} if type(value) is dict else value


def plain_numbers(function: Function) -> Function:
    """Convert NumPy scalars to Python values in the arguments of a function or constructor.

    Checks, and names made from parameters, then see one kind of number. An unknown keyword is
    refused with a suggestion, as by `checked_keywords`, and a field that is a `bool` must be one.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @plain_numbers
    ... @dataclass(frozen=True)
    ... class Fading:
    ...     factor: float
    >>> Fading(np.float32(0.5))
    Fading(factor=0.5)
    >>> Fading(factr=0.5)
    Traceback (most recent call last):
    streamgauge.errors.UnknownParameterError: Fading: no parameter is called 'factr'; \
did you mean 'factor'?
    """
    inner: Any = function.__init__ if isclass(function) else function
    of_class = getattr(function, "__dataclass_fields__", {})
    booleans = [name for name, field in of_class.items() if field.type == "bool"]

    @wraps(inner)
    def call(*args: Any, **named: Any) -> Any:
        try:
            made = inner(*map(plain, args), **{name: plain(value) for name, value in named.items()})
            for name in booleans:
                check_bool(args[0], name)
            return made
        except (TypeError, AttributeError):
            refuse_unknown(inner, args, named)
            refuse_other_types(inner, args, named)
            raise

    setattr(call, "checks_keywords", True)  # noqa: B010 (mypy refuses the assignment)
    if not isclass(function):
        return cast(Function, call)
    setattr(function, "__init__", call)  # noqa: B010 (mypy refuses the assignment)
    return function


def check_bool(who: object, what: str) -> None:
    """Raise unless the field `what` is true or false."""
    value = getattr(who, what)
    if not isinstance(value, bool):
        raise ParameterError.of(who, what, WORDS[bool], value)


def at_least(who: object, what: str, value: object, least: int) -> None:
    """Raise unless the value is a whole number, at least `least`."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ParameterError.of(who, what, "a whole number", value)
    if int(value) < least:
        raise ParameterError.of(who, what, f"at least {least}", value)


def check_number(who: object, what: str, value: object, must: str = "a number") -> None:
    """Raise unless the value is a real number; True and False are none.

    Examples
    --------
    >>> check_number("outliers", "size", "x", "a finite number, at least 0")
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: outliers: size must be a finite number, at least 0, got 'x'
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ParameterError.of(who, what, must, value)


def check_level(who: object, level: object) -> None:
    """Raise unless a confidence level is None or a number between 0 and 1."""
    if level is None:
        return
    must = "above 0 and below 1"
    check_number(who, "level", level, must)
    if not 0 < level < 1:  # type: ignore[operator]
        raise ParameterError.of(who, "level", must, level)


def as_list(who: object, what: str, values: object, must: str) -> list[Any]:
    """The values as a list; a single value, and text, which has characters, are refused.

    Examples
    --------
    >>> as_list("load_sweep", "rates", "555", "a list of numbers")
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: load_sweep: rates must be a list of numbers, got '555'
    """
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise ParameterError.of(who, what, must, values)
    return list(values)


def check_seed(who: object, seed: int) -> None:
    """Raise unless a seed is a whole number of 64 bits, as the core takes them."""
    at_least(who, "seed", seed, 0)
    at_most(who, "seed", seed, 2**64 - 1)


def at_most(who: object, what: str, value: int, most: int) -> None:
    """Raise if the value is above `most`, the largest that memory and time are planned for.

    Examples
    --------
    >>> at_most("bins", "n_bins", 10**9, 1000)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: bins: n_bins must be at most 1,000, got 1000000000
    """
    if value > most:
        raise ParameterError.of(who, what, f"at most {most:,}", value)


def check_kinds(function: Callable[..., Any], name: str, given: BoundArguments) -> None:
    """Raise if a value is not of the kind that its parameter is annotated with.

    Examples
    --------
    >>> from inspect import signature
    >>> def chunks(size: int, pretrain: int | None = None) -> None: ...
    >>> check_kinds(chunks, "chunks", signature(chunks).bind("ten"))
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: chunks: size must be a whole number, got 'ten'
    """
    try:
        hints = get_type_hints(function.__init__ if isclass(function) else function)
    except NameError:  # a type that is imported for type checkers only
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
    """Whether a value is of a kind; true for kinds that are not checked here."""
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
    """The kind as written in a message."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(in_words(one) for one in inner)
    if origin in (Sequence, list, tuple):
        return f"a list, each {in_words(inner[0])}"
    return WORDS.get(kind) or f"a {getattr(kind, '__name__', str(kind)).lower()}"
