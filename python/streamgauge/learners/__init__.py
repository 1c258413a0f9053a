"""Learners. One file each; one line here puts it on the CLI, in the docs and under test."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    pass
else:
    __getattr__, __dir__ = door(__name__)
