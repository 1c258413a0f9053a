"""Names of the streams of an experiment: different streams have different names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path

from streamgauge.experiments.spec import FileStream


def stream_names(sources: Sequence[str | FileStream]) -> dict[str | FileStream, str]:
    """The name of each stream: its text, or that of its file.

    Files of the same name have as much of their paths in front as makes them different; streams of
    one file have the parameters that differ.

    Examples
    --------
    >>> files = [FileStream(file="data/a/x.csv"), FileStream(file="data/b/x.csv", target="y")]
    >>> list(stream_names(["sea", *files]).values())
    ['sea', 'a/x.csv', 'b/x.csv']
    >>> list(stream_names([FileStream(file="x.csv", target=t) for t in "yz"]).values())
    ["x.csv(target='y')", "x.csv(target='z')"]
    """
    files = {s.file for s in sources if isinstance(s, FileStream)}
    names: dict[str | FileStream, str] = {}
    for source in sources:
        name = (
            source
            if isinstance(source, str)
            else _short(source.file, files) + _differing(source, sources)
        )
        names[source] = _unused(name, set(names.values()))
    return names


def _short(file: Path, files: Collection[Path]) -> str:
    """The shortest end of a path that is the end of no other."""
    for n in range(1, len(file.parts)):
        end = file.parts[-n:]
        if sum(other.parts[-n:] == end for other in files) == 1:
            return "/".join(end)
    return str(file)


def _differing(source: FileStream, sources: Iterable[str | FileStream]) -> str:
    """The parameters of a stream in which others of its file differ, as text."""
    others = [_parameters(s) for s in sources if not isinstance(s, str) and s.file == source.file]
    own = _parameters(source)
    keys = [key for key in own if any(other.get(key) != own[key] for other in others)]
    return f"({', '.join(f'{key}={own[key]!r}' for key in keys)})" if keys else ""


def _parameters(source: FileStream) -> dict[str, object]:
    given = {"target": source.target, **(source.model_extra or {})}
    return {key: value for key, value in given.items() if value is not None}


def _unused(name: str, used: set[str]) -> str:
    """The name, with a number if another stream has it."""
    return next(
        text for nth in count(1) if (text := name if nth == 1 else f"{name} #{nth}") not in used
    )


def shown_names(own: Mapping[str, str]) -> dict[str, str]:
    """Names of streams in reports, by their names in the experiment.

    `own` are the names that the streams state themselves, without the parameters that do not
    matter to a reader of one stream (`SEA`). Where several state the same one, they have those of
    the experiment instead.

    Examples
    --------
    >>> shown_names({"sea(seed=1)": "SEA", "sea(seed=2)": "SEA", "stagger": "STAGGER"})
    {'sea(seed=1)': 'sea(seed=1)', 'sea(seed=2)': 'sea(seed=2)', 'stagger': 'STAGGER'}
    """
    times = Counter(own.values())
    shown = {name: name if times[stated] > 1 else stated for name, stated in own.items()}
    return shown if len(set(shown.values())) == len(shown) else dict(zip(own, own, strict=True))
