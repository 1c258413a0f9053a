"""Write the pages of the reference: a page a family, a row and a section a name.

Everything is read from the families themselves, so what has a name has an entry.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))

from streamgauge.doors import members  # noqa: E402 (the path comes first)
from streamgauge.names import CALLED, FAMILIES, aliases, find, known  # noqa: E402

PAGES = {
    "stream": ("Streams", "What a stream is and how to choose one: [Streams](../streams.md)."),
    "learner": ("Learners", "How they are driven, and yours: [Learners](../learners.md)."),
    "protocol": ("Protocols", "What a protocol is: [Protocols](../protocols.md)."),
    "measure": ("Measures", "Which to choose, and in which window: [Measures](../measures.md)."),
    "window": ("Windows", "How a summary forgets: [Measures](../measures.md)."),
    "wait": ("Waits", "How long labels take: [Late labels](../late_labels.md)."),
    "detector": ("Detectors", "When losses rise: [Detectors](../detectors.md)."),
}
"""Family -> the title of its page, and where the story is told."""

PLAIN = {
    "front": (
        "The front door",
        "`import streamgauge as sg`: the verbs.",
        (
            "run",
            "measure",
            "compare",
            "compare_many",
            "detect",
            "diagnose",
            "write_report",
            "plot",
            "read_log",
            "read_predictions",
        ),
        "streamgauge",
    ),
    "testing": (
        "Contracts",
        "`streamgauge.testing`: checks for what you add yourself.",
        ("check_stream", "check_timetable", "check_learner"),
        "streamgauge.testing",
    ),
}
"""Pages of what is called, not named: title, sentence, members, package."""

NOUNS = {
    "streamgauge.types": (
        "Schema",
        "Feature",
        "Drift",
        "Batch",
        "Arrivals",
        "Orders",
        "Pattern",
        "Curve",
    ),
    "streamgauge.log.table": ("Log",),
    "streamgauge.streams.columns": ("Columns",),
    "streamgauge.streams.catalog.benchmark": ("Benchmark",),
    "streamgauge.streams._write_stream": ("Written",),
}
"""What is handed over: module -> names."""


def write(folder: Path) -> None:
    """Write every page anew; one that is no longer wanted goes."""
    folder.mkdir(exist_ok=True)
    wanted = {f"{family}s.md": _family(family) for family in PAGES}
    wanted |= {f"{name}.md": _plain(name) for name in PLAIN}
    wanted["types.md"] = _types()
    for old in folder.glob("*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _family(family: str) -> str:
    title, story = PAGES[family]
    short = {name: [a for a, n in aliases(family).items() if n == name] for name in known(family)}
    rows = [
        f"| [`{name}`](#{_address(*known(family)[name])}) | {_first_line(find(family, name))} "
        f"| {', '.join(f'`{a}`' for a in short[name])} |"
        for name in known(family)
    ]
    homes = members(FAMILIES[family])
    called = [(homes[name], name) for name in CALLED if name in homes]
    blocks = [_block(*place) for place in (*known(family).values(), *called)]
    lead = f"{story} `streamgauge list {family}s` prints this list."
    head = [f"# {title}", lead, "\n".join(["| name | | also |", "|---|---|---|", *rows])]
    return "\n\n".join([*head, *blocks]) + "\n"


def _plain(page: str) -> str:
    title, sentence, names, package = PLAIN[page]
    homes = members(package)
    return "\n\n".join([f"# {title}", sentence, *(_block(homes[n], n) for n in names)]) + "\n"


def _types() -> str:
    nouns = [_block(module, noun) for module, names in NOUNS.items() for noun in names]
    words = "The nouns that are handed from room to room. Plain data, no behaviour."
    return "\n\n".join(["# Types", words, *nouns]) + "\n"


def _block(module: str, attribute: str) -> str:
    return f"::: {_address(module, attribute)}"


def _address(module: str, attribute: str) -> str:
    return f"{module}.{attribute}"


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0].replace("|", "\\|")


if __name__ == "__main__":
    write(HERE / "reference")
