"""`streamgauge recover`: its values are those of the API; mistakes are one sentence and exit 2."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.checksums import sealed
from streamgauge.cli import main

BEFORE, AFTER = "sea(1)", "relabel(sea(1), 'invert')"
RUN = ("--learners", "nb", "--items", "600", "--repetitions", "2")
SPEC = """
title = "Two pairs"
repetitions = 2
drifts = ["sudden", 60]
learners = ["nb", {name = "mine", learner = "resetting(nb, ddm)"}]

[[pairs]]
name = "sea"
before = "sea(1)"
after = "relabel(sea(1), 'invert')"
items = 600

[[pairs]]
name = "files"
before = "csv('red.csv', target='y')"
after = {file = "white.csv", target = "y"}
learners = ["recursive_least_squares"]
"""


@pytest.fixture
def call(tmp_path, capsys, monkeypatch):
    def called(*args):
        monkeypatch.chdir(tmp_path)
        code = 0
        try:
            main(["recover", *args])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return called


def write_wines(folder):
    draws = np.random.default_rng(0)
    for name, slope in (("red.csv", 1.0), ("white.csv", -1.0)):
        x = draws.normal(size=400)
        lines = [f"{v:.4f},{slope * v:.4f}" for v in x]
        (folder / name).write_text("x,y\n" + "\n".join(lines) + "\n")


def test_the_values_are_those_of_the_api(call):
    code, out, err = call(BEFORE, AFTER, *RUN, "--drift", "sudden", "--json")
    assert (code, err) == (0, "")
    (entry,) = json.loads(out)
    found = sg.recovery(
        "nb", before=BEFORE, after=AFTER, items=600, repetitions=2, drift="sudden"
    ).panels[0]
    (panel,) = entry["panels"]
    assert panel["outcome"] == found.outcome
    for name, value in found.values.items():
        assert panel["values"][name]["value"] == pytest.approx(value.value, nan_ok=True)
        assert panel["values"][name]["samples"] is None
    assert panel["mixture"]["value"] == pytest.approx(found.mixture.value.tolist())
    assert entry["concepts"] == [BEFORE, AFTER]


def test_a_table_and_a_finding_are_printed(call):
    code, out, err = call(BEFORE, AFTER, *RUN, "--drift", "sudden,width=60", "--at", "300")
    assert (code, err) == (0, "")
    assert "maximum loss" in out
    assert "naive_bayes loses at most" in out
    assert call(BEFORE, AFTER, *RUN, "-q")[:2] == (0, "")
    code, _, err = call(BEFORE, AFTER, *RUN, "--measure", "kappa")
    assert code == 0
    assert "note: kappa has no bound: it is no mean over items" in err


def test_a_file_of_pairs_is_run_kept_and_measured_again(call, tmp_path):
    write_wines(tmp_path)
    (tmp_path / "pairs.toml").write_text(SPEC)
    code, out, _ = call(
        "pairs.toml", "--out", "kept", "--report", "r.html", "--plot", "p.svg", "--scatter", "s.svg"
    )
    assert code == 0
    for heading in ("sea, sudden", "sea, width=60", "files, sudden"):
        assert heading in out
    assert sorted(p.name for p in (tmp_path / "kept").iterdir()) == ["1", "2"]
    page = (tmp_path / "r.html").read_text()
    assert "Two pairs" in page
    assert 'id="scatter-data"' in page
    assert "duration_low" in page
    svg = (tmp_path / "p.svg").read_text()
    for title in ("sea: nb", "sea: mine", "files: recursive_least_squares"):
        assert title in svg, "pairs have panels of their own"
    for name in ("p.svg", "s.svg"):
        assert (tmp_path / name).read_text().count("<path") > 10
    code, out, _ = call("kept/1", "--measure", "error", "--window", "sliding(60)", "--json")
    assert code == 0
    (entry,) = json.loads(out)
    assert (entry["measure"], entry["window"], entry["better"]) == (
        "error",
        "sliding(60)",
        "low",
    )
    assert {panel["learner"] for panel in entry["panels"]} == {"nb", "mine"}
    assert call("kept", "-q")[0] == 0


def test_pairs_with_one_name_get_numbers(call, tmp_path):
    pairs = "".join(
        f"[[pairs]]\nname = '{name}'\nbefore = 'sea(1)'\nafter = 'sea(3)'\nitems = 100\n"
        for name in ("x", "x #2", "x")
    )
    (tmp_path / "same.toml").write_text(f'repetitions = 2\nlearners = ["nb"]\n{pairs}')
    code, out, _ = call("same.toml", "--json")
    assert code == 0
    assert [one["name"] for one in json.loads(out)] == ["x", "x #2", "x #3"]


def verdicts(folder, capsys):
    code = 0
    try:
        main(["verify", str(folder), "--json"])
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, {one["name"]: (one["verdict"], one["used"]) for one in json.loads(out)}, err


def test_a_kept_folder_keeps_names_and_settings_and_is_verified(call, tmp_path, capsys):
    pairs = "".join(
        f"[[pairs]]\nname = 'P{n}'\nbefore = 'sea(1)'\nafter = 'sea(3)'\nitems = {200 + n}\n"
        for n in (1, 2)
    )
    spec = f'repetitions = 2\nwindow = "sliding(20)"\nbound = "curves"\nlearners = ["nb"]\n{pairs}'
    (tmp_path / "many.toml").write_text(spec)
    code, first, _ = call("many.toml", "--out", "kept", "--json")
    again = call("kept", "--json")
    assert (code, again[0]) == (0, 0)
    entries = json.loads(again[1])
    assert [one["name"] for one in entries] == ["P1", "P2"]
    assert entries == json.loads(first), "the window and the bound are those of the run"
    code, found, _ = verdicts(tmp_path / "kept", capsys)
    assert code == 0
    assert len(found) == 2 * 6
    assert found["P2: nb, mixture-0, repetition 1"] == ("whole", True)


def test_verify_finds_what_is_wrong_with_a_recovery_folder(call, tmp_path, capsys):
    call(BEFORE, AFTER, *RUN, "-q", "--out", "kept")
    kept = tmp_path / "kept"
    damaged, gone, moved = (
        next(kept.glob(f"logs/{one}*")) for one in ("pure-0", "pure-1", "mixture")
    )
    table = damaged / "predictions.parquet"
    table.write_bytes(table.read_bytes()[:-9])
    shutil.rmtree(gone)
    moved.rename(moved.with_name("mixture-0-other"))
    code, found, err = verdicts(kept, capsys)
    assert code == 2
    assert "every log must be whole, got" in err
    assert sorted(Counter(found.values()).items()) == [
        (("damaged", False), 1),
        (("damaged", True), 1),
        (("missing", True), 2),
        (("whole", True), 3),
    ]
    (kept / "recovery.json").write_text("{}")
    code, found, _ = verdicts(kept, capsys)
    assert (code, found["recovery.json"]) == (2, ("damaged", True))
    with pytest.raises(SystemExit) as stop:
        main(["verify", str(kept), "--rerun"])
    assert stop.value.code == 2
    assert "--rerun is for the folder of a run, got" in capsys.readouterr().err


def test_a_received_folder_imports_nothing(call, tmp_path):
    call(BEFORE, AFTER, *RUN, "-q", "--out", "kept")
    path = tmp_path / "kept" / "recovery.json"
    for measured, sentence in (
        ({"measure": "antigravity:fly"}, "measure must be given, as that of the run imports"),
        ({"window": "antigravity:fly"}, "window must be given, as that of the run imports"),
        ({"measure": ["accuracy"]}, "cannot be read (how it was measured)"),
        ({"every": "x"}, "cannot be read (how it was measured)"),
        ({"bound": "tight"}, "bound must be 'levels'"),
    ):
        content = {**json.loads(path.read_text()), "measured": measured}
        content.pop("checksum", None)
        path.write_text(sealed(content))
        code, out, err = call("kept")
        assert (code, out) == (2, "")
        assert sentence in err
    assert "antigravity" not in sys.modules


NOT_TOGETHER = [
    {"order": [0, 5]},
    {"order": [0]},
    {"repetitions": 3},
    {"repetitions": -1},
    {"items": 5},
    {"items": 10**12},
    {"names": ["a"]},
    {"settings": []},
    {"settings": [{"name": "x", "places": []}]},
    {"settings": [{"name": "x", "places": [[300, -5]]}]},
    {"settings": [{"name": "x", "places": [[1e300, 0]]}]},
    {"settings": [{"name": "x", "places": [[float("nan"), 0]]}]},
    {"settings": 2 * [{"name": "x", "places": [[300, 0]]}]},
    {"span": [float("inf"), 0]},
    {"logs": {"x": {"pure-0": ["a", "b"]}}},
    {"logs": {"x": {role: ["..", ".."] for role in ("pure-0", "pure-1", "mixture-0")}}},
]


def test_a_received_list_that_does_not_fit_together_is_refused(call, tmp_path):
    """With a valid checksum: it is against damage, not against others."""
    call(BEFORE, AFTER, *RUN, "-q", "--out", "kept")
    path = tmp_path / "kept" / "recovery.json"
    content = json.loads(path.read_text())
    content.pop("checksum")
    for change in NOT_TOGETHER:
        path.write_text(sealed({**content, **change}))
        code, out, err = call("kept")
        assert (code, out) == (2, ""), change
        assert "cannot be read (" in err, change
        assert len(err.strip().splitlines()) == 1


def test_files_are_read_with_the_options_of_streams(call, tmp_path):
    write_wines(tmp_path)
    code, out, err = call(
        "red.csv", "white.csv", "--target", "y", "-l", "recursive_least_squares",
        "--repetitions", "2", "--bound", "cross", "--json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert json.loads(out)[0]["measure"] == "rmse"


def test_every_format_of_the_report_can_be_written(call, tmp_path):
    for end in ("html", "md", "json", "csv", "tex"):
        assert call(BEFORE, AFTER, *RUN, "-q", "--report", f"r.{end}")[0] == 0
        assert "naive_bayes" in (tmp_path / f"r.{end}").read_text().replace("\\_", "_")


CASES = {
    (BEFORE, "stagger(1)", *RUN): "before and after must have equal features",
    (BEFORE, AFTER, *RUN[:4], "--repetitions", "1"): "repetitions must be at least 2, got 1",
    (BEFORE, AFTER, *RUN, "--drift", "width=2000"): "streams must be longer than the drift",
    (BEFORE, AFTER, *RUN, "--drift", "quickly"): "drift must be 'slow', 'moderate', 'sudden'",
    (BEFORE, AFTER, *RUN, "--drift", "slo"): "did you mean 'slow'?",
    (BEFORE, AFTER, "--items", "600"): "--learners must be given",
    (BEFORE, AFTER, "-l", "nb"): "must end, got an endless stream; give --items",
    (BEFORE, *RUN): "must have an experiment file (.toml), a folder of logs, or two streams",
    ("gone.toml",): "gone.toml",
    ("varied.csv", "varied.csv", "-l", "target_mean"): "after must be another stream",
    ("constant.csv", "varied.csv", "-l", "target_mean"): "must have at least two values",
    ("wrong.toml",): "wrong.toml: repetitons",
    ("none.toml",): "learners: must have at least one",
    ("stream.toml", "--out", "kept"): "no stream is called 'seaa'; did you mean 'sea'?",
    ("measure.toml", "--out", "kept"): "no measure is called 'acuracy'",
    ("drift.toml", "--out", "kept"): "no speed of a drift is called 'slo'; did you mean 'slow'?",
    ("name.toml", "--out", "kept"): "name must be printable text, got 'a\\x1b[31m'",
    ("late.toml", "--out", "kept"): "name must not be that of another learner, got 'nb'",
    ("folder",): "must be the folder of a recovery analysis",
    ("folder", "--drift", "slow"): "--drift is for runs, got a folder of logs",
    ("pairs.toml", "--learners", "nb"): "--learners is for streams, got an experiment file",
    (BEFORE, AFTER, *RUN, "--report", "r.docx"): "path must be a name that ends in one of",
    (BEFORE, AFTER, *RUN, "--plot", "r.docx"): "path must be a name that ends in one of",
    (BEFORE, AFTER, *RUN, "--drift", "²"): "drift must be 'slow', 'moderate', 'sudden'",
    (BEFORE, AFTER, *RUN, "--delay", "²"): "delay '²': must be a name",
    (BEFORE, AFTER, *RUN, "--at", "nan"): "recover: t0 must be an item from 1 on, got nan",
    ("folder", "--seed", "0"): "--seed is for runs, got a folder of logs",
    ("folder", "--label-time", "t"): "--label-time is for runs, got a folder of logs",
    ("pairs.toml", "--target", "y"): "--target is for streams, got an experiment file",
    (
        BEFORE,
        AFTER,
        *RUN,
        "--saturation-levels",
        "0.9,x",
    ): "--saturation-levels must be two numbers separated",
    (
        BEFORE,
        AFTER,
        *RUN,
        "--saturation-levels",
        "0.9",
    ): "saturation_levels must be two numbers, for the old",
    (BEFORE, AFTER, *RUN, "--window", "tumbling(500)"): "window must be of at most 60 items",
}


@pytest.mark.parametrize("args", CASES, ids=" ".join)
def test_bad_input_is_one_sentence_and_exit_code_2(args, call, tmp_path):
    write_wines(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "constant.csv").write_text("x,y\n" + "1,2.5\n" * 90)
    (tmp_path / "varied.csv").write_text("x,y\n" + "1,2.5\n2,3.5\n" * 45)
    (tmp_path / "pairs.toml").write_text(SPEC)
    (tmp_path / "wrong.toml").write_text("repetitons = 3\n" + SPEC.replace("\nrepetitions = 2", ""))
    (tmp_path / "none.toml").write_text('before = "sea(1)"\nafter = "sea(3)"\nitems = 90\n')
    late = SPEC.replace('["recursive_least_squares"]', '[{name = "nb", learner = "perceptron"}]')
    (tmp_path / "late.toml").write_text(late)
    for name, old, new in (
        ("stream", "csv('red.csv', target='y')", "seaa(1)"),
        ("measure", 'name = "files"', 'name = "files"\nmeasure = "acuracy"'),
        ("drift", '"sudden"', '"slo"'),
        ("name", '"files"', r'"a\u001b[31m"'),
    ):
        (tmp_path / f"{name}.toml").write_text(SPEC.replace(old, new))
    before = sorted(p.name for p in tmp_path.iterdir())
    code, out, err = call(*args)
    assert (code, out) == (2, "")
    assert CASES[args] in err
    assert err.startswith("error: ")
    assert len(err.strip().splitlines()) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == before
