"""Write the reference pages: one page per family, one row and one section per name.

Names and texts are read from the families, so every name has an entry.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))

from streamgauge.lazy import members  # noqa: E402 (the path comes first)
from streamgauge.names import FAMILIES, UNNAMED, aliases, find, known  # noqa: E402

PAGES = {
    "stream": ("Streams", "Definition and choice of streams: [Streams](../streams.md)."),
    "learner": ("Learners", "The interface, and adding your own: [Learners](../learners.md)."),
    "protocol": ("Protocols", "Definition of protocols: [Protocols](../protocols.md)."),
    "measure": ("Measures", "Choice of measures and windows: [Measures](../measures.md)."),
    "window": ("Windows", "Which items a value covers: [Measures](../measures.md)."),
    "delay": ("Delays", "Distributions of label delays: [Late labels](../late_labels.md)."),
    "executor": (
        "Executors",
        "Where the cells of a grid run: [Experiments](../experiments.md#where-the-cells-run).",
    ),
    "detector": ("Detectors", "Detection of drifts in losses: [Detectors](../detectors.md)."),
    "transformer": ("Transformers", "Rows before a learner: [Preprocessing](../preprocessing.md)."),
    "alarm_measure": (
        "Measures of alarms",
        "Alarms against known drifts: [Evaluating detectors](../detector_evaluation.md).",
    ),
    "loss_sequence": (
        "Sequences of losses",
        "Losses with known drifts: [Evaluating detectors](../detector_evaluation.md).",
    ),
    "selector": (
        "Selectors",
        "Choice of features: [Feature selection](../feature_selection.md).",
    ),
}
"""Title of the page of each family, and a link to its guide."""

PLAIN = {
    "front": (
        "Functions",
        "`import streamgauge as sg`: the main functions.",
        (
            "run",
            "measure",
            "compare",
            "compare_many",
            "items_needed",
            "detect",
            "adaptation",
            "stability",
            "evaluate_detectors",
            "diagnose",
            "write_report",
            "explain",
            "plot",
            "read_log",
            "read_predictions",
            "table",
        ),
        "streamgauge",
    ),
    "testing": (
        "Contracts",
        "`streamgauge.testing`: checks for your own streams, protocols and learners.",
        ("check_stream", "check_timetable", "check_learner"),
        "streamgauge.testing",
    ),
}
"""Pages of functions: title, sentence, members, package."""

TYPES = {
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
    "streamgauge.streams._write_stream": ("WrittenFile",),
}
"""Types passed between packages, by module."""


def write(folder: Path) -> None:
    """Write every page and delete outdated ones."""
    folder.mkdir(exist_ok=True)
    pages = {f"{family}s.md": _family(family) for family in PAGES}
    pages |= {f"{name}.md": _plain(name) for name in PLAIN}
    pages["types.md"] = _types()
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _family(family: str) -> str:
    title, guide = PAGES[family]
    short = {name: [a for a, n in aliases(family).items() if n == name] for name in known(family)}
    rows = [
        f"| [`{name}`](#{_address(*known(family)[name])}) | {_first_line(find(family, name))} "
        f"| {', '.join(f'`{a}`' for a in short[name])} |"
        for name in known(family)
    ]
    modules = members(FAMILIES[family])
    called = [(modules[name], name) for name in UNNAMED if name in modules]
    blocks = [_block(*place) for place in (*known(family).values(), *called)]
    lead = f"{guide} `streamgauge list {family}s` prints this list."
    head = [f"# {title}", lead, "\n".join(["| name | | also |", "|---|---|---|", *rows])]
    return "\n\n".join([*head, *blocks]) + "\n"


def _plain(page: str) -> str:
    title, sentence, names, package = PLAIN[page]
    modules = members(package)
    return "\n\n".join([f"# {title}", sentence, *(_block(modules[n], n) for n in names)]) + "\n"


def _types() -> str:
    blocks = [_block(module, name) for module, names in TYPES.items() for name in names]
    text = "Types passed between packages: plain data."
    return "\n\n".join(["# Types", text, *blocks]) + "\n"


def _block(module: str, attribute: str) -> str:
    return f"::: {_address(module, attribute)}"


def _address(module: str, attribute: str) -> str:
    return f"{module}.{attribute}"


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0].replace("|", "\\|")


if __name__ == "__main__":
    write(HERE / "reference")
