"""What all tests share: the oracles on the path, and where the benchmark files are."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
