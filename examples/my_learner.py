"""A user-defined learner and native ones: two methods are enough."""

from __future__ import annotations

import numpy as np

import streamgauge as sg
from streamgauge.adapters import adapt
from streamgauge.testing import check_learner


class NearestMean:
    """Predicts the class with the nearest mean; the means decay, to adapt to drifts."""

    def __init__(self, rate: float = 0.01) -> None:
        self.rate = rate
        self.means: dict[int, np.ndarray] = {}

    def predict(self, x: np.ndarray) -> int | None:
        """The nearest class; None before the first label."""
        if not self.means:
            return None
        return min(self.means, key=lambda c: float(((self.means[c] - x) ** 2).sum()))

    def learn(self, x: np.ndarray, y: int) -> None:
        """Move the mean of the class towards the item."""
        mean = self.means.setdefault(y, x.copy())
        self.means[y] = mean + self.rate * (x - mean)


def main() -> None:
    """Check it, then measure it on a stream with a drift in the middle."""
    before, after = sg.streams.Sine(function=1), sg.streams.Sine(function=2)
    stream = sg.streams.take(sg.streams.drift(before, after, at=10_000), 20_000)
    check_learner(lambda: adapt(NearestMean(), stream.schema), stream.schema)

    for learner in (NearestMean(), sg.learners.NaiveBayes(), sg.learners.Perceptron()):
        log = sg.run(stream, learner)
        whole = sg.measure(log, "accuracy")
        now = sg.measure(log, "accuracy", sg.Sliding(1000))
        print(f"{log.about['learner']:22} whole {whole.final:.3f}   last 1,000 {now.final:.3f}")


if __name__ == "__main__":
    main()
