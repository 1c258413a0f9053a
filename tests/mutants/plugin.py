"""The pytest plugin: it writes down which test runs which line, or ends a run at its limits."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# A failing example is enough; making it small takes minutes.
hypothesis.settings.register_profile(
    "mutants",
    derandomize=True,
    deadline=None,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
)

TIMED_OUT = -signal.SIGALRM
"""The exit code of a run that a test did not come back from."""


class Times:
    """Writes down the seconds of each test that passes."""

    def __init__(self, to: Path) -> None:
        self._to = to
        self._passed: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the seconds of those that pass."""
        if report.when == "call" and report.passed:
            self._passed[report.nodeid] = report.duration

    def pytest_sessionfinish(self) -> None:
        """Write the table."""
        self._write({"seconds": self._passed})

    def _write(self, table: dict[str, Any]) -> None:
        (self._to / f"{os.getpid()}.json").write_text(json.dumps(table))


class Reach(Times):
    """Writes down the lines each test that passes runs, and its seconds."""

    def __init__(self, house: Path, to: Path) -> None:
        super().__init__(to)
        coverage = __import__("coverage")  # of a group of its own; a mutant's run needs none
        self._cover = coverage.Coverage(data_file=None, source=[str(house)], messages=False)
        self._house = house

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Run one test under its name."""
        self._cover.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self._cover.switch_context("")

    def pytest_sessionstart(self) -> None:
        """Begin before the first import."""
        self._cover.start()

    def pytest_sessionfinish(self) -> None:
        """Write the table: file -> line -> tests."""
        self._cover.stop()
        data = self._cover.get_data()
        lines = {}
        for file in data.measured_files():
            if Path(file).is_relative_to(self._house):
                found = data.contexts_by_lineno(file)
                lines[Path(file).relative_to(self._house).as_posix()] = {
                    str(line): sorted(t for t in tests if t in self._passed)
                    for line, tests in found.items()
                }
        self._write({"seconds": self._passed, "lines": lines})


class Limits:
    """Ends the run when a test takes far longer than it did without the change."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """In the order asked for, whatever their files."""
        order = {name: nth for nth, name in enumerate(self._seconds)}
        items.sort(key=lambda item: order.get(item.nodeid, len(order)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """One test, at most so long."""
        # The system ends it: a handler of Python's would wait for a core that never returns.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(30 + 20 * self._seconds.get(item.nodeid, 1.0)))
        try:
            return (yield)
        finally:
            signal.alarm(0)


def pytest_configure(config: pytest.Config) -> None:
    """Take the half the environment names."""
    to, house = os.environ.get("MUTANTS_REACH"), os.environ.get("MUTANTS_HOUSE", "")
    shares_out = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if to and not shares_out:
        config.pluginmanager.register(Reach(Path(house), Path(to)), "mutants-reach")
    times = os.environ.get("MUTANTS_TIMES")
    if times:
        config.pluginmanager.register(Times(Path(times)), "mutants-times")
    told = os.environ.get("MUTANTS_SECONDS")
    if told:
        limits = Limits(json.loads(Path(told).read_text()))
        config.pluginmanager.register(limits, "mutants-limits")
