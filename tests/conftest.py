"""Setup of all tests: the oracles on the path, the folder of the benchmark files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import hypothesis
import pytest

# The same examples in every run, so that a failure is due to the change; `make test-all` draws new
# ones, and more of them (samples/examples.py).
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=25)
hypothesis.settings.register_profile("random", deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("STREAMGAUGE_EXAMPLES", "fixed"))

sys.path.insert(0, str(Path(__file__).parent))

DATA = Path(
    os.environ.get("STREAMGAUGE_DATA")
    or Path(__file__).resolve().parents[2].joinpath("shared", "data")
)
"""The folder of the benchmark files, which are described in its MANIFEST.toml."""


@pytest.fixture(autouse=True, scope="session")
def _own_folders(tmp_path_factory):
    """Read benchmarks from `DATA`; write nothing to the user's cache."""
    os.environ["STREAMGAUGE_DATA"] = str(DATA)
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


def pytest_collection_modifyitems(items):
    if not (DATA / "MANIFEST.toml").is_file():
        for item in items:
            if item.get_closest_marker("data"):
                item.add_marker(pytest.mark.skip(reason=f"no benchmark files in {DATA}"))


def pytest_terminal_summary(terminalreporter):
    if not (DATA / "MANIFEST.toml").is_file():
        skipped = [
            report
            for report in terminalreporter.stats.get("skipped", ())
            if "no benchmark files" in str(report.longrepr)
        ]
        terminalreporter.section("NOT TESTED: the catalog", sep="!", red=True, bold=True)
        terminalreporter.line(
            f"{len(skipped)} tests were skipped: there are no benchmark files in {DATA}. "
            "Set STREAMGAUGE_DATA to the folder that holds them and their MANIFEST.toml."
        )
