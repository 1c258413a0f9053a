"""Types of the compiled module, checked by stubtest."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, final

from streamgauge.types import F64, I64, U8, U16, U32, U64, Codes, Flags

_Rows = tuple[
    tuple[U64, U16, U32, U8, I64, Codes | F64, F64 | None],
    tuple[U64, I64, Codes | F64, F64],
    tuple[U64, U16, F64],
]
"""Rows of the log: predictions, labels, training."""

_Stopped = tuple[int, str, int, Exception]
_Noise = tuple[int, str, float, Sequence[int]]
"""The fold and the verb that failed, the item, and the exception."""

__all__ = [
    "VERSION",
    "Comparison",
    "Confusions",
    "Driver",
    "Generator",
    "NativeInterpreter",
    "Losses",
    "Moments",
    "NativeDetector",
    "NativeEstimate",
    "NativeLearner",
    "NativeTransformer",
    "NativeSelector",
    "Rankings",
    "SequentialTest",
    "RepeatedPredictionCounter",
    "TextRows",
    "TextScan",
    "autocovariances",
    "coin_log_evidence",
    "events_as_orders",
    "noisy_rows",
    "pending_bins",
    "resampled_means",
    "rows_of_columns",
    "text_cells",
    "uniform_counts",
    "uniforms",
]

VERSION: str

@final
class Driver:
    """Drives one model. Built by the adapters, which know its methods and its input format."""

    def __new__(
        cls,
        predict: Callable[[Any], object],
        learn: Callable[..., object],
        refuse: Callable[[object], None],
        *,
        score: Callable[[Any], object] | None = None,
        columns: Sequence[tuple[str, Sequence[object] | None]] | None = None,
        table: bool = False,
        wrap: Callable[[F64], object] | None = None,
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
    def test_then_train_pairs(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> tuple[Codes | F64, tuple[str, BaseException] | None]: ...
    def predict(self, rows: F64) -> tuple[Codes | F64, tuple[str, BaseException] | None]: ...
    def scores(self, rows: F64, out: F64) -> tuple[int, tuple[str, BaseException] | None]: ...
    def learn(
        self, rows: F64, labels: Codes | F64, weights: F64 | None = None
    ) -> tuple[int, tuple[str, BaseException] | None]: ...

@final
class NativeDetector:
    """A native detector that observes losses, or an estimate of the error.

    `window` is the kind and parameter of the estimate's window.
    """

    def __new__(
        cls,
        name: str,
        seed: int = 0,
        window: tuple[str, float] | None = None,
        parameters: dict[str, float | str | tuple[str, float]] | None = None,
    ) -> NativeDetector: ...
    def observe(self, loss: float) -> int: ...
    def observe_many(self, losses: F64, stop: bool = False) -> tuple[int, I64, U8]: ...
    def observe_traced(self, losses: F64) -> tuple[I64, U8, F64, F64]: ...
    def reset(self) -> None: ...
    def clone(self, seed: int) -> NativeDetector: ...
    def save(self) -> bytes: ...
    def load(self, state: bytes) -> None: ...
    def __setstate__(self, state: bytes) -> None: ...
    def memory(self) -> int: ...

@final
class NativeEstimate:
    """An estimate of the error after each loss, by the kind and parameter of a window."""

    def __new__(cls, kind: str, parameter: float) -> NativeEstimate: ...
    def push(self, losses: F64) -> F64: ...
    def reset(self) -> None: ...

@final
class NativeSelector:
    """A native feature selector, bound to columns and classes.

    `columns` is the number of values of each column, 0 for a numeric one.
    """

    def __new__(
        cls,
        name: str,
        columns: Sequence[int],
        classes: int,
        seed: int = 0,
        parameters: dict[str, float | str | None] | None = None,
    ) -> NativeSelector: ...
    def selected(self) -> Flags: ...
    def scores(self) -> F64: ...
    def mask(self, rows: F64, fill: float) -> F64: ...
    def mask_and_learn(
        self, rows: F64, labels: Codes, weights: F64 | None, fill: float
    ) -> tuple[F64, I64, Flags]: ...
    def learn(self, rows: F64, labels: Codes, weights: F64 | None = None) -> tuple[I64, Flags]: ...
    def fresh(self, seed: int) -> NativeSelector: ...
    def save(self) -> bytes: ...
    def load(self, state: bytes) -> None: ...
    def __setstate__(self, state: bytes) -> None: ...
    def memory(self) -> int: ...
    def vitals(self) -> dict[str, float]: ...

@final
class NativeLearner:
    """A native learner, bound to columns and classes.

    `columns` is the number of values of each column, 0 for a numeric one.
    """

    def __new__(
        cls,
        name: str,
        columns: Sequence[int],
        classes: int,
        seed: int = 0,
        parameters: Mapping[str, Any] | None = None,
    ) -> NativeLearner: ...
    @property
    def recipe(self) -> tuple[str, dict[str, Any]]: ...
    numbered: ClassVar[bool]
    tracks_items: ClassVar[bool]
    has_alarms: ClassVar[bool]
    has_selections: ClassVar[bool]
    measured: ClassVar[bool]
    one_by_one: ClassVar[None]
    @property
    def about(self) -> dict[str, str]: ...
    @property
    def needs_rows(self) -> bool: ...
    @property
    def takes_missing(self) -> bool: ...
    @property
    def has_scores(self) -> bool: ...
    def predict(self, rows: F64, first: int = 0, items: U64 | None = None) -> Codes | F64: ...
    def scores(self, rows: F64, first: int = 0, items: U64 | None = None) -> F64: ...
    def learn(
        self,
        rows: F64 | None,
        labels: Codes | F64,
        weights: F64 | None = None,
    ) -> None: ...
    def test_then_train(
        self,
        first: int,
        rows: F64 | None,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64: ...
    def fresh(self, seed: int) -> NativeLearner: ...
    def save(self) -> bytes: ...
    def load(self, state: bytes) -> None: ...
    def __setstate__(self, state: bytes) -> None: ...
    def memory(self) -> int: ...
    def vitals(self) -> dict[str, float]: ...

@final
class NativeTransformer:
    """A transformer of rows, bound to columns.

    `columns` is the number of values of each column, 0 for a numeric one.
    """

    def __new__(
        cls,
        name: str,
        columns: Sequence[int],
        parameters: Mapping[str, Any] | None = None,
    ) -> NativeTransformer: ...
    @property
    def recipe(self) -> tuple[str, dict[str, Any]]: ...
    def transform(self, rows: F64) -> F64: ...
    def learn(self, row: F64, weight: float = 1.0) -> None: ...
    def transform_and_learn(
        self, before: F64, after: F64, learned: Flags, weights: F64 | None = None
    ) -> tuple[F64, F64]: ...
    def fresh(self) -> NativeTransformer: ...
    def save(self) -> bytes: ...
    def load(self, state: bytes) -> None: ...
    def __setstate__(self, state: bytes) -> None: ...
    def memory(self) -> int: ...

@final
class Generator:
    """An endless source of items; `fill` continues where the last call ended."""

    def fill(self, count: int) -> tuple[F64, Codes | F64]: ...
    @staticmethod
    def sea(
        function: int,
        noise: float,
        balance: bool,
        seed: int,
        toward_function: tuple[int, float, float] | None = None,
    ) -> Generator: ...
    @staticmethod
    def agrawal(function: int, perturbation: float, balance: bool, seed: int) -> Generator: ...
    @staticmethod
    def led(noise: float, irrelevant: bool, drifting: int, seed: int) -> Generator: ...
    @staticmethod
    def hyperplane(
        attributes: int,
        drifting: int,
        magnitude: float,
        reversal: float,
        noise: float,
        concept: int,
        seed: int,
        toward_concept: tuple[int, float, float] | None = None,
    ) -> Generator: ...
    @staticmethod
    def hyper_distance(
        distance: str,
        attributes: int,
        centred: bool,
        drifting: int,
        magnitude: float,
        reversal: float,
        noise: float,
        concept: int,
        seed: int,
        toward_concept: tuple[int, float, float] | None = None,
    ) -> Generator: ...
    @staticmethod
    def random_tree(
        classes: int,
        nominals: int,
        numerics: int,
        values: int,
        max_depth: int,
        first_leaf_level: int,
        leaf_fraction: float,
        concept: int,
        seed: int,
    ) -> Generator: ...
    @staticmethod
    def random_rbf(
        classes: int,
        attributes: int,
        centroids: int,
        moving: int,
        speed: float,
        concept: int,
        seed: int,
    ) -> Generator: ...
    @staticmethod
    def waveform(irrelevant: bool, drifting: int, concept: int, seed: int) -> Generator: ...
    @staticmethod
    def sine(function: int, irrelevant: bool, balance: bool, seed: int) -> Generator: ...
    @staticmethod
    def stagger(function: int, balance: bool, seed: int) -> Generator: ...
    @staticmethod
    def mixed(function: int, balance: bool, seed: int) -> Generator: ...
    @staticmethod
    def friedman(
        relevant: tuple[int, int, int, int, int], expansion: int, noise: float, seed: int
    ) -> Generator: ...

def uniforms(seed: int, first: int, count: int) -> F64:
    """Uniform numbers in [0, 1) for `count` items from `first` on."""

def uniform_counts(seed: int, first: int, count: int, bounds: F64) -> U8:
    """For items from `first` on: how many ascending `bounds` are at most its uniform number."""

def noisy_rows(rows: F64, first: int, scales: F64, arguments: _Noise) -> F64:
    """The rows of consecutive items from `first` on, with noise.

    `arguments` are the seed, the form, the probability that a nominal value is replaced, and the
    number of values of each column (0: numeric). `scales` has one row per item, or one for all.
    """

@final
class Confusions:
    """Counts of labels and predictions over many windows, in one pass."""

    def __new__(
        cls,
        classes: int,
        windows: Sequence[tuple[str, float]],
        every: int,
        parts: Sequence[str],
        cold_start: str,
        weighted: bool = False,
        capacity: int = 0,
    ) -> Confusions: ...
    def push(
        self,
        label: Codes,
        prediction: Codes,
        previous: Codes | None = None,
        weight: F64 | None = None,
    ) -> int: ...
    def coverage(self) -> tuple[int, int]: ...
    def layout(self) -> list[tuple[str, int]]: ...
    def take(self) -> list[tuple[I64, F64]]: ...
    def finish(self) -> list[tuple[I64, F64]]: ...

def rows_of_columns(columns: Sequence[Any], rows: int) -> tuple[F64, tuple[int, int] | None]:
    """Columns as row-major float64, and the row and column of the first infinity."""

def text_cells(
    data: bytes, last: bool, separator: str, arff: bool
) -> tuple[list[str], int, int] | None:
    """The cells of the first row and its length in bytes and lines; None if it is incomplete."""

@final
class TextRows:
    """Reads rows from pieces of text.

    Columns are (place, kind, values): a feature, label, time, label_time or weight of kind number,
    text, declared (text), code, tick or stamp. Errors are a ValueError of (name, line, column,
    cell).
    """

    def __new__(
        cls,
        separator: str,
        arff: bool,
        columns: Sequence[tuple[str, str, Sequence[str]]],
        line: int,
        ticks: int,
        decimal: str,
        omitted: Sequence[str | None],
    ) -> TextRows: ...
    def feed(self, data: bytes, last: bool) -> None: ...
    def take(
        self, size: int
    ) -> tuple[F64, Codes | None, F64 | None, I64 | None, I64 | None, F64 | None] | None: ...

@final
class TextScan:
    """Finds the content of the columns of a text passed in pieces.

    `inspect` has one word per column: kind, values or skip.
    """

    def __new__(
        cls,
        separator: str,
        arff: bool,
        inspect: Sequence[str],
        most: int,
        line: int,
        decimal: str,
        omitted: Sequence[str | None],
    ) -> TextScan: ...
    @property
    def rows(self) -> int: ...
    def feed(self, data: bytes, last: bool) -> None: ...
    def contents(
        self,
    ) -> list[
        tuple[
            bool,
            bool,
            bool,
            tuple[str, int],
            tuple[str, int],
            tuple[str, int],
            list[str] | None,
        ]
    ]: ...

@final
class Moments:
    """Moments of real labels and errors over many windows, in one pass."""

    def __new__(
        cls,
        windows: Sequence[tuple[str, float]],
        every: int,
        cold_start: str,
        weighted: bool = False,
        capacity: int = 0,
    ) -> Moments: ...
    def push(
        self,
        label: F64,
        prediction: F64,
        previous: F64 | None = None,
        weight: F64 | None = None,
    ) -> int: ...
    def coverage(self) -> tuple[int, int]: ...
    @staticmethod
    def layout() -> list[str]: ...
    def take(self) -> list[tuple[I64, F64]]: ...
    def finish(self) -> list[tuple[I64, F64]]: ...

@final
class Losses:
    """Losses of scores over many windows, in one pass."""

    def __new__(
        cls,
        classes: int,
        windows: Sequence[tuple[str, float]],
        every: int,
        bins: Sequence[int],
        cold_start: str,
        weighted: bool = False,
        capacity: int = 0,
    ) -> Losses: ...
    def push(
        self, label: Codes, prediction: Codes, scores: F64, weight: F64 | None = None
    ) -> int: ...
    def coverage(self) -> tuple[int, int]: ...
    def take(self) -> list[tuple[I64, F64]]: ...
    def finish(self) -> list[tuple[I64, F64]]: ...

@final
class Rankings:
    """Pairs of items that scores order correctly, over many windows, in one pass."""

    def __new__(
        cls,
        classes: int,
        windows: Sequence[tuple[str, float]],
        every: int,
        contests: Sequence[tuple[int, int | None]],
        cold_start: str,
        capacity: int = 0,
    ) -> Rankings: ...
    def push(self, label: Codes, prediction: Codes, scores: F64) -> int: ...
    def coverage(self) -> tuple[int, int]: ...
    def take(self) -> list[tuple[I64, F64]]: ...
    def finish(self) -> list[tuple[I64, F64]]: ...

@final
class Comparison:
    """Two learners' losses on the same items: sums over many windows, a test, autocovariances.

    `threshold` is a natural logarithm; `quantiles` are squared. Without a finite `bound` of real
    losses there is no evidence so far.
    """

    def __new__(
        cls,
        windows: Sequence[tuple[str, float]],
        every: int,
        loss: str,
        cold_start: str,
        threshold: float,
        quantiles: Sequence[float],
        main: int = 0,
        bound: float = ...,
        spell: float = 200.0,
        lags: int | None = None,
        capacity: int = 0,
    ) -> Comparison: ...
    def push_codes(self, label: Codes, a: Codes, b: Codes) -> None: ...
    def push_reals(self, label: F64, a: F64, b: F64) -> None: ...
    def test(self) -> SequentialTest: ...
    def crossings(self) -> list[int]: ...
    def clipped(self) -> int: ...
    def autocovariances(self) -> tuple[int, float, F64]: ...
    def finish(self) -> list[tuple[I64, F64]]: ...
    @staticmethod
    def layout() -> list[str]: ...

@final
class SequentialTest:
    """Two learners' losses, pair by pair: so far, in the long run, and now."""

    def __new__(
        cls,
        threshold: float,
        quantiles: Sequence[float],
        main: int = 0,
        bound: float | None = None,
        spell: float = 200.0,
    ) -> SequentialTest: ...
    def update(self, a: float, b: float) -> None: ...
    def push(self, a: F64, b: F64) -> None: ...
    def record(self, every: int) -> None: ...
    def pairs(self) -> tuple[int, int]: ...
    def sums(self) -> tuple[float, float]: ...
    def stretches(self) -> tuple[int, tuple[float, float], float]: ...
    def log_evidence(self) -> tuple[float, float] | None: ...
    def so_far(self) -> tuple[float, float]: ...
    def so_far_times(
        self,
    ) -> tuple[tuple[int | None, int | None], tuple[int | None, int | None]]: ...
    def long_run(self) -> tuple[str, int, float, float, float, float]: ...
    def interval(self, quantile: float) -> tuple[float, float]: ...
    def long_run_times(
        self,
    ) -> tuple[
        tuple[list[int | None], list[int | None]], tuple[list[int | None], list[int | None]]
    ]: ...
    def windows(self) -> list[tuple[int, int, int, float, float, float]]: ...
    def window_interval(self, index: int, quantile: float) -> tuple[float, float]: ...
    def curve(self) -> list[F64]: ...

def autocovariances(values: F64, lags: int) -> tuple[int, float, F64]:
    """Count, mean, and the autocovariances of a series up to a largest lag."""

def coin_log_evidence(wins: F64, losses: F64) -> F64:
    """The natural logarithm of the evidence from bets on coins, for numbers of wins and losses."""

def resampled_means(values: F64, kind: str, block: float, draws: int, seed: int) -> F64:
    """The means of resampled series: `moving`, `circular` or `stationary` blocks."""

@final
class RepeatedPredictionCounter:
    """Counts the repeated predictions of pending items from the order of arrivals and labels."""

    def __new__(cls, every: int, first_at_zero: bool) -> RepeatedPredictionCounter: ...
    def count(self, labelled: Flags, item: U64, folds: I64) -> tuple[I64, I64, I64, I64]: ...

@final
class NativeInterpreter:
    """Executes the chunks of one run, and holds its pending items."""

    def __new__(
        cls, folds: Sequence[object], classes: int | None, scores: bool
    ) -> NativeInterpreter: ...
    def __len__(self) -> int: ...
    def memory(self) -> int: ...
    def save(self) -> list[bytes]: ...
    def load(self, states: Sequence[bytes], width: int) -> None: ...
    def events(
        self,
        what: U8,
        item: U64,
        time: I64,
        every: int,
        first_at_zero: bool,
        predict_last: bool,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        times_learned: U8 | None = None,
        predicts: Flags | None = None,
        updates: F64 | None = None,
        threads: int = 1,
        meanwhile: Callable[[], None] | None = None,
    ) -> tuple[_Rows, _Stopped | None]: ...
    def labelled(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None,
        times_learned: U8,
        predicts: Flags | None,
        threads: int = 1,
        meanwhile: Callable[[], None] | None = None,
    ) -> Codes | F64: ...
    def orders(
        self,
        op: U8,
        item: U64,
        fold: U16,
        turn: U32,
        kind: U8,
        weight: F64,
        time: I64,
        keep_from: int,
        keep: U64,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        updates: F64 | None = None,
        threads: int = 1,
        noise: tuple[_Noise, F64] | None = None,
    ) -> tuple[_Rows, _Stopped | None]: ...

def events_as_orders(
    what: U8,
    item: U64,
    time: I64,
    every: int,
    first_at_zero: bool,
    predict_last: bool,
    labels: int,
    pending: U64,
    labels_at_arrival: U64,
) -> tuple[U8, U64, U32, U8, I64, U32]: ...
def pending_bins(
    starts: I64,
    time: I64,
    prediction: Codes | F64,
    last: Codes | F64,
    label_time: I64,
    bins: int,
    grzenda: bool,
    classes: int | None,
) -> Codes | F64: ...
