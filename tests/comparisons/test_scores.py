"""Many learners on many streams: scores from logs, tables for papers, and bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamgauge import learners, run, streams
from streamgauge.comparisons import (
    Scores,
    bayesian_signed_rank_test,
    compare_many,
    friedman_test,
    nadeau_bengio_test,
    nemenyi_test,
    rank,
    scores,
    to_latex,
    to_markdown,
    versus_control_test,
    wilcoxon_holm_test,
)
from streamgauge.errors import LogError, ParameterError, UnknownNameError
from streamgauge.log import from_columns
from streamgauge.types import Schema


def made(learner, stream, hits, complete=True):
    label = np.zeros(10, np.int32)
    prediction = (np.arange(10) >= hits).astype(np.int32)
    log = from_columns(
        Schema((), classes=("no", "yes")),
        label,
        prediction,
        about={"learner": learner, "stream": stream},
    )
    return log if complete else type(log)(log.schema, log.tables, log.about, complete=False)


def test_scores_come_from_logs_and_know_their_direction():
    logs = [
        made(a, s, hits)
        for a, s, hits in (("nb", "x", 9), ("nb", "y", 7), ("ht", "x", 8), ("ht", "y", 8))
    ]
    table = scores(logs)
    assert (table.learners, table.streams, table.higher_is_better) == (
        ("nb", "ht"),
        ("x", "y"),
        True,
    )
    assert table.values.tolist() == [[0.9, 0.8], [0.7, 0.8]]
    assert not scores(logs, "error").higher_is_better
    assert rank(scores(logs, "error")).by_stream.tolist() == rank(table).by_stream.tolist()


def test_runs_of_one_stream_are_one_score():
    logs = [made(a, s, h) for a in ("nb", "ht") for s in ("x", "y") for h in (9, 5)]
    table = scores(logs)
    np.testing.assert_allclose(table.values, 0.7)
    assert table.repetitions == 2
    np.testing.assert_allclose(table.sd, np.std([0.9, 0.5], ddof=1))
    per_run = scores(logs, runs="streams")
    assert per_run.streams == ("x #0", "x #1", "y #0", "y #1")
    assert sum("not independent streams" in w for w in per_run.warnings) == 2


def test_different_numbers_of_repetitions_are_stated():
    some = [(a, s, h) for a in ("nb", "ht") for s in ("x", "y") for h in (9, 5)]
    logs = [made(*one) for one in [*some, ("nb", "x", 7)]]
    text = compare_many(scores(logs)).to_text()
    assert "mean over 2 to 3 repetitions" in text
    assert "mean over 2 repetitions" in compare_many(scores(logs[:-1])).to_text()


def test_an_incomplete_log_is_warned_about():
    logs = [made("nb", "x", 9, complete=False), made("ht", "x", 8)]
    assert "the log of nb on x is incomplete" in scores(logs).warnings


def test_real_runs_are_compared_from_end_to_end():
    some = [streams.SEA(function=f, items=300) for f in (1, 2, 3, 4)]
    some += [streams.Stagger(function=f, items=300) for f in (1, 2)]
    who = [learners.NaiveBayes(), learners.MajorityClass(), learners.PriorRandom()]
    verdict = compare_many([run(s, a) for s in some for a in who], control="majority_class")
    assert verdict.ranks.best_first[0] == 0
    assert verdict.warnings == ()
    for text in (to_latex(verdict), to_markdown(verdict)):
        assert "Wilcoxon against majority" in text.replace("\\", "")


def test_the_tables_mark_the_best_and_escape_names():
    values = [[0.9, 0.8, 0.9 - i / 100] for i in range(8)]
    table = Scores(
        ("naive_bayes", "a&b", "50% |x|"), [f"s{i}t" for i in range(8)], values, measure="accuracy"
    )
    verdict = compare_many(table)
    latex = to_latex(
        verdict, caption="All", label="tab:all", percent=True, marks={("s0t", "a&b"): "†"}
    )
    assert r"stream & naive\_bayes & a\&b & 50\% |x| \\" in latex
    assert r"s0t & \textbf{90.00} & 80.00\textsuperscript{†} & \textbf{90.00} \\" in latex
    assert all(rule in latex for rule in (r"\toprule", r"\midrule", r"\bottomrule"))
    assert r"0.023\textsuperscript{*}" in latex
    assert r"\label{tab:all}" in latex
    text = to_markdown(verdict)
    assert r"| stream | naive_bayes | a&b | 50% \|x\| |" in text
    assert "| s0t | **0.9000** | 0.8000 | **0.9000** |" in text
    assert r"| p against naive_bayes | – | 0.023\* |" in text
    assert "p against a&b" in to_markdown(verdict, control="a&b")


TABLE = Scores("ab", range(6), np.arange(12).reshape(6, 2))
BAD = [
    (lambda: rank(Scores("a", "xy", [[1], [2]])), r"rank: learners must be at least 2, got 1"),
    (
        lambda: friedman_test(Scores("ab", "x", [[1, 2]])),
        r"streams must be at least 2, got 1",
    ),
    (lambda: Scores("ab", "xy", [[1, 2]]), r"values must be 2 streams by 2 learners, got \(1, 2\)"),
    (lambda: Scores("aa", "xy", np.ones((2, 2))), r"learners must be different names, got 'a'"),
    (lambda: Scores("ab", "xx", np.ones((2, 2))), r"streams must be different names, got 'x'"),
    (lambda: Scores("ab", "xy", np.ones((2, 2)), "up"), r"higher_is_better must be True or False"),
    (lambda: Scores("ab", "xy", [[1, 2], [3, math.nan]]), r"got nan for b on y; leave the stream"),
    (lambda: Scores.of({"a": {"x": 1, "y": 2}, "b": {"x": 1}}), r"got nan for b on y"),
    (lambda: friedman_test(TABLE, 0), r"friedman_test: alpha must be above 0 and below 1, got 0"),
    (lambda: nemenyi_test(TABLE, 1), r"nemenyi_test: alpha must be above 0 and below 1, got 1"),
    (lambda: wilcoxon_holm_test(TABLE, 2), r"alpha must be above 0 and below 1, got 2"),
    (
        lambda: wilcoxon_holm_test(TABLE, zero_method="no"),
        r"must be one of zsplit, wilcox, got 'no'",
    ),
    (
        lambda: versus_control_test(TABLE, statistic="x"),
        r"must be 'wilcoxon' or 'ranks', got 'x'",
    ),
    (lambda: compare_many(TABLE, test="t"), r"test must be one of wilcoxon_holm, nemenyi, got 't'"),
    (lambda: bayesian_signed_rank_test(TABLE, -1), r"rope must be a number from 0 up, got -1"),
    (
        lambda: bayesian_signed_rank_test(TABLE, min_probability=1),
        r"must be from 0.5 to below 1, got 1",
    ),
    (lambda: bayesian_signed_rank_test(TABLE, prior=0), r"prior must be a number above 0, got 0"),
    (lambda: bayesian_signed_rank_test(TABLE, draws=0), r"draws must be at least 1, got 0"),
    (lambda: nadeau_bengio_test([1], [2]), r"folds must be at least 2, got 1"),
    (lambda: nadeau_bengio_test([1, 2], [2]), r"of the same length, got \(2, 1\)"),
    (lambda: nadeau_bengio_test([1, 2], [2, math.nan]), r"scores must be finite, got nan"),
    (lambda: nadeau_bengio_test([1, 2, 3], [2, 1, 0], runs=2), r"a divisor of 3 folds"),
    (
        lambda: nadeau_bengio_test([1, 2], [2, 1], test_to_train=0),
        r"test_to_train must be a",
    ),
    (lambda: scores([]), r"scores: logs must be at least one"),
    (lambda: scores([made("a", "x", 3)], "p_per"), r"measure must have a best value"),
    (lambda: scores([made("a", "x", 3)], runs="all"), r"runs must be 'mean' or 'streams'"),
]


@pytest.mark.parametrize(("do", "words"), BAD)
def test_bad_input_is_refused_in_a_sentence(do, words):
    with pytest.raises(ParameterError, match=words):
        do()


def test_a_missing_log_is_named():
    logs = [made("a", "x", 3), made("b", "x", 4), made("a", "y", 3)]
    with pytest.raises(LogError, match="got none of b on y; run it, or leave one of them out"):
        scores(logs)
    with pytest.raises(LogError, match="the same number of runs"):
        scores([*logs, made("b", "y", 3), made("b", "y", 4)], runs="streams")


def test_an_unknown_control_is_refused_with_the_nearest_name():
    table = Scores(("naive_bayes", "tree"), range(6), TABLE.values)
    with pytest.raises(UnknownNameError, match="did you mean 'naive_bayes'"):
        versus_control_test(table, "naive_baies")


def test_logs_of_two_protocols_are_refused():
    one, other = made("a", "x", 3), made("b", "x", 4)
    other = type(other)(other.schema, other.tables, {**other.about, "protocol": "chunks"})
    with pytest.raises(LogError, match="logs must be of one protocol"):
        scores([one, other])
