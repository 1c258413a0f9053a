"""The parameters of learners with an edited case base, checked."""

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
    def k_min(self) -> int: ...
    @property
    def k_max(self) -> int: ...
    @property
    def kernel(self) -> Kernel: ...
    @property
    def width(self) -> float: ...
    @property
    def adapt(self) -> Adapt: ...
    @property
    def max_cases(self) -> int: ...
    @property
    def warm_start(self) -> int: ...


def check_case_base(learner: CaseBase) -> None:
    """Refuse parameters that are out of their range or contradict each other."""
    for what in ("k", "k_min", "k_max", "max_cases", "warm_start"):
        count(learner, what, getattr(learner, what))
    positive(learner, "width", learner.width)
    for what, words in (("kernel", KERNELS), ("adapt", ADAPTS)):
        if getattr(learner, what) not in words:
            one = f"one of {', '.join(map(repr, words))}"
            raise ParameterError.of(learner, what, one, getattr(learner, what))
    if learner.k_min > learner.k:
        raise ParameterError.of(learner, "k_min", f"at most k ({learner.k})", learner.k_min)
    if learner.k_max < learner.k:
        raise ParameterError.of(learner, "k_max", f"at least k ({learner.k})", learner.k_max)
    if learner.adapt == "width" and learner.kernel not in WITH_WIDTH:
        one = f"'k' or 'nothing' with the kernel {learner.kernel!r}, which has no width"
        raise ParameterError.of(learner, "adapt", one, learner.adapt)
    if learner.warm_start > learner.max_cases:
        most = f"at most max_cases ({learner.max_cases})"
        raise ParameterError.of(learner, "warm_start", most, learner.warm_start)
