"""Experiment of a run folder: its spec, and what its cells are made with."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TypeAlias

from pydantic import Field, ValidationError

from streamgauge._core import VERSION
from streamgauge.checksums import is_sealed
from streamgauge.errors import ParameterError, SpecError, error_line
from streamgauge.experiments._fingerprints import file_fingerprint
from streamgauge.experiments._mistakes import mistake
from streamgauge.experiments._versions import versions_of
from streamgauge.experiments.spec import FileStream, Spec
from streamgauge.measures._compute import needs_scores
from streamgauge.names import CATALOG, files_of, imports_of, make

NAME = "experiment.json"


MadeWith: TypeAlias = tuple[str, list[dict[str, str]], dict[str, str]]
"""Of a cell: the version of streamgauge, those of other code by text, fingerprints of files."""


class Experiment(Spec):
    """A spec as its run folder keeps it, with what the ids of its cells depend on.

    `streamgauge` is its version; `made_with` holds the versions of other code by the text that
    names it, `files` the fingerprints of the files in the text of a stream. `kept` holds what the
    cells of other versions that were kept are made with, by the id of the cell they stand for.
    """

    streamgauge: str = ""
    made_with: dict[str, dict[str, str]] = Field(default_factory=dict)
    files: dict[str, dict[str, str]] = Field(default_factory=dict)
    kept: dict[str, MadeWith] = Field(default_factory=dict)

    def spec(self) -> Spec:
        """The spec alone."""
        keys = set(Spec.model_fields)
        return Spec.model_validate(self.model_dump(include=keys))


def settle(spec: Spec, imports: bool = True) -> Experiment:
    """Add versions and fingerprints, which are found without importing or opening anything.

    Without `imports`, measures from outside count as measures that need no scores.
    """
    if isinstance(spec, Experiment):
        return spec
    measures = [
        make("measure", m, imports=imports)
        for m in spec.measures
        if imports or not imports_of("measure", m)
    ]
    named = [s for s in spec.all_streams() if isinstance(s, str)]
    made_with: dict[str, dict[str, str]] = {}
    for family, texts in (
        ("stream", named),
        ("learner", [entry.learner for entry in spec.all_learners()]),
        ("protocol", spec.all_protocols()),
    ):
        for text in texts:
            made_with[text] = made_with.get(text, {}) | versions_of(family, text)
    files = {
        text: {name: file_fingerprint(path) for name, path in files_of(text, spec.folder).items()}
        for text in named
    }
    return Experiment.model_validate(
        {
            **{name: getattr(spec.in_folder(spec.folder), name) for name in Spec.model_fields},
            "scores": spec.scores or needs_scores(measures),
            "streamgauge": VERSION,
            "made_with": {text: found for text, found in made_with.items() if found},
            "files": {text: found for text, found in files.items() if found},
        }
    ).in_folder(spec.folder)


def read_stored(folder: Path | str) -> Experiment:
    """The experiment of a run folder: data, of which nothing is made or imported."""
    folder = Path(folder)
    path = folder / NAME
    if not path.is_file():
        raise ParameterError(
            f"{folder}: must be a run folder with {NAME}, got none; check the path"
        )
    try:
        text = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error_line(error)) from error
    if not is_sealed(text.decode(errors="replace")):
        raise SpecError(
            str(path),
            ["must be as the run wrote it, got another checksum; run the experiment again"],
        )
    version = ""
    try:
        content = json.loads(text)
        version = str(content.get("streamgauge", ""))
        del content["checksum"]
        experiment = Experiment.model_validate(content)
        parts = experiment.parts()
        missing = [k for k in ("streams", "learners") if not all(getattr(p, k) for p in parts)]
        if not missing:
            return experiment
        why = f"{missing[0]}: must be given"
    except ValidationError as error:
        why = mistake(dict(error.errors(include_url=False)[0]), Experiment.model_fields)
    except (ValueError, TypeError, RecursionError) as error:  # a checksum fits any content
        why = error_line(error)
    if is_newer(version):
        must = f"must be of streamgauge {VERSION} or earlier"
        raise SpecError(str(path), [f"{must}, got {version} ({why}); upgrade streamgauge"])
    raise _unreadable(path, why)


def is_newer(version: str) -> bool:
    """Whether a version of streamgauge is later than this one.

    Examples
    --------
    >>> is_newer("999.0"), is_newer("0.0.1"), is_newer("")
    (True, False, False)
    """
    numbers = [[int(n) for n in re.findall(r"\d+", text)[:3]] for text in (version, VERSION)]
    return numbers[0] > numbers[1]


def _unreadable(path: Path, why: str) -> SpecError:
    return SpecError(
        str(path), [f"must be the experiment of a run, got a file that cannot be read ({why})"]
    )


def is_whole(folder: Path) -> bool:
    """Whether the experiment of a run folder can be read and is exactly as a run wrote it."""
    try:
        text = (folder / NAME).read_bytes()
    except OSError:
        return False
    return is_sealed(text.decode(errors="replace"))


def check_own(experiment: Experiment, folder: Path) -> None:
    """Refuse measures and windows of a folder that is read if they would import code."""
    for key, family in (("measures", "measure"), ("windows", "window")):
        for text in getattr(experiment, key):
            if outside := imports_of(family, text):
                raise ParameterError(
                    f"{folder / NAME}: {key} must be streamgauge's own in a folder that is read, "
                    f"got {outside[0]!r}, which would import code; name the {key} yourself"
                )
            make(family, text, imports=False)


def changed_versions(stored: Experiment, now: Experiment) -> list[str]:
    """Versions that differ, as `river 0.22 -> 0.23`; their cells are run again."""
    found: dict[str, None] = {}
    if stored.streamgauge != now.streamgauge:
        found[f"streamgauge {stored.streamgauge or 'unknown'} -> {now.streamgauge}"] = None
    for text, versions in now.made_with.items():
        before = stored.made_with.get(text, {})
        for package, number in versions.items():
            if before.get(package) != number:
                was = before.get(package, "unknown")
                found[f"{package} {was} -> {number}"] = None
    for version, libraries, _ in stored.kept.values():
        if version != now.streamgauge:
            found[f"streamgauge {version or 'unknown'} -> {now.streamgauge}"] = None
        for package, was in ((p, was) for library in libraries for p, was in library.items()):
            numbers = {v[package] for v in now.made_with.values() if package in v}
            if numbers and was not in numbers:
                found[f"{package} {was} -> {', '.join(sorted(numbers))}"] = None
    return list(found)


def changed_files(stored: Experiment, now: Experiment) -> list[str]:
    """Files, as written in the spec, that are missing or have another content.

    A missing file of the catalog is not among them: its stream states how to get it.
    """
    pairs = [
        (str(a.file), a.fingerprint, b.fingerprint)
        for a, b in zip(stored.all_streams(), now.all_streams(), strict=True)
        if isinstance(a, FileStream) and isinstance(b, FileStream)
    ]
    for text, files in now.files.items():
        before = stored.files.get(text, {})
        pairs += [
            (path, before.get(path, ""), found)
            for path, found in files.items()
            if found or not path.startswith(CATALOG)
        ]
    return [path for path, before, found in pairs if before != found or not found]
