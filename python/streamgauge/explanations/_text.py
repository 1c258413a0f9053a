"""Text with names and citations, as plain text, Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from streamgauge.escapes import in_latex, in_markdown, markdown_code, one_line
from streamgauge.explanations._references import references

Format: TypeAlias = Literal["text", "markdown", "latex"]


@dataclass(frozen=True, slots=True)
class Name:
    """A name or a formula, which is set as code."""

    text: str


@dataclass(frozen=True, slots=True)
class Citation:
    """References, by their keys."""

    keys: tuple[str, ...]


Part: TypeAlias = str | Name | Citation


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A heading and sentences, each of several parts."""

    heading: str
    sentences: tuple[tuple[Part, ...], ...]

    @property
    def cited(self) -> tuple[str, ...]:
        """The keys of the references that it cites, each once."""
        parts = (part for sentence in self.sentences for part in sentence)
        keys = (key for part in parts if isinstance(part, Citation) for key in part.keys)
        return tuple(dict.fromkeys(keys))

    def rendered(self, form: Format = "text") -> str:
        r"""The paragraph on one line.

        A citation without a key is left out, and so is the space before it.

        Examples
        --------
        >>> words = Paragraph("Drift", ((Name("sea"), " drifts", Citation(("street2001",)), "."),))
        >>> words.rendered()
        'Drift. sea drifts (Street and Kim, 2001).'
        >>> print(words.rendered("latex"))
        \paragraph{Drift.} \texttt{sea} drifts~\cite{street2001}.
        """
        plain, name, cite, heading = FORMATS[form]
        sentences = (
            "".join(
                plain(part)
                if isinstance(part, str)
                else name(part.text)
                if isinstance(part, Name)
                else cite(part.keys)
                if part.keys
                else ""
                for part in sentence
            )
            for sentence in self.sentences
        )
        return " ".join((heading(self.heading), *sentences))


def _in_text(text: str, escaped: Callable[[str], str]) -> str:
    """Escaped text with the spaces at its ends, which escaping removes."""
    start = " " if text.startswith(" ") else ""
    end = " " if text.endswith(" ") and text.strip() else ""
    return f"{start}{escaped(text)}{end}"


def _short(keys: Iterable[str]) -> str:
    return f" ({'; '.join(references()[key].short for key in keys)})"


FORMATS: dict[Format, tuple[Callable[..., str], ...]] = {
    "text": (
        lambda text: _in_text(text, one_line),
        one_line,
        _short,
        lambda heading: f"{heading}.",
    ),
    "markdown": (
        lambda text: _in_text(text, in_markdown),
        markdown_code,
        lambda keys: f" [{'; '.join(f'@{key}' for key in keys)}]",
        lambda heading: f"**{heading}.**",
    ),
    "latex": (
        lambda text: _in_text(text, in_latex),
        lambda text: f"\\texttt{{{in_latex(text)}}}",
        lambda keys: f"~\\cite{{{','.join(keys)}}}",
        lambda heading: f"\\paragraph{{{heading}.}}",
    ),
}
"""Format -> how plain text, a name, a citation and a heading are written."""
