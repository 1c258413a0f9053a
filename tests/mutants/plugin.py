"""The pytest plugin: records which test runs which line, or limits the time of tests."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# A failing example is enough; shrinking it takes minutes.
hypothesis.settings.register_profile(
    "mutants",
    derandomize=True,
    deadline=None,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
)

TIMED_OUT = -signal.SIGALRM
"""The exit code of a run in which a test did not return."""


class Times:
    """Records the seconds of each test that passes."""

    def __init__(self, to: Path) -> None:
        self._to = to
        self._passed: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the seconds of a test that passes."""
        if report.when == "call" and report.passed:
            self._passed[report.nodeid] = report.duration

    def pytest_sessionfinish(self) -> None:
        """Write the table."""
        self._write({"seconds": self._passed})

    def _write(self, table: dict[str, Any]) -> None:
        (self._to / f"{os.getpid()}.json").write_text(json.dumps(table))


class Reach(Times):
    """Records the lines and the seconds of each test that passes."""

    def __init__(self, package: Path, to: Path) -> None:
        super().__init__(to)
        coverage = __import__("coverage")  # an optional dependency; runs of mutants do not need it
        self._cover = coverage.Coverage(data_file=None, source=[str(package)], messages=False)
        self._package = package

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Run one test under its name."""
        self._cover.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self._cover.switch_context("")

    def pytest_sessionstart(self) -> None:
        """Start before the first import."""
        self._cover.start()

    def pytest_sessionfinish(self) -> None:
        """Write the table: file -> line -> tests."""
        self._cover.stop()
        data = self._cover.get_data()
        lines = {}
        for file in data.measured_files():
            if Path(file).is_relative_to(self._package):
                found = data.contexts_by_lineno(file)
                lines[Path(file).relative_to(self._package).as_posix()] = {
                    str(line): sorted(t for t in tests if t in self._passed)
                    for line, tests in found.items()
                }
        self._write({"seconds": self._passed, "lines": lines})


class Limits:
    """Ends the run when a test takes much longer than without the change."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort the tests into the requested order, across files."""
        order = {name: nth for nth, name in enumerate(self._seconds)}
        items.sort(key=lambda item: order.get(item.nodeid, len(order)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Run one test with a time limit."""
        # The system ends it: a Python handler would wait for a core call that does not return.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(30 + 20 * self._seconds.get(item.nodeid, 1.0)))
        try:
            return (yield)
        finally:
            signal.alarm(0)


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugins that the environment names."""
    to, package = os.environ.get("MUTANTS_REACH"), os.environ.get("MUTANTS_PACKAGE", "")
    distributes = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if to and not distributes:
        config.pluginmanager.register(Reach(Path(package), Path(to)), "mutants-reach")
    times = os.environ.get("MUTANTS_TIMES")
    if times:
        config.pluginmanager.register(Times(Path(times)), "mutants-times")
    seconds = os.environ.get("MUTANTS_SECONDS")
    if seconds:
        limits = Limits(json.loads(Path(seconds).read_text()))
        config.pluginmanager.register(limits, "mutants-limits")
