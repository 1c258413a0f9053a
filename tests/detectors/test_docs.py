"""What the page about detectors shows is what happens."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "detectors.md"


def test_the_examples_of_the_page_run():
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.attempted > 10
    assert done.failed == 0
