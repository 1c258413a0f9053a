"""Slow, obvious noise variability. Haug, Tramountani, Kasneci (2022), Eq. 1."""

from __future__ import annotations

import math


def noise_variability(loss, labels, predictions, copies):
    """Mean over noise draws of the loss of the perturbed batch minus that of the batch itself.

    `copies` holds the predictions of each perturbed copy of the batch.
    """
    if not copies or not labels:
        return math.nan
    original = loss(labels, predictions)
    return sum(loss(labels, copy) - original for copy in copies) / len(copies)


def flips(predictions, copies):
    """Share of the predictions of copies that differ from that of the item itself."""
    pairs = [(one, other) for copy in copies for one, other in zip(predictions, copy, strict=True)]
    return sum(one != other for one, other in pairs) / len(pairs) if pairs else math.nan


def error(labels, predictions):
    """The share of wrong predictions; None, no prediction, is wrong."""
    wrong = [label != prediction for label, prediction in zip(labels, predictions, strict=True)]
    return sum(wrong) / len(wrong)
