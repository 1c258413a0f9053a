"""From a file on disk, or arrays, to finished curves, compared with CapyMOA as shipped.

`python benches/bench_end_to_end.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from capymoa.classifier import NaiveBayes
from capymoa.evaluation import ClassificationEvaluator, prequential_evaluation
from capymoa.evaluation import evaluation as capymoa_evaluation
from capymoa.stream import ARFFStream, CSVStream, NumpyStream
from results import rate, table, write_section

import streamgauge as sg

ROUNDS, THEIR_ROUNDS = 7, 3
FORMS = ("ARFF", "CSV", "NumPy")
GOALS = {"rbf8": (10, 10, 60), "rbf54": (5, 5, 60)}
FURTHEST = 0.005
"""The largest difference of accuracies for which speeds are compared."""


@dataclass(frozen=True)
class Data:
    """The same rows as two files and as arrays."""

    name: str
    x: np.ndarray
    y: np.ndarray
    classes: tuple[str, ...]
    arff: Path
    csv: Path


@dataclass(frozen=True)
class Done:
    """One whole evaluation."""

    seconds: float
    items: int
    accuracy: float


def made(name: str, items: int, attributes: int, classes: int, folder: Path) -> Data:
    """Generate the rows and write both files, with all digits."""
    stream = sg.streams.RandomRBF(classes=classes, attributes=attributes, seed=1, items=items)
    batches = list(stream.batches())
    x = np.concatenate([batch.x for batch in batches])
    y = np.concatenate([batch.label for batch in batches])
    names = tuple(f"class{c + 1}" for c in range(classes))
    rows = "".join(
        f"{','.join(map(repr, values))},{names[label]}\n"
        for values, label in zip(x.tolist(), y.tolist(), strict=True)
    )
    columns = [f"a{i}" for i in range(attributes)]
    data = Data(name, x, y, names, folder / f"{name}.arff", folder / f"{name}.csv")
    header = "".join(f"@attribute {column} numeric\n" for column in columns)
    data.arff.write_text(
        f"@relation {name}\n{header}@attribute class {{{','.join(names)}}}\n@data\n{rows}"
    )
    data.csv.write_text(f"{','.join(columns)},class\n{rows}")
    return data


def ours(data: Data, form: str) -> Done:
    """Open, scan, parse, run, and the 12 curves; CPU time of the whole process."""
    began = time.process_time()
    stream = (
        sg.streams.from_arrays(data.x, data.y)
        if form == "NumPy"
        else sg.streams.open_stream(data.arff if form == "ARFF" else data.csv, target="class")
    )
    log = sg.run(stream, sg.learners.NaiveBayes())
    curves = sg.measure(
        log,
        ["accuracy", "kappa", "kappa_temporal", "kappa_plus"],
        [sg.Whole(), sg.Sliding(1000), sg.Fading(0.999)],
    )
    seconds = time.process_time() - began
    return Done(seconds, log.label_count(), curves[0].final)


def theirs(data: Data, form: str) -> Done:
    """`prequential_evaluation` in a running JVM; its compiler and collector are not counted."""
    began = time.thread_time()
    if form == "NumPy":
        stream = NumpyStream(data.x, data.y)
    elif form == "ARFF":
        stream = ARFFStream(data.arff)
    else:
        stream = CSVStream(
            data.csv, "class", categories={"class": data.classes}, length=len(data.y)
        )
    results = prequential_evaluation(stream, NaiveBayes(schema=stream.get_schema()))
    accuracy = results.cumulative.accuracy() / 100
    items = int(results.cumulative.metrics_dict()["instances"])
    return Done(time.thread_time() - began, items, accuracy)


class WithoutAUC(ClassificationEvaluator):
    """CapyMOA's evaluator without the option that makes it quadratic on two classes."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        evaluator = self.moa_basic_evaluator
        evaluator.rocAucOption.unset()
        evaluator.prepareForUse()


@contextmanager
def no_auc() -> Iterator[None]:
    """Replace CapyMOA's evaluator, which has no public option for this, within a context."""
    shipped = capymoa_evaluation.ClassificationEvaluator
    capymoa_evaluation.ClassificationEvaluator = WithoutAUC
    try:
        yield
    finally:
        capymoa_evaluation.ClassificationEvaluator = shipped


def best(runs: list[Done]) -> Done:
    return min(runs, key=lambda run: run.seconds)


def compared(data: Data, form: str, goal: int) -> tuple[str, ...]:
    """Both sides interleaved; the best of each."""
    here, there, bare = [], [], []
    work: Callable[[], Done] = partial(ours, data, form)
    for round_ in range(ROUNDS):
        gc.collect()
        here.append(work())
        if round_ < THEIR_ROUNDS:
            there.append(theirs(data, form))
            with no_auc():
                bare.append(theirs(data, form))
    mine, shipped, without = best(here), best(there), best(bare)
    for other in (shipped, without):
        if mine.items != other.items or abs(mine.accuracy - other.accuracy) > FURTHEST:
            raise SystemExit(f"{data.name} {form}: ours {mine} differs from {other}")
    return (
        data.name,
        form,
        f"{mine.items:,}",
        rate(mine.items / mine.seconds),
        rate(shipped.items / shipped.seconds),
        rate(without.items / without.seconds),
        f"{shipped.seconds / mine.seconds:.1f} (≥ {goal})",
        f"{without.seconds / mine.seconds:.1f}",
        f"{mine.accuracy:.4f}",
        f"{shipped.accuracy:.4f}",
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=100_000)
    given = options.parse_args()
    lines = []
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        for name, attributes, classes in (("rbf8", 8, 2), ("rbf54", 54, 7)):
            data = made(name, given.items, attributes, classes, Path(folder))
            lines += [
                compared(data, form, goal) for form, goal in zip(FORMS, GOALS[name], strict=True)
            ]
    head = (
        "data",
        "from",
        "items",
        "ours, items/s",
        "CapyMOA's",
        "CapyMOA's, AUC off",
        "ratio (goal)",
        "ratio, AUC off",
        "our accuracy",
        "their accuracy",
    )
    text = f"""## From a file to finished curves

NaiveBayes on RandomRBF (rbf8: 8 features, 2 classes; rbf54: 54 features, 7 classes), numbers
written with all digits. Ours: open, scan for types, parse, run, 12 curves. CapyMOA:
`prequential_evaluation` with ARFFStream, CSVStream or NumpyStream, as shipped, in a running JVM;
only ARFFStream uses its in-JVM loop. Interleaved; ours the best of {ROUNDS} by the CPU time of the
whole process, CapyMOA's the best of {THEIR_ROUNDS} by that of the calling thread, so that the JVM's
compiler and collector are not counted. As shipped CapyMOA computes AUC, whose time on two classes
grows with the square of the stream (still small at this length); it has no option to disable it, so
its evaluator is patched for the column without AUC.

{table(head, lines)}
"""
    print(text)
    if given.write:
        write_section("end_to_end", text)


if __name__ == "__main__":
    main()
