"""A learner of transformed rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, cast

from streamgauge._core import NativeLearner
from streamgauge.adapters import bind
from streamgauge.errors import ParameterError
from streamgauge.learners._pipeline import PipelineLearner
from streamgauge.learners._shape import shape
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.log.about import name_of
from streamgauge.names import resolve
from streamgauge.preprocessing._native import NativeRows
from streamgauge.preprocessing._transformer import Transformer, bind_transformer
from streamgauge.preprocessing.standard_scaler import StandardScaler
from streamgauge.types import Schema


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Transformers of rows, and a learner of the rows that they make.

    To predict an item, its row is transformed by the statistics of the items learned before;
    predicting changes nothing. To learn an item, the first transformer is updated with its row and
    transforms it, the next one is updated with the result and transforms it, and so on; the learner
    is trained with the last result. So statistics come from labelled items only, an item's own row
    is in them when it is learned but not when it is predicted, and an item whose label is late is
    learned with the statistics of that moment, not with the row that was predicted. This is the
    order of river's pipelines.

    Around a native learner the whole pipeline is native.

    Parameters
    ----------
    transformers
        Transformers of `streamgauge.preprocessing` in order, or their names; or own ones.
    learner
        The learner inside: a learner, a model of any library, or the name of one.

    Examples
    --------
    >>> import streamgauge as sg
    >>> from sklearn.linear_model import SGDClassifier
    >>> sea = sg.streams.SEA(function=2, seed=1, items=2000)
    >>> learner = Pipeline(["imputer", "standard_scaler"], SGDClassifier(random_state=1))
    >>> round(sg.measure(sg.run(sea, learner), "accuracy").final, 2)
    0.76

    References
    ----------
    Montiel, Halford, Mastelini, Bolmier, Sourty, Vaysse, Zouitine, Gomes, Read, Abdessalem, Bifet.
    River: machine learning for streaming data in Python. JMLR 22 (2021).
    """

    transformers: Any = field(default_factory=lambda: (StandardScaler(),))
    learner: Any = field(default_factory=NaiveBayes)

    def __post_init__(self) -> None:
        given = self.transformers
        given = given if isinstance(given, list | tuple) else [given]
        made = tuple(resolve("transformer", one) for one in given)
        for one in made:
            if isinstance(one, type) or not isinstance(one, Transformer):
                raise ParameterError.of(
                    self,
                    "transformers",
                    "transformers of streamgauge.preprocessing, or objects with bind(schema)",
                    one,
                )
        object.__setattr__(self, "transformers", made)
        object.__setattr__(self, "learner", resolve("learner", self.learner))

    @property
    def name(self) -> str:
        """Its name in tables."""
        return f"pipeline([{', '.join(map(name_of, self.transformers))}], {name_of(self.learner)})"

    @property
    def task(self) -> Literal["classification", "regression"]:
        """The kind of target it predicts: that of its learner."""
        task = getattr(self.learner, "task", "classification")
        return cast(Literal["classification", "regression"], task)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner | PipelineLearner:
        """Make the learner for a stream's columns and classes."""
        bound: list[Any] = []
        inner = schema
        for one in self.transformers:
            bound.append(bind_transformer(one, inner))
            inner = bound[-1].schema
        base = bind(self.learner, inner, seed)
        if base.has_selections and inner.features != schema.features:
            raise ParameterError(
                "Pipeline: transformers must keep the columns around a learner that selects "
                f"features, whose log has those of the stream, got {self.name}; select first: "
                "selecting(…, pipeline(…))"
            )
        if isinstance(base, NativeLearner) and all(isinstance(one, NativeRows) for one in bound):
            columns, classes = shape(self, schema)
            parameters = {
                "transformers": [one.native.recipe for one in bound],
                "learner": [base.recipe],
            }
            return NativeLearner("pipeline", columns, classes, seed, parameters)
        return PipelineLearner(tuple(bound), base, inner.features == schema.features)
