from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.errors import MissingExtraError, ParameterError
from streamgauge.plots import learning_curve, plot
from streamgauge.types import Curve, Drift

values = st.lists(
    st.one_of(st.floats(-1, 1), st.just(float("nan")), st.just(float("-inf"))), max_size=60
)


def curve(value: list[float], measure: str = "accuracy", window: str = "whole") -> Curve:
    return Curve(measure, window, np.arange(1, len(value) + 1), np.array(value, dtype=float))


@given(values, st.integers(3, 80))
def test_thinning_keeps_ends_extremes_and_gaps(value: list[float], points: int) -> None:
    (line,) = learning_curve.data({"a": curve(value)}, points=points)
    finite = [(i, v) for i, v in enumerate(value, 1) if np.isfinite(v)]
    kept = [(i, v) for i, v in zip(line.at, line.value, strict=True) if np.isfinite(v)]
    assert set(kept) <= set(finite)
    assert len(kept) <= max(points, 3)
    assert np.all(np.diff(line.at) > 0)
    if len(finite) <= points:
        assert kept == finite
    if finite:
        assert kept[0] == finite[0]
        assert kept[-1] == finite[-1]
    holes = [i for i, v in zip(line.at, line.value, strict=True) if not np.isfinite(v)]
    for (a, _), (b, _) in pairwise(kept):
        torn = any(not np.isfinite(value[i - 1]) for i in range(a + 1, b))
        assert torn == any(a < hole < b for hole in holes)


def test_a_peak_of_one_point_in_a_million_is_kept() -> None:
    value = np.full(1_000_000, 0.9)
    value[654_321] = 0.1
    (line,) = learning_curve.data(Curve("accuracy", "whole", np.arange(len(value)), value))
    assert len(line.at) <= 2000
    assert 654_321 in line.at


def test_a_band_is_drawn_around_its_curve() -> None:
    value = np.array([0.5, np.nan, 0.6, 0.7])
    banded = Curve("accuracy", "whole", np.arange(1, 5), value, {}, value - 0.1, value + 0.1)
    (line,) = learning_curve.data(banded)
    assert np.allclose(line.low, line.value - 0.1, equal_nan=True)
    assert np.allclose(line.high, line.value + 0.1, equal_nan=True)
    assert len(plot(banded).axes[0].collections) == 1
    assert not plot(curve([0.5, 0.6])).axes[0].collections


def test_curves_get_the_shortest_unique_name() -> None:
    two_windows = [curve([1.0]), curve([1.0], window="sliding(1000)")]
    two_measures = [curve([1.0]), curve([1.0], measure="kappa")]
    both = [*two_windows, curve([1.0], measure="kappa")]
    assert list(learning_curve.named(two_windows)) == ["whole", "sliding(1000)"]
    assert list(learning_curve.named(two_measures)) == ["accuracy", "kappa"]
    assert list(learning_curve.named(both))[2] == "kappa, whole"
    assert len(learning_curve.named([*both, *both])) == 6


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_a_figure_is_reproducible(tmp_path: Path, kind: str) -> None:
    curves = {"naive_bayes": curve([0.1, 0.5, float("nan"), 0.9]), "persistent": curve([0.5] * 4)}
    drifts = [Drift(1, 2, 3, "gradual"), Drift(3, 3, 3)]
    for name in ("a", "b"):
        plot(curves, tmp_path / f"{name}.{kind}", drifts=drifts, title="two learners")
    first = (tmp_path / f"a.{kind}").read_bytes()
    assert first == (tmp_path / f"b.{kind}").read_bytes()
    assert list(tmp_path.glob(".*")) == []
    if kind == "svg":
        assert b">naive_bayes<" in first


def test_an_unknown_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ParameterError, match=r"plot: path must be a name that ends in one of \.svg"
    ):
        plot(curve([1.0]), tmp_path / "figure.bmp")


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'streamgauge\[plot\]'"):
        plot(curve([1.0]))


def test_curves_of_repetitions_are_drawn_as_their_mean_with_a_band():
    at = np.arange(1, 4)
    runs = [Curve("accuracy", "whole", at, np.array(v)) for v in ([0.2, 0.4, 0.6], [0.4, 0.4, 0.8])]
    (line, other) = learning_curve.data({"nb": runs, "tree": runs[:1]})
    assert (line.name, other.name) == ("nb (mean ± standard deviation of 2 repetitions)", "tree")
    assert line.value.tolist() == pytest.approx([0.3, 0.4, 0.7])
    assert line.low.tolist() == pytest.approx([0.3 - 0.02**0.5, 0.4, 0.7 - 0.02**0.5])
    assert other.low is None
    axes = plot({"nb": runs, "tree": runs[:1]}).axes[0]
    assert len(axes.collections) == 1
