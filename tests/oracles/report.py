"""What a report says, worked out again from the rows of its logs. Slow and obvious."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, pairwise
from statistics import median

from scipy import stats

from oracles import measures, pairs, reevaluation
from oracles.windows import points, weights

ALPHA = 0.05
NAMES = {True: ("persistent", "majority_class"), False: ("last_value", "target_mean")}


@dataclass(frozen=True, eq=False)
class Told:
    """A log: rows (item, label, answer) in the order labels became known; None: no answer."""

    name: str
    rows: list
    asked: int = 0
    baseline: bool = False
    derived: bool = False
    complete: bool = True
    late: dict = field(default_factory=dict)  # item -> how long its label took
    minds: dict = field(default_factory=dict)  # item -> its answers, as they changed
    known: dict = field(default_factory=dict)  # item -> labels known by then; {}: all before


@dataclass(frozen=True)
class Case:
    """The logs of one stream, those of baselines that nobody ran included, and the windows."""

    classes: tuple | None
    told: list
    windows: dict  # name -> (kind, size)
    drifts: list = field(default_factory=list)  # (start, centre, end)

    @property
    def learners(self):
        return [t for t in self.told if not t.baseline]

    @property
    def baselines(self):
        return [t for t in self.told if t.baseline]

    @property
    def fullest(self):
        return max(self.told, key=lambda t: len(t.rows))


def with_baselines(case):
    """The case with what the last label and the majority (or mean) would have predicted, from the
    labels known when each item came."""
    full = case.fullest
    counts, total = [0] * len(case.classes or ()), 0.0
    last, most = [None], [None]  # after 0, 1, … labels
    for n, (_, label, _) in enumerate(full.rows, 1):
        last.append(label)
        if case.classes is None:
            total += label
            most.append(total / n)
        else:
            counts[label] += 1
            most.append(counts.index(max(counts)))
    known = full.known or {item: n for n, (item, _, _) in enumerate(full.rows)}
    made = [
        Told(
            name,
            [(item, label, after[known[item]]) for item, label, _ in full.rows],
            full.asked,
            baseline=True,
            derived=True,
        )
        for name, after in zip(NAMES[case.classes is not None], (last, most), strict=True)
    ]
    return replace(case, told=[*case.told, *made])


def main(case, rows):
    """Accuracy, silence counted as wrong; mean absolute error, silence left out."""
    if case.classes is None:
        lost = [abs(label - answer) for _, label, answer in rows if answer is not None]
        return math.fsum(lost) / len(lost) if lost else math.nan
    return sum(a == y for _, y, a in rows) / len(rows) if rows else math.nan


def value(case, told, measure, window="whole", at=None):
    """A measure in a window that ends after `at` labels."""
    at = len(told.rows) if at is None else at
    kind, size = case.windows.get(window, ("whole", 0))
    made = prepared(told, None if case.classes is None else len(case.classes))
    inside = []
    for i, w in weights(kind, size, at).items():
        if case.classes is None and made[i].answer is None:
            continue
        inside.append(replace(made[i], weight=w))
    if case.classes is None:
        return measures.REGRESSION[measure](inside)
    return measures.CLASSIFICATION[measure](inside, len(case.classes))


@cache
def prepared(told, classes):
    columns = [y for _, y, _ in told.rows], [a for _, _, a in told.rows]
    return measures.prepared(*columns, classes)


def half_width(items):
    return 1 / math.sqrt(items) if items else math.inf


def better(case, a, b):
    """By how much the first value of the main measure is better."""
    return a - b if case.classes is not None else b - a


def ranked(case):
    known = [t for t in case.learners if not math.isnan(main(case, t.rows))]
    return sorted(known, key=lambda t: -better(case, main(case, t.rows), 0.0))


# the page, number by number


def table(case, shown):
    """The cells of the table of a stream: learners best first, then baselines."""
    name = "accuracy" if case.classes is not None else "mae"
    order = sorted(case.told, key=lambda t: (t.baseline, -better(case, main(case, t.rows), 0.0)))
    made = []
    for t in order:
        cells = {"learner": t.name}
        for measure in shown:
            cells[measure] = value(case, t, measure)
            if measure == name:
                for b in case.baselines:
                    apart = main(case, t.rows) - main(case, b.rows)
                    held = b is not t and fits(t, b)
                    cells[f"vs_{b.name}"] = apart if held else math.nan
        answered = sum(a is not None for _, _, a in t.rows)
        cells |= {"coverage": answered / len(t.rows), "labels": len(t.rows)}
        made.append(cells)
    return made


def lines(case, measure, window):
    """The curves of a panel: a point after every label, and one NaN for each gap in between."""
    made = []
    for t in (*case.learners, *case.baselines):
        at, values = [], []
        for n in range(1, len(t.rows) + 1):
            found = value(case, t, measure, window, n)
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


def band(case, told, window, level, draws, length):
    """Between which values accuracy lies in resampled streams; `draws` are pairs of seeds."""
    kind, size = case.windows[window]
    drawn = []
    for cuts, sizes in draws:
        made = pairs.redrawn(
            [(y, a) for _, y, a in told.rows], cuts, sizes, length, "stationary", None
        )
        curve = []
        for at in range(1, len(made) + 1):
            inside = [(made[i], w) for i, w in weights(kind, size, at).items()]
            total = math.fsum(row[2] * w for row, w in inside)
            curve.append(math.fsum(row[2] * w for row, w in inside if row[0] == row[1]) / total)
        drawn.append(curve)
    low, high = [], []
    for column in zip(*drawn, strict=True):
        ordered = sorted(column)
        low.append(ordered[math.floor((1 - level) / 2 * (len(ordered) - 1))])
        high.append(ordered[math.ceil((1 + level) / 2 * (len(ordered) - 1))])
    return low, high


# two learners beside each other


def lags_of(n):
    return int(4 * (n / 100) ** (2 / 9))


def duel(a, b, alpha, classification=True, thresholds=()):
    """Everything that is said of two learners, the corrections of several not yet made."""
    loss, silence = ("zero_one", "count_wrong") if classification else ("absolute", "skip")
    both, only_a, only_b = pairs.meet(a.rows, b.rows)
    assert not only_a
    assert not only_b
    lost = pairs.losses(both, loss, silence)
    counted = [p for p in lost if p is not None]
    apart = [x - y for x, y in counted]
    n, total, squares = len(apart), math.fsum(apart), math.fsum(d * d for d in apart)
    worse = sum(d > 0 for d in apart), sum(d < 0 for d in apart)
    z = pairs.diebold_mariano(apart, lags_of(len(lost)))
    found = {
        "pairs": len(lost),
        "counted": n,
        "loss_a": math.fsum(x for x, _ in counted) / n,
        "loss_b": math.fsum(y for _, y in counted) / n,
        "difference": total / n,
        "worse": worse,
        "lost": lost,
        "dm": (z, 2 * stats.norm.sf(abs(z))),
        "mcnemar": mcnemar(*worse),
    }
    if not classification:
        return found
    for_a, for_b = (pairs.log_capital("bernstein", sign * total, squares) for sign in (-1, 1))
    log_e = max(for_a, for_b) - math.log(2)
    radius = pairs.reach(squares, math.log(2 / alpha)) / n
    first, since = pairs.watched(lost, math.log(2 / alpha))
    standing = [(at, t.name) for at, t in zip(since, (a, b), strict=True) if at]
    begun = [(at, t.name) for at, t in zip(first, (a, b), strict=True) if at]
    return found | {
        "log_e_a": for_a,
        "log_e_b": for_b,
        "log_e": log_e,
        "p": math.exp(-max(log_e, 0)),
        "low": max(total / n - radius, -1),
        "high": min(total / n + radius, 1),
        "winner": standing[0][1] if standing else None,
        "since": standing[0][0] if standing else None,
        "first": list(min(begun)[::-1]) if begun else None,
        "crossed": [pairs.watched(lost, level)[0] for level in thresholds],
    }


def mcnemar(worse_a, worse_b):
    """The p-value at a fixed horizon, by scipy."""
    n = worse_a + worse_b
    if n == 0:
        return 1.0
    if n < 25:
        return float(stats.binomtest(worse_a, n).pvalue)
    return float(stats.chi2.sf((worse_a - worse_b) ** 2 / n, 1))


def tournament(told, alpha=ALPHA):
    """Each with each: the duels at their share of alpha, who was decided for, who is ahead."""
    met = list(combinations(told, 2))
    levels = [math.log(2 * still / alpha) for still in range(1, len(met) + 1)]
    duels = {(a.name, b.name): duel(a, b, alpha / len(met), True, levels) for a, b in met}
    crossed = {}
    for (a, b), one in duels.items():
        crossed[a, b] = [at[0] for at in one["crossed"]]
        crossed[b, a] = [at[1] for at in one["crossed"]]
    decided = pairs.holm(crossed, len(met))
    once = {frozenset(d[:2]): d for d in decided}
    ahead = {}
    for (a, b), one in duels.items():
        was = once.get(frozenset((a, b)))
        leads = a if one["difference"] < 0 else b if one["difference"] > 0 else None
        if one["winner"]:
            loser = b if one["winner"] == a else a
            ahead[frozenset((a, b))] = (one["winner"], loser, one["since"])
        elif was is not None and was[0] == leads:
            ahead[frozenset((a, b))] = was
    return duels, decided, ahead


def verdicts(case):
    """The table of verdicts: p-values are corrected for the number of pairs."""
    made = []
    if case.classes is None:
        for a, b in combinations(case.learners, 2):
            one = duel(a, b, ALPHA, classification=False)
            first, second = (b, a) if one["difference"] > 0 else (a, b)
            made.append(
                {
                    "ahead": first.name,
                    "of": second.name,
                    "by": abs(one["difference"]),
                    "diebold_mariano": one["dm"][1],
                }
            )
        return sorted(made, key=lambda cells: cells["diebold_mariano"])
    if len(case.learners) < 2:
        return []
    duels, _, ahead = tournament(case.learners)

    def order(pair):
        beaten = ahead.get(frozenset(pair))
        return beaten is None, beaten[2] if beaten else 0, -abs(duels[pair]["difference"])

    for a, b in sorted(duels, key=order):
        one, beaten = duels[a, b], ahead.get(frozenset((a, b)))
        turn = one["difference"] > 0
        low, high = (one["low"], one["high"]) if turn else (-one["high"], -one["low"])
        made.append(
            {
                "ahead": b if turn else a,
                "of": a if turn else b,
                "verdict": "beats it" if beaten else "undecided",
                "since": beaten[2] if beaten else None,
                "by": abs(one["difference"]),
                "low": low,
                "high": high,
                "p": min(1.0, len(duels) * one["p"]),
                "mcnemar": one["mcnemar"],
                "diebold_mariano": one["dm"][1],
            }
        )
    return made


# late labels


def waiting(twins, bins, every, said):
    """What a report says of logs that asked again; `twins` are runs of the printed algorithm."""
    labels = len(next(iter(twins.values())).told)
    points_at = points("whole", 0, every, labels)
    wide = range(bins + 2)
    values, costs, rows = {}, {words: [] for words in said.values()}, []
    for name, run in twins.items():
        right = [[reevaluation.value(t, bins, b) == t.label for b in wide] for _, t in run.told]
        values[name] = [[sum(r[b] for r in right[:at]) / at for b in wide] for at in points_at]
        known = {
            "n_c": reevaluation.n_c(run),
            "n_b": run.buffered,
            "n_r": reevaluation.n_r(run),
        }
        for cost, column in known.items():
            there = [(n, v) for n, v in enumerate(column, 1) if not math.isnan(v)]
            line = {"at": [n for n, _ in there], "value": [v for _, v in there]}
            costs[said[cost]].append(line)
        changed = [t.askings[0][0] != t.askings[-1][0] for _, t in run.told]
        last = values[name][-1]
        rows.append(
            {
                "learner": name,
                **{f"bin_{b}": last[b] for b in (0, 25, 45, bins + 1)},
                "psi": sum(last) / len(last),
                "changes": sum(reevaluation.changes(t) for _, t in run.told) / labels,
                "changed": sum(changed) / labels,
                "again": known["n_r"][-1],
            }
        )
    return {"bins": bins, "labels": points_at, "values": values, "costs": costs}, rows


# what findings rest on


def beside(case, learners, baselines):
    name = "accuracy" if case.classes is not None else "mae"
    return [
        {
            "learner": t.name,
            name: main(case, t.rows),
            **{b.name: main(case, b.rows) for b in baselines},
        }
        for t in learners
    ]


def fits(learner, baseline):
    """Were both measured on the same labels?"""
    return [row[:2] for row in learner.rows] == [row[:2] for row in baseline.rows]


def lead(case, learner, baseline):
    if not fits(learner, baseline):
        return 0.0
    mine, other = main(case, learner.rows), main(case, baseline.rows)
    noise = half_width(len(learner.rows)) if case.classes is not None else 0.01 * other
    gap = better(case, mine, other)
    return gap if abs(gap) > noise else 0.0


def behind(nth):
    def rows(case):
        bar = case.baselines[nth]
        return beside(case, [t for t in case.learners if lead(case, t, bar) < 0], [bar])

    return rows


def beats_baselines(case):
    winners = [t for t in ranked(case) if min(lead(case, t, b) for b in case.baselines) > 0]
    return beside(case, winners, case.baselines)


def repeats(case):
    labels = [y for _, y, _ in sorted(case.fullest.rows)]
    same = sum(a == b for a, b in pairwise(labels))
    shares = [labels.count(c) / len(labels) for c in set(labels)]
    chance = sum(s * s for s in shares)
    return [{"pairs": len(labels) - 1, "observed": same / (len(labels) - 1), "by_chance": chance}]


def window_too_short(case):
    first, second = (main(case, t.rows) for t in ranked(case)[:2])
    gap = first - second
    worth = {}
    for name, (kind, size) in case.windows.items():
        if kind == "sliding":
            worth[name] = size
        if kind == "fading":
            worth[name] = (1 + size) / (1 - size)
    return [
        {"window": name, "items": n, "half_width": half_width(n), "gap": gap}
        for name, n in worth.items()
        if n < 1 / gap**2
    ]


def too_close_to_call(case):
    two = ranked(case)[:2]
    width = half_width(len(two[0].rows))
    return [{"learner": t.name, "accuracy": main(case, t.rows), "half_width": width} for t in two]


def cold_start(case):
    made = []
    for t in case.learners:
        answered = sum(a is not None for _, _, a in t.rows)
        if answered / len(t.rows) < 0.9995:
            cells = {"learner": t.name, "answered": answered, "known": len(t.rows)}
            made.append(cells | {"coverage": answered / len(t.rows)})
    return made


def one_class(case):
    labels = [y for _, y, _ in case.fullest.rows]
    return [{"class": str(c), "labels": labels.count(i)} for i, c in enumerate(case.classes)]


def incomplete_log(case):
    return [{"learner": t.name, "known": len(t.rows)} for t in case.told if not t.complete]


def missing_labels(case):
    asked, known = case.fullest.asked, len(case.fullest.rows)
    return [{"asked": asked, "known": known, "missing": (asked - known) / asked}]


def misleading_accuracy(case):
    labels = [y for _, y, _ in case.fullest.rows]
    common = max(labels.count(c) for c in set(labels)) / len(labels)
    made = []
    for t in case.learners:
        plain = [measures.Row(y, a) for _, y, a in t.rows]
        kappa = measures.kappa(plain, len(case.classes))
        if abs(main(case, t.rows) - common) <= 0.02 and kappa < 0.1:
            cells = {"learner": t.name, "accuracy": main(case, t.rows)}
            made.append(cells | {"common": common, "kappa": kappa})
    return made


def constant_answers(case):
    made = []
    for t in case.learners:
        given = [a for _, _, a in t.rows if a is not None]
        if len(set(given)) == 1:
            cells = {"learner": t.name, "answer": str(case.classes[given[0]])}
            made.append(cells | {"answered": len(given)})
    return made


def class_never_said(case):
    made = []
    for t in case.learners:
        for code, name in enumerate(case.classes):
            labels = sum(y == code for _, y, _ in t.rows)
            if labels and not any(a == code for _, _, a in t.rows):
                share = labels / len(t.rows)
                made.append({"learner": t.name, "class": name, "labels": labels, "share": share})
    return made


def whole_hides_now(case):
    size = next(size for kind, size in case.windows.values() if kind == "sliding")
    made = []
    for t in case.learners:
        whole, now = main(case, t.rows), main(case, t.rows[-size:])
        if abs(now - whole) > 2 * half_width(size):
            made.append({"learner": t.name, "whole": whole, "now": now})
    return made


def different_items(case):
    return [{"learner": t.name, "known": len(t.rows)} for t in case.told if not t.derived]


def class_dependent_delay(case):
    made = []
    for code, name in enumerate(case.classes):
        own = [case.fullest.late[i] for i, y, _ in case.fullest.rows if y == code]
        rest = [case.fullest.late[i] for i, y, _ in case.fullest.rows if y != code]
        later = stats.mannwhitneyu(own, rest).statistic / (len(own) * len(rest))
        cells = {"class": name, "labels": len(own), "middle": median(own)}
        made.append(cells | {"later": float(later)})
    return made


def late_labels(case):
    late = sorted(case.fullest.late[i] for i, _, _ in case.fullest.rows)
    return [
        {"share": share, "ticks": late[math.ceil(share * len(late)) - 1]}
        for share in (0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
    ]


def changed_minds(case):
    made = []
    for t in case.learners:
        items = [(label, t.minds[item]) for item, label, _ in t.rows]
        turned = sum(len(said) - 1 for _, said in items)
        other = sum(said[-1] != said[0] for _, said in items)
        right = sum(said[-1] == label for label, said in items)
        cells = {"learner": t.name, "changes": turned / len(items)}
        made.append(cells | {"changed": other / len(items), "right": right / len(items)})
    return made


def drops(case, recovered):
    """By accuracy in the sliding window: what was lost at a drift, and when it was back."""
    size = next(size for kind, size in case.windows.values() if kind == "sliding")
    made = []
    for nth, (start, _, _) in enumerate(case.drifts):
        since = case.drifts[nth - 1][2] if nth else 0
        end = case.drifts[nth + 1][0] if nth + 1 < len(case.drifts) else math.inf
        for t in case.learners:
            curve, right = {}, 0
            for at, (_, y, a) in enumerate(t.rows, 1):
                right += y == a
                if at > size:
                    _, y, a = t.rows[at - size - 1]
                    right -= y == a
                curve[at] = right / min(at, size)
            earliest = max(start - 5 * size, since, size - 1)
            before = [v for at, v in curve.items() if earliest < at <= start]
            before = math.fsum(before) / len(before)
            after = {at: v for at, v in curve.items() if start < at <= end}
            worst = min(after.values())
            if before - worst <= 2 * half_width(size):
                continue
            lowest = min(at for at, v in after.items() if v == worst)
            back = math.nan
            for at, v in after.items():
                if at < lowest or v < 0.95 * before or max(after) - at < size:
                    continue
                stretch = [w for later, w in after.items() if at <= later <= at + 5 * size]
                if math.fsum(stretch) / len(stretch) >= 0.95 * before:
                    back = at - start
                    break
            if math.isnan(back) != recovered:
                cells = {"learner": t.name, "drift": start, "before": before}
                made.append(cells | {"worst": worst, "back": back})
    return made


EVIDENCE = {
    "below_persistent": behind(0),
    "below_majority": behind(1),
    "worse_than_last_value": behind(0),
    "worse_than_target_mean": behind(1),
    "beats_baselines": beats_baselines,
    "temporal_dependence": repeats,
    "independent_labels": repeats,
    "window_too_short": window_too_short,
    "too_close_to_call": too_close_to_call,
    "cold_start": cold_start,
    "one_class": one_class,
    "incomplete_log": incomplete_log,
    "missing_labels": missing_labels,
    "misleading_accuracy": misleading_accuracy,
    "constant_answers": constant_answers,
    "class_never_said": class_never_said,
    "whole_hides_now": whole_hides_now,
    "different_items": different_items,
    "class_dependent_delay": class_dependent_delay,
    "late_labels": late_labels,
    "changed_minds": changed_minds,
    "not_recovered": lambda case: drops(case, recovered=False),
    "recovered": lambda case: drops(case, recovered=True),
}
"""Rule -> the rows of its evidence."""
