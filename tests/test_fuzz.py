"""A few inputs of every kind of `make fuzz`, and every finding that was mended."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from fuzz import forked
from fuzz.__main__ import FINDINGS, KINDS, campaign, kind_of
from fuzz.changes import changed_json
from fuzz.forked import one, random_of, verdicts
from fuzz.kind import Difference, Input, Progress

OPEN = {
    "parquet_files": "errors of pyarrow about damaged pages and times beyond 64 bits",
    "arrow_files": "damaged files crash the interpreter",
    "run_folders": "logs have no checksums; a spec or a card that is no object",
    "cut_logs": "damaged batches; a card that is no object",
}
"""Kinds with findings that are not mended yet."""

PASSING = [
    pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=OPEN[name]))
    if name in OPEN
    else name
    for name in KINDS
]

FEW = {"run_folders": 12, "cli_options": 12, "specs": 25}
"""Inputs of kinds that take longer; of the others 40."""


@pytest.mark.parametrize("name", PASSING)
def test_a_few_inputs_of_each_kind_end_in_a_result_or_a_sentence(name, tmp_path):
    counts = campaign(name, 7, 0, FEW.get(name, 40), 1, tmp_path)
    assert counts.groups == {}
    assert counts.past >= 0.3 * counts.inputs


@pytest.mark.parametrize("path", sorted(FINDINGS.glob("*.json")), ids=lambda path: path.stem)
def test_a_mended_finding_stays_mended(path, tmp_path):
    name, given = Input.from_json(path.read_text())
    assert one(kind_of(name), given, tmp_path).finding == ""


@pytest.mark.parametrize("name", KINDS)
def test_an_input_is_made_again_from_its_seed_and_number(name):
    kind = kind_of(name)
    first, again, other = (kind.draw(random_of(name, seed, 3)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert Input.from_json(first.to_json(name, "")) == (name, first)


class Ends:
    """A kind whose inputs end in all ways there are."""

    FIRST_CHECK = "none"
    ENDS = ("right", "difference", "error", "crash", "hang", "right")

    def draw(self, number):
        return Input({}, {"end": self.ENDS[number]})

    def run(self, given: Input, folder: Path, progress: Progress) -> None:
        progress.past = True
        match given.call["end"]:
            case "difference":
                raise Difference("two ways: differ")
            case "error":
                raise KeyError("no sentence")
            case "crash":
                os.abort()
            case "hang":
                time.sleep(60)


def test_crashes_hangs_errors_and_differences_are_found(monkeypatch):
    monkeypatch.setattr(forked, "HANG_SECONDS", 2.0)
    monkeypatch.setattr(forked, "random_of", lambda name, seed, number: number)
    found = [verdict for _, verdict in verdicts("ends", Ends(), 0, 0, len(Ends.ENDS))]
    groups = [verdict.group for verdict in found]
    assert groups == ["", "difference, two ways", "KeyError, outside", "crash 6", "hang", ""]
    assert [verdict.past for verdict in found] == [True, True, True, False, False, True]


def test_a_changed_value_is_another_value():
    value = {"a": [1, {"b": "text"}], "c": True, "d": {}}
    changed = [repr(changed_json(random_of("json", 0, n), value)) for n in range(200)]
    assert len(set(changed)) > 60
    assert sum(one != repr(value) for one in changed) > 150
