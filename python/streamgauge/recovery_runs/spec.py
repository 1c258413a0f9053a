"""Specification of recovery analyses, read from TOML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from streamgauge.errors import SpecError
from streamgauge.experiments._mistakes import mistake
from streamgauge.experiments.spec import LearnerEntry, NamedLearner, Source, Whole, read_content
from streamgauge.names import make
from streamgauge.progress import Progress
from streamgauge.recovery_analysis.recovery_panel import Recovery
from streamgauge.recovery_analysis.transition import transition_of
from streamgauge.recovery_runs._bound_curve import check_bound
from streamgauge.recovery_runs._checks import check_names
from streamgauge.recovery_runs._recovery import chosen_learners, recovery
from streamgauge.streams._named_stream import is_file
from streamgauge.streams._open_stream import open_stream
from streamgauge.streams._renamed import Renamed
from streamgauge.types import Stream


class StreamPair(BaseModel):
    """Two pure streams, or more, with a name; keys that it omits are those of the analysis."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(default="", description="The name in tables and reports.")
    before: Source = Field(description="The pure stream before the drift.")
    after: Source | list[Source] = Field(description="That after it; several for several drifts.")
    items: Whole | None = Field(default=None, ge=1, description="Number of items of each stream.")
    learners: list[LearnerEntry] = Field(default=[], description="The learners of the pair.")
    measure: str = Field(default="", description="The measure of the curves.")
    window: str = Field(default="", description="The window of the measure.")
    bound: str = Field(default="", description="levels, curves, cross or none.")


class RecoverySpec(BaseModel):
    """Recovery analyses: pairs of pure streams × settings of the drift × learners."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(default="Recovery analysis", description="The title of the report.")
    seed: Whole = Field(default=0, ge=0, description="The seed of all random numbers.")
    repetitions: Whole = Field(default=10, ge=1, description="Number of repetitions.")
    drifts: list[str | float] = Field(
        default=["moderate"], min_length=1, description="slow, moderate, sudden or widths in items."
    )
    learners: list[LearnerEntry] = Field(default=[], description="The learners.")
    measure: str = Field(default="", description="The measure; accuracy or rmse by default.")
    window: str = Field(default="", description="The window of the measure.")
    bound: str = Field(default="levels", description="levels, curves, cross or none.")
    delay: str | float | None = Field(default=None, description="Delay of the labels, in items.")
    pairs: list[StreamPair] = Field(min_length=1, description="The pairs of pure streams.")


def read_recovery_spec(path: Path | str) -> RecoverySpec:
    """Read the analyses of a TOML file; every mistake is listed.

    A file without `pairs` may give `before` and `after` at the top.
    """
    content = read_content(path)
    if "pairs" not in content and ("before" in content or "after" in content):
        own = {key: content.pop(key) for key in ("before", "after", "items") if key in content}
        content["pairs"] = [own]
    try:
        spec = RecoverySpec.model_validate(content)
    except ValidationError as error:
        known = [*RecoverySpec.model_fields, *StreamPair.model_fields]
        found = [mistake(dict(one), known) for one in error.errors(include_url=False)]
        raise SpecError(str(path), found) from None
    mistakes = [
        f"pairs.{nth}.learners: must have at least one, or give learners for all"
        for nth, pair in enumerate(spec.pairs)
        if not (pair.learners or spec.learners)
    ]
    if mistakes:
        raise SpecError(str(path), mistakes)
    return spec


def run_recovery_spec(
    spec: RecoverySpec,
    base: Path,
    *,
    folder: Path | None = None,
    progress: Callable[[str], Progress | bool] | None = None,
    **options: Any,
) -> dict[str, Recovery]:
    """Run the analyses of a spec; name of the pair -> its result.

    Paths are relative to `base`. With `folder`, the logs of a pair are kept in a folder in it.
    """
    found: dict[str, Recovery] = {}
    drifts = [transition_of(one) for one in spec.drifts]
    opened: dict[str, Stream] = {}

    def stream(source: Any) -> Stream:
        key = source if isinstance(source, str) else source.model_dump_json()
        if key not in opened:  # a stream that returns must be the same object
            opened[key] = _opened(source, base)
        return opened[key]

    # A mistake in the last pair is found before the first one is run.
    chosen = [
        chosen_learners({e.name: e.learner for e in map(_named, pair.learners or spec.learners)})
        for pair in spec.pairs
    ]
    names = _names(spec.pairs)
    concepts = [
        [stream(one) for one in (p.before, *(p.after if isinstance(p.after, list) else [p.after]))]
        for p in spec.pairs
    ]
    for pair in spec.pairs:
        check_bound(pair.bound or spec.bound)
        for kind in ("measure", "window"):
            if text := getattr(pair, kind) or getattr(spec, kind):
                make(kind, text)
    each = zip(names, spec.pairs, concepts, chosen, strict=True)
    for nth, (name, pair, (before, *after), learners) in enumerate(each, 1):
        given: dict[str, Any] = {
            "repetitions": spec.repetitions,
            "seed": spec.seed,
            "delay": spec.delay,
            "measure": pair.measure or spec.measure,
            "bound": pair.bound or spec.bound,
            **options,
        }
        window = pair.window or spec.window
        found[name] = recovery(
            learners,
            before=before,
            after=after,
            drift=drifts,
            items=pair.items,
            window=window or None,
            folder=None if folder is None else folder / f"{nth}",
            name=name,
            progress=False if progress is None else progress(name),
            **given,
        )
    return found


def _names(pairs: Sequence[StreamPair]) -> list[str]:
    """The names of the pairs, with a number where one is missing or occurs again."""
    found: list[str] = []
    for nth, pair in enumerate(pairs, 1):
        check_names(pair.name, True)
        name = own = pair.name or f"pair {nth}"
        for more in count(2):
            if name not in found:
                break
            name = f"{own} #{more}"
        found.append(name)
    return found


def _named(entry: Any) -> NamedLearner:
    if isinstance(entry, NamedLearner):
        return entry
    return NamedLearner.model_construct(name=str(entry), learner=str(entry))


def _opened(source: Any, base: Path) -> Stream:
    """A stream of a spec, named as it is written there."""
    if not isinstance(source, str):
        found: Stream = source.relative_to(base).open()
        return found
    if is_file(str(base / source)):
        return open_stream(base / source)
    return Renamed(make("stream", source, folder=base), source)
