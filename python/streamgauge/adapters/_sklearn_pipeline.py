"""Training of a scikit-learn Pipeline item by item, which it does not offer itself."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any

from streamgauge.types import F64, Codes


@dataclass(frozen=True, slots=True)
class PipelineFit:
    """`partial_fit` for the steps of a Pipeline.

    Each transformer is updated with the row that it gets, then transforms it; the last step learns
    the result. This is the order of `streamgauge.learners.Pipeline` and of river's pipelines:
    `predict` of the Pipeline uses the statistics of the items learned so far. A transformer that
    needs no fit is only called. A weight is passed to the last step, and to the transformers that
    take one.
    """

    steps: tuple[Any, ...]

    def partial_fit(
        self, rows: F64, labels: Codes | F64, classes: Codes | None = None, **weight: F64
    ) -> None:
        """Train every step with the rows."""
        *transformers, last = self.steps
        for step in transformers:
            if hasattr(step, "partial_fit"):
                taken = weight if "sample_weight" in signature(step.partial_fit).parameters else {}
                step.partial_fit(rows, **taken)
            rows = step.transform(rows)
        named = {} if classes is None else {"classes": classes}
        last.partial_fit(rows, labels, **named, **weight)


def steps_of(model: Any) -> tuple[Any, ...]:
    """The steps of a Pipeline that do something; of another estimator, itself."""
    pipeline = import_module("sklearn.pipeline").Pipeline
    if not isinstance(model, pipeline):
        return (model,)
    steps: list[Any] = []
    for _, step in model.steps:
        if step is not None and not (isinstance(step, str) and step == "passthrough"):
            steps += steps_of(step)
    return tuple(steps)


def can_be_fitted(step: Any) -> bool:
    """Whether a step learns item by item, or needs no fit."""
    if hasattr(step, "partial_fit"):
        return True
    tags = import_module("sklearn.utils").get_tags(step)
    return hasattr(step, "transform") and not tags.requires_fit
