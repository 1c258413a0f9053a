"""All features: the reference without a selection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeSelector
from streamgauge.selectors._selector import native
from streamgauge.types import Schema


@dataclass(frozen=True, slots=True)
class AllFeatures:
    """All features, always: the reference without a selection.

    Its reduction rate is 0, and its stability is not defined.

    Examples
    --------
    >>> from streamgauge.types import Feature
    >>> AllFeatures().bind(Schema((Feature("a"), Feature("b")), "y")).selected().tolist()
    [True, True]
    """

    task: ClassVar[Literal["any"]] = "any"

    def bind(self, schema: Schema, seed: int = 0) -> NativeSelector:
        """Create the selector for the features and classes of a stream."""
        return native(self, schema, seed)
