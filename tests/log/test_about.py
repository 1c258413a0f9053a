"""Names and seeds of models that are built later, when the schema is known."""

from __future__ import annotations

from functools import partial

from sklearn.linear_model import SGDClassifier

from streamgauge.learners import Resetting
from streamgauge.log.about import name_of, seed_key


def test_a_model_that_is_built_later_has_the_name_and_seed_of_the_model():
    later, built = partial(SGDClassifier, alpha=0.1), SGDClassifier(alpha=0.1)
    assert name_of(later) == name_of(built) == "sklearn:SGDClassifier(alpha=0.1)"
    assert seed_key(later) == seed_key(built) == "sklearn:SGDClassifier"
    assert seed_key(Resetting(later, "ddm")) == seed_key(Resetting(built, "ddm"))
    assert seed_key(partial(SGDClassifier, alpha=0.2)) == seed_key(later)
