"""Names with formulas, control characters and thousands of characters are drawn as plain text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from samples.examples import some
from streamgauge import plots
from streamgauge.alarm_measures import match_alarms
from streamgauge.comparisons import Scores, nemenyi_test, wilcoxon_holm_test
from streamgauge.detectors.trace import Trace
from streamgauge.escapes import one_line
from streamgauge.log.alarms import Alarms
from streamgauge.plots import (
    alarm_raster,
    alarm_times,
    aligned_curves,
    bin_curves,
    critical_difference,
    delay_by_false_alarms,
    delay_sweep,
    detector_trace,
    label_dependence,
    learning_curve,
    pair_matrix,
    radar,
    recovery_panels,
    recovery_scatter,
    recovery_surface,
    resource_curves,
    save,
    selected_features,
    trade_off,
)
from streamgauge.plots._canvas import LONGEST, label
from streamgauge.resources._load_sweep import LoadPoint
from streamgauge.types import Curve, Drift

NAMES = [
    "$\\frac{$",
    "$$",
    "_^{}",
    "_hidden",
    "$x$ \\$",
    "a\nb",
    "n" * 5000,
    "😀",
    "שלום",
    "\x00\x1b[2J\ud800",
    "<b>&amp;</b>",
]
CURVE = Curve("accuracy", "whole", np.arange(1, 4), np.array([1.0, 0.5, 0.6]))


@dataclass
class Binned:
    n_bins: int = 2
    at: Any = None
    value: Any = None


@dataclass
class Point:
    learner: str
    delay: str
    missing: float = 0.0
    value: float = 0.5


@dataclass
class Dependence:
    classes: tuple[str, ...]
    delta: Any


@dataclass
class Evaluated:
    detectors: tuple[str, ...]
    matchings: Any


def evaluated(name: str) -> Evaluated:
    one = match_alarms([30, 60], [Drift(50, 50, 50)], 100, 20)
    return Evaluated((name, "b"), {(name, d): (one, one) for d in (name, "b", "never")})


def scores(name: str) -> Scores:
    return Scores((name, "b", "c"), range(9), [[4, 3 + i % 2, 2] for i in range(9)])


FIGURES: dict[str, Callable[[str], Any]] = {
    "learning_curve": lambda n: learning_curve.draw(
        learning_curve.data({n: CURVE, "b": CURVE}), title=n, measure=n
    ),
    "alarm_raster": lambda n: alarm_raster.draw(alarm_raster.data(evaluated(n))),
    "alarm_times": lambda n: alarm_times.draw(
        alarm_times.AlarmPlot(
            learning_curve.data({n: CURVE, "b": CURVE}),
            alarm_times.data([CURVE], {n: Alarms.of([(2, n, "alarm")])}).marks,
        ),
        title=n,
        measure=n,
    ),
    "bin_curves": lambda n: bin_curves.draw(
        bin_curves.data({m: Binned(2, np.array([3]), np.ones((1, 4))) for m in (n, "b")}), n, n
    ),
    "critical_difference": lambda n: critical_difference.draw(
        critical_difference.data(nemenyi_test(scores(n))), title=n
    ),
    "delay_by_false_alarms": lambda n: delay_by_false_alarms.draw(
        delay_by_false_alarms.data(evaluated(n))
    ),
    "detector_trace": lambda n: detector_trace.draw(
        detector_trace.data(Trace(n, Alarms(), np.arange(3), np.ones(3), np.ones(3))), title=n
    ),
    "delay_sweep": lambda n: delay_sweep.draw(delay_sweep.data([Point(n, n), Point("b", n)]), n),
    "label_dependence": lambda n: label_dependence.draw(
        label_dependence.data(Dependence((n, "b"), np.ones((2, 3)))), title=n
    ),
    "pair_matrix": lambda n: pair_matrix.draw(
        pair_matrix.data(wilcoxon_holm_test(scores(n))), title=n
    ),
    "resource_curves": lambda n: resource_curves.draw(
        resource_curves.data({m: [CURVE] for m in (n, "b")}), title=n
    ),
    "aligned_curves": lambda n: aligned_curves.draw(
        [learning_curve.Line(m, np.arange(3), np.ones(3)) for m in (n, "b")],
        n,
        n,
    ),
    "radar": lambda n: radar.draw(
        radar.Radar(
            (n, "b", "c"),
            (True, False, False),
            tuple(radar.Polygon(m, np.ones(3)) for m in (n, "b")),
        ),
        title=n,
    ),
    "recovery_panels": lambda n: recovery_panels.draw(
        [
            recovery_panels.Picture(
                m,
                n,
                n,
                (learning_curve.Line("mixture", np.arange(3), np.ones(3)),),
                Drift(1, 1, 2),
                np.ones(3),
            )
            for m in (n, "b")
        ]
    ),
    "recovery_scatter": lambda n: recovery_scatter.draw(
        [
            recovery_scatter.ScatterPoint(m, n, 0.1, 0.0, 0.2, 0.3, 0.2, 0.4, False)
            for m in (n, "b")
        ],
        n,
    ),
    "recovery_surface": lambda n: recovery_surface.draw(
        {m: recovery_surface.Surface((n,), (n,), np.ones((1, 1))) for m in (n, "b")}, n
    ),
    "selected_features": lambda n: selected_features.draw(
        selected_features.SelectedFeatures(
            (n, "b"), np.array([0, 5]), np.ones((2, 1)), np.ones(2), 0, "items"
        ),
        title=n,
    ),
    "trade_off": lambda n: trade_off.draw(
        trade_off.data([LoadPoint(m, 9.0, 1.0, 1.0, 0.5) for m in (n, "b")], "rate"), n, n, n
    ),
}


def test_every_plot_is_tested_here() -> None:
    folder = Path(plots.__file__).parent
    assert set(FIGURES) == {p.stem for p in folder.glob("*.py") if not p.stem.startswith("_")}


@pytest.mark.parametrize(
    ("plot", "name"),
    [(plot, name) for nth, plot in enumerate(FIGURES) for name in some(NAMES, nth)],
)
def test_a_name_is_drawn_as_it_is(tmp_path: Path, plot: str, name: str) -> None:
    """Warnings are errors: no glyph is missing, no layout collapses."""
    save(FIGURES[plot](name), tmp_path / "a.svg")
    texts = [
        "".join(element.itertext())
        for element in ElementTree.parse(tmp_path / "a.svg").iter()
        if element.tag.endswith("text")
    ]
    assert any(label(name) in text or label(name, 40) in text for text in texts), texts


@pytest.mark.parametrize(
    ("plot", "kind"),
    [(plot, kind) for nth, plot in enumerate(FIGURES) for kind in some(["png", "pdf"], nth)],
)
def test_a_formula_is_not_parsed(tmp_path: Path, plot: str, kind: str) -> None:
    save(FIGURES[plot]("$\\frac{$ $$"), tmp_path / f"a.{kind}")
    assert (tmp_path / f"a.{kind}").stat().st_size > 1000


def test_a_long_name_keeps_both_ends() -> None:
    name = "river:" + "a" * 5000 + "(seed=1)"
    assert len(label(name)) == LONGEST
    assert label(name).startswith("river:a")
    assert label(name).endswith("a(seed=1)")
    assert label("a\n b") == one_line("a\n b") == "a b"
