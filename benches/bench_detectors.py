"""Native detectors and river's on the same losses, and the cost of `Resetting`.

`python benches/bench_detectors.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from results import rate, table, write_section
from river import drift

import streamgauge as sg
from streamgauge import detectors

ROUNDS = 5
SLOW = {"KSWIN": 200, "HDDMA": 5, "HDDMW": 5}
"""Factor by which river's slow detectors get fewer losses; the ratio is of seconds per loss."""

ODD = 50.0123456789
PAIRS: dict[str, tuple[Any, Callable[[], Any], bool]] = {
    "ADWIN": (detectors.ADWIN(after_alarm="reset"), drift.ADWIN, True),
    "DDM": (detectors.DDM(), drift.binary.DDM, True),
    "EDDM": (detectors.EDDM(), drift.binary.EDDM, True),
    "HDDMA": (detectors.HDDMA(), drift.binary.HDDMA, True),
    "HDDMW": (detectors.HDDMW(), drift.binary.HDDMW, False),
    "PageHinkley": (
        detectors.PageHinkley(0.005, ODD, after_alarm="reset"),
        lambda: drift.PageHinkley(
            min_instances=1, delta=0.005, threshold=ODD, alpha=1.0, mode="up"
        ),
        True,
    ),
    "KSWIN": (
        detectors.KSWIN(after_alarm="reset"),
        lambda: drift.KSWIN(seed=1),
        False,
    ),
}
"""Ours, river's, and whether their alarms must be equal."""

ALONE = {
    "RDDM": detectors.RDDM(),
    "Page-Hinkley ratio, fading": detectors.PageHinkleyRatio(),
    "Page-Hinkley ratio, sliding": detectors.PageHinkleyRatio(sg.Sliding(1000), sg.Sliding(5000)),
    "RandomAlarms": detectors.RandomAlarms(),
}


def cpu(work: Callable[[], object]) -> float:
    gc.collect()
    began = time.thread_time()
    work()
    return time.thread_time() - began


def losses(count: int) -> np.ndarray:
    """Errors at a rate that changes five times."""
    rates = np.repeat([0.1, 0.3, 0.15, 0.5, 0.2], count // 5)
    return (np.random.default_rng(0).random(len(rates)) < rates).astype(np.float64)


def ours(spec: Any, column: np.ndarray) -> list[int]:
    _, rows, kinds = spec.bind().observe_many(column)
    return rows[kinds == 2].tolist()


def theirs(make: Callable[[], Any], column: list[float]) -> list[int]:
    model, found = make(), []
    for i, loss in enumerate(column):
        model.update(loss)
        if model.drift_detected:
            found.append(i)
    return found


def against_river(count: int) -> str:
    column, lines = losses(count), []
    for name, (spec, make, same) in PAIRS.items():
        few = column[: count // SLOW.get(name, 1)].tolist()
        rounds = 2 if name in SLOW else ROUNDS
        here, there = [], []
        for _ in range(rounds):
            here.append(cpu(lambda spec=spec: ours(spec, column)))
            there.append(cpu(lambda make=make, few=few: theirs(make, few)))
        found, other = ours(spec, column[: len(few)]), theirs(make, few)
        if same and found != other:
            raise SystemExit(f"{name}: our alarms {found} differ from river's {other}")
        mine, rivers = min(here) / count, min(there) / len(few)
        lines.append(
            (
                name,
                rate(1 / mine),
                rate(1 / rivers),
                f"{rivers / mine:.0f}",
                f"{count:,} / {len(few):,}",
                f"{len(found)} / {len(other)}",
            )
        )
    for name, spec in ALONE.items():
        seconds = min(cpu(lambda spec=spec: ours(spec, column)) for _ in range(ROUNDS))
        lines.append((name, rate(count / seconds), "–", "–", f"{count:,}", len(ours(spec, column))))
    head = ("detector", "ours", "river's", "times (goal ≥ 10)", "losses", "alarms")
    return table(head, lines)


def resetting(count: int) -> str:
    stream = sg.streams.SEA(items=count)
    nb = sg.learners.NaiveBayes()
    cases = {
        "naive_bayes": nb,
        "resetting(naive_bayes, ddm)": sg.learners.Resetting(nb, detectors.DDM()),
        "resetting(naive_bayes, adwin)": sg.learners.Resetting(nb, detectors.ADWIN()),
        "resetting(naive_bayes, random_alarms(p=1))": sg.learners.Resetting(
            nb, detectors.RandomAlarms(1.0)
        ),
    }
    lines = []
    for name, learner in cases.items():
        seconds = min(cpu(lambda learner=learner: sg.run(stream, learner)) for _ in range(ROUNDS))
        log = sg.run(stream, learner)
        accuracy = sg.measure(log, "accuracy").final
        alarms = len(log.alarms().alarms)
        lines.append((name, f"{seconds / count * 1e9:.0f}", f"{alarms:,}", f"{accuracy:.4f}"))
    return table(("learner on SEA", "ns per item, whole run", "alarms", "accuracy"), lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=1_000_000)
    given = options.parse_args()
    text = f"""## Detectors

One column of {given.items:,} errors, CPU time, interleaved, best of {ROUNDS}. river's detectors are
called as in its documentation, `update` and `drift_detected` per item; ours get the column. Where
river is slow it gets fewer of the same losses, and alarms are counted on those. (HDDMW's
definition differs, and KSWIN's draws do.)

{against_river(given.items)}

The cost of a detector around a learner, generator and log included:

{resetting(given.items // 2)}
"""
    print(text)
    if given.write:
        write_section("detectors", text)


if __name__ == "__main__":
    main()
