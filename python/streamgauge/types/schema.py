"""The description of the items of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from streamgauge.types.columns import Value


@dataclass(frozen=True, slots=True)
class Feature:
    """One column of x: numeric, or nominal with its values in code order."""

    name: str
    values: tuple[Value, ...] | None = None

    @property
    def nominal(self) -> bool:
        """Whether the cells are codes of `values`."""
        return self.values is not None


DriftKind = Literal["abrupt", "gradual", "incremental", "recurring"]


@dataclass(frozen=True, slots=True)
class Drift:
    """A known drift: it affects items from `start` on and is complete from `end` on."""

    start: int
    centre: int
    end: int
    kind: DriftKind = "abrupt"


@dataclass(frozen=True, slots=True)
class Schema:
    """The description of the items of a stream.

    `classes` is None for a real target. Times are ticks of `clock`: item numbers, or
    microseconds. `notes` lists what was inferred rather than declared. `ties` is the order of
    simultaneous events in the source, None if it does not matter: a protocol of another order is
    refused.
    """

    features: tuple[Feature, ...]
    target: str = "label"
    classes: tuple[Value, ...] | None = None
    drifts: tuple[Drift, ...] = ()
    clock: Literal["item", "us"] = "item"
    notes: tuple[str, ...] = ()
    ties: Literal["labels_first", "items_first"] | None = None

    @property
    def task(self) -> Literal["classification", "regression"]:
        """The task of a learner."""
        return "regression" if self.classes is None else "classification"

    @property
    def names(self) -> tuple[str, ...]:
        """The features' names."""
        return tuple(f.name for f in self.features)
