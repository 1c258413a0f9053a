"""What the learners of an edited case base can be told."""

from __future__ import annotations

from typing import Literal, Protocol

from streamgauge.errors import ParameterError
from streamgauge.learners._shape import Spec, count, positive

Kernel = Literal["gaussian", "exponential", "linear", "inverse", "equal"]
Adapt = Literal["width", "k", "nothing"]
KERNELS: tuple[Kernel, ...] = ("gaussian", "exponential", "linear", "inverse", "equal")
WITH_WIDTH = KERNELS[:2]
ADAPTS: tuple[Adapt, ...] = ("width", "k", "nothing")


class CaseBase(Spec, Protocol):
    """A description with these parameters."""

    @property
    def k(self) -> int: ...
    @property
    def k_least(self) -> int: ...
    @property
    def k_most(self) -> int: ...
    @property
    def kernel(self) -> Kernel: ...
    @property
    def width(self) -> float: ...
    @property
    def adapt(self) -> Adapt: ...
    @property
    def cases(self) -> int: ...
    @property
    def warm_up(self) -> int: ...


def check_case_base(learner: CaseBase) -> None:
    """Refuse parameters that are out of their range or contradict each other."""
    for what in ("k", "k_least", "k_most", "cases", "warm_up"):
        count(learner, what, getattr(learner, what))
    positive(learner, "width", learner.width)
    for what, words in (("kernel", KERNELS), ("adapt", ADAPTS)):
        if getattr(learner, what) not in words:
            one = f"one of {', '.join(map(repr, words))}"
            raise ParameterError.of(learner, what, one, getattr(learner, what))
    if learner.k_least > learner.k:
        raise ParameterError.of(learner, "k_least", f"at most k ({learner.k})", learner.k_least)
    if learner.k_most < learner.k:
        raise ParameterError.of(learner, "k_most", f"at least k ({learner.k})", learner.k_most)
    if learner.adapt == "width" and learner.kernel not in WITH_WIDTH:
        one = f"'k' or 'nothing' with the kernel {learner.kernel!r}, which has no width"
        raise ParameterError.of(learner, "adapt", one, learner.adapt)
    if learner.warm_up > learner.cases:
        most = f"at most cases ({learner.cases})"
        raise ParameterError.of(learner, "warm_up", most, learner.warm_up)
