"""Every rule looks at every stream."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import Protocol, cast

from streamgauge.doors import members
from streamgauge.report import findings
from streamgauge.report.case import Case, Seen
from streamgauge.report.page import Finding, ordered


class Rule(Protocol):
    """What a finding comes from. Its docstring is what the reader is told about it."""

    def find(self, case: Case) -> Iterator[Seen]:
        """What is to be said about a stream, if anything."""


def rules() -> dict[str, Rule]:
    """The rules by name, the name of their file."""
    homes = members(findings.__name__)
    return {
        home.rpartition(".")[2]: cast(Rule, getattr(findings, name)())
        for name, home in homes.items()
    }


def look(cases: Iterable[Case]) -> tuple[Finding, ...]:
    """All findings, warnings first."""
    known = rules()
    return ordered(
        [
            Finding(name, seen.severity, seen.sentence, how(rule), case.stream, seen.evidence)
            for case in cases
            for name, rule in known.items()
            for seen in rule.find(case)
        ]
    )


def how(rule: Rule) -> str:
    """What a rule looks at, in its own words."""
    return " ".join((inspect.getdoc(type(rule)) or "").split())
