"""Damage and exchange of files are found: no flipped byte and no swap changes a result silently."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.ipc import RecordBatchStreamReader

import streamgauge as sg
from streamgauge.checksums import MARK, file_checksum, is_sealed, sealed
from streamgauge.cli import main
from streamgauge.errors import DiskError, LogError, SpecError
from streamgauge.experiments._run_experiment import read_experiment
from streamgauge.log import Book, read_log
from streamgauge.log._folder_writer import FolderWriter
from streamgauge.log.card import NAME, read_card

SPEC = """
streams = ["sea(items=300)", "sea(items=300, function=3)"]
learners = ["nb", "resetting('nb', 'ddm')"]
measures = ["accuracy", "auc"]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder with an experiment, `spec.toml`, and its run folder `run`."""
    root = tmp_path_factory.mktemp("made")
    (root / "spec.toml").write_text(SPEC)
    sg.experiments.run_experiment(sg.experiments.read_spec(root / "spec.toml"), root / "run")
    return root


@pytest.fixture
def run(made, tmp_path) -> Path:
    """A copy of the run folder that may be damaged."""
    shutil.copy(made / "spec.toml", tmp_path / "spec.toml")
    return Path(shutil.copytree(made / "run", tmp_path / "run"))


def outcome(capsys, *words: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    code = 0
    try:
        main([*words])
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    return code, out, err


def everything(log: sg.log.Log) -> list[float]:
    """Numbers that need every table that is measured."""
    alarms = len(log.alarms()) + len(log.vitals()) + len(log.selections())
    learned = sum(float(part.weight.sum()) for part in log.training())
    return [alarms, learned, *(sg.measure(log, m).final for m in ("accuracy", "auc"))]


def test_a_card_states_rows_size_and_checksum_of_each_table_and_the_run(made):
    cells = sorted((made / "run" / "cells").iterdir())
    cards = [read_card(cell) for cell in cells]
    assert len({card.run for card in cards}) == len(cards) == 4
    for cell, card in zip(cells, cards, strict=True):
        assert card.cell == cell.name
        assert {table.file for table in card.tables.values()} == {
            path.name for path in cell.glob("*.parquet")
        }
        for table in card.tables.values():
            assert table.bytes == (cell / table.file).stat().st_size


def test_a_repeated_run_has_the_same_files(made, tmp_path):
    again = tmp_path / "again"
    sg.experiments.run_experiment(sg.experiments.read_spec(made / "spec.toml"), again)
    for path in sorted((made / "run").rglob("*")):
        if path.is_file() and path.name not in (NAME, "events.jsonl"):
            assert path.read_bytes() == (again / path.relative_to(made / "run")).read_bytes()


@pytest.mark.parametrize("nth", range(40))
def test_a_flipped_byte_is_found_in_every_file(run, nth):
    """By reading the log, or the spec, and by `verify`; each file in turn, a random byte."""
    rng = random.Random(nth)
    files = [p for p in sorted(run.rglob("*")) if p.is_file() and p.name != "events.jsonl"]
    path = files[nth % len(files)]
    content = bytearray(path.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    before = sg.table(run)
    path.write_bytes(bytes(content))
    assert any(one.verdict == "damaged" for one in sg.verify(run))
    if path.name == "cell.json":  # reading a log does not need it
        return
    if path.name == "values.json":  # the values are computed again
        assert sg.table(run).equals(before)
        return
    with pytest.raises((LogError, SpecError)):
        assert [everything(log) for log in read_experiment(run)[1]]


def test_every_swap_of_a_file_between_two_cells_is_found(run):
    cells = sorted((run / "cells").iterdir())
    before = sg.table(run)
    swaps = 0
    for a in cells:
        for b in cells:
            names = {p.name for p in a.iterdir()} & {p.name for p in b.iterdir()}
            for name in sorted(names) if a < b else ():
                one, other = (a / name).read_bytes(), (b / name).read_bytes()
                if one == other:
                    continue
                swaps += 1
                (a / name).write_bytes(other)
                (b / name).write_bytes(one)
                assert [one.verdict for one in sg.verify(run)].count("damaged") == 2
                if name == "values.json":
                    assert sg.table(run).equals(before)
                for place in (a, b) if name not in ("cell.json", "values.json") else ():
                    with pytest.raises(LogError):
                        everything(read_log(place))
                    assert sg.verify(place)[0].verdict == "damaged"
                (a / name).write_bytes(one)
                (b / name).write_bytes(other)
    assert swaps > 15
    assert all(one.verdict == "whole" for one in sg.verify(run))


def test_swapped_cells_and_a_table_that_no_card_lists_are_found(run, capsys):
    a, b, *_ = sorted((run / "cells").iterdir())
    a.rename(run / "held")
    b.rename(a)
    (run / "held").rename(b)
    code, _, err = outcome(capsys, "report", str(run))
    assert code == 2
    assert f"{a}: must be the log of the cell {a.name}, got that of {b.name}" in err
    assert [one.verdict for one in sg.verify(run)].count("damaged") == 2
    (b / "weights.parquet").write_bytes((b / "labels.parquet").read_bytes())
    assert any("weights.parquet" in wrong for one in sg.verify(b) for wrong in one.wrong)
    assert everything(read_log(b))  # it is not read


@pytest.mark.parametrize("name", ["labels.parquet", "predictions.parquet", NAME])
@pytest.mark.parametrize("length", [0, 4, -1])
def test_a_truncated_file_is_named_by_report_and_its_cell_is_run_again(run, capsys, name, length):
    _, cell, *others = sorted((run / "cells").iterdir())
    whole = {p: p.read_bytes() for p in run.rglob("*.parquet")}
    kept = {place: place.stat().st_ino for place in others}
    content = (cell / name).read_bytes()
    (cell / name).write_bytes(content[:length])
    code, out, err = outcome(capsys, "report", str(run))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert str(cell / name) in err
    assert "run it again" in err
    code, _, err = outcome(capsys, "verify", str(run))
    assert (code, "1 of 4" in err) == (2, True)
    code, _, err = outcome(capsys, "run", str(run.parent / "spec.toml"), "--out", str(run), "-q")
    assert code == 0
    assert re.fullmatch(rf"note: {re.escape(str(cell / name))}: must .* is run again\n", err)
    assert {p: p.read_bytes() for p in run.rglob("*.parquet")} == whole
    assert {place: place.stat().st_ino for place in others} == kept
    assert outcome(capsys, "verify", str(run))[0] == 0


def unreadable(path: Path, number: int | None, monkeypatch) -> None:
    """Make a file one that cannot be read: a folder, a link to itself, or an error of the disk."""
    if number is None:
        path.unlink()
        path.mkdir()
    elif number == errno.ELOOP:
        path.unlink()
        path.symlink_to(path)
    else:
        file, read = path.stat().st_ino, Path.read_bytes

        def read_bytes(self: Path) -> bytes:
            if self.stat().st_ino == file:
                raise OSError(number, os.strerror(number), str(self))
            return read(self)

        monkeypatch.setattr(Path, "read_bytes", read_bytes)


@pytest.mark.parametrize("number", [None, errno.ELOOP, errno.EIO, errno.EACCES])
@pytest.mark.parametrize("name", ["labels.parquet", NAME])
def test_a_file_that_cannot_be_read_is_damage(run, capsys, monkeypatch, name, number):
    """`verify` lists it and all other damage, and `run` runs its cell again."""
    other, cell, *_ = sorted((run / "cells").iterdir())
    unreadable(cell / name, number, monkeypatch)
    (other / "training.parquet").write_bytes(b"damaged")
    code, out, err = outcome(capsys, "verify", str(run))
    assert (code, "2 of 4" in err) == (2, True), err
    assert str(other / "training.parquet") in out
    assert str(cell) in out
    code, _, err = outcome(capsys, "run", str(run.parent / "spec.toml"), "--out", str(run), "-q")
    assert (code, err.count("is run again")) == (0, 2), err
    assert outcome(capsys, "verify", str(run))[0] == 0


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES])
def test_an_experiment_that_cannot_be_read_is_damage(run, capsys, monkeypatch, number):
    text = (run / "experiment.json").read_text()
    unreadable(run / "experiment.json", number, monkeypatch)
    code, out, err = outcome(capsys, "verify", str(run))
    assert (code, "1 of 5" in err) == (2, True), err
    assert "experiment.json: must be the experiment of a run, got a file that cannot be" in out
    assert outcome(capsys, "run", str(run.parent / "spec.toml"), "--out", str(run), "-q")[0] == 0
    assert (run / "experiment.json").read_text() == text


@pytest.mark.parametrize("where", ["OSFile", "open_stream", "read_next_batch"])
def test_a_disk_error_is_not_the_end_of_an_interrupted_log(tmp_path, monkeypatch, where):
    log = sg.run("sea(items=300)", "nb")
    book = Book(log.schema, log.about, folder=tmp_path / "log")
    for rows in log.tables.rows:
        book.write(rows)
    book._writer.close("running", lasting=False)
    assert sg.verify(tmp_path / "log")[0].rows["labels"] == 300

    def fails(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def stream(source: pa.NativeFile) -> SimpleNamespace:
        reader = RecordBatchStreamReader(source)
        return SimpleNamespace(schema=reader.schema, read_next_batch=fails)

    if where == "OSFile":
        monkeypatch.setattr(pa, "OSFile", fails)
    else:
        monkeypatch.setattr(pa.ipc, "open_stream", fails if where == "open_stream" else stream)
    (found,) = sg.verify(tmp_path / "log")
    assert found.verdict == "damaged"
    assert len([wrong for wrong in found.wrong if "cannot be read" in wrong]) == 3


@pytest.mark.parametrize("version", [1, 2, 7])
def test_a_damaged_version_is_damage_and_not_another_version(run, capsys, version):
    cell = next((run / "cells").iterdir())
    text = (cell / NAME).read_text()
    (cell / NAME).write_text(text.replace('"version": 4', f'"version": {version}'))
    code, _, err = outcome(capsys, "report", str(run))
    assert (code, "must be as the run wrote it" in err) == (2, True)
    assert outcome(capsys, "run", str(run.parent / "spec.toml"), "--out", str(run), "-q")[0] == 0
    assert read_card(cell).status == "complete"


def test_a_damaged_spec_of_a_run_is_refused_and_written_again(run, capsys):
    spec = run / "experiment.json"
    text = spec.read_text()
    spec.write_text(text.replace("accuracy", "accurbcy"))
    code, _, err = outcome(capsys, "report", str(run))
    assert (code, "experiment.json: must be as the run wrote it" in err) == (2, True)
    assert outcome(capsys, "run", str(run.parent / "spec.toml"), "--out", str(run), "-q")[0] == 0
    assert spec.read_text() == text


ABOUT = "about must be an object of texts"


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("about", [], ABOUT),
        ("about", "text", ABOUT),
        ("about", 7, ABOUT),
        ("about", {"learner": 7}, ABOUT),
        ("status", "finished", "status must be one of running, complete, incomplete"),
        ("status", [], "status must be"),
        ("reason", 1, "reason must be text"),
        ("scores", "no", "scores must be true or false"),
        ("resources", [1], "resources must be an object of numbers"),
        ("tables", [], "cannot be read"),
        ("tables", {}, "must have the tables"),
        ("schema", None, "cannot be read"),
        ("run", 5, "run must be text"),
        ("surprise", 1, "surprise"),
    ],
)
def test_a_card_with_a_wrong_value_is_refused_in_one_sentence(run, capsys, key, value, words):
    """Also if its checksum is right."""
    cell = next((run / "cells").iterdir())
    card = json.loads((cell / NAME).read_text())
    del card["checksum"]
    (cell / NAME).write_text(sealed({**card, key: value}))
    with pytest.raises(LogError, match=words):
        read_log(cell)
    for command in ("measure", "detect --detectors ddm", "compare", "report"):
        folder = run if command == "report" else cell
        code, out, err = outcome(capsys, *command.split(), str(folder))
        assert (code, out) == (2, ""), err
        assert str(cell / NAME) in err


@pytest.mark.parametrize(
    ("key", "stated"),
    [("learns_every", "many"), ("learns_every", "0"), ("learns_every", "9" * 5000)],
)
def test_a_number_in_the_origin_of_a_log_that_no_run_states_is_refused(run, capsys, key, stated):
    for cell in (run / "cells").iterdir():
        card = json.loads((cell / NAME).read_text())
        del card["checksum"]
        card["about"][key] = stated
        (cell / NAME).write_text(sealed(card))
    code, out, err = outcome(capsys, "report", str(run))
    assert (code, out) == (2, "")
    assert f"{key} of a log must be a whole number of at least 1, got '{stated[:80]}'" in err


@pytest.mark.parametrize("end", [-1, 10**400])
def test_a_drift_at_no_item_is_refused(run, end):
    cell = next((run / "cells").iterdir())
    card = json.loads((cell / NAME).read_text())
    del card["checksum"]
    card["schema"]["drifts"] = [{"start": 0, "centre": 0, "end": end, "kind": "abrupt"}]
    (cell / NAME).write_text(sealed(card))
    with pytest.raises(LogError, match="drifts are numbers of items"):
        read_log(cell)


def test_a_table_file_outside_of_the_folder_is_refused(run):
    cell = next((run / "cells").iterdir())
    card = json.loads((cell / NAME).read_text())
    del card["checksum"]
    card["tables"]["labels"]["file"] = "../labels.parquet"
    (cell / NAME).write_text(sealed(card))
    with pytest.raises(LogError, match="tables must be"):
        read_log(cell)


def test_an_interrupted_log_has_checksums_too(tmp_path):
    class Fails:
        def predict(self, x):
            return 0

        def learn(self, x, y):
            self.seen = getattr(self, "seen", 0) + 1
            if self.seen == 200:
                raise ValueError("no more")

    with pytest.raises(sg.errors.LearnerError):
        sg.run("sea(items=300)", Fails(), folder=tmp_path / "log")
    (found,) = sg.verify(tmp_path / "log")
    assert (found.verdict, found.rows["predictions"]) == ("incomplete", 200)
    path = tmp_path / "log" / "labels.arrows"
    content = bytearray(path.read_bytes())
    content[-200] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(LogError, match=r"labels\.arrows: must have the checksum"):
        list(read_log(tmp_path / "log").labels())


def test_a_log_with_fewer_rows_than_were_logged_is_not_complete(tmp_path, monkeypatch):
    log = sg.run("sea(items=300)", "nb")
    book = Book(log.schema, log.about, folder=tmp_path / "log")
    for rows in log.tables.rows:
        book.write(rows)
    flush = FolderWriter._flush

    def fewer(self, writers, unwritten):
        flush(self, writers, unwritten)
        self._rows["labels"] += 1

    monkeypatch.setattr(FolderWriter, "_flush", fewer)
    with pytest.raises(DiskError, match=r"labels\.parquet: must have the 301 rows"):
        book.close()
    assert read_card(tmp_path / "log").status == "incomplete"
    (found,) = sg.verify(tmp_path / "log")
    assert found.verdict == "damaged"


@pytest.mark.parametrize("moved", ["attempt", "cell"])
def test_verify_while_a_run_moves_its_attempts(run, moved):
    """Files that are gone since the folder was listed are no error of `verify`."""
    attempt = run / "attempts" / "cell.1"
    cell = next((run / "cells").iterdir())
    shutil.copytree(cell, attempt)
    (attempt / "gone.parquet").symlink_to(run / "none")  # as if it was moved after it was listed
    if moved == "cell":
        (cell / "labels.parquet").unlink()
        (cell / "labels.parquet").symlink_to(run / "none")
    seen: list[tuple[int, int]] = []
    found = sg.verify(run, lambda done, total: seen.append((done, total)))
    assert [one.verdict for one in found].count("whole") == 4 - (moved == "cell")
    if moved == "attempt":
        assert seen[-1][0] == seen[-1][1]


def test_stray_files_and_incomplete_cells_of_another_version_are_no_damage(run, capsys):
    cell = next((run / "cells").iterdir())
    (run / "cells" / ".DS_Store").write_text("stray")
    assert outcome(capsys, "verify", str(run))[0] == 0
    other = run / "cells" / "other"
    shutil.copytree(cell, other)
    card = {**json.loads((other / NAME).read_text()), "cell": "other", "status": "incomplete"}
    del card["checksum"]
    (other / NAME).write_text(sealed(card))
    code, out, err = outcome(capsys, "verify", str(run))
    assert (code, err) == (0, "")
    assert "incomplete  other (not used): 300 predictions" in out
    assert f"{other}: its run has not finished; it is of another version and not used" in out
    assert "run it again" not in out
    _, out, _ = outcome(capsys, "verify", str(run), "--json")
    assert [entry["used"] for entry in json.loads(out)] == [True] * 4 + [False]
    (other / "labels.parquet").write_bytes(b"damaged")
    assert outcome(capsys, "verify", str(run))[0] == 2


def test_verify_prints_one_line_per_cell(run, capsys):
    code, out, err = outcome(capsys, "verify", str(run))
    assert (code, err, out.count("\n")) == (0, "", 4)
    assert out.startswith("whole       nb on sea(items=300): 300 predictions, 300 labels, 300 ")
    shutil.rmtree(next((run / "cells").iterdir()))
    code, out, err = outcome(capsys, "verify", str(run), "--json")
    assert code == 2
    verdicts = [entry["verdict"] for entry in json.loads(out)]
    assert sorted(verdicts) == ["missing", "whole", "whole", "whole"]
    assert err == f"error: {run}: every log must be whole, got 1 of 4 that are not\n"
    code, out, err = outcome(capsys, "verify", str(run.parent))
    assert (code, out) == (2, "")
    assert "must be the folder of a log or of a run" in err


@pytest.mark.parametrize("at", [0, 5, 20, -5, -1])
def test_a_sealed_text_is_exactly_as_it_was_written(at):
    text = sealed({"a": [1.5, float("nan")], "b": {"c": "ü"}})
    assert is_sealed(text)
    assert json.loads(text)["b"] == {"c": "ü"}
    assert not is_sealed(text[:at] + "x" + text[at:][1:])
    assert not is_sealed(text.replace(MARK, ""))


@pytest.mark.parametrize("command", ["report", "compare", "rank"])
def test_a_cell_without_its_card_is_named_and_run_again(run, capsys, command):
    cell = sorted((run / "cells").iterdir())[1]
    (cell / NAME).unlink()
    code, out, err = outcome(capsys, command, str(run))
    assert (code, out) == (2, "")
    assert str(cell) in err
    spec = str(run.parent / "spec.toml")
    assert outcome(capsys, "run", spec, "--out", str(run), "-q")[0] == 0
    assert outcome(capsys, "verify", str(run))[0] == 0


def test_a_received_table_that_is_sealed_but_invalid_is_refused(run, capsys):
    cell = next(p for p in sorted((run / "cells").iterdir()) if (p / "alarms.parquet").exists())
    path = cell / "alarms.parquet"
    table = pq.read_table(path)
    place = table.schema.get_field_index("detector")
    names = pa.array([b"\xff\xfe"] * len(table), pa.binary()).view(pa.string())
    table = table.set_column(place, table.schema.field(place), names)
    pq.write_table(table, path, store_schema=True)
    card = json.loads((cell / NAME).read_text())
    card["tables"]["alarms"] |= {"bytes": path.stat().st_size, "checksum": file_checksum(path)}
    del card["checksum"]
    (cell / NAME).write_text(sealed(card))
    (found,) = sg.verify(cell)
    assert found.verdict == "damaged"
    assert str(path) in found.wrong[0]
    with pytest.raises(LogError, match="must be a Parquet file of a log, got a damaged one"):
        read_log(cell).alarms()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in the file system")
def test_a_pipe_in_the_place_of_a_table_is_damage(run):
    cell = sorted((run / "cells").iterdir())[0]
    card = json.loads((cell / NAME).read_text())
    card["tables"]["labels"]["bytes"] = 0
    del card["checksum"]
    (cell / NAME).write_text(sealed(card))
    (cell / "labels.parquet").unlink()
    os.mkfifo(cell / "labels.parquet")
    (found,) = sg.verify(cell)
    assert found.verdict == "damaged"
    assert "must have a regular file" in found.wrong[0]


def test_a_log_beside_an_experiment_does_not_hide_its_cells(run):
    a, b, *_ = sorted((run / "cells").iterdir())
    for path in a.iterdir():
        shutil.copy(path, run)
    (b / "labels.parquet").write_bytes(b"damaged")
    assert sorted(one.verdict for one in sg.verify(run)) == ["damaged"] + 3 * ["whole"]


@pytest.mark.parametrize("command", ["rank", "compare", "bins", "report"])
def test_a_run_folder_without_finished_cells_gets_a_sentence(run, capsys, command):
    shutil.rmtree(run / "cells")
    code, out, err = outcome(capsys, command, str(run))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "at least one" in err


@pytest.mark.parametrize(
    ("table", "column", "value", "words"),
    [
        ("labels", "label", 2, "codes of the 2 classes"),
        ("labels", "label", 2**31 - 1, "codes of the 2 classes"),
        ("labels", "label", -2, "codes of the 2 classes"),
        ("labels", "item", 2**62, r"items numbered below 2\*\*62"),
        ("predictions", "prediction", 1_000_000, "codes of the 2 classes"),
        ("predictions", "item", 2**63, r"items numbered below 2\*\*62"),
        ("training", "weight", -1.0, "weights that are finite and at least 0"),
        ("training", "weight", float("nan"), "weights that are finite and at least 0"),
        ("training", "weight", float("inf"), "weights that are finite and at least 0"),
    ],
)
def test_a_value_that_no_run_writes_is_refused(run, table, column, value, words):
    cell = sorted((run / "cells").iterdir())[0]
    path = cell / f"{table}.parquet"
    content = pq.read_table(path)
    place = content.schema.get_field_index(column)
    cells = content.column(column).to_pylist()
    cells[7] = value
    field = content.schema.field(place)
    pq.write_table(content.set_column(place, field, pa.array(cells, field.type)), path)
    card = json.loads((cell / NAME).read_text())
    card["tables"][table] |= {"bytes": path.stat().st_size, "checksum": file_checksum(path)}
    del card["checksum"]
    (cell / NAME).write_text(sealed(card))
    with pytest.raises(LogError, match=f"table {table} must have {words}, got others"):
        list(getattr(read_log(cell), table)())
    (found,) = sg.verify(cell)
    assert found.verdict == "damaged"
