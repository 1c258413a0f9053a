from __future__ import annotations

import subprocess
import sys


def test_importing_streamgauge_loads_nothing_heavy() -> None:
    program = (
        "import sys, streamgauge as sg; dir(sg);"
        "print(sorted({'jinja2', 'tsdownsample', 'matplotlib', 'scipy', 'pyarrow', 'pydantic'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_report_needs_no_matplotlib() -> None:
    program = (
        "import sys, streamgauge.report._write_report;"
        "print('matplotlib' in sys.modules, 'jinja2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "False True", done.stderr
