"""Definitions of the terms of a report, from the docstrings of measures and windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgauge.comparisons.verdict import ANYTIME
from streamgauge.docstrings import prose
from streamgauge.names import make
from streamgauge.report.page import Definition
from streamgauge.report.stream_results import StreamResults
from streamgauge.types import Curve

POLICIES = {
    "count_wrong": "an item without a prediction counts as an error",
    "skip": "an item without a prediction is not counted",
    "default_class": "an item without a prediction counts as a prediction of the first class",
}

CLOCKS = {
    "label": "curves follow the order in which labels became known",
    "predicted": "curves follow the order in which items arrived",
}


def define(all_results: Sequence[StreamResults]) -> tuple[Definition, ...]:
    """Definitions of the measures, windows and policies that were used."""
    curves = [c for results in all_results for c in results.curves()]
    measures = {c.measure: c.definition.get("formula", "") for c in curves}
    return (
        *(
            Definition(name, prose(make("measure", name)), formula)
            for name, formula in measures.items()
        ),
        *(
            Definition(name, prose(make("window", name)))
            for name in dict.fromkeys(c.window for c in curves)
        ),
        *_terms(all_results, curves),
        *_bands(all_results),
        *_repetitions(all_results),
    )


def _bands(all_results: Sequence[StreamResults]) -> Iterator[Definition]:
    found = [
        c
        for results in all_results
        for m in results.measured
        if not m.runs
        for c in m.bands.values()
    ]
    methods = list(dict.fromkeys(c.definition["band"] for c in found))
    if methods:
        uniform = any(c.definition["validity"] == ANYTIME for c in found)
        yield Definition(
            "band",
            "Bootstrap interval over resampled streams, which allows for dependent losses as far "
            "as they reach within the window. "
            + (
                "The expected curve is within it at all points together, also under continuous "
                "monitoring, with this probability."
                if uniform
                else "It holds at each point, at a horizon fixed in advance."
            ),
            details={"method": "; ".join(methods[:3]) + ("; …" if len(methods) > 3 else "")},
        )


def _repetitions(all_results: Sequence[StreamResults]) -> Iterator[Definition]:
    repeated = [m for results in all_results for m in results.measured if m.runs]
    if repeated:
        yield Definition(
            "repetitions",
            "Runs that differ only in their seeds are one learner. A value is the mean over "
            "repetitions ± their sample standard deviation; the interval is the t interval of the "
            "mean, a statement about the mean over seeds. It is undefined if all values are equal. "
            "Differences to a baseline are those of the same repetition. Curves are means at equal "
            "positions. A finding is about the means; it states in how many repetitions alone its "
            "condition holds.",
        )
        if any(m.folds for m in repeated):
            yield Definition(
                "folds",
                "Learners of one run with the same parameters, each of which learns and predicts "
                "its share of the items. They are shown as repetitions are. Folds learn common "
                "items, so their values are correlated: intervals and tests are those of the "
                "corrected resampled t test (Nadeau and Bengio), whose variance has the factor "
                "1/k + test items / training items. They are statements about divisions of this "
                "stream into folds, not about other streams.",
            )
        bands = dict.fromkeys(c.definition["band"] for m in repeated for c in m.bands.values())
        if bands:
            yield Definition("band of repetitions", f"Pointwise {', '.join(bands)}.")


def _terms(all_results: Sequence[StreamResults], curves: Sequence[Curve]) -> list[Definition]:
    used = {
        key: list(dict.fromkeys(c.definition[key] for c in curves if key in c.definition))
        for key in ("cold_start", "clock")
    }
    found = [
        *(
            Definition(f"cold start: {name}", _sentence(POLICIES.get(name, name)))
            for name in used["cold_start"]
        ),
        *(
            Definition(f"clock: {name}", _sentence(CLOCKS.get(name, name)))
            for name in used["clock"]
        ),
    ]
    text = "Share of labelled items with a prediction."
    found.append(Definition("coverage", text))
    derived = dict.fromkeys(
        m.name for results in all_results for m in results.measured if m.derived
    )
    if derived:
        text = (
            "Baselines that were not run: their predictions under the same protocol are computed "
            "from "
            "the labels. Each prediction uses the labels learned by then."
        )
        found.append(Definition(" and ".join(derived), text))
    lacking = [c.stream for c in all_results if c.persistent is None or c.majority is None]
    if lacking:
        text = (
            f"Not shown for {', '.join(lacking)}: the labels learned before each prediction cannot "
            "be determined from the log, so baselines must be run by the same protocol."
        )
        found.append(Definition("baselines", text))
    return found


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
