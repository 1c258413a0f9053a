"""How much is worked on at once cannot matter: every block size is set to 1, 2 and 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge
from samples.examples import examples
from streamgauge import learners, measure, run, streams
from streamgauge.comparisons import Scores, bayesian_signed_rank_test
from streamgauge.late import bins, costs, item_changes, prediction_history
from streamgauge.log import Log, read_log
from streamgauge.protocols import (
    Chunks,
    Delayed,
    Holdout,
    PeriodicHoldout,
    Prequential,
    Reevaluating,
)
from streamgauge.report.baselines import baselines

PACKAGE = Path(streamgauge.__file__).parent
ITEMS = 90


class Remembers:
    """A model in Python that predicts the class seen most often so far, the first at ties."""

    def __init__(self) -> None:
        self.seen: dict[Any, int] = {}

    def predict(self, x: Any) -> Any:
        return max(self.seen, key=lambda y: self.seen[y], default=None)

    def learn(self, x: Any, y: Any) -> None:
        self.seen[y] = self.seen.get(y, 0) + 1


def columns_of(parts: Any) -> dict[str, np.ndarray]:
    """The columns of batches of rows, each as one array."""
    held = list(parts)
    found = {}
    for field in fields(held[0]) if held else ():
        column = [getattr(part, field.name) for part in held]
        if isinstance(column[0], np.ndarray) and field.name != "starts":
            found[field.name] = np.concatenate(column)
    return found


def tables(log: Log) -> Iterator[dict[str, np.ndarray]]:
    for table in (log.predictions(), log.labels(), log.training(), log.labelled_predictions()):
        yield columns_of(table)


def numbers(log: Log) -> Iterator[dict[str, np.ndarray]]:
    """What is measured in it."""
    names = ["accuracy", "kappa", "log_loss", "auc", "p_per"]
    windows = ["whole", "sliding(7)", "tumbling(5)"]
    for every in (1, 4):
        for curve in measure(log, names, windows, every=every):
            yield {"at": curve.at, "value": curve.value}
    for derived in baselines(log).values():
        yield from tables(derived)


def prompt(folder: Path) -> Iterator[dict[str, np.ndarray]]:
    """Labels at once: from a run to its measures, from memory and from a folder."""
    stream = streams.take(streams.SEA(), ITEMS)
    for nth, protocol in enumerate((Prequential(pretrain=7), Prequential(), Chunks(size=8))):
        for learner in (learners.NaiveBayes(), Remembers()):
            yield from tables(run(stream, learner, protocol))
        run(stream, learners.NaiveBayes(), protocol, scores=True, folder=folder / str(nth))
        kept = read_log(folder / str(nth))
        yield from tables(kept)
        yield from numbers(kept)


def late(folder: Path) -> Iterator[dict[str, np.ndarray]]:
    """Labels that come later, and copies."""
    stream = streams.delay(streams.take(streams.SEA(), ITEMS), 11)
    for nth, protocol in enumerate((Delayed(), Reevaluating(every=2), Reevaluating(3, folds=2))):
        for learner in (learners.NaiveBayes(), Remembers()):
            yield from tables(run(stream, learner, protocol))
        run(stream, learners.NaiveBayes(), protocol, scores=True, folder=folder / str(nth))
        kept = read_log(folder / str(nth))
        yield from tables(kept)
        yield from numbers(kept)
        if nth:
            for binning in ("longest", "grzenda"):
                yield {"bins": bins(kept, "accuracy", 4, binning=binning).value}
            yield columns_of([costs(kept)])
            yield columns_of([item_changes(kept)])
            yield columns_of(prediction_history(kept))


def held_out(folder: Path) -> Iterator[dict[str, np.ndarray]]:
    """Test sets that are predicted again and again, fixed and refreshed."""
    stream = streams.take(streams.SEA(), ITEMS)
    for protocol in (Holdout(7, 20), PeriodicHoldout(7, 20, replace=3), PeriodicHoldout(9, 5)):
        for learner in (learners.NaiveBayes(), Remembers()):
            yield from tables(run(stream, learner, protocol))


def read(folder: Path) -> Iterator[dict[str, np.ndarray]]:
    """Files and arrays."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(17, 2)).round(3), rng.integers(0, 2, 17)
    yield columns_of(streams.from_arrays(x, y, time=np.arange(17) // 2).batches(5))
    text = "".join(f"{a},{b},{'no' if c else 'yes'}\n" for (a, b), c in zip(x, y, strict=True))
    (folder / "a.csv").write_text("a,b,y\n" + text)
    yield columns_of(streams.Csv(folder / "a.csv", target="y").batches(5))
    head = "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute y {yes,no}\n@data\n"
    (folder / "a.arff").write_text(head + text)
    yield columns_of(streams.Arff(folder / "a.arff").batches(5))
    table = pa.table({"a": x[:, 0], "b": x[:, 1], "y": y})
    pq.write_table(table, folder / "a.parquet")
    yield columns_of(streams.Parquet(folder / "a.parquet", target="y").batches(5))
    yield columns_of(streams.Arrow(table, target="y").batches(5))


def ranked(folder: Path) -> Iterator[dict[str, np.ndarray]]:
    values = np.random.default_rng(1).random((6, 2))
    table = Scores(("a", "b"), tuple("uvwxyz"), values)
    seen = bayesian_signed_rank_test(table, draws=50)
    yield {"better": seen.better, "equal": seen.equal}


BLOCKS = {
    "log._folder_writer.FLUSH_ROWS": (prompt, late),
    "log._folder_writer.GROUP_ROWS": (prompt, late),
    "log._previous.FILL_ROWS": (late,),
    "log.by_number.IN_MEMORY": (late,),
    "log._read_log.BATCH_ROWS": (prompt, late),
    "log._read_log.READ_BYTES": (prompt, late),
    "late._prediction_history.ROWS": (late,),
    "late._event_sequence.ROWS": (prompt, late),
    "late._bin_predictions.REPEATED": (late,),
    "late._bins.ROWS": (late,),
    "measures._pass.POINTS": (prompt, late),
    "measures._pass.ROWS": (prompt, late),
    "engine.folds.MAX_PREDICTIONS_PER_CALL": (prompt, late),
    "engine._run.MAX_BATCH_ITEMS": (prompt,),
    "engine._run.MAX_BATCH_CELLS": (prompt,),
    "engine.interpreter.FIRST_STEP_NATIVE": (prompt,),
    "engine.interpreter.FIRST_STEP": (prompt, late, held_out),
    "protocols._test_sets.MOST_ITEMS": (held_out,),
    "streams.text.PIECE": (read,),
    "streams.batches.BLOCK": (read,),
    "streams.batches.BLOCK_CELLS": (read,),
    "comparisons.bayesian_signed_rank.DRAWS_PER_BATCH": (ranked,),
}
"""A block size -> what goes through it."""

LIMITS = {
    "log._folder_writer.COPY_BYTES": (2**20, "bytes copied at once"),
    "engine.checkpoint.EVERY_SECONDS": (30.0, "seconds between checkpoints"),
    "types.columns.NEVER": (2**63 - 1, "a time"),
    "types.columns.NONE": (-1, "a class"),
    "log._read_log.INFINITE": (0x7FF0_0000_0000_0000, "the bits of infinity"),
    "late._event_sequence.BEFORE_ALL": (-(2**63), "a time"),
    "late._bins.POINTS": (50, "points of a curve"),
    "late._bin_predictions.MOST_BINS": (1000, "a limit of a parameter"),
    "late._costs.MOST_EVENTS": (1_000_000, "a limit of a parameter"),
    "comparisons._bands.DRAWS": (200, "the default of a parameter"),
    "comparisons._bands.MOST_CURVES": (10_000, "a limit of a parameter"),
    "comparisons._block_bootstrap.MOST_DRAWS": (1_000_000, "a limit of a parameter"),
    "comparisons._score_cells.MOST_DIGITS": (17, "a limit of a parameter"),
    "comparisons.diebold_mariano.MOST_LAGS": (1_000_000, "a limit of a parameter"),
    "diagnosis.autocorrelation.MOST_LAGS": (10_000, "a limit of a parameter"),
    "diagnosis.shuffles.MOST_SHUFFLES": (1_000, "a limit of a parameter"),
    "report.json.MOST_INDENT": (100, "a limit of a parameter"),
    "streams._drift.MOST_DRIFTS": (10_000, "a limit of a parameter"),
    "log.book.SPILL_BYTES": (2**26, "memory; a parameter of `Book`, and its tests set it"),
    "log.arrow.VERSION": (4, "of the format"),
    "log.about.LONGEST": (120, "characters of a name"),
    "log._log_differences.LONGEST": (80, "characters of a value that is shown"),
    "log.lateness.MOST": (200_000, "items looked at, by a rule that is part of the number"),
    "log.lateness.LEAST": (30, "items a number needs"),
    "log._read_predictions.UNKNOWN": (-2, "a class that is not declared"),
    "log._read_predictions.FEW_CLASSES": (50, "tells classes from numbers"),
    "log.lateness.BEYOND": (0.06, "part of a finding's rule"),
    "log.lateness.SURE": (0.001, "part of a finding's rule"),
    "measures._compute.POINTS": (2_000, "points of a curve"),
    "report.performance_drops.WINDOWS": (5, "part of a finding's rule"),
    "report.performance_drops.ALPHA": (0.05, "part of a finding's rule"),
    "report.performance_drops.LEAST_EFFECTIVE": (30, "part of a finding's rule"),
    "report.performance_drops.STEPS": (20, "part of a finding's rule"),
    "report.label_sequence.BLOCK": (50, "part of a finding's rule"),
    "report.label_sequence.LAGS": (10, "part of a finding's rule"),
    "report.label_sequence.MOST_CLASSES": (64, "classes whose pairs are counted"),
    "report.label_sequence.SPANS": (256, "spans that are counted"),
    "report.label_sequence.LEAST_EXPECTED": (5.0, "part of a finding's rule"),
    "report.label_sequence.ALPHA": (0.05, "part of a finding's rule"),
    "report.label_sequence.EACH": (0.05 / 3, "part of a finding's rule"),
    "report.label_sequence.FEW": (30, "labels a statement needs"),
    "report.label_sequence.FOUND": (0.95, "part of a finding's rule"),
    "report.label_sequence.MAX_LIMIT": (0.1, "part of a finding's rule"),
    "report.paired_tests.ALPHA": (0.05, "part of a finding's rule"),
    "report.paired_tests.SPELL": (200, "the default of a parameter"),
    "report.paired_tests.LEAST_SPELL": (10, "a limit of a parameter"),
    "report.paired_tests.LEAST_SPELLS": (20, "part of a finding's rule"),
    "report.findings.window_too_short.QUANTILE": (1.96, "part of a finding's rule"),
    "report.findings._label_repeats.REPEATS_Z": (3.0, "part of a finding's rule"),
    "diagnosis._quick_test.ALPHA": (0.05, "part of a finding's rule"),
    "diagnosis.autocorrelation.ALPHA": (0.05, "part of a finding's rule"),
    "report._verdicts.PAIRS": (66, "pairs that are compared"),
    "report._compose.MARKS": (400, "marks in a figure"),
    "report._compose.MAX_POINTS": (220_000, "points of a page"),
    "report._pending_section.BINS": (50, "bins of a figure"),
    "report._pending_section.POINTS": (40, "points of a figure"),
    "report._pending_section.LINE": (600, "points of a figure"),
    "report._pending_section.FINER": (10, "points of a figure"),
    "report._write_report.CURVE_POINTS": (10_000, "points of a figure"),
    "report._compose.BAND_POINTS": (500, "points of a figure"),
    "report.html.DIGITS": (5, "of a printed number"),
    "report.performance_drops.RECOVERED": (0.95, "part of a finding's rule"),
    "report.html.TINY": (1e-290, "of a printed number"),
    "report._verdicts.ALPHA": (0.05, "of a verdict"),
    "comparisons._checks.LEAST_SPELL": (10, "a limit of a parameter"),
    "comparisons._cohorts.SIZE": (100, "items of a cohort"),
    "comparisons._items_needed.LEAST_BATCHES": (24, "part of a method"),
    "comparisons._label_delays.LEAST": (100, "labels a note needs"),
    "comparisons._label_delays.MOST": (4096, "delays that are kept"),
    "comparisons._label_delays.MOST_CLASSES": (100, "classes whose delays are kept"),
    "comparisons._label_delays.OVERDUE": (0.02, "part of a method"),
    "comparisons.few_losses.STRETCHES": (9, "part of a method"),
    "comparisons.few_losses.OUTAGES": (3, "part of a method"),
    "comparisons.long_run.EFFECTIVE_ITEMS": (100, "effective items a verdict needs"),
    "comparisons.long_run.SPELLS": (10, "spells before the first verdict"),
    "comparisons.now.SHORTEST": (2048, "items of the shortest window"),
    "comparisons._resampled_curves.NEARBY": (8, "part of a method"),
    "comparisons._scores.MIN_STREAMS": (6, "streams a verdict needs"),
    "comparisons.wilcoxon_holm.MAX_EXACT": (50, "streams up to which a p-value is exact"),
    "comparisons.mcnemar.EXACT_BELOW": (25, "items below which a p-value is exact"),
    "comparisons._bands.BLOCK_LENGTH_LOSSES": (100_000, "items the block length is taken from"),
    "comparisons._band_factors.WHOLE_START": (2_000, "items before a time-uniform band begins"),
    "comparisons._window_dependence.BLOCKS_IN_WINDOW": (8, "part of a method"),
    "comparisons._window_dependence.CENTRED_WINDOWS": (10, "part of a method"),
    "comparisons._window_dependence.LEAST_EFFECTIVE": (16, "effective items a window needs"),
    "comparisons._window_dependence.LEAST_PER_SKEWNESS": (5, "effective items a window needs"),
    "comparisons._window_dependence.MOST_SHORTFALL": (4.0, "part of a method"),
    "comparisons._window_dependence.LONGER": (4, "part of a method"),
    "comparisons._window_dependence.MOST_GROWTH": (1.8, "growth that a warning needs"),
    "comparisons._tolerance.ROUNDING": (1e-12, "part of a definition"),
    "comparisons.ranks.RELATIVE_TOLERANCE": (1e-09, "part of a definition"),
    "streams._drift.SATURATED": (10, "part of a definition"),
    "streams.text.MAX_SPARSE_COLUMNS": (10_000, "columns"),
    "streams._generated.SEEDS": (2**64, "seeds there are"),
    "streams._generated.MAX_SIZE": (10_000, "parameters"),
    "streams.layout.MAX_VALUES": (10_000, "nominal values"),
    "streams.layout.MAX_INFERRED_VALUES": (1_000, "nominal values"),
    "streams.layout.MAX_INTEGER_CLASSES": (50, "classes"),
    "streams._write_columns.ROW_GROUP_CELLS": (2**22, "cells of a row group of a file"),
    "streams.arff.LONGEST_LINE": (2**26, "bytes of a line"),
    "streams.sigmoid.TAIL": (0.01, "part of a definition"),
    "diagnosis.findings.LEAST_CORRELATION": (0.05, "part of a finding's rule"),
    "diagnosis.findings.MOST_EFFECTIVE": (0.9, "part of a finding's rule"),
    "diagnosis.labels.MIN_STANDARD_ERRORS": (3.0, "part of a finding's rule"),
    "diagnosis.labels.MIN_DIFFERENCE": (0.01, "part of a finding's rule"),
    "streams.item_checks.MAX_WEIGHT": (1e100, "a weight"),
    "streams.arrow_columns.UNKNOWN": (-2, "the code of a value that was not declared"),
    "comparisons._scores.LARGEST": (1e300, "a score"),
    "types.times.MAX_TICKS": (2**62 - 1, "a time"),
    "types.values.EXACT_BELOW": (2**53, "whole numbers that are exact as float64"),
    "types.scores.ROUNDING": (1e-06, "part of a definition"),
    "measures._measure.MAX_BINS": (10_000, "bins"),
    "measures.mean_cost.MOST_CLASSES": (200, "a limit of a parameter"),
    "protocols._folds.MOST_FOLDS": (65_535, "folds there are numbers for"),
    "protocols.perturbed.MOST_COPIES": (10_000, "a limit of a parameter"),
    "streams._imbalance.LONGEST_SKIP": (1_000_000, "items read until one of a class is found"),
    "engine.energy.MICRO": (1e-06, "joules of a microjoule"),
    "engine.vitals.SAMPLES": (25, "samples of a run"),
    "engine.vitals.FEWEST_ITEMS": (1_000, "items between two samples"),
    "engine.vitals.UNKNOWN_LENGTH": (10_000, "items between two samples"),
    "engine.timing.LEAST_TIMED": (50, "items whose time is measured"),
    "engine.timing.MOST_TIMED": (500, "items whose time is measured"),
    "engine.timing.SHARE": (0.005, "of the time of a run, for measuring time"),
    "report._line_figure.LINE_HEIGHT": (18, "pixels of a line of a figure"),
    "report._line_figure.TICKS": (5, "ticks of an axis, about"),
    "report._stability_section.POINTS": (200, "points of a figure"),
    "report._resource_section.POINTS": (200, "points of a figure"),
    "report._resource_section.MOST_PANELS": (6, "panels of a figure"),
    "report._selection_section.WINDOW": (100, "selections of a window"),
    "report._selection_picture.LEVELS": (5, "shades of a figure"),
    "report._adaptation_section.WINDOW": (1_000, "items on each side of a drift, at most"),
    "report._adaptation_section.STEPS": (10, "steps of a window"),
    "report._adaptation_section.LEAST": (20, "items that a step needs"),
    "report._recovery_page.PER": (1_000, "items that the speed of a decline refers to"),
    "report._profile_section.LEAST_AXES": (3, "axes that a figure needs"),
    "report._profile_axes.MOST_FALSE_ALARMS": (10.0, "part of the definition of a score"),
    "report._radar_figure.LONGEST_AXIS": (36, "characters of a name that is shown"),
}
"""Numbers that are no block sizes -> their values, and what they limit. They are part of what a
result means: who changes one changes it here too."""

PACE = {
    "engine._run.VITALS_SECONDS": "between two writes of vitals",
    "engine.timing.COPY_SECONDS": "that a copy is timed, about",
    "engine._run.ENERGY_SECONDS": "between two readings of the counters of energy",
    "engine.interpreter.STEP_SECONDS": "between two looks at the clock",
    "log._folder_writer.FLUSH_SECONDS": "that a log on disk may be behind",
}
"""Seconds, which no result depends on."""


def numbers_by_name() -> dict[str, float]:
    """Every number that a module of these packages has a name in capitals for."""
    found = {}
    for folder in sorted({name.split(".")[0] for name in (*BLOCKS, *LIMITS)}):
        for file in (PACKAGE / folder).rglob("*.py"):
            module = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
            here = import_module(f"streamgauge.{module}")
            for node in ast.parse(file.read_text()).body:
                for target in getattr(node, "targets", ()):
                    if isinstance(target, ast.Name) and target.id.isupper():
                        value = getattr(here, target.id)
                        if type(value) in (int, float):
                            found[f"{module}.{target.id}"] = value
    return found


def test_every_constant_is_a_block_size_or_has_its_documented_value():
    found = numbers_by_name()
    assert found.keys() == BLOCKS.keys() | LIMITS.keys() | PACE.keys()
    assert {name: found[name] for name in LIMITS} == {n: value for n, (value, _) in LIMITS.items()}


def users(block: str) -> list[str]:
    """Every module that holds the name: where it is, and where it is imported."""
    module, _, name = block.rpartition(".")
    imported = f"from streamgauge.{module} import"
    found = [f"streamgauge.{module}"]
    for file in PACKAGE.rglob("*.py"):
        text = file.read_text()
        if imported in text and name in text.partition(imported)[2].split("\n\n")[0]:
            found.append("streamgauge." + ".".join(file.relative_to(PACKAGE).with_suffix("").parts))
    return found


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """What comes out with the sizes as they are."""
    ways = {way for ways in BLOCKS.values() for way in ways}
    return {way: list(way(tmp_path_factory.mktemp(way.__name__))) for way in ways}


@pytest.mark.parametrize("size", range(1, 1 + examples(3)))
@pytest.mark.parametrize("block", BLOCKS)
def test_a_small_block_changes_nothing(block, size, usual, tmp_path, monkeypatch):
    for user in users(block):
        monkeypatch.setattr(f"{user}.{block.rpartition('.')[2]}", size)
    for way in BLOCKS[block]:
        folder = tmp_path / way.__name__
        folder.mkdir()
        again = list(way(folder))
        assert len(again) == len(usual[way])
        for before, after in zip(usual[way], again, strict=True):
            assert before.keys() == after.keys()
            for name, column in before.items():
                np.testing.assert_array_equal(after[name], column, err_msg=name)
