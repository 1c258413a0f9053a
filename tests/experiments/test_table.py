"""`sg.table` and the values that runs keep: the same numbers as the logs, from fewer files."""

from __future__ import annotations

import json
import math
import os
import shutil
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge.checksums import is_sealed, sealed
from streamgauge.errors import LogError, ParameterError
from streamgauge.experiments import Spec, run_experiment
from streamgauge.experiments import _table as module
from streamgauge.experiments._cells import cells
from streamgauge.experiments._events import read_events
from streamgauge.experiments._experiment import read_stored
from streamgauge.experiments._values import NAME, store_values
from streamgauge.log import read_log

SPEC = Spec(
    seed=3,
    repetitions=2,
    protocols=["delayed(folds=3)"],
    groups=[
        {
            "streams": ["delay(sea(items=90), 5)", "delay(sea(items=120), 5)"],
            "learners": ["nb", {"name": "last", "learner": "persistent"}],
        },
        {"streams": ["delay(friedman(items=70), 4)"], "learners": ["target_mean"]},
    ],
)
COLUMNS = ["stream", "learner", "protocol", "repetition", "fold", "measure", "window", "value"]


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "run"
    run_experiment(SPEC, folder)
    return folder


@pytest.fixture
def run(made, tmp_path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "run"))


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    """The content and the time of every file below a folder."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def recounted(folder: Path) -> list[dict[str, object]]:
    """The definition: each cell's log, each fold, measured alone."""
    rows = []
    for cell in cells(read_stored(folder)):
        log = read_log(folder / "cells" / cell.id)
        task = log.schema.task
        measures = {
            "classification": ["accuracy", "kappa", "kappa_temporal", "kappa_plus"],
            "regression": ["mae", "rmse", "r2"],
        }[task]
        folds = sorted({int(f) for part in log.predictions() for f in part.fold})
        for fold in folds:
            for measure in measures:
                for window in ("whole", "sliding(1000)", "fading(0.999)"):
                    value = sg.measure(log, measure, window, fold=fold).final
                    names = cell.source, cell.name or cell.learner, cell.protocol, cell.repetition
                    row = (*names, fold, measure, window, value)
                    rows.append(dict(zip(COLUMNS, row, strict=True)))
    return rows


def test_each_row_is_the_final_value_of_one_measure_window_and_fold_in_grid_order(made):
    found = sg.table(made)
    assert found.column_names == COLUMNS
    assert found.equals(pa.Table.from_pylist(recounted(made), schema=module.SCHEMA))
    assert found.num_rows == 2 * (4 * 3 * 4 * 3 + 3 * 3 * 3)
    assert sg.table(made, cached=False).equals(found)


def test_the_values_are_those_of_the_parquet_files_by_pandas(made):
    rows = sg.table(made, ["accuracy", "mae"], "whole").to_pandas()
    for cell in cells(read_stored(made)):
        place = made / "cells" / cell.id
        first = pd.read_parquet(place / "predictions.parquet").query("turn == 0")
        both = first.merge(pd.read_parquet(place / "labels.parquet"), on="item")
        if cell.learner == "target_mean":
            both["good"] = (both["prediction"] - both["label"]).abs()
        else:
            both["good"] = (both["prediction"] == both["label"]).astype(float)
        expected = both.groupby("fold")["good"].mean()
        own = rows[
            (rows["stream"] == cell.source)
            & (rows["learner"] == (cell.name or cell.learner))
            & (rows["repetition"] == cell.repetition)
        ]
        assert own["fold"].tolist() == expected.index.tolist() == [0, 1, 2]
        assert np.allclose(own["value"], expected)


def test_other_libraries_take_the_table(made):
    found = sg.table(made, "accuracy", "whole")
    assert pl.DataFrame(found).shape == (found.num_rows, 8)
    assert found.to_pandas()["value"].dtype == np.float64
    with duckdb.connect() as memory:
        memory.register("t", found)
        assert memory.sql("select count(*) from t").fetchall() == [(found.num_rows,)]


def test_a_cached_table_reads_no_logs_and_a_table_writes_nothing(run, monkeypatch):
    before = files(run)
    expected = sg.table(run)
    sg.table(run, "f1", "sliding(20)")
    assert files(run) == before
    monkeypatch.setattr(module, "final_values", None)
    assert sg.table(run).equals(expected)
    for path in run.rglob("*.parquet"):
        path.unlink()
    assert sg.table(run).equals(expected)


def test_values_are_equal_byte_for_byte_whatever_was_computed_before(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    grid = {"streams": ["sea(items=60)"], "learners": ["nb"]}
    run_experiment(Spec(**grid, measures=["kappa", "f1"], windows=["sliding(9)"]), one)
    for measures in (["f1"], ["kappa"], ["kappa", "f1"]):
        run_experiment(Spec(**grid, measures=measures, windows=["sliding(9)"]), other)
    (a,), (b,) = one.glob(f"cells/*/{NAME}"), other.glob(f"cells/*/{NAME}")
    assert a.read_bytes() == b.read_bytes()
    assert is_sealed(a.read_text())
    assert [e["event"] for e in read_events(other)].count("start") == 1


def test_a_changed_experiment_adds_values_and_runs_no_cell(run):
    changed = SPEC.model_copy(update={"windows": ["tumbling(30)"]})
    run_experiment(changed, run)
    assert [e["event"] for e in read_events(run)].count("start") == 10
    assert set(sg.table(run)["window"].to_pylist()) == {"whole", "tumbling(30)"}
    kept = json.loads(next(run.glob(f"cells/*/{NAME}")).read_text())["values"]
    assert {row["window"] for row in kept} == {
        "whole", "sliding(1000)", "fading(0.999)", "tumbling(30)"
    }  # fmt: skip


def test_stored_values_are_not_written_again(made, run):
    before = files(run)
    for place in sorted((run / "cells").iterdir()):
        store_values(place, read_log(place), [], [])
    assert files(run) == before


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 0.1 + 0.2, 5e-324, -0.0])
def test_every_number_survives(run, monkeypatch, value):
    place = next((run / "cells").iterdir())
    (place / NAME).unlink()
    monkeypatch.setattr(
        "streamgauge.experiments._values.final_values",
        lambda log, pairs: {(0, *pair.names): value for pair in pairs},
    )
    store_values(place, read_log(place), [], [])
    text = (place / NAME).read_text()
    json.loads(text, parse_constant=pytest.fail)  # plain JSON, for other readers
    assert any(repr(found) == repr(value) for found in sg.table(run)["value"].to_pylist())


def damage(path: Path, how: str) -> None:
    content = json.loads(path.read_text())
    del content["checksum"]
    match how:
        case "no JSON":
            path.write_text("{")
        case "no checksum":
            path.write_text(json.dumps(content))
        case "not UTF-8":
            path.write_bytes(b"\xff")
        case "a folder":
            path.unlink()
            path.mkdir()
        case "a pipe":
            path.unlink()
            os.mkfifo(path)
        case "another run":
            path.write_text(sealed({**content, "run": "0" * 16}))
        case "another table":
            path.write_text(sealed({**content, "tables": {**content["tables"], "labels": "0"}}))
        case "another version":
            path.write_text(sealed({**content, "streamgauge": "0.0.1"}))
        case "no list":
            path.write_text(sealed({**content, "values": 7}))
        case "no number":
            content["values"][0]["value"] = "many"
            path.write_text(sealed(content))
        case "true":
            content["values"][0]["value"] = True
            path.write_text(sealed(content))
        case "no text":
            content["values"][0]["measure"] = 7
            path.write_text(sealed(content))
        case "one fold less":
            content["values"] = content["values"][1:]
            path.write_text(sealed(content))
        case "twice":
            content["values"].append(content["values"][0])
            path.write_text(sealed(content))
        case _:
            path.write_text(sealed({}))


DAMAGES = [
    "no JSON", "no checksum", "not UTF-8", "a folder", "a pipe", "another run", "another table",
    "no list",
    "no number", "true", "no text", "one fold less", "twice", "nothing",
]  # fmt: skip


@pytest.mark.parametrize("how", [*DAMAGES, "another version"])
def test_wrong_values_are_named_by_verify_and_never_used(made, run, how):
    expected = sg.table(made)
    path = sorted(run.glob(f"cells/*/{NAME}"))[1]
    damage(path, how)
    assert sg.table(run).equals(expected)
    damaged = [one for one in sg.verify(run) if one.verdict == "damaged"]
    assert len(damaged) == (how != "another version")
    for one in damaged:
        assert one.wrong[0].startswith(f"{path}: must be ")
        assert one.wrong[0].endswith("; remove the file: the values are then computed again")
    if how == "a folder":
        path.rmdir()
    run_experiment(SPEC, run)
    assert path.read_bytes() == (made / path.relative_to(run)).read_bytes()
    assert all(one.verdict == "whole" for one in sg.verify(run))
    assert [e["event"] for e in read_events(run)].count("start") == 10


@pytest.mark.parametrize("change", ["value", "measure", "window", "other module"])
def test_values_that_were_changed_with_intent_are_found_by_verify(made, run, change):
    """A checksum fits any content; `verify` computes the values again, and imports nothing."""
    path = sorted(run.glob(f"cells/*/{NAME}"))[1]
    content = json.loads(path.read_text())
    del content["checksum"]
    for row in content["values"]:
        if row["measure"] == content["values"][0]["measure"] and row["window"] == "whole":
            row |= {
                "value": {"value": 0.999},
                "measure": {"measure": "f1(average='macro', beta=3)"},
                "window": {"window": "sliding(5)"},
                "other module": {"measure": "planted:Code()"},
            }[change]
    path.write_text(sealed(content))
    (found,) = [one for one in sg.verify(run) if one.verdict == "damaged"]
    assert str(path) in found.wrong[0]
    assert sg.table(run, cached=False).equals(sg.table(made))


def test_the_folder_of_a_cell_is_verified_with_its_values(run):
    place = next((run / "cells").iterdir())
    assert sg.verify(place)[0].verdict == "whole"
    (place / NAME).write_text("{}")
    assert sg.verify(place)[0].verdict == "damaged"


def test_missing_and_incomplete_cells_are_counted_in_a_warning(run):
    a, b, c, *_ = [run / "cells" / cell.id for cell in cells(read_stored(run))]
    rows = sg.table(run).num_rows
    shutil.rmtree(a)
    shutil.rmtree(b)
    card = json.loads((c / "log.json").read_text())
    del card["checksum"]
    (c / "log.json").write_text(sealed({**card, "status": "incomplete", "reason": "killed"}))
    with pytest.warns(
        UserWarning, match=r"no values of 3 of 10 cells: 2 that were not run yet"
    ) as w:
        found = sg.table(run)
    assert "and 1 whose logs are incomplete; run the experiment again" in str(w[0].message)
    assert found.num_rows == rows - 3 * 3 * 12
    a.mkdir()
    with pytest.raises(LogError, match=r"must have a log\.json, got none; run it again"):
        sg.table(run)


def test_no_log_at_all_is_an_empty_table(run):
    shutil.rmtree(run / "cells")
    with pytest.warns(UserWarning, match="no values of 10 of 10 cells"):
        assert sg.table(run).schema == module.SCHEMA


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"measures": "acuracy"}, "no measure is called 'acuracy'; did you mean 'accuracy'"),
        ({"measures": []}, "table: measures must be at least one, got"),
        ({"measures": 7}, "table: a measure must be a name, or an object of .*Measure, got 7"),
        ({"windows": 7}, "table: a window must be a name or a window, got 7"),
        ({"windows": []}, "table: windows must be at least one"),
        ({"windows": "slide(3)"}, "no window is called 'slide'"),
        ({"measures": "auc"}, "this log has no scores; run with scores=True"),
        ({"measures": "kappa", "windows": "ewma(0.1)"}, None),
        ({"measures": "f1", "windows": "ewma(0.1)"}, "is not defined in ewma"),
        ({"cached": "no"}, "table: cached must be True or False, got 'no'"),
        ({"measure": "f1"}, "no parameter is called 'measure'; did you mean 'measures'"),
    ],
)
def test_wrong_arguments_are_refused(made, given, words):
    if words is None:
        assert sg.table(made, **given).num_rows == 24
        return
    with pytest.raises(sg.errors.StreamgaugeError, match=words):
        sg.table(made, **given)


def test_a_measure_without_a_stream_of_its_task_is_refused(tmp_path):
    run_experiment(Spec(streams=["sea(items=40)"], learners=["nb"]), tmp_path / "run")
    with pytest.raises(
        ParameterError, match="table: mae needs a stream of regression, got only cl"
    ):
        sg.table(tmp_path / "run", ["accuracy", "mae"])
    with pytest.raises(ParameterError, match=r"must be a run folder with experiment\.json"):
        sg.table(tmp_path)


def test_streams_in_files_of_one_name_have_different_names(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "data.csv").write_text("x,y\n" + f"1,{name}\n2,c\n" * 20)
    streams = [{"file": f"{name}/data.csv", "target": "y"} for name in "ab"]
    spec = Spec(streams=streams, learners=["nb"]).in_folder(tmp_path)
    run_experiment(spec, tmp_path / "run")
    found = sg.table(tmp_path / "run", "accuracy", "whole")
    assert found["stream"].to_pylist() == ["a/data.csv", "b/data.csv"]


def test_measures_of_the_users_own_are_computed_and_not_kept(tmp_path, monkeypatch):
    (tmp_path / "own_share.py").write_text(
        "from dataclasses import dataclass\nimport streamgauge as sg\n"
        "@dataclass(frozen=True)\nclass Share(sg.measures.Measure):\n"
        "    best = 1.0\n    span = (0.0, 1.0)\n    formula = 'correct / total'\n"
        "    def value(self, summary):\n        return summary.correct / summary.total\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    run = tmp_path / "run"
    spec = Spec(streams=["sea(items=40)"], learners=["nb"], measures=["own_share:Share", "kappa"])
    run_experiment(spec, run)
    kept = json.loads(next(run.glob(f"cells/*/{NAME}")).read_text())["values"]
    assert {row["measure"] for row in kept} == {"kappa"}
    with pytest.raises(ParameterError, match="which would import code; name the measures yourself"):
        sg.table(run)
    found = sg.table(run, ["own_share:Share", "accuracy"], "whole")
    assert found["measure"].to_pylist() == ["own_share:Share", "accuracy"]
    assert len(set(found["value"].to_pylist())) == 1
    assert all(one.verdict == "whole" for one in sg.verify(run))


def test_progress_counts_the_cells(made):
    seen: list[tuple[int, int | None]] = []
    sg.table(made, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(n, 10) for n in range(1, 11)]
