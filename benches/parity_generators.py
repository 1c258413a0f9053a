"""Are the generators MOA's? Class shares, NaiveBayes accuracy and features, side by side.

Each row is one generator at equal parameters, walked with many seeds on both sides; what is
compared are averages over the seeds, because one tree or one set of centroids says little about
how they are drawn, and the random sequences are not MOA's. Where the concept itself is drawn,
which class is which means nothing: there the shares are those of the largest class, the second
largest, and so on. `se` is the standard error of the difference of the averages. The same
NaiveBayes, asked then taught item by item, runs over both.
Regressions have no classes: the mean and the spread of the target are compared instead, in units
of its spread, with MOA's regression on a hyperplane (HyperDistance) and river's (Friedman).

Exit code 1 where class shares differ by more than 1 point, accuracy by more than 1.5 points,
or the mean of a feature by more than 5 standard errors and 1 % of its spread.

    python benches/parity_generators.py [words of a row's name ...]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter

import jvm
import numpy as np
from numpy.typing import NDArray
from river.datasets import synth

from streamgauge.learners import NaiveBayes
from streamgauge.seeds import child
from streamgauge.streams import (
    LED,
    SEA,
    Agrawal,
    Friedman,
    HyperDistance,
    Hyperplane,
    Mixed,
    RandomRBF,
    RandomTree,
    Sine,
    Stagger,
    Waveform,
    drift,
)
from streamgauge.types import Schema, Stream

SHARES, ACCURACY, ERRORS, SPREAD = 0.01, 0.015, 5.0, 0.01
"""The most that may differ: class shares, accuracy; features by both of the last two."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """One comparison: our stream and the other side's, by seed."""

    ours: Callable[[int], Stream]
    theirs: str | Callable[[int], Iterator[tuple[dict[int, float], float]]]
    seeds: int = 50
    items: int = 4000
    drawn: bool = False
    """The concept is drawn by the seed, and which class is which means nothing."""
    power: int = 0
    """The target is the weighted sum to this power; MOA's is 100 times the sum."""


def rows() -> list[Row]:
    """Every generator, at MOA's parameters; structure that is drawn gets many seeds."""
    found = []
    many = (800, 2000, True)
    for f in range(1, 5):
        found.append(Row(lambda s, f=f: SEA(f), f"SEAGenerator -f {f} -i {{s}}"))
    found.append(Row(lambda s: SEA(1, 0.25, True), "SEAGenerator -f 1 -p 25 -b -i {s}"))
    for f in range(1, 11):
        found.append(Row(lambda s, f=f: Agrawal(f), f"AgrawalGenerator -f {f} -i {{s}}"))
    found.append(Row(lambda s: Agrawal(7, 0.2, True), "AgrawalGenerator -f 7 -p 0.2 -b -i {s}"))
    found += [
        Row(lambda s: LED(), "LEDGenerator -i {s}"),
        Row(lambda s: LED(0.2, irrelevant=False), "LEDGenerator -n 20 -s -i {s}"),
        Row(lambda s: LED(drifting=4), "LEDGeneratorDrift -d 4 -i {s}"),
        Row(lambda s: Hyperplane(), "HyperplaneGenerator -i {s}", 300, 2000),
        Row(
            lambda s: Hyperplane(5, drifting=5, magnitude=0.01, noise=0.1),
            "HyperplaneGenerator -a 5 -k 5 -t 0.01 -n 10 -i {s}",
            300,
            2000,
        ),
        Row(lambda s: RandomTree(model_seed=s), "RandomTreeGenerator -r {s} -i {s}", *many),
        Row(
            lambda s: RandomTree(5, 0, 4, max_depth=7, model_seed=s),
            "RandomTreeGenerator -c 5 -o 0 -u 4 -d 7 -r {s} -i {s}",
            *many,
        ),
        Row(lambda s: RandomRBF(model_seed=s), "RandomRBFGenerator -r {s} -i {s}", *many),
        Row(
            lambda s: RandomRBF(4, 5, 20, 10, 0.002, model_seed=s),
            "RandomRBFGeneratorDrift -c 4 -a 5 -n 20 -k 10 -s 0.002 -r {s} -i {s}",
            *many,
        ),
        Row(lambda s: Waveform(), "WaveformGenerator -i {s}"),
        Row(lambda s: Waveform(True), "WaveformGenerator -n -i {s}"),
        Row(lambda s: Waveform(True, 10), "WaveformGeneratorDrift -n -d 10 -i {s}", 200, 2000),
    ]
    for f in range(1, 5):
        found.append(Row(lambda s, f=f: Sine(f), f"SineGenerator -f {f} -i {{s}}"))
    found.append(Row(lambda s: Sine(1, False, True), "SineGenerator -f 1 -s -b -i {s}"))
    for f in range(1, 4):
        found.append(Row(lambda s, f=f: Stagger(f), f"STAGGERGenerator -f {f} -i {{s}}"))
    for f in (1, 2):
        found.append(Row(lambda s, f=f: Mixed(f), f"MixedGenerator -f {f} -i {{s}}"))
    inside = "-s (generators.SEAGenerator -f 3 -i {s}) -d (generators.SEAGenerator -f 4 -i 1{s})"
    found += [
        Row(
            lambda s: drift(SEA(3), SEA(4), at=2499),
            f"moa.streams.ConceptDriftStream {inside} -p 2500 -w 1 -r {{s}}",
        ),
        Row(
            lambda s: drift(SEA(3), SEA(4), at=2499, width=1000),
            f"moa.streams.ConceptDriftStream {inside} -p 2500 -w 1000 -r {{s}}",
        ),
        Row(
            lambda s: HyperDistance(),
            "HyperplaneGeneratorForRegression -a 4 -n 0 -i {s}",
            2000,
            500,
            power=1,
        ),
        Row(
            lambda s: HyperDistance("cubic"),
            "HyperplaneGeneratorForRegression -a 4 -n 0 -i {s}",
            2000,
            500,
            power=3,
        ),
        Row(lambda s: Friedman(), lambda s: iter(synth.Friedman(seed=s)), 20, 2000),
        Row(
            lambda s: Friedman(expansion=3),
            lambda s: iter(synth.FriedmanDrift("lea", position=(-2, -1, 0), seed=s)),
            20,
            2000,
        ),
        Row(
            lambda s: Friedman((3, 5, 1, 0, 2)),
            lambda s: iter(synth.FriedmanDrift("gra", position=(0, 10**9), seed=s)),
            20,
            2000,
        ),
    ]
    return found


def ours(row: Row, seed: int) -> tuple[Array, Array]:
    """Rows and labels of our stream; the concept, where it is drawn, by the same seed."""
    batch = next(row.ours(seed).batches(row.items, seed))
    return batch.x, batch.label.astype(np.float64)


def theirs(row: Row) -> Iterator[tuple[Array, Array]]:
    """The same of the other side, seed by seed."""
    schema = row.ours(1).schema
    if not isinstance(row.theirs, str):
        for seed in range(1, row.seeds + 1):
            pairs = list(islice(row.theirs(seed), row.items))
            yield np.array([list(x.values()) for x, _ in pairs]), np.array([y for _, y in pairs])
        return
    command = row.theirs if row.theirs.startswith("moa.") else f"generators.{row.theirs}"
    lines = "\n".join(command.format(s=spread(seed)) for seed in range(1, row.seeds + 1))
    width = len(schema.features) + 1
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "items"
        [header] = jvm.run("Items", file, row.items, stdin=lines)
        check_header(schema, header)
        for seed in range(row.seeds):
            offset = seed * row.items * width * 8
            items = np.fromfile(file, "<f8", row.items * width, offset=offset)
            table = items.reshape(row.items, width)
            label = table[:, -1]
            if row.power:
                label = (label / 100) ** row.power
            yield np.ascontiguousarray(table[:, :-1]), label


def spread(seed: int) -> int:
    """A seed for Java, whose Random begins almost the same with any small seed (0.73…)."""
    return child(seed, "MOA") % 10**9 + 10**6


def check_header(schema: Schema, header: dict[str, str]) -> None:
    """Names, values and classes are MOA's, in MOA's order."""
    *features, (target, classes) = header.items()
    told = [(f.name, ",".join(map(str, f.values or ()))) for f in schema.features]
    if features != told or (target, classes) != (schema.target, ",".join(schema.classes or ())):
        sys.exit(f"headers differ: ours {told} {schema.classes}, MOA's {header}")


def accuracy(schema: Schema, x: Array, label: Array) -> float:
    """Of NaiveBayes, each item asked about before it is taught."""
    codes = label.astype(np.int32)
    return float((NaiveBayes().bind(schema).test_then_train(0, x, codes) == codes).mean())


def summary(row: Row, x: Array, label: Array) -> tuple[Array, float, Array]:
    """Class shares (or moments of the target), accuracy, and the means of the features."""
    schema = row.ours(1).schema
    if schema.classes is None:
        return np.array([label.mean(), label.std()]), float("nan"), x.mean(0)
    shares = np.bincount(label.astype(int), minlength=len(schema.classes)) / len(label)
    shares = np.sort(shares)[::-1] if row.drawn else shares
    return shares, accuracy(schema, x, label), x.mean(0)


def side_by_side(a: float, b: float, error: float) -> str:
    """Ours, theirs, the difference and its standard error, in percent."""
    return f"{100 * a:6.2f} {100 * b:6.2f} {100 * (a - b):+6.2f} ±{100 * error:4.2f}"


def compared(row: Row) -> tuple[str, bool]:
    """The line of a table, and whether it is within the bounds."""
    schema = row.ours(1).schema
    mine = [summary(row, *ours(row, seed)) for seed in range(1, row.seeds + 1)]
    other, spreads = [], []
    for x, label in theirs(row):
        other.append(summary(row, x, label))
        spreads.append(np.append(x.std(0), label.std()))
    wide = np.maximum(np.mean(spreads, axis=0), 1e-12)
    parts = []
    for nth in range(3):
        a, b = (np.array([one[nth] for one in side]) for side in (mine, other))
        error = np.sqrt((a.var(0, ddof=1) + b.var(0, ddof=1)) / row.seeds)
        parts.append((a.mean(0), b.mean(0), np.maximum(error, 1e-12)))
    (share, their_share, share_error), (acc, their_acc, acc_error), features = parts
    away = np.abs(features[0] - features[1])
    off = (away / features[2] > ERRORS) & (away / wide[:-1] > SPREAD)
    if schema.classes is None:
        gap = np.abs(share - their_share) / wide[-1]
        fits = bool(((gap < SPREAD) | (np.abs(share - their_share) < 4 * share_error)).all())
        middle = f"mean {share[0]:8.4f} {their_share[0]:8.4f}   sd {share[1]:7.4f} "
        middle += f"{their_share[1]:7.4f}   se {share_error[0]:.4f} {share_error[1]:.4f}"
    else:
        worst = int(np.abs(share - their_share).argmax())
        fits = abs(share[worst] - their_share[worst]) <= SHARES
        fits = fits and abs(acc - their_acc) <= ACCURACY
        middle = side_by_side(share[worst], their_share[worst], share_error[worst])
        middle += "   " + side_by_side(acc, their_acc, acc_error)
    fits = fits and not off.any()
    end = f"{float((away / wide[:-1]).max()):6.4f}  {'ok' if fits else 'DIFFERS'}"
    name = row.ours(1).name.replace("model_seed=1", "").replace(", )", ")").replace("()", "")
    return f"{name[:58]:58} {row.seeds:4}×{row.items:<5} {middle:66} {end}", fits


def main(words: list[str]) -> int:
    """Print the table; 1 if a row differs."""
    chosen = [r for r in rows() if all(w.lower() in r.ours(1).name.lower() for w in words)]
    print("Averages over seeds, ours and MOA's. Of the classes, the one that differs most;")
    print("of the features, the largest difference of means, in their own spread.")
    print(f"{'generator':58} {'seeds×items':10} {'share %: ours, MOA, Δ ±se':26}   ", end="")
    print(f"{'NaiveBayes %: ours, MOA, Δ ±se':36} features")
    started, all_fit = perf_counter(), True
    for row in chosen:
        line, fits = compared(row)
        print(line, flush=True)
        all_fit = all_fit and fits
    verdict = "all within bounds" if all_fit else "NOT all within bounds"
    print(f"{len(chosen)} rows in {perf_counter() - started:.0f} s: {verdict}")
    return 0 if all_fit else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
