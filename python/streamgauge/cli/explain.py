"""`streamgauge explain`: how the numbers of a run folder are defined, for a methods section."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import cast

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo, echo_lines
from streamgauge.errors import ParameterError
from streamgauge.explanations._explain import Explanation, explain
from streamgauge.explanations._text import FORMATS, Format
from streamgauge.files import write_text

WIDTH = 100
"""Length of the lines."""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS]),
    default="text",
    help="Format of the text; in LaTeX the references are cited by their BibTeX keys.",
)
@click.option(
    "--bibtex",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the BibTeX file to write, with the references that are cited.",
)
@options.as_json
def command(folder: Path, form: str, bibtex: Path | None, as_json: bool) -> None:
    """Say in words which definition each number of the run in FOLDER follows.

    The text is a draft of a methods section: streams, learners, protocol, measures, windows,
    conventions, repetitions, comparisons and versions. Nothing that the folder names outside
    streamgauge is imported.
    """
    if bibtex is not None and not bibtex.parent.is_dir():
        raise ParameterError(
            f"explain: bibtex must be in an existing folder, got {str(bibtex)!r}; create it"
        )
    found = explain(folder)
    if bibtex is not None:
        write_text(bibtex, found.bibtex())
        echo(f"references: {bibtex}", err=True)
    if as_json:
        click.echo(json.dumps(_entries(found, cast(Format, form)), indent=1))
    else:
        lines = found.text(cast(Format, form)).split("\n")
        echo_lines("\n".join(map(_wrapped, lines)).removesuffix("\n"))


def _wrapped(line: str) -> str:
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def _entries(found: Explanation, form: Format) -> dict[str, object]:
    return {
        "paragraphs": [
            {
                "heading": paragraph.heading,
                "text": paragraph.rendered(form),
                "references": list(paragraph.cited),
            }
            for paragraph in found.paragraphs
        ],
        "references": [
            {"key": r.key, "short": r.short, "text": r.text, "bibtex": r.bibtex}
            for r in found.references
        ],
    }
