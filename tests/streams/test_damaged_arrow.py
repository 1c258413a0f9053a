"""Damaged Arrow and Parquet files are refused by one sentence; none ends the interpreter."""

import random
import subprocess
import sys
from io import BytesIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.arrow_files import refuse_damage
from streamgauge.errors import DataError, StreamgaugeError
from streamgauge.streams import open_stream

SUFFIX = {"file": "arrow", "stream": "arrows", "feather": "feather", "parquet": "parquet"}


def table(draw, rows):
    """A table with columns of every kind that a reader takes."""
    make = np.random.default_rng(draw.randrange(2**30))

    def column(cells):
        gaps = make.random(rows) < 0.2 if draw.random() < 0.5 else np.zeros(rows, bool)
        return pa.array(cells, mask=gaps)

    words = np.array(["α", "bb", "ccc", ""])[make.integers(0, 4, rows)]
    columns = {
        "i": column(make.integers(0, 9, rows)),
        "f": column(make.normal(size=rows)),
        "s": column(words),
        "large": column(words).cast(pa.large_string()),
        "d": column(words).dictionary_encode(),
        "b": column(make.random(rows) < 0.5),
        "t": pa.array(np.arange(rows)),
        "y": column(words).dictionary_encode() if draw.random() < 0.5 else column(words),
    }
    return pa.table({k: v for k, v in columns.items() if k in "ty" or draw.random() < 0.7})


def encoded(made, kind, draw):
    """The bytes of a table."""
    out = BytesIO()
    if kind == "parquet":
        pq.write_table(made, out, compression=draw.choice(["none", "zstd"]), row_group_size=7)
    else:
        writer = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
        options = pa.ipc.IpcWriteOptions(compression=draw.choice([None, None, "lz4"]))
        with writer(out, made.schema, options=options) as file:
            file.write_table(made, max_chunksize=9)
    return bytearray(out.getvalue())


def damage(data, draw):
    """Change some bytes, words or parts of a file."""
    for _ in range(draw.choice([1, 1, 2, 8])):
        at, how = draw.randrange(len(data)), draw.randrange(5)
        word = draw.choice([0, 1, 1000, 2**31 - 1, 2**32 - 1, draw.randrange(2**32)])
        if how == 0:
            data[at] ^= 1 << draw.randrange(8)
        elif how < 3:
            at, size = at - at % 4, 4 * how
            data[at : at + size] = word.to_bytes(4, "little") * how
        elif how == 3 and len(data) > 100:
            del data[at : at + draw.randrange(1, 40)]
        else:
            other, size = draw.randrange(len(data)), draw.randrange(1, 64)
            data[at : at + size] = data[other : other + size]
    return data


def read_all(path):
    """Read a file in both ways; an error must be one sentence."""
    for use in (read_stream, lambda path: sg.read_predictions(path, "y", "y")):
        try:
            use(path)
        except StreamgaugeError as error:
            if len(str(error).splitlines()) != 1:
                raise AssertionError(str(error)) from error


def read_stream(path):
    for batch in open_stream(path, target="y", time="t").batches():
        batch.x.sum(), batch.label.sum(), batch.time.sum()


def read_damaged(kind, first, stop, folder):
    """Read damaged files, one per seed, which is written out before."""
    for seed in range(first, stop):
        sys.stdout.write(f"{seed}\n")
        sys.stdout.flush()
        draw = random.Random(f"{kind} {seed}")
        data = damage(encoded(table(draw, draw.choice([3, 30])), kind, draw), draw)
        path = f"{folder}/made.{SUFFIX[kind]}"
        with open(path, "wb") as file:
            file.write(data)
        read_all(path)


def run_damaged(kind, first, stop, folder):
    command = [sys.executable, __file__, kind, str(first), str(stop), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = done.stdout.split()[-1:] or ["none"]
    assert done.returncode == 0, f"seed {last[0]}: {done.returncode} {done.stderr[-500:]}"


@pytest.mark.parametrize("kind", SUFFIX)
def test_no_damaged_file_ends_the_interpreter(kind, tmp_path):
    run_damaged(kind, 0, 60, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SUFFIX)
def test_none_of_many_damaged_files_ends_the_interpreter(kind, tmp_path):
    run_damaged(kind, 60, 4000, tmp_path)


def with_buffer(column, place, content):
    """A column one of whose buffers is replaced."""
    buffers = column.buffers()
    buffers[place] = pa.py_buffer(content)
    return pa.Array.from_buffers(column.type, len(column), buffers)


WORDS = pa.array(["no", "yes", "no", "yes"])
CORRUPT = {
    "offsets out of range": with_buffer(WORDS, 1, np.array([0, 2, 2**30, 7, 10], np.int32)),
    "offsets that decrease": with_buffer(WORDS, 1, np.array([0, 5, 2, 7, 10], np.int32)),
    "no UTF-8": with_buffer(WORDS, 2, b"\xff\xfe" * 5),
    "indices out of range": pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2**20, -5], pa.int32()), pa.array(["no", "yes"]), safe=False
    ),
}


@pytest.mark.parametrize("what", CORRUPT)
@pytest.mark.parametrize("role", ["y", "a"])
def test_a_table_with_corrupt_buffers_is_refused(what, role):
    column = CORRUPT[what]
    other = pa.array(np.arange(len(column)) % 2)
    names = {"y": ["a", "y"], "a": ["y", "a"]}[role]
    whole = pa.Table.from_arrays([other, column], names)
    for made in (whole, whole.to_batches()[0]):
        with pytest.raises(DataError, match="table: columns must be valid Arrow data, got damaged"):
            list(open_stream(made, target="y").batches())


def test_a_file_cut_off_while_it_is_read_is_refused(tmp_path):
    path = tmp_path / "t.arrow"
    made = pa.table({"a": np.arange(300_000.0), "y": np.arange(300_000) % 2})
    with pa.ipc.new_file(path, made.schema) as file:
        file.write_table(made, max_chunksize=10_000)
    batches = open_stream(path, target="y", classes=[0, 1]).batches()
    next(batches)
    with path.open("rb+") as file:
        file.truncate(100_000)
    with pytest.raises(DataError, match="got another format or a damaged one"):
        list(batches)


METADATA = [
    {b"pandas": b"not json"},
    {b"pandas": b"[1]"},
    {b"pandas": b'{"index_columns": 3}'},
    {b"streamgauge.options": b'{"target": ["y"]}'},
    {b"streamgauge.options": b'{"target": "y", "classes": [[0]]}'},
    {b"streamgauge.options": b'{"target": "y", "classes": 3}'},
    {b"streamgauge.options": b'{"target": "y", "time_unit": []}'},
    {b"streamgauge.options": b'{"target": "y", "types": {"a": [{}]}}'},
    {b"streamgauge.options": b'{"target": "y", "drifts": [["a", 1, 2]]}'},
    {b"streamgauge.options": b"\xff"},
]


@pytest.mark.parametrize("metadata", METADATA, ids=str)
def test_damaged_metadata_are_refused(metadata, tmp_path):
    path = tmp_path / "t.parquet"
    made = pa.table({"a": [1.0, 2.0], "y": [0, 1]})
    pq.write_table(made.replace_schema_metadata(metadata), path)
    with pytest.raises(StreamgaugeError, match="must be as"):
        open_stream(path)


if __name__ == "__main__":
    read_damaged(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])


@pytest.mark.parametrize("error", [PermissionError, IsADirectoryError, FileNotFoundError])
def test_an_error_that_is_not_about_the_content_is_kept(error):
    with pytest.raises(error), refuse_damage("x.parquet", "a Parquet file"):
        raise error(13, "of the system", "x.parquet")
