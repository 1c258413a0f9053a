"""Kills, concurrent writers and power failures: does a run folder end as an undisturbed one?

`make torture`, or `PYTHONPATH=tests python -m torture kills --count 1000 --seed 0`.
"""
