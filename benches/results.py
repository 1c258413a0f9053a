"""Benchmark results: each benchmark writes its own section of RESULTS.md."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from streamgauge._core import VERSION

RESULTS = Path(__file__).with_name("RESULTS.md")
TITLE = "# Benchmark results\n\nWritten by `make bench`; ratios are of one run on one machine.\n"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(c) for c in line)} |" for line in lines)


def made_with() -> str:
    """The date and the versions of the measured libraries."""
    libraries = [f"streamgauge {VERSION}"]
    for library in ("numpy", "river", "capymoa", "scikit-learn"):
        try:
            libraries.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            continue
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return f"Measured {date.today().isoformat()} with {', '.join(libraries)}; {system}."


def write_section(name: str, text: str, path: Path = RESULTS) -> None:
    """Write `text` between the marks of section `name`; a new section is appended."""
    begin, end = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    page = path.read_text(encoding="utf-8") if path.exists() else TITLE
    section = f"{begin}\n{text.strip()}\n\n{made_with()}\n{end}"
    if begin in page and end in page:
        before, _, rest = page.partition(begin)
        page = before + section + rest.partition(end)[2]
    else:
        page = f"{page.rstrip()}\n\n{section}\n"
    path.write_text(page, encoding="utf-8")


def rate(per_second: float) -> str:
    """`12.3 M/s`, `4.56 k/s`."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if per_second >= size:
            return f"{per_second / size:.3g} {unit}/s"
    return f"{per_second:.3g} /s"
