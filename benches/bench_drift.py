"""Evaluation of all native detectors: 11 detectors x 10 streams x 30 seeds x 100,000 losses.

`python benches/bench_drift.py [--write] [--items N] [--repetitions N]`

Losses are drawn once per stream and seed and shared by the detectors; drawing, matching and the
default measures are included. One thread.
"""

from __future__ import annotations

import argparse
import time

from results import table, write_section

import streamgauge as sg
from streamgauge import detectors
from streamgauge.loss_sequences import Bernoulli

GOAL = 60.0
"""Seconds of CPU, for the full size."""

DETECTORS = {
    "ADWIN": detectors.ADWIN(),
    "DDM": detectors.DDM(),
    "EDDM": detectors.EDDM(),
    "HDDMA": detectors.HDDMA(),
    "HDDMW": detectors.HDDMW(),
    "KSWIN": detectors.KSWIN(),
    "PageHinkley": detectors.PageHinkley(),
    "PageHinkleyRatio, fading": detectors.PageHinkleyRatio(),
    "PageHinkleyRatio, sliding": detectors.PageHinkleyRatio(sg.Sliding(1000), sg.Sliding(5000)),
    "RandomAlarms": detectors.RandomAlarms(p=0.0001),
    "RDDM": detectors.RDDM(),
}


def streams(items: int) -> dict[str, Bernoulli]:
    """Ten sequences: sudden and gradual drifts, more or less frequent, and stationary ones."""
    found: dict[str, Bernoulli] = {}
    for drifts in (1, 4, 9):
        at = tuple(items * nth // (drifts + 1) for nth in range(1, drifts + 1))
        for high in (0.2, 0.4):
            found[f"{drifts} sudden, {high}"] = Bernoulli(items, at, (0.1, high))
        found[f"{drifts} gradual"] = Bernoulli(items, at, (0.1, 0.4), width=items // 50)
    found["stationary"] = Bernoulli(items, levels=(0.2,))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--repetitions", type=int, default=30)
    given = parser.parse_args()
    made = streams(given.items)
    sg.evaluate_detectors(DETECTORS, made, given.items // 50, repetitions=1)  # imports
    began, wall = time.process_time(), time.perf_counter()
    found = sg.evaluate_detectors(
        DETECTORS, made, given.items // 50, repetitions=given.repetitions, progress=True
    )
    seconds, passed = time.process_time() - began, time.perf_counter() - wall
    began = time.process_time()
    for stream in made.values():
        for seed in range(given.repetitions):
            stream.losses(seed)
    drawing = time.process_time() - began
    losses = len(made) * given.repetitions * given.items
    rows = []
    for name in DETECTORS:
        runs = [run for (_, d), each in found.matchings.items() if d == name for run in each]
        alarms = sum(len(run.alarms) for run in runs)
        hits = sum(int(run.found.sum()) for run in runs)
        rows.append([name, f"{losses:,}", f"{alarms:,}", f"{hits:,}"])
    text = (
        f"{len(DETECTORS)} native detectors x {len(made)} sequences x {given.repetitions} seeds x "
        f"{given.items:,} losses on one core: {seconds:.1f} s of CPU ({passed:.1f} s passed), of "
        f"which {drawing:.1f} s draw the losses (goal for the full size: at most {GOAL:.0f} s).\n\n"
    )
    text += table(["detector", "losses", "alarms", "drifts found"], rows)
    print(text)
    if given.write:
        write_section("drift", f"## Evaluation of detectors\n\n{text}")


if __name__ == "__main__":
    main()
