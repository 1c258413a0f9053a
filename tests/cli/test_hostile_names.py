"""Names that are markup, control characters or very long do not break a command."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from streamgauge.cli import main
from streamgauge.experiments import read_spec, run_experiment

ROWS = "a,b,y\n" + "".join(f"{i % 7},{i % 5},{('u', '[/red]')[i % 3 == 0]}\n" for i in range(60))


def call(capsys, *args: str) -> tuple[int, str, str]:
    code = 0
    try:
        main([*args])
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("name", ["[red]", "[bold] :smile:", "a\x1b[2Jb", "a\nb", "$\\frac{$"])
@pytest.mark.parametrize("command", ["evaluate", "diagnose"])
def test_a_file_name_is_printed_as_it_is(tmp_path, monkeypatch, capsys, command, name) -> None:
    monkeypatch.chdir(tmp_path)
    Path(f"{name}.csv").write_text(ROWS)
    code, out, err = call(capsys, command, f"{name}.csv")
    assert code == 0, err
    assert name.replace("\x1b", "\ufffd").replace("\n", " ") in out
    assert "\x1b" not in out


@pytest.mark.parametrize("command", ["evaluate", "export", "measure", "run", "report", "list"])
def test_an_argument_that_is_not_utf_8_is_refused(tmp_path, monkeypatch, capsys, command) -> None:
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"caf\xe9.csv")
    Path(name).write_text(ROWS)
    code, out, err = call(capsys, command, name)
    assert code == 2
    assert err == "error: 'caf\\udce9.csv': must be UTF-8, got other bytes; rename the file\n"
    assert not out
    assert len([*tmp_path.iterdir()]) == 1


ESCAPE = "a\x1b[2J\x9b2J\r\x0b\nwhole  b\u202e"
SPEC = f"""
title = "t"
streams = [{{ file = {json.dumps(ESCAPE + ".csv")}, target = "y" }}]
learners = ["nb", "majority"]
"""


@pytest.fixture(scope="module")
def escaped(tmp_path_factory) -> Path:
    """A folder whose files, run and learners have control characters in their names."""
    folder = tmp_path_factory.mktemp("escaped")
    (folder / f"{ESCAPE}.csv").write_text(ROWS)
    predicted = "".join(f"{i % 2},{i % 3 == 0:d}\n" for i in range(40))
    (folder / f"{ESCAPE}-predictions.csv").write_text("prediction,label\n" + predicted)
    (folder / f"{ESCAPE}.toml").write_text(SPEC)
    run_experiment(read_spec(folder / f"{ESCAPE}.toml"), folder / ESCAPE)
    return folder


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["export", f"{ESCAPE}.csv", f"{ESCAPE}-written.csv"], 0),
        (["measure", f"{ESCAPE}-predictions.csv"], 2),
        (["run", f"{ESCAPE}.toml"], 0),
        (["plan", f"{ESCAPE}.toml"], 0),
        (["verify", ESCAPE], 0),
        (["verify", f"{ESCAPE}-missing"], 2),
        (["report", ESCAPE], 0),
        (["compare", ESCAPE, "--curve"], 0),
        (["detect", ESCAPE], 2),
        (["delay-sweep", f"{ESCAPE}.csv", "--delays", "0,5"], 0),
        (["evaluate", f"{ESCAPE}-missing.csv"], 2),
        (["evaluate", f"{ESCAPE}.csv", "--learners", ESCAPE], 2),
        (["evaluate", f"{ESCAPE}.csv", f"--{ESCAPE}"], 2),
        ([ESCAPE], 2),
        (["data", ESCAPE], 2),
    ],
    ids=lambda value: value[0].replace(ESCAPE, "a") if isinstance(value, list) else str(value),
)
def test_no_command_prints_control_characters(escaped, monkeypatch, capsys, args, code) -> None:
    monkeypatch.chdir(escaped)
    found, out, err = call(capsys, *args)
    assert found == code, err
    assert out or err
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]|^whole  b", out + err, re.MULTILINE)
