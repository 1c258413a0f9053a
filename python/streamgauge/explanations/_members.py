"""What the names in a text stand for: streamgauge's own are described, others are not imported."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from streamgauge.docstrings import first_paragraph, parameter, references
from streamgauge.explanations._references import cited_in
from streamgauge.explanations._text import Citation, Name, Part
from streamgauge.names import FAMILIES, LIBRARIES, aliases, imports_of, known
from streamgauge.names.mentions import Mention, mentions
from streamgauge.names.registry import find

Sentence = tuple[Part, ...]


def citation(thing: object) -> Citation:
    """The references in the docstring of an object."""
    return Citation(cited_in(references(thing)))


def described(family: str, texts: list[str]) -> list[Sentence]:
    """A sentence per name of streamgauge in the texts, with its references; each name once.

    Nothing is made: a stream would open its file.

    Examples
    --------
    >>> described("learner", ["resetting(nb, ddm)"])[1][:3]
    (Name(text='naive_bayes'), ': ', 'Naive Bayes: columns are assumed independent within each \
class')
    """
    found: dict[str, Sentence] = {}
    for text in texts:
        for mention in mentions(family, text):
            name, thing = _own(mention)
            if thing is not None and name not in found:
                line = first_paragraph(thing).removesuffix(".")
                found[name] = (Name(name), ": ", line, citation(thing), ".")
    return list(found.values())


def papers(family: str, text: str) -> Citation:
    """The references of the libraries whose models a text names."""
    named = (mention.name.partition(":")[0] for mention in mentions(family, text))
    found = dict.fromkeys(name for name in named if name in LIBRARIES)
    return Citation(tuple(key for name in found for key in cited_in(LIBRARIES[name].paper)))


def code(family: str, text: str, versions: Mapping[str, str]) -> str:
    """The packages and modules of a text, with their versions.

    Examples
    --------
    >>> code("learner", "river:tree.HoeffdingTreeClassifier()", {"river": "0.26.1"})
    'river 0.26.1'
    >>> code("learner", "mine:Last()", {"mine": "9a3cbe9dc0"})
    'the module mine (BLAKE2 fingerprint 9a3cbe9dc0)'
    """
    outside = {name.partition(":")[0] for name in imports_of(family, text)} - LIBRARIES.keys()
    return ", ".join(
        f"the module {name} (BLAKE2 fingerprint {version or 'unknown'})"
        if name in outside
        else f"{name} {version or '(unknown version)'}"
        for name, version in versions.items()
    )


def _own(mention: Mention) -> tuple[str, Any]:
    """The name of a member of streamgauge and its class or function; None for other code.

    Quoted text without parameters is mostly an option, such as `'mean'`.
    """
    if mention.family is None and mention.call is None:
        return mention.name, None
    for family in FAMILIES if mention.family is None else (mention.family,):
        name = aliases(family).get(mention.name, mention.name)
        if name in known(family):
            return name, find(family, name)
    return mention.name, None


def settings(thing: Any, always: tuple[str, ...] = ()) -> list[Sentence]:
    """A sentence per parameter that is not default or is listed: its value, and what it means.

    Examples
    --------
    >>> from streamgauge.measures import KappaTemporal
    >>> from streamgauge.protocols import Prequential
    >>> settings(Prequential(pretrain=100))
    [(Name(text='pretrain=100'), ': ', 'Number of first items that are only learned, not \
predicted.')]
    >>> settings(KappaTemporal("moa"))[0][2][:71]
    'the label before the first one is assumed to be the first class, and co'
    """
    return [
        (Name(f"{field.name}={value!r}"), ": ", _meaning(thing, field.name, value))
        for field in fields(thing)
        if (value := getattr(thing, field.name)) != field.default or field.name in always
    ]


def _meaning(thing: Any, name: str, value: object) -> str:
    """What a docstring says about a parameter, or of several choices about the chosen one."""
    text = parameter(thing, name)
    if isinstance(value, str):
        if chosen := re.search(rf'"{re.escape(value)}" \(([^()]*)\)', text):
            return f"{text.partition(':')[0]}: {chosen.group(1)}."
        if chosen := re.search(rf'"{re.escape(value)}": (.*?)(?= "\w+":|$)', text):
            return chosen.group(1)
    return text or "its own setting."
