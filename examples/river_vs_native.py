"""The same learners in river and native: equal accuracy, different speed."""

from __future__ import annotations

from river import linear_model, naive_bayes, preprocessing

import streamgauge as sg

PAIRS = {
    "naive Bayes": (naive_bayes.GaussianNB(), sg.learners.NaiveBayes()),
    "logistic regression": (
        preprocessing.StandardScaler() | linear_model.LogisticRegression(),
        sg.learners.LogisticRegression(),
    ),
}


def main() -> None:
    """Print accuracy and speed of each."""
    stream = sg.streams.SEA(function=3, seed=1, items=10_000)
    for name, pair in PAIRS.items():
        for model in pair:
            log = sg.run(stream, model)
            speed = log.resources["items"] / log.resources["cpu_seconds"]
            accuracy = sg.measure(log, "accuracy").final
            who = log.about["learner"]
            print(f"{name:20} {who:40} {accuracy:.4f} {speed:12,.0f} items/s")


if __name__ == "__main__":
    main()
