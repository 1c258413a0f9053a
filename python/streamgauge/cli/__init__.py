"""The command line: parse options, call the API, print.

Only click is imported until a command is known, so `--help` is fast.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from importlib import import_module

import click

from streamgauge.cli.advice import as_options
from streamgauge.cli.safe_text import echo, echo_error, echo_lines
from streamgauge.errors import SpecError, StreamgaugeError, error_line
from streamgauge.escapes import SURROGATE
from streamgauge.lazy import suggestion

COMMANDS = {
    "init": "Write a commented experiment file to start from.",
    "run": "Run the experiment in a TOML file: the cells that are missing.",
    "evaluate": "Evaluate learners on a data file or a named stream.",
    "measure": "Measure predictions in a file or in a log.",
    "compare": "Compare learners on one stream: which is better, since when, with what evidence.",
    "power": "Say about how many items a comparison needs to name the better of two learners.",
    "rank": "Rank learners over many streams, with tests, tables and diagrams for a paper.",
    "detect": "Apply drift detectors to the errors in a log.",
    "adaptation": "Measure how learners deteriorate at known drifts, and when they are restored.",
    "recover": "Measure how well learners come back after a drift: recovery analysis.",
    "stability": "Measure how much noise in the features changes predictions and measures.",
    "profile": "Show all properties of learners side by side, with those of the baselines.",
    "drift": "Evaluate drift detectors on streams with known drifts, and on stationary ones.",
    "diagnose": "Test the labels of a stream for temporal dependence, and its effect on learners.",
    "bins": "Measure repeated predictions of pending items by bins of the label delay.",
    "delay-sweep": "Measure the effect of delayed and missing labels on learners.",
    "load-sweep": "Measure learners at arrival rates that they may not be able to follow.",
    "memory-sweep": "Measure learners with several limits to their memory.",
    "export": "Write a stream to CSV, ARFF, Parquet or Arrow, for MOA, river and others.",
    "report": "Write the report of a run folder again.",
    "explain": "Say in words how the numbers of a run folder are defined, with references.",
    "mlflow": "Send the finished cells of a run folder to an MLflow server.",
    "query": "Query the results, cells and logs of a run folder in SQL.",
    "diff": "Say what differs between two run folders, and why.",
    "prune": "Remove the cells of a run folder that its experiment does not name.",
    "verify": "Check the logs in a folder: checksums, numbers of rows, runs.",
    "list": "List streams, learners, protocols, measures or windows.",
    "plan": "Show the cells, costs and orders of an experiment without running it.",
    "data": "List the benchmark files and prepare missing ones.",
}
"""Commands and their lines in `--help`; each is in the module of its name."""


class _Commands(click.Group):
    """Command group that imports the module of a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands in the order of the table."""
        return [*COMMANDS]  # once loaded, the command `list` hides the builtin here

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import and return the command."""
        if name not in COMMANDS:
            return None
        module = import_module(f"streamgauge.cli.{name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command; the error about an unknown one suggests the nearest."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = suggestion(args[0], COMMANDS) or f"; known: {', '.join(COMMANDS)}"
            raise click.UsageError(f"no command is called {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Format the table of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        echo(f"streamgauge {import_module('streamgauge._core').VERSION}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
@click.pass_context
def _streamgauge(ctx: click.Context, debug: bool) -> None:
    """Measure learners on data streams.

    Exit codes: 0 success, 1 a bug in streamgauge, 2 an error in the input, the model or the disk.
    """
    if ctx.obj is not None:
        ctx.obj()


def main(args: list[str] | None = None, begin: Callable[[], None] | None = None) -> None:
    """Run the command line and exit with the code of the outcome.

    `begin` is called when the command is imported, before it does anything.
    """
    given = sys.argv[1:] if args is None else args
    debug = "--debug" in given
    for name in given:
        if SURROGATE.search(name):  # logs and reports hold names, and are UTF-8
            echo(f"error: {name!r}: must be UTF-8, got other bytes; rename the file", err=True)
            sys.exit(2)
    try:
        _streamgauge.main(args, prog_name="streamgauge", standalone_mode=False, obj=begin)
    except click.ClickException as error:
        echo_error(error)
        sys.exit(2)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except (click.Abort, KeyboardInterrupt):
        echo("stopped; what is finished is kept", err=True)
        sys.exit(130)
    except (Exception, SystemExit) as error:  # noqa: BLE001 (one sentence; exit 1 if it is a bug)
        if isinstance(error, SystemExit) and _is_of_a_closed_pipe(error):
            sys.exit(0)
        if debug:
            traceback.print_exc()
        ours = isinstance(error, StreamgaugeError)
        if not ours and (where := _own_code(error)):
            echo(f"error: {where}: failed: {error_line(error)}", err=True)
            sys.exit(2)
        if ours or isinstance(error, OSError):
            shown = echo_lines if isinstance(error, SpecError) else echo
            shown(f"error: {_message(error, given)}", err=True)
            sys.exit(2)
        if not debug:
            echo(
                f"bug in streamgauge: {type(error).__name__}: {error}; "
                "run again with --debug and report the traceback",
                err=True,
            )
        sys.exit(1)


def _is_of_a_closed_pipe(error: SystemExit) -> bool:
    """Whether click or rich exits: the reader of a pipe (head, less) has closed it."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return frame.f_globals.get("__name__") in (click.core.__name__, "rich.console")


def _own_code(error: BaseException) -> str:
    """Where an error was raised in code of the user's own; nothing if it was not."""
    names = sys.modules.get("streamgauge.names")  # not imported: then no name was used
    return "" if names is None else str(names.own_code(error))


def _message(error: BaseException, args: list[str]) -> str:
    """Message of an error; system errors name the file, advice names options."""
    if isinstance(error, OSError) and not isinstance(error, StreamgaugeError):
        where = error.filename or "the output"
        return f"{where}: cannot be read or written ({error.strerror or error})"
    name = next(a for a in args if a in COMMANDS)
    module = import_module(f"streamgauge.cli.{name.replace('-', '_')}")
    return as_options(str(error), module.command)
