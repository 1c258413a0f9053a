"""Advice of error messages as command-line options.

Errors and notes give advice as Python parameters: `…; give drop=['note']`. On the command line
the parameter is printed as an option: `--drop note`.
"""

from __future__ import annotations

import ast
import re
import shlex

import click

TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
LITERAL = rf"""True|False|[0-9][\w.]*|{TEXT}|\[(?:{TEXT}|[^\]'"])*\]"""
GIVEN = re.compile(rf"(?<![\w.(])(\w+)=({LITERAL})")
"""A parameter and its value in Python syntax, except the first one inside a call."""


def as_options(text: str, command: click.Command) -> str:
    """Replace parameters in the advice, the text after the last semicolon, by options.

    Examples
    --------
    >>> option = click.Option(["--drop"]), click.Option(["--header/--no-header"])
    >>> command = click.Command("evaluate", params=list(option))
    >>> as_options("a.csv: got text; give drop=['a b'] or header=False or seed=3", command)
    "a.csv: got text; give --drop 'a b' or --no-header or seed=3"
    """
    options = {p.name: p for p in command.params if isinstance(p, click.Option)}

    def spelled(given: re.Match[str]) -> str:
        option = options.get(given.group(1))
        return given.group() if option is None else _spelled(option, given)

    lines = [line.rpartition("; ") for line in text.split("\n")]
    return "\n".join(
        f"{message}{semicolon}{GIVEN.sub(spelled, advice)}" for message, semicolon, advice in lines
    )


def _spelled(option: click.Option, given: re.Match[str]) -> str:
    """The option with this value; the unchanged text if the option has another type."""
    try:
        value = ast.literal_eval(given.group(2))
    except (SyntaxError, ValueError):  # text that is not a value
        return given.group()
    if isinstance(value, bool):
        flags = option.opts if value else option.secondary_opts
        return flags[0] if option.is_flag and flags else given.group()
    words = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{option.opts[0]} {shlex.quote(words)}"
