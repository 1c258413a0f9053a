"""Ctrl-C at any time, once or twice: no traceback, exit code 130."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time

import pytest

START = """
import sys

class Announce:
    \"\"\"Prints a line when the first module of the command line is imported.\"\"\"

    def find_spec(self, name, path=None, target=None):
        if name == "streamgauge.cli":
            print("importing", flush=True)

from streamgauge._start import main
sys.meta_path.insert(0, Announce())
main(sys.argv[1:])
"""


@pytest.mark.parametrize("nth", range(6))
def test_two_interrupts_during_import_end_without_a_traceback(tmp_path, nth):
    """At once, and at random times of the imports of the command line and of a command."""
    (tmp_path / "spec.toml").write_text('streams = ["sea(items=9000000)"]\nlearners = ["nb"]\n')
    command = [sys.executable, "-c", START, "run", "spec.toml", "-q"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "importing\n"
        rng = random.Random(nth)
        time.sleep(0.0 if nth == 0 else rng.random() * 0.4)
        process.send_signal(signal.SIGINT)
        time.sleep(rng.random() * 0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert set(err.splitlines()) == {"stopped; what is finished is kept"}


def test_the_module_and_the_script_start_alike():
    done = subprocess.run(
        [sys.executable, "-m", "streamgauge", "list", "nonsense"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
