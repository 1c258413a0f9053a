"""References: every paper that a docstring names has an entry, and every entry is named."""

from __future__ import annotations

import inspect
import re
from importlib.resources import files

import pytest

from streamgauge.comparisons._bands import bands
from streamgauge.docstrings import first_paragraph, parameter, prose, references
from streamgauge.escapes import in_latex
from streamgauge.explanations._members import citation
from streamgauge.explanations._references import ACCENTS, cited_in
from streamgauge.explanations._references import references as entries
from streamgauge.feature_selection import nogueira_stability
from streamgauge.names import FAMILIES, LIBRARIES, find, known
from streamgauge.report._verdicts import TESTS

MEMBERS = [(family, name) for family in FAMILIES for name in known(family)]
OTHERS = [test for tests in TESTS.values() for test in tests] + [bands, nogueira_stability]
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
NOT_NAMED: set[str] = set()
"""Papers that no docstring names yet."""


@pytest.mark.parametrize(("family", "name"), MEMBERS)
def test_every_member_has_a_definition_and_an_entry_per_reference(family, name):
    thing = find(family, name)
    assert first_paragraph(thing).endswith((".", "…")), "a definition is a sentence"
    assert prose(thing)
    text = references(thing)
    assert text.count(". ") >= len(YEAR.findall(text)) - 1
    years = sorted(YEAR.findall(re.sub(r"KDD Cup 1999 Data\. UCI,", "KDD Cup 1999.", text)))
    assert sorted(entries()[key].fields["year"] for key in cited_in(text)) == years


@pytest.mark.parametrize(("family", "name"), MEMBERS)
def test_every_definition_can_be_set_by_latex(family, name):
    """Letters that pdflatex does not know without a package are written as commands."""
    thing = find(family, name)
    texts = [prose(thing), first_paragraph(thing), getattr(thing, "formula", "")]
    texts += [parameter(thing, one) for one in inspect.signature(thing).parameters]
    assert all(in_latex(text).isascii() for text in texts)


@pytest.mark.parametrize("thing", OTHERS, ids=lambda thing: thing.__name__)
def test_every_method_of_the_report_has_its_references(thing):
    text = references(thing)
    assert sorted(entries()[key].fields["year"] for key in cited_in(text)) == sorted(
        YEAR.findall(text)
    )
    assert cited_in(text)


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_has_its_paper(library):
    assert len(cited_in(LIBRARIES[library].paper)) == 1


def test_every_entry_is_named_by_a_docstring():
    named = {key for family, name in MEMBERS for key in citation(find(family, name)).keys}
    named |= {key for thing in OTHERS for key in citation(thing).keys}
    named |= {key for library in LIBRARIES.values() for key in cited_in(library.paper)}
    assert named | NOT_NAMED == entries().keys()


def test_the_file_is_read_to_its_end():
    text = files("streamgauge.explanations").joinpath("references.bib").read_text("utf-8")
    assert text.count("@") == len(entries())
    again = "\n".join(
        f"@{entry.kind}{{{key},\n"
        + "".join(f"  {name} = {{{value}}},\n" for name, value in entry.fields.items())
        + "}\n"
        for key, entry in entries().items()
    )
    assert again == text
    assert [*entries()] == sorted(entries())


@pytest.mark.parametrize("key", entries())
def test_every_entry_is_complete_and_in_ascii(key):
    entry = entries()[key]
    assert {"author", "title", "year"} <= entry.fields.keys()
    assert YEAR.fullmatch(entry.fields["year"])
    assert entry.key.endswith(entry.fields["year"]) or entry.fields["year"] in entry.key
    needs = {"article": "journal", "inproceedings": "booktitle", "book": "publisher"}
    assert needs.get(entry.kind, "title") in entry.fields
    assert entry.bibtex.isascii()
    assert entry.bibtex.count("{") == entry.bibtex.count("}")


def test_accents_are_those_of_latex():
    text = entries()["zliobaite2015"].bibtex
    assert r"{\v{Z}}liobait{\.{e}}, Indr{\.{e}} and Bifet" in text
    assert len(set(ACCENTS.values())) == len(ACCENTS)


@pytest.mark.parametrize(
    ("key", "short"),
    [
        ("page1954", "Page, 1954"),
        ("street2001", "Street and Kim, 2001"),
        ("gama2013", "Gama et al., 2013"),
        ("vergara2012", "Vergara et al., 2012"),
        ("asa2009", "ASA Data Expo, 2009"),
    ],
)
def test_a_citation_in_text(key, short):
    assert entries()[key].short == short


def test_a_title_without_its_author_or_year_is_not_cited():
    assert cited_in("Continuous inspection schemes. Biometrika 41 (1954).") == ()
    assert cited_in("Page. Continuous inspection schemes. Biometrika 41.") == ()


def test_a_parameter_that_shares_its_line_with_another():
    class Thing:
        """A thing.

        Parameters
        ----------
        a, b
            The first line.

            The second.
        c
            Another.
        """

    assert parameter(Thing, "b") == "The first line. The second."
    assert parameter(Thing, "c") == "Another."
    assert parameter(Thing, "d") == ""
