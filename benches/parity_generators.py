"""Generators compared with MOA's: class shares, accuracy of NaiveBayes, and features.

Each row is one generator with equal parameters and many seeds on both sides. Averages over the
seeds are compared, because one tree or one set of centroids shows little about their distribution,
and the random sequences differ from MOA's. Where the concept itself is drawn, class codes are
arbitrary; there the shares are those of the largest class, the second largest, and so on. The same
NaiveBayes is run test-then-train on both. Cells are: ours / MOA's, difference ± its standard error;
for features, the largest difference of means in units of their standard deviation.

For regression streams the mean and the standard deviation of the target are compared instead, in
units of its standard deviation, with MOA's regression on a hyperplane (HyperDistance) and river's
(Friedman).

Exit code 1 if class shares differ by more than 1 point, accuracy by more than 1.5 points, or the
mean of a feature by more than 5 standard errors and 1 % of its standard deviation.

    python benches/parity_generators.py [--write] [words of a row's name …]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import jvm
import numpy as np
from numpy.typing import NDArray
from parity_table import Row, options, show
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
"""The tolerances: class shares, accuracy; for features both of the last two."""

HEAD = {
    "generator": -58,
    "seeds × items": 13,
    "the class that differs most, %": 34,
    "accuracy of NaiveBayes, %": 34,
    "features": 8,
}
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """One comparison: our stream and the other side's, by seed."""

    ours: Callable[[int], Stream]
    theirs: str | Callable[[int], Iterator[tuple[dict[int, float], float]]]
    seeds: int = 50
    items: int = 4000
    drawn: bool = False
    """Whether the concept is drawn by the seed, so that class codes are arbitrary."""
    power: int = 0
    """The target is the weighted sum to this power; MOA's is 100 times the sum."""


def pairs() -> list[Pair]:
    """Every generator with MOA's parameters; random structure gets many seeds."""
    found = []
    many = (800, 2000, True)
    for f in range(1, 5):
        found.append(Pair(lambda s, f=f: SEA(f), f"SEAGenerator -f {f} -i {{s}}"))
    found.append(Pair(lambda s: SEA(1, 0.25, True), "SEAGenerator -f 1 -p 25 -b -i {s}"))
    for f in range(1, 11):
        found.append(Pair(lambda s, f=f: Agrawal(f), f"AgrawalGenerator -f {f} -i {{s}}"))
    found.append(Pair(lambda s: Agrawal(7, 0.2, True), "AgrawalGenerator -f 7 -p 0.2 -b -i {s}"))
    found += [
        Pair(lambda s: LED(), "LEDGenerator -i {s}"),
        Pair(lambda s: LED(0.2, irrelevant=False), "LEDGenerator -n 20 -s -i {s}"),
        Pair(lambda s: LED(drifting=4), "LEDGeneratorDrift -d 4 -i {s}"),
        Pair(lambda s: Hyperplane(), "HyperplaneGenerator -i {s}", 300, 2000),
        Pair(
            lambda s: Hyperplane(5, drifting=5, magnitude=0.01, noise=0.1),
            "HyperplaneGenerator -a 5 -k 5 -t 0.01 -n 10 -i {s}",
            300,
            2000,
        ),
        Pair(lambda s: RandomTree(model_seed=s), "RandomTreeGenerator -r {s} -i {s}", *many),
        Pair(
            lambda s: RandomTree(5, 0, 4, max_depth=7, model_seed=s),
            "RandomTreeGenerator -c 5 -o 0 -u 4 -d 7 -r {s} -i {s}",
            *many,
        ),
        Pair(lambda s: RandomRBF(model_seed=s), "RandomRBFGenerator -r {s} -i {s}", *many),
        Pair(
            lambda s: RandomRBF(4, 5, 20, 10, 0.002, model_seed=s),
            "RandomRBFGeneratorDrift -c 4 -a 5 -n 20 -k 10 -s 0.002 -r {s} -i {s}",
            *many,
        ),
        Pair(lambda s: Waveform(), "WaveformGenerator -i {s}"),
        Pair(lambda s: Waveform(True), "WaveformGenerator -n -i {s}"),
        Pair(lambda s: Waveform(True, 10), "WaveformGeneratorDrift -n -d 10 -i {s}", 200, 2000),
    ]
    for f in range(1, 5):
        found.append(Pair(lambda s, f=f: Sine(f), f"SineGenerator -f {f} -i {{s}}"))
    found.append(Pair(lambda s: Sine(1, False, True), "SineGenerator -f 1 -s -b -i {s}"))
    for f in range(1, 4):
        found.append(Pair(lambda s, f=f: Stagger(f), f"STAGGERGenerator -f {f} -i {{s}}"))
    for f in (1, 2):
        found.append(Pair(lambda s, f=f: Mixed(f), f"MixedGenerator -f {f} -i {{s}}"))
    inside = "-s (generators.SEAGenerator -f 3 -i {s}) -d (generators.SEAGenerator -f 4 -i 1{s})"
    found += [
        Pair(
            lambda s: drift(SEA(3), SEA(4), at=2499),
            f"moa.streams.ConceptDriftStream {inside} -p 2500 -w 1 -r {{s}}",
        ),
        Pair(
            lambda s: drift(SEA(3), SEA(4), at=2499, width=1000),
            f"moa.streams.ConceptDriftStream {inside} -p 2500 -w 1000 -r {{s}}",
        ),
        Pair(
            lambda s: HyperDistance(),
            "HyperplaneGeneratorForRegression -a 4 -n 0 -i {s}",
            2000,
            500,
            power=1,
        ),
        Pair(
            lambda s: HyperDistance("cubic"),
            "HyperplaneGeneratorForRegression -a 4 -n 0 -i {s}",
            2000,
            500,
            power=3,
        ),
        Pair(lambda s: Friedman(), lambda s: iter(synth.Friedman(seed=s)), 20, 2000),
        Pair(
            lambda s: Friedman(expansion=3),
            lambda s: iter(synth.FriedmanDrift("lea", position=(-2, -1, 0), seed=s)),
            20,
            2000,
        ),
        Pair(
            lambda s: Friedman((3, 5, 1, 0, 2)),
            lambda s: iter(synth.FriedmanDrift("gra", position=(0, 10**9), seed=s)),
            20,
            2000,
        ),
    ]
    return found


def ours(pair: Pair, seed: int) -> tuple[Array, Array]:
    """Rows and labels of our stream; a drawn concept has the same seed."""
    batch = next(pair.ours(seed).batches(pair.items, seed))
    return batch.x, batch.label.astype(np.float64)


def theirs(pair: Pair) -> Iterator[tuple[Array, Array]]:
    """The same of the other side, per seed."""
    schema = pair.ours(1).schema
    if not isinstance(pair.theirs, str):
        for seed in range(1, pair.seeds + 1):
            pairs = list(islice(pair.theirs(seed), pair.items))
            yield np.array([list(x.values()) for x, _ in pairs]), np.array([y for _, y in pairs])
        return
    command = pair.theirs if pair.theirs.startswith("moa.") else f"generators.{pair.theirs}"
    lines = "\n".join(command.format(s=spread(seed)) for seed in range(1, pair.seeds + 1))
    width = len(schema.features) + 1
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "items"
        [header] = jvm.run("Items", file, pair.items, stdin=lines)
        check_header(schema, header)
        for seed in range(pair.seeds):
            offset = seed * pair.items * width * 8
            items = np.fromfile(file, "<f8", pair.items * width, offset=offset)
            table = items.reshape(pair.items, width)
            label = table[:, -1]
            if pair.power:
                label = (label / 100) ** pair.power
            yield np.ascontiguousarray(table[:, :-1]), label


def spread(seed: int) -> int:
    """A seed for Java, whose Random starts almost equally for all small seeds (0.73…)."""
    return child(seed, "MOA") % 10**9 + 10**6


def check_header(schema: Schema, header: dict[str, str]) -> None:
    """Check that names, values and classes equal MOA's, in the same order."""
    *features, (target, classes) = header.items()
    expected = [(f.name, ",".join(map(str, f.values or ()))) for f in schema.features]
    if features != expected or (target, classes) != (schema.target, ",".join(schema.classes or ())):
        sys.exit(f"headers differ: ours {expected} {schema.classes}, MOA's {header}")


def accuracy(schema: Schema, x: Array, label: Array) -> float:
    """The test-then-train accuracy of NaiveBayes."""
    codes = label.astype(np.int32)
    return float((NaiveBayes().bind(schema).test_then_train(0, x, codes) == codes).mean())


def summary(pair: Pair, x: Array, label: Array) -> tuple[Array, float, Array]:
    """Class shares (or moments of the target), accuracy, and the means of the features."""
    schema = pair.ours(1).schema
    if schema.classes is None:
        return np.array([label.mean(), label.std()]), float("nan"), x.mean(0)
    shares = np.bincount(label.astype(int), minlength=len(schema.classes)) / len(label)
    shares = np.sort(shares)[::-1] if pair.drawn else shares
    return shares, accuracy(schema, x, label), x.mean(0)


def both_sides(what: str, a: float, b: float, error: float, digits: int = 2) -> str:
    """Ours, theirs, the difference and its standard error."""
    return f"{what} {a:.{digits}f} / {b:.{digits}f}, {a - b:+.{digits}f} ± {error:.{digits}f}"


def compared(pair: Pair) -> Row:
    """The row of a generator."""
    schema = pair.ours(1).schema
    mine = [summary(pair, *ours(pair, seed)) for seed in range(1, pair.seeds + 1)]
    other, spreads = [], []
    for x, label in theirs(pair):
        other.append(summary(pair, x, label))
        spreads.append(np.append(x.std(0), label.std()))
    wide = np.maximum(np.mean(spreads, axis=0), 1e-12)
    parts = []
    for nth in range(3):
        a, b = (np.array([one[nth] for one in side]) for side in (mine, other))
        error = np.sqrt((a.var(0, ddof=1) + b.var(0, ddof=1)) / pair.seeds)
        parts.append((a.mean(0), b.mean(0), np.maximum(error, 1e-12)))
    (share, their_share, share_error), (acc, their_acc, acc_error), features = parts
    away = np.abs(features[0] - features[1])
    off = (away / features[2] > ERRORS) & (away / wide[:-1] > SPREAD)
    if schema.classes is None:
        gap = np.abs(share - their_share) / wide[-1]
        fits = bool(((gap < SPREAD) | (np.abs(share - their_share) < 4 * share_error)).all())
        moments = zip(("mean", "spread"), share, their_share, share_error, strict=True)
        cells = [both_sides(word, *numbers, 4) for word, *numbers in moments]
    else:
        worst = int(np.abs(share - their_share).argmax())
        fits = abs(share[worst] - their_share[worst]) <= SHARES
        fits = fits and abs(acc - their_acc) <= ACCURACY
        most = (100 * of[worst] for of in (share, their_share, share_error))
        cells = [
            both_sides("share", *most),
            both_sides("NB", 100 * acc, 100 * their_acc, 100 * acc_error),
        ]
    fits = fits and not off.any()
    name = pair.ours(1).name.replace("model_seed=1", "").replace(", )", ")").replace("()", "")
    furthest = f"{float((away / wide[:-1]).max()):.4f}"
    return Row((name[:58], f"{pair.seeds} × {pair.items:,}", *cells, furthest), fits)


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("word", nargs="*", help="of the names of the rows (all rows)")
    given = parser.parse_args()
    named = [(pair, pair.ours(1).name.lower()) for pair in pairs()]
    chosen = (pair for pair, name in named if all(w.lower() in name for w in given.word))
    sys.exit(show("Generators", __doc__, HEAD, map(compared, chosen), given))
