"""Error messages for invalid files, tables and options, one case per row."""

from __future__ import annotations

import gzip
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streamgauge.errors import DataError, MissingDataError, ParameterError
from streamgauge.streams import open_stream

ARFF = "@relation r\n@attribute a numeric\n@attribute b {u,v}\n@attribute y {0,1}\n@data\n"

CASES = [
    # file name, content, options, message after the path
    ("t.csv", "a,b,y\n1,2,0\n3,4\n", {}, "line 3 must have 3 fields, got 2; correct the line"),
    (
        "t.csv",
        "a,b,y\n1,2,0\n\n3,4,5,6\n",
        {},
        "line 4 must have 3 fields, got 4; correct the line",
    ),
    ("t.csv", "a,b,y\n1,2,\n3,4,0,\n", {}, "line 3 must have 3 fields, got 4; correct the line"),
    (
        "t.csv",
        "a,price,y\n1,2,0\n3,cheap,1\n",
        {},
        "line 3, column 'price' must be a number, got 'cheap'; correct it, or pass "
        "nominal=['price'] or drop=['price']",
    ),
    (
        "t.csv",
        "a,price,y\n1,2,0\n3,cheap,1\n",
        {"types": {"price": "numeric"}},
        "line 3, column 'price' must be a number, got 'cheap'",
    ),
    (
        "t.csv",
        "a,price,y\n1,2,0\n3,cheap,1\n",
        {"types": {"a": "numeric", "price": "numeric"}, "classes": [0, 1]},
        "line 3, column 'price' must be a number, got 'cheap'",
    ),
    (
        "t.csv",
        'a,b,y\n1,"x\ny",0\n3,"z",1\n-Inf,z,1\n',
        {},
        "line 5, column 'a' must be finite, got -Inf; correct it, or pass drop=['a']",
    ),
    (
        "t.csv",
        "a,y\n1,0\n-1e999,1\n",
        {"types": {"a": "numeric"}, "classes": [0, 1]},
        "line 3, column 'a' must be finite, got -1e999; correct it, or pass drop=['a']",
    ),
    (
        "t.csv",
        "a,y\n1,0.5\n2,inf\n3,0.25\n",
        {},
        "line 3, target 'y' must be finite, got inf; correct it",
    ),
    (
        "t.csv",
        "a,y\n1,0.5\n2,x\n",
        {"task": "regression"},
        "line 3, target 'y' must be a number, got 'x'; correct it, or pass task='classification'",
    ),
    (
        "t.csv",
        "a,clas,y\n1,2,0\n",
        {"target": "class"},
        "target must be one of its columns, got 'class'; did you mean 'clas'?; columns: a, clas, y",
    ),
    (
        "t.csv",
        "a,y\n1,0\n",
        {"time": "q"},
        "time must be one of its columns, got 'q'; columns: a, y",
    ),
    ("t.csv", "a,y\n1,0\n", {"drop": ["q"]}, "drop must be one of its columns, got 'q'"),
    ("t.csv", "a,a,y\n1,0,2\n", {}, "column names must differ, got 'a' twice; rename one"),
    (
        "t.csv",
        "a,y\n1,0\n",
        {"drop": ["a", "y"]},
        "target must be a column, got none left; drop fewer columns",
    ),
    ("t.csv", "a,y\n1,0\n", {"target": "y", "drop": "y"}, "target must be kept, got drop='y'"),
    (
        "t.csv",
        "a,y\n1,0\n",
        {"target": "y", "time": "y"},
        "target and time must be two columns, got 'y' for both",
    ),
    (
        "t.csv",
        "a,y\n1,0\n2,1\n3,7\n",
        {"classes": [0, 1]},
        "line 4, class 'y' must be one of 0, 1, got '7'; correct it, or pass unseen_class='grow'",
    ),
    (
        "t.csv",
        "a,y\nu,0\nv,1\nw,1\n",
        {"types": {"a": ["u", "v"]}, "classes": [0, 1]},
        "line 4, column 'a' must be one of 'u', 'v', got 'w'; correct it, or add it to types",
    ),
    (
        "t.csv",
        "a,when,y\n1,2020-01-01,0\n",
        {},
        "column 'when' must be numeric or nominal, got times (2020-01-01, …); "
        "pass time='when' or drop=['when']",
    ),
    (
        "t.csv",
        "note,y\n" + "".join(f"text {i},{i % 2}\n" for i in range(1001)),
        {},
        "column 'note' must be numeric or nominal, got text with 1,001 values (text 0, …); "
        "pass drop=['note'] or nominal=['note']",
    ),
    (
        "t.csv",
        "note,y\n" + "".join(f"text {i},{i % 2}\n" for i in range(10_001)),
        {"nominal": ["note"]},
        "column 'note' must have at most 10,000 values to be nominal, got more; pass drop=['note']",
    ),
    (
        "t.csv",
        "a,t,y\n1,5,0\n2,4,1\n",
        {"time": "t"},
        "time must not decrease, got 4 after 5 at item 1; pass clock='sort' or clock='allow'",
    ),
    (
        "t.csv",
        "a,t,y\n1,2020-01-02,0\n2,2020-01-01 12:00,1\n",
        {"time": "t"},
        "time must not decrease, got 2020-01-01T12:00:00 after 2020-01-02T00:00:00 at item 1; "
        "pass clock='sort' or clock='allow'",
    ),
    (
        "t.csv",
        "a,t,y\n1,5,0\n2,,1\n",
        {"time": "t"},
        "line 3, time 't' must be known, got a missing",
    ),
    (
        "t.csv",
        "a,t,y\n1,2020-01-01,0\n2,noon,1\n",
        {"time": "t"},
        "line 3, time 't' must be a whole number or a timestamp (2024-05-31, "
        "2024-05-31 23:59:59.5), of one kind in all items, got 'noon'; correct it",
    ),
    (
        "t.csv",
        "a,t,y\n1,1.5,0\n2,3,1\n",
        {"time": "t"},
        "time 't' must be a whole number or a timestamp",
    ),
    (
        "t.csv",
        "a,t,due,y\n1,1,2020-01-01,0\n",
        {"time": "t", "label_time": "due"},
        "time and label_time must be both timestamps or both whole numbers",
    ),
    (
        "t.csv",
        "a,due,y\n1,2020-01-01,0\n",
        {"label_time": "due"},
        "a label_time of timestamps needs time; pass time='COLUMN'",
    ),
    (
        "t.csv",
        "a,t,due,y\n1,1,2,0\n2,5,4,1\n",
        {"time": "t", "label_time": "due"},
        "label_time must not be before time, got 4 for an item of 5 at item 1; "
        "correct it or omit label_time",
    ),
    (
        "t.csv",
        "a,t,y\n1,2020-01-01,0\n",
        {"time": "t", "time_unit": "s"},
        "time_unit must be omitted for timestamps, got 's'",
    ),
    (
        "t.csv",
        'a,b,y\n1,"x"z,0\n',
        {},
        "line 2, column 'b' must end after its closing quote, got '\"x\"z'; double the quotes",
    ),
    (
        "t.csv",
        'a,b,y\n1,x,0\n2,"z,0\n3,u,1\n',
        {},
        "line 3, column 'b' must have a closing quote, got none up to the end of the file",
    ),
    ("t.csv", b"a,b,y\n1,\xe9,0\n", {}, "line 2, column 'b' must be UTF-8, got"),
    ("t.csv", b"\xff\xfea\x00", {}, "must be UTF-8, got UTF-16; save it as UTF-8"),
    (
        "t.csv.gz",
        gzip.compress(b"a,y\n1,0\n" * 99, mtime=0)[:-9],
        {},
        "must be a complete compressed file, got a damaged one",
    ),
    ("t.parquet", b"PAR1 not really", {}, "must be a Parquet file, got another"),
    ("t.arrow", b"neither this", {}, "must be an Arrow IPC file, got another"),
    ("t.xlsx", b"", {}, "must end in one of .csv, .tsv,"),
    ("t.arff", ARFF + "1,u,2\n", {}, "line 6, class 'y' must be one of '0', '1', got '2'"),
    ("t.arff", ARFF + "1,w,1\n", {}, "line 6, column 'b' must be one of 'u', 'v', got 'w'"),
    ("t.arff", ARFF + "x,u,1\n", {}, "line 6, column 'a' must be a number, got 'x'"),
    ("t.arff", ARFF + "1,u\n", {}, "line 6 must have 3 fields, got 2; correct the line"),
    (
        "t.arff",
        ARFF + "{0 1, 3 1}\n",
        {},
        "line 6 must be {index value, …} with indices from 0 to 2 in increasing order, got '3 1}'",
    ),
    ("t.arff", ARFF + "{1 u, 0 1}\n", {}, "line 6 must be {index value, …} with indices"),
    ("t.arff", ARFF + "{0 1\n", {}, "line 6 must be {index value, …} with indices"),
    (
        "t.arff",
        ARFF.replace("@attribute b", "@atribute b"),
        {},
        "line 3 must be @relation, @attribute or @data, got '@atribute b {u,v}'; correct the",
    ),
    (
        "t.arff",
        ARFF.replace("@data\n", ""),
        {},
        "an ARFF header must end with a line @data, got the end of the file after line 4",
    ),
    (
        "t.arff",
        "",
        {},
        "an ARFF header must end with a line @data, got the end of the file after line 0",
    ),
    (
        "t.arff",
        "@relation r\n@data\n",
        {},
        "line 2 must come after @attribute lines, got none before",
    ),
    (
        "t.arff",
        ARFF.replace("numeric", "number"),
        {},
        "line 2: the type of 'a' must be numeric, {value, …}, string or date, got 'number'",
    ),
    (
        "t.arff",
        ARFF.replace("numeric", "relational"),
        {},
        "line 2: the type of 'a' must be numeric, {value, …}, string or date, got 'relational'",
    ),
    (
        "t.arff",
        ARFF.replace("a numeric", ""),
        {},
        "line 2 must be @attribute NAME TYPE, got '@attrib",
    ),
    (
        "t.arff",
        ARFF.replace("{u,v}", "{u,v"),
        {},
        "line 3 must list nominal values as {a, b, …}, got",
    ),
    (
        "t.arff",
        ARFF.replace("{u,v}", "{u,u}"),
        {},
        "line 3 must list every nominal value once, got 'u'",
    ),
    (
        "t.arff",
        ARFF.replace("b {u,v}", "a real"),
        {},
        "line 3 must name a new attribute, got 'a' again",
    ),
    (
        "t.arff",
        ARFF.replace("numeric", "string"),
        {},
        "column 'a' must be numeric or nominal, got text (a string attribute, …); "
        "pass drop=['a'] or nominal=['a']",
    ),
    (
        "t.arff",
        ARFF.replace("numeric", "date"),
        {},
        "column 'a' must be numeric or nominal, got times",
    ),
    (
        "t.arff",
        ARFF.replace("numeric", 'date "dd.MM.yy"'),
        {},
        "line 2: a date format must be yyyy-MM-dd'T'HH:mm:ss or a prefix of it, got 'dd.MM.yy'",
    ),
    (
        "t.arff",
        ARFF.encode() + b"1,\xff,1\n",
        {},
        "line 6, column 'b' must be one of 'u', 'v', got",
    ),
    ("t.arff", ARFF.replace("u", "é").encode("latin-1"), {}, "line 2 must be UTF-8, got"),
]


@pytest.mark.parametrize(("name", "content", "options", "words"), CASES)
def test_an_invalid_file_raises_a_one_line_error(tmp_path, name, content, options, words):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataError) as caught:
        for _ in open_stream(path, **options).batches():
            pass
    message = str(caught.value)
    assert message.startswith(f"{path}: {words}")
    assert "\n" not in message
    assert sorted(p.name for p in tmp_path.iterdir()) == [name]


def test_errors_that_a_scan_can_find_are_raised_at_construction(tmp_path):
    """Ragged rows, text, infinities, undeclared classes: before the run, not during it."""
    for name, content, options, words in CASES:
        declared = "types" in options and "classes" in options
        if name == "t.csv" and not declared and "not decrease" not in words:
            (tmp_path / name).write_bytes(
                content if isinstance(content, bytes) else content.encode()
            )
            if "before time" in words or "must be known" in words:
                continue
            with pytest.raises(DataError):
                open_stream(tmp_path / name, **options)


COLUMNS = {"a": [1.0, 2.0, float("inf")], "b": ["u", "v", "u"], "y": ["n", "p", "n"]}
TABLES = [
    ({}, {}, "item 2, column 'a' must be finite, got inf; correct it, or pass drop=['a']"),
    ({"a": [1.0, 2.0, 3.0]}, {"classes": ["n"]}, "item 1, class 'y' must be one of 'n', got 'p'"),
    ({"a": ["x"] * 3}, {"types": {"a": "numeric"}}, "item 0, column 'a' must be a number, got 'x'"),
    ({"a": [[1], [2], [3]]}, {}, "column 'a' must be numeric, nominal or a time, got list"),
    (
        {"a": pa.array([0, 1, None], pa.timestamp("us"))},
        {"time": "a"},
        "item 2, time must be known, got a missing cell",
    ),
    (
        {"a": [1.0, 2.0, 3.0]},
        {"types": {"b": ["u"]}},
        "item 1, column 'b' must be one of 'u', got 'v'",
    ),
    (
        {"a": [1.0, 2.0, 3.0], "y": pa.array([0, 1, 2], pa.timestamp("us"))},
        {},
        "target 'y' must hold classes or numbers, got times",
    ),
]


@pytest.mark.parametrize(("columns", "options", "words"), TABLES)
@pytest.mark.parametrize("kind", ["arrow", "parquet"])
def test_an_invalid_table_raises_an_error(tmp_path, kind, columns, options, words):
    table = pa.table(COLUMNS | columns)
    source, who = table, "table"
    if kind == "parquet":
        source = tmp_path / "t.parquet"
        who = str(source)
        pq.write_table(table, source)
    with pytest.raises(DataError) as caught:
        for _ in open_stream(source, **({"target": "y"} | options)).batches():
            pass
    assert str(caught.value).startswith(f"{who}: {words}")


def test_a_dropped_column_may_have_any_type():
    table = pa.table({"a": [[1], [2]], "b": [1.0, 2.0], "y": ["n", "p"]})
    assert open_stream(table, target="y", drop="a").schema.names == ("b",)


def test_a_missing_file_raises_an_error(tmp_path):
    (tmp_path / "weather.csv").touch()
    with pytest.raises(MissingDataError, match=r"wether.csv: no such file; did you mean 'weather"):
        open_stream(tmp_path / "wether.csv")
    with pytest.raises(MissingDataError, match=r"there is no folder .*/nowhere' either"):
        open_stream(tmp_path / "nowhere" / "t.csv")
    with pytest.raises(MissingDataError, match="must be a file, got a folder"):
        open_stream(tmp_path)
    os.mkfifo(tmp_path / "pipe.csv")  # reading it would wait for a writer
    with pytest.raises(MissingDataError, match="must be a regular file, got a pipe or device"):
        open_stream(tmp_path / "pipe.csv")
    with pytest.raises(FileNotFoundError):
        open_stream(tmp_path / "nowhere.parquet")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"taget": "y"}, "open_stream: Csv has no 'taget'; did you mean 'target'?"),
        ({"clock": "sorted"}, "Csv: clock must be one of 'strict', 'sort', 'allow'"),
        ({"task": "clustering"}, "Csv: task must be one of 'classification', 'regression'"),
        ({"types": {"a": "text"}}, "Csv: types['a'] must be one of 'numeric', 'nominal'"),
        ({"classes": [1, 1]}, "Csv: classes must be all different, got [1, 1]"),
        ({"classes": [1], "task": "regression"}, "Csv: classes must be omitted for regression"),
        ({"unseen_class": "skip"}, "Csv: unseen_class must be one of 'refuse', 'grow', got 'skip'"),
        ({"time_unit": "year"}, "Csv: time_unit must be one of 'tick', 'us', 'ms'"),
        ({"separator": "::"}, "csv: separator must be one ASCII character, got ::"),
        (
            {"impute": "median"},
            "impute: how must be one of 'mean', 'last', 'zero', got 'median'; did you mean 'mean'?",
        ),
    ],
)
def test_a_wrong_option_raises_an_error(tmp_path, options, words):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,0\n")
    with pytest.raises((ParameterError, DataError)) as caught:
        open_stream(path, **options)
    assert words in str(caught.value)


def test_an_empty_file_is_an_empty_stream(tmp_path):
    for content in ("", "\n\n", "a,y\n", "a,y"):
        path = tmp_path / "t.csv"
        path.write_text(content)
        stream = open_stream(path, target="y")
        assert stream.length == 0
        assert list(stream.batches()) == []
    path = tmp_path / "t.arff"
    path.write_text(ARFF)
    assert list(open_stream(path).batches()) == []
    table = pa.table({"a": pa.array([], pa.float64()), "y": pa.array([], pa.string())})
    assert open_stream(table, target="y").length == 0


def test_an_undeclared_class_extends_the_classes_on_request(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,b\n2,z\n3,a\n4,k\n")
    stream = open_stream(path, classes=["a", "b"], unseen_class="grow")
    assert stream.schema.classes == ("a", "b", "z", "k")
    assert "classes: extended by 'z', 'k'" in stream.schema.notes
    assert [batch.label.tolist() for batch in stream.batches()] == [[1, 2, 0, 3]]
    table = pa.table({"a": [1.0, 2.0], "y": [5, 3]})
    assert open_stream(table, classes=[3], unseen_class="grow").schema.classes == (3, 5)
    (tmp_path / "t.arff").write_text(ARFF + "1,u,2\n1,v,0\n")
    extended = open_stream(tmp_path / "t.arff", classes=["0", "1"], unseen_class="grow")
    assert extended.schema.classes == ("0", "1", "2")
