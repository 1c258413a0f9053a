"""Cells of an experiment: one run each, with an id computed from its content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any

from streamgauge._core import VERSION
from streamgauge.checksums import is_sealed
from streamgauge.experiments._experiment import Experiment, settle
from streamgauge.experiments._stream_names import stream_names
from streamgauge.experiments.spec import FileStream, Spec, stream_of
from streamgauge.seeds import child
from streamgauge.types import Stream

NAME = "cell.json"
"""The file beside the log of a cell: what its result depends on."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One run: the names of stream, learner and protocol, a seed, and what it is made with.

    `made_with` holds the version of streamgauge, those of the other code that the names stand for,
    and the fingerprints of the files in them; `folder` is where the files are. `name` is that of
    the learner in tables, if the experiment gives it one, `stream_name` that of the stream, unique
    in the experiment. `kept`: another version made it, and it stands for the one of this version. A
    log that has scores serves a cell that needs none, and one with other samples of vitals has the
    same predictions, so these are not part of its id.
    """

    stream: str | FileStream
    learner: str
    protocol: str
    repetition: int
    seed: int
    scores: bool
    made_with: tuple[Any, ...] = (VERSION,)
    name: str = ""
    folder: Path = field(default=Path(), compare=False)
    kept: bool = False
    stream_name: str = field(default="", compare=False)
    vitals_every: int | None = field(default=None, compare=False)

    def open(self) -> Stream:
        """Open the stream."""
        return stream_of(self.stream, self.folder)

    @property
    def source(self) -> str:
        """Name of the stream: that in the experiment, its text, or that of its file."""
        if self.stream_name:
            return self.stream_name
        return self.stream if isinstance(self.stream, str) else self.stream.file.name

    @property
    def title(self) -> str:
        """Name of the cell in progress displays and tables."""
        suffix = f" #{self.repetition}" if self.repetition else ""
        return f"{self.name or self.learner} on {self.source}{suffix}"

    @property
    def content(self) -> dict[str, Any]:
        """Everything that the result depends on."""
        source = self.stream
        return {
            "stream": source if isinstance(source, str) else source.model_dump(mode="json"),
            "learner": self.learner,
            "protocol": self.protocol,
            "seed": self.seed,
            "made_with": self.made_with,
        }

    @property
    def id(self) -> str:
        """Folder name: stream and learner, then a hash of everything the result depends on."""
        source = self.stream if isinstance(self.stream, str) else self.stream.file.stem
        prefix = re.sub(r"[^a-z0-9]+", "-", f"{source}-{self.learner}".lower()).strip("-")[:60]
        return f"{prefix}-{_hash(self.content)}"


def _hash(content: dict[str, Any]) -> str:
    text = json.dumps([content[key] for key in CONTENT], sort_keys=True)
    return blake2b(text.encode(), digest_size=5).hexdigest()


CONTENT = ("stream", "learner", "protocol", "seed", "made_with")
"""The keys of the content of a cell."""


def read_content(place: Path) -> dict[str, Any] | None:
    """The content of the cell in a folder; None unless its `cell.json` is whole and its own."""
    try:
        text = (place / NAME).read_bytes().decode()
        content: dict[str, Any] = json.loads(text)
        return content if is_sealed(text) and place.name.endswith(f"-{_hash(content)}") else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def has_content(place: Path) -> bool:
    """Whether the folder of a cell has a whole `cell.json`, and it is that of this cell."""
    return read_content(place) is not None


def cells(spec: Spec) -> Iterator[Cell]:
    """Cells of the grid. All learners of a repetition get the same items (paired)."""
    experiment = settle(spec)
    names = stream_names(experiment.all_streams())
    for (stream, protocol, learner), repetition in product(
        experiment.grid(), range(spec.repetitions)
    ):
        seed = spec.seed if repetition == 0 else child(spec.seed, "repetition", str(repetition))
        cell = Cell(
            stream,
            learner.learner,
            protocol,
            repetition,
            seed,
            experiment.scores,
            _made_with(experiment, stream, learner.learner, protocol),
            "" if learner.name == learner.learner else learner.name,
            experiment.folder,
            stream_name=names[stream],
            vitals_every=experiment.vitals_every,
        )
        kept = experiment.kept.get(cell.id) if experiment.kept else None
        if kept is not None and len(kept[1]) == len(cell.made_with[1]):
            cell = replace(cell, made_with=kept, kept=True)
        yield cell


def settled_again(cell: Cell, experiment: Experiment) -> Cell:
    """A cell of a stored experiment as it would be with the versions and files of another one."""
    stream = cell.stream
    if isinstance(stream, FileStream):
        stream = stream.relative_to(experiment.folder)
    return replace(
        cell,
        stream=stream,
        made_with=_made_with(experiment, stream, cell.learner, cell.protocol),
        folder=experiment.folder,
    )


def _made_with(
    experiment: Experiment, stream: str | FileStream, learner: str, protocol: str
) -> tuple[Any, ...]:
    texts = [text for text in (stream, learner, protocol) if isinstance(text, str)]
    return (
        experiment.streamgauge,
        [experiment.made_with.get(text, {}) for text in texts],
        experiment.files.get(stream, {}) if isinstance(stream, str) else {},
    )
