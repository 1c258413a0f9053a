"""Processes of the command line, forked from one that has imported everything: they are cheap.

A forked process runs the program's own `main`. Only the interpreter's start is left out.
"""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from streamgauge.cli import main


def warm_up(spec: Path, out: Path) -> None:
    """Run an experiment once in this process, so that those forked from it import nothing."""
    main(["run", str(spec), "-q", "--out", str(out), "--executor", "serial"])


def start(work: Callable[[], None], output: Path, gate: int | None = None) -> int:
    """Fork a process that does `work`; its output goes to a file. Returns its number.

    With a `gate`, the end of a pipe, it begins when the other end is closed.
    """
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        opened = os.open(output, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        os.dup2(opened, 1)
        os.dup2(opened, 2)
        if gate is not None:
            os.read(gate, 1)
        work()
        code = 0
    except SystemExit as done:
        code = done.code if isinstance(done.code, int) else 0
    except BaseException:  # noqa: BLE001 (the process ends here)
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)


def ended(process: int, seconds: float) -> int | None:
    """Wait for a process; its exit code (negative: its signal), None if it runs longer."""
    until = time.monotonic() + seconds
    pause = 0.0005
    while True:
        number, status = os.waitpid(process, os.WNOHANG)
        if number:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= until:
            return None
        time.sleep(pause)


def kill(process: int) -> int:
    """`kill -9`; returns the exit code, which is positive or 0 if it had ended before."""
    os.kill(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
