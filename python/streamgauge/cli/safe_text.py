"""Printing of text in which names cannot control the terminal."""

from __future__ import annotations

import io
import re

import click

from streamgauge.escapes import CONTROL, DIRECTION

LINE_ENDS = re.compile("[\n\r\x0b\x0c\u2028\u2029]+")
"""Ends of lines. A name that has one would continue as a line of its own."""


def echo(line: str, err: bool = False, nl: bool = True) -> None:
    """Print one line, with a replacement character for each control character; tabs stay.

    Marks that change the direction of text are replaced too.

    JSON is printed by `click.echo`: it has escapes of its own.
    """
    shown = DIRECTION.sub("\ufffd", CONTROL.sub("\ufffd", LINE_ENDS.sub(" ", line)))
    click.echo(shown, err=err, nl=nl)


def echo_lines(text: str, err: bool = False) -> None:
    """Print a text that may have several lines."""
    for line in text.split("\n"):
        echo(line, err)


def echo_error(error: click.ClickException) -> None:
    """Print the usage and the message of an error of click, as click does."""
    shown = io.StringIO()
    error.show(shown)
    echo_lines(shown.getvalue().removesuffix("\n"), err=True)
