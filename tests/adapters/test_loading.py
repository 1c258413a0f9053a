"""Nothing is loaded before a model of it shows up."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIBRARIES = ("river", "sklearn", "capymoa", "jpype", "scipy", "pyarrow", "pandas", "polars")

DRIVE = """
import numpy as np
from streamgauge.adapters import adapt
from streamgauge.types import Feature, Schema
class Mine:
    def predict(self, x): return 0
    def learn(self, x, y): pass
learner = adapt(Mine(), Schema((Feature("a"),), classes=(0, 1)))
learner.test_then_train(0, np.zeros((2, 1)), np.zeros(2, dtype=np.int32), None)
"""


@pytest.mark.parametrize("code", ["import streamgauge", DRIVE], ids=["import", "drive my own"])
def test_a_bare_import_loads_no_library(code):
    report = f"import sys; print([m for m in {LIBRARIES} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
