"""Measures, computed row by row from their definitions: slow and obvious."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum, inf, isnan, log, nan, sqrt

TINY = 1e-12


@dataclass(frozen=True)
class Row:
    """One known label with its prediction and those of the baselines."""

    label: float
    prediction: float | None
    weight: float = 1.0
    before: float | None = None
    majority: int | None = None
    majority_inclusive: int | None = None
    mean: float | None = None
    first: bool = False
    scores: tuple[float, ...] | None = None


def prepared(
    labels: list[float],
    predictions: list[float | None],
    classes: int | None,
    weights: list[float] | None = None,
    before: list[float | None] | None = None,
    scores: list[tuple[float, ...] | None] | None = None,
) -> list[Row]:
    """Rows of known labels. The majority is the most frequent label, the first class at ties."""
    rows: list[Row] = []
    for i, (label, prediction) in enumerate(zip(labels, predictions, strict=True)):
        weight = 1.0 if weights is None else weights[i]
        past = [(r.label, r.weight) for r in rows]
        now = [*past, (label, weight)]
        heavy = sum(w for _, w in past)
        rows.append(
            Row(
                label,
                prediction,
                weight,
                (rows[-1].label if rows else None) if before is None else before[i],
                _most(past, classes) if past and classes else None,
                _most(now, classes) if classes else None,
                fsum(y * w for y, w in past) / heavy if heavy > 0 else None,
                not rows,
                None if scores is None else scores[i],
            )
        )
    return rows


def _most(labels: list[tuple[float, float]], classes: int) -> int:
    totals = [0.0] * classes
    for label, weight in labels:
        totals[int(label)] += weight
    return totals.index(max(totals))


def ratio(a: float, b: float) -> float:
    """a / b; nan for 0/0, signed infinity for x/0."""
    if b == 0 or isnan(b) or isnan(a):
        if a == 0 or isnan(a) or isnan(b):
            return nan
        return inf if a > 0 else -inf
    return a / b


def share(rows: list[Row], holds: Callable[[Row], bool]) -> float:
    """The weighted share of rows for which something holds."""
    return ratio(sum(r.weight for r in rows if holds(r)), sum(r.weight for r in rows))


def kappa_over(p: float, reference: float) -> float:
    """(p - reference) / (1 - reference)."""
    if isnan(p) or isnan(reference):
        return nan
    if abs(1 - reference) < TINY:
        return nan if abs(1 - p) < TINY else -inf
    return (p - reference) / (1 - reference)


def accuracy(rows: list[Row], classes: int) -> float:
    return share(rows, lambda r: r.prediction == r.label)


def error(rows: list[Row], classes: int) -> float:
    return share(rows, lambda r: r.prediction != r.label)


def p_0(rows: list[Row], classes: int) -> float:
    return 1 / classes if sum(r.weight for r in rows) > 0 else nan


def p_maj(rows: list[Row], classes: int) -> float:
    shares = [share(rows, lambda r, c=c: r.label == c) for c in range(classes)]
    return max(shares) if not any(map(isnan, shares)) else nan


def p_per(rows: list[Row], classes: int) -> float:
    return share([r for r in rows if r.before is not None], lambda r: r.label == r.before)


def p_ran(rows: list[Row], classes: int) -> float:
    return sum(
        share(rows, lambda r, c=c: r.label == c) * share(rows, lambda r, c=c: r.prediction == c)
        for c in range(classes)
    )


def p_per_moa(rows: list[Row], classes: int) -> float:
    return share(rows, lambda r: r.label == (0 if r.before is None and r.first else r.before))


def p_majority(rows: list[Row], classes: int) -> float:
    return share([r for r in rows if r.majority is not None], lambda r: r.majority == r.label)


def p_majority_moa(rows: list[Row], classes: int) -> float:
    return share(rows, lambda r: r.majority_inclusive == r.label)


def kappa(rows: list[Row], classes: int) -> float:
    return kappa_over(accuracy(rows, classes), p_ran(rows, classes))


def kappa_temporal(rows: list[Row], classes: int) -> float:
    return kappa_over(accuracy(rows, classes), p_per(rows, classes))


def kappa_temporal_moa(rows: list[Row], classes: int) -> float:
    return kappa_over(accuracy(rows, classes), p_per_moa(rows, classes))


def kappa_plus(rows: list[Row], classes: int) -> float:
    both = kappa(rows, classes), kappa_temporal(rows, classes)
    return nan if any(map(isnan, both)) else sqrt(max(0, both[0]) * max(0, both[1]))


def kappa_m(rows: list[Row], classes: int) -> float:
    return kappa_over(accuracy(rows, classes), p_majority(rows, classes))


def kappa_m_share(rows: list[Row], classes: int) -> float:
    return kappa_over(accuracy(rows, classes), p_maj(rows, classes))


def kappa_m_moa(rows: list[Row], classes: int) -> float:
    return kappa_over(accuracy(rows, classes), p_majority_moa(rows, classes))


REFERENCES = {
    "kappa": [p_ran],
    "kappa_temporal": [p_per],
    "kappa_temporal(variant='moa')": [p_per_moa],
    "kappa_plus": [p_ran, p_per],
    "kappa_m": [p_majority],
    "kappa_m(variant='share')": [p_maj],
    "kappa_m(variant='moa')": [p_majority_moa],
}
"""The accuracies that each kappa is relative to."""


def amplification(name: str, rows: list[Row], classes: int) -> float:
    """The factor by which (p - r) / (1 - r) enlarges an error of p and r: at most 1 / (1 - r)."""
    gaps = [1 - reference(rows, classes) for reference in REFERENCES.get(name, [])]
    return max((1 / gap for gap in gaps if gap > TINY), default=0.0)


def kappa_se(rows: list[Row], classes: int) -> float:
    p, chance = accuracy(rows, classes), p_ran(rows, classes)
    if isnan(p) or abs(1 - chance) < TINY:
        return nan
    return sqrt(p * (1 - p) / (len(rows) * (1 - chance) ** 2))


def kappa_se0(rows: list[Row], classes: int) -> float:
    chance = p_ran(rows, classes)
    if isnan(chance) or abs(1 - chance) < TINY:
        return nan
    return sqrt(chance / (len(rows) * (1 - chance)))


def mean_cost(
    costs: list[list[float]] | None = None, abstention: float | None = None
) -> Callable[[list[Row], int], float]:
    """The cost of each row, looked up and averaged."""

    def value(rows: list[Row], classes: int) -> float:
        table = costs or [[float(i != j) for j in range(classes)] for i in range(classes)]
        total, cost = 0.0, 0.0
        for row in rows:
            line = table[int(row.label)]
            none = abstention
            if none is None:
                none = max(line) if costs else 1.0
            cost += row.weight * (none if row.prediction is None else line[int(row.prediction)])
            total += row.weight
        return cost / total if total else nan

    return value


def kappa_z(rows: list[Row], classes: int) -> float:
    chance = p_ran(rows, classes)
    if isnan(chance) or chance == 0 or abs(1 - chance) < TINY:
        return nan
    return kappa(rows, classes) / sqrt(chance / (len(rows) * (1 - chance)))


def _counts(rows: list[Row], c: int) -> tuple[float, float, float]:
    """True positives, labels and predictions of a class."""
    return (
        sum(r.weight for r in rows if r.label == c == r.prediction),
        sum(r.weight for r in rows if r.label == c),
        sum(r.weight for r in rows if r.prediction == c),
    )


def _of_class(what: str, beta: float = 1.0) -> Callable[[list[Row], int], float]:
    def value(rows: list[Row], c: int) -> float:
        true_positives, labels, predictions = _counts(rows, c)
        if what == "precision":
            return ratio(true_positives, predictions)
        if what == "recall":
            return ratio(true_positives, labels)
        return ratio((1 + beta**2) * true_positives, beta**2 * labels + predictions)

    return value


def _mean(pairs: list[tuple[float, float]]) -> float:
    return ratio(sum(v * w for v, w in pairs), sum(w for _, w in pairs))


def per_class(
    what: str,
    average: str = "macro",
    variant: str = "default",
    of: int | None = None,
    beta: float = 1.0,
) -> Callable[[list[Row], int], float]:
    """Precision, recall or F of a class, or of all of them."""
    one = _of_class(what, beta)

    def value(rows: list[Row], classes: int) -> float:
        nothing = sum(r.weight for r in rows) == 0
        zero = 0.0 if variant != "default" and not nothing else nan
        if of is not None:
            found = one(rows, of)
            return zero if isnan(found) else found
        if average == "micro":
            each = [_counts(rows, c) for c in range(classes)]
            true_positives, labels, predictions = (sum(e[i] for e in each) for i in range(3))
            below = {"precision": predictions, "recall": labels}
            found = ratio(
                true_positives * ((1 + beta**2) if what == "f" else 1),
                below.get(what, beta**2 * labels + predictions),
            )
            return zero if isnan(found) else found
        pairs = []
        for c in range(classes):
            _, labels, predictions = _counts(rows, c)
            found = one(rows, c)
            if variant != "default" and isnan(found):
                found = 0.0
            counts = {"moa": True, "sklearn": labels + predictions > 0, "default": not isnan(found)}
            if counts[variant]:
                pairs.append((found, labels if average == "weighted" else 1.0))
        found = _mean(pairs)
        return zero if isnan(found) or nothing else found

    return value


def balanced_accuracy(rows: list[Row], classes: int) -> float:
    return per_class("recall")(rows, classes)


def g_mean(rows: list[Row], classes: int) -> float:
    recalls = [_of_class("recall")(rows, c) for c in range(classes)]
    defined = [r for r in recalls if not isnan(r)]
    product = 1.0
    for r in defined:
        product *= r ** (1 / len(defined))
    return product if defined else nan


def mcc(undefined: float) -> Callable[[list[Row], int], float]:
    """As the correlation of indicators, summed over classes and `no prediction`."""

    def value(rows: list[Row], classes: int) -> float:
        total = sum(r.weight for r in rows)
        if total == 0:
            return nan
        sides = [*range(classes), None]

        def covariance(a: str, b: str) -> float:
            found = 0.0
            for c in sides:
                both = sum(r.weight for r in rows if getattr(r, a) == c == getattr(r, b))
                one = sum(r.weight for r in rows if getattr(r, a) == c)
                other = sum(r.weight for r in rows if getattr(r, b) == c)
                found += both / total - one / total * other / total
            return found

        spread = covariance("label", "label"), covariance("prediction", "prediction")
        if min(spread) < TINY:
            return undefined
        return covariance("label", "prediction") / sqrt(spread[0] * spread[1])

    return value


CLASSIFICATION: dict[str, Callable[[list[Row], int], float]] = {
    "accuracy": accuracy,
    "error": error,
    "p_0": p_0,
    "p_maj": p_maj,
    "p_per": p_per,
    "p_ran": p_ran,
    "kappa": kappa,
    "kappa_se": kappa_se,
    "kappa_se0": kappa_se0,
    "kappa_z": kappa_z,
    "mean_cost": mean_cost(),
    "mean_cost(abstention=0.25)": mean_cost(abstention=0.25),
    "kappa_temporal": kappa_temporal,
    "kappa_temporal(variant='moa')": kappa_temporal_moa,
    "kappa_plus": kappa_plus,
    "kappa_m": kappa_m,
    "kappa_m(variant='share')": kappa_m_share,
    "kappa_m(variant='moa')": kappa_m_moa,
    "balanced_accuracy": balanced_accuracy,
    "g_mean": g_mean,
    "mcc": mcc(nan),
    "mcc(variant='sklearn')": mcc(0.0),
    "fbeta(beta=0.5, of=0)": per_class("f", beta=0.5, of=0),
    **{
        f"fbeta(beta={beta}, {text})": per_class("f", average, variant, beta=beta)
        for beta in (1.0, 2.0)
        for average in ("macro", "micro", "weighted")
        for variant in ("default", "sklearn")
        for text in [f"average={average!r}, variant={variant!r}"]
    },
    **{
        f"{name}({text})": per_class(what, average, variant)
        for name, what in (("precision", "precision"), ("recall", "recall"), ("f1", "f"))
        for average in ("macro", "micro", "weighted")
        for variant in ("default", "sklearn", "moa")
        for text in [f"average={average!r}, variant={variant!r}"]
    },
    **{
        f"{name}(of=0, variant={variant!r})": per_class(what, variant=variant, of=0)
        for name, what in (("precision", "precision"), ("recall", "recall"), ("f1", "f"))
        for variant in ("default", "sklearn")
    },
}

COSTS = [[0.0, 1.0, 2.5], [10.0, 0.0, 0.5], [3.0, 4.0, 0.25]]
OF_THREE_CLASSES: dict[str, Callable[[list[Row], int], float]] = {
    f"mean_cost({COSTS})": mean_cost(COSTS),
    f"mean_cost({COSTS}, abstention=7.0)": mean_cost(COSTS, 7.0),
}
"""Measures with a parameter for each class, on logs with three classes."""
"""The recount of each measure, over the rows that count."""


def ewma(name: str, state: dict[str, object]) -> float:
    """A measure of the state of Algorithm 1."""
    p, prior, predicted, stays = state["p"], state["prior"], state["made"], state["stays"]
    chance = sum(a * b for a, b in zip(prior, predicted, strict=True))
    persistent = sum(a * b for a, b in zip(prior, stays, strict=True))
    found = {
        "accuracy": p,
        "error": 1 - p,
        "p_0": 1 / len(prior),
        "p_maj": max(prior),
        "p_per": persistent,
        "p_ran": chance,
        "kappa": kappa_over(p, chance),
        "kappa_temporal": kappa_over(p, persistent),
    }
    found["kappa_plus"] = (
        nan
        if isnan(found["kappa"]) or isnan(found["kappa_temporal"])
        else sqrt(max(0, found["kappa"]) * max(0, found["kappa_temporal"]))
    )
    return found[name]


def _mean_of(rows: list[Row], what: Callable[[Row], float]) -> float:
    return ratio(sum(r.weight * what(r) for r in rows if r.weight), sum(r.weight for r in rows))


def _mae(rows: list[Row]) -> float:
    return _mean_of(rows, lambda r: abs(r.label - r.prediction))


def _mse(rows: list[Row]) -> float:
    return _mean_of(rows, lambda r: (r.label - r.prediction) * (r.label - r.prediction))


def _against(
    loss: Callable[[list[Row]], float], baseline: str, root: bool = False, moa: bool = False
) -> Callable[[list[Row]], float]:
    def value(rows: list[Row]) -> float:
        predicted = [r for r in rows if getattr(r, baseline) is not None or (moa and r.first)]
        of_baseline = [
            Row(r.label, 0.0 if getattr(r, baseline) is None else getattr(r, baseline), r.weight)
            for r in predicted
        ]
        found = ratio(loss(rows), loss(of_baseline))
        return sqrt(found) if root else found

    return value


def _labels(rows: list[Row]) -> list[float]:
    return [r.label for r in rows if r.weight > 0]


def r2(variant: str) -> Callable[[list[Row]], float]:
    def value(rows: list[Row]) -> float:
        labels = _labels(rows)
        if not labels:
            return nan
        if variant in ("prequential", "moa"):
            return 1 - _against(_mse, "mean", moa=variant == "moa")(rows)
        if min(labels) == max(labels):
            if variant == "sklearn" and len(labels) > 1:
                return 1.0 if _mse(rows) == 0 else 0.0
            return nan
        centre = _mean_of(rows, lambda r: r.label)
        spread = _mean_of(rows, lambda r: (r.label - centre) * (r.label - centre))
        return 1 - ratio(_mse(rows), spread)

    return value


def normalised(
    loss: Callable[[list[Row]], float], by: str, root: bool
) -> Callable[[list[Row]], float]:
    def value(rows: list[Row]) -> float:
        labels = _labels(rows)
        if not labels:
            return nan
        found = sqrt(loss(rows)) if root else loss(rows)
        if by == "range":
            return ratio(found, max(labels) - min(labels))
        centre = _mean_of(rows, lambda r: r.label)
        if by == "mean":
            return ratio(found, abs(centre))
        if min(labels) == max(labels):
            return ratio(found, 0.0)
        spread = _mean_of(rows, lambda r: (r.label - centre) * (r.label - centre))
        return ratio(found, sqrt(spread))

    return value


REGRESSION: dict[str, Callable[[list[Row]], float]] = {
    "mae": _mae,
    "mse": _mse,
    "rmse": lambda rows: sqrt(_mse(rows)),
    "r2": r2("default"),
    "r2(variant='prequential')": r2("prequential"),
    "r2(variant='moa')": r2("moa"),
    "r2(variant='sklearn')": r2("sklearn"),
    "mae_vs_last_value": _against(_mae, "before"),
    "rmse_vs_last_value": _against(_mse, "before", root=True),
    "mae_vs_target_mean": _against(_mae, "mean"),
    "rmse_vs_target_mean": _against(_mse, "mean", root=True),
    "mae_vs_target_mean(variant='moa')": _against(_mae, "mean", moa=True),
    "rmse_vs_target_mean(variant='moa')": _against(_mse, "mean", root=True, moa=True),
    **{
        f"{name}(by={by!r})": normalised(loss, by, root)
        for name, loss, root in (("nmae", _mae, False), ("nrmse", _mse, True))
        for by in ("range", "deviation", "mean")
    },
}
"""The recount of each measure, over the rows that count."""


def log_loss(variant: str) -> Callable[[list[Row], int], float]:
    def loss(r: Row) -> float:
        score = r.scores[int(r.label)]
        if variant == "sklearn":
            eps = 2.0**-52
            return -log(min(max(score / sum(r.scores), eps), 1 - eps))
        return inf if score == 0 else -log(score)

    return lambda rows, classes: _mean_of(rows, loss)


def brier(half: bool) -> Callable[[list[Row], int], float]:
    def value(rows: list[Row], classes: int) -> float:
        def loss(r: Row) -> float:
            return sum((s - (c == r.label)) ** 2 for c, s in enumerate(r.scores))

        return _mean_of(rows, loss) / (2 if half and classes == 2 else 1)

    return value


def calibration(bins: int) -> Callable[[list[Row], int], float]:
    def value(rows: list[Row], classes: int) -> float:
        total = sum(r.weight for r in rows)
        gap = 0.0
        for b in range(bins):
            # closed above, but 0 is in the first
            inside = [
                r
                for r in rows
                if min(max(-int(-(r.scores[int(r.prediction)] * bins) // 1), 1), bins) - 1 == b
            ]
            right = sum(r.weight for r in inside if r.prediction == r.label)
            sure = sum(r.weight * r.scores[int(r.prediction)] for r in inside)
            gap += abs(right - sure)
        return ratio(gap, total)

    return value


def _auc(rows: list[Row], positive: int, negative: int | None) -> float:
    positives = [r.scores[positive] for r in rows if r.label == positive]
    negatives = [
        r.scores[positive] for r in rows if r.label != positive and negative in (None, r.label)
    ]
    ordered = sum((p > n) + 0.5 * (p == n) for p in positives for n in negatives)
    return ratio(ordered, len(positives) * len(negatives))


def _defined_mean(values: list[float]) -> float:
    return _mean([(v, 1.0) for v in values if not isnan(v)])


def auc(average: str = "ovr", of: int | None = None) -> Callable[[list[Row], int], float]:
    def value(rows: list[Row], classes: int) -> float:
        if of is not None:
            return _auc(rows, of, None)
        if average == "hand_till":
            return _defined_mean(
                [_auc(rows, i, j) for i in range(classes) for j in range(classes) if i != j]
            )
        if classes == 2:
            return _auc(rows, 1, None)
        return _defined_mean([_auc(rows, c, None) for c in range(classes)])

    return value


SCORED: dict[str, Callable[[list[Row], int], float]] = {
    "log_loss": log_loss("default"),
    "log_loss(variant='sklearn')": log_loss("sklearn"),
    "brier": brier(False),
    "brier(variant='sklearn')": brier(True),
    "expected_calibration_error": calibration(10),
    "expected_calibration_error(bins=3)": calibration(3),
    "auc": auc(),
    "auc(of=0)": auc(of=0),
    "auc(average='hand_till')": auc("hand_till"),
}
"""The recount of each measure, over the rows with scores."""
