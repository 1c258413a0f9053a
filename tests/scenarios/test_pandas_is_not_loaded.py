"""pandas is imported only for pandas objects."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

SCRIPT = """
import json, sys
import streamgauge as sg
from streamgauge.cli import main

loaded = {}

def record(what):
    loaded[what] = "pandas" in sys.modules

def read(path, **options):
    for batch in sg.streams.open_stream(path, **options).batches():
        pass
    record(path)

def command(line):
    try:
        main(line.split())
    except SystemExit as done:
        assert not done.code, line
    record(line)

COLUMNS = {"target": "y", "time": "t", "label_time": "k", "weight": "w"}
for name in ("items.csv", "items.parquet", "items.arrow", "items.arrows"):
    read(name, **COLUMNS)
read("items.arff", target="y")
for name in ("made.parquet", "made.arrow", "made.csv"):
    command(f"measure {name} --label y --prediction p --time t --json")
    command(f"measure {name} --label y --prediction p --scores s0,s1 -m auc --json")
    command(f"compare {name} --label y --prediction p,q --json")
for name in ("items.csv", "items.parquet", "items.arrow"):
    command(f"evaluate {name} --target y --time t --weight w --drop k --quiet --report r.html")
    command(f"evaluate {name} --target w --drop k,t --quiet")
sg.run(sg.streams.SEA(items=500), sg.learners.NaiveBayes(), folder="log")
command("measure log --json")
print(json.dumps(loaded), file=sys.stderr)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    n = 300
    time = np.datetime64("2024-01-01", "ns") + np.arange(n) * np.timedelta64(1, "h")
    gap = rng.random(n) < 0.1
    table = pa.table(
        {
            "a": pa.array(rng.random(n), mask=gap),
            "b": pa.array(rng.integers(0, 5, n), mask=gap),
            "c": pa.array(np.where(gap, "u", "v")).dictionary_encode(),
            "d": pa.array(gap),
            "t": time,
            "k": pa.array(time + 5_000, mask=gap),
            "w": rng.random(n),
            "y": pa.array(np.where(rng.random(n) < 0.5, "no", "yes")),
        }
    )
    made = pa.table(
        {
            "t": time,
            "y": rng.integers(0, 2, n),
            "p": pa.array(rng.integers(0, 2, n), mask=gap),
            "q": rng.integers(0, 2, n).astype(float),
            "s0": pa.array(rng.random(n), mask=gap),
            "s1": pa.array(rng.random(n), mask=gap),
        }
    )
    for name, of in (("items", table), ("made", made)):
        pq.write_table(of, f"{name}.parquet")
        of.to_pandas().to_csv(f"{name}.csv", index=False)
        with pa.ipc.new_file(f"{name}.arrow", of.schema) as out:
            out.write_table(of)
        with pa.ipc.new_stream(f"{name}.arrows", of.schema) as out:
            out.write_table(of)
    arff = (
        "@relation r\n@attribute a real\n@attribute y {no, yes}\n@data\n" + "?,no\n1.5,yes\n" * 20
    )
    tmp_path.joinpath("items.arff").write_text(arff)
    return tmp_path


def test_commands_on_files_do_not_load_pandas(folder):
    assert importlib.util.find_spec("pandas"), "the test needs pandas to be installed"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stderr.splitlines()[-1])
    assert len(loaded) == 21
    assert [what for what, is_loaded in loaded.items() if is_loaded] == []
