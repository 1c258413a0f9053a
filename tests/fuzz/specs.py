"""Experiment files: valid ones with odd names, parameters, keys and values."""

from __future__ import annotations

import json
import random
import tomllib
from contextlib import chdir
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from fuzz.changes import changed_json, changed_text
from fuzz.kind import Input, Progress
from fuzz.names import drawn_name
from streamgauge.experiments import cells, read_spec, run_experiment
from streamgauge.experiments.spec import Spec, stream_of
from streamgauge.names import make
from streamgauge.protocols.timetable import arrivals, in_words

FIRST_CHECK = "valid TOML with the keys and types of an experiment"
DATA = "a,b,y\n" + "".join(f"{i % 7},{i * i % 5}.5,{'uv'[i % 3 > 0]}\n" for i in range(30))
ITEMS = 100
"""Experiments of so few items are run."""


def draw(draw: random.Random) -> Input:
    """A spec, changed as a table of values or as text."""
    task = draw.choice(("classification", "classification", "regression"))

    def names(family: str) -> list[str]:
        return [drawn_name(draw, family, task) for _ in range(draw.choice((1, 1, 2)))]

    spec: dict[str, Any] = {"streams": names("stream"), "learners": names("learner")}
    if draw.random() < 0.3:
        target = "y" if task == "classification" else "b"
        spec["streams"].append({"file": "d.csv", "target": target})
    for key, family, share in (
        ("protocols", "protocol", 0.5),
        ("measures", "measure", 0.5),
        ("windows", "window", 0.4),
    ):
        if draw.random() < share:
            spec[key] = names(family)
    for key, values in (
        ("title", ("t", "", "é|`$", "x" * 300)),
        ("seed", (0, 1, 2**63, 2**64, 2**70)),
        ("repetitions", (1, 2)),
        ("scores", (True, False)),
        ("bands", (0.9, 0.5, "time_uniform(0.9)")),
        ("spell", (10, 200)),
        ("margin", (0.01, 2.0)),
    ):
        if draw.random() < 0.2:
            spec[key] = draw.choice(values)
    if draw.random() < 0.15:
        changed = changed_json(draw, spec)
        spec = changed if isinstance(changed, dict) else {"streams": changed}
    text = toml(spec)
    if draw.random() < 0.1:
        text = changed_text(draw, text, "=[]{}\"'\n#.,0")
    return Input({"e.toml": text.encode(), "d.csv": DATA.encode()}, {})


def toml(spec: dict[str, Any]) -> str:
    """A table as TOML."""
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in spec.items())


def _key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else json.dumps(key)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value)
    return str(value) if isinstance(value, int) else json.dumps(value)


def run(given: Input, folder: Path, progress: Progress) -> None:
    """Read the spec and make everything in it; a small one is run, too."""
    for name, content in given.files.items():
        (folder / name).write_bytes(content)
    progress.past = _typed(given.files["e.toml"])
    with chdir(folder):
        _use(folder)


def _use(folder: Path) -> None:
    spec = read_spec(folder / "e.toml")
    streams = [stream_of(source) for source in spec.streams]
    every = list(islice(cells(spec), 100))
    for protocol in spec.protocols:
        list(islice(in_words(make("protocol", protocol).timetable(arrivals(9))), 9))
    small = all(s.length is not None and s.length <= ITEMS for s in streams)
    native = not any(":" in learner for learner in spec.learners)
    if small and native and len(every) <= 4:
        for log in run_experiment(spec, folder / "run"):
            list(log.labelled_predictions())


def _typed(text: bytes) -> bool:
    try:
        Spec.model_validate(tomllib.loads(text.decode()))
    except (ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return False
    return True
