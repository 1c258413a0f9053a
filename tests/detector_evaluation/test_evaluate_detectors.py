"""`evaluate_detectors`: matchings and values over repetitions, baselines, notes and errors."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import dataclass, field

import numpy as np
import pytest

import streamgauge as sg
from oracles import alarms as slow
from streamgauge.alarm_measures import AlarmMeasure
from streamgauge.alarm_measures.bifet_mtfa import BifetMTFA
from streamgauge.alarm_measures.mtfa_exposure import MTFAExposure
from streamgauge.detector_evaluation import to_csv, to_json, to_latex, to_markdown
from streamgauge.detector_evaluation._sources import repetition_seed
from streamgauge.errors import ParameterError, UnknownNameError
from streamgauge.loss_sequences import Bernoulli
from streamgauge.types import Drift

SUDDEN = Bernoulli(items=3000, at=(1000, 2000), levels=(0.1, 0.6))
QUIET = Bernoulli(items=3000, levels=(0.2,))
RATE = ("false_alarms", "false_alarm_rate")


@dataclass
class Fixed:
    """The same losses for every seed, with an error at some items."""

    errors: tuple[int, ...]
    n: int = 1000
    drifts: tuple[Drift, ...] = (Drift(500, 500, 500),)
    name: str = "fixed"

    def losses(self, seed):
        column = np.zeros(self.n)
        column[list(self.errors)] = 1
        return column


@dataclass
class AtErrors:
    """A detector that raises an alarm at each error; `fails` raises at the first."""

    fails: bool = False
    seen: list = field(default_factory=list)

    def bind(self, seed=0, window=None):
        return self

    def observe(self, loss):
        return 2 if loss else 0

    def observe_many(self, losses, stop=False):
        if self.fails:
            raise ZeroDivisionError("no variance")
        rows = np.flatnonzero(losses)
        return len(losses), rows, np.full(len(rows), 2, np.uint8)

    def reset(self):
        pass

    def clone(self, seed):
        return self


@pytest.fixture(scope="module")
def found():
    return sg.evaluate_detectors(["ddm", "adwin"], [SUDDEN, QUIET], 300, repetitions=4, seed=7)


def test_the_alarms_are_those_of_the_detector_on_the_losses_of_each_repetition(found):
    for stream in (SUDDEN, QUIET):
        for nth, run in enumerate(found.matchings[stream.name, "ddm"]):
            losses = stream.losses(repetition_seed(7, stream.name, nth))
            _, rows, kinds = sg.detectors.DDM().bind().observe_many(losses)
            assert run.alarms.tolist() == rows[kinds == 2].tolist()


def test_values_are_means_over_the_repetitions_in_which_they_are_defined(found):
    drifts = [(d.start, d.end) for d in SUDDEN.drifts]
    for detector in ("ddm", "adwin", "random, as often as ddm"):
        runs = found.matchings[SUDDEN.name, detector]
        false = sum(slow.counts(r.alarms.tolist(), drifts, 3000, 300)[1] for r in runs)
        pooled = found.value(detector, "mtfa_exposure", SUDDEN.name).mean
        assert pooled == (4 * (3000 - 2 * 301) / false if false else math.inf)
        for measure in ("recall", "f1", "mean_delay", "lift"):
            each = [getattr(slow, measure)(r.alarms.tolist(), drifts, 3000, 300) for r in runs]
            defined = [value for value in each if not math.isnan(value)]
            value = found.value(detector, measure, SUDDEN.name)
            assert (value.n, value.repetitions) == (len(defined), 4)
            assert value.mean == pytest.approx(np.mean(defined))
            if np.isfinite(defined).all():
                assert value.sd == pytest.approx(np.std(defined, ddof=1))


def test_random_rows_have_as_many_alarms_as_their_detector(found):
    for (stream, detector), runs in found.matchings.items():
        if detector in found.detectors:
            others = found.matchings[stream, f"random, as often as {detector}"]
            assert [len(r.alarms) for r in runs] == [len(r.alarms) for r in others]


def test_the_rows_of_the_baselines_have_the_values_of_their_definitions(found):
    def value(row, measure, stream=SUDDEN):
        return found.value(row, measure, stream.name).mean

    assert value("never", "recall") == 0
    assert value("never", "restricted_mean_delay") == 301
    assert value("always", "recall") == value("always", "lift") == 1
    assert value("always", "mean_delay") == 0
    assert value("always", "false_alarm_rate") == 1000
    assert math.isnan(value("never", "precision"))
    assert value("never", "mtfa_exposure") == math.inf
    assert value("always", "false_alarms", QUIET) == 3000


def test_a_stationary_stream_counts_false_alarms_and_leaves_recall_undefined(found):
    recall = found.value("adwin", "recall", QUIET.name)
    assert (recall.n, recall.spread) == (0, None)
    assert math.isnan(recall.mean)
    rate = found.value("random, as often as ddm", "false_alarms", QUIET.name)
    counts = [len(r.alarms) for r in found.matchings[QUIET.name, "ddm"]]
    assert rate.mean == np.mean(counts)
    assert any("has no known drifts: every alarm counts as false" in n for n in found.notes)


def test_results_do_not_depend_on_the_other_streams_and_detectors(found):
    alone = sg.evaluate_detectors("adwin", SUDDEN, 300, repetitions=4, seed=7)
    for mine in alone.values:
        other = found.value(mine.detector, mine.measure, mine.stream)
        assert repr(mine) == repr(other)


def test_the_chance_of_each_drift_and_its_delays_are_kept(found):
    rows = [r for r in found.by_drift() if (r.stream, r.detector) == (SUDDEN.name, "adwin")]
    runs = found.matchings[SUDDEN.name, "adwin"]
    assert [r.drift.start for r in rows] == [1000, 2000]
    for nth, row in enumerate(rows):
        chances = [float(slow.chance(len(r.alarms), 301, 3000)) for r in runs]
        assert row.chance == pytest.approx(np.mean(chances))
        assert row.delays == tuple(int(r.delays[nth]) for r in runs if r.found[nth])
        assert row.lift == pytest.approx(row.found / row.chance)


def test_a_learner_on_a_stream_with_drifts_is_observed_as_detect_does():
    stream = sg.streams.inject("sea(items=3000, seed=2)", 1500)
    found = sg.evaluate_detectors("ddm", {"mine": stream}, 500, learner="nb", repetitions=2)
    log = sg.run(stream, "nb", seed=repetition_seed(0, "mine", 0))
    [first, _] = found.matchings["mine", "ddm"]
    assert first.alarms.tolist() == sg.detect(log, "ddm").alarms.tolist()
    assert [d.start for d in found.streams[0].drifts] == [1500]
    assert found.value("ddm", "recall").mean == 1
    assert any("gives the same losses in every repetition" in note for note in found.notes)


def test_detectors_of_river_and_ones_own_are_evaluated():
    drift = pytest.importorskip("river.drift")
    detectors = {"theirs": drift.ADWIN(), "mine": AtErrors()}
    found = sg.evaluate_detectors(
        detectors, Fixed((100, 510)), 50, measures=["recall", "false_alarms"], repetitions=2
    )
    assert found.value("mine", "recall").mean == 1
    assert found.value("mine", "false_alarms").mean == 1
    assert found.value("theirs", "recall").mean == 0


def test_ten_alarms_at_one_of_two_drifts_are_a_recall_of_one_half():
    both = (Drift(200, 200, 200), Drift(600, 600, 600))
    stream = Fixed(tuple(range(210, 220)), drifts=both)
    found = sg.evaluate_detectors({"mine": AtErrors()}, stream, 100, repetitions=1)
    assert found.value("mine", "recall").mean == 0.5


@dataclass(frozen=True)
class Latest(AlarmMeasure):
    best = float("nan")
    formula = "last alarm"

    def value(self, matching):
        return float(max(matching.alarms, default=-1))


def test_a_measure_of_ones_own_is_used_by_object():
    found = sg.evaluate_detectors(
        {"mine": AtErrors()}, Fixed((100, 510)), 50, measures=[Latest()], repetitions=1
    )
    [name] = found.measures
    assert found.value("mine", name).mean == 510


def sentences(drifts=Fixed.drifts, tolerance=50):
    stream = Fixed((100,), drifts=drifts)
    return sg.evaluate_detectors({"mine": AtErrors()}, stream, tolerance, repetitions=1).notes


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"tolerance": 0}, "tolerance is 0: of an abrupt drift, only its first item counts"),
        (
            {"tolerance": 500},
            "fixed ends inside the acceptance windows of the drifts at 500: they are cut at the "
            "end of the stream",
        ),
        (
            {"drifts": (Drift(500, 500, 500), Drift(540, 540, 540))},
            "fixed has acceptance windows that overlap (1 with the next): an alarm is matched to "
            "one drift, but dcr counts it for each",
        ),
        (
            {"drifts": (Drift(0, 0, 990),)},
            "fixed has no item outside the acceptance windows: no alarm can be false; give a "
            "shorter tolerance",
        ),
    ],
)
def test_a_note_says_what_a_reader_must_know(given, sentence):
    assert sentence in sentences(**given)


def test_a_note_says_in_how_many_repetitions_a_measure_is_defined():
    found = sg.evaluate_detectors(
        "random_alarms(p=0.002)", SUDDEN, 100, measures=["mean_delay"], repetitions=6
    )
    value = found.value("random_alarms(p=0.002)", "mean_delay")
    assert 0 < value.n < 6
    assert found.notes == (
        f"mean_delay on {SUDDEN.name} is the mean over the repetitions in which it is defined: "
        f"{value.n} of 6 for random_alarms(p=0.002)",
    )


def test_disjoint_windows_inside_the_stream_need_no_note():
    assert sentences() == ()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"tolerance": -1}, "evaluate_detectors: tolerance must be at least 0, got -1"),
        ({"repetitions": 0}, "evaluate_detectors: repetitions must be at least 1, got 0"),
        ({"level": 1}, "evaluate_detectors: level must be above 0 and below 1, got 1"),
        ({"detectors": []}, "evaluate_detectors: detectors must be at least one, got []"),
        ({"streams": []}, "evaluate_detectors: streams must be at least one, got []"),
        ({"measures": []}, "evaluate_detectors: measures must be at least one, got []"),
        (
            {"detectors": {"never": AtErrors()}},
            "evaluate_detectors: detectors must be names that are not those of the baselines, got "
            "'never'",
        ),
        (
            {"detectors": {"mine": AtErrors(fails=True)}},
            "evaluate_detectors: mine failed on fixed (repetition 0): ZeroDivisionError: "
            "no variance",
        ),
        (
            {"streams": Fixed((1,), drifts=()), "measures": ["recall", "mean_delay"]},
            "evaluate_detectors: fixed must have known drifts for recall, mean_delay, got none; "
            "add false_alarm_rate to the measures, or give a stream with drifts (streams.inject "
            "adds some)",
        ),
        (
            {"streams": Fixed((1,), drifts=(Drift(5000, 5000, 5000),))},
            "evaluate_detectors: drifts must be inside the stream of 1,000 items, got "
            "Drift(start=5000, centre=5000, end=5000, kind='abrupt')",
        ),
        (
            {"streams": [Fixed((1,)), Fixed((2,))]},
            "evaluate_detectors: streams must be of different names (give a mapping from names to "
            "streams), got 'fixed'",
        ),
        (
            {"streams": 3},
            "evaluate_detectors: streams must be streams or sequences of losses, by name or as "
            "objects, got 3",
        ),
        ({"measures": ["recal"]}, "no alarm_measure is called 'recal'; did you mean 'recall'?"),
        (
            {"detectors": "eddm", "streams": "normal(items=100, at=[50])"},
            "evaluate_detectors: eddm failed on normal(items=100, at=(50,)) (repetition 0): "
            "ValueError: EDDM: a loss must be 0 or 1",
        ),
    ],
)
def test_a_mistake_is_one_sentence(given, sentence):
    base = {"detectors": {"mine": AtErrors()}, "streams": Fixed((1,)), "tolerance": 10}
    with pytest.raises((ParameterError, UnknownNameError)) as caught:
        sg.evaluate_detectors(**(base | given))
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_a_name_that_is_not_there_is_suggested(found):
    with pytest.raises(UnknownNameError, match="did you mean 'adwin'"):
        found.value("adwn", "recall", SUDDEN.name)
    with pytest.raises(ParameterError, match="stream must be one of"):
        found.value("adwin", "recall")


def test_the_csv_table_has_one_line_per_value(found):
    rows = list(csv.DictReader(io.StringIO(to_csv(found))))
    assert len(rows) == len(found.values)
    for row, value in zip(rows, found.values, strict=True):
        assert (row["stream"], row["detector"]) == (value.stream, value.detector)
        mean = float(row["mean"]) if row["mean"] else math.nan
        assert mean == value.mean or (math.isnan(mean) and math.isnan(value.mean))
        assert int(row["n"]) == value.n


def test_json_has_values_drifts_alarms_and_notes(found):
    entry = json.loads(to_json(found))
    assert len(entry["values"]) == len(found.values)
    assert {v["mean"] for v in entry["values"] if v["detector"] == "never"} >= {None, "inf", 0.0}
    assert entry["alarms"][0]["alarms"][0] == found.matchings[SUDDEN.name, "ddm"][0].alarms.tolist()
    assert entry["notes"] == list(found.notes)


def test_markdown_and_latex_have_a_table_per_stream(found):
    assert to_markdown(found).count("| detector |") == 2
    assert to_latex(found).count(r"\begin{tabular}") == 2
    for text in (to_markdown(found), to_latex(found)):
        assert "Each learner" not in text


def test_progress_is_counted_in_losses():
    seen = []
    sg.evaluate_detectors(
        "ddm", [SUDDEN, QUIET], 50, repetitions=2, progress=lambda *done: seen.append(done)
    )
    assert seen == [(3000 * i, 12000) for i in range(1, 5)]


@pytest.mark.slow
def test_an_alarm_at_random_has_a_lift_of_one():
    found = sg.evaluate_detectors(
        "random_alarms(p=0.002, warm_start=0)", SUDDEN, 100, measures=["lift"], repetitions=400
    )
    lift = found.value("random_alarms(p=0.002, warm_start=0)", "lift")
    assert lift.low < 1 < lift.high


def test_one_quiet_repetition_does_not_make_the_mean_time_between_false_alarms_infinite():
    stream = "bernoulli(items=3000, at=(1500,))"
    found = sg.evaluate_detectors(
        ["ddm", "page_hinkley(threshold=1e9)"],
        stream,
        500,
        measures=["mtfa_exposure", "bifet_mtfa", "mtfa_exposure(none='censored')", "bifet_mtr"],
        repetitions=8,
    )
    runs = found.matchings[found.streams[0].name, "ddm"]
    free, false = sum(run.drift_free for run in runs), sum(len(run.false_alarms) for run in runs)
    value = found.value("ddm", "mtfa_exposure")
    assert 0 < value.infinite < 8
    assert value.mean == free / false
    assert value.low < value.mean < value.high
    assert math.isnan(value.sd)
    bifet = found.value("ddm", "bifet_mtfa")
    watched, alarms = zip(*(BifetMTFA().totals(run) for run in runs), strict=True)
    assert bifet.mean == sum(watched) / sum(alarms)
    values = [MTFAExposure("censored").value(run) for run in runs]
    censored = found.value("ddm", "mtfa_exposure(none='censored')")
    assert censored.mean == pytest.approx(np.mean(values))
    quiet = found.value("page_hinkley(threshold=1000000000.0)", "mtfa_exposure")
    assert (quiet.mean, quiet.infinite, quiet.n) == (math.inf, 8, 8)
    name = found.streams[0].name
    assert (
        f"mtfa_exposure on {name} is infinite in some repetitions ({value.infinite} of 8 for ddm): "
        "the value is that of all repetitions together: items divided by false alarms"
    ) in found.notes
    assert f",{value.infinite},8" in to_csv(found)
