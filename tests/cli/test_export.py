"""`streamgauge export` writes the items that the other commands evaluate on."""

from __future__ import annotations

import json
import tomllib

import pytest

from streamgauge.cli import main
from streamgauge.experiments import read_spec
from streamgauge.streams import open_stream

TIMED = "when,load,zone,rain\n2025-01-01,3.5,b,no\n2025-01-02,,a,yes\n2025-01-03,2.5,b,no\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "rain.csv").write_text(TIMED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tables(capsys, *line):
    main([*line, "--json"])
    rows = json.loads(capsys.readouterr().out)["sections"][0]["table"]["rows"]
    return [row["cells"] for row in rows]


@pytest.mark.parametrize("seed", ["0", "5"])
@pytest.mark.parametrize("ending", ["csv", "arff", "parquet", "arrow"])
def test_results_on_the_file_equal_results_on_the_stream(folder, capsys, ending, seed):
    source, file = "agrawal(items=500)", f"a.{ending}"
    main(["export", source, file, "--seed", seed])
    assert "wrote" in capsys.readouterr().err
    options = ("-l", "nb,perceptron", "-m", "accuracy", "--seed", seed)
    assert tables(capsys, "evaluate", file, *options) == tables(
        capsys, "evaluate", source, *options
    )


@pytest.mark.parametrize("ending", ["csv", "arff", "parquet", "arrow"])
def test_the_line_for_an_experiment_is_right(folder, capsys, ending):
    file = f"written.{ending}"
    main(["export", "rain.csv", file, "--time", "when", "--target", "rain"])
    out, err = capsys.readouterr()
    assert "note: nominal: zone (text)" in err
    assert f"wrote {file}: 3 items" in err
    (folder / "spec.toml").write_text(f'{out}learners = ["nb"]\n')
    [stream] = read_spec("spec.toml").streams
    opened = stream.open()
    assert opened.schema.clock == "us"
    assert opened.schema.names == ("load", "zone")
    assert opened.schema.features[1].values == ("a", "b")
    assert tomllib.loads(out)["streams"][0]["file"] == file


def test_json_has_file_items_and_options(folder, capsys):
    main(["export", "drift(sea(1), sea(2), at=20, items=40)", "s.csv", "--take", "30", "--json"])
    out, err = capsys.readouterr()
    entry = json.loads(out)
    assert (entry["file"], entry["items"]) == ("s.csv", 30)
    assert entry["options"]["drifts"] == [{"start": 20, "centre": 20, "end": 20, "kind": "abrupt"}]
    assert not err
    main(["export", "drift(sea(1), sea(2), at=20, items=40)", "s.csv"])
    assert "note: a CSV file does not keep the known drifts" in capsys.readouterr().err
    main(["export", "sea(items=9)", "s.csv", "--quiet"])
    assert capsys.readouterr() == ("", "")


def test_plain_files_have_no_times(folder, capsys):
    main(["export", "rain.csv", "p.arff", "--time", "when", "--target", "rain", "--plain"])
    stream = open_stream("p.arff")
    assert (stream.schema.names, stream.schema.clock) == (("load", "zone"), "item")
