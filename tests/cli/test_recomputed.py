"""Every number of `compare --json` and `rank --json` is recomputed; unknown numbers fail."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from oracles import comparisons as many
from oracles import pairs as two
from oracles import report as slow
from oracles import verdicts
from oracles.trees import same
from streamgauge.cli import main

N = 240
SPELL = 10
WINDOWS = {"whole": ("whole", 0), "sliding(16)": ("sliding", 16), "fading(0.9)": ("fading", 0.9)}


@pytest.fixture
def predictions(tmp_path):
    """A file with labels and the predictions of three learners, and the same as plain rows."""
    rng = np.random.default_rng(5)
    label = rng.integers(0, 2, N)
    columns = [np.where(rng.random(N) < p, label, 1 - label) for p in (1.0, 0.6, 0.4)]
    table = np.column_stack([label, *columns])
    path = tmp_path / "p.csv"
    np.savetxt(path, table, "%d", ",", header="y,a,b,c", comments="")
    logs = []
    for name, column in zip("abc", columns, strict=True):
        rows = [
            (i, int(y), int(yhat)) for i, (y, yhat) in enumerate(zip(label, column, strict=True))
        ]
        logs.append(slow.LogRows(name, rows, N))
    return path, logs


def finite(tree):
    """Replace infinities, which are null in JSON, by NaN."""
    if isinstance(tree, dict):
        return {key: finite(value) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return [finite(value) for value in tree]
    return math.nan if isinstance(tree, float) and not math.isfinite(tree) else tree


def output(capsys, *args):
    main([str(a) for a in args])
    return json.loads(capsys.readouterr().out)


def verdict(one, spell=SPELL, **more):
    """Numbers of `compare` about two learners."""
    windowed = {name: two.windowed(one["lost"], *spec, 1) for name, spec in WINDOWS.items()}
    long_run, so_far = one["long_run"], one["so_far"]
    log_e_value = max(so_far["log_e_value_a"], so_far["log_e_value_b"]) - math.log(2)
    statistics = [
        {"value": one["difference"], **{k: long_run[k] for k in ("p", "low", "high")}},
        {
            "value": one["difference"],
            "p": math.exp(-max(log_e_value, 0)),
            "log_e_value": log_e_value,
            **{k: so_far[k] for k in ("low", "high")},
        },
        *({"value": points[-1][1]} for points in windowed.values()),
    ]
    for name, (kind, size) in WINDOWS.items():
        inside = [one["lost"][i] for i in slow.weights(kind, size, len(one["lost"]))]
        worse = sum(x > y for x, y in inside), sum(x < y for x, y in inside)
        p = math.nan if kind == "fading" else slow.mcnemar(*worse)
        statistics.append({"value": windowed[name][-1][2], "p": p})
    statistics.append(dict(zip(("value", "p"), one["dm"], strict=True)))
    keys = ("n_labels", "counted", "loss_a", "loss_b", "difference")
    same_as_long_run = ("since", "first", "low", "high", "p", "alpha", "spell")
    now = {k: v for k, v in one["now"].items() if k != "leader"}
    return (
        {k: one[k] for k in keys}
        | {k: long_run[k] for k in same_as_long_run}
        | {"long_run": long_run, "so_far": so_far, "now": now, "statistics": statistics}
        | more
    )


def curves(one, alpha):
    """The curves of two learners, a point after every label."""
    lost = one["lost"]
    made = []
    for kind, size in WINDOWS.values():
        points = two.windowed(lost, kind, size, 1)
        for column in (1, 2):
            at, value = [p[0] for p in points], [p[column] for p in points]
            made.append({"at": at, "value": value})
    differences = np.array([x - y for x, y in lost])
    bounds = [[], []]
    for n in range(1, len(lost) + 1):
        _, low, high, _ = verdicts.long_run(differences[:n], alpha, SPELL)
        bounds[0].append((max(low, -1.0), min(high, 1.0)))
        bounds[1].append(verdicts.so_far(differences[:n].tolist(), alpha)[2:])
    mean = [float(differences[:n].mean()) for n in range(1, len(lost) + 1)]
    for each in bounds:
        low, high = (list(side) for side in zip(*each, strict=True))
        made.append({"at": list(range(1, len(lost) + 1)), "value": mean, "low": low, "high": high})
    return made


def test_every_number_about_two_learners_is_recomputed(predictions, capsys):
    path, (a, b, _) = predictions
    args = ("compare", path, "--label", "y", "--prediction", "a,b", "--windows", ",".join(WINDOWS))
    found = output(capsys, *args, "--alpha", "0.1", "--spell", SPELL, "--curve", "--json")
    assert found[0]["winner"] is not None
    one = slow.duel(a, b, [0.1], spell=SPELL)
    same(found, finite([verdict(one, curves=curves(one, 0.1))]))


def test_every_number_about_several_learners_is_recomputed(predictions, capsys):
    path, logs = predictions
    args = (
        "compare",
        path,
        "--label",
        "y",
        "--prediction",
        "a,b,c",
        "--windows",
        ",".join(WINDOWS),
    )
    (found,) = output(capsys, *args, "--spell", SPELL, "--json")
    duels, decided = slow.tournament(logs, spell=SPELL)
    assert [(d["winner"], d["loser"]) for d in found["first_decisions"]] == [d[:2] for d in decided]
    assert decided
    current = sorted(one["long_run"]["since"] for one in duels.values() if one["long_run"]["since"])
    expected = {
        "alpha": 0.05,
        "first_decisions": [{"at": at} for *_, at in decided],
        "current_decisions": [{"at": at} for at in current],
        "p": [one["corrected"] for one in duels.values()],
        "verdicts": [verdict(one) for one in duels.values()],
    }
    same(found, finite(expected))


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    values = (rng.normal(size=(8, 4)) + np.array([0.0, 0.2, 1.2, 3.0])).round(4)
    rows = [f"s{i}," + ",".join(map(str, row)) for i, row in enumerate(values.tolist())]
    path = tmp_path / "score.csv"
    path.write_text("stream,a,b,c,d\n" + "\n".join(rows) + "\n")
    return path, values.tolist()


def matrix(k, values):
    made = [[math.nan] * k for _ in range(k)]
    for (i, j), p in zip(combinations(range(k), 2), values, strict=True):
        made[i][j] = made[j][i] = p
    return made


def holm(p):
    """Holm's correction by another library, equal to that of the paper."""
    corrected = multipletests(p, method="holm")[1].tolist()
    assert corrected == pytest.approx(many.holm(p))
    return corrected


def ranking(values):
    n, k = len(values), len(values[0])
    chi2 = stats.friedmanchisquare(*zip(*values, strict=True))
    f = (n - 1) * chi2.statistic / (n * (k - 1) - chi2.statistic)
    df = k - 1, (k - 1) * (n - 1)
    return {
        "scores": values,
        "repetitions": 1,
        "mean_ranks": many.mean_ranks(values),
        "friedman": {
            "chi2": float(chi2.statistic),
            "p_chi2": float(chi2.pvalue),
            "f": float(f),
            "df": df,
            "p": float(stats.f.sf(f, *df)),
        },
    }


def test_every_number_of_a_ranking_is_recomputed(table, capsys):
    path, values = table
    found = output(
        capsys, "rank", path, "--control", "d", "--rope", "0.1", "--alpha", "0.1", "--json"
    )
    columns = list(zip(*values, strict=True))
    raw = [float(stats.wilcoxon(x, y).pvalue) for x, y in combinations(columns, 2)]
    own = [float(stats.wilcoxon(columns[3], x).pvalue) for x in columns[:3]]
    assert holm(raw) != raw
    assert holm(own) != own
    bayes = found.pop("bayesian")
    expected = ranking(values) | {
        "pairs": {"alpha": 0.1, "p": matrix(4, holm(raw)), "p_uncorrected": matrix(4, raw)},
        "control": {"p": [*holm(own), math.nan], "p_uncorrected": [*own, math.nan]},
    }
    same(found, expected)
    by_draws(bayes, columns)


def by_draws(found, columns):
    """Probabilities estimated with other random draws."""
    rng = np.random.default_rng(1)
    assert found["rope"] == 0.1
    for i, j in combinations(range(len(columns)), 2):
        differences = [x - y for x, y in zip(columns[i], columns[j], strict=True)]
        won = [0, 0, 0]
        for weights in rng.dirichlet([0.5, *[1.0] * len(differences)], 800):
            shares = many.signed_rank_shares(weights, differences, 0.1)
            won[shares.index(max(shares))] += 1
        worse, equal, better = (w / 800 for w in won)
        assert found["better"][i][j] == pytest.approx(better, abs=0.06)
        assert found["better"][j][i] == pytest.approx(worse, abs=0.06)
        assert found["equal"][i][j] == found["equal"][j][i] == pytest.approx(equal, abs=0.06)
    for a, b, *_, probability in found["conclusions"]:
        i, j = "abcd".index(a), "abcd".index(b)
        assert probability == max(
            found["better"][i][j], found["better"][j][i], found["equal"][i][j]
        )
    assert found.keys() == {"rope", "better", "equal", "conclusions"}


def test_every_number_of_a_ranking_by_mean_ranks_is_recomputed(table, capsys):
    path, values = table
    found = output(capsys, "rank", path, "--test", "nemenyi", "--json")
    n, k = len(values), len(values[0])
    error = math.sqrt(k * (k + 1) / (6 * n))
    mean = many.mean_ranks(values)
    p = [
        float(stats.studentized_range.sf(abs(x - y) / error * math.sqrt(2), k, np.inf))
        for x, y in combinations(mean, 2)
    ]
    cd = float(stats.studentized_range.ppf(0.95, k, np.inf)) / math.sqrt(2) * error
    pairs = {"alpha": 0.05, "p": matrix(k, p), "critical_difference": cd}
    same(found, ranking(values) | {"pairs": pairs})
