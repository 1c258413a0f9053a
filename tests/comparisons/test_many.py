"""Many learners on many streams: against slow twins and other libraries."""

from __future__ import annotations

import math
import subprocess
import sys
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import comparisons as slow
from streamgauge.comparisons import (
    Scores,
    bayesian_signed_rank_test,
    compare_many,
    diebold_mariano_test,
    friedman_test,
    nadeau_bengio_test,
    nemenyi_test,
    rank,
    versus_control_test,
    wilcoxon_holm_test,
)
from streamgauge.comparisons._holm import holm
from streamgauge.comparisons.bayesian_signed_rank import shares
from streamgauge.comparisons.wilcoxon_holm import signed_rank
from streamgauge.errors import ParameterError

# Binary fractions, so that differences of scores tie exactly, as they do in the twins.
grid = st.integers(-8, 8).map(lambda i: i / 8)


@st.composite
def tables(draw, least=2, most=7, learners=5):
    n, k = draw(st.integers(least, most)), draw(st.integers(2, learners))
    cells = draw(st.lists(st.lists(grid, min_size=k, max_size=k), min_size=n, max_size=n))
    higher = draw(st.booleans())
    return Scores([f"l{j}" for j in range(k)], [f"on{i}x" for i in range(n)], cells, higher)


def untied(n, k, seed=0):
    rng = np.random.default_rng(seed)
    return Scores(
        [f"l{j}" for j in range(k)],
        [f"on{i}x" for i in range(n)],
        rng.normal(size=(n, k)) + np.linspace(0, 1, k),
    )


@given(tables())
def test_ranks_are_the_slow_twins(table):
    seen = rank(table)
    expected = [slow.ranks(list(row), table.higher_is_better) for row in table.values.tolist()]
    np.testing.assert_array_equal(seen.by_stream, expected)
    np.testing.assert_allclose(seen.mean, np.mean(expected, axis=0))
    assert list(seen.mean[list(seen.best_first)]) == sorted(seen.mean)
    assert seen.wins.sum() == pytest.approx(len(table.streams))


def test_rounding_is_no_difference():
    table = Scores(("a", "b"), ("x", "y"), [[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]])
    assert rank(table).by_stream.tolist() == [[1.5, 1.5], [1.5, 1.5]]
    assert wilcoxon_holm_test(table).p[0, 1] == 1.0


def test_infinite_scores_are_ranked_and_two_of_them_are_equal():
    inf = float("inf")
    table = Scores(("a", "b", "c"), range(6), [[0.5, -inf, -inf]] * 6)
    assert rank(table).mean.tolist() == [1.0, 2.5, 2.5]
    verdict = wilcoxon_holm_test(table)
    assert verdict.p[1, 2] == 1.0
    assert verdict.p_uncorrected[0, 1] == 2 / 2**6
    with pytest.raises(ParameterError, match="scores must be finite, got -inf"):
        bayesian_signed_rank_test(table)


@given(st.integers(3, 12), st.integers(2, 6), st.integers(0, 10**6))
def test_friedman_equals_the_oracle(n, k, seed):
    table = untied(n, k, seed)
    seen = friedman_test(table)
    assert seen.chi2 == pytest.approx(slow.friedman_chi2(table.values.tolist()))
    if math.isfinite(seen.f):
        assert seen.f == pytest.approx(slow.friedman_f(table.values.tolist()))


def test_friedman_agrees_with_scipy_and_autorank():
    stats = import_module("scipy.stats")
    pandas = import_module("pandas")
    autorank = import_module("autorank")
    for table in (untied(9, 4), Scores("abc", range(7), np.arange(21).reshape(7, 3) * 5 % 4)):
        seen = friedman_test(table)
        expected = stats.friedmanchisquare(*table.values.T)
        assert seen.chi2 == pytest.approx(expected.statistic)
        assert seen.p_chi2 == pytest.approx(expected.pvalue)
    table = untied(12, 4)
    frame = pandas.DataFrame(table.values, columns=list(table.learners))
    result = autorank.autorank(frame, alpha=0.05, verbose=False, force_mode="nonparametric")
    assert friedman_test(table).p_chi2 == pytest.approx(result.pvalue)
    assert nemenyi_test(table).critical_difference == pytest.approx(result.cd, rel=1e-3)
    ours = dict(zip(table.learners, rank(table).mean, strict=True))
    assert {name: ours[name] for name in result.rankdf.index} == pytest.approx(
        dict(result.rankdf["meanrank"])
    )


def test_total_agreement_has_the_p_of_the_chance_that_rankings_agree():
    for row in ([3, 2, 1], [2, 2, 1]):
        table = Scores("abc", range(3), [row] * 3)
        seen = friedman_test(table)
        assert seen.f == math.inf
        assert seen.p == pytest.approx(slow.agreeing_by_chance([row] * 3))
    many = Scores([f"learner {nth}" for nth in range(171)], range(3), [range(171)] * 3)
    assert friedman_test(many).p == 0  # 171! is beyond the largest float


def test_nemenyi_agrees_with_scikit_posthocs_and_demsars_table():
    posthocs = import_module("scikit_posthocs")
    table = untied(10, 5)
    np.testing.assert_allclose(
        np.nan_to_num(nemenyi_test(table).p, nan=1.0),
        posthocs.posthoc_nemenyi_friedman(table.values).to_numpy(),
        atol=2e-5,
    )
    # Demšar (2006), table 5: q at 0.05 for 2, 3, 4, 10 learners
    for k, q in ((2, 1.960), (3, 2.343), (4, 2.569), (10, 3.164)):
        critical = nemenyi_test(untied(30, k)).critical_difference
        assert critical == pytest.approx(q * math.sqrt(k * (k + 1) / (6 * 30)), abs=5e-4)


@given(tables(most=9), st.sampled_from(["zsplit", "wilcox"]))
def test_signed_ranks_are_the_slow_twins_ties_and_zeros_included(table, zero_method):
    a, b = table.values[:, 0], table.values[:, 1]
    assert signed_rank(a, b, zero_method) == pytest.approx(
        slow.signed_rank(a, b, zero_method), abs=1e-12
    )


@given(tables(most=9))
def test_zeros_omitted_after_ranking_give_the_p_of_divided_ranks(table):
    a, b = table.values[:, 0], table.values[:, 1]
    assert slow.signed_rank(a, b, "pratt") == slow.signed_rank(a, b, "zsplit")


@given(tables(most=9), st.sampled_from(["zsplit", "wilcox"]))
def test_the_side_of_a_pair_is_that_of_its_rank_sums(table, zero_method):
    signs = wilcoxon_holm_test(table, zero_method=zero_method).signs
    oriented = table.oriented_values
    for a, b in combinations(range(len(table.learners)), 2):
        expected = slow.signed_rank_side(oriented[:, a], oriented[:, b], zero_method)
        assert signs[a, b] == -signs[b, a] == expected


def test_the_better_learner_is_that_of_the_test_and_not_of_the_mean_ranks():
    # b beats a by far on 37 streams; c and d come between them on 13, where a is little better.
    rows = [[3, 9, 1, 0]] * 37 + [[5.4, 5.1, 5.2, 5.3]] * 13
    table = Scores(("a", "b", "c", "d"), range(50), rows)
    assert table.values.shape == (50, 4)
    mean = rank(table).mean
    assert mean[0] < mean[1]
    pair = next(found for found in wilcoxon_holm_test(table).better() if {*found[:2]} == {*"ab"})
    assert pair[:2] == ("b", "a")
    assert "b is better than a (p" in wilcoxon_holm_test(table).to_text()
    assert versus_control_test(table, "a").to_text().startswith("a is better than c")
    assert "worse than b (p" in versus_control_test(table, "a").to_text()
    by_ranks = versus_control_test(table, "a", alpha=0.999, statistic="ranks").to_text()
    assert "worse than" not in by_ranks
    assert nemenyi_test(table).signs[0, 1] == 1


@pytest.mark.parametrize("streams", [50, 51, 200])
def test_tied_streams_do_not_make_a_difference_significant(streams):
    values = np.full((streams, 2), 0.5)
    values[:4, 0] += np.arange(1, 5) / 100
    table = Scores("ab", range(streams), values)
    assert wilcoxon_holm_test(table).p[0, 1] == pytest.approx(0.125)
    assert versus_control_test(table, "a").p[1] == pytest.approx(0.125)


def test_what_ranks_tie_the_signed_ranks_tie_too():
    values = np.full((8, 2), 0.5)
    values[:, 0] += 1e-10 * (1 + np.arange(8) / 10)
    table = Scores("ab", range(8), values)
    assert rank(table).mean.tolist() == [1.5, 1.5]
    assert wilcoxon_holm_test(table).p[0, 1] == 1.0


def test_wilcoxon_holm_agrees_with_scikit_posthocs():
    posthocs = import_module("scikit_posthocs")
    for n in (8, 20, 60):
        table = untied(n, 4, seed=n)
        expected = posthocs.posthoc_wilcoxon(table.values.T, p_adjust="holm").to_numpy()
        np.testing.assert_allclose(np.nan_to_num(wilcoxon_holm_test(table).p, nan=1.0), expected)


@pytest.mark.parametrize(("zero_method", "of_scipy"), [("wilcox", "wilcox"), ("zsplit", "pratt")])
def test_signed_ranks_of_many_streams_agree_with_scipy_zeros_included(zero_method, of_scipy):
    stats = import_module("scipy.stats")
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 9, 80) / 8, rng.integers(0, 8, 80) / 8
    expected = stats.wilcoxon(a, b, zero_method=of_scipy, method="asymptotic").pvalue
    assert signed_rank(a, b, zero_method) == pytest.approx(expected)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_holm_equals_the_oracle(p):
    np.testing.assert_allclose(holm(p), slow.holm(p))


def test_holm_agrees_with_statsmodels():
    multitest = import_module("statsmodels.stats.multitest")
    p = np.random.default_rng(2).random(12) ** 3
    np.testing.assert_allclose(holm(p.tolist()), multitest.multipletests(p, method="holm")[1])


def test_against_a_control_there_are_fewer_tests():
    stats = import_module("scipy.stats")
    multitest = import_module("statsmodels.stats.multitest")
    table = untied(12, 4)
    seen = versus_control_test(table, "l3")
    raw = [stats.wilcoxon(table.values[:, 3], table.values[:, j]).pvalue for j in range(3)]
    np.testing.assert_allclose(seen.p[:3], multitest.multipletests(raw, method="holm")[1])
    assert np.isnan(seen.p[3])
    by_ranks = versus_control_test(table, "l3", statistic="ranks")
    mean, error = rank(table).mean, math.sqrt(4 * 5 / (6 * 12))
    raw = [2 * stats.norm.sf(abs(mean[3] - mean[j]) / error) for j in range(3)]
    np.testing.assert_allclose(by_ranks.p[:3], multitest.multipletests(raw, method="holm")[1])
    assert versus_control_test(table).control == rank(table).best_first[0]


@given(tables(least=3, most=6, learners=6), st.floats(0.05, 0.9))
def test_groups_are_all_largest_sets_without_a_difference(table, alpha):
    verdict = wilcoxon_holm_test(table, alpha)
    assert {frozenset(g) for g in verdict.groups()} == slow.groups(verdict.different)
    order = list(verdict.ranks.best_first)
    assert all(
        [order.index(i) for i in g] == sorted(order.index(i) for i in g) for g in verdict.groups()
    )


@given(
    st.lists(grid, min_size=1, max_size=6),
    st.sampled_from([0.0, 0.125, 0.3]),
    st.integers(0, 10**6),
)
def test_a_draw_of_the_bayesian_test_equals_the_oracle(differences, rope, seed):
    weights = np.random.default_rng(seed).dirichlet([0.5, *[1.0] * len(differences)])
    (seen,) = shares(weights[None], np.array(differences), rope)
    worse, equal, better = slow.signed_rank_shares(weights, differences, rope)
    np.testing.assert_allclose(seen, (worse, equal if rope else 0.0, better), atol=1e-12)


def test_the_bayesian_test_agrees_with_baycomp():
    baycomp = import_module("baycomp")
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.80, 0.03, 14), rng.normal(0.79, 0.03, 14)
    for rope in (0.0, 0.01):
        weights = np.random.RandomState(7).dirichlet([0.5, *[1.0] * 14], 400)
        theirs = baycomp.SignedRankTest.sample(b, a, rope, nsamples=400, random_state=7)
        np.testing.assert_allclose(shares(weights, a - b, rope), theirs, atol=1e-9)
        verdict = bayesian_signed_rank_test(Scores("ab", range(14), np.stack([a, b], 1)), rope)
        left, *equal, right = baycomp.SignedRankTest.probs(
            b, a, rope, nsamples=20_000, random_state=1
        )
        assert verdict.better[0, 1] == pytest.approx(right, abs=0.015)
        assert verdict.better[1, 0] == pytest.approx(left, abs=0.015)
        assert verdict.equal[0, 1] == pytest.approx(equal[0] if equal else 0.0, abs=0.015)


@pytest.mark.parametrize("unit", [1, 100])
def test_scores_that_differ_by_one_rope_are_at_its_edge_in_any_unit(unit):
    base = np.arange(60, 95, 2)
    values = np.stack([base, base - 1], 1) * (unit / 100)
    table = Scores("ab", range(len(base)), values)
    verdict = bayesian_signed_rank_test(table, rope=unit / 100, prior=1e-9)
    # Half of all pairs of streams are for "better", half for "equal", whatever the weights.
    assert verdict.better[0, 1] == pytest.approx(0.5, abs=1e-6)
    assert verdict.equal[0, 1] == pytest.approx(0.5, abs=1e-6)


def test_the_bayesian_test_says_better_equal_or_undecided():
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.05, 12)
    values = np.stack([base, base - 0.1, base - 0.001, base - rng.normal(0.01, 0.03, 12)], 1)
    verdict = bayesian_signed_rank_test(Scores("abcd", range(12), values))
    found = {(x, y): what for x, y, what, _ in verdict.conclusions()}
    assert found["a", "b"] == "better"
    assert found["a", "c"] == "equal"
    assert found["a", "d"] == "undecided"
    assert "undecided" in verdict.to_text()
    whole = verdict.better + verdict.better.T + verdict.equal
    np.testing.assert_allclose(whole[~np.eye(4, dtype=bool)], 1.0)
    same = bayesian_signed_rank_test(Scores("ab", range(12), np.stack([base, base], 1)), rope=0.0)
    assert same.better.tolist() == [
        [pytest.approx(math.nan, nan_ok=True), 0.5],
        [0.5, pytest.approx(math.nan, nan_ok=True)],
    ]


def test_the_bayesian_test_is_the_same_twice_and_turns_with_the_direction():
    table = untied(8, 3)
    one, two = bayesian_signed_rank_test(table), bayesian_signed_rank_test(table)
    np.testing.assert_array_equal(one.better, two.better)
    low = Scores(table.learners, table.streams, -table.values, False)
    np.testing.assert_array_equal(bayesian_signed_rank_test(low).better, one.better)


def test_folds_agree_with_the_slow_twin_and_baycomp():
    baycomp = import_module("baycomp")
    stats = import_module("scipy.stats")
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.8, 0.02, 10), rng.normal(0.79, 0.02, 10)
    for runs in (1, 5):
        seen = nadeau_bengio_test(a, b, runs=runs, rope=0.01)
        assert seen.t == pytest.approx(slow.corrected_t(a, b, runs))
        assert seen.p == pytest.approx(2 * stats.t.sf(abs(seen.t), 9))
        expected = baycomp.CorrelatedTTest(b, a, 0.01, runs).probs()
        assert (seen.worse, seen.equal, seen.better) == pytest.approx(expected)
    flipped = nadeau_bengio_test(a, b, higher_is_better=False)
    assert flipped.mean == -nadeau_bengio_test(a, b).mean


def test_folds_that_never_differ_have_no_p_and_a_constant_difference_is_sure():
    assert math.isnan(nadeau_bengio_test([0.5] * 4, [0.5] * 4).p)
    assert "equal on all 4 folds" in nadeau_bengio_test([0.5] * 4, [0.5] * 4).to_text()
    sure = nadeau_bengio_test([0.75] * 4, [0.5] * 4)
    assert (sure.t, sure.p, sure.better) == (math.inf, 0.0, 1.0)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_a_difference_of_rounding_is_none(scale):
    a, b = np.full(4, 0.3) * scale, np.full(4, 0.1 + 0.2) * scale
    assert a[0] != b[0]
    for first, second in ((a, b), (b, a)):
        found = nadeau_bengio_test(first, second)
        assert (found.mean, found.better, found.worse) == (0.0, 0.5, 0.5)
        assert math.isnan(found.p)
        assert found.to_text() == "The two learners are equal on all 4 folds."
        table = Scores("ab", range(4), np.column_stack([first, second]))
        assert all(map(math.isnan, diebold_mariano_test(first, second)))
        assert all(map(math.isnan, diebold_mariano_test(first, np.append(second[:3], first[3]))))
        seen = bayesian_signed_rank_test(table, rope=0.0, draws=100)
        assert seen.better[0, 1] == seen.better[1, 0]


def test_only_ties_give_no_p_and_no_difference():
    table = Scores("abc", range(6), np.full((6, 3), 0.5))
    verdict = compare_many(table)
    assert math.isnan(verdict.friedman.p)
    assert not verdict.friedman.significant
    assert verdict.pairs.better() == ()
    assert verdict.pairs.groups() == ((0, 1, 2),)
    assert "tied on every stream" in verdict.to_text()
    assert nemenyi_test(table).p[0, 1] == 1.0


def test_few_streams_and_seeds_as_streams_are_warned_about():
    few = Scores("ab", ("x", "y"), [[1, 2], [2, 3]])
    assert "only 2 streams" in few.warnings[0]
    assert compare_many(few).to_text().startswith("Warning: only 2 streams")
    # with five streams, the smallest two-sided p of a signed-rank test is 2/32, above 0.05
    five = Scores("ab", range(5), np.zeros((5, 2)))
    assert "only 5 streams" in five.warnings[0]
    names = [f"SEA(seed={i})" for i in range(6)]
    (found,) = Scores("ab", names, np.zeros((6, 2))).warnings
    assert "6 of the streams are SEA with different seeds: runs with different seeds" in found
    for names in (
        ["sea #1", "sea #2"],
        ["sea_seed1", "sea_seed2"],
        ["sea run 1", "sea run 2"],
        ["agrawal(function=2, seed=1)", "agrawal(function=2, seed=2)"],
    ):
        assert any(
            "not independent streams" in w for w in Scores("ab", names, np.zeros((2, 2))).warnings
        ), names
    differences = ["sea", "agrawal(function=1)", "agrawal(function=2)", "elec2", "elec3", "sea60k"]
    assert Scores("ab", differences, np.zeros((6, 2))).warnings == ()


def test_scipy_is_loaded_when_a_test_needs_it():
    code = (
        "import sys, streamgauge, streamgauge.comparisons as c; c.Scores, c.compare_many, c.ranks;"
        "print([m for m in ('scipy', 'matplotlib', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("shift", "spread", "words"),
    [
        (0.1, 0.01, "The first learner is better ("),
        (-0.1, 0.01, "The first learner is worse ("),
        (0.01, 0.5, "No difference is shown ("),
        (-0.01, 0.5, "No difference is shown ("),
    ],
)
def test_a_resampled_t_test_says_what_it_has_found(shift, spread, words):
    b = np.array([0.7, 0.75, 0.72, 0.74, 0.73])
    verdict = nadeau_bengio_test(b + shift + spread * np.array([1, -1, 2, -2, 0]), b)
    assert verdict.to_text().startswith(words)
    assert f"t = {verdict.t:.3g} over 5 folds, p = {verdict.p:.3g}" in verdict.to_text()
