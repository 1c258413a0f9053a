"""Holm's correction for many tests."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down correction of p-values, which controls the family-wise error rate.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none may fall below the
    one before, none exceeds 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]

    References
    ----------
    Holm. A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6 (1979).
    """
    corrected = [0.0] * len(p)
    least = 0.0
    for done, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        least = max(least, min(1.0, (len(p) - done) * p[i]))
        corrected[i] = least
    return corrected
