"""`explain`: the methods of an experiment in words, from its run folder alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from streamgauge.comparisons._band_level import band_level
from streamgauge.comparisons._bands import bands
from streamgauge.docstrings import first_paragraph, prose
from streamgauge.errors import LogError
from streamgauge.experiments._cells import Cell, cells
from streamgauge.experiments._experiment import Experiment
from streamgauge.experiments._run_experiment import missing_cells, read_experiment
from streamgauge.experiments._stream_names import stream_names
from streamgauge.experiments.spec import FileStream, NamedLearner
from streamgauge.explanations._members import (
    Sentence,
    citation,
    code,
    described,
    papers,
    settings,
)
from streamgauge.explanations._references import Reference, references
from streamgauge.explanations._text import Format, Name, Paragraph, Part
from streamgauge.log import Log
from streamgauge.log.about import name_of
from streamgauge.measures._compute import default_cold_start
from streamgauge.names import imports_of, make
from streamgauge.report._definitions import CLOCKS, POLICIES
from streamgauge.report._format import listed
from streamgauge.report._verdict_terms import VerdictTerms
from streamgauge.report._verdicts import ALPHA, TESTS, verdict_note
from streamgauge.report._verdicts_over_repetitions import repeated_note
from streamgauge.report._write_report import REQUIRED, measures_shown, windows_shown
from streamgauge.report.baselines import BASELINES
from streamgauge.report.stream_results import is_baseline

SEEDS = 10
"""Most seeds that are listed one by one."""

CHOICES = ("ties", "tail")
"""Parameters of protocols that are stated although they are default: conventions differ."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The methods of an experiment: paragraphs of text with names and citations."""

    paragraphs: tuple[Paragraph, ...]

    @property
    def references(self) -> tuple[Reference, ...]:
        """What the paragraphs cite, by key."""
        keys = {key for paragraph in self.paragraphs for key in paragraph.cited}
        return tuple(references()[key] for key in sorted(keys))

    def text(self, form: Format = "text") -> str:
        """The paragraphs; as plain text, the references follow them."""
        lines = [paragraph.rendered(form) for paragraph in self.paragraphs]
        if form == "text" and self.references:
            lines.append("\n".join(("References", *(r.text for r in self.references))))
        return "\n\n".join(lines) + "\n"

    def bibtex(self) -> str:
        """The references as BibTeX."""
        return "\n".join(reference.bibtex for reference in self.references)

    def __str__(self) -> str:
        return self.text()


def explain(folder: Path | str) -> Explanation:
    """Say in words which definition each number of a run folder follows, with references.

    Streams, learners, protocols, measures, windows, repetitions, baselines, comparisons and
    versions, as a methods section states them. The definitions are those in the docstrings.
    Nothing that the folder names outside streamgauge is imported, and no data file is opened.

    Parameters
    ----------
    folder
        The folder of a run.

    Examples
    --------
    >>> import tempfile
    >>> import streamgauge as sg
    >>> from streamgauge.experiments import Spec, run_experiment
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     logs = run_experiment(Spec(streams=["sea(items=50)"], learners=["nb"]), folder)
    ...     methods = sg.explain(folder)
    >>> methods.paragraphs[2].rendered()
    'Protocol. prequential: Predict each item, then learn it (interleaved test-then-train) \
(Gama et al., 2013).'
    >>> [reference.key for reference in methods.references][:2]
    ['bifet2010moa', 'bifet2013']
    """
    folder = Path(folder)
    experiment, logs = read_experiment(folder)
    if not logs:
        raise LogError(
            f"explain: {folder} must have the log of at least one cell, got none; run it first"
        )
    present = [cell for cell in cells(experiment) if (folder / "cells" / cell.id).exists()]
    found = _Found(experiment, folder, tuple(zip(present, logs, strict=True)))
    parts = (
        ("Streams", found.streams()),
        ("Learners", found.learners()),
        ("Protocol", found.protocols()),
        ("Measures", found.measures()),
        ("Windows", found.windows()),
        ("Conventions", found.conventions()),
        ("Baselines", found.baselines()),
        ("Repetitions", found.repetitions()),
        ("Comparisons", found.comparisons()),
        ("Bands", found.bands()),
        ("Software", found.software()),
        ("Missing results", found.missing()),
    )
    made = (Paragraph(heading, tuple(sentences)) for heading, sentences in parts)
    return Explanation(tuple(paragraph for paragraph in made if paragraph.sentences))


@dataclass(frozen=True, slots=True)
class _Found:
    """An experiment and the logs of its cells; each method gives the sentences of a paragraph."""

    experiment: Experiment
    folder: Path
    runs: tuple[tuple[Cell, Log], ...]

    @property
    def tasks(self) -> list[str]:
        return list(dict.fromkeys(log.schema.task for _, log in self.runs))

    def measures_of(self, task: str) -> tuple[str, ...]:
        """The measures of a report on streams of a task; those of outside are left out."""
        own = [name for name in self.experiment.measures if not imports_of("measure", name)]
        if self.experiment.measures and not own:
            return REQUIRED[task][:1]
        return measures_shown(task, own)

    def windows_of(self, measure: str) -> tuple[str, ...]:
        """The windows of a measure in a report; those of outside are left out."""
        own = [name for name in self.experiment.windows if not imports_of("window", name)]
        if self.experiment.windows and not own:
            return ("whole",)
        return windows_shown(measure, own)

    def streams(self) -> Iterator[Sentence]:
        sources = self.experiment.all_streams()
        for source, text in stream_names(sources).items():
            log = next((log for cell, log in self.runs if cell.stream == source), None)
            facts = " has no finished run" if log is None else _facts(log)
            yield (Name(text), facts, self._read_from(source), ".")
        yield from described("stream", [s for s in sources if isinstance(s, str)])

    def _read_from(self, source: str | FileStream) -> str:
        """The files of a stream, by their fingerprints."""
        if isinstance(source, str):
            files = self.experiment.files.get(source, {})
            read = [f"{name} ({mark or 'not found'})" for name, mark in files.items()]
            return f"; files, with BLAKE2 fingerprints: {', '.join(read)}" if read else ""
        options = {"target": source.target, **(source.model_extra or {})}
        given = ", ".join(f"{key}={value!r}" for key, value in options.items() if value is not None)
        return f"; BLAKE2 fingerprint of the file: {source.fingerprint}" + (
            f"; read with {given}" if given else ""
        )

    def learners(self) -> Iterator[Sentence]:
        entries = self.experiment.all_learners()
        yield ("The learners are ", *_joined(map(self._learner, entries)), ".")
        yield from described("learner", [entry.learner for entry in entries])
        yield ("Parameters that are not stated have their default values.",)

    def _learner(self, entry: NamedLearner) -> list[Part]:
        """A learner with its non-default parameters, and its library."""
        versions = self.experiment.made_with.get(entry.learner, {})
        logs = (log for cell, log in self.runs if cell.learner == entry.learner)
        full = next((log.about.get("learner", "") for log in logs), "")
        parts: list[Part] = [Name(entry.learner if versions or not full else full)]
        if entry.name != entry.learner:
            parts += [" (called ", Name(entry.name), ")"]
        if versions:
            of = code("learner", entry.learner, versions)
            parts += [f" of {of}", papers("learner", entry.learner)]
        return parts

    def protocols(self) -> Iterator[Sentence]:
        texts = self.experiment.all_protocols()
        own = [text for text in texts if not imports_of("protocol", text)]
        seen: dict[type, str] = {}
        for text in own:
            protocol = make("protocol", text, imports=False)
            name = name_of(protocol)
            if type(protocol) in seen:
                yield (Name(name), ": as ", Name(seen[type(protocol)]), ", with other parameters.")
                yield from settings(protocol)
                continue
            words = prose(protocol).removesuffix(".")
            yield (Name(name), ": ", words, citation(protocol), ".")
            yield from settings(protocol, CHOICES)
            seen[type(protocol)] = name
        yield from map(_outside, _from_outside("protocol", texts))

    def measures(self) -> Iterator[Sentence]:
        for task in self.tasks:
            for name in self.measures_of(task):
                measure: Any = make("measure", name, imports=False)
                yield (Name(name), " is ", Name(measure.formula), citation(measure), ".")
                yield (prose(measure),)
                yield from settings(measure)
        yield from map(_outside, _from_outside("measure", self.experiment.measures))

    def windows(self) -> Iterator[Sentence]:
        used = {
            name: self.windows_of(name) for task in self.tasks for name in self.measures_of(task)
        }
        every = dict.fromkeys(window for windows in used.values() for window in windows)
        for name in every:
            window = make("window", name, imports=False)
            yield (Name(name), ": ", prose(window).removesuffix("."), citation(window), ".")
        for measure, windows in used.items():
            if len(windows) < len(every):
                yield (Name(measure), f" is computed in {listed(windows, len(windows))} only.")
        yield from map(_outside, _from_outside("window", self.experiment.windows))

    def conventions(self) -> Iterator[Sentence]:
        yield ("Each known label is compared with the first prediction of its item.",)
        yield (f"Windows count known labels; {CLOCKS['label']}.",)
        for task in self.tasks:
            yield (f"In {task}, {POLICIES[default_cold_start(task)]}.",)
        yield ("A value that is undefined, such as 0/0, is NaN: a gap in a curve, never 0.",)

    def baselines(self) -> Iterator[Sentence]:
        for task in self.tasks:
            for name, learner in BASELINES[task].items():
                line = first_paragraph(learner).removesuffix(".")
                yield (Name(name), ": ", line, citation(learner), ".")
        yield (
            "A baseline that was not run is computed from the labels, under the same protocol: "
            "each prediction uses the labels learned by then.",
        )

    def repetitions(self) -> Iterator[Sentence]:
        seeds = list(dict.fromkeys(str(cell.seed) for cell in cells(self.experiment)))
        shown = ", ".join(seeds[:SEEDS]) + (", …" if len(seeds) > SEEDS else "")
        count = self.experiment.repetitions
        times = "once" if count == 1 else f"{count:,} times"
        yield (f"Each learner was run {times} on each stream; seeds: {shown}.",)
        yield (
            "The seeds of stream and protocol do not depend on the learner: all learners of a "
            "repetition get the same items.",
        )
        if count > 1:
            yield (
                "Values are means over repetitions with their sample standard deviation; the "
                "interval is the 95 % t interval of the mean.",
            )

    def comparisons(self) -> Iterator[Sentence]:
        for task in self.tasks:
            compared = {
                cell.learner
                for cell, log in self.runs
                if log.schema.task == task and not is_baseline(log.about.get("learner", ""))
            }
            if len(compared) < 2:
                continue
            if self.experiment.repetitions > 1:
                yield (repeated_note(ALPHA, len(self.runs)),)
                continue
            yield (verdict_note(task, len(self.runs), self.terms),)
            for test in TESTS[task]:
                yield (first_paragraph(test).removesuffix("."), citation(test), ".")

    @property
    def terms(self) -> VerdictTerms:
        """What the verdicts of the report depend on."""
        return VerdictTerms(self.experiment.spell, self.experiment.margin)

    def bands(self) -> Iterator[Sentence]:
        if self.experiment.bands is not None:
            line = first_paragraph(bands).removesuffix(".")
            chosen = band_level("explain", "bands", self.experiment.bands)
            where = "at all points together" if chosen.time_uniform else "at each point"
            level = f", at a confidence level of {chosen.level:g} {where}"
            yield (line, level, citation(bands), ".")

    def software(self) -> Iterator[Sentence]:
        kept = (
            ("streamgauge", "streamgauge"),
            ("python", "Python"),
            ("numpy", "NumPy"),
            ("machine", "on"),
        )
        words = []
        for key, name in kept:
            versions = dict.fromkeys(log.about[key] for _, log in self.runs if key in log.about)
            if versions:
                words.append(f"{name} {' and '.join(versions)}")
        yield (f"The cells were run with {', '.join(words)}.",)

    def missing(self) -> Iterator[Sentence]:
        if sentence := missing_cells(self.experiment, self.folder):
            yield (f"{sentence}.",)
        incomplete = [cell.title for cell, log in self.runs if not log.complete]
        if incomplete:
            yield (f"Interrupted, and measured up to that point: {listed(incomplete)}.",)


def _facts(log: Log) -> str:
    """Items, features, classes and known drifts of a stream, from a log."""
    schema = log.schema
    items = int(log.resources.get("items", log.label_count()))
    nominal = sum(feature.values is not None for feature in schema.features)
    features = f"{len(schema.features):,} features ({nominal:,} nominal)"
    target = "a real target"
    if schema.classes is not None:
        target = f"{len(schema.classes):,} classes ({listed(schema.classes, 6)})"
    drifts = ""
    if schema.drifts:
        centres = (f"{drift.centre:,}" for drift in schema.drifts)
        drifts = f"; known drifts at items {listed(centres, 10)}"
    return f" has {items:,} items, {features} and {target}{drifts}"


def _joined(items: Iterable[list[Part]]) -> list[Part]:
    """Items of a list, with commas."""
    parts: list[Part] = []
    for item in items:
        parts += [", ", *item] if parts else item
    return parts


def _from_outside(family: str, texts: Sequence[str]) -> list[str]:
    return [text for text in texts if imports_of(family, text)]


def _outside(text: str) -> Sentence:
    return (Name(text), " is defined outside streamgauge; its code states what it does.")
