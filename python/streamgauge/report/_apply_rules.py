"""Application of every rule to every stream."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import Protocol, cast

from streamgauge.lazy import members
from streamgauge.report import findings
from streamgauge.report._over_repetitions import over_repetitions
from streamgauge.report.page import Finding, ordered
from streamgauge.report.stream_results import Remark, StreamResults


class Rule(Protocol):
    """A rule that makes findings. Its docstring is its definition on the page."""

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""


def rules() -> dict[str, Rule]:
    """The rules by name, which is the name of their file."""
    modules = members(findings.__name__)
    return {
        module.rpartition(".")[2]: cast(Rule, getattr(findings, name)())
        for name, module in modules.items()
    }


def apply_rules(all_results: Iterable[StreamResults]) -> tuple[Finding, ...]:
    """The findings on all streams, warnings first."""
    known = rules()
    found = []
    for results in all_results:
        repetitions = results.repetitions
        for name, rule in known.items():
            definition = definition_of(rule)
            remarks = list(rule.find(results))
            if repetitions:
                by_run = [list(rule.find(run)) for run in repetitions]
                remarks = over_repetitions(name, definition, remarks, by_run)
            found += [
                Finding(name, r.severity, r.sentence, definition, results.stream, r.evidence)
                for r in remarks
            ]
    return ordered(found)


def definition_of(rule: Rule) -> str:
    """Definition of a rule: its docstring on one line."""
    return " ".join((inspect.getdoc(type(rule)) or "").split())
