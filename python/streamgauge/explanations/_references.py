"""References: the entries of `references.bib`, found by the titles in docstrings.

A docstring names a paper by its authors, title and year, and is the only place that says what
follows it; the file adds what BibTeX needs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

ENTRY = re.compile(r"@(\w+)\{(\w+),\n((?:  \w+ = \{.*\},\n)+)\}\n")
FIELD = re.compile(r"  (\w+) = \{(.*)\},\n")

ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0307": ".",
    "\u0308": '"',
    "\u030c": "v",
    "\u0327": "c",
}
"""Combining characters -> accents of LaTeX: BibTeX itself reads only ASCII reliably."""

VENUES = ("journal", "booktitle", "publisher", "institution", "howpublished")
"""Fields that state where something was published."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A publication, as an entry of BibTeX with its fields."""

    key: str
    kind: str
    fields: Mapping[str, str]

    @property
    def authors(self) -> tuple[str, ...]:
        """The surnames; `others` stands for those that are not listed."""
        listed = self.fields["author"].split(" and ")
        return tuple(_plain(author.partition(",")[0]) for author in listed)

    @property
    def short(self) -> str:
        """Authors and year, as they are cited in text."""
        match self.authors:
            case (one,):
                who = one
            case (one, other) if other != "others":
                who = f"{one} and {other}"
            case (one, *_):
                who = f"{one} et al."
        return f"{who}, {self.fields['year']}"

    @property
    def text(self) -> str:
        """Authors, title, where it was published, and the year."""
        authors = ", ".join(self.authors).replace(", others", " et al.")
        where = next((self.fields[venue] for venue in VENUES if venue in self.fields), "")
        where = f"{where} {self.fields.get('volume', '')}".strip()
        title = _plain(self.fields["title"])
        end = "" if title.endswith("?") else "."
        return f"{authors.removesuffix('.')}. {title}{end} {_plain(where)} ({self.fields['year']})."

    @property
    def bibtex(self) -> str:
        """The entry, in ASCII."""
        lines = (f"  {name} = {{{_ascii(value)}}},\n" for name, value in self.fields.items())
        return f"@{self.kind}{{{self.key},\n{''.join(lines)}}}\n"


@cache
def references() -> Mapping[str, Reference]:
    """Key -> reference, for everything in `references.bib`.

    Examples
    --------
    >>> street = references()["street2001"]
    >>> street.short
    'Street and Kim, 2001'
    >>> street.text[:83]
    'Street, Kim. A streaming ensemble algorithm (SEA) for large-scale classification. P'
    """
    text = files("streamgauge.explanations").joinpath("references.bib").read_text(encoding="utf-8")
    return MappingProxyType(
        {
            key: Reference(key, kind, MappingProxyType(dict(FIELD.findall(fields))))
            for kind, key, fields in ENTRY.findall(text)
        }
    )


def cited_in(text: str) -> tuple[str, ...]:
    """The keys of the references whose authors, title and year are in a text, in its order.

    Examples
    --------
    >>> cited_in("Page. Continuous inspection schemes. Biometrika 41 (1954).")
    ('page1954',)
    """
    letters = _letters(text)
    found = {}
    for reference in references().values():
        at = letters.find(_letters(reference.fields["title"]))
        author = _letters(reference.authors[0])
        if at >= 0 and author in letters[:at] and reference.fields["year"] in letters[at:]:
            found[reference.key] = at
    return tuple(sorted(found, key=lambda key: found[key]))


def _plain(text: str) -> str:
    return re.sub(r"[{}]", "", text).replace("--", "–")


def _letters(text: str) -> str:
    """Letters and digits only, without accents and case: other marks differ by style."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if c.isascii() and c.isalnum())


def _ascii(text: str) -> str:
    """Text with LaTeX's accents.

    Examples
    --------
    >>> _ascii("Žliobaitė")
    '{\\\\v{Z}}liobait{\\\\.{e}}'
    """
    out = ""
    for c in unicodedata.normalize("NFC", text):
        parts = unicodedata.normalize("NFD", c)
        letter = parts[0]
        for mark in parts[1:]:
            letter = f"{{\\{ACCENTS[mark]}{{{letter}}}}}"
        out += letter
    return out
