"""Names that are markup, control characters or very long do not break a command."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from streamgauge.cli import main

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
