"""What the catalog knows about a data set before it is opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from streamgauge.types import Drift


@dataclass(frozen=True, slots=True)
class Source:
    """Where a file can be had: a public repository at a commit, or a package."""

    home: str
    path: str
    commit: str = ""

    def __str__(self) -> str:
        if not self.commit:
            return f"{self.path} from {self.home}"
        return f"https://raw.githubusercontent.com/{self.home}/{self.commit}/{self.path}"


@dataclass(frozen=True, slots=True)
class Entry:
    """The facts of a data set; `check` of `truth.py` holds a file against them.

    `counts` are items of each class, `same_label` the share of items whose label is that of
    the item before, `missing` the missing cells of features, `unlabelled` the missing labels.
    A real target has `span` and `mean` instead of classes. `indicators` are columns of zeros
    and ones that are read as nominal by default. `drop` lists columns that are in the file but
    not for a learner. `clock` is `item` where the item's number is the time.
    """

    file: str
    sha256: str
    rows: int
    features: int
    target: str
    sources: tuple[Source, ...]
    licence: str
    classes: tuple[str, ...] | None = None
    counts: tuple[int, ...] = ()
    same_label: float = float("nan")
    span: tuple[float, float] | None = None
    mean: float = float("nan")
    unlabelled: int = 0
    missing: int = 0
    nominal: tuple[str, ...] = ()
    indicators: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    time: str | None = None
    label_time: str | None = None
    clock: Literal["item", "strict", "sort", "allow"] = "item"
    time_unit: str = "tick"
    epoch: str = "1970-01-01"
    drifts: tuple[Drift, ...] = ()

    @property
    def majority(self) -> float:
        """Share of the most frequent class, P(M)."""
        return max(self.counts) / sum(self.counts) if self.counts else float("nan")
