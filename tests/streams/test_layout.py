"""Inference of columns, task and classes, and the notes on it."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streamgauge import streams
from streamgauge.errors import DataError
from streamgauge.streams import open_stream
from streamgauge.streams._options import KEY
from streamgauge.streams.nominal import format_values
from streamgauge.streams.text import blocks
from streamgauge.types import Batch


def schema_of(tmp_path, text, **options):
    path = tmp_path / "t.csv"
    path.write_text(text)
    return open_stream(path, **options).schema


@pytest.mark.parametrize(
    ("labels", "classes", "note"),
    [
        (["no", "yes", "no"], ("no", "yes"), "task: classification, 'y' holds 2 texts"),
        ([10, 9, 10, 9], (9, 10), "task: classification, 'y' holds 2 whole numbers"),
        ([1, 0], (0, 1), "task: classification, 'y' holds 2 whole numbers"),
        (["1.0", "0.0", ""], (0, 1), "task: classification, 'y' holds 2 whole numbers"),
        ([0.5, 1.0], None, "task: regression, 'y' holds numbers with decimals"),
        ([1, 2, 3, 4], None, "task: regression, 'y' holds 4 distinct numbers in 4 items"),
        (list(range(51)) * 3, None, "task: regression, 'y' holds more than 50 distinct numbers"),
        (list(range(50)) * 2, tuple(range(50)), "task: classification, 'y' holds 50 whole numbers"),
        (["1", "2", "x"], ("1", "2", "x"), "task: classification, 'y' holds 3 texts"),
        (["", ""], (), "classes: none, 'y' holds no label"),
    ],
)
def test_the_task_is_inferred_and_noted(tmp_path, labels, classes, note):
    schema = schema_of(tmp_path, "a,y\n" + "".join(f"1,{label}\n" for label in labels))
    assert schema.classes == classes
    assert note in schema.notes
    assert "target: 'y', the last column (none was named)" in schema.notes


def test_declared_columns_are_not_noted(tmp_path):
    schema = schema_of(tmp_path, "a,y\n1,0\n2,1\n", target="y", classes=[0, 1])
    assert schema.notes == ()
    schema = schema_of(tmp_path, "a,y\n1,0\n2,1\n", target="y", task="regression")
    assert schema.notes == ()
    assert schema.classes is None


def test_columns_are_numeric_or_nominal_as_inferred_or_declared(tmp_path):
    text = "n,t,code,y\n1,b,1,0\n,a,10,1\n2.5,,2,0\n"
    schema = schema_of(tmp_path, text)
    assert [f.values for f in schema.features] == [None, ("a", "b"), None]
    assert "nominal: t (text)" in schema.notes
    schema = schema_of(tmp_path, text, nominal=["code"])
    assert schema.features[2].values == (1, 2, 10)
    schema = schema_of(tmp_path, text, types={"code": "nominal", "t": ["b", "a", "q"]})
    assert [f.values for f in schema.features] == [None, ("b", "a", "q"), (1, 2, 10)]
    schema = schema_of(tmp_path, text, target="t")
    assert schema.classes == ("a", "b")
    assert schema.names == ("n", "code", "y")


def test_separator_and_header_are_detected_and_noted(tmp_path):
    schema = schema_of(tmp_path, "a;b;y\n1.5;2;0\n")
    assert schema.names == ("a", "b")
    assert "separator: ';'" in schema.notes
    schema = schema_of(tmp_path, "1,2,0\n3,4,1\n")
    assert schema.names == ("c0", "c1")
    assert "header: none, the first line holds numbers; columns are c0, c1, …" in schema.notes
    schema = schema_of(tmp_path, "1,2,0\n3,4,1\n", header=True)
    assert schema.names == ("1", "2")
    schema = schema_of(tmp_path, "x,y,z\n1,2,0\n3,4,1\n", header=False, nominal=["c0", "c1"])
    assert schema.names == ("c0", "c1")
    schema = schema_of(tmp_path, ",b,y\n0,2,0\n1,4,1\n")
    assert schema.names == ("c0", "b")


def test_tables_give_the_same_inference_as_files():
    table = pa.table(
        {
            "n": [1, 2, 3, 4],
            "t": ["b", "a", None, "b"],
            "f": [True, False, True, None],
            "y": [7, 8] * 2,
        }
    )
    schema = open_stream(table).schema
    assert [f.values for f in schema.features] == [None, ("a", "b"), (False, True)]
    assert schema.classes == (7, 8)
    assert schema.notes == (
        "target: 'y', the last column (none was named)",
        "nominal: t (text)",
        "task: classification, 'y' holds 2 whole numbers",
        "classes: sorted",
    )
    assert open_stream(table, target="f").schema.classes == (False, True)
    assert open_stream(table, target="n").schema.task == "regression"
    assert open_stream(table, nominal="n").schema.features[0].values == (1, 2, 3, 4)
    assert open_stream(table, classes=["8", "7"]).schema.classes == ("8", "7")
    [batch] = open_stream(table, classes=["8", "7"]).batches()
    assert batch.label.tolist() == [1, 0, 1, 0]


def test_a_message_lists_up_to_twelve_values() -> None:
    twelve = ", ".join(map(str, range(12)))
    assert format_values(range(12)) == twelve
    assert format_values(range(13)) == f"{twelve}, … (13 in all)"
    assert format_values(["a", "b", "c"], 2) == "'a', 'b', … (3 in all)"


def test_errors_of_a_parquet_file_name_the_file(tmp_path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [1.0, 2.0], "y": [0.5, float("inf")]}), path)
    with pytest.raises(DataError, match=f"^{re.escape(str(path))}: item 1, .*'y'.* finite"):
        list(open_stream(path, target="y").batches())
    streams.write_stream(streams.take(streams.SEA(), 3), path)
    stored = pq.read_table(path)
    wrong = {KEY: b"[1]"}
    pq.write_table(stored.replace_schema_metadata(wrong), path)
    with pytest.raises(DataError, match=f"^{re.escape(str(path))}: "):
        open_stream(path)


def test_wide_items_are_decoded_in_smaller_blocks(tmp_path, monkeypatch) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n" + "".join(f"{i},{i % 3},{'uv'[i % 2]}\n" for i in range(50)))
    (usual,) = open_stream(path, target="y").batches()
    sizes = []
    for cells in (1, 7, 30):
        monkeypatch.setattr("streamgauge.streams.text.BLOCK_CELLS", cells)
        stream = open_stream(path, target="y")
        taken = list(blocks(stream.text, stream.layout))
        sizes.append(max(map(len, taken)))
        assert Batch.concatenate(taken).x.tolist() == usual.x.tolist()
    assert sizes == [1, 2, 10]


@pytest.mark.parametrize("key", [KEY, b"pandas"])
def test_metadata_without_end_gets_a_sentence(tmp_path, key) -> None:
    path = tmp_path / "t.parquet"
    deep = b'{"target": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    table = pa.table({"a": [1.0], "y": ["u"]}).replace_schema_metadata({key: deep})
    pq.write_table(table, path)
    with pytest.raises(DataError, match=r"RecursionError|recursion"):
        open_stream(path, target="y")
