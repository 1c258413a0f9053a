"""Adapters: one file per library, one line here; imported when one of its models is used."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any, cast

from streamgauge.errors import ParameterError, UnknownModelError
from streamgauge.types import DECLARED, Learner, Schema

ADAPTERS = {
    "river": "streamgauge.adapters.river",
    "sklearn": "streamgauge.adapters.sklearn",
    "capymoa": "streamgauge.adapters.capymoa",
}
"""Library of the class of a model -> module with the function `adapt` for it."""

OF_LEARNERS = ("streamgauge.learners.", "streamgauge.adapters.", "streamgauge._core")
"""Modules of streamgauge with learners."""

ONLY_LEARNERS = (
    "test_then_train",
    "numbered",
    "tracks_items",
    "has_alarms",
    "has_selections",
    "one_by_one",
)
"""Members of `Learner` that no model has: one of them makes an object a learner."""


def adapt(model: object, schema: Schema) -> Learner:
    """Wrap a model as a learner for streams with this schema.

    A model of a known library, or of a class derived from one of its classes, is wrapped by the
    adapter of that library; a learner is returned as it is; any other object must have `predict`
    and `learn`. The model itself is never trained: a copy is.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> class Last:
    ...     label = None
    ...     def predict(self, x):
    ...         return self.label
    ...     def learn(self, x, y):
    ...         self.label = y
    >>> schema = Schema((Feature("a"),), classes=("no", "yes"))
    >>> learner = adapt(Last(), schema)
    >>> rows, labels = np.zeros((4, 1)), np.array([1, 1, 0, 1], dtype=np.int32)
    >>> learner.test_then_train(0, rows, labels, None)
    array([-1,  1,  1,  0], dtype=int32)
    >>> adapt(object(), schema)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    streamgauge.errors.UnknownModelError: no adapter for builtins.object; give a model of ...
    """
    subject = model.func if isinstance(model, partial) else model
    for kind in (subject if isinstance(subject, type) else type(subject)).__mro__:
        module = ADAPTERS.get(kind.__module__.partition(".")[0])
        if module:
            return cast(Learner, import_module(module).adapt(model, schema))
    if any(hasattr(model, member) for member in ONLY_LEARNERS):
        missing = [name for name in DECLARED if not hasattr(model, name)]
        if missing:
            raise ParameterError(
                f"{type(model).__name__}: a learner must declare {', '.join(DECLARED)}, got one "
                f"without {', '.join(missing)}; see streamgauge.types.Learner"
            )
        return cast(Learner, model)
    if isinstance(model, type) or not all(
        callable(getattr(model, verb, None)) for verb in ("predict", "learn")
    ):
        raise UnknownModelError(model, ADAPTERS)
    return cast(Learner, import_module("streamgauge.adapters.plain").adapt(model, schema))


def _of_another_family(thing: object) -> bool:
    """Whether it is a detector, window, … of streamgauge; detectors have a `bind` too."""
    module = type(thing).__module__
    return module.startswith("streamgauge.") and not module.startswith(OF_LEARNERS)


def bind(learner: object, schema: Schema, seed: int = 0) -> Any:
    """An untrained copy of a learner or model, for items of `schema`."""
    own = getattr(learner, "bind", None)
    if _of_another_family(learner):
        raise UnknownModelError(learner, ADAPTERS)
    if not callable(own):
        return adapt(learner, schema).fresh(seed)
    bound = own(schema, seed)
    if not type(learner).__module__.startswith(OF_LEARNERS) and not hasattr(bound, "learn"):
        raise UnknownModelError(learner, ADAPTERS)  # a detector of the user's own, for example
    return bound
