"""Catalog entry of a data set: file, sources, expected statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from streamgauge.types import Drift


@dataclass(frozen=True, slots=True)
class Source:
    """Source of a file: a public repository at a commit, or a package."""

    repository: str
    path: str
    commit: str = ""

    def __str__(self) -> str:
        if not self.commit:
            return f"{self.path} from {self.repository}"
        return f"https://raw.githubusercontent.com/{self.repository}/{self.commit}/{self.path}"


@dataclass(frozen=True, slots=True)
class Entry:
    """Properties of a data set, with which `_verify.py` compares a file.

    `counts`: number of items of each class. `same_label`: fraction of items whose label equals
    the previous one. `missing`: missing feature cells. `unlabelled`: missing labels.
    A real target has `span` and `mean` instead of classes. What is not known for certain is not
    stated, and not compared: `sha256` "", `rows` or `features` None, `counts` empty, `same_label`
    NaN. `indicators`: columns of zeros
    and ones that are nominal by default. `drop`: columns of the file that are not features.
    `clock`: `item` if the time of an item is its number.
    """

    file: str
    sha256: str
    rows: int | None
    features: int | None
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
        """Fraction of the most frequent class, P(M)."""
        return max(self.counts) / sum(self.counts) if self.counts else float("nan")
