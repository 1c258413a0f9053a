"""Folds of a log: their curves, mean and spread, and comparisons that pair them."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.cli import main
from streamgauge.comparisons import nadeau_bengio_test
from streamgauge.errors import LogError, ParameterError
from streamgauge.experiments import Spec, run_experiment
from streamgauge.protocols import Holdout, KFold, OneFold, Prequential
from streamgauge.repetitions import Spread, by_fold, over_folds

STREAM = sg.streams.SEA(items=3000, seed=1)


def called(args, capsys):
    """The output of a command."""
    main(args)
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def logs():
    models = sg.learners.NaiveBayes(), sg.learners.MajorityClass()
    return [sg.run(STREAM, model, KFold(5)) for model in models]


def test_the_curves_of_folds_are_those_of_measure(logs):
    found = over_folds(logs[0], "kappa", "sliding(100)")
    assert len(found) == len(found.curves) == 5
    for fold, curve in enumerate(found.curves):
        alone = sg.measure(logs[0], "kappa", "sliding(100)", fold=fold)
        assert curve.at.tolist() == alone.at.tolist()
        np.testing.assert_array_equal(curve.value, alone.value)
        assert curve.definition["fold"] == str(fold)
    finals = [curve.final for curve in found.curves]
    assert found.final.mean == pytest.approx(np.mean(finals))
    assert found.final.sd == pytest.approx(np.std(finals, ddof=1))
    assert found.mean.definition["folds"] == "5"
    assert "fold" not in found.mean.definition


def test_the_band_is_pointwise_over_folds_at_the_latest_value_of_each(logs):
    found = over_folds(logs[0], "accuracy")
    at = int(found.mean.at[len(found.mean.at) // 2])
    latest = [c.value[np.searchsorted(c.at, at, side="right") - 1] for c in found.curves]
    row = int(np.searchsorted(found.mean.at, at))
    assert found.mean.value[row] == pytest.approx(np.mean(latest))
    assert found.mean.high[row] - found.mean.value[row] == pytest.approx(np.std(latest, ddof=1))


def test_repetitions_of_folds_are_paired_by_seed_with_the_means_over_their_folds(capsys, tmp_path):
    names = "naive_bayes", "majority_class"
    a, b = ([sg.run(STREAM, name, KFold(3), seed=s) for s in (1, 2, 3)] for name in names)
    found = sg.compare(a, b, spell=20)
    folds = [sg.compare(one, two) for one, two in zip(a, b, strict=True)]
    assert found.difference.values == pytest.approx([one.difference.mean for one in folds])
    assert found.loss_a.values == pytest.approx([one.loss_a.mean for one in folds])
    assert found.loss_b.values == pytest.approx([one.loss_b.mean for one in folds])
    assert (found.unit, found.repetitions, len(found.verdicts)) == ("repetition", 3, 9)
    assert found.winner == "naive_bayes"
    assert "over 3 repetitions" in found.to_text()
    assert "long run within the folds (anytime valid): naive_bayes 9 of 9." in found.to_text()
    spec = Spec(streams=["sea(items=600)"], learners=[*names], protocols=["k_fold(3)"])
    run_experiment(spec.model_copy(update={"repetitions": 2}), tmp_path / "run")
    assert "over 2 repetitions" in called(["compare", str(tmp_path / "run")], capsys)


def test_each_fold_states_its_ratio_of_test_to_training_items(logs):
    ones = by_fold(logs[0])
    for fold, one in enumerate(ones):
        tested = sum(int((rows.fold == fold).sum()) for rows in logs[0].predictions())
        learned = sum(int((rows.fold == fold).sum()) for rows in logs[0].training())
        assert float(one.about["test_to_train"]) == tested / learned
        assert tested + learned == 3000
        assert one.about["fold"] == str(fold)
    plain = sg.run(STREAM, "naive_bayes")
    assert by_fold(plain) == (plain,)


def test_a_run_of_one_fold_is_a_log_of_one_fold():
    log = sg.run(STREAM, "naive_bayes", OneFold(KFold(5), 2))
    assert by_fold(log) == (log,)
    assert log.about["fold"] == "2"


def test_the_interval_of_folds_is_that_of_the_corrected_test(logs):
    verdict = sg.compare(*logs)
    assert (verdict.unit, verdict.repetitions) == ("fold", 5)
    losses = [
        [1 - sg.measure(log, "accuracy", fold=fold).final for fold in range(5)] for log in logs
    ]
    assert verdict.loss_a.values == pytest.approx(losses[0])
    ratio = np.mean([float(one.about["test_to_train"]) for log in logs for one in by_fold(log)])
    expected = nadeau_bengio_test(*losses, test_to_train=float(ratio), higher_is_better=False)
    assert verdict.p == pytest.approx(expected.p)
    assert verdict.difference.error == pytest.approx(expected.error)
    assert verdict.winner == "naive_bayes"
    assert "over 5 folds" in verdict.to_text()
    assert "corrected resampled t interval of the mean over folds" in verdict.to_text()


def test_folds_are_less_certain_than_independent_runs():
    values = 0.8, 0.82, 0.83
    plain, folds = Spread(values), Spread(values, overlap=0.5)
    assert (plain.mean, plain.sd) == (folds.mean, folds.sd)
    wider = math.sqrt((1 / 3 + 0.5) / (1 / 3))
    assert folds.high - folds.mean == pytest.approx(wider * (plain.high - plain.mean))
    assert folds.p > plain.p
    with pytest.raises(ParameterError, match="Spread: overlap must be at least 0, got -1"):
        Spread(values, overlap=-1.0)


def test_all_learners_are_compared_fold_by_fold(logs):
    names = "a", "b", "c"
    third = sg.run(STREAM, sg.learners.Persistent(), KFold(5))
    found = sg.comparisons.compare_all(dict(zip(names, (*logs, third), strict=True)))
    assert {verdict.unit for verdict in found.verdicts} == {"fold"}


def test_logs_of_different_folds_are_not_compared(logs):
    other = sg.run(STREAM, "majority_class", KFold(4))
    with pytest.raises(LogError, match=r"compare: logs must have the same folds, got 5 and 4"):
        sg.compare(logs[0], other)
    alone = sg.compare(logs[0], other, fold=0, common=True)
    assert alone.n_labels > 0


def test_a_measure_over_folds_is_one_measure(logs):
    with pytest.raises(ParameterError, match="over_folds: measures must be one measure"):
        over_folds(logs[0], ["kappa", "accuracy"])
    with pytest.raises(ParameterError, match="over_folds: fold must be left out, got 1"):
        over_folds(logs[0], "kappa", fold=1)


def test_the_report_shows_mean_and_sd_over_folds(logs):
    page = sg.report.build(logs)
    table = page.sections[0].table
    cells = dict(zip(table.column("learner"), table.column("accuracy"), strict=True))
    values = [sg.measure(logs[0], "accuracy", fold=fold).final for fold in range(5)]
    assert cells["naive_bayes"].values == pytest.approx(values)
    ratio = np.mean([float(one.about["test_to_train"]) for one in by_fold(logs[0])])
    assert cells["naive_bayes"].overlap == pytest.approx(ratio)
    text = sg.report.to_markdown(page)
    assert "corrected resampled t test" in text
    assert "folds" in page.sections[0].facts


def test_the_command_shows_mean_and_sd_over_folds(tmp_path, capsys):
    log = sg.run(STREAM, "naive_bayes", KFold(4), folder=tmp_path / "log")
    expected = over_folds(log, "accuracy").final
    args = ["measure", str(tmp_path / "log"), "--measures", "accuracy"]
    shown = called(args, capsys)
    assert f"{expected.mean:.6g} ± {expected.sd:.3g}" in shown
    assert "over 4 folds" in shown
    [entry] = json.loads(called([*args, "--json"], capsys))
    assert entry["value"] == pytest.approx(expected.mean)
    assert entry["folds"] == pytest.approx(list(expected.values))
    assert entry["definition"]["folds"] == "4"


def test_the_command_gives_the_last_test_of_a_holdout(tmp_path, capsys):
    log = sg.run(STREAM, "naive_bayes", Holdout(100, 500), folder=tmp_path / "log")
    args = ["measure", str(tmp_path / "log"), "--measures", "accuracy", "--json"]
    [entry] = json.loads(called(args, capsys))
    assert entry["value"] == pytest.approx(sg.measure(log, "accuracy").final)
    assert entry["window"] == "tumbling(100)"


def test_the_table_has_a_row_per_fold(tmp_path):
    grid = {"streams": ["sea(items=600)"], "learners": ["naive_bayes"], "measures": ["accuracy"]}
    spec = Spec(**grid, protocols=["k_fold(k=3)", "prequential"], windows=["whole"])
    run_experiment(spec, tmp_path / "run")
    rows = sg.table(tmp_path / "run").to_pylist()
    folds = [row["fold"] for row in rows if row["protocol"].startswith("k_fold")]
    assert folds == [0, 1, 2]
    assert [row["fold"] for row in rows if row["protocol"] == "prequential"] == [0]


def test_folds_of_prequential_are_those_of_k_fold(logs):
    log = sg.run(STREAM, "naive_bayes", Prequential(folds=5))
    finals = [sg.measure(one, "accuracy", fold=3).final for one in (log, logs[0])]
    assert finals[0] == finals[1]
