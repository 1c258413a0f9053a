"""OneFold: a protocol of several folds, of which one runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.names import resolve
from streamgauge.protocols._folds import OnlyFold
from streamgauge.protocols.k_fold import KFold
from streamgauge.types import Arrivals, EvaluationProtocol, Op, Orders, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class OneFold:
    """One fold of a protocol: the others neither predict nor learn.

    Its rows in the log are those that it has in a run of all folds, with the same number of the
    fold and the same seed. So k runs, on as many machines, make what one run of k folds does.

    Parameters
    ----------
    protocol
        A protocol of several folds, or its name.
    fold
        The number of the fold, from 0.

    Examples
    --------
    >>> from streamgauge.protocols.timetable import arrivals, in_words
    >>> timetable = OneFold(KFold(2, variant="moa"), fold=1).timetable(arrivals(3))
    >>> print(", ".join(in_words(timetable)))
    predict 0 by 1, reveal 0, learn 0 by 1, predict 1 by 1, reveal 1, predict 2 by 1, reveal 2, \
learn 2 by 1
    """

    protocol: EvaluationProtocol = field(default_factory=KFold)
    fold: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "protocol", resolve("protocol", self.protocol))
        if not isinstance(getattr(self.protocol, "folds", None), int):
            must = "a protocol of several folds, or its name"
            raise ParameterError.of(self, "protocol", must, self.protocol)
        at_least(self, "fold", self.fold, 0)
        if self.fold >= self.folds:
            must = f"below {self.folds}, the number of folds of the protocol"
            raise ParameterError.of(self, "fold", must, self.fold)

    @property
    def folds(self) -> int:
        """The number of folds of the protocol, of which one runs."""
        return self.protocol.folds

    @property
    def about(self) -> dict[str, str]:
        """Those of the protocol, and the number of the fold."""
        inner = dict(getattr(self.protocol, "about", {}))
        return {**inner, "folds": "1", "fold": str(self.fold)}

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders of the fold."""
        for chunk in self.protocol.timetable(arrivals, seed):
            if isinstance(chunk, Orders):
                shared = (chunk.op == Op.REVEAL) | (chunk.op == Op.UPDATE)
                yield chunk.take(shared | (chunk.fold == self.fold))
            elif chunk.assignment is None:
                yield chunk
            else:
                yield replace(chunk, assignment=OnlyFold(chunk.assignment, self.fold))
