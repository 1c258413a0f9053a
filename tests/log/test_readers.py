"""Laws of whatever reads a log: it honours `fold`, its options, and no block size shows."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from samples.examples import examples
from streamgauge.comparisons._bands import bands
from streamgauge.diagnosis.autocorrelation import error_autocorrelation
from streamgauge.late._labels_before import labels_before
from streamgauge.log import Alarms, Log, one_fold
from streamgauge.log.lateness import delays, lateness
from streamgauge.log.places import label_numbers
from streamgauge.log.rows import Labels, Predictions, TableRows, Training
from streamgauge.log.table import InMemory
from streamgauge.log.vitals import Vitals
from streamgauge.measures._compute import matrix
from streamgauge.protocols import Delayed, Reevaluating
from streamgauge.report import build
from streamgauge.summaries.confusion import confusion_matrix

LEARNERS = (
    sg.learners.Resetting(sg.learners.NaiveBayes(), sg.detectors.RandomAlarms(0.1, warm_start=5)),
    sg.learners.MajorityClass(),
)
PROTOCOLS = {
    "in order": Delayed(folds=2, split="split"),
    "bootstrap": Reevaluating(2, folds=2, split="bootstrap"),
    "again": Reevaluating(3, folds=2),
}


def stream(ordered: bool, rows: int = 240) -> sg.streams.Arrays:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(rows, 2))
    label = np.where(rng.random(rows) < 0.9, x[:, 0] > 0, x[:, 1] > 0).astype(float)
    label[rng.random(rows) < 0.05] = np.nan
    time = np.arange(rows) // 2
    late = 4 if ordered else rng.integers(0, 20, rows)
    return sg.streams.from_arrays(x, label, time=time, label_time=time + late, classes=(0.0, 1.0))


@pytest.fixture(scope="module", params=list(PROTOCOLS))
def logs(request: pytest.FixtureRequest) -> tuple[Log, Log]:
    a, b = (
        sg.run(stream(request.param == "in order"), one, PROTOCOLS[request.param], scores=True)
        for one in LEARNERS
    )
    return a, b


def cut(log: Log, fold: int | None) -> Log:
    """The log with the rows of one copy, cut by hand."""
    if fold is None:
        return log
    made, true = (
        Predictions.concatenate(list(log.predictions())),
        Labels.concatenate(list(log.labels())),
    )
    learned = Training.concatenate(list(log.training()))
    signals = [
        (int(i), d, k)
        for i, f, d, k in zip(
            log.alarms().item, log.alarms().fold, log.alarms().detector, log.alarms().kind,
            strict=True,
        )
        if f == fold
    ]  # fmt: skip
    rows = TableRows(
        Predictions(*(getattr(made, f.name)[made.fold == fold] for f in fields(made))),
        true,
        Training(*(getattr(learned, f.name)[learned.fold == fold] for f in fields(learned))),
    )
    facts, kept = log.vitals(), np.flatnonzero(log.vitals().fold == fold)
    names = tuple(facts.name[i] for i in kept)
    sampled = Vitals(facts.item[kept], facts.fold[kept], names, facts.value[kept])
    sides = [Alarms.of(signals, fold), sampled]
    held = InMemory([rows], log.tables.labels_in_order, sides)
    return replace(log, tables=held, about={**log.about, "folds": "1", "fold": str(fold)})


def same(one: Any, other: Any) -> None:
    """Equal, column by column; NaN equals NaN."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
    elif is_dataclass(one):
        for f in fields(one):
            same(getattr(one, f.name), getattr(other, f.name))
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for key in one:
            same(one[key], other[key])
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for x, y in zip(one, other, strict=True):
            same(x, y)
    elif isinstance(one, float):  # a sum over batches: its last bit may depend on the cuts
        np.testing.assert_allclose(one, other, rtol=1e-14)
    else:
        np.testing.assert_equal(one, other)


MEASURES = [m for m, able in matrix().items() if able["sliding"]]
CLASSES = [m for m in MEASURES if sg.names.make("measure", m).task == "classification"]
PREDICTIONS = [m for m in CLASSES if sg.names.make("measure", m).summary == "confusion"]
ALL = ["whole", "sliding(7)", "tumbling(5)"]

READERS: dict[str, Callable[..., Any]] = {
    "measure": lambda a, _, **how: list(sg.measure(a, CLASSES, ALL, **how)),
    "compare": lambda a, b, **how: sg.compare(a, b, **how),
    "bands": lambda a, _, **how: bands(a, "accuracy", draws=5, **how),
    "confusion_matrix": lambda a, _, **how: confusion_matrix(a, **how),
    "error_autocorrelation": lambda a, _, **how: error_autocorrelation(a, 3, **how),
    "adaptation": lambda a, _, **how: sg.adaptation(a, "error", 40, batch=10, drifts=[60], **how),
    "detect": lambda a, _, **how: sg.detect(a, "page_hinkley(threshold=0.5)", **how),
}
"""Every public function that reads a log, with two logs and `fold`."""

LATE: dict[str, Callable[..., Any]] = {
    "bins": lambda a, _, **how: sg.late.bins(a, "kappa_temporal", 4, every=3, **how),
    "bins, grzenda": lambda a, _, **how: sg.late.bins(a, n_bins=3, binning="grzenda", **how),
    "costs": lambda a, _, **how: sg.late.costs(a, **how),
    "item_changes": lambda a, _, **how: sg.late.item_changes(a, **how),
    "change_summary": lambda a, _, **how: sg.late.change_summary(a, **how),
    "prediction_history": lambda a, _, **how: list(sg.late.prediction_history(a, **how)),
    "at_bin": lambda a, _, **how: list(
        sg.measure(sg.late.at_bin(a, 2, 3, **how), PREDICTIONS, ALL)
    ),
    "compare_bins": lambda a, b, **how: sg.late.compare_bins(a, b, [0, 2, 4], 3, **how),
}
"""The same of logs of `Reevaluating`."""

ONE_COPY: dict[str, Callable[..., Any]] = {
    "lateness": lambda a, _: lateness(a),
    "delays": lambda a, _: delays(a),
    "labels_before": lambda a, _: labels_before(a, [0, 20, 120, 999]),
    "label_numbers": lambda a, _: label_numbers(a, np.array([3, 20, 50])),
    "build": lambda a, b: build([a, b]),
    "profile": lambda a, b: sg.profile([a, b]),
    "compare_all": lambda a, b: sg.comparisons.compare_all({"a": a, "b": b}),
    "scores": lambda a, b: sg.comparisons.scores([a, b]),
}
"""Functions without `fold`: they take the log of one copy (`one_fold`)."""


def is_late(log: Log) -> bool:
    return log.about.get("predicts_last") == "True"


@pytest.mark.parametrize("fold", [None, 0, 1])
@pytest.mark.parametrize("name", [*READERS, *LATE])
def test_a_reader_with_a_fold_equals_one_of_rows_selected_by_hand(logs, name, fold):
    if name in LATE and not is_late(logs[0]):
        return
    reader = (READERS | LATE)[name]
    if name == "detect" and fold is None:
        fold = 0  # a detector watches one copy
    same(reader(*logs, fold=fold), reader(*(cut(log, fold) for log in logs), **keep(name, fold)))


def keep(name: str, fold: int | None) -> dict[str, Any]:
    """`detect` states the fold of its alarms."""
    return {"fold": fold} if name == "detect" else {}


@pytest.mark.parametrize("fold", [0, 1])
@pytest.mark.parametrize("name", [*ONE_COPY, *READERS, *LATE])
def test_the_log_of_one_fold_equals_rows_selected_by_hand(logs, name, fold):
    if name in LATE and not is_late(logs[0]):
        return
    reader = (ONE_COPY | READERS | LATE)[name]
    mine, by_hand = ([f(log, fold) for log in logs] for f in (one_fold, cut))
    same(reader(*mine, **keep(name, fold)), reader(*by_hand, **keep(name, fold)))


def test_folds_differ_so_that_an_ignored_fold_is_detected(logs):
    for name, reader in (READERS | (LATE if is_late(logs[0]) else {})).items():
        first, second = (reader(*logs, fold=fold) for fold in (0, 1))
        with pytest.raises(AssertionError):
            same((name, first), (name, second))


def test_every_public_reader_of_a_log_is_in_the_tables():
    known = {name.partition(",")[0] for name in (*READERS, *LATE, *ONE_COPY)}
    written = {
        "one_fold": "cuts the log itself",
        "folds_of": "the folds that are there",
        "stability": "reads copies with noise: tests/properties/test_stability.py has its folds",
        "write_report": "build, written to a file",
        "compare_many": "takes what scores gives",
        "shuffle_and_rank": "reads measure and nothing else",
        "in_order": "reads lateness and nothing else",
        "mean_over_bins": "takes bins",
    }
    families = ("", ".late", ".comparisons", ".diagnosis", ".report", ".log", ".summaries")
    found = {}
    for family in families:
        module = import_module("streamgauge" + family)
        for name in dir(module):
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                hints = [str(p.annotation) for p in inspect.signature(thing).parameters.values()]
                if any("Log" in hint.replace("LogError", "") for hint in hints):
                    found[thing.__name__] = family
    assert {"measure", "compare", "bins", "build"} <= set(found)
    assert set(found) <= known | set(written)


@pytest.mark.parametrize("every", [2, 3, 7, 1000])
@pytest.mark.parametrize("name", ["measure", "bands", "compare", "bins", "costs"])
def test_fewer_points_are_some_of_all_points(logs, name, every):
    """A point after every so many labels (events), and one after the last."""
    if name in LATE and not is_late(logs[0]):
        return

    def curves(step: int) -> list[tuple[np.ndarray, np.ndarray]]:
        if name == "compare":
            by_fold = sg.compare(*logs, every=step).verdicts
            made = [curve for verdict in by_fold for curve in verdict.curves]
        elif name == "costs":
            made = sg.late.costs(logs[0], every=step).curves()
        elif name == "bins":
            made = [sg.late.bins(logs[0], n_bins=3, every=step).curve(b) for b in range(5)]
        elif name == "bands":
            made = [bands(logs[0], "accuracy", draws=5, block=4, every=step)]
        else:
            made = sg.measure(logs[0], ["accuracy", "kappa"], ["whole", "sliding(9)"], every=step)
        return [(curve.at, curve.value) for curve in made]

    for (at, value), (few, some) in zip(curves(1), curves(every), strict=True):
        rows = [n for n in range(len(at)) if (n + 1) % every == 0 or n + 1 == len(at)]
        np.testing.assert_array_equal(few, at[rows])
        np.testing.assert_allclose(some, value[rows], rtol=1e-11, atol=1e-12)


def test_a_skipped_item_keeps_its_position_and_does_not_count(logs):
    label, prediction = (
        np.concatenate([getattr(p, c) for p in logs[0].labelled_predictions()])
        for c in ("label", "prediction")
    )
    abstained = (np.arange(len(label)) % 5 == 0) | (prediction < 0)
    made = np.where(abstained, -1, prediction).astype(np.int32)
    log = sg.log.from_columns(logs[0].schema, label, made)
    curve = sg.measure(log, "accuracy", "sliding(10)", every=1, cold_start="skip")
    for n in range(1, len(label) + 1):
        rows = [i for i in range(max(0, n - 10), n) if not abstained[i]]
        right = np.mean([label[i] == made[i] for i in rows]) if rows else np.nan
        np.testing.assert_allclose(curve.value[n - 1], right)
    matrix = confusion_matrix(log)
    assert matrix[:, -1].sum() == abstained.sum()
    kept = sg.log.from_columns(logs[0].schema, label[~abstained], made[~abstained])
    both = (sg.detect(one, "ddm", cold_start="skip") for one in (log, kept))
    items = np.flatnonzero(~abstained)
    found, expected = both
    assert found.alarms.tolist() == items[expected.alarms].tolist()


BLOCKS = [
    ("streamgauge.late._prediction_history", "ROWS"),
    ("streamgauge.late._bin_predictions", "REPEATED"),
    ("streamgauge.late._bins", "ROWS"),
    ("streamgauge.late._event_sequence", "ROWS"),
    ("streamgauge.log._previous", "FILL_ROWS"),
    ("streamgauge.log.by_number", "IN_MEMORY"),
    ("streamgauge.log._read_log", "BATCH_ROWS"),
    ("streamgauge.log._read_log", "READ_BYTES"),
    ("streamgauge.measures._pass", "POINTS"),
    ("streamgauge.measures._pass", "ROWS"),
]
"""Every number of rows, labels or points that is worked on at once."""

WRITTEN = [
    ("streamgauge.log._folder_writer", "GROUP_ROWS"),
    ("streamgauge.log._folder_writer", "FLUSH_ROWS"),
]
"""The same of writing a log."""

UNBLOCKED = {
    ("streamgauge.log._folder_writer", "FLUSH_SECONDS"): "a time",
    ("streamgauge.log._folder_writer", "COPY_BYTES"): "bytes of a file that are copied as they are",
    ("streamgauge.log._read_predictions", "FEW_CLASSES"): "a level of a guess",
    ("streamgauge.late._bins", "POINTS"): "a default of every",
    ("streamgauge.late._bin_predictions", "MOST_BINS"): "a limit of a parameter",
    ("streamgauge.late._costs", "MOST_EVENTS"): "a limit of a parameter",
    ("streamgauge.measures._compute", "POINTS"): "a default of every",
    ("streamgauge.measures._measure", "MAX_BINS"): "a limit of a parameter",
    ("streamgauge.measures.mean_cost", "MOST_CLASSES"): "a limit of a parameter",
    ("streamgauge.log.lateness", "MOST"): "the size of a sample",
    ("streamgauge.log.lateness", "LEAST"): "a level of a finding",
    ("streamgauge.log.lateness", "BEYOND"): "a level of a finding",
    ("streamgauge.log.lateness", "SURE"): "a level of a finding",
    ("streamgauge.log._previous", "NO_REAL"): "a bit pattern",
    ("streamgauge.log._read_log", "INFINITE"): "a bit pattern",
    ("streamgauge.log._read_predictions", "UNKNOWN"): "a class that is not declared",
    ("streamgauge.log.about", "LONGEST"): "the longest name of a learner",
    ("streamgauge.log._log_differences", "LONGEST"): "characters of a value that is shown",
    ("streamgauge.late._event_sequence", "BEFORE_ALL"): "a sentinel",
    ("streamgauge.log.rows", "PREDICTIONS_BYTES"): "the size of a row",
    ("streamgauge.log.rows", "LABELS_BYTES"): "the size of a row",
    ("streamgauge.log.rows", "TRAINING_BYTES"): "the size of a row",
    ("streamgauge.log.rows", "PERTURBED_BYTES"): "the size of a row",
    ("streamgauge.log.book", "SPILL_BYTES"): "an argument of Book, set in tests/log/test_log.py",
    ("streamgauge.log.arrow", "VERSION"): "a version",
}


def everything(a: Log, b: Log) -> list[Any]:
    late = LATE if is_late(a) else {}
    readers = (READERS | late).items()
    found = [reader(a, b, **({"fold": 0} if name == "detect" else {})) for name, reader in readers]
    return [*found, list(sg.measure(a, CLASSES, ALL, every=1, clock="predicted"))]


def written(logs: tuple[Log, Log], folder: Path) -> list[Log]:
    """The logs as folders, read back."""
    made = []
    for nth, log in enumerate(logs):
        writer = sg.log.Book(log.schema, log.about, scores=True, folder=folder / str(nth))
        for rows in log.tables.rows:
            writer.write(rows)
        writer.write_side_table(log.alarms())
        writer.close()
        made.append(sg.read_log(folder / str(nth)))
    return made


@pytest.fixture(scope="module", params=list(PROTOCOLS))
def folders(request, tmp_path_factory) -> tuple[list[Log], list[Any]]:
    """Few items: in blocks of one row each takes long."""
    items = stream(request.param == "in order", rows=80)
    protocol = PROTOCOLS[request.param]
    logs = tuple(sg.run(items, one, protocol, scores=True) for one in LEARNERS)
    return written(logs, tmp_path_factory.mktemp("logs")), everything(*logs)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_block_size_of_writing_changes_the_log(logs, tmp_path, monkeypatch, size):
    for where, what in WRITTEN:
        monkeypatch.setattr(f"{where}.{what}", size)
    for log, read in zip(logs, written(logs, tmp_path), strict=True):
        for table in ("predictions", "labels", "training"):
            one, other = (list(filter(len, getattr(x, table)())) for x in (log, read))
            same(type(one[0]).concatenate(one), type(one[0]).concatenate(other))
        same(log.alarms(), read.alarms())


@pytest.mark.parametrize("size", range(1, 1 + examples(3)))
@pytest.mark.parametrize(("module", "name"), [*BLOCKS, ("all", "of them")])
def test_no_block_size_changes_a_result(folders, monkeypatch, module, name, size):
    read, expected = folders
    for where, what in BLOCKS if module == "all" else [(module, name)]:
        monkeypatch.setattr(f"{where}.{what}", size)
    same(joined(everything(*read)), joined(expected))


def joined(found: list[Any]) -> list[Any]:
    """The same with batches of `prediction_history` as one, whose borders are of no account."""
    return [batches(one) if is_history(one) else one for one in found]


def is_history(one: Any) -> bool:
    return isinstance(one, list) and bool(one) and isinstance(one[0], sg.late.PredictionHistory)


def batches(parts: list[Any]) -> dict[str, np.ndarray]:
    names = [f.name for f in fields(parts[0]) if f.name != "starts"]
    parts = [p if p.weight is not None else replace(p, weight=np.ones(len(p))) for p in parts]
    whole = {name: np.concatenate([getattr(p, name) for p in parts]) for name in names}
    return whole | {"shown": np.concatenate([np.diff(p.starts) for p in parts])}


def test_every_constant_is_a_block_size_or_has_a_reason():
    known = {*BLOCKS, *WRITTEN, *UNBLOCKED}
    found = set()
    for family in ("log", "late", "measures"):
        for file in Path(import_module(f"streamgauge.{family}").__path__[0]).glob("*.py"):
            module = import_module(f"streamgauge.{family}.{file.stem}")
            for node in ast.parse(file.read_text()).body:
                targets = node.targets if isinstance(node, ast.Assign) else []
                names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
                found |= {
                    (module.__name__, name)
                    for name in names
                    if name.isupper() and isinstance(getattr(module, name), int | float | np.number)
                }
    assert found == known
