"""The face of the compiled module, checked by stubtest."""

from collections.abc import Callable, Sequence
from typing import Any, final

from streamgauge.types import F64, Codes

VERSION: str

@final
class Driver:
    """Drives one model. Built by the adapters, which know its verbs and what it takes."""

    def __new__(
        cls,
        predict: Callable[[Any], object],
        learn: Callable[..., object],
        refuse: Callable[[object], None],
        *,
        score: Callable[[Any], object] | None = None,
        columns: Sequence[tuple[str, Sequence[object] | None]] | None = None,
        table: bool = False,
        classes: Sequence[object] | None = None,
        codes: dict[Any, int] | None = None,
        weight: str = "weight",
        from_scores: bool = False,
    ) -> Driver: ...
    def test_then_train(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> tuple[Codes | F64, tuple[str, BaseException] | None]: ...
    def answer(self, rows: F64) -> tuple[Codes | F64, tuple[str, BaseException] | None]: ...
    def scores(self, rows: F64, out: F64) -> tuple[int, tuple[str, BaseException] | None]: ...
    def learn(
        self, rows: F64, labels: Codes | F64, weights: F64 | None = None
    ) -> tuple[int, tuple[str, BaseException] | None]: ...
