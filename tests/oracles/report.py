"""Values of a report, recomputed from the rows of its logs. Slow and obvious."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, pairwise
from statistics import median

import numpy as np
from scipy import stats

from oracles import bands, measures, pairs, random_label_order, reevaluation
from oracles import verdicts as verdicts_of
from oracles.comparisons import holm
from oracles.windows import points, weights

ALPHA = 0.05
NAMES = {True: ("persistent", "majority_class"), False: ("last_value", "target_mean")}


@dataclass(frozen=True, eq=False)
class LogRows:
    """A log: rows (item, label, prediction) in the order labels became known.

    A prediction is None if the learner abstained.
    """

    name: str
    rows: list
    items: int = 0
    baseline: bool = False
    derived: bool = False
    complete: bool = True
    late: dict = field(default_factory=dict)  # item -> delay of its label
    changes_by_item: dict = field(
        default_factory=dict
    )  # item -> its successive different predictions
    known: dict = field(
        default_factory=dict
    )  # item -> number of labels known at its arrival; {}: all previous
    learner: str = ""
    seed: str = ""
    alarms: list = field(default_factory=list)  # items with an alarm of a detector inside it


@dataclass(frozen=True)
class Stream:
    """The logs of one stream, derived baselines included, and the windows."""

    classes: tuple | None
    logs: list
    windows: dict  # name -> (kind, size)
    drifts: list = field(default_factory=list)  # (start, centre, end)

    @property
    def learners(self):
        return [t for t in self.logs if not t.baseline]

    @property
    def baselines(self):
        return [t for t in self.logs if t.baseline]

    @property
    def most_labelled(self):
        return max(self.logs, key=lambda t: len(t.rows))


def with_baselines(stream):
    """The stream with the derived baselines: last label, and majority class or mean, of the labels
    known at the arrival of each item."""
    full = stream.most_labelled
    counts, total = [0] * len(stream.classes or ()), 0.0
    last, most = [None], [None]  # after 0, 1, … labels
    for n, (_, label, _) in enumerate(full.rows, 1):
        last.append(label)
        if stream.classes is None:
            total += label
            most.append(total / n)
        else:
            counts[label] += 1
            most.append(counts.index(max(counts)))
    known = full.known or {item: n for n, (item, _, _) in enumerate(full.rows)}
    made = [
        LogRows(
            name,
            [(item, label, after[known[item]]) for item, label, _ in full.rows],
            full.items,
            baseline=True,
            derived=True,
        )
        for name, after in zip(NAMES[stream.classes is not None], (last, most), strict=True)
    ]
    return replace(stream, logs=[*stream.logs, *made])


def main(stream, rows):
    """Accuracy with abstentions as errors; mean absolute error without abstentions."""
    if stream.classes is None:
        lost = [abs(label - prediction) for _, label, prediction in rows if prediction is not None]
        return math.fsum(lost) / len(lost) if lost else math.nan
    return sum(a == y for _, y, a in rows) / len(rows) if rows else math.nan


def value(stream, log, measure, window="whole", at=None):
    """A measure in a window that ends after `at` labels."""
    at = len(log.rows) if at is None else at
    kind, size = stream.windows.get(window, ("whole", 0))
    made = prepared(log, None if stream.classes is None else len(stream.classes))
    inside = []
    for i, w in weights(kind, size, at).items():
        if stream.classes is None and made[i].prediction is None:
            continue
        inside.append(replace(made[i], weight=w))
    if stream.classes is None:
        return measures.REGRESSION[measure](inside)
    return measures.CLASSIFICATION[measure](inside, len(stream.classes))


@cache
def prepared(log, classes):
    columns = [y for _, y, _ in log.rows], [a for _, _, a in log.rows]
    return measures.prepared(*columns, classes)


def better(stream, a, b):
    """Advantage of the first value of the main measure over the second."""
    return a - b if stream.classes is not None else b - a


def ranked(stream):
    known = [t for t in stream.learners if not math.isnan(main(stream, t.rows))]
    return sorted(known, key=lambda t: -better(stream, main(stream, t.rows), 0.0))


# values of the page


def table(stream, shown):
    """Cells of the table of a stream: learners, best first, then baselines."""
    name = "accuracy" if stream.classes is not None else "mae"
    order = sorted(
        stream.logs, key=lambda t: (t.baseline, -better(stream, main(stream, t.rows), 0.0))
    )
    made = []
    for t in order:
        cells = {"learner": t.name}
        for measure in shown:
            cells[measure] = value(stream, t, measure)
            if measure == name:
                for b in stream.baselines:
                    difference = main(stream, t.rows) - main(stream, b.rows)
                    usable = b is not t and comparable(t, b)
                    cells[f"vs_{b.name}"] = difference if usable else math.nan
        covered = sum(a is not None for _, _, a in t.rows)
        cells |= {"coverage": covered / len(t.rows), "labels": len(t.rows)}
        made.append(cells)
    return made


def lines(stream, measure, window):
    """Curves of a panel: a point after every label, and one NaN per gap."""
    made = []
    for t in (*stream.learners, *stream.baselines):
        at, values = [], []
        for n in range(1, len(t.rows) + 1):
            found = value(stream, t, measure, window, n)
            if math.isfinite(found):
                at.append(n)
                values.append(found)
            elif values and math.isfinite(values[-1]):
                at.append(n)
                values.append(math.nan)
        if values and math.isnan(values[-1]):
            del at[-1], values[-1]
        made.append({"name": t.name, "at": at, "value": values})
    return made


def band(stream, log, window, level, draws, length):
    """Bounds of the accuracy over resampled streams, widened; `draws` are pairs of seeds."""
    kind, size = stream.windows[window]
    drawn = []
    for cuts, sizes in draws:
        made = pairs.resampled(
            [(y, a) for _, y, a in log.rows], cuts, sizes, length, "stationary", None
        )
        curve = []
        for at in range(1, len(made) + 1):
            inside = [(made[i], w) for i, w in weights(kind, size, at).items()]
            total = math.fsum(row[2] * w for row, w in inside)
            curve.append(math.fsum(row[2] * w for row, w in inside if row[0] == row[1]) / total)
        drawn.append(curve)
    low, high = [], []
    wrong = [float(y != a) for _, y, a in log.rows]
    *_, shortfall = bands.dependence(wrong, bands.memory((kind, size)), length)
    for nth, column in enumerate(zip(*drawn, strict=True)):
        ordered = sorted(column)
        inside = weights(kind, size, nth + 1)
        value = 1 - math.fsum(wrong[i] * w for i, w in inside.items()) / math.fsum(inside.values())
        by = bands.factor(level, False, (kind, size), nth + 1, length, False, True, shortfall)
        ends = (
            ordered[math.floor((1 - level) / 2 * (len(ordered) - 1))],
            ordered[math.ceil((1 + level) / 2 * (len(ordered) - 1))],
        )
        for limits, end, side in zip((low, high), ends, (-1, 1), strict=True):
            outwards = side * (end - value) > 0
            limit = value + by * (end - value) if outwards else end
            limits.append(math.nan if math.isnan(by) else min(1.0, max(0.0, limit)))
    return low, high


# pairs of learners


def lags_of(n):
    return int(4 * (n / 100) ** (2 / 9))


def duel(a, b, levels, classification=True, spell=200, level=-1):
    """Statistics of a pair of learners at one of the levels; "so far" and "now" are at the last."""
    loss, cold_start = ("zero_one", "count_wrong") if classification else ("absolute", "skip")
    both, only_a, only_b = pairs.meet(a.rows, b.rows)
    assert not only_a
    assert not only_b
    lost = pairs.losses(both, loss, cold_start)
    counted = [p for p in lost if p is not None]
    differences = [x - y for x, y in counted]
    n, total = len(differences), math.fsum(differences)
    worse = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    z = pairs.diebold_mariano(differences, lags_of(len(lost)))
    found = {
        "n_labels": len(lost),
        "counted": n,
        "loss_a": math.fsum(x for x, _ in counted) / n,
        "loss_b": math.fsum(y for _, y in counted) / n,
        "difference": total / n,
        "worse": worse,
        "lost": lost,
        "dm": (z, 2 * stats.norm.sf(abs(z))),
        "mcnemar": mcnemar(*worse),
    }
    d = np.array(differences)
    where = [nth for nth, p in enumerate(lost, 1) if p is not None]
    limit = 1.0 if classification else math.inf
    status, low, high, _ = verdicts_of.long_run(d, levels[level], spell)
    firsts, sinces = verdicts_of.watched(d, levels, spell)
    decided = _decided(a, b, [f[level] for f in firsts], [s[level] for s in sinces], where)
    variance, count, _ = verdicts_of.spread(d)
    found["long_run"] = {
        "status": status,
        **decided,
        "items": n,
        "effective_items": n if variance == 0 else count,
        "difference": total / n,
        "low": max(low, -limit),
        "high": min(high, limit),
        "p": verdicts_of.p(d, spell),
        "alpha": levels[level],
        "spell": spell,
        "few_losses": _caveat(d, a.name, b.name, decided["winner"], spell),
    }
    found["crossed"] = [[where[at - 1] if at else None for at in f] for f in firsts]
    found["now"] = _now(d, levels[-1], spell, limit)
    if not classification:
        return found
    for_a, for_b = pairs.log_capital(*worse[::-1]), pairs.log_capital(*worse)
    _, _, low, high = verdicts_of.so_far(differences, levels[-1])
    first, since = pairs.watched(lost, math.log(2 / levels[-1]))
    so_far = _decided(a, b, first, since, range(1, len(lost) + 1))
    found["so_far"] = {
        "first": so_far["first"],
        "since": so_far["since"],
        "leader": so_far["winner"],
        "items": n,
        "difference": total / n,
        "low": low,
        "high": high,
        "log_e_value_a": for_a,
        "log_e_value_b": for_b,
        "alpha": levels[-1],
    }
    return found


def _decided(a, b, first, since, where):
    """Winner, since when, and the first one."""
    standing = [(at, t.name) for at, t in zip(since, (a, b), strict=True) if at]
    begun = [(at, t.name) for at, t in zip(first, (a, b), strict=True) if at]
    at, name = min(begun) if begun else (None, None)
    return {
        "winner": standing[0][1] if standing else None,
        "since": where[standing[0][0] - 1] if standing else None,
        "first": [name, where[at - 1]] if begun else None,
    }


def _caveat(d, a, b, winner, spell):
    """The numbers of the caveat of few losses; None without one."""
    found = None if winner is None else verdicts_of.few_losses(d, int(winner == b), spell)
    if found is None:
        return None
    stretches, lead, outages = found
    return {
        "winner": winner,
        "loser": a if winner == b else b,
        "stretches": stretches,
        "stretch": spell // 4,
        "lead": lead,
        "outages": outages,
        "spell": spell,
    }


def _now(d, alpha, spell, limit):
    windows = verdicts_of.windows(d, alpha, spell)
    if not windows:
        nothing = {"length": 0, "difference": math.nan, "low": math.nan, "high": math.nan}
        return {"leader": 0, **nothing, "alpha": alpha, "spell": spell}
    deciding = [w for w in windows if w[4]]
    length, mean, low, high, decided = (deciding or windows)[0]
    return {
        "leader": decided * (1 if mean > 0 else -1),
        "length": length,
        "difference": mean,
        "low": max(low, -limit),
        "high": min(high, limit),
        "alpha": alpha,
        "spell": spell,
    }


def mcnemar(worse_a, worse_b):
    """p-value at a fixed horizon, from scipy."""
    n = worse_a + worse_b
    if n == 0:
        return 1.0
    if n < 25:
        return float(stats.binomtest(worse_a, n).pvalue)
    return float(stats.chi2.sf((worse_a - worse_b) ** 2 / n, 1))


def tournament(logs, alpha=ALPHA, classification=True, spell=200):
    """All pairs, each at the level that Holm's rule gives it, and all decisions ever."""
    met = list(combinations(logs, 2))
    levels = [alpha / still for still in range(1, len(met) + 1)]
    first = {(a.name, b.name): duel(a, b, levels, classification, spell) for a, b in met}
    order = sorted(first, key=lambda pair: first[pair]["long_run"]["p"])
    still, level = len(met), {}
    for pair in order:
        level[pair] = still - 1
        if first[pair]["long_run"]["p"] <= alpha / still:
            still = max(still - 1, 1)
    duels = {
        (a.name, b.name): duel(a, b, levels, classification, spell, level[a.name, b.name])
        for a, b in met
    }
    corrected = holm([one["long_run"]["p"] for one in duels.values()])
    for one, p in zip(duels.values(), corrected, strict=True):
        one["corrected"] = p
    crossed = {}
    for (a, b), one in duels.items():
        crossed[a, b], crossed[b, a] = one["crossed"]
    return duels, pairs.holm(crossed, len(met))


def verdicts(stream):
    """Table of verdicts; p-values are corrected for the number of pairs."""
    made = []
    classification = stream.classes is not None
    if len(stream.learners) < 2:
        return []
    duels, _ = tournament(stream.learners, classification=classification)

    def order(pair):
        since = duels[pair]["long_run"]["since"]
        return since is None, since or 0, -abs(duels[pair]["difference"])

    for a, b in sorted(duels, key=order):
        one = duels[a, b]
        long_run = one["long_run"]
        swap = one["difference"] > 0
        low, high = long_run["low"], long_run["high"]
        if not swap:
            low, high = -high, -low
        decided = long_run["winner"] is not None
        ahead = {
            0: "undecided",
            1: "better" if swap else "worse",
            -1: "worse" if swap else "better",
        }
        recent = ahead[one["now"]["leader"]]
        if one["now"]["leader"]:
            recent += f" over the last {one['now']['length']:,}"
        cells = {
            "learner": b if swap else a,
            "other": a if swap else b,
            "verdict": "better" if decided else long_run["status"],
            "since": long_run["since"],
            "difference": abs(one["difference"]),
            "low": low,
            "high": high,
            "p": one["corrected"],
        }
        if classification:
            leader, first = one["so_far"]["leader"], b if swap else a
            cells["so_far"] = (
                "undecided" if leader is None else "better" if leader == first else "worse"
            )
        cells["now"] = recent
        if classification:
            cells["mcnemar"] = one["mcnemar"]
        cells["diebold_mariano"] = one["dm"][1]
        made.append(cells)
    return made


# repeated predictions of pending items


def pending_section(runs, bins, every, titles):
    """Section about repeated predictions; `runs` are runs of the published algorithm."""
    labels = len(next(iter(runs.values())).labelled)
    points_at = points("whole", 0, every, labels)
    wide = range(bins + 2)
    values, costs, rows = {}, {title: [] for title in titles.values()}, []
    for name, run in runs.items():
        right = [[reevaluation.value(t, bins, b) == t.label for b in wide] for _, t in run.labelled]
        values[name] = [[sum(r[b] for r in right[:at]) / at for b in wide] for at in points_at]
        known = {
            "n_c": reevaluation.n_c(run),
            "n_b": run.buffered,
            "n_r": reevaluation.n_r(run),
        }
        for cost, column in known.items():
            there = [(n, v) for n, v in enumerate(column, 1) if not math.isnan(v)]
            line = {"at": [n for n, _ in there], "value": [v for _, v in there]}
            costs[titles[cost]].append(line)
        changed = [t.predictions[0][0] != t.predictions[-1][0] for _, t in run.labelled]
        last = values[name][-1]
        rows.append(
            {
                "learner": name,
                **{f"bin_{b}": last[b] for b in (0, 25, 45, bins + 1)},
                "mean": sum(last) / len(last),
                "changes": sum(reevaluation.changes(t) for _, t in run.labelled) / labels,
                "changed": sum(changed) / labels,
                "repeated": known["n_r"][-1],
            }
        )
    return {"bins": bins, "labels": points_at, "values": values, "costs": costs}, rows


# evidence of the findings


def comparison_rows(stream, learners, baselines):
    name = "accuracy" if stream.classes is not None else "mae"
    return [
        {
            "learner": t.name,
            name: main(stream, t.rows),
            **{b.name: main(stream, b.rows) for b in baselines},
        }
        for t in learners
    ]


def comparable(learner, baseline):
    """Whether both have the same labelled items and labels."""
    return [row[:2] for row in learner.rows] == [row[:2] for row in baseline.rows]


def paired(stream, a, b):
    """(difference of the mean losses, its long-run variance, p) of two logs of the same items."""
    loss, cold_start = ("zero_one", "count_wrong") if stream.classes else ("absolute", "skip")
    both, _, _ = pairs.meet(a.rows, b.rows)
    d = np.array([x - y for x, y in filter(None, pairs.losses(both, loss, cold_start))])
    spell = 200 if len(both) >= 2000 else max(10, len(both) // 20)
    return d.mean(), verdicts_of.spread(d)[0], verdicts_of.p(d, spell)


def leads(stream, baseline):
    """Advantage of each comparable learner over a baseline; 0 if it is not significant."""
    tests = {
        t.name: paired(stream, t, baseline) for t in stream.learners if comparable(t, baseline)
    }
    corrected = holm([p for _, _, p in tests.values()])
    return {
        name: -tests[name][0] if p <= ALPHA else 0.0
        for name, p in zip(tests, corrected, strict=True)
    }


def worse_than(nth):
    def rows(stream):
        baseline = stream.baselines[nth]
        lead = leads(stream, baseline)
        worse = [t for t in stream.learners if lead.get(t.name, 0) < 0]
        return comparison_rows(stream, worse, [baseline])

    return rows


def beats_baselines(stream):
    found = [leads(stream, b) for b in stream.baselines]
    winners = [t for t in ranked(stream) if min(lead.get(t.name, 0) for lead in found) > 0]
    return comparison_rows(stream, winners, stream.baselines)


def labels_in_order(stream):
    return [y for _, y, _ in sorted(stream.most_labelled.rows)]


def repeats(stream):
    labels = labels_in_order(stream)
    same = sum(a == b for a, b in pairwise(labels))
    shares = [labels.count(c) / len(labels) for c in set(labels)]
    chance = sum(s * s for s in shares)
    return [
        {
            "with_previous": len(labels) - 1,
            "observed": same / (len(labels) - 1),
            "by_chance": chance,
        }
    ]


def temporal_dependence(stream):
    """Repeats; if they are as by chance, the succession with the largest effect too."""
    labels, [cells] = labels_in_order(stream), repeats(stream)
    gap, z = cells["observed"] - cells["by_chance"], random_label_order.z_repeats(labels)
    if abs(gap) >= 0.05 and gap * z > 0 and abs(z) > 3:
        return [cells]
    lag, i, j, rate, expected, _ = random_label_order.successions(labels)[0]
    names = {"before": str(stream.classes[i]), "after": str(stream.classes[j])}
    return [cells | {"lag": lag, **names, "rate": rate, "in_random_order": expected}]


def independent_labels(stream):
    labels = labels_in_order(stream)
    assert not random_label_order.successions(labels)
    assert random_label_order.p_shares(labels) >= 0.05 / 3
    made = []
    for code, name in enumerate(stream.classes):
        if labels.count(code) >= 30:
            starts, seen, _ = random_label_order.succession(labels, 1, code, code)
            cells = {"class": str(name), "labels": labels.count(code)}
            cells |= {"share": labels.count(code) / len(labels), "rate": seen / starts}
            made.append(cells | {"limit": random_label_order.limit(labels, code)})
    return made


def resets_on_dependent_labels(stream):
    """Proposition 9, corrected, averaged over the training sizes between random resets."""
    [shares] = repeats(stream)
    same, chance = shares["observed"], shares["by_chance"]
    second = (same - chance) / (1 - chance)  # the second eigenvalue
    made = []
    for t in stream.learners:
        if not t.alarms:
            continue
        rate, expected, left = len(t.alarms) / len(t.rows), 0.0, 1.0
        for n in range(1, 200_000):
            r = (second**n - 1) / (n * (second - 1))
            expected += left * rate * (same * r + chance * (1 - r))
            left *= 1 - rate
            if left < 1e-16:
                break
        cells = {"learner": t.name, "alarms": len(t.alarms), "accuracy": main(stream, t.rows)}
        made.append(cells | {"at_random": expected, "persistent": same})
    return made


def window_too_short(stream):
    gap, variance, _ = paired(stream, *ranked(stream)[:2])
    worth = {}
    for name, (kind, size) in stream.windows.items():
        if kind == "sliding":
            worth[name] = size
        if kind == "fading":
            worth[name] = (1 + size) / (1 - size)
    width = {name: 1.96 * math.sqrt(variance / n) for name, n in worth.items()}
    return [
        {"window": name, "items": n, "half_width": width[name], "difference": abs(gap)}
        for name, n in worth.items()
        if width[name] > abs(gap)
    ]


def too_close_to_call(stream):
    two = ranked(stream)[:2]
    p = paired(stream, *two)[2]
    return [{"learner": t.name, "accuracy": main(stream, t.rows), "p": p} for t in two]


def cold_start(stream):
    made = []
    for t in stream.learners:
        covered = sum(a is not None for _, _, a in t.rows)
        if covered / len(t.rows) < 0.9995:
            cells = {"learner": t.name, "predicted": covered, "known": len(t.rows)}
            made.append(cells | {"coverage": covered / len(t.rows)})
    return made


def one_class(stream):
    labels = [y for _, y, _ in stream.most_labelled.rows]
    return [{"class": str(c), "labels": labels.count(i)} for i, c in enumerate(stream.classes)]


def incomplete_log(stream):
    return [{"learner": t.name, "known": len(t.rows)} for t in stream.logs if not t.complete]


def repetitions(stream):
    """The logs of each learner that was run, by its name."""
    runs = {}
    for t in stream.logs:
        if not t.derived:
            runs.setdefault(t.learner, []).append(t)
    return runs


def identical_repetitions(stream):
    return [
        {"learner": name, "runs": len(runs)}
        for name, runs in repetitions(stream).items()
        if len(runs) > 1 and all(t.rows == runs[0].rows for t in runs)
    ]


def missing_repetitions(stream):
    return [{"learner": name, "runs": len(runs)} for name, runs in repetitions(stream).items()]


def missing_labels(stream):
    items, known = stream.most_labelled.items, len(stream.most_labelled.rows)
    return [{"items": items, "known": known, "missing": (items - known) / items}]


def misleading_accuracy(stream):
    labels = [y for _, y, _ in stream.most_labelled.rows]
    most_frequent = max(labels.count(c) for c in set(labels)) / len(labels)
    made = []
    for t in stream.learners:
        plain = [measures.Row(y, a) for _, y, a in t.rows]
        kappa = measures.kappa(plain, len(stream.classes))
        if abs(main(stream, t.rows) - most_frequent) <= 0.02 and kappa < 0.1:
            cells = {"learner": t.name, "accuracy": main(stream, t.rows)}
            made.append(cells | {"most_frequent": most_frequent, "kappa": kappa})
    return made


def constant_predictions(stream):
    made = []
    for t in stream.learners:
        given = [a for _, _, a in t.rows if a is not None]
        if len(set(given)) == 1:
            cells = {"learner": t.name, "prediction": str(stream.classes[given[0]])}
            made.append(cells | {"predicted": len(given)})
    return made


def class_never_predicted(stream):
    made = []
    for t in stream.learners:
        for code, name in enumerate(stream.classes):
            labels = sum(y == code for _, y, _ in t.rows)
            if labels and not any(a == code for _, _, a in t.rows):
                share = labels / len(t.rows)
                made.append({"learner": t.name, "class": name, "labels": labels, "share": share})
    return made


def fluctuation(values, w):
    """Variance of sums of many values, per value, from differences of values at a distance of w."""
    return (
        verdicts_of.spread(np.array([b - a for a, b in zip(values, values[w:], strict=False)]))[0]
        / 2
    )


def whole_differs_from_end(stream):
    w = next(size for kind, size in stream.windows.values() if kind == "sliding")
    quantile = stats.norm.isf(0.05 / len(stream.learners) / 2)
    made = []
    for t in stream.learners:
        lost = [float(y != a) for _, y, a in t.rows]
        before, last = np.array(lost[:-w]), np.array(lost[-w:])
        variance = fluctuation(lost[:-w], w)
        if len(before) < 2 * w or w * before.var() < 30 * variance:
            continue
        now = variance * max(1, last.var() / before.var())
        error = math.sqrt(now / w + variance / len(before))
        if abs(last.mean() - before.mean()) > quantile * error:
            cells = {"learner": t.name, "whole": main(stream, t.rows)}
            made.append(cells | {"now": main(stream, t.rows[-w:])})
    return made


def different_items(stream):
    return [{"learner": t.name, "known": len(t.rows)} for t in stream.logs if not t.derived]


def class_dependent_delay(stream):
    made = []
    for code, name in enumerate(stream.classes):
        own = [stream.most_labelled.late[i] for i, y, _ in stream.most_labelled.rows if y == code]
        rest = [stream.most_labelled.late[i] for i, y, _ in stream.most_labelled.rows if y != code]
        later = stats.mannwhitneyu(own, rest).statistic / (len(own) * len(rest))
        cells = {"class": name, "labels": len(own), "median": median(own)}
        made.append(cells | {"later": float(later)})
    return made


def late_labels(stream):
    late = sorted(stream.most_labelled.late[i] for i, _, _ in stream.most_labelled.rows)
    return [
        {"share": share, "ticks": late[math.ceil(share * len(late)) - 1]}
        for share in (0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
    ]


def changed_predictions(stream):
    made = []
    for t in stream.learners:
        items = [(label, t.changes_by_item[item]) for item, label, _ in t.rows]
        changed = sum(len(made) - 1 for _, made in items)
        other = sum(made[-1] != made[0] for _, made in items)
        right = sum(made[-1] == label for label, made in items)
        cells = {"learner": t.name, "changes": changed / len(items)}
        made.append(cells | {"changed": other / len(items), "correct": right / len(items)})
    return made


def performance_drops(stream, recovered):
    """Drops at drifts beyond the fluctuation before them, with or without a recovery."""
    w = next(size for kind, size in stream.windows.values() if kind == "sliding")
    alpha = ALPHA / len(stream.drifts) / len(stream.learners)
    made = []
    for nth, (start, _, end) in enumerate(stream.drifts):
        since = stream.drifts[nth - 1][2] if nth else 0
        for t in stream.learners:
            if stream.classes is None:
                lost = [abs(y - a) for _, y, a in t.rows]
            else:
                lost = [float(y != a) for _, y, a in t.rows]
            until = stream.drifts[nth + 1][0] if nth + 1 < len(stream.drifts) else len(lost)
            found = _drop(stream, lost, (since, start, end, until), w, alpha)
            if found and math.isnan(found["recovered_after"]) != recovered:
                made.append({"learner": t.name, "drift": start, **found})
    return made


def _drop(stream, lost, places, w, alpha):
    since, start, end, until = places
    mean = lambda i, j: math.fsum(lost[i:j]) / (j - i)  # noqa: E731
    spread = lambda i, j: verdicts_of.spread(np.array(lost[i:j]))[0]  # noqa: E731
    if start - since < 2 * w or until - start < w:
        return None
    variance = fluctuation(lost[since:start], w)
    if w * np.var(lost[since:start]) < 30 * variance:
        return None
    first = max(since, start - 5 * w)
    before = mean(first, start)
    limit = 1.05 * before if stream.classes is None else 1 - 0.95 * (1 - before)
    windows = range(start, min(until, end + 5 * w) - w + 1, w)
    error = math.sqrt(variance / w + variance / (start - first))
    level = before + stats.norm.isf(alpha / 2 / len(windows)) * error
    dropped = [i for i in windows if mean(i, i + w) > max(level, limit)]
    if not dropped:
        return None
    values = before, max(mean(i, i + w) for i in dropped)
    if stream.classes is not None:
        values = 1 - values[0], 1 - values[1]
    cells = {"before": values[0], "worst": values[1]}
    begin, possible = dropped[0] + w, False
    quantile = stats.norm.isf(alpha / max(1, math.ceil((until - begin) / w)))
    for at in range(begin, until + 1, max(1, w // 20)):
        stop = min(at + 4 * w, until)
        if mean(at - w, at) <= limit and mean(at - w, stop) <= limit:
            possible, after = True, max(variance, spread(at - w, stop))
            error = math.sqrt(after / (stop - at + w) + variance / (start - first))
            if limit - mean(at - w, stop) > quantile * error:
                return cells | {"recovered_after": at - start}
    if possible or until - begin < w:
        return None
    last = max(begin, until - 5 * w)
    after = max(variance, spread(last, until))
    error = math.sqrt(after / (until - last) + variance / (start - first))
    if mean(last, until) - limit > stats.norm.isf(alpha) * error:
        return cells | {"recovered_after": math.nan}
    return None


EVIDENCE = {
    "below_persistent": worse_than(0),
    "below_majority": worse_than(1),
    "worse_than_last_value": worse_than(0),
    "worse_than_target_mean": worse_than(1),
    "beats_baselines": beats_baselines,
    "resets_on_dependent_labels": resets_on_dependent_labels,
    "temporal_dependence": temporal_dependence,
    "independent_labels": independent_labels,
    "window_too_short": window_too_short,
    "too_close_to_call": too_close_to_call,
    "cold_start": cold_start,
    "one_class": one_class,
    "identical_repetitions": identical_repetitions,
    "incomplete_log": incomplete_log,
    "missing_labels": missing_labels,
    "missing_repetitions": missing_repetitions,
    "misleading_accuracy": misleading_accuracy,
    "constant_predictions": constant_predictions,
    "class_never_predicted": class_never_predicted,
    "whole_differs_from_end": whole_differs_from_end,
    "different_items": different_items,
    "class_dependent_delay": class_dependent_delay,
    "late_labels": late_labels,
    "changed_predictions": changed_predictions,
    "not_recovered": lambda stream: performance_drops(stream, recovered=False),
    "recovered": lambda stream: performance_drops(stream, recovered=True),
}
"""Rows of the evidence of each rule."""


def profile_score(value, zero, one):
    """Score of a value: 0 and 1 at two references, a straight line between, no further."""
    if math.isnan(value):
        return math.nan
    low, high = sorted((zero, one))
    inside = sorted((low, value, high))[1]
    share = (inside - low) / (high - low)
    return share if one > zero else 1 - share


def profile_cost_scores(costs, most=1000.0):
    """Scores of costs by learner: 1 for the cheapest, 0 for `most` times as much, by logarithms."""
    cheapest = min(cost for cost in costs.values() if not math.isnan(cost))
    found = {}
    for name, cost in costs.items():
        decades = math.log10(cost) - math.log10(cheapest)
        found[name] = profile_score(decades, math.log10(most), 0.0)
    return found


def profile_winners(scores, baselines):
    """Baselines whose score, in two decimals, is that of the best of all learners."""
    known = {name: f"{score:.2f}" for name, score in scores.items() if not math.isnan(score)}
    return tuple(name for name in baselines if known.get(name) == max(known.values()))
