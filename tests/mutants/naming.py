"""What mutants of both languages have in common."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Named:
    """What a mutant of either language is called by."""

    package: str
    path: str
    """From the package's folder on: `measures/kappa.py`."""
    within: str
    """The function or class: `Kappa.value`; empty at module level."""
    kind: str
    line: int
    change: str
    """What is changed, on one line; with `path` and `within` it names the mutant."""
