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
from streamgauge import learners, measure, run, streams
from streamgauge.comparisons import Scores, bayesian_signed_rank_test
from streamgauge.late import askings, bins, costs, minds
from streamgauge.log import Log, read_log
from streamgauge.protocols import Chunks, Delayed, Prequential, Reevaluating
from streamgauge.report.derived import baselines

HOUSE = Path(streamgauge.__file__).parent
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
    for table in (log.said(), log.true(), log.taught(), log.pairs()):
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
            for binning in ("displayed", "program"):
                yield {"bins": bins(kept, "accuracy", 4, binning=binning).value}
            yield columns_of([costs(kept)])
            yield columns_of([minds(kept)])
            yield columns_of(askings(kept))


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
    "log.writing.FLUSH_ROWS": (prompt, late),
    "log.writing.GROUP_ROWS": (prompt, late),
    "log._previous.STRETCH": (late,),
    "log.by_number.IN_MEMORY": (late,),
    "log.reading.BATCH_ROWS": (prompt, late),
    "late.asking.ROWS": (late,),
    "late.stretches.ROWS": (prompt, late),
    "late.binning.ASKINGS": (late,),
    "measures._pass.POINTS": (prompt, late),
    "measures._pass.ROWS": (prompt, late),
    "engine.folds.PREDICT_AT_ONCE": (prompt, late),
    "engine.running.MOST_AT_ONCE": (prompt,),
    "engine.running.MOST_CELLS": (prompt,),
    "engine.interpreter.FIRST_STEP_NATIVE": (prompt,),
    "streams.text.PIECE": (read,),
    "streams.batches.BLOCK": (read,),
    "comparisons.bayesian_signed_rank.AT_ONCE": (ranked,),
}
"""A block size -> what goes through it."""

LIMITS = {
    "types.columns.NEVER": "a time",
    "types.columns.NONE": "a class",
    "late.stretches.BEGINNING": "a time",
    "log.book.SPILL_BYTES": "memory; a parameter of `Book`, and its tests set it",
    "log.arrow.VERSION": "of the format",
    "log.lateness.MOST": "items looked at, by a rule that is part of the number",
    "log.lateness.LEAST": "items a number needs",
    "log.foreign.STRANGE": "a class that is not declared",
    "log.foreign.FEW_CLASSES": "tells classes from numbers",
    "late.measuring.POINTS": "points of a curve",
    "measures._measuring.POINTS": "points of a curve",
    "report.drops.STRETCH": "part of a finding's rule",
    "report.judging.PAIRS": "pairs that are compared",
    "report.composing.MARKS": "marks in a figure",
    "report.composing.ROOM": "bytes of a page",
    "report.waiting.BINS": "bins of a figure",
    "report.waiting.POINTS": "points of a figure",
    "report.waiting.LINE": "points of a figure",
    "report.waiting.FINER": "points of a figure",
    "report.building.FINE": "points of a figure",
    "report.building.BANDED": "points of a figure",
    "report.html.DIGITS": "of a printed number",
    "comparisons._redrawing.NEARBY": "part of a method",
    "comparisons.scoring.FEW": "streams a verdict needs",
    "comparisons.wilcoxon_holm.EXACT": "streams up to which a p-value is exact",
    "comparisons.mcnemar.EXACT_BELOW": "items below which a p-value is exact",
    "comparisons.banding.LOOKED_AT": "items the block length is taken from",
    "comparisons.banding.BLOCKS_IN_WINDOW": "part of a method",
    "streams.drifting.SURE": "part of a definition",
    "streams.text.MOST_SPARSE": "columns",
    "streams._generated.SEEDS": "seeds there are",
    "streams._generated.MOST": "parameters",
    "streams.layout.MOST_VALUES": "nominal values",
    "streams.layout.MOST_INFERRED": "nominal values",
    "streams.layout.MOST_WHOLE_CLASSES": "classes",
    "streams._write_columns.ROW_GROUP_CELLS": "cells of a row group of a file",
    "streams.arff.LONGEST_LINE": "bytes of a line",
}
"""Whole numbers that are no block sizes -> what they limit."""


def test_every_whole_number_by_name_is_a_block_size_or_a_limit():
    found = set()
    for folder in sorted({name.split(".")[0] for name in (*BLOCKS, *LIMITS)}):
        for file in (HOUSE / folder).rglob("*.py"):
            module = ".".join(file.relative_to(HOUSE).with_suffix("").parts)
            here = import_module(f"streamgauge.{module}")
            for node in ast.parse(file.read_text()).body:
                names = [t.id for t in getattr(node, "targets", ()) if isinstance(t, ast.Name)]
                found |= {
                    f"{module}.{name}"
                    for name in names
                    if name.isupper() and type(getattr(here, name)) is int
                }
    assert found == BLOCKS.keys() | LIMITS.keys()


def users(block: str) -> list[str]:
    """Every module that holds the name: where it is, and where it is imported."""
    module, _, name = block.rpartition(".")
    imported = f"from streamgauge.{module} import"
    found = [f"streamgauge.{module}"]
    for file in HOUSE.rglob("*.py"):
        text = file.read_text()
        if imported in text and name in text.partition(imported)[2].split("\n\n")[0]:
            found.append("streamgauge." + ".".join(file.relative_to(HOUSE).with_suffix("").parts))
    return found


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """What comes out with the sizes as they are."""
    ways = {way for ways in BLOCKS.values() for way in ways}
    return {way: list(way(tmp_path_factory.mktemp(way.__name__))) for way in ways}


@pytest.mark.parametrize("size", [1, 2, 3])
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
