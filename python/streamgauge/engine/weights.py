"""Whether a learner takes the weights that a protocol gives to items."""

from __future__ import annotations

from typing import Any

from streamgauge.errors import ParameterError
from streamgauge.log.about import name_of


def check_weights(name: str, learner: Any, protocol: Any) -> None:
    """Refuse a model that takes no weights under a protocol that draws them.

    Without this the run would fail at the first item with a weight other than 1, or, in a pipeline
    of river, the weights would be left out in silence.
    """
    if not draws_weights(protocol):
        return
    reason = without_weights(learner)
    if reason:
        raise ParameterError(
            f"run: learner must take weights with split='bootstrap' ({name_of(protocol)}), got "
            f"{name}, {reason}; use split='cross', or a learner that takes weights"
        )


def draws_weights(protocol: Any) -> bool:
    """Whether a protocol, or the one inside it, draws the weights with which items are learned.

    Examples
    --------
    >>> from streamgauge.protocols import KFold, OneFold
    >>> draws_weights(OneFold(KFold(3, split="bootstrap"))), draws_weights(KFold(3))
    (True, False)
    """
    inner = getattr(protocol, "protocol", None)
    drawn = getattr(protocol, "split", None) == "bootstrap"
    return drawn or (inner is not None and draws_weights(inner))


def without_weights(learner: Any) -> str:
    """Why a learner, or the one inside it, takes no weights; empty if it does."""
    while (inner := getattr(learner, "learner", None)) is not None:
        learner = inner
    return str(getattr(learner, "no_weights", ""))
