"""Cells that are run again: the same, different, unverified or failed."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.checksums import file_checksum, sealed
from streamgauge.cli import main
from streamgauge.errors import ParameterError
from streamgauge.experiments import Spec, read_spec, run_experiment
from streamgauge.experiments import _experiment as experiment
from streamgauge.experiments import _versions as versions

STREAMS = ["sea(items=60)", "take(csv('d.csv', target='y'), 30)"]
LEARNERS = ["nb", "hoeffding_tree", "river:tree.HoeffdingTreeClassifier()"]


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A run folder beside its data, with native cells and cells of river."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "d.csv").write_text("a,y\n" + "1,u\n2,v\n" * 20)
    spec = Spec(
        streams=[*STREAMS, {"file": "d.csv", "target": "y"}],
        learners=LEARNERS,
        protocols=["prequential", "chunks(10)"],
        measures=["auc"],
        repetitions=2,
    )
    run_experiment(spec.in_folder(folder), folder / "run")
    return folder


@pytest.fixture
def run(made, tmp_path) -> Path:
    shutil.copytree(made, tmp_path / "copy")
    return tmp_path / "copy" / "run"


def content(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def cell_of(run: Path, start: str) -> Path:
    return next(p for p in sorted((run / "cells").iterdir()) if p.name.startswith(start))


def forge(cell: Path, row: int) -> tuple[str, str]:
    """Change a prediction, and compute the checksums again; returns both classes."""
    path = cell / "predictions.parquet"
    table = pq.read_table(path)
    values = table.column("prediction").to_pylist()
    old, values[row] = values[row], 1 - values[row]
    column = table.schema.get_field_index("prediction")
    field = table.schema.field(column)
    pq.write_table(table.set_column(column, field, pa.array(values, field.type)), path)
    card = json.loads((cell / "log.json").read_text())
    del card["checksum"]
    size = path.stat().st_size
    card["tables"]["predictions"] |= {"bytes": size, "checksum": file_checksum(path)}
    (cell / "log.json").write_text(sealed(card))
    (cell / "values.json").unlink()  # they would be those of another log
    classes = card["schema"]["classes"]
    return repr(classes[old]), repr(classes[1 - old])


def test_all_cells_are_the_same_and_the_folder_is_not_changed(run):
    before = content(run.parent)
    found = sg.verify(run, rerun=True, allow_import=True)
    assert {one.outcome for one in found} == {"same"}
    assert len(found) == 36
    assert found[0].rows == {"predictions": 60, "labels": 60, "training": 60, "vitals": 3}
    assert content(run.parent) == before
    names = [one.name for one in found]
    assert names == [one.name for one in sg.verify(run)]  # in the order of the grid


def test_a_forged_log_is_whole_and_different(run, capsys):
    cell = cell_of(run, "sea-items-60-nb")
    stored, again = forge(cell, 17)[::-1]
    assert {one.verdict for one in sg.verify(run)} == {"whole"}
    found = [one for one in sg.verify(run, rerun=True) if one.outcome == "different"]
    assert [one.folder for one in found] == [cell]
    (one,) = found[0].differences
    assert (one.table, one.row, one.item, one.column) == ("predictions", 17, 17, "prediction")
    assert (one.stored, one.again, one.rows) == (stored, again, 1)
    with pytest.raises(SystemExit) as left:
        main(["verify", str(run), "--rerun"])
    shown = capsys.readouterr()
    assert left.value.code == 2
    assert f"prediction is {stored}, and {again} when run again" in shown.out
    assert shown.out.splitlines()[-1] == "23 same, 1 different, 12 unverified"
    assert "got 1 of 36 that have not" in shown.err


def test_a_sample_is_drawn_by_the_seed_from_what_can_be_run(run):
    def drawn(**given):
        found = sg.verify(run, rerun=True, **given)
        return [one.name for one in found if one.outcome == "same"], len(found)

    names, count = drawn(sample=3)
    assert (len(names), count) == (3, 3 + 12)
    assert drawn(sample=3) == (names, count)
    assert drawn(sample=3, seed=1) != (names, count)
    assert len(drawn(sample=99)[0]) == 24
    every = [one.name for one in sg.verify(run)]
    assert sorted(names, key=every.index) == names


def test_code_is_imported_only_if_allowed(made, tmp_path, monkeypatch, capsys):
    (tmp_path / "planted_model.py").write_text(
        "import streamgauge.learners\nraise SystemExit('was imported')\n"
    )
    (tmp_path / "good_model.py").write_text("from streamgauge.learners import NaiveBayes as Own\n")
    monkeypatch.chdir(tmp_path)
    spec = Spec(streams=["sea(items=30)"], learners=["nb", "good_model:Own()"])
    run_experiment(spec, "run")
    found = sg.verify("run", rerun=True)
    assert [one.outcome for one in found] == ["same", "unverified"]
    assert found[1].why[0].startswith("would import good_model:Own, ")
    main(["verify", "run", "--rerun", "--allow-import"])
    shown = capsys.readouterr()
    assert "note: imports good_model:Own" in shown.err
    assert shown.out.splitlines()[-1] == "2 same"
    Path("good_model.py").write_text("class Own: pass\n")
    found = sg.verify("run", rerun=True, allow_import=True)
    assert found[1].outcome == "unverified"
    assert found[1].why[0].startswith("made with good_model ")


@pytest.mark.parametrize("package", ["streamgauge", "river"])
def test_cells_of_another_version_are_unverified(run, monkeypatch, package):
    if package == "streamgauge":
        monkeypatch.setattr(experiment, "VERSION", "99.0")
    else:
        monkeypatch.setattr(versions, "version", lambda name: "99.0")
    found = sg.verify(run, rerun=True, allow_import=True, sample=2)
    other = [one for one in found if one.outcome == "unverified"]
    assert len(other) == (36 if package == "streamgauge" else 12)
    assert all(one.why[0].startswith(f"made with {package} ") for one in other)
    assert all(one.why[0].endswith(", here 99.0") for one in other)


def test_cells_of_other_data_are_unverified_and_data_may_be_elsewhere(run, tmp_path, capsys):
    data = run.parent / "d.csv"
    data.rename(tmp_path / "d.csv")
    found = sg.verify(run, rerun=True)
    assert sum(one.outcome == "same" for one in found) == 8
    assert "d.csv must be the file of the experiment" in found[-1].why[0]
    found = sg.verify(run, rerun=True, data=tmp_path)
    assert sum(one.outcome == "same" for one in found) == 24
    (tmp_path / "d.csv").write_text("a,y\n3,u\n")
    main(["verify", str(run), "--rerun", "--data", str(tmp_path)])
    assert "got none or another content; give --data FOLDER" in capsys.readouterr().out


def test_what_cannot_be_compared_or_run_has_failed(run, monkeypatch, capsys):
    gone, cut = (cell_of(run, f"sea-items-60-{name}") for name in ("nb", "hoeffding"))
    shutil.rmtree(gone)
    (cut / "labels.parquet").write_bytes(b"")
    outcomes = {one.folder: one for one in sg.verify(run, rerun=True)}
    assert {p for p, one in outcomes.items() if one.outcome == "failed"} == {gone, cut}
    assert "was not run yet" in outcomes[gone].why[0]
    assert "labels.parquet" in outcomes[cut].why[0]
    with pytest.raises(SystemExit) as left:
        main(["verify", str(run), "--rerun", "--json"])
    assert left.value.code == 2
    entries = json.loads(capsys.readouterr().out)
    assert len(entries) == 36
    assert entries[0].keys() == asdict(next(iter(outcomes.values()))).keys()


def test_a_learner_that_fails_when_run_again_is_named(tmp_path, monkeypatch):
    model = (
        "import os\nclass Own:\n"
        " def predict(self, x):\n  return None\n"
        " def learn(self, x, y):\n  if os.path.exists('broken'): raise OSError('no more')\n"
    )
    (tmp_path / "breaks_later.py").write_text(model)
    monkeypatch.chdir(tmp_path)
    run_experiment(Spec(streams=["sea(items=30)"], learners=["breaks_later:Own()", "nb"]), "run")
    Path("broken").touch()
    first, second = sg.verify("run", rerun=True, allow_import=True)
    assert (first.outcome, second.outcome) == ("failed", "same")
    assert "learn failed at item 0" in first.why[0]


def test_progress_counts_cells(run):
    seen = []
    sg.verify(run, lambda done, total: seen.append((done, total)), rerun=True, sample=2)
    assert seen == [(n, 14) for n in range(1, 15)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("RUN --sample 3", "--sample is for --rerun"),
        ("RUN --allow-import", "--allow-import is for --rerun"),
        ("RUN --seed 0", "--seed is for --rerun"),
        ("RUN --rerun --seed 3", "--seed is for --sample"),
        ("RUN --rerun --sample 0", "0 is not in the range"),
        ("RUN --rerun --data none", "data must be an existing folder"),
        ("CELL --rerun", "must be the folder of a run"),
        ("none --rerun", "must be the folder of a run"),
    ],
)
def test_bad_input_is_one_sentence(run, capsys, line, words):
    cell = cell_of(run, "sea")
    places = {"RUN": str(run), "CELL": str(cell)}
    with pytest.raises(SystemExit) as left:
        main(["verify", *(places.get(word, word) for word in line.split())])
    error = capsys.readouterr().err
    assert left.value.code == 2
    assert words in error


def test_wrong_arguments_are_refused(run):
    for given in ({"sample": 3}, {"seed": 1}, {"allow_import": True}, {"data": run.parent}):
        with pytest.raises(ParameterError, match="give rerun=True"):
            sg.verify(run, **given)
    with pytest.raises(ParameterError, match="sample must be"):
        sg.verify(run, rerun=True, sample=0)


def test_a_folder_in_which_nothing_can_be_run_is_no_success(tmp_path, capsys):
    path = tmp_path / "e.toml"
    path.write_text('streams=["sea(items=30)"]\nlearners=["river:tree.HoeffdingTreeClassifier()"]')
    run_experiment(read_spec(path), tmp_path / "run")
    with pytest.raises(SystemExit) as left:
        main(["verify", str(tmp_path / "run"), "--rerun"])
    assert left.value.code == 2
    assert "at least one cell must be run again, got none" in capsys.readouterr().err
