"""Command lines: valid commands with added, changed and removed options."""

from __future__ import annotations

import random
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from fuzz.changes import ODD_TEXTS
from fuzz.command_line import check_command
from fuzz.kind import Input, Progress
from fuzz.names import drawn_name
from fuzz.run_folders import write
from fuzz.small_runs import SPEC, perturbed_log, run_folder
from fuzz.specs import DATA
from streamgauge.cli import COMMANDS

for library in ("matplotlib.figure", "matplotlib.backends.backend_svg", "scipy.stats", "jinja2"):
    import_module(library)  # before the forks, which would each import it again

FIRST_CHECK = "options accepted by their parser, the command was called"
VALID: dict[str, tuple[str, ...]] = {
    "run": (
        "run e.toml --executor serial --quiet", "run e.toml --out run --executor serial --json",
        "run run --executor serial --quiet",
        "run e.toml --out run --keep-versions --executor serial --quiet",
        "run e.toml --executor serial --retries 3 --checkpoint-seconds 5 --quiet",
    ),
    "evaluate": (
        "evaluate d.csv --target y --quiet", "evaluate d.csv -l nb --json",
        "evaluate sea(items=30) -m kappa --quiet", "evaluate d.arff --take 9 --json",
    ),
    "measure": ("measure p.csv --label y --prediction p", "measure CELL", "measure CELL --json"),
    "compare": ("compare run", "compare p.csv --label y --prediction p,q", "compare CELL CELL2"),
    "rank": ("rank run", "rank run --json", "rank s.csv"),
    "detect": ("detect CELL", "detect p.csv --label y --prediction p -d ddm"),
    "diagnose": ("diagnose d.csv --shuffles 2 --quiet",),
    "bins": ("bins CELL", "bins CELL3 --bins 3"),
    "delay-sweep": ("delay-sweep d.csv --delays 0,2 --quiet",),
    "load-sweep": ("load-sweep d.csv --rates 10 --service 0.1 --quiet",),
    "memory-sweep": ("memory-sweep d.csv --limits 100KB --quiet",),
    "export": ("export d.csv out.arff", "export sea(items=9) out.csv", "export d.csv out.parquet"),
    "report": ("report run --out r.json", "report run --out r.csv"),
    "list": ("list", "list learners", "list measures --json"),
    "plan": ("plan e.toml", "plan e.toml --json --orders 3 --trial 0", "plan run"),
    "verify": (
        "verify run", "verify CELL --json", "verify run --rerun",
        "verify run --rerun --sample 1 --json",
    ),
    "init": ("init new.toml", "init new.toml --schema"),
    "explain": ("explain run", "explain run --format latex --bibtex r.bib", "explain run --json"),
    "mlflow": ("mlflow run http://127.0.0.1:9 --points 5", "mlflow run http://127.0.0.1:9 --json"),
    "query": ("query run from\u00a0results", "query run select\u00a01 --csv"),
    "diff": ("diff run run", "diff run run --json"),
    "prune": ("prune run --dry-run", "prune run --dry-run --json --keep e.toml"),
    "data": ("data list",),
    "power": (
        "power --gap 0.01 --disagreement 0.3",
        "power --gap 0.02 --disagreement 0.3 --dependence 5 --json",
    ),
    "adaptation": (
        "adaptation p.csv --label y --prediction p --drifts 20 -w 10 --batch 5",
        "adaptation CELL --drifts 20 -w 10 --batch 5 --json",
    ),
    "profile": ("profile CELL CELL2", "profile CELL CELL2 --json"),
    "recover": (
        "recover sea(1) sea(3) -l nb --items 60 --repetitions 2 --executor serial --quiet",
        "recover sea(1) sea(3) -l nb --items 60 --repetitions 2 --drift sudden,width=9 "
        "--executor serial --json",
        "recover d.csv relabel(csv('d.csv'),'invert') -l nb --repetitions 2 --executor serial",
    ),
    "stability": ("stability noisy", "stability noisy -m kappa --json"),
    "drift": (
        "drift bernoulli(items=60,at=(30,)) -t 10 -r 2 --quiet",
        "drift sea(items=40) --inject 20 -t 5 -r 1 -d ddm --json",
    ),
}  # fmt: skip
if VALID.keys() != COMMANDS.keys():
    raise AssertionError(f"commands without a valid line: {COMMANDS.keys() ^ VALID.keys()}")
SLOW = {
    "diagnose": 0.15,
    "delay-sweep": 0.3,
    "report": 0.15,
    "run": 0.5,
    "rank": 0.5,
    "verify": 0.5,
    "plan": 0.5,
}
"""Commands that take longer are drawn less often."""

NAMES = {
    "learners": "learner", "measures": "measure", "measure": "measure", "windows": "window",
    "window": "window", "detectors": "detector", "protocol": "protocol",
}  # fmt: skip
PATHS = (
    "out.csv",
    "r.html",
    "r.json",
    "r.md",
    "o.svg",
    "o.pdf",
    "run",
    "d.csv",
    "no/such/x.csv",
    "t.tex",
)
COLUMNS = ("y", "a", "b", "p", "q", "none", "y,a", "a,b", "", "é")


def files() -> dict[str, bytes]:
    """Files that the commands name."""
    rows = [f"{'uv'[i % 3 > 0]},{'uv'[i % 2]},{'uv'[i % 5 > 1]},{i / 40}" for i in range(40)]
    arff = "@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n" + "1,u\n2,v\n?,u\n" * 5
    scores = "stream,nb,tree,knn\n" + "".join(f"s{i},0.{i + 3},0.{i + 4},0.{i}\n" for i in range(6))
    return {
        "d.csv": DATA.encode(),
        "d.arff": arff.encode(),
        "p.csv": ("y,p,q,s\n" + "\n".join(rows) + "\n").encode(),
        "s.csv": scores.encode(),
        "e.toml": SPEC.encode(),
        **{f"run/{name}": content for name, content in run_folder().items()},
        **{f"noisy/{name}": content for name, content in perturbed_log().items()},
    }


@cache
def cells() -> list[str]:
    """The folders of the logs."""
    return sorted(f"run/{n.rpartition('/')[0]}" for n in run_folder() if n.endswith("log.json"))


@cache
def options_of(command: str) -> list[click.Option]:
    """The options of a command, of all its groups."""
    found = import_module(f"streamgauge.cli.{command.replace('-', '_')}").command
    return [p for p in found.params if isinstance(p, click.Option)]


def draw(draw: random.Random) -> Input:
    """A valid command with up to three changes."""
    names = sorted(COMMANDS)
    command = draw.choice([n for n in names if draw.random() < SLOW.get(n, 1.0)] or ["list"])
    line = draw.choice(VALID[command]).split(" ")
    for nth, word in enumerate(("CELL3", "CELL2", "CELL")):
        line = [cells()[2 - nth] if part == word else part for part in line]
    for _ in range(draw.choice((0, 1, 1, 1, 2, 3))):
        known = options_of(command)
        if known and draw.random() < 0.8:
            option = draw.choice(known)
            flag = draw.choice([*option.opts, *option.secondary_opts])
            line += [flag] if option.is_flag else [flag, value(draw, option)]
        else:
            at = draw.randrange(1, len(line) + 1)
            match draw.randrange(4):
                case 0 if at < len(line):
                    del line[at]
                case 1:
                    line.insert(at, draw.choice(ODD_TEXTS).replace("\x00", "0"))
                case 2 if at < len(line):
                    line[at] = draw.choice((*PATHS, *COLUMNS, *cells()))
                case _:
                    line.insert(at, draw.choice(line))
    return Input({}, {"line": line})


def value(draw: random.Random, option: click.Option) -> str:
    """A value of an option: mostly one that its type takes."""
    kind: Any = option.type
    if draw.random() < 0.1:
        return draw.choice(ODD_TEXTS).replace("\x00", "0")
    if isinstance(kind, click.Choice):
        return str(draw.choice(list(kind.choices)))
    if isinstance(kind, click.IntRange) or kind is click.INT:
        return draw.choice(("0", "1", "2", "3", "5", "17", "100", "1000", "4096", "-1"))
    if isinstance(kind, click.FloatRange) or kind is click.FLOAT:
        return draw.choice(("0.5", "0.95", "0.01", "0.99", "1", "0", "1e-9", "nan", "inf", "-1"))
    if isinstance(kind, click.Path):
        return draw.choice(PATHS)
    name = str(option.name)
    if name in NAMES:
        return ",".join(drawn_name(draw, NAMES[name]) for _ in range(draw.choice((1, 1, 2))))
    if name in ("delays", "missing", "drifts", "at", "weights"):
        return draw.choice(
            ("0", "1,2", "0.5", "first", "last", "exponential(3)", "10,20", "-1", "x")
        )
    return draw.choice(COLUMNS)


def run(given: Input, folder: Path, progress: Progress) -> None:
    """Run the command among its files."""
    write(files(), folder)
    progress.past = check_command(given.call["line"], folder)
