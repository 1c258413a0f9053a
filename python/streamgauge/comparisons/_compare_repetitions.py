"""Compare two learners over paired repetitions, or over the folds of one run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

from streamgauge.comparisons._checks import Side
from streamgauge.comparisons.verdict import Verdict
from streamgauge.comparisons.verdict_over_repetitions import VerdictOverRepetitions
from streamgauge.errors import LogError, ParameterError
from streamgauge.log import Log
from streamgauge.repetitions._by_fold import by_fold, overlap_of
from streamgauge.repetitions._by_learner import content_of, seed_of
from streamgauge.repetitions._spread import Spread

ComparePair = Callable[[Log, Log], tuple[Verdict, ...]]
"""Comparison of two logs of one repetition: a verdict per fold."""


def compare_repetitions(
    a: Sequence[Log],
    b: Sequence[Log],
    names: tuple[str, str],
    alpha: float,
    side: Side,
    compare_pair: ComparePair,
) -> VerdictOverRepetitions:
    """The verdict over the repetitions that both have.

    The losses of a repetition with several folds are the means over its folds.
    """
    if side != "either" and alpha >= 0.5:
        raise ParameterError.of("compare", "alpha of one side", "below 0.5", alpha)
    pairs, notes = paired(a, b, names)
    by_repetition = [compare_pair(one, two) for _, one, two in pairs]
    verdicts = tuple(verdict for folds in by_repetition for verdict in folds)
    seeds = tuple(seed for seed, _, _ in pairs)
    level = 1 - (alpha if side == "either" else 2 * alpha)
    values = tuple(fmean(v.difference for v in folds) for folds in by_repetition)
    losses_a = tuple(fmean(v.loss_a for v in folds) for folds in by_repetition)
    losses_b = tuple(fmean(v.loss_b for v in folds) for folds in by_repetition)
    both = [one for _, one, _ in pairs], [two for _, _, two in pairs]
    identical = len(set(values)) == 1 < len(values) and all(
        len(set(map(content_of, logs))) == 1 for logs in both
    )
    overlap = overlap_of([*both[0], *both[1]])
    difference = Spread(values, seeds, identical, level, overlap)
    if identical:
        notes.append(
            f"The {len(pairs)} repetitions are identical: neither the stream nor a learner depends "
            "on the seed, so they are one run."
        )
        if len(by_repetition[0]) > 1:
            _, one, two = pairs[0]
            of_run = compare_repetitions(
                by_fold(one), by_fold(two), names, alpha, side, compare_pair
            )
            return replace(of_run, notes=(*notes, *of_run.notes))
    return VerdictOverRepetitions(
        *names,
        winner=verdicts[0].winner if identical else _winner(names, difference, side),
        loss=verdicts[0].loss,
        alpha=alpha,
        side=side,
        loss_a=Spread(losses_a, seeds, identical, level, overlap),
        loss_b=Spread(losses_b, seeds, identical, level, overlap),
        difference=difference,
        verdicts=verdicts,
        unit="fold" if overlap else "repetition",
        notes=(*notes, *dict.fromkeys(note for v in verdicts for note in v.notes)),
    )


def _winner(names: tuple[str, str], difference: Spread, side: Side) -> str | None:
    """The learner that the interval favours; one of NaN favours none."""
    if difference.high < 0 and side != "b":
        return names[0]
    return names[1] if difference.low > 0 and side != "a" else None


def paired(
    a: Sequence[Log], b: Sequence[Log], names: tuple[str, str]
) -> tuple[list[tuple[str, Log, Log]], list[str]]:
    """Repetitions of both with the same seeds, and notes about those of one alone.

    Logs that state no seeds are paired in their order.
    """
    for name, logs in zip(names, (a, b), strict=True):
        if not logs or not all(isinstance(log, Log) for log in logs):
            raise ParameterError.of("compare", f"the repetitions of {name}", "logs", list(logs))
    if all(seed_of(log) is None for log in (*a, *b)) and len(a) == len(b):
        return [("", one, two) for one, two in zip(a, b, strict=True)], []
    by_seed = [{seed_of(log): log for log in logs} for logs in (a, b)]
    for name, logs, seeds in zip(names, (a, b), by_seed, strict=True):
        if None in seeds or len(seeds) < len(logs):
            raise LogError(
                f"compare: repetitions of a learner must have different seeds, got {name} twice "
                "with one seed, or without a seed"
            )
    common = [seed for seed in by_seed[0] if seed in by_seed[1]]
    if not common:
        raise LogError(
            f"compare: repetitions must have seeds in common, got none of {names[0]} and {names[1]}"
        )
    notes = [
        f"Left out: {alone} repetition{'s' * (alone != 1)} that only {name} has."
        for name, seeds in zip(names, by_seed, strict=True)
        if (alone := len(seeds) - len(common))
    ]
    return [(str(seed), by_seed[0][seed], by_seed[1][seed]) for seed in common], notes
