"""The name of a mutant of either language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Named:
    """The fields that identify a mutant of either language."""

    package: str
    path: str
    """Relative to the package's folder: `measures/kappa.py`."""
    within: str
    """The function or class: `Kappa.value`; empty at module level."""
    kind: str
    line: int
    change: str
    """The change on one line; with `path` and `within` it identifies the mutant."""
