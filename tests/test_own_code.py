"""Code of the user's own: two settings stay two; a failure is reported as theirs, not as a bug."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.cli import main
from streamgauge.errors import DataError, ParameterError, StreamgaugeError, UnknownModelError
from streamgauge.names import make

MODULE = '''
from dataclasses import dataclass, replace
from math import nan
import numpy as np
import streamgauge as sg


def blocks(items=200, size=20):
    x = np.random.default_rng(1).random((items, 3))
    return sg.streams.from_arrays(x, np.arange(items) // size % 2)


@dataclass(frozen=True)
class Days(sg.windows.Window):
    """The last days of a stream with 24 items per day."""

    days: int = 7

    @property
    def spec(self):
        return "sliding", np.int64(24 * self.days)


@dataclass(frozen=True)
class Writes(sg.measures.Measure):
    """Writes into the counts."""

    best = nan
    span = (0.0, 1.0)
    formula = "0"

    def value(self, summary):
        summary.correct[:] = 0
        return summary.correct


class Unset(sg.measures.Measure):
    """Parameters that no text shows."""

    best = nan
    span = (0.0, 1.0)
    formula = "k"

    def __init__(self, k):
        self.k = k

    def value(self, summary):
        return self.k * summary.total


@dataclass(frozen=True)
class Zigzag:
    top: int = 5
    given: object = None

    def ticks(self, items):
        ticks = np.arange(len(items.time)) % self.top
        return {"negative": -1 - ticks, "real": ticks / 2, "one": ticks[:1], "none": None}.get(
            self.given, ticks
        )


class Fails:
    def __init__(self, a=1):
        raise OSError("no network\\nat all")


class FailsLater:
    def predict(self, x):
        return 0

    def learn(self, x, y):
        pass

    folds = 1

    def timetable(self, arrivals, seed=0):
        raise ZeroDivisionError("in my code")
        yield


class NoFolds:
    def timetable(self, arrivals, seed=0):
        return iter(())


class Texts(NoFolds):
    folds = 1

    def timetable(self, arrivals, seed=0):
        yield "predict"


class Rows:
    name, length = "rows", 2
    schema = sg.streams.SEA(items=1).schema

    def batches(self, size=8192, seed=0):
        yield [1, 2]



class NoLength:
    name = "no length"
    schema = Rows.schema

    def batches(self, size=8192, seed=0):
        yield from sg.streams.SEA(items=20).batches(size, seed)


class NoSeed(NoLength):
    length = 20

    def batches(self, size=8192):
        return super().batches(size)


class OtherColumns(NoLength):
    """Batches with a column that is not what it must be."""

    length = 20

    def __init__(self, what="x", kind="float64"):
        self.what, self.kind = what, kind

    def batches(self, size=8192, seed=0):
        for batch in super().batches(size, seed):
            column = getattr(batch, self.what)
            other = column.tolist() if self.kind == "list" else column.astype(self.kind)
            yield replace(batch, **{self.what: other})


class NoStop:
    def bind(self, seed=0, window=None):
        return self

    def observe(self, loss):
        return 0

    def observe_many(self, losses):
        return len(losses), [], []

    def reset(self):
        pass

    def clone(self, seed):
        return self


class NoMeasure:
    def value(self, summary):
        return summary.correct


class NoChunks(NoFolds):
    folds = 1

    def timetable(self, arrivals, seed=0):
        return None


class Every:
    def __init__(self, how="good"):
        self.how = how

    def bind(self, seed=0, window=None):
        if self.how == "raises":
            raise ZeroDivisionError("bad")
        return None if self.how == "none" else self

    def observe(self, loss):
        return 0

    def observe_many(self, losses, stop=False):
        n = len(losses)
        good = n, np.array([0, n - 1]), np.array([1, 2], np.uint8)
        return {
            "nothing": None,
            "range": (n, np.array([n]), np.array([2], np.uint8)),
            "kind": (n, np.array([0]), np.array([9], np.uint8)),
            "uneven": (n, np.array([0, 1]), np.array([2], np.uint8)),
            "fractions": (n, np.array([0]), np.array([1.5])),
            "few": (0, *good[1:]),
            "no columns": (n, None, None),
            "numbers": (n, 3, 2),
            "kinds only": (n, [], [2]),
            "ragged": (n, [[1], [1, 2]], [2]),
            "an array": (np.array([n, n]), *good[1:]),
            "text": (str(n), *good[1:]),
            "kind of two bytes": (n, np.array([0]), np.array([258])),
            "far": (n, np.array([2**64 - 1], np.uint64), np.array([2])),
            "lists": (np.int64(n), [0, n - 1], [1, 2]),
        }.get(self.how, good)

    def reset(self):
        pass

    def clone(self, seed):
        return self


class Exits:
    """A learner, a stream, a protocol or a detector that exits at its first call."""

    name, length, folds = "exits", 2, 1
    schema = sg.streams.SEA(items=1).schema

    def predict(self, x):
        raise SystemExit

    def learn(self, x, y):
        pass

    def batches(self, size=8192, seed=0):
        raise SystemExit(0)
        yield

    def timetable(self, arrivals, seed=0):
        raise SystemExit(0)
        yield


class RefusingDetector(Every):
    def observe_many(self, losses, stop=False):
        raise ValueError("not these losses")


class ExitingDetector(Every):
    def observe_many(self, losses, stop=False):
        raise SystemExit(0)
'''


@pytest.fixture(scope="module", autouse=True)
def own(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "owncode.py").write_text(MODULE)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    sys.modules.pop("owncode", None)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as left:
        main([*words])
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    return error


def test_a_stream_has_the_text_that_made_it_as_its_name() -> None:
    one, other = (make("stream", f"owncode:blocks(size={size})") for size in (20, 50))
    assert (one.name, other.name) == ("owncode:blocks(size=20)", "owncode:blocks(size=50)")
    assert make("stream", "take(owncode:blocks(), 5)").name == "take(owncode:blocks(), 5)"
    page = sg.report.build([sg.run(s, n) for s in (one, other) for n in ("nb", "perceptron")])
    assert [section.stream for section in page.sections] == [one.name, other.name]


def test_a_report_takes_the_size_of_an_own_window_from_its_spec() -> None:
    logs = [sg.run("sea(items=2000)", name) for name in ("nb", "perceptron")]
    page = sg.report.build(logs, windows=["whole", "owncode:Days(days=2)"])
    (finding,) = (f for f in page.findings if f.rule == "window_too_short")
    difference, half_width = map(float, re.findall(r"(\d+\.\d)\s+points", finding.sentence)[:2])
    (needed,) = re.findall(r"a window of (\d+) items", finding.sentence)
    # half widths shrink with the root of the window, of two days here
    assert int(needed) == pytest.approx(48 * (half_width / difference) ** 2, rel=0.02)
    (definition,) = (d for d in page.definitions if d.term == "owncode:Days(days=2)")
    assert definition.text == "The last days of a stream with 24 items per day."


def test_a_measure_cannot_change_what_others_read() -> None:
    log = sg.run("sea(items=200)", "nb")
    with pytest.raises(ParameterError, match=r"Writes: value failed: ValueError: .*read-only"):
        sg.measure(log, ["owncode:Writes", "accuracy"])


def test_parameters_that_no_text_shows_are_refused() -> None:
    log = sg.run("sea(items=200)", "nb")
    with pytest.raises(ParameterError, match="Unset: must be a dataclass whose fields are its"):
        sg.measure(log, "owncode:Unset(k=2)")


@pytest.mark.parametrize("text", ["owncode:Zigzag()", "owncode:Zigzag(top=3)"])
def test_an_own_delay_may_be_named_anywhere(text, capsys) -> None:
    (batch,) = make("stream", f"delay(owncode:blocks(items=6), {text})").batches()
    top = make("delay", text).top
    np.testing.assert_array_equal(batch.label_time - np.arange(6), np.arange(6) % top)
    (burst,) = make("stream", f"delay(owncode:blocks(items=6), bursts(10, {text}))").batches()
    assert set(burst.label_time.tolist()) == {0, 10}
    main(["delay-sweep", "take(sea(), 60)", "-l", "nb", "--delays", text, "--json"])
    assert '"delay": ' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("negative", "Zigzag: ticks must be at least 0, got -5"),
        ("real", "Zigzag: ticks must be an integer array of shape .*, got one of float64"),
        ("one", r"Zigzag: ticks must be an integer array of shape \(6,\), got \(1,\)"),
        ("none", "Zigzag: ticks must be an integer array of shape .*, got NoneType"),
    ],
)
def test_a_delay_that_returns_something_else_is_refused(given, words) -> None:
    stream = make("stream", f"delay(owncode:blocks(items=6), owncode:Zigzag(given={given!r}))")
    with pytest.raises(ParameterError, match=words):
        list(stream.batches())


def test_learners_inside_others_are_made_at_construction() -> None:
    one = sg.learners.Resetting("nb", "ddm")
    assert one == sg.learners.Resetting(sg.learners.NaiveBayes(), sg.detectors.DDM())
    assert one.name == make("learner", "resetting(nb, ddm)").name
    corrected = sg.learners.TemporalCorrection("nb")
    assert corrected == sg.learners.TemporalCorrection(sg.learners.NaiveBayes())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("-l", "owncode:Fails(a=2)"), "owncode:Fails: failed: OSError: no network at all"),
        (("-l", "ddm"), "no learner is called 'ddm'"),
        (("-l", "temporal_correction(ddm)"), "no adapter for streamgauge.detectors.ddm.DDM"),
        (("-l", "owncode:Every()"), "no adapter for owncode.Every; give a model of"),
        (("-l", "owncode.Every()"), "must be a name or module:object, with parameters or without"),
        (
            ("-l", "resetting(nb, owncode:NoStop())"),
            "owncode:NoStop: observe_many must take (losses, stop), got (losses)",
        ),
        (
            ("-m", "owncode:NoMeasure()"),
            "a class derived from measures.Measure, got an object of owncode.NoMeasure",
        ),
        (
            ("-p", "owncode:FailsLater()"),
            "owncode:FailsLater.timetable (line 78): failed: ZeroDivisionError: in my code",
        ),
        (("-p", "owncode:NoFolds()"), "NoFolds: folds must be a whole number, at least 1"),
        (("-p", "owncode:NoChunks()"), "NoChunks: timetable must be an iterator of chunks"),
        (("-p", "owncode:Texts()"), "a chunk must be Orders, Pattern or Events, got str"),
    ],
)
def test_a_failure_of_own_code_is_not_called_a_bug(line, words, capsys) -> None:
    learner = () if "-l" in line else ("-l", "nb")
    assert words in refused(capsys, "evaluate", "take(sea(), 50)", *learner, *line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("take(sea(), 50)", "-l", "owncode:Exits()"), "exits: predict failed at item 0"),
        (("owncode:Exits()", "-l", "nb"), "owncode:Exits.batches (line "),
        (("take(sea(), 50)", "-l", "nb", "-p", "owncode:Exits()"), "owncode:Exits.timetable"),
        (
            ("take(sea(), 50)", "-l", "resetting(nb, owncode:ExitingDetector())"),
            "observing the loss failed at item 0",
        ),
    ],
)
def test_own_code_that_exits_ends_in_an_error(line, words, capsys) -> None:
    error = refused(capsys, "evaluate", *line)
    assert words in error
    assert "SystemExit" in error


def test_a_detector_that_exits_is_refused() -> None:
    log = sg.run("sea(items=200)", "nb")
    with pytest.raises(ParameterError, match=r"ExitingDetector.*failed: SystemExit: 0"):
        sg.detect(log, "owncode:ExitingDetector()")


def test_a_refusal_of_a_detector_is_that_of_the_users_code() -> None:
    with pytest.raises(ValueError, match=r"^not these losses$"):
        sg.detect(sg.run("sea(items=200)", "nb"), "owncode:RefusingDetector()")


def test_a_closed_pipe_is_no_error() -> None:
    """`streamgauge list measures | head -0`."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "streamgauge", "list", "measures"],
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_stream_that_yields_something_else_is_refused() -> None:
    with pytest.raises(DataError, match="batches must be of type Batch, got list"):
        sg.run("owncode:Rows()", "nb")


@pytest.mark.parametrize(
    ("stream", "words"),
    [
        ("NoLength()", "owncode:NoLength: must be a stream with schema, length, batches, got"),
        ("NoSeed()", "owncode:NoSeed: batches must take (size, seed), got (size)"),
        ("OtherColumns('label', 'int64')", "label of a batch must be int32 of shape (20,), got"),
        ("OtherColumns('label', 'list')", "must be int32 of shape (20,), got list"),
        ("OtherColumns('x', 'float32')", "must be float64 of shape (20, 3), got float32 of shape"),
    ],
)
def test_a_stream_with_a_mistake_is_refused_and_not_the_learner(stream, words, capsys) -> None:
    assert words in refused(capsys, "evaluate", f"owncode:{stream}", "-l", "nb")
    assert words in refused(capsys, "evaluate", f"owncode:{stream}", "-l", "owncode:FailsLater()")


def test_an_object_without_a_length_is_no_stream() -> None:
    module = sys.modules["owncode"]
    with pytest.raises(ParameterError, match=r"NoLength: a stream must have .*, and a length"):
        sg.run(module.NoLength(), "nb")
    with pytest.raises(ParameterError, match=r"no length: batches must take \(size, seed\)"):
        sg.run(module.NoSeed(), "nb")


def test_a_class_is_no_learner() -> None:
    kind = sys.modules["owncode"].FailsLater
    with pytest.raises(UnknownModelError, match=r"the class owncode\.FailsLater; give an object"):
        sg.run("sea(items=20)", kind)


def test_a_detector_is_no_learner() -> None:
    with pytest.raises(UnknownModelError, match="no adapter for streamgauge"):
        sg.run("sea(items=20)", sg.detectors.DDM())


def test_a_module_that_exits_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "exits.py").write_text("import sys\nsys.exit(0)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(StreamgaugeError, match="cannot be imported: SystemExit: 0"):
        make("learner", "exits:Any")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("raises", r"bind\(seed, window\) failed: ZeroDivisionError: bad"),
        ("none", "bind must return an object with observe, .*got NoneType without observe"),
        ("nothing", r"must return \(losses observed, rows, kinds\), got NoneType"),
        ("range", "must return rows from 0 to 199, in order, got"),
        ("kind", "must return kinds 1 .* or 2 .*, got"),
        ("uneven", "must return two integer arrays of one length, got"),
        ("fractions", "must return two integer arrays .* got int64 .* and float64 "),
        ("few", "must return 200 losses observed, got 0"),
        ("no columns", r"must return two integer arrays .* got object \(\) and object \(\)"),
        ("numbers", r"must return two integer arrays .* got int64 \(\) and int64 \(\)"),
        ("kinds only", r"must return two integer arrays .* got float64 \(0,\) and int64 \(1,\)"),
        ("ragged", "must return two integer arrays .* got object"),
        ("an array", r"must return 200 losses observed, got array\(\[200, 200\]\)"),
        ("text", "must return 200 losses observed, got '200'"),
        ("kind of two bytes", r"must return kinds 1 .* or 2 .*, got \[258\]"),
        ("far", r"must return rows from 0 to 199, in order, got \[-1\]"),
    ],
)
def test_a_detector_that_breaks_the_interface_is_refused(how, words) -> None:
    log = sg.run("sea(items=200)", "nb")
    with pytest.raises(ParameterError, match=f"owncode:Every: .*{words}"):
        sg.detect(log, f"owncode:Every(how={how!r})")
    for good in ("", "how='lists'"):
        assert sg.detect(log, f"owncode:Every({good})").alarms.tolist() == [199]


def test_a_learner_is_no_detector(capsys) -> None:
    assert "a detector must be one of" in refused(
        capsys, "evaluate", "take(sea(), 50)", "-l", "resetting(nb, nb)"
    )


def test_what_is_no_log_is_refused_by_every_function() -> None:
    for function in (sg.late.bins, sg.late.costs, sg.late.item_changes):
        with pytest.raises(ParameterError, match="log must be a log, as returned by run, got 'nb'"):
            function("nb")
    with pytest.raises(ParameterError, match="log must be a log"):
        sg.detect("nb", "ddm")
