"""An iterator of chunks; the calling thread may make the next one in advance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Prefetch(Generic[T]):
    """An iterator whose next element is made in advance if `prepare` is called.

    `prepare` runs on the calling thread, which is free only while other threads execute `Events`,
    or a `test_then_train` pattern, for folds of a native learner; in other runs each element is
    made when it is requested. An error while it is made is raised when the element is requested,
    so that the results of the current chunk are not lost.
    """

    def __init__(self, source: Iterator[T]) -> None:
        self._source = source
        self._made: list[T] = []
        self._error: Exception | SystemExit | None = None

    def __iter__(self) -> Prefetch[T]:
        return self

    def __next__(self) -> T:
        if self._error is not None:
            raise self._error
        return self._made.pop() if self._made else next(self._source)

    def prepare(self) -> None:
        """Make the next element now, unless it is made already."""
        if self._made or self._error is not None:
            return
        try:
            self._made.append(next(self._source))
        except (Exception, SystemExit) as error:  # noqa: BLE001 (raised by `__next__`)
            self._error = error
