"""Cells of an experiment: one run each, with an id computed from its content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any

from streamgauge._core import VERSION
from streamgauge.experiments._experiment import Experiment, settle
from streamgauge.experiments.spec import FileStream, Spec, stream_of
from streamgauge.seeds import child
from streamgauge.types import Stream


@dataclass(frozen=True, slots=True)
class Cell:
    """One run: the names of stream, learner and protocol, a seed, and what it is made with.

    `made_with` holds the version of streamgauge, those of the other code that the names stand for,
    and the fingerprints of the files in them; `folder` is where the files are.
    """

    stream: str | FileStream
    learner: str
    protocol: str
    repetition: int
    seed: int
    scores: bool
    made_with: tuple[Any, ...] = (VERSION,)
    folder: Path = field(default=Path(), compare=False)

    def open(self) -> Stream:
        """Open the stream."""
        return stream_of(self.stream, self.folder)

    @property
    def title(self) -> str:
        """Name of the cell in progress displays and tables."""
        source = self.stream if isinstance(self.stream, str) else self.stream.file.name
        suffix = f" #{self.repetition}" if self.repetition else ""
        return f"{self.learner} on {source}{suffix}"

    @property
    def id(self) -> str:
        """Folder name: stream and learner, then a hash of everything the result depends on."""
        source = self.stream if isinstance(self.stream, str) else self.stream.file.stem
        prefix = re.sub(r"[^a-z0-9]+", "-", f"{source}-{self.learner}".lower()).strip("-")[:60]
        content = json.dumps(
            [
                self.stream
                if isinstance(self.stream, str)
                else self.stream.model_dump(mode="json"),
                self.learner,
                self.protocol,
                self.seed,
                self.scores,
                self.made_with,
            ],
            sort_keys=True,
        )
        return f"{prefix}-{blake2b(content.encode(), digest_size=5).hexdigest()}"


def cells(spec: Spec) -> Iterator[Cell]:
    """Cells of the grid. All learners of a repetition get the same items (paired)."""
    experiment = settle(spec)
    for stream, protocol, learner, repetition in product(
        experiment.streams, experiment.protocols, experiment.learners, range(spec.repetitions)
    ):
        seed = spec.seed if repetition == 0 else child(spec.seed, "repetition", str(repetition))
        made_with = _made_with(experiment, stream, learner, protocol)
        yield Cell(
            stream,
            learner,
            protocol,
            repetition,
            seed,
            experiment.scores,
            made_with,
            experiment.folder,
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
