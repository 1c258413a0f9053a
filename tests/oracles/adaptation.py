"""Slow, obvious drift performance deterioration and drift restoration time.

Haug, Tramountani, Kasneci (2022), Eq. 2 and 3: over the losses of time steps, a drift at step d
(the first of the new concept), and windows of W steps.
"""

from __future__ import annotations

import math
from fractions import Fraction


def dpd(losses, d, w, partial=False):
    """Eq. 2; undefined unless all steps from d - w to d + w - 1 exist."""
    after = [losses[d + i] for i in range(w) if d + i < len(losses)]
    before = [losses[d - i] for i in range(1, w + 1) if 0 <= d - i < len(losses)]
    if any(math.isnan(x) for x in before + after):
        return math.nan
    if partial:
        if not before or not after:
            return math.nan
    elif len(before) < w or len(after) < w:
        return math.nan
    return float(mean(after) - mean(before))


def drt(losses, d, w, score=False, stop=None):
    """Eq. 3; undefined unless all steps from d - w to d - 1 exist; infinite if it never happens."""
    before = [losses[d - i] for i in range(1, w + 1) if 0 <= d - i < len(losses)]
    if len(before) < w or any(math.isnan(x) for x in before):
        return math.nan
    reference = mean(before)
    for t in range(d, len(losses) if stop is None else min(stop, len(losses))):
        if math.isnan(losses[t]):
            continue
        loss = Fraction(losses[t])
        equal = abs(loss - reference) <= Fraction(1, 10**9) * max(abs(loss), abs(reference))
        if equal or (loss > reference if score else loss < reference):
            return float(t - d)
    return math.inf


def mean(values):
    """The exact mean."""
    return sum(map(Fraction, values)) / len(values)


def steps(wrong, d, batch):
    """Mean loss of batches of items counted from item d, and the number of batches before d.

    Batches that are not whole are left out.
    """
    before = d // batch
    first = d - before * batch
    found = []
    while first + batch <= len(wrong):
        found.append(sum(wrong[first : first + batch]) / batch)
        first += batch
    return before, found


def overlapping(wrong, d, batch, every, w):
    """Values before the drift and from the drift on, of batches that begin every `every` items.

    A batch counts if it lies wholly within `w` items before the drift, or from the drift on.
    """
    share = lambda first: sum(wrong[first : first + batch]) / batch  # noqa: E731
    before = [share(d + k) for k in range(-w, 0, every) if d + k >= 0 and k + batch <= 0]
    after = [share(t) for t in range(d, len(wrong) - batch + 1, every)]
    return before, after
