"""Seeds: one for each role, the same for ever."""

from __future__ import annotations

from hashlib import blake2b
from itertools import product

from streamgauge.seeds import child


def test_a_seed_depends_on_every_part_of_its_name_and_on_nothing_else():
    parts = list(product((0, 1, 10), ("learner", "stream"), ("", "a", "b"), (0, 1, 10)))
    seeds = [child(*part) for part in parts]
    assert len(set(seeds)) == len(parts)
    assert seeds == [child(*part) for part in parts]
    assert child(3, "stream") == child(3, "stream", "", 0)


def test_a_seed_is_the_hash_of_its_name():
    """Written out: a run of today must be repeatable tomorrow."""
    for part in [(0, "learner", "naive_bayes", 0), (7, "weight 1", "", 2)]:
        digest = blake2b("\x1f".join(map(str, part)).encode(), digest_size=8).digest()
        assert child(*part) == int.from_bytes(digest, "big") // 2
        assert 0 <= child(*part) < 2**63
    assert child(0, "learner", "naive_bayes") == 7156530996376335325


def test_a_name_that_is_not_utf_8_has_a_seed_of_its_own():
    seeds = {child(0, "stream", name) for name in ("caf\udce9", "caf\udcea", "caf")}
    assert len(seeds) == 3
