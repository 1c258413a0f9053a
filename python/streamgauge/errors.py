"""Every error streamgauge raises on purpose.

* StreamgaugeError
  - ParameterError     (a ValueError)    a parameter is out of its range
  - UnknownNameError   (a LookupError)   no measure, protocol, … has this name
  - UnknownModelError  (a TypeError)     no adapter takes this object
  - MissingExtraError  (an ImportError)  an optional library is not installed
  - PlanError          (a RuntimeError)  a protocol gave an impossible order
  - DataError          (a ValueError)    an item, file or header is not what it must be
  - MissingDataError   (an OSError)      a file that is not there, and where to get it
  - LogError           (a ValueError)    a log cannot be read, joined or measured so
  - LearnerError       (a RuntimeError)  a model failed; names item, fold and model
  - DiskError          (an OSError)      the disk is full or refuses
  - SpecError          (a ValueError)    an experiment file is wrong; lists every mistake

The pattern of a message: who: what must be what, got what; what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from streamgauge.doors import suggestion

if TYPE_CHECKING:
    from streamgauge.types import F64, Codes


class StreamgaugeError(Exception):
    """Anything streamgauge raises on purpose."""


class ParameterError(StreamgaugeError, ValueError):
    """A parameter is out of its range."""

    @classmethod
    def of(cls, who: object, what: str, must: str, got: object) -> ParameterError:
        """`Delayed: delay must be at least 1, got 0`."""
        name = who if isinstance(who, str) else type(who).__name__
        return cls(f"{name}: {what} must be {must}, got {got!r}")


class UnknownNameError(StreamgaugeError, LookupError):
    """No member of a family has this name."""

    def __init__(self, family: str, name: str, known: Iterable[str]) -> None:
        known = list(known)
        hint = suggestion(name, known) or f"; known: {', '.join(sorted(known))}"
        super().__init__(f"no {family} is called {name!r}{hint}")


class UnknownModelError(StreamgaugeError, TypeError):
    """No adapter takes this object."""

    def __init__(self, model: object, libraries: Iterable[str]) -> None:
        kind = f"{type(model).__module__}.{type(model).__qualname__}"
        super().__init__(
            f"no adapter for {kind}; give a model of {', '.join(libraries)}, "
            "or an object with predict and learn"
        )


class MissingExtraError(StreamgaugeError, ImportError):
    """An optional library is not installed."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed; pip install 'streamgauge[{extra}]'")


class PlanError(StreamgaugeError, RuntimeError):
    """A protocol gave an impossible order."""


class DataError(StreamgaugeError, ValueError):
    """An item, a file or a header is not what it must be."""


class MissingDataError(StreamgaugeError, FileNotFoundError):
    """A file that is not there."""


class LogError(StreamgaugeError, ValueError):
    """A log cannot be read, joined or measured this way."""


class LearnerError(StreamgaugeError, RuntimeError):
    """A model failed while it was driven; the log up to there is kept, marked incomplete.

    `answers` are those given before the failure, from the first item of the call on: up to
    `item` if it failed while learning, up to the one before if it failed while answering. Notes
    of the cause (`add_note`) say what to do.
    """

    def __init__(
        self,
        model: str,
        verb: str,
        item: int,
        fold: int,
        cause: BaseException,
        answers: Codes | F64 | None = None,
    ) -> None:
        self.model = model
        self.verb = verb
        self.item = item
        self.fold = fold
        self.cause = cause
        self.answers: Any = () if answers is None else answers
        self.rows: Any = None
        self.log: Any = None
        advice = "".join(f"; {note}" for note in getattr(cause, "__notes__", ()))
        super().__init__(
            f"{model}: {verb} failed at item {item:,} (fold {fold}): "
            f"{type(cause).__name__}: {cause}{advice}"
        )


class DiskError(StreamgaugeError, OSError):
    """The disk is full or refuses."""


class SpecError(StreamgaugeError, ValueError):
    """An experiment file is wrong; every mistake is listed."""

    def __init__(self, where: str, mistakes: Sequence[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(f"{where}: {m}" for m in mistakes))
