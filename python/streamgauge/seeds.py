"""Child seeds: one for each role, derived from one seed, independent of the order of calls."""

from __future__ import annotations

from hashlib import blake2b


def child(seed: int, role: str, name: str = "", fold: int = 0) -> int:
    """A seed that depends on (seed, role, name, fold) alone.

    Examples
    --------
    >>> child(0, "learner", "naive_bayes") == child(0, "learner", "naive_bayes")
    True
    >>> child(0, "learner", "naive_bayes") == child(0, "learner", "naive_bayes", fold=1)
    False
    """
    text = "\x1f".join((str(seed), role, name, str(fold)))
    return (
        int.from_bytes(blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest(), "big")
        >> 1
    )
