"""A learner that does nothing until a file exists, so that one writer outlives the others."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

GO = "STREAMGAUGE_TORTURE_GO"
"""The variable with the path of the file."""


class Patient:
    """Predicts the class of the last item."""

    def __init__(self) -> None:
        self.last: Any = None

    def predict(self, x: Any) -> Any:
        return self.last

    def learn(self, x: Any, y: Any) -> None:
        go = Path(os.environ[GO])
        while not go.exists():
            time.sleep(0.002)
        self.last = y
