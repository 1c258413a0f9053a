"""Costs of a run, recomputed from rows. Slow and obvious."""

from __future__ import annotations


def ram_hours(samples, seconds, items):
    """GiB times hours of samples (item, bytes): each stands for the items since the one before."""
    total, before = 0.0, -1
    by_item = {}
    for item, size in samples:  # folds add up
        by_item[item] = by_item.get(item, 0.0) + size
    for item in sorted(by_item):
        hours = (item - before) * (seconds / items) / 3600
        total += by_item[item] / 1024 / 1024 / 1024 * hours
        before = item
    return total


def served(times, service, buffer):
    """The items that a learner serves which takes one after the other, each for `service`."""
    kept, starts = [], []
    free = 0.0
    for item, now in enumerate(times):
        starts = [start for start in starts if start > now]  # those that still wait
        busy = free > now
        if busy and len(starts) >= buffer:
            continue
        start = max(free, now)
        if start > now:
            starts.append(start)
        free = start + service
        kept.append(item)
    return kept
