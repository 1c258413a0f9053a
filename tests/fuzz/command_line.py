"""The command line, called in this process: its exit code and what it printed."""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from fuzz.kind import Difference
from streamgauge.cli import main


def command_line(arguments: list[str], folder: Path) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as done:
            code = int(done.code or 0)
    return code, out.getvalue(), err.getvalue()


def check_command(arguments: list[str], folder: Path) -> bool:
    """Run a command; raise unless it exits by 0, or by 2 with a sentence.

    Returns whether it got past the parser of options.
    """
    code, out, err = command_line(arguments, folder)
    command = arguments[0] if arguments else ""
    if code not in (0, 2):
        kind = err.strip().rpartition("bug in streamgauge: ")[2].partition(":")[0][:60]
        raise Difference(f"exit code {code} of {command} ({kind}): {err}")
    if "Traceback" in err or (code == 2 and not err.strip()):
        raise Difference(f"no sentence of {command}: {err}")
    if code == 0 and "Traceback" in out:
        raise Difference(f"internals in the output of {command}: {out}")
    return not (code == 2 and err.startswith("Usage:"))
