"""The file that states what the logs in the folder of an analysis are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any

from streamgauge._core import VERSION
from streamgauge.checksums import is_sealed, sealed
from streamgauge.errors import LogError, ParameterError
from streamgauge.files import write_text
from streamgauge.recovery_analysis.transition import PlacedTransition
from streamgauge.recovery_runs._assemble import Setup
from streamgauge.recovery_runs._checks import MOST_ITEMS, check_fit
from streamgauge.recovery_runs._measure_options import LEAST_POINTS

NAME = "recovery.json"
"""The file in the folder of an analysis."""

FORMAT = 1
"""Version of the content of the file."""


def is_analysis(folder: Path) -> bool:
    """Whether a folder is that of an analysis."""
    return (folder / NAME).is_file()


def analyses_in(folder: Path) -> list[Path]:
    """The folders of analyses in a folder, those of a file of pairs in its order: 1, 2, …, 10."""
    found = [path.parent for path in folder.glob(f"*/{NAME}")]
    return sorted(found, key=lambda path: (len(path.name) * path.name.isdigit(), path.name))


@dataclass(frozen=True, slots=True)
class Stored:
    """What the logs in a folder are.

    `logs` has the names of the logs of each learner and stream, one per repetition. `name` is that
    of the pair of streams, empty if it has none. `measured` is how the run measured them, which is
    how they are measured again by default: `measure`, `window`, `every` and `bound`.
    """

    setup: Setup
    logs: dict[str, dict[str, list[str]]]
    late: bool
    about: dict[str, str]
    notes: list[str]
    name: str = ""
    measured: dict[str, Any] = field(default_factory=dict)


def write_stored(folder: Path, stored: Stored) -> None:
    """Write what the logs are."""
    setup = stored.setup
    content: dict[str, Any] = {
        "format": FORMAT,
        "streamgauge": VERSION,
        "names": list(setup.names),
        "order": list(setup.sequence),
        "settings": [
            {"name": name, "places": [[p.t0, p.width] for p in places]}
            for name, places in zip(setup.setting_names, setup.settings, strict=True)
        ],
        "items": setup.items,
        "repetitions": setup.repetitions,
        "seed": setup.seed,
        "task": setup.task,
        "span": None if setup.span is None else list(setup.span),
        "late": stored.late,
        "about": stored.about,
        "notes": stored.notes,
        "name": stored.name,
        "measured": stored.measured,
        "logs": stored.logs,
    }
    write_text(folder / NAME, sealed(content))


def read_stored(folder: Path) -> Stored:
    """What the logs in a folder are; data, of which nothing is made or imported."""
    path = folder / NAME
    if not path.is_file():
        raise ParameterError(
            f"{folder}: must be the folder of a recovery analysis with {NAME}, got none; check "
            "the path"
        )
    text = path.read_bytes().decode(errors="replace")
    if not is_sealed(text):
        raise LogError(f"{path}: must be as the run wrote it, got another checksum; run it again")
    try:
        found = json.loads(text)
        if found["format"] != FORMAT:
            raise LogError(
                f"{path}: must be of format {FORMAT}, got {found['format']!r}; run it again"
            )
        setup = Setup(
            tuple(map(str, found["names"])),
            tuple(map(int, found["order"])),
            tuple(str(one["name"]) for one in found["settings"]),
            tuple(
                tuple(
                    PlacedTransition(str(one["name"]), float(t0), float(width))
                    for t0, width in one["places"]
                )
                for one in found["settings"]
            ),
            int(found["items"]),
            int(found["repetitions"]),
            int(found["seed"]),
            str(found["task"]),
            None if found["span"] is None else (float(found["span"][0]), float(found["span"][1])),
        )
        logs = {
            str(learner): {str(role): list(map(str, ids)) for role, ids in roles.items()}
            for learner, roles in found["logs"].items()
        }
        _check(setup, logs)
        about = {str(key): str(value) for key, value in found["about"].items()}
        measured = dict(found.get("measured", {}))
        every: object = measured.get("every")
        texts = [measured.get(key, "") for key in ("measure", "window", "bound")]
        if not all(isinstance(one, str) for one in texts) or not isinstance(every, int | None):
            raise ValueError("how it was measured")
        return Stored(
            setup,
            logs,
            bool(found["late"]),
            about,
            list(map(str, found["notes"])),
            str(found.get("name", "")),
            measured,
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(f"{path}: cannot be read ({error}); run it again") from error


def _check(setup: Setup, logs: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Raise ValueError unless a list fits together; a checksum shows damage, not what others wrote.

    Streams, drifts and logs of all repetitions must be those of one another, and the drifts fit.
    """
    concepts, drifts = range(len(setup.names)), len(setup.sequence) - 1
    if drifts < 1 or any(nth not in concepts for nth in setup.sequence):
        raise ValueError("the order of the streams")
    if not LEAST_POINTS <= setup.items <= MOST_ITEMS:
        raise ValueError("the number of items")
    numbers = [x for places in setup.settings for p in places for x in (p.t0, p.width)]
    if not all(map(isfinite, [*numbers, *(setup.span or ())])) or min(numbers, default=-1) < 0:
        raise ValueError("the drifts or the range of the target")
    if any(len(places) != drifts for places in setup.settings):
        raise ValueError("the number of drifts")
    for places in setup.settings:
        check_fit(places, setup.items)
    needed = {f"pure-{nth}" for nth in concepts}
    needed |= {f"mixture-{nth}" for nth in range(len(setup.settings))}
    if any(role.startswith("cross") for roles in logs.values() for role in roles):
        pairs = [(a, b) for a, b in pairwise(setup.sequence) if a != b]
        needed |= {f"cross-{x}-{y}" for a, b in pairs for x, y in ((a, b), (b, a))}
    for roles in logs.values():
        if not needed <= set(roles):
            raise ValueError("the streams of the logs")
        if any(len(each) != setup.repetitions for each in roles.values()):
            raise ValueError("the number of repetitions")
        ids = [one for each in roles.values() for one in each]
        if any(one == ".." or Path(one).name != one or "\\" in one for one in ids):
            raise ValueError("names of logs with a path")
