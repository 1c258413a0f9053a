"""All properties side by side: every number of the section is recomputed."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score

import streamgauge as sg
from oracles import adaptation as slow_adaptation
from oracles import report as slow
from oracles import stability as slow_stability
from streamgauge.errors import LogError, ParameterError
from streamgauge.log import from_columns
from streamgauge.plots import radar
from streamgauge.properties import Profile, ProfileAxis
from streamgauge.properties._profile import linear_score, ratio_score
from streamgauge.report import build, to_html, to_json, to_markdown
from streamgauge.report._radar_figure import radar_figure
from streamgauge.resources import resources
from streamgauge.types import Feature, Schema

STREAM = sg.streams.drift(
    sg.streams.SEA(seed=1), sg.streams.relabel(sg.streams.SEA(seed=2), "invert"), 400, items=800
)
NAMES = ("naive_bayes", "resetting(naive_bayes, ddm)", "majority_class")


@pytest.fixture(scope="module")
def logs():
    learners = ("nb", "resetting(nb, ddm)", "majority_class")
    return [
        sg.run(STREAM, one, "perturbed(copies=1, scale=2.0)", vitals_every=200) for one in learners
    ]


@pytest.fixture(scope="module")
def found(logs):
    return sg.profile(logs)


@pytest.fixture(scope="module")
def page(logs):
    return build(logs)


def column(log, name):
    return np.concatenate([getattr(batch, name) for batch in log.labelled_predictions()])


values = st.floats(-1e6, 1e6)


@given(values, values, values)
def test_a_linear_score_is_that_of_the_slow_twin(value, zero, one):
    if abs(one - zero) > 1e-6:
        expected = slow.profile_score(value, zero, one)
        assert linear_score(value, zero, one) == pytest.approx(expected, abs=1e-9)


@given(st.dictionaries(st.text(max_size=3), st.floats(1e-9, 1e9), min_size=1, max_size=6))
def test_scores_of_costs_are_those_of_the_slow_twin(costs):
    cheapest = min(costs.values())
    fast = {name: ratio_score(cost / cheapest) for name, cost in costs.items()}
    assert fast == pytest.approx(slow.profile_cost_scores(costs), abs=1e-9)


def test_undefined_and_infinite_values_have_their_scores():
    assert math.isnan(linear_score(math.nan, 0.0, 1.0))
    assert math.isnan(ratio_score(math.nan))
    assert linear_score(math.inf, 400.0, 0.0) == 0.0
    assert linear_score(math.inf, 0.0, 1.0) == 1.0
    assert linear_score(-math.inf, 1.0, 0.0) == 1.0


@given(st.lists(st.one_of(st.just(math.nan), st.floats(0, 1)), min_size=4, max_size=4))
def test_axes_that_a_constant_learner_wins_are_those_of_the_slow_twin(scores):
    by_name = dict(zip("abcd", scores, strict=True))
    axis = ProfileAxis("k", "k", "", "high", "share", "", "", by_name, by_name, {}, ("c", "d"))
    if any(not math.isnan(score) for score in scores):
        assert axis.constant == slow.profile_winners(by_name, ("c", "d"))
    else:
        assert axis.constant == ()


def test_performance_and_drifts_are_recomputed(logs, found):
    for name, log in zip(NAMES, logs, strict=True):
        label, made = column(log, "label"), column(log, "prediction")
        expected = accuracy_score(label, made)
        assert found.axis("accuracy").values[name] == pytest.approx(expected)
        assert found.axis("accuracy").scores[name] == pytest.approx(expected)
        kappa_plus = sg.measure(log, "kappa_plus").final
        assert found.axis("kappa_plus").values[name] == kappa_plus
        at, steps = slow_adaptation.steps((label == made).astype(float).tolist(), 400, 40)
        dpd = slow_adaptation.dpd(steps, at, 10)
        drt = 40 * slow_adaptation.drt(steps, at, 10, score=True)
        for key, value, zero, one in (("dpd", dpd, -1.0, 0.0), ("drt", drt, 400.0, 0.0)):
            assert found.axis(key).values[name] == pytest.approx(value)
            score = slow.profile_score(value, zero, one)
            assert found.axis(key).scores[name] == pytest.approx(score)
    assert found.axis("drt").zero == "400 items or more"


def test_stability_is_recomputed_and_a_baseline_wins_it(logs, found):
    for name, log in zip(NAMES, logs, strict=True):
        label, made = column(log, "label").tolist(), column(log, "prediction").tolist()
        copies = [np.concatenate([rows.prediction for rows in log.perturbed()]).tolist()]
        error = slow_stability.noise_variability(slow_stability.error, label, made, copies)
        flips = slow_stability.flips(made, copies)
        assert found.axis("variability").values[name] == pytest.approx(-error)
        assert found.axis("flips").values[name] == pytest.approx(flips)
        assert found.axis("flips").scores[name] == pytest.approx(1 - flips)
    assert found.axis("flips").constant == ("majority_class", "persistent")


def test_costs_are_recomputed_and_those_of_a_derived_baseline_are_not_known(logs, found):
    for key, sign in (("items_per_second", -1), ("largest_bytes", 1), ("ram_hours", 1)):
        axis = found.axis(key)
        raw = {
            name: {cost.name: cost.value for cost in resources(log)}[key] ** sign
            for name, log in zip(NAMES, logs, strict=True)
        }
        scores = {name: axis.scores[name] for name in NAMES}
        assert scores == pytest.approx(slow.profile_cost_scores(raw))
        for name in NAMES:
            assert axis.ratios[name] == pytest.approx(raw[name] / min(raw.values()))
        assert math.isnan(axis.values["persistent"])
        assert "persistent" not in axis.ratios
    assert found.axis("largest_bytes").constant == ("majority_class",)


def test_complexity_is_the_mean_over_samples(logs, found):
    axis = found.axis("complexity")
    numbers = {}
    for name, log in zip(NAMES[:2], logs, strict=False):
        numbers[name] = float(np.mean(log.vitals().series("parameters")[1]))
        assert axis.values[name] == pytest.approx(numbers[name])
    plus_one = {name: number + 1 for name, number in numbers.items()} | {"majority_class": 1.0}
    expected = slow.profile_cost_scores(plus_one)
    assert {name: axis.scores[name] for name in NAMES} == pytest.approx(expected)


def test_alarms_are_counted_beside_the_drift(logs, found):
    for name, log in zip(NAMES, logs, strict=True):
        if "resetting" not in name:  # it has no detector, so no alarm of it is false or late
            assert math.isnan(found.axis("false_alarms").values[name])
            assert math.isnan(found.axis("drifts_found").values[name])
            continue
        alarms = set(log.alarms().alarms.tolist())
        wrong = [at for at in alarms if at < 400]  # the window after the drift is the other half
        assert found.axis("false_alarms").values[name] == pytest.approx(1000 * len(wrong) / 400)
        assert found.axis("drifts_found").values[name] == float(any(at >= 400 for at in alarms))
    assert found.axis("drifts_found").values["resetting(naive_bayes, ddm)"] == 1.0


def test_selections_have_axes_and_baselines_read_no_feature():
    learners = ("selecting(fires(n_features=1), perceptron)", "nb")
    made = sg.profile([sg.run("sea(items=300)", one) for one in learners])
    selecting = made.learners[0]
    assert made.axis("reduction").values[selecting] == pytest.approx(2 / 3)
    assert made.axis("reduction").values["persistent"] == 1.0
    assert math.isnan(made.axis("reduction").values["naive_bayes"])
    log = sg.run("sea(items=300)", learners[0])
    stability = sg.feature_selection.stability(log).final
    assert made.axis("selection_stability").values[selecting] == pytest.approx(stability)
    assert made.axis("selection_stability").constant == ()


def test_a_real_target_is_scored_by_the_better_baseline():
    stream = "friedman(items=400)"
    logs = [sg.run(stream, one) for one in ("linear_regression", "target_mean", "last_value")]
    made = sg.profile(logs)
    errors = [np.nanmean(np.abs(column(log, "label") - column(log, "prediction"))) for log in logs]
    axis = made.axis("relative_error")
    name = made.learners[0]
    expected = errors[0] / min(errors[1:])
    assert axis.values[name] == pytest.approx(expected)
    assert axis.scores[name] == pytest.approx(slow.profile_score(expected, 1.0, 0.0))
    assert axis.values["target_mean"] == 1.0


def test_repetitions_are_scored_by_their_mean():
    logs = [sg.run("sea(items=300)", one, seed=s) for one in ("nb", "perceptron") for s in (1, 2)]
    made = sg.profile(logs)
    spread = made.axis("accuracy").values["naive_bayes"]
    assert len(spread) == 2
    assert made.axis("accuracy").scores["naive_bayes"] == pytest.approx(np.mean(spread.values))


def test_what_no_log_shows_is_listed_with_the_reason():
    schema = Schema((Feature("x"),), classes=("no", "yes"))
    label = np.tile(np.array([0, 0, 1], np.int32), 50)
    made = sg.profile(from_columns(schema, label, label))
    assert [axis.key for axis in made.axes] == ["accuracy", "kappa_plus"]
    assert made.missing == {
        "adaptation to drifts": "the stream has no known drifts",
        "stability under noise": (
            "the logs have no perturbed copies; run them with the protocol perturbed"
        ),
        "items per second": "no log states it",
        "size (kB)": "no log states it",
        "RAM-Hours": "no log states it",
        "complexity": "no number of splits or parameters is stated for all",
        "feature selection": "no learner selects features",
        "alarms": "no learner gave an alarm",
    }


def test_logs_of_two_streams_are_refused(logs):
    other = sg.run("sea(items=50)", "nb")
    with pytest.raises(ParameterError, match="profile: logs must be of one stream, got"):
        sg.profile([logs[0], other])
    with pytest.raises(ParameterError, match="profile: logs must be a log, or several"):
        sg.profile([])


def test_logs_that_compare_refuses_are_refused():
    x, y = np.arange(60.0)[:, None], np.arange(60) % 2
    one, two = (
        sg.run(sg.streams.from_arrays(x, labels), learner)
        for labels, learner in ((y, "nb"), (1 - y, "perceptron"))
    )
    with pytest.raises(LogError, match="profile: logs must be of one stream, got different labels"):
        sg.profile([one, two])
    other = sg.run("sea(items=60)", "nb", "k_fold(k=2)")
    with pytest.raises(ParameterError, match="profile: logs must be of one protocol, got preq"):
        sg.profile([sg.run("sea(items=60)", "perceptron"), other])


def test_a_detector_that_stays_quiet_has_values_beside_one_that_does_not():
    learners = ("resetting(nb, ddm)", "resetting(nb, page_hinkley(threshold=1e9))", "nb")
    made = sg.profile([sg.run(STREAM, one) for one in learners])
    loud, quiet, without = (made.axis("drifts_found").values[name] for name in made.learners[:3])
    assert (loud, quiet) == (1.0, 0.0)
    assert math.isnan(without)


def test_the_section_has_the_values_and_scores_of_the_profile(page, found):
    section = page.sections[0].profile
    for axis in found.axes:
        for table, numbers in ((section.values, axis.values), (section.scores, axis.scores)):
            for row, cell in zip(table.rows, table.column(axis.key), strict=True):
                assert cell == pytest.approx(numbers[row.cells[0]], nan_ok=True)
        if axis.ratios:
            ratios = section.scores.column(f"{axis.key}_ratio")
            assert ratios == [axis.ratios.get(name) for name in found.learners]
    winners = dict(zip(section.axes.column("axis"), section.axes.column("constant"), strict=True))
    assert winners["flips under noise"] == "yes: majority_class and persistent"
    assert winners["accuracy"] == "no"
    assert "Costs of persistent are not known" in section.note
    # no value is the best where a learner that reads no features has it
    assert section.values.best("flips") == set()
    assert section.values.best("accuracy") == {1}


def test_every_format_has_the_section_and_one_learner_has_none(page, logs):
    html, markdown = to_html(page), to_markdown(page)
    assert "<h3>All properties side by side</h3>" in html
    assert "### All properties side by side" in markdown
    tree = json.loads(to_json(page))["sections"][0]["profile"]
    assert tree["radar"]["axes"]
    short = json.loads(to_json(page, curves=False))["sections"][0]["profile"]
    assert short["values"] == tree["values"]
    assert build([logs[0], logs[2]]).sections[0].profile is None


def polygons(*rows, baselines=(), constant=()):
    names = "abc"[: len(rows)]
    axes = []
    for i in range(len(rows[0])):
        scores = {name: row[i] for name, row in zip(names, rows, strict=True)}
        axes.append(
            ProfileAxis(f"k{i}", f"axis {i}", "", "high", "share", "", "", scores, scores, {},
                        baselines)
        )  # fmt: skip
    return radar.data(Profile("s", tuple(names), baselines, tuple(axes), {}))


def test_polygons_have_gaps_where_a_score_is_not_known():
    shown = polygons((0.5, math.nan, 1.0, 0.2), (0.1, 0.2, 1.0, 0.4), baselines=("a",))
    assert [polygon.name for polygon in shown.polygons] == ["b", "a"]
    assert shown.polygons[1].sides == ((2, 3), (3, 0))
    assert shown.marked == (True, False, True, False)
    assert shown.titles[0] == "axis 0 *"
    svg = radar_figure(shown, "<b>")
    assert svg.count("<circle") == 7
    assert "(baseline)" in svg
    assert "<b>" not in svg


def test_a_score_of_one_is_at_the_edge_and_zero_in_the_middle():
    svg = radar_figure(polygons((1.0, 0.0, 0.5, 1.0)), "t")
    assert 'cx="360.0" cy="60.0"' in svg  # the first axis points up
    assert 'cx="360.0" cy="250.0"' in svg
    assert 'cx="360.0" cy="345.0"' in svg
    assert 'cx="170.0" cy="250.0"' in svg  # the last of four points to the left


def test_the_figure_draws_every_learner(found):
    figure = radar.draw(radar.data(found), "one look")
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts[: len(found.learners)] == [
        "naive_bayes", "resetting(naive_bayes, ddm)", "majority_class", "persistent"
    ]  # fmt: skip
    assert texts[-1] == "a learner that reads no features is best"
