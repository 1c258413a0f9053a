"""Cells of an experiment: one run each, with an id computed from its content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import product

from streamgauge.experiments.spec import FileStream, Spec
from streamgauge.measures._compute import needs_scores
from streamgauge.seeds import child


@dataclass(frozen=True, slots=True)
class Cell:
    """One run: the names of stream, learner and protocol, and a seed."""

    stream: str | FileStream
    learner: str
    protocol: str
    repetition: int
    seed: int
    scores: bool

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
            ],
            sort_keys=True,
        )
        return f"{prefix}-{blake2b(content.encode(), digest_size=5).hexdigest()}"


def cells(spec: Spec) -> Iterator[Cell]:
    """Cells of the grid. All learners of a repetition get the same items (paired)."""
    scores = spec.scores or needs_scores(spec.measures)
    for stream, protocol, learner, repetition in product(
        spec.streams, spec.protocols, spec.learners, range(spec.repetitions)
    ):
        seed = spec.seed if repetition == 0 else child(spec.seed, "repetition", str(repetition))
        yield Cell(stream, learner, protocol, repetition, seed, scores)
