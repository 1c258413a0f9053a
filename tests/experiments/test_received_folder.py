"""A run folder that was received is data: reading it imports and starts nothing."""

from __future__ import annotations

import copy
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.checksums import MARK, as_text, checksum, sealed
from streamgauge.cli import main
from streamgauge.errors import SpecError
from streamgauge.experiments import cells, read_spec, run_experiment
from streamgauge.experiments._experiment import NAME as SPEC
from streamgauge.experiments._experiment import read_stored

PACKAGE = Path(sg.__file__).parents[1]

PAYLOADS = (
    "planted:Code()",
    "sklearn:utils._testing.check_output(['touch', 'started'])",
    "planted_point",
    "river:tree.HoeffdingTreeClassifier()",
)

NAMED = [("streams", 0), ("learners", 0), ("protocols", 0)]

SCRIPT = r"""
import json, os, sys

out, sources, line = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork",
          "os.forkpty", "pty.spawn", "webbrowser.open")
# events that change names, with the positions of the paths and of the folders they are relative to
CHANGES = {"os.remove": [(0, 1)], "os.rmdir": [(0, 1)], "os.rename": [(0, 2), (1, 3)],
           "os.truncate": [(0, 0)], "shutil.rmtree": [(0, 1)], "os.mkdir": [(0, 2)],
           "os.link": [(1, 3)], "os.symlink": [(1, 2)]}
seen = []


def place(path, folder):
    # the path of a name itself, not of what it leads to
    if isinstance(path, int):
        return os.readlink(f"/proc/self/fd/{path}")
    base = os.readlink(f"/proc/self/fd/{folder}") if isinstance(folder, int) and folder >= 0 else ""
    where, name = os.path.split(os.path.join(base, os.fsdecode(path).rstrip("/")))
    return os.path.join(os.path.realpath(where), name)


def hook(event, args):
    if event == "import" and args[0].partition(".")[0] == "planted":
        seen.append("import planted")
    # import_module raises no event of its own, but the module's code is executed
    if event == "exec" and os.path.basename(args[0].co_filename) == "planted.py":
        seen.append("import planted")
    if event in STARTS or event.startswith(("socket.", "urllib.", "ftplib.", "smtplib.")):
        seen.append(f"{event} {args!r}")
    for path, folder in CHANGES.get(event, ()):
        path = place(args[path], args[folder])
        if path != out and not path.startswith(f"{out}/"):
            seen.append(f"{event} {path}")
    if event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR):
        path = "" if isinstance(args[0], int) else os.path.realpath(os.fsdecode(args[0]))
        if path and path != "/dev/null" and not path.startswith(out):
            seen.append(f"write {path}")


sys.addaudithook(hook)
from streamgauge.cli import main
from streamgauge.log import read_log

RUN = {
    "report": ["report", "FOLDER", "-o", f"{out}/r.html"],
    "given": ["report", "FOLDER", "-o", f"{out}/r.md", "-m", "accuracy", "-w", "whole"],
    "compare": ["compare", "FOLDER", "--json"],
    "rank": ["rank", "FOLDER"],
    "bins": ["bins", "FOLDER"],
    "verify": ["verify", "FOLDER"],
    "cells": ["query", "FOLDER", "select * from cells, labels, alarms"],
    "query": ["query", "FOLDER", "select * from results"],
    "plan": ["plan", "FOLDER"],
    "explain": ["explain", "FOLDER", "--bibtex", f"{out}/r.bib"],
    "run": ["run", "FOLDER", "--out", f"{out}/again", "-q", "--executor", "serial"],
}
CELL = {
    "measure": ["measure", "FOLDER", "--curve", "--every", "50"],
    "detect": ["detect", "FOLDER", "-d", "ddm"],
    "bins": ["bins", "FOLDER"],
}
found = []
for number, source in enumerate(sources):
    whole = os.path.exists(f"{source}/experiment.json")
    codes, errors = {}, {}
    for name, words in ({"line": line} if line else RUN if whole else CELL).items():
        stdout, stderr = sys.stdout, sys.stderr
        with open(os.devnull, "w") as sys.stdout, open(f"{out}/stderr", "w+") as sys.stderr:
            try:
                places = {"FOLDER": source, f"{out}/again": f"{out}/again{number}"}
                main([places.get(word, word) for word in words])
                codes[name] = 0
            except SystemExit as left:
                codes[name] = left.code or 0
            sys.stderr.seek(0)
            errors[name] = sys.stderr.read()
        sys.stdout, sys.stderr = stdout, stderr
    if not whole:
        try:
            log = read_log(source)
            log._repr_html_(), repr(log), log.about
        except Exception as error:
            if type(error).__module__ != "streamgauge.errors":
                raise
    found.append([codes, errors])
tops = sorted({n.partition(".")[0] for n in sys.modules})
print(json.dumps({"seen": seen, "found": found, "tops": tops}))
"""


PLANTED = """
import contextlib, os, shutil
class Code: pass
os.system('touch started')
shutil.rmtree('/none/tree', ignore_errors=True)
for change, *more in ((os.remove,), (os.rmdir,), (os.rename, 'x'), (os.truncate, 0)):
    with contextlib.suppress(OSError):
        change('/none/file', *more)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """A folder on the path with code that must not run, and entry points that name it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "planted.py").write_text(PLANTED)
    info = folder / "planted_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: planted_package\nVersion: 1.0\n")
    groups = ("measures", "windows", "streams", "learners", "protocols")
    (info / "entry_points.txt").write_text(
        "".join(f"[streamgauge.{g}]\nplanted_point = planted:Code\n" for g in groups)
    )
    return folder


TOML = """
title = "a title"
streams = ["delay(sea(items=80), 9)", "delay(stagger(items=80), 9)"]
learners = ["nb", "persistent"]
protocols = ["reevaluating(every=3)"]
measures = ["kappa"]
windows = ["sliding(20)"]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("made")
    (root / "spec.toml").write_text(TOML)
    run_experiment(read_spec(root / "spec.toml"), root / "run")
    return root / "run"


def read(site: Path, out: Path, sources: list[Path], line: list[str] | None = None) -> Any:
    """What the hook saw, and the exit code and output of each command on each source."""
    out.mkdir()
    done = subprocess.run(
        [
            sys.executable,
            *("-c", SCRIPT, str(out), json.dumps([str(s) for s in sources]), json.dumps(line)),
        ],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(PACKAGE), str(site)]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": str(out),
        },
        cwd=out,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def honest(made, site, tmp_path_factory) -> Any:
    out = tmp_path_factory.mktemp("honest") / "out"
    return read(site, out, [made, next((made / "cells").iterdir())])


def check_harmless(found: Any, honest: Any, out: Path) -> None:
    """Nothing was started or written, no more was imported, and nothing ended as a bug."""
    assert found["seen"] == []
    assert set(found["tops"]) <= set(honest["tops"])
    assert not (out / "started").exists()
    for codes, errors in found["found"]:
        assert set(codes.values()) <= {0, 2}, errors


def strings(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the strings of a JSON document are."""
    if isinstance(content, str):
        yield path
    if isinstance(content, dict | list):
        for key, value in content.items() if isinstance(content, dict) else enumerate(content):
            yield from strings(value, (*path, key))


def replaced(content: Any, path: tuple[Any, ...], value: str) -> Any:
    changed = copy.deepcopy(content)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


def received(made: Path, target: Path, payload: str, *paths: tuple[Any, ...]) -> Path:
    """A copy of a run folder with a payload in its experiment; the cells are where it says."""
    shutil.copytree(made, target)
    content = json.loads((made / "experiment.json").read_text())
    for path in paths:
        content = replaced(content, path, payload)
    seal(target / "experiment.json", content)
    old = [cell.id for cell in cells(read_stored(made))]
    for before, cell in zip(old, cells(read_stored(target)), strict=True):
        place = (target / "cells" / before).rename(target / "cells" / cell.id)
        card = json.loads((place / "log.json").read_text())
        seal(place / "log.json", {**card, "cell": cell.id})
    return target


def seal(path: Path, content: Any) -> None:
    """Write a JSON file with the checksum that its reader expects."""
    path.write_text(sealed({key: x for key, x in content.items() if key != "checksum"}))


def test_the_hook_sees_what_must_not_happen(made, site, tmp_path):
    """The control: a name that the user writes does import the code, and the hook reports it."""
    cell = next((made / "cells").iterdir())
    line = ["measure", "FOLDER", "-m", "planted:Code()"]
    found = read(site, tmp_path / "out", [cell], line)
    assert "import planted" in found["seen"]
    assert any(event.startswith("os.system") for event in found["seen"])
    for change in ("os.remove", "os.rmdir", "os.rename", "os.truncate"):
        assert f"{change} /none/file" in found["seen"]
    assert "shutil.rmtree /none/tree" in found["seen"]


def test_an_honest_folder_is_read_and_nothing_is_started(honest):
    assert honest["seen"] == []
    assert not {"river", "sklearn", "capymoa", "planted"} & set(honest["tops"])
    for codes, errors in honest["found"]:
        assert set(codes.values()) == {0}, errors


def test_code_in_an_experiment_is_not_run(made, site, honest, tmp_path):
    cases = [
        *((payload, [("measures", 0)]) for payload in PAYLOADS),
        *((payload, [("windows", 0)]) for payload in PAYLOADS[:2]),
        *((payload, NAMED) for payload in PAYLOADS[1:3]),
        (PAYLOADS[0], [("title",)]),
    ]
    folders = [
        received(made, tmp_path / str(n), payload, *paths)
        for n, (payload, paths) in enumerate(cases)
    ]
    out = tmp_path / "out"
    found = read(site, out, folders)
    check_harmless(found, honest, out)
    for (payload, paths), (codes, errors) in zip(cases, found["found"], strict=True):
        key = paths[0][0]
        needs = key in ("measures", "windows")
        assert codes["report"] == (2 if needs else 0), errors["report"]
        assert codes["run"] == (0 if key == "title" else 2), errors["run"]
        assert codes["query"] == codes["report"], errors["query"]
        judged = ("report", "run", "query", "verify")  # cell.json is not that of the renamed cell
        others = {name: code for name, code in codes.items() if name not in judged}
        assert set(others.values()) == {0}, errors
        if needs:
            assert f"{key} must be streamgauge's own in a folder that is read" in errors["report"]
            assert f"name the {key} yourself" in errors["report"]
            assert f"name the {key} yourself" in errors["query"]
        if key != "title":
            assert "add --allow-import if you trust its origin" in errors["run"]
            name = "planted:Code (planted_package 1.0)" if "point" in payload else payload[:9]
            assert name in errors["run"]


def test_cells_that_are_run_again_import_nothing(made, site, honest, tmp_path):
    folders = [
        received(made, tmp_path / str(n), payload, (key, 0))
        for n, (key, payload) in enumerate(
            [("learners", payload) for payload in PAYLOADS]
            + [("streams", PAYLOADS[0]), ("measures", PAYLOADS[0])]
        )
    ]
    out = tmp_path / "out"
    found = read(site, out, folders, ["verify", "FOLDER", "--rerun"])
    check_harmless(found, honest, out)
    for codes, errors in found["found"]:
        assert set(codes.values()) == {0}, errors


def test_code_inside_a_reader_of_files_is_named_first(made, site, honest, tmp_path):
    """Also with --allow-import: `plan` and the note name what is imported before it is."""
    text = """open_stream(delay(csv('s.csv', target='y'), by="planted:Code()"))"""
    folder = received(made, tmp_path / "0", text, ("streams", 0))
    found = read(site, tmp_path / "out", [folder])
    check_harmless(found, honest, tmp_path / "out")
    ((codes, errors),) = found["found"]
    assert codes["run"] == 2
    assert "would import planted:Code, which is code that the folder chooses" in errors["run"]
    done = subprocess.run(
        [sys.executable, "-m", "streamgauge", "plan", str(folder)],
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "imports: planted:Code\n" in done.stdout


def test_code_in_any_field_of_a_card_is_not_run(made, site, honest, tmp_path):
    """Each string by itself, and all at once that leave the card readable."""
    cell = next((made / "cells").iterdir())
    card = json.loads((cell / "log.json").read_text())
    paths = list(strings(card))
    assert len(paths) > 20
    fixed = ("format", "status", "schema", "predicts_again", "predicts_last", "run", "tables")
    together = card
    for path in paths:
        if not set(path) & set(fixed):
            together = replaced(together, path, PAYLOADS[0])
    changed = [together]
    for path in paths:
        if path[0] != "about" or path[-1] in fixed:
            changed.append(replaced(card, path, PAYLOADS[1]))
    sources = []
    for n, content in enumerate(changed):
        shutil.copytree(cell, tmp_path / str(n))
        seal(tmp_path / str(n) / "log.json", content)
        sources.append(tmp_path / str(n))
    out = tmp_path / "out"
    found = read(site, out, sources)
    check_harmless(found, honest, out)
    assert found["found"][0][0]["measure"] == 0


def outcome(capsys, *words: str) -> tuple[int, str]:
    """Exit code and errors of a command."""
    code = 0
    try:
        main([*words])
    except SystemExit as stop:
        code = stop.code or 0
    return code, capsys.readouterr().err


def content(folder: Path) -> dict[str, bytes | str | None]:
    """The files, links and folders below a folder."""
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else None
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize(
    "name", [".lock", "attempts", "attempts/x.1", "cells", "cells/CELL", "cells/x", SPEC]
)
@pytest.mark.parametrize("leads", ["to a file", "to a folder", "nowhere"])
def test_a_link_in_a_folder_that_is_run_is_refused_before_anything_is_changed(
    made, tmp_path, capsys, name, leads
):
    run, mine = tmp_path / "run", tmp_path / "mine"
    shutil.copytree(made, run)
    (mine / "folder").mkdir(parents=True)
    (mine / "folder" / "file.txt").write_text("precious")
    (mine / "cells").mkdir()
    (mine / SPEC).write_bytes((run / SPEC).read_bytes())
    cell = next((run / "cells").iterdir()).name
    path = run / name.replace("CELL", cell)
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    path.symlink_to({"to a file": mine / SPEC, "to a folder": mine}.get(leads, mine / "none"))
    spec = tmp_path / "spec.toml"
    spec.write_text(TOML)
    before = content(tmp_path)
    for source in (spec, *([run] if name != SPEC or leads == "to a file" else [])):
        code, err = outcome(capsys, "run", str(source), "--out", str(run), "-q")
        assert code == 2, err
        assert re.search(rf"error: {re.escape(str(path))}: must be .* got a symbolic link; ", err)
        assert err.count("\n") == 1
        assert content(tmp_path) == before


def test_links_to_temporary_files_and_below_attempts_are_removed_not_followed(made, tmp_path):
    run, mine = tmp_path / "run", tmp_path / "mine"
    shutil.copytree(made, run)
    mine.mkdir()
    (mine / "file.txt").write_text("precious")
    (run / ".report.html.0123abcd.part").symlink_to(mine / "none")
    attempt = run / "attempts" / "x.1"
    attempt.mkdir(parents=True)
    (attempt / ".lock").symlink_to(mine / "file.txt")
    (attempt / "deeper").symlink_to(mine)
    before = content(mine)
    run_experiment(read_stored(run), run)
    assert content(mine) == before
    there, before = content(run), content(made)
    assert there.pop("events.jsonl").startswith(before.pop("events.jsonl"))
    assert there == before


class Starts:
    """Starts a process when it is unpickled."""

    def __reduce__(self):
        return os.system, ("touch started",)


def test_a_pickle_in_a_table_is_not_read(made, site, honest, tmp_path):
    cell = tmp_path / "cell"
    shutil.copytree(next((made / "cells").iterdir()), cell)
    for path in cell.glob("*.parquet"):
        table = pq.read_table(path)
        extension = {
            "ARROW:extension:name": "arrow.py_extension_type",
            "ARROW:extension:metadata": pickle.dumps(Starts()),
        }
        for at, field in enumerate(table.schema):
            table = table.set_column(at, field.with_metadata(extension), table.column(at))
        pq.write_table(table.replace_schema_metadata({b"pandas": pickle.dumps(Starts())}), path)
    found = read(site, tmp_path / "out", [cell])
    check_harmless(found, honest, tmp_path / "out")


@pytest.mark.parametrize(
    "body",
    [
        '{"streams": ' + "[" * 100_000 + "]" * 100_000,
        "[1",
        "{",
        "x",
        '{"title": NaN',
        '{"seed": ' + "9" * 5000,
    ],
    ids=["deep", "list", "empty", "no JSON", "no text", "huge number"],
)
def test_a_checksum_does_not_make_an_experiment(tmp_path, body) -> None:
    path = tmp_path / "experiment.json"
    path.write_text(f'{body}{MARK}{as_text(checksum(body.encode()))}"\n}}\n')
    with pytest.raises(SpecError, match=r"must be the experiment of a run, got a file that"):
        read_stored(tmp_path)
    (found,) = sg.verify(tmp_path)
    assert found.verdict == "damaged"
