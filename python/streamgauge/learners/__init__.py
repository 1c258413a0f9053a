"""Learners. One file each; one line here puts it on the CLI, in the docs and under test."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.learners.majority_class import MajorityClass as MajorityClass
    from streamgauge.learners.naive_bayes import NaiveBayes as NaiveBayes
    from streamgauge.learners.persistent import Persistent as Persistent
else:
    __getattr__, __dir__ = door(__name__)
