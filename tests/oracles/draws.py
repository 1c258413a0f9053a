"""The generators' random draws, written out: xoshiro256++ seeded by splitmix64.

With them the concepts that are drawn (trees, planes, centroids) can be drawn again, slowly.
"""

from __future__ import annotations

import numpy as np

MASK = 2**64 - 1
CONCEPT, ITEMS = 1, 2


def mix(z: int) -> int:
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Draws:
    """A sequence of draws for a seed and a role."""

    def __init__(self, seed: int, role: int) -> None:
        start = mix(mix(seed) ^ role)
        self.state = [mix(start + k * 0x9E3779B97F4A7C15 & MASK) for k in range(4)]

    def bits(self) -> int:
        s = self.state
        result = (_left((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        carried = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= carried
        s[3] = _left(s[3], 45)
        return result

    def uniform(self) -> float:
        return (self.bits() >> 11) / 2**53

    def below(self, n: int) -> int:
        return self.bits() * n >> 64


def _left(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & MASK


class Tree:
    """A random decision tree, grown as MOA's description says."""

    def __init__(
        self,
        model_seed: int,
        classes: int = 2,
        nominals: int = 5,
        numerics: int = 5,
        values: int = 5,
        max_depth: int = 5,
        first_leaf_level: int = 3,
        leaf_fraction: float = 0.15,
    ) -> None:
        draws = Draws(model_seed, CONCEPT)

        def grow(depth: int, free: list[int], spans: dict[int, tuple[float, float]]) -> object:
            if depth >= max_depth or (
                depth >= first_leaf_level and draws.uniform() < leaf_fraction
            ):
                return draws.below(classes)
            choice = draws.below(len(free) + numerics)
            if choice < len(free):
                feature = free[choice]
                rest = [f for f in free if f != feature]
                return feature, [grow(depth + 1, rest, spans) for _ in range(values)]
            feature = nominals + choice - len(free)
            low, high = spans[feature]
            cut = low + (high - low) * draws.uniform()
            left = grow(depth + 1, free, spans | {feature: (low, cut)})
            return feature, cut, left, grow(depth + 1, free, spans | {feature: (cut, high)})

        spans = {nominals + i: (0.0, 1.0) for i in range(numerics)}
        self.root = grow(0, list(range(nominals)), spans)

    def label(self, row: list[float]) -> int:
        node = self.root
        while not isinstance(node, int):
            if len(node) == 2:
                node = node[1][int(row[node[0]])]
            else:
                feature, cut, left, right = node
                node = left if row[feature] < cut else right
        return node


def weights(model_seed: int, attributes: int) -> list[float]:
    """The normal vector of a plane."""
    draws = Draws(model_seed, CONCEPT)
    return [draws.uniform() for _ in range(attributes)]


Centroid = tuple[list[float], int, float, float]


def centroids(model_seed: int, classes: int, attributes: int, number: int) -> list[Centroid]:
    """(centre, class, spread, weight) of each."""
    return _centroids(Draws(model_seed, CONCEPT), classes, attributes, number)


def _centroids(draws: Draws, classes: int, attributes: int, number: int) -> list[Centroid]:
    return [
        (
            [draws.uniform() for _ in range(attributes)],
            draws.below(classes),
            draws.uniform(),
            draws.uniform(),
        )
        for _ in range(number)
    ]


def paths(
    model_seed: int,
    classes: int,
    attributes: int,
    number: int,
    moving: int,
    speed: float,
    count: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where each centroid is at each item (centroid × item × attribute), spreads, classes."""
    draws = Draws(model_seed, CONCEPT)
    model = _centroids(draws, classes, attributes, number)
    where = np.array([centre for centre, *_ in model])
    steps = np.zeros_like(where)
    for nth in range(moving):
        way = np.array([draws.uniform() for _ in range(attributes)])
        steps[nth] = speed * way / np.sqrt((way**2).sum())
    seen = np.empty((number, count, attributes))
    for item in range(count):
        where = where + steps
        beyond = (where < 0) | (where > 1)
        steps[beyond] *= -1
        where = where.clip(0, 1)
        seen[:, item] = where
    spreads = np.array([spread for *_, spread, _ in model])
    return seen, spreads, np.array([label for _, label, *_ in model])
