from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.comparisons import Scores, nemenyi_test, wilcoxon_holm_test
from streamgauge.errors import MissingExtraError
from streamgauge.plots import critical_difference, pair_matrix, save


def table(k: int = 5, n: int = 12, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    return Scores(
        [f"learner_{j}" for j in range(k)],
        [f"on{i}x" for i in range(n)],
        rng.normal(size=(n, k)) + np.linspace(1.5, 0, k),
    )


@given(st.integers(2, 9), st.integers(2, 12), st.integers(0, 10**6))
def test_the_diagram_has_every_learner_and_group(k: int, n: int, seed: int) -> None:
    verdict = wilcoxon_holm_test(table(k, n, seed))
    diagram = critical_difference.data(verdict)
    assert sorted(m.name for m in diagram.marks) == sorted(verdict.learners)
    assert [m.rank for m in diagram.marks] == sorted(verdict.mean_ranks)
    assert len({(m.left, m.line) for m in diagram.marks}) == k
    assert len(diagram.bars) == len(verdict.groups())
    for line in {b.line for b in diagram.bars}:
        bars = sorted((b.low, b.high) for b in diagram.bars if b.line == line)
        assert all(one[1] < two[0] for one, two in pairwise(bars))


def test_bars_of_nemenyi_are_no_longer_than_the_critical_difference() -> None:
    diagram = critical_difference.data(nemenyi_test(table(7)))
    assert diagram.critical_difference is not None
    assert all(b.high - b.low <= diagram.critical_difference for b in diagram.bars)


def test_the_matrix_counts_wins_and_is_antisymmetric() -> None:
    values = table(4)
    verdict = wilcoxon_holm_test(values)
    matrix = pair_matrix.data(verdict)
    assert (matrix.wins + matrix.wins.T + matrix.ties == 12).all()
    np.testing.assert_allclose(matrix.gain, -matrix.gain.T)
    np.testing.assert_array_equal(matrix.p, matrix.p.T)
    for i, a in enumerate(matrix.names):
        for j, b in enumerate(matrix.names):
            one, two = (values.values[:, values.learners.index(name)] for name in (a, b))
            assert matrix.wins[i, j] == (one > two).sum()
            if i != j:
                assert matrix.gain[i, j] == pytest.approx(np.median(one - two))


def test_low_scores_win_if_low_is_better() -> None:
    low = Scores("ab", range(5), [[1.0, 2.0]] * 5, False)
    matrix = pair_matrix.data(wilcoxon_holm_test(low))
    assert matrix.names == ("a", "b")
    assert matrix.gain[0, 1] == 1.0
    assert pair_matrix.cell_text(matrix, 1, 0).startswith("−1\n0/0/5")


@pytest.mark.parametrize("kind", ["svg", "pdf"])
@pytest.mark.parametrize("test", [nemenyi_test, wilcoxon_holm_test])
def test_a_figure_is_reproducible(tmp_path: Path, kind: str, test) -> None:
    verdict = test(table())
    for name in ("a", "b"):
        save(
            critical_difference.draw(critical_difference.data(verdict), title="ranks"),
            tmp_path / f"{name}_cd.{kind}",
        )
        save(
            pair_matrix.draw(pair_matrix.data(verdict), title="pairs"),
            tmp_path / f"{name}_m.{kind}",
        )
    for what in ("cd", "m"):
        first = (tmp_path / f"a_{what}.{kind}").read_bytes()
        assert first == (tmp_path / f"b_{what}.{kind}").read_bytes()
        if kind == "svg":
            assert b"learner_0" in first


def test_a_matrix_of_ties_only_is_drawn() -> None:
    verdict = wilcoxon_holm_test(Scores("abc", range(6), np.zeros((6, 3))))
    diagram = critical_difference.data(verdict)
    assert [(b.low, b.high) for b in diagram.bars] == [(2.0, 2.0)]
    critical_difference.draw(diagram)
    pair_matrix.draw(pair_matrix.data(verdict))


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = wilcoxon_holm_test(table())
    for name in ("matplotlib", "matplotlib.figure", "matplotlib.colors"):
        monkeypatch.setitem(sys.modules, name, None)
    for plot in (critical_difference, pair_matrix):
        with pytest.raises(MissingExtraError, match=r"pip install 'streamgauge\[plot\]'"):
            plot.draw(plot.data(verdict))
