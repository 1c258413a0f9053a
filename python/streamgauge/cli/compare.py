"""`streamgauge compare`: compare two or more learners on one stream."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain
from streamgauge.cli.safe_text import echo, echo_lines
from streamgauge.cli.sources import run_logs, source_log
from streamgauge.comparisons._checks import Side
from streamgauge.comparisons._compare import compare
from streamgauge.comparisons._compare_all import compare_all
from streamgauge.comparisons.comparison_over_repetitions import ComparisonOverRepetitions
from streamgauge.comparisons.long_run import LongRun
from streamgauge.comparisons.multiple_comparison import Correction, MultipleComparison
from streamgauge.comparisons.now import Now
from streamgauge.comparisons.so_far import SoFar
from streamgauge.comparisons.verdict import FIXED, Verdict
from streamgauge.comparisons.verdict_over_repetitions import VerdictOverRepetitions
from streamgauge.errors import DataError, ParameterError
from streamgauge.escapes import one_line
from streamgauge.log import Log
from streamgauge.log.about import learner_name
from streamgauge.repetitions._by_learner import grouped
from streamgauge.repetitions._mean_curve import mean_curve
from streamgauge.types import Curve

Found: TypeAlias = Verdict | VerdictOverRepetitions | MultipleComparison | ComparisonOverRepetitions
"""Result of a comparison: of two learners or several, over one run or repetitions."""


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--label", help="Column with the labels, in files.")
@click.option("--prediction", default="", help="Columns with the predictions, separated by commas.")
@click.option(
    "--alpha", default=0.05, show_default=True, help="Probability of a wrong winner, at any time."
)
@options.spell
@options.margin
@click.option(
    "--side",
    type=click.Choice(["either", "a", "b"]),
    default="either",
    show_default=True,
    help="Alternative hypothesis: either is better, the first (a), or the second (b).",
)
@click.option(
    "--loss",
    type=click.Choice(["zero_one", "absolute", "squared"]),
    help="Loss; zero_one or absolute by default.",
)
@click.option(
    "--bound", type=float, help="Bound of regression losses; larger ones are clipped to it."
)
@click.option(
    "--cold-start",
    type=click.Choice(["count_wrong", "skip", "default_class"]),
    help="How items without a prediction count.",
)
@click.option("--control", help="Compare this learner with all others, if there are more than two.")
@click.option(
    "--correction",
    type=click.Choice(["holm", "bonferroni"]),
    default="holm",
    show_default=True,
    help="Correction of alpha for several pairs.",
)
@click.option("--stream", help="Compare on this stream only, of a run folder with several.")
@click.option("--common", is_flag=True, help="Compare on the items in both logs.")
@click.option("--curve", is_flag=True, help="Print whole curves instead of the last values.")
@options.windows
@options.as_json
def command(
    sources: tuple[Path, ...],
    label: str | None,
    prediction: str,
    control: str | None,
    correction: Correction,
    windows: str,
    stream: str | None,
    side: Side,
    curve: bool,
    as_json: bool,
    **terms: Any,
) -> None:
    """Compare learners on one stream.

    SOURCES are folders of logs, a folder of a run, or files with a --label column and one or more
    --prediction columns. The streams of a run are compared one after the other. Logs that differ
    only in their seeds are repetitions of one learner; they are compared in pairs of the same seed.
    """
    entries = []
    views = options.split(windows) or None
    for title, logs in _groups(sources, stream, label, options.split(prediction)).items():
        if control is not None and control not in logs:
            raise ParameterError.of("compare", "--control", f"one of {', '.join(logs)}", control)
        given = {"windows": views, **terms}
        found: Found
        if len(logs) == 2:
            found = _two(logs, {"side": side, **given})
        else:
            found = _several(logs, control, correction, side, given)
        if as_json:
            entries.append({"stream": title, **_entry(found, curve)})
        elif curve:
            _print_curves(found)
        else:
            _print(title, found)
    if as_json:
        click.echo(json.dumps(plain(entries), indent=1))


def _two(
    logs: Mapping[str, tuple[Log, ...]], terms: dict[str, Any]
) -> Verdict | VerdictOverRepetitions:
    names = list(logs)
    one, other = logs.values()
    if len(one) == len(other) == 1:
        return compare(one[0], other[0], names=names, **terms)
    return compare(one, other, names=names, **terms)


def _several(
    logs: Mapping[str, tuple[Log, ...]],
    control: str | None,
    correction: Correction,
    side: Side,
    terms: dict[str, Any],
) -> MultipleComparison | ComparisonOverRepetitions:
    if side != "either":
        raise ParameterError.of("compare", "--side with more than two", "either", side)
    terms = {"control": control, "correction": correction, **terms}
    if all(len(runs) == 1 for runs in logs.values()):
        return compare_all({name: run for name, (run,) in logs.items()}, **terms)
    return compare_all(logs, **terms)


def _groups(
    sources: tuple[Path, ...], stream: str | None, label: str | None, predictions: list[str]
) -> dict[str, dict[str, tuple[Log, ...]]]:
    """Logs by stream and learner; those of one learner are its repetitions."""
    if len(sources) == 1 and sources[0].is_dir() and not (sources[0] / "log.json").exists():
        return _of_run(sources[0], stream)
    if stream is not None:
        raise ParameterError("compare: --stream is for a run folder, got logs; leave it out")
    logs: list[Log] = []
    for i, source in enumerate(sources):
        several = len(predictions) == len(sources) > 1
        columns = [predictions[i]] if several else predictions
        one = source.is_dir() or not columns
        logs += [source_log("compare", source, label, c) for c in ([None] if one else columns)]
    return {logs[0].about.get("stream", ""): _named(logs, str(sources[0]))}


def _of_run(folder: Path, chosen: str | None) -> dict[str, dict[str, tuple[Log, ...]]]:
    logs = run_logs("compare", folder)
    by_stream: dict[tuple[str, str], list[Log]] = {}
    for log in logs:
        key = log.about.get("stream", ""), log.about.get("protocol", "")
        by_stream.setdefault(key, []).append(log)
    streams = list(dict.fromkeys(stream for stream, _ in by_stream))
    if chosen is not None and chosen not in streams:
        raise ParameterError.of("compare", "--stream", f"one of {', '.join(streams)}", chosen)
    by_stream = {key: logs for key, logs in by_stream.items() if chosen in (None, key[0])}
    made: dict[str, dict[str, tuple[Log, ...]]] = {}
    for (stream, protocol), members in by_stream.items():
        unique = sum(k[0] == stream for k in by_stream) == 1
        made[stream if unique else f"{stream} ({protocol})"] = _named(members, str(folder))
    return made


def _named(logs: list[Log], where: str) -> dict[str, tuple[Log, ...]]:
    """Repetitions by learner; repeated names get a number."""
    named: dict[str, tuple[Log, ...]] = {}
    for runs in grouped(logs):
        learner = one_line(learner_name(runs[0].about))
        name, count = learner, 1
        while name in named:
            count += 1
            name = f"{learner} #{count}"
        named[name] = runs
    if len(named) < 2:
        raise ParameterError(
            f"compare: a stream must have at least two learners, got one in {where}"
        )
    if not any(len(pairs) for pairs in logs[0].labelled_predictions()):
        raise DataError(f"{where}: must have labelled rows to compare, got none")
    return named


def _print(title: str, found: Found) -> None:
    if title:
        echo(title)
    echo_lines(found.to_text())
    if isinstance(found, Verdict):
        width = max(len(r.name) for r in found.statistics)
        for r in found.statistics:
            p = "" if math.isnan(r.p) else f"p = {r.p:.3g}"
            echo(f"{r.name:<{width}}  {r.window:<14}  {r.value:<12.5g} {p:<14}{r.validity}")


def _print_curves(found: Found) -> None:
    verdicts = [found] if isinstance(found, Verdict | VerdictOverRepetitions) else found.verdicts
    for nth, verdict in enumerate(verdicts):
        curves = _curves(verdict)
        if nth == 0:
            echo("\t".join(["a", "b", "measure", "window", curves[0].axis, "value"]))
        for c in curves:
            for at, value in zip(c.at.tolist(), c.value.tolist(), strict=True):
                shown = "–" if math.isnan(value) else f"{value:.6g}"
                line = (verdict.a, verdict.b, c.measure, c.window, at, shown)
                echo("\t".join(map(str, line)))


def _curves(verdict: Verdict | VerdictOverRepetitions) -> list[Curve]:
    """The curves of a verdict; their means over repetitions."""
    if isinstance(verdict, Verdict):
        return list(verdict.curves)
    each = zip(*(v.curves for v in verdict.verdicts), strict=True)
    return [mean_curve(runs) for runs in each]


def _entry(found: Found, curves: bool) -> dict[str, Any]:
    if isinstance(found, ComparisonOverRepetitions):
        return {
            "names": list(found.names),
            "best": found.best,
            "decided_pairs": [{"winner": w, "loser": other} for w, other in found.decided_pairs],
            "p": list(found.p),
            "correction": found.correction,
            "alpha": found.alpha,
            "validity": FIXED,
            "text": found.to_text(),
            "verdicts": [_entry(v, curves) for v in found.verdicts],
        }
    if isinstance(found, VerdictOverRepetitions):
        return {
            "a": found.a,
            "b": found.b,
            "winner": found.winner,
            "loss": found.loss,
            "alpha": found.alpha,
            "side": found.side,
            "loss_a": asdict(found.loss_a),
            "loss_b": asdict(found.loss_b),
            "difference": asdict(found.difference),
            "low": found.low,
            "high": found.high,
            "p": found.p,
            "validity": found.validity,
            "notes": list(found.notes),
            "text": found.to_text(),
            "repetitions": [
                {"seed": seed, **_entry(v, False)}
                for seed, v in zip(found.difference.seeds, found.verdicts, strict=True)
            ],
            **({"curves": _points(_curves(found))} if curves else {}),
        }
    if isinstance(found, MultipleComparison):
        return {
            "names": list(found.names),
            "best": found.best,
            "current_decisions": [asdict(d) for d in found.current_decisions],
            "first_decisions": [asdict(d) for d in found.first_decisions],
            "p": list(found.p),
            "correction": found.correction,
            "alpha": found.alpha,
            "validity": "anytime-valid",
            "text": found.to_text(),
            "verdicts": [_entry(v, curves) for v in found.verdicts],
        }
    entry: dict[str, Any] = {
        "a": found.a,
        "b": found.b,
        "winner": found.winner,
        "status": found.status,
        "since": found.since,
        "first": found.first,
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "p": found.p,
        "loss": found.loss,
        "alpha": found.alpha,
        "side": found.side,
        "spell": found.spell,
        "n_labels": found.n_labels,
        "counted": found.counted,
        "loss_a": found.loss_a,
        "loss_b": found.loss_b,
        "margin": found.margin,
        "equivalent": found.equivalent,
        "not_worse": list(found.not_worse),
        "long_run": _statement(found.long_run),
        "so_far": None if found.so_far is None else _statement(found.so_far),
        "now": _statement(found.now),
        "notes": list(found.notes),
        "axis": found.axis,
        "text": found.to_text(),
        "statistics": [asdict(r) for r in found.statistics],
    }
    if curves:
        entry["curves"] = _points(_curves(found))
    return entry


def _statement(found: LongRun | SoFar | Now) -> dict[str, Any]:
    """The fields of a statement, and its sentence."""
    return {**asdict(found), "text": found.to_text()}


def _points(curves: list[Curve]) -> list[dict[str, Any]]:
    return [
        {
            "measure": c.measure,
            "window": c.window,
            "axis": c.axis,
            "at": c.at.tolist(),
            "value": c.value.tolist(),
            "low": None if c.low is None else c.low.tolist(),
            "high": None if c.high is None else c.high.tolist(),
            "definition": dict(c.definition),
        }
        for c in curves
    ]
