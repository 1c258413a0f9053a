"""Repetitions in a report: one learner, with mean, standard deviation, interval and bands."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import streamgauge as sg
from oracles import repetitions as slow
from report.example_logs import a_log, independent, predictions, sticky
from report.test_findings import CASES
from streamgauge.log import Log
from streamgauge.repetitions import Spread
from streamgauge.report import build, to_csv, to_html, to_json, to_latex, to_markdown
from streamgauge.report._apply_rules import rules
from streamgauge.types import Drift

N = 3000
SEEDS = ("11", "22", "33")


def repeated(
    rights: dict[str, tuple[float, ...]], stream: str = "made up", items: int = N
) -> list[Log]:
    """Logs of learners with these accuracies, one per repetition, each with its own labels."""
    logs = []
    for i, seed in enumerate(SEEDS):
        label = independent(items, seed=i)
        logs += [
            a_log(label, predictions(label, right[i], seed=10 * i + j), name, stream, seed=seed)
            for j, (name, right) in enumerate(rights.items())
        ]
    return logs


TWO = {"good": (0.9, 0.91, 0.92), "bad": (0.7, 0.69, 0.75)}


def finals(logs: list[Log], name: str, measure: str = "accuracy") -> list[float]:
    runs = [log for log in logs if log.about["learner"] == name]
    return [sg.measure(log, measure).final for log in runs]


def test_repetitions_are_one_row_with_mean_deviation_and_interval() -> None:
    logs = repeated(TWO)
    table = build(logs).sections[0].table
    assert table.column("learner")[:2] == ["good", "bad"]
    assert len(table.rows) == 4  # and two baselines
    for nth, name in enumerate(TWO):
        for measure in ("accuracy", "kappa", "kappa_temporal", "kappa_plus"):
            values = finals(logs, name, measure)
            cell = table.column(measure)[nth]
            assert isinstance(cell, Spread)
            assert (cell.values, cell.seeds) == (tuple(values), SEEDS)
            assert (cell.mean, cell.sd) == pytest.approx(slow.moments(values))
            assert (cell.low, cell.high) == pytest.approx(slow.interval(values, 0.95))
    assert table.column("repetitions") == [3, 3, 3, 3]
    assert table.column("labels") == [N] * 4


def test_baselines_are_computed_in_each_repetition() -> None:
    logs = repeated(TWO)
    table = build(logs).sections[0].table
    last = table.column("learner").index("persistent")
    own = []
    for log in logs[::2]:
        single = build([log]).sections[0].table
        own.append(single.column("accuracy")[single.column("learner").index("persistent")])
    cell = table.column("accuracy")[last]
    assert isinstance(cell, Spread)
    assert cell.values == tuple(own)
    difference = table.column("vs_persistent")[0]
    assert isinstance(difference, Spread)
    expected = [a - b for a, b in zip(finals(logs, "good"), own, strict=True)]
    assert difference.values == pytest.approx(expected, abs=1e-12)
    assert difference.sd == pytest.approx(slow.moments(expected)[1])


def test_a_curve_is_the_mean_with_a_band_of_one_deviation() -> None:
    logs = repeated(TWO)
    panel = build(logs, every=50).sections[0].panels[0]
    (line,) = [line for line in panel.windows["sliding(1000)"] if line.name == "good"]
    (band,) = [line for line in panel.bands["sliding(1000)"] if line.name == "good"]
    curves = [sg.measure(log, "accuracy", "sliding(1000)", every=50) for log in logs[::2]]
    runs = [list(zip(c.at.tolist(), c.value.tolist(), strict=True)) for c in curves]
    expected = slow.mean_curve(runs)
    assert line.at.tolist() == [at for at, *_ in expected]
    assert line.value == pytest.approx([mean for _, mean, *_ in expected])
    assert line.low is None
    assert band.low == pytest.approx([low for *_, low, _ in expected])
    assert band.high == pytest.approx([high for *_, high in expected])
    assert panel.note == "Bands are the mean ± standard deviation of 3 repetitions"
    assert not [line for line in panel.bands["sliding(1000)"] if line.baseline]


def test_bands_with_a_level_are_t_intervals_over_repetitions() -> None:
    logs = repeated(TWO, items=500)
    panel = build(logs, ["accuracy"], ["whole"], bands=0.9).sections[0].panels[0]
    band = panel.bands["whole"][0]
    low, high = slow.interval(finals(logs, "good"), 0.9)
    assert (band.low[-1], band.high[-1]) == pytest.approx((low, high))
    assert panel.note == "Bands are the 90 % t interval of 3 repetitions"
    assert panel.note in to_html(build(logs, ["accuracy"], ["whole"], bands=0.9))


def test_labels_that_are_missing_elsewhere_are_aligned_by_item() -> None:
    logs = []
    for i, seed in enumerate(SEEDS):
        label = independent(N, seed=i)
        label[np.random.default_rng(i).random(N) < 0.3] = -1
        logs.append(a_log(label, predictions(independent(N, seed=i), 0.9), seed=seed))
    line = build(logs, every=100).sections[0].panels[0].windows["whole"][0]
    curves = [sg.measure(log, "accuracy", every=100) for log in logs]
    runs = [list(zip(c.at.tolist(), c.value.tolist(), strict=True)) for c in curves]
    expected = slow.mean_curve(runs)
    assert line.at.tolist() == [at for at, *_ in expected]
    assert line.value == pytest.approx([mean for _, mean, *_ in expected])


# every format


def page_of_grid() -> sg.report.Page:
    rights = {name: (0.9 - i / 20, 0.91 - i / 20, 0.89 - i / 20) for i, name in enumerate("abcde")}
    logs = [log for s in "stuvw" for log in repeated(rights, f"stream {s}", 300)]
    return build(logs, title="grid")


def test_five_learners_on_five_streams_with_three_seeds_are_five_rows_a_stream() -> None:
    page = page_of_grid()
    assert len(page.sections) == 5
    for section in page.sections:
        assert [r.cells[0] for r in section.table.rows if not r.baseline] == list("abcde")
    rows = list(csv.DictReader(io.StringIO(to_csv(page))))
    assert len(rows) == 5 * 7
    cell = page.sections[2].table.column("accuracy")[1]
    assert isinstance(cell, Spread)
    (row,) = [r for r in rows if (r["stream"], r["learner"]) == ("stream u", "b")]
    parts = ("accuracy", "accuracy_sd", "accuracy_low", "accuracy_high")
    assert [float(row[part]) for part in parts] == [cell.mean, cell.sd, cell.low, cell.high]
    assert row["repetitions"] == "3"
    assert "accuracy_interval" not in row
    text = f"{100 * cell.mean:.2f} ± {100 * cell.sd:.2f}"
    interval = f"[{100 * cell.low:.2f}, {100 * cell.high:.2f}]"
    for made in (to_html(page), to_markdown(page).replace("\\", "")):
        assert text in made
        assert interval in made
    assert text.replace("±", r"$\pm$") in to_latex(page)
    assert interval in to_latex(page)
    assert not re.search("seed 11|#2", to_markdown(page).partition("## Versions")[0])


def test_json_has_the_values_of_the_repetitions() -> None:
    logs = repeated(TWO)
    page = json.loads(to_json(build(logs)))
    cell = page["sections"][0]["table"]["rows"][0]["cells"]["accuracy"]
    low, high = slow.interval(finals(logs, "good"), 0.95)
    assert cell["values"] == finals(logs, "good")
    assert cell["seeds"] == list(SEEDS)
    assert (cell["low"], cell["high"]) == pytest.approx((low, high))
    assert (cell["mean"], cell["sd"]) == pytest.approx(slow.moments(finals(logs, "good")))
    assert (cell["level"], cell["identical"]) == (0.95, False)
    assert "accuracy_interval" not in page["sections"][0]["table"]["rows"][0]["cells"]


def test_every_seed_is_in_the_provenance_and_nowhere_else() -> None:
    page = build(repeated(TWO))
    assert page.provenance.column("seed") == [*SEEDS, *SEEDS]
    html = to_html(page).partition('<script type="application/json"')[0]
    assert "seed 11" not in html


def test_hostile_names_are_text_in_latex() -> None:
    label = independent(40)
    name = r"\input{x} $50% & #1_~^ *[a]"
    page = build([a_log(label, predictions(label, 0.9, i), name, seed=str(i)) for i in range(2)])
    text = to_latex(page)
    assert (
        r"\textbackslash{}input\{x\} \$50\% \& \#1\_\textasciitilde{}\textasciicircum{} *[a]"
        in text
    )
    assert r"\input{x}" not in text


def test_a_single_run_is_shown_as_before() -> None:
    page = build(repeated(TWO)[:2])
    assert "repetitions" not in [c.key for c in page.sections[0].table.columns]
    assert "±" not in to_markdown(page)
    assert "±" not in to_latex(page)
    assert page.sections[0].panels[0].bands == {}


# findings


def found(logs: list[Log]) -> dict[str, tuple[str, str]]:
    return {f.rule: (f.severity, f.sentence) for f in build(logs).findings}


def on_sticky(rights: tuple[float, ...]) -> list[Log]:
    logs = []
    for i, right in enumerate(rights):
        label = sticky(N, 0.9, seed=i)
        logs.append(a_log(label, predictions(label, right, seed=i), seed=str(i)))
    return logs


def test_a_finding_states_in_how_many_repetitions_it_holds() -> None:
    severity, sentence = found(on_sticky((0.8, 0.81, 0.82)))["below_persistent"]
    assert severity == "warning"
    assert sentence.endswith("In 3 of 3 repetitions.")
    severity, sentence = found(on_sticky((0.6, 0.7, 0.95)))["below_persistent"]
    assert sentence.endswith("In 2 of 3 repetitions.")
    finding = next(
        f for f in build(on_sticky((0.6, 0.7, 0.95))).findings if f.rule == "below_persistent"
    )
    assert finding.evidence.column("repetitions") == ["2 of 3"]


def test_a_warning_that_holds_in_few_repetitions_is_a_note_without_their_values() -> None:
    severity, sentence = found(on_sticky((0.8, 0.98, 0.98)))["below_persistent"]
    assert severity == "note"
    assert sentence == (
        "Only in 1 of 3 repetitions, not in their mean: a learner whose accuracy over the whole "
        "stream is below that of the persistent baseline (naive_bayes)."
    )


def test_one_lucky_seed_beats_no_baseline() -> None:
    """The mean exceeds both baselines, but two of three repetitions do not."""
    assert "beats_baselines" in found(repeated({"x": (0.8, 0.8, 0.8)}))
    assert "beats_baselines" not in found(repeated({"x": (1.0, 0.6, 0.6)}))


def test_identical_repetitions_are_one_run() -> None:
    label = independent(N)
    predicted = {"x": predictions(label, 0.9), "y": predictions(label, 0.8)}
    logs = [a_log(label, made, name, seed=s) for name, made in predicted.items() for s in SEEDS]
    page = build(logs)
    sentence = found(logs)["identical_repetitions"][1]
    assert sentence.startswith("The 3 repetitions of x and y are identical: ")
    table = page.sections[0].table
    assert "±" not in to_markdown(page).partition("## Definitions")[0].partition("Values are")[0]
    assert table.column("repetitions") == [3] * 4
    assert to_csv(page).splitlines()[1].split(",")[4:7] == ["0.0", "", ""]
    (row,) = page.sections[0].verdicts.rows
    single = build([logs[0], logs[3]]).sections[0].verdicts
    assert row.cells[2] == single.column("verdict")[0] == "better"
    assert page.sections[0].panels[0].bands == {}


def test_missing_repetitions_are_reported_and_differences_are_paired() -> None:
    logs = [
        log for log in repeated(TWO) if log.about["learner"] != "bad" or log.about["seed"] != "22"
    ]
    assert found(logs)["missing_repetitions"][1].startswith("bad has fewer than the 3 repetitions")
    section = build(logs).sections[0]
    assert section.table.column("repetitions")[:2] == [3, 2]
    difference = section.verdicts.column("difference")[0]
    assert isinstance(difference, Spread)
    assert difference.seeds == ("11", "33")


@pytest.mark.parametrize("rule", sorted(r for r in rules() if not r.endswith("_repetitions")))
def test_every_rule_holds_over_repetitions_of_logs_that_trigger_it(rule: str) -> None:
    """The same logs under two seeds: what holds for one holds in 2 of 2 repetitions."""
    logs = CASES[rule][0]()
    again = [replace(log, about={**log.about, "seed": "1"}) for log in logs]
    severity, sentence = found([*logs, *again])[rule]
    single = found(logs)[rule]
    assert severity == single[0]
    assert sentence.endswith("In 2 of 2 repetitions.")


def test_drifts_are_found_in_the_mean_curve() -> None:
    logs = []
    drift = (Drift(3000, 3000, 3000),)
    right = np.where((np.arange(6000) >= 3000) & (np.arange(6000) < 3500), 0.5, 0.9)
    for i in range(3):
        label = independent(6000, seed=i)
        logs.append(a_log(label, predictions(label, right, i), drifts=drift, seed=str(i)))
    sentence = found(logs)["recovered"][1]
    assert sentence.endswith("In 3 of 3 repetitions.")


# verdicts


def test_a_verdict_is_about_the_mean_over_repetitions() -> None:
    logs = repeated(TWO)
    verdicts = build(logs).sections[0].verdicts
    losses = [[1 - v for v in finals(logs, name)] for name in TWO]
    winner, p = slow.verdict(*losses, 0.05)
    assert winner == "a"
    (row,) = verdicts.rows
    assert row.cells[:3] == ("good", "bad", "better")
    assert verdicts.column("p")[0] == pytest.approx(p)
    assert verdicts.column("ahead") == ["3 of 3"]
    assert verdicts.column("alone") == ["3 of 3"]


def test_no_single_run_decides() -> None:
    """Each run decides for itself, but they disagree."""
    logs = repeated({"x": (0.9, 0.6, 0.9), "y": (0.6, 0.9, 0.65)})
    section = build(logs).sections[0]
    assert section.verdicts.column("verdict") == ["undecided"]
    assert section.verdicts.column("alone") == ["2 of 3, 1 against"]
    assert "No single run decides" in section.verdicts_note


def test_regression_is_compared_over_repetitions() -> None:
    logs = []
    for i, seed in enumerate(SEEDS):
        rng = np.random.default_rng(i)
        label = rng.normal(size=400)
        for name, noise in (("near", 0.1), ("far", 1.0)):
            logs.append(
                a_log(label, label + noise * rng.normal(size=400), name, classes=None, seed=seed)
            )
    section = build(logs).sections[0]
    assert section.verdicts.column("learner") == ["near"]
    assert section.verdicts.column("verdict") == ["better"]
    assert section.verdicts.column("alone") == ["0 of 3"]  # a run of 400 items is too short
    cell = section.table.column("mae")[0]
    assert isinstance(cell, Spread)
    assert cell.values == tuple(finals(logs, "near", "mae"))
    assert not math.isnan(section.verdicts.column("p")[0])


def test_repeated_predictions_are_averaged_over_repetitions() -> None:
    stream = sg.streams.delay(sg.streams.SEA(items=600), 100)
    protocol = sg.protocols.Reevaluating(every=20)
    logs = [sg.run(stream, sg.learners.NaiveBayes(), protocol, seed=s) for s in (1, 2)]
    pending = build(logs).sections[0].pending
    assert pending is not None
    runs = [sg.late.bins(log, "accuracy", 50) for log in logs]
    cell = pending.table.column("bin_25")[0]
    assert isinstance(cell, Spread)
    assert cell.values == tuple(float(run.final[25]) for run in runs)
    assert pending.values["naive_bayes"][-1] == pytest.approx((runs[0].final + runs[1].final) / 2)
    assert "naive_bayes" in to_html(build(logs))
