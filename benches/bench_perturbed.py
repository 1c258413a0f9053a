"""The cost of perturbed copies: a run of the protocol `perturbed` against one without copies.

`python benches/bench_perturbed.py [--items N] [--write]`
"""

from __future__ import annotations

import argparse
import time

from results import table, write_section

import streamgauge as sg

ROUNDS = 5
LEARNERS = ("naive_bayes", "hoeffding_tree")
PROTOCOLS = ("prequential", "perturbed(copies=1)", "perturbed(copies=5)", "perturbed(share=0.1)")


def seconds(stream: object, learner: str, protocol: str) -> tuple[float, float]:
    """CPU seconds of a run, and its accuracy."""
    began = time.process_time()
    log = sg.run(stream, learner, protocol, threads=1)
    return time.process_time() - began, sg.measure(log, "accuracy").final


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--items", type=int, default=500_000)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    given = options.parse_args()
    stream = sg.streams.Hyperplane(items=given.items, seed=1)
    rows = []
    for learner in LEARNERS:
        best: dict[str, tuple[float, float]] = {}
        for _ in range(ROUNDS):  # interleaved
            for protocol in PROTOCOLS:
                best[protocol] = min(
                    best.get(protocol, (float("inf"), 0.0)), seconds(stream, learner, protocol)
                )
        alone = best["prequential"]
        for protocol, (spent, accuracy) in best.items():
            if accuracy != alone[1]:
                raise SystemExit(f"{learner}, {protocol}: accuracy {accuracy}, not {alone[1]}")
            times = f"{spent / alone[0]:.2f}"
            rows.append((learner, protocol, f"{given.items:,}", f"{spent:.3f}", times))
    text = f"""## Perturbed copies

CPU time of a run, best of {ROUNDS}; accuracy is the same with and without copies.

{table(("learner", "protocol", "items", "CPU seconds", "times"), rows)}
"""
    print(text)
    if given.write:
        write_section("perturbed", text)


if __name__ == "__main__":
    main()
