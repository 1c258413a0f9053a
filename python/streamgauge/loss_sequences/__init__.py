"""Sequences of losses with known drifts, to test detectors without a learner."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.loss_sequences.bernoulli import Bernoulli as Bernoulli
    from streamgauge.loss_sequences.normal import Normal as Normal
else:
    __getattr__, __dir__ = lazy_package(__name__)
