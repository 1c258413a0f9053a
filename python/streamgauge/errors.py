"""Every error streamgauge raises on purpose.

* StreamgaugeError
  - ParameterError         (a ValueError)    a parameter is out of its range
  - UnknownParameterError  (a TypeError)     a keyword is not a parameter; also a ParameterError
  - ImportFailedError      (a ValueError)    module:object cannot be imported; also a ParameterError
  - UnknownNameError       (a LookupError)   no measure, protocol, … has this name
  - UnknownModelError      (a TypeError)     no adapter takes this object
  - MissingExtraError      (an ImportError)  an optional library is not installed
  - TimetableError         (a RuntimeError)  a protocol gave an impossible order
  - DataError              (a ValueError)    an item, file or header is not what it must be
  - MissingDataError       (an OSError)      a file does not exist; where to get it
  - LogError               (a ValueError)    a log cannot be read, joined or measured this way
  - LearnerError           (a RuntimeError)  a model failed; names item, fold and model
  - CellError              (a RuntimeError)  cells of an experiment failed; the others finished
  - DiskError              (an OSError)      the disk is full or cannot be written to
  - SpecError              (a ValueError)    an experiment file is wrong; lists every mistake

The pattern of a message: who: what must be what, got what; what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from streamgauge.types import F64, Codes


PREFIX = 3
"""Length from which the beginning of a name is taken for the name."""


class StreamgaugeError(Exception):
    """Anything streamgauge raises on purpose."""


def error_line(error: BaseException) -> str:
    """Type and text of an error of other code, on one line.

    Examples
    --------
    >>> error_line(KeyError("a")), error_line(ValueError("first\\n  second"))
    ("KeyError: 'a'", 'ValueError: first second')
    """
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _shown(thing: object) -> str:
    """A value in an error: its text, or its class if the text were an address.

    Examples
    --------
    >>> _shown("a"), _shown(object())
    ("'a'", 'an object of builtins.object')
    """
    kind = type(thing)
    if kind.__repr__ is not object.__repr__:
        return repr(thing)
    return f"an object of {kind.__module__}.{kind.__qualname__}"


class ParameterError(StreamgaugeError, ValueError):
    """A parameter is out of its range."""

    @classmethod
    def of(cls, who: object, what: str, must: str, got: object) -> ParameterError:
        """`Delayed: delay must be at least 1, got 0`."""
        name = who if isinstance(who, str) else type(who).__name__
        return cls(f"{name}: {what} must be {must}, got {_shown(got)}")


@contextmanager
def reported_by(who: str, *callees: str) -> Iterator[None]:
    """Let errors of functions that `who` calls name `who`, the one that the user called.

    It can be used as a decorator, too.

    Examples
    --------
    >>> with reported_by("compare_all", "compare"):
    ...     raise ParameterError.of("compare", "alpha", "below 1", 2)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: compare_all: alpha must be below 1, got 2
    """
    try:
        yield
    except StreamgaugeError as error:
        name, colon, rest = str(error).partition(": ")
        if name in callees:
            error.args = (f"{who}{colon}{rest}",)
        raise


class UnknownParameterError(ParameterError, TypeError):
    """A keyword is not a parameter of the function or class."""

    def __init__(self, who: str, name: str, takes: Iterable[str]) -> None:
        takes = list(takes)
        hint = suggestion(name, takes) or f"; it takes: {', '.join(takes) or 'none'}"
        super().__init__(f"{who}: no parameter is called {name!r}{hint}")


class ImportFailedError(ParameterError):
    """What `module:object` names cannot be imported."""


class UnknownNameError(StreamgaugeError, LookupError):
    """No member of a family has this name."""

    def __init__(self, family: str, name: str, known: Iterable[str], elsewhere: str = "") -> None:
        known = list(known)
        hint = f"; {elsewhere}" if elsewhere else suggestion(name, known)
        hint = hint or f"; known: {', '.join(sorted(known))}"
        super().__init__(f"no {family} is called {name!r}{hint}")


class UnknownModelError(StreamgaugeError, TypeError):
    """No adapter takes this object."""

    def __init__(self, model: object, libraries: Iterable[str]) -> None:
        kind = model if isinstance(model, type) else type(model)
        name = f"{kind.__module__}.{kind.__qualname__}"
        if kind is model:
            super().__init__(f"no adapter for the class {name}; give an object of it")
            return
        super().__init__(
            f"no adapter for {name}; give a model of {', '.join(libraries)}, "
            "or an object with predict and learn"
        )


class MissingExtraError(StreamgaugeError, ImportError):
    """An optional library is not installed."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed; pip install 'streamgauge[{extra}]'")


class TimetableError(StreamgaugeError, RuntimeError):
    """A timetable is impossible: an order of a protocol cannot be executed."""


class DataError(StreamgaugeError, ValueError):
    """An item, a file or a header is not what it must be."""


class MissingDataError(StreamgaugeError, FileNotFoundError):
    """A file does not exist."""


class LogError(StreamgaugeError, ValueError):
    """A log cannot be read, joined or measured this way."""


class LearnerError(StreamgaugeError, RuntimeError):
    """A model failed; the log up to that item is kept and marked incomplete.

    `predictions` are those made before the failure, starting with the first item of the call: up
    to `item` if learning failed, up to the item before it if predicting failed. Notes of the
    cause (`add_note`) state what to do.
    """

    def __init__(
        self,
        model: str,
        verb: str,
        item: int,
        fold: int,
        cause: BaseException,
        predictions: Codes | F64 | None = None,
    ) -> None:
        self.model = model
        self.verb = verb
        self.item = item
        self.fold = fold
        self.cause = cause
        self.predictions: Any = () if predictions is None else predictions
        self.rows: Any = None
        self.log: Any = None
        advice = "".join(f"; {note}" for note in getattr(cause, "__notes__", ()))
        super().__init__(
            f"{model}: {verb} failed at item {item:,} (fold {fold}): "
            f"{type(cause).__name__}: {cause}{advice}"
        )


class CellError(StreamgaugeError, RuntimeError):
    """Cells of an experiment failed; the others finished.

    `failures` has the sentence of each by the title of its cell.
    """

    def __init__(self, failures: Mapping[str, str], cells: int) -> None:
        self.failures = dict(failures)
        title, sentence = next(iter(self.failures.items()))
        if cells == 1:
            super().__init__(sentence)
            return
        others = len(failures) - 1
        more = f"; and {others} more" if others else ""
        rest = ", the others are finished" if len(failures) < cells else ""
        super().__init__(
            f"{len(failures)} of {cells} cells failed{rest}: {title}: {sentence}{more}"
        )


class DiskError(StreamgaugeError, OSError):
    """The disk is full or cannot be written to."""


class SpecError(StreamgaugeError, ValueError):
    """An experiment file is wrong; every mistake is listed."""

    def __init__(self, where: str, mistakes: Sequence[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(f"{where}: {m}" for m in mistakes))


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean …?`, or nothing if no known name is near.

    Examples
    --------
    >>> suggestion("kapa", ["accuracy", "kappa"]), suggestion("grace", ["delta", "grace_period"])
    ("; did you mean 'kappa'?", "; did you mean 'grace_period'?")
    """
    known = list(known)
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if not near and len(name) >= PREFIX:
        first = name.partition("_")[0]
        near = [one for one in known if one.startswith((name, f"{first}_")) or one == first]
    return f"; did you mean {near[0]!r}?" if near else ""
