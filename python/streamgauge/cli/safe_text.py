"""Printing of text in which names cannot control the terminal."""

from __future__ import annotations

import io

import click

from streamgauge.escapes import CONTROL


def echo(text: str, err: bool = False, nl: bool = True) -> None:
    """Print text with a replacement character for each control character.

    Ends of lines and tabs stay. JSON is printed by `click.echo`: it has escapes of its own.
    """
    click.echo(CONTROL.sub("\ufffd", text).replace("\r", "\ufffd"), err=err, nl=nl)


def echo_error(error: click.ClickException) -> None:
    """Print the usage and the message of an error of click, as click does."""
    shown = io.StringIO()
    error.show(shown)
    echo(shown.getvalue(), err=True, nl=False)
