"""A learner that is reset when its error rises."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, cast

from streamgauge.adapters import bind
from streamgauge.detectors.ddm import DDM
from streamgauge.detectors.external import adapt, detector_name
from streamgauge.errors import ParameterError
from streamgauge.learners._resetting import ResettingLearner
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.log.about import name_of
from streamgauge.names import resolve
from streamgauge.seeds import child
from streamgauge.types import Schema
from streamgauge.windows._window import Window


@dataclass(frozen=True, slots=True)
class Resetting:
    """A learner that is reset at each alarm of a detector of its errors.

    The loss of an item is that of the prediction made right before the item is learned: 0 or 1,
    with a real target the absolute error. No prediction counts as wrong (with a real target there
    is no loss). At an alarm the learner is replaced by an untrained one, the detector is reset, and
    the new learner starts with the item of the alarm. Alarms and beginnings of warnings are in the
    log (`log.alarms()`).

    Parameters
    ----------
    learner
        Any learner or model that `run` takes, or its name.
    detector
        A detector of `streamgauge.detectors`, or one of river or CapyMOA, or its name.
    window
        The detector observes the mean loss in this window (or its name); by default the losses
        themselves.

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> x = np.random.default_rng(0).normal(size=(2000, 1))
    >>> y = (x[:, 0] > 0) ^ (np.arange(2000) >= 1000)
    >>> log = sg.run(sg.streams.from_arrays(x, y), Resetting())
    >>> log.alarms().alarms.tolist()
    [1006]
    >>> round(sg.measure(log, "accuracy").final, 2)
    0.98

    References
    ----------
    Gama, Medas, Castillo, Rodrigues. Learning with drift detection. SBIA (2004).
    """

    learner: object = field(default_factory=NaiveBayes)
    detector: object = field(default_factory=DDM)
    window: Window | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "learner", resolve("learner", self.learner))
        object.__setattr__(self, "detector", resolve("detector", self.detector))
        object.__setattr__(self, "window", resolve("window", self.window))
        if not isinstance(self.window, Window | None):
            raise ParameterError.of(self, "window", "a window or None", self.window)
        adapt(self.detector, 0, self.window)

    @property
    def name(self) -> str:
        """Its name in tables."""
        parts = [name_of(self.learner), name_of(self.detector)]
        return (
            f"resetting({', '.join([*parts, *([f'window={self.window}'] if self.window else [])])})"
        )

    @property
    def task(self) -> Literal["classification", "regression"]:
        """The kind of target it predicts: that of its learner."""
        task = getattr(self.learner, "task", "classification")
        return cast(Literal["classification", "regression"], task)

    def bind(self, schema: Schema, seed: int = 0) -> ResettingLearner:
        """Make the learner for a stream's columns and classes."""
        return ResettingLearner(
            bind(self.learner, schema, seed),
            adapt(self.detector, child(seed, "detector"), self.window),
            detector_name(self.detector, self.window),
            seed,
        )
