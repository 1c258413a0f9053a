"""Labels with known order: random, dependent at some lag, drifting."""

from __future__ import annotations

import numpy as np

from oracles.dependent_losses import bursts


def independent(rng, n, shares=(0.6, 0.4)):
    return rng.choice(len(shares), n, p=shares).astype(np.int32)


def sticky(rng, n, stay=0.6):
    """Each label equals the previous one with this probability; two classes."""
    return (np.cumsum(rng.random(n) > stay) % 2).astype(np.int32)


def lag_two(rng, n, stay=0.6):
    """Two chains in turn: a label depends on the one before the previous one only."""
    labels = np.empty(n, np.int32)
    labels[::2] = sticky(rng, len(labels[::2]), stay)
    labels[1::2] = sticky(rng, len(labels[1::2]), stay)
    return labels


def never_two_on(rng, n):
    """Three classes that never go from i to i + 2, and repeat in a third of cases, as by chance."""
    return (np.cumsum(rng.random(n) < 2 / 3) % 3).astype(np.int32)


def faults(rng, n, length=10, share=0.01):
    """A rare class in runs."""
    return bursts(rng, n, length, share).astype(np.int32)


def rare(rng, n, share=0.005):
    """A rare class in random order."""
    return (rng.random(n) < share).astype(np.int32)


def slow_drift(rng, n, first=0.3, last=0.7):
    """Independent labels whose share of class 1 changes steadily."""
    return (rng.random(n) < np.linspace(first, last, n)).astype(np.int32)


def sudden_drift(rng, n, first=0.2, last=0.8):
    """Independent labels whose share of class 1 changes once."""
    return (rng.random(n) < np.where(np.arange(n) < n // 3, first, last)).astype(np.int32)


def seasonal(rng, n, period=500):
    """Independent labels whose share of class 1 rises and falls."""
    share = 0.5 + 0.2 * np.sin(2 * np.pi * np.arange(n) / period)
    return (rng.random(n) < share).astype(np.int32)


def many(rng, n, classes=40):
    """Independent labels of many classes, some of them rare."""
    shares = 1 / np.arange(1, classes + 1)
    return rng.choice(classes, n, p=shares / shares.sum()).astype(np.int32)
