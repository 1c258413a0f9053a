"""`streamgauge bins`: repeated predictions by bins of the label delay."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain, print_table
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import logs_by_learner
from streamgauge.errors import ParameterError
from streamgauge.late._bin_predictions import Binning, check_bins
from streamgauge.late._bins import Bins, bins
from streamgauge.late._bins_over_repetitions import bins_over_repetitions
from streamgauge.late._compare_bins import compare_bins
from streamgauge.late._costs import Costs, costs
from streamgauge.late._item_changes import ChangeSummary, change_summary
from streamgauge.late._mean_over_bins import WEIGHTS, mean_over_bins
from streamgauge.plots import bin_curves, save
from streamgauge.plots._plot import check_path
from streamgauge.repetitions._spread import Spread
from streamgauge.report._format import REPEATED, kind_of
from streamgauge.report.page import Column, Row, Table
from streamgauge.summaries._builder import ColdStart


@dataclass(frozen=True, slots=True)
class Measured:
    """What is measured in one run."""

    seed: str
    bins: Bins
    mean_over_bins: float
    changes: ChangeSummary
    costs: Costs


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--bins",
    "count",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    help="Number of bins between the first and the last prediction.",
)
@click.option("--measure", "-m", default="", help="Measure; accuracy or mae by default.")
@click.option(
    "--at",
    default="",
    help="Bins to print, separated by commas; first, middle, late and last by default.",
)
@click.option(
    "--binning",
    type=click.Choice(["longest", "grzenda"]),
    default="longest",
    show_default=True,
    help="Prediction of a bin: the one current for the longest time, or as the published "
    "program of Grzenda et al. does it.",
)
@click.option(
    "--weights",
    default="uniform",
    show_default=True,
    help=f"Weights of the mean over bins: {', '.join(WEIGHTS)}, or numbers separated by commas.",
)
@click.option(
    "--every", type=click.IntRange(min=1), help="Number of labels between two points in time."
)
@click.option(
    "--curve", is_flag=True, help="Print the chosen bins at every point, not only the last."
)
@click.option("--compare", "versus", is_flag=True, help="Compare two logs in the chosen bins.")
@options.spell
@click.option(
    "--tolerance",
    type=float,
    help="Largest error of a real-valued prediction that counts as correct.",
)
@click.option(
    "--cold-start",
    type=click.Choice(["count_wrong", "skip", "default_class"]),
    help="How items without a prediction count.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the figure: .svg or .pdf.",
)
@options.as_json
def command(
    sources: tuple[Path, ...],
    count: int,
    measure: str,
    at: str,
    binning: Binning,
    weights: str,
    every: int | None,
    curve: bool,
    versus: bool,
    spell: int,
    tolerance: float | None,
    cold_start: ColdStart | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Measure repeated predictions by bins of the label delay.

    SOURCES are folders of logs of the protocol reevaluating, or the folder of a run.
    """
    if plot is not None:
        check_path(plot)
    check_bins("bins", count)
    chosen = _chosen(at, count)
    logs = logs_by_learner("bins", sources)
    given: dict[str, Any] = {"binning": binning, "every": every, "cold_start": cold_start}
    mean = _weights(weights)
    read = {
        name: [
            Measured(
                log.about.get("seed", ""),
                binned := bins(log, measure, count, **given),
                mean_over_bins(binned, mean),
                change_summary(log, tolerance),
                costs(log, every=10**9),
            )
            for log in runs
        ]
        for name, runs in logs.items()
    }
    found = {name: bins_over_repetitions([run.bins for run in runs]) for name, runs in read.items()}
    if plot is not None:
        first = next(iter(found.values()))
        drawn = bin_curves.draw(bin_curves.data(found), first.measure)
        save(drawn, plot)
    verdicts = {}
    if versus:
        if len(logs) != 2:
            raise ParameterError.of("bins", "--compare", "for two logs", len(logs))
        one, other = logs.values()
        single = len(one) == len(other) == 1
        sides: Any = (one[0], other[0]) if single else (one, other)
        verdicts = compare_bins(
            sides[0], sides[1], chosen, count, binning=binning, names=tuple(logs), spell=spell
        )
    if as_json:
        entries = [_repeated_entry(name, found[name], runs) for name, runs in read.items()]
        more = {str(k): {"winner": v.winner, "text": v.to_text()} for k, v in verdicts.items()}
        click.echo(json.dumps(plain({"logs": entries, "verdicts": more}), indent=1))
        return
    if curve:
        for name, one_found in found.items():
            for nth, labels in enumerate(one_found.at.tolist()):
                values = (f"{v:.6g}" for v in one_found.value[nth, chosen].tolist())
                echo("\t".join([name, str(labels), *values]))
        return
    table = _table(read, chosen, count, weights)
    print_table(table)
    if table.repeated:
        echo(REPEATED)
    for nth, verdict in verdicts.items():
        echo(f"bin {nth}: {verdict.to_text()}")


def _chosen(at: str, count: int) -> list[int]:
    if not at:
        return list(dict.fromkeys([0, count // 2, 9 * count // 10, count + 1]))
    chosen = []
    for text in options.split(at):
        if not text.isdigit() or int(text) > count + 1:
            raise ParameterError.of("bins", "--at", f"bins from 0 to {count + 1}", text)
        chosen.append(int(text))
    return chosen


def _weights(text: str) -> Any:
    if text in WEIGHTS or not any(c.isdigit() for c in text):
        return text
    try:
        return [float(part) for part in options.split(text)]
    except ValueError:
        raise ParameterError.of(
            "bins", "--weights", "a name or numbers separated by commas", text
        ) from None


def _table(
    read: dict[str, list[Measured]],
    chosen: list[int],
    count: int,
    weights: str,
) -> Table:
    first = next(iter(read.values()))[0].bins
    kind = kind_of(first.measure.partition("(")[0])
    end: Literal["low", "high"] = "low" if first.best == 0 else "high"
    names = {0: "first", count + 1: "last"}
    title = f"mean over bins ({weights})" if weights in WEIGHTS else "mean over bins"
    columns = [
        Column("learner", "learner"),
        *(Column(f"b{b}", names.get(b, f"bin {b}"), kind, end) for b in chosen),
        Column("mean", title, kind, end),
        Column("changes", "changes per item", "number"),
        Column("changed", "last ≠ first", "share"),
        Column("correct", "finally correct after", "number", None, "median, in ticks"),
        Column("repeated", "repeated", "number", None, "repeated predictions per labelled item"),
    ]
    rows = []
    for name, runs in read.items():
        by_run = [_numbers(run, chosen) for run in runs]
        seeds = tuple(run.seed for run in runs)
        cells = (
            values[0] if len(runs) == 1 else Spread(values, seeds)
            for values in zip(*by_run, strict=True)
        )
        rows.append(Row((name, *cells)))
    return Table(tuple(columns), tuple(rows))


def _numbers(run: Measured, chosen: list[int]) -> list[float]:
    """The numbers of one run, in the order of the columns."""
    n_r = run.costs.n_r
    return [
        *run.bins.final[chosen].tolist(),
        run.mean_over_bins,
        run.changes.mean_changes,
        run.changes.share_changed,
        run.changes.median_time_to_correct,
        float(n_r[-1]) if len(n_r) else float("nan"),
    ]


def _repeated_entry(name: str, mean: Bins, runs: list[Measured]) -> dict[str, Any]:
    """The entry of one run; of repetitions, means, and the entry of each."""
    entries = [_entry(name, run.bins, run.mean_over_bins, run.changes, run.costs) for run in runs]
    if len(runs) == 1:
        return entries[0]
    means = {
        key: Spread(tuple(float(entry[key]) for entry in entries)).mean
        for key, value in entries[0].items()
        if isinstance(value, int | float)
    }
    curves = {
        "labels": mean.at.tolist(),
        "time": mean.time.tolist(),
        "bins": mean.value.tolist(),
    }
    finals = zip(*(run.bins.final.tolist() for run in runs), strict=True)
    return {
        **entries[0],
        **means,
        "definition": dict(mean.definition),
        "bins": [Spread(values).mean for values in finals],
        "curves": curves,
        "repetitions": [
            {"seed": run.seed, **entry} for run, entry in zip(runs, entries, strict=True)
        ],
    }


def _entry(
    name: str, found: Bins, mean: float, changes: ChangeSummary, cost: Costs
) -> dict[str, Any]:
    return {
        "learner": name,
        "measure": found.measure,
        "definition": dict(found.definition),
        "bins": found.final.tolist(),
        "mean_over_bins": mean,
        "curves": {
            "labels": found.at.tolist(),
            "time": found.time.tolist(),
            "bins": found.value.tolist(),
        },
        "mean_changes": changes.mean_changes,
        "share_changed": changes.share_changed,
        "share_correct": changes.share_correct,
        "median_ticks_until_finally_correct": changes.median_time_to_correct,
        "mean_share_of_delay_until_finally_correct": changes.mean_time_to_correct_share,
        "repeated_predictions": int(cost.repeated[-1]) if len(cost.repeated) else 0,
        "n_r": float(cost.n_r[-1]) if len(cost.n_r) else float("nan"),
        "max_pending": cost.most_pending,
    }
