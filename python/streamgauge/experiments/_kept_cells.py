"""Cells of other versions that stand for those of this version."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from streamgauge.errors import LogError, StreamgaugeError
from streamgauge.experiments._cells import Cell, cells, read_content
from streamgauge.experiments._events import read_events
from streamgauge.experiments._experiment import Experiment
from streamgauge.experiments._versions import modules_of
from streamgauge.log._verify_log import is_complete
from streamgauge.log.card import read_card
from streamgauge.report.page import Finding, Page

DEFINITION = (
    "Cells made with another version of streamgauge or of a library than this run has, and kept "
    "on request."
)
"""The definition of the finding about kept cells."""


def with_kept_cells(experiment: Experiment, folder: Path) -> Experiment:
    """The experiment, with cells of other versions in the place of those that it lacks.

    Such a cell has the same stream, data, learner, protocol and seed, and a whole log. Versions of
    streamgauge, libraries and plug-ins may differ; a module of one's own must have the same
    content. Of several the one that finished last is taken.
    """
    lacking = [
        cell
        for cell in cells(experiment.model_copy(update={"kept": {}}))
        if not _serves(folder / "cells" / cell.id, cell.scores)
    ]
    found = _by_content(folder) if lacking else {}
    kept = {}
    for cell in lacking:
        for place, content in found.get(_without_versions(cell.content), []):
            if _serves(place, cell.scores) and _is_whole(place):
                kept[cell.id] = tuple(content["made_with"])
                break
    return experiment.model_copy(update={"kept": kept})


def kept_note(experiment: Experiment) -> str:
    """The sentence about the cells of other versions that were kept; nothing if there are none."""
    grid = list(cells(experiment))
    counts = Counter(made_with_words(cell) for cell in grid if cell.kept)
    if not counts:
        return ""
    parts = [f"{count} made with {words}" for words, count in counts.items()]
    return f"{counts.total()} of {len(grid)} cells of other versions were kept: {', '.join(parts)}"


def made_with_words(cell: Cell) -> str:
    """The versions that a cell was made with: `streamgauge 0.1.0 and river 0.22.0`."""
    version, libraries, _ = cell.made_with
    modules = _modules(cell.content)
    packages = {p: v for library in libraries for p, v in library.items() if p not in modules}
    return " and ".join(f"{p} {v}" for p, v in {"streamgauge": version, **packages}.items())


def with_kept_note(page: Page, experiment: Experiment) -> Page:
    """A report that says which cells are of other versions."""
    sentence = kept_note(experiment)
    if not sentence:
        return page
    found = Finding("kept_cells", "note", f"{sentence}.", DEFINITION)
    return replace(page, findings=(found, *page.findings))


def _by_content(folder: Path) -> dict[str, list[tuple[Path, dict[str, Any]]]]:
    """The cells in a folder by what they depend on except versions, the last finished first."""
    ended = {event.get("cell"): nth for nth, event in enumerate(read_events(folder))}
    places = sorted(folder.glob("cells/*"), key=lambda p: (-ended.get(p.name, -1), p.name))
    found: dict[str, list[tuple[Path, dict[str, Any]]]] = {}
    for place in places:
        content = read_content(place)
        if content is not None and (key := _without_versions(content)):
            found.setdefault(key, []).append((place, content))
    return found


def _without_versions(content: dict[str, Any]) -> str:
    """What a cell depends on, without versions; nothing if it cannot be read."""
    try:
        version, libraries, files = content["made_with"]
        texts = [version, *files.values(), *(v for one in libraries for v in one.values())]
        if not all(isinstance(text, str) for text in texts):
            return ""
        modules = _modules(content)
        code = [{p: v if p in modules else "" for p, v in one.items()} for one in libraries]
        rest = [content[key] for key in ("stream", "learner", "protocol", "seed")]
        return json.dumps([*rest, files, code], sort_keys=True)
    except (ValueError, TypeError, AttributeError, StreamgaugeError):  # a checksum fits anything
        return ""


def _modules(content: dict[str, Any]) -> set[str]:
    texts = ((family, content[family]) for family in ("stream", "learner", "protocol"))
    return {m for family, text in texts if isinstance(text, str) for m in modules_of(family, text)}


def _serves(place: Path, scores: bool) -> bool:
    """Whether a cell is complete by its card, and has the scores that are needed."""
    try:
        card = read_card(place)
    except LogError:
        return False
    return card.status == "complete" and (card.scores or not scores)


def _is_whole(place: Path) -> bool:
    try:
        return is_complete(place, place.name)
    except LogError:
        return False
