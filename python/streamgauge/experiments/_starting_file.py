"""A commented experiment file, and the JSON schema of experiment files for editors."""

from __future__ import annotations

import json
from pathlib import Path

from streamgauge.errors import ParameterError
from streamgauge.experiments.spec import Spec
from streamgauge.files import write_text

SCHEMA = "streamgauge.schema.json"
"""The name of the file of the schema beside an experiment file."""

EXAMPLE = """\
# An experiment of streamgauge: every learner on every stream.
#
#   streamgauge plan {name}     what would run
#   streamgauge run {name}      run it; again after an interruption or change: only the rest
#
# `streamgauge list streams` (learners, protocols, measures, windows) prints the names.

title = "My experiment"

# The seed of all random numbers, and the number of runs of each cell, each with its own seed.
seed = 1
repetitions = 1

# Streams: generators, data sets of the catalog, or files (relative to this file).
streams = [
    "drift(sea(function=1), sea(function=3), at=5000, items=10000)",
    # "electricity",
    # {{ file = "pump.csv", target = "state", time = "when", impute = "mean" }},
]

# Learners: native ones, `river:…`, `sklearn:…`, `capymoa:…`, or your own class, `module:Class()`.
# A table gives one a name in tables and diagrams.
learners = [
    "naive_bayes",
    {{ name = "deep tree", learner = "hoeffding_tree(grace_period=50)" }},
]

# How predictions and labels follow each other. Late labels: "delayed", "reevaluating(every=10)".
protocols = ["prequential"]

# What the report shows. Baselines need not be listed.
measures = ["accuracy", "kappa", "kappa_temporal"]
windows = ["whole", "sliding(1000)"]

# Parts of the grid: these learners on those streams. Keys that a group omits are those above.
# [[groups]]
# streams = ["electricity"]
# learners = ["perceptron"]
"""


def json_schema() -> str:
    """The JSON schema of experiment files, as text."""
    return json.dumps(Spec.model_json_schema(), indent=1) + "\n"


def write_example(path: Path | str, schema: bool = False) -> list[Path]:
    """Write a commented experiment file; an existing file is not replaced.

    Parameters
    ----------
    path
        The TOML file to write.
    schema
        Also write the JSON schema beside it, and name it in the first line, where editors find it.
    """
    path = Path(path)
    beside = path.with_name(SCHEMA)
    for other in (path, beside) if schema else (path,):
        if other.exists():
            raise ParameterError(f"{other}: must be a new file, got one that exists; rename it")
    if path.suffix != ".toml":
        raise ParameterError(f"{path}: must end in .toml, got {path.suffix!r}")
    text = EXAMPLE.format(name=path.name)
    if schema:
        write_text(beside, json_schema())
        text = f"#:schema {SCHEMA}\n{text}"
    write_text(path, text)
    return [path, beside] if schema else [path]
