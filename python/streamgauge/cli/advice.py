"""Advice in the words of the command line.

Errors and notes say what to do in the words of Python: `…; say drop=['note']`. On the command line
the same parameter is an option, and the advice is printed as one: `--drop note`.
"""

from __future__ import annotations

import ast
import re
import shlex

import click

TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
LITERAL = rf"""True|False|[0-9][\w.]*|{TEXT}|\[(?:{TEXT}|[^\]'"])*\]"""
GIVEN = re.compile(rf"(?<![\w.(])(\w+)=({LITERAL})")
"""A parameter and its value, as Python writes them; not the first one inside a call."""


def as_options(text: str, command: click.Command) -> str:
    """The text with its advice, what follows the last semicolon, as options of the command.

    Examples
    --------
    >>> option = click.Option(["--drop"]), click.Option(["--header/--no-header"])
    >>> command = click.Command("evaluate", params=list(option))
    >>> as_options("a.csv: got text; say drop=['a b'] or header=False or seed=3", command)
    "a.csv: got text; say --drop 'a b' or --no-header or seed=3"
    """
    options = {p.name: p for p in command.params if isinstance(p, click.Option)}

    def spelled(given: re.Match[str]) -> str:
        option = options.get(given.group(1))
        return given.group() if option is None else _spelled(option, given)

    lines = [line.rpartition("; ") for line in text.split("\n")]
    return "\n".join(
        f"{said}{semicolon}{GIVEN.sub(spelled, advice)}" for said, semicolon, advice in lines
    )


def _spelled(option: click.Option, given: re.Match[str]) -> str:
    """The option with this value; the text as it was where the option takes another kind."""
    try:
        value = ast.literal_eval(given.group(2))
    except (SyntaxError, ValueError):  # a name in the text that only looks like a value
        return given.group()
    if isinstance(value, bool):
        flags = option.opts if value else option.secondary_opts
        return flags[0] if option.is_flag and flags else given.group()
    words = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{option.opts[0]} {shlex.quote(words)}"
