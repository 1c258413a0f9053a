"""The next chunk of a timetable made beforehand, while others work on this one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Ahead(Generic[T]):
    """An iterator whose next element can be made before its turn.

    What goes wrong while it is made is raised when its turn comes, so that what is at work
    meanwhile is not lost.
    """

    def __init__(self, source: Iterator[T]) -> None:
        self._source = source
        self._made: list[T] = []
        self._error: Exception | None = None

    def __iter__(self) -> Ahead[T]:
        return self

    def __next__(self) -> T:
        if self._error is not None:
            raise self._error
        return self._made.pop() if self._made else next(self._source)

    def prepare(self) -> None:
        """Make the next one now, unless that is done."""
        if self._made or self._error is not None:
            return
        try:
            self._made.append(next(self._source))
        except Exception as error:  # noqa: BLE001 (raised when its turn comes)
            self._error = error
