"""Many mutants of the core in one build: each is an alternative body of its function.

The body is chosen at run time. A build is shared because it takes much longer than the tests.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

SWITCH = "STREAMGAUGE_MUTANT"
"""The environment variable with the number of the mutant to run."""

CHOICE = f"""
/// Whether this is the mutant to run.
pub(crate) fn mutant(number: u32) -> bool {{
    static CHOSEN: std::sync::LazyLock<Option<u32>> =
        std::sync::LazyLock::new(|| std::env::var("{SWITCH}").ok()?.parse().ok());
    *CHOSEN == Some(number)
}}
"""
"""Code that is appended to `lib.rs`."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a file: lines and columns from 1 on, the last one exclusive."""

    first: tuple[int, int]
    last: tuple[int, int]

    def of(self, source: str) -> tuple[int, int]:
        """Its start and end in the text."""
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        (a, b), (c, d) = self.first, self.last
        return starts[a - 1] + b - 1, starts[c - 1] + d - 1


def body(source: str, function: Span | None, name: str) -> tuple[int, int] | None:
    """The span of the body of a function; None if it cannot be chosen at run time.

    This is the case outside of functions, and where the type of the body is part of the signature.
    """
    if function is None:
        return None
    start, end = function.of(source)
    found = re.compile(rf"\bfn {re.escape(name)}\b").search(source, start, end)
    opens = found and source.find("{", found.start(), end)
    if not found or not opens or opens < 0:
        return None
    head = source[start:opens]
    if re.search(r"\)\s*->.*\bimpl |\bconst (unsafe )?fn ", head, re.S):
        return None
    return opens, end


def switched(source: str, bodies: Mapping[tuple[int, int], Mapping[int, str]]) -> str:
    """The file with alternative bodies by number, for each span of a body."""
    for (start, end), others in sorted(bodies.items(), reverse=True):
        choice = "".join(
            f"if crate::mutant({number}) /*from {number}*/{other}/*to {number}*/ else "
            for number, other in others.items()
        )
        source = f"{source[:start]}{{ {choice}{source[start:end]} }}{source[end:]}"
    return source


def at_fault(source: str, lines: set[int]) -> set[int]:
    """The mutants whose bodies are on these lines of a file made by `switched`."""
    faulty = set()
    for found in re.finditer(r"/\*from (\d+)\*/.*?/\*to \1\*/", source, re.S):
        first = source.count("\n", 0, found.start()) + 1
        if lines & set(range(first, first + found[0].count("\n") + 1)):
            faulty.add(int(found[1]))
    return faulty
