"""The command line: the words of the API. Parse, call, print.

Nothing but click is imported until a command is known, so `--help` is quick.
"""

from __future__ import annotations

import sys
import traceback
from importlib import import_module

import click

from streamgauge.cli.advice import as_options
from streamgauge.doors import suggestion
from streamgauge.errors import StreamgaugeError

COMMANDS = {
    "run": "Run the experiment in a TOML file; resumes what was cut off.",
    "evaluate": "Evaluate learners on a data file or a named stream, in one line.",
    "measure": "Measure predictions made anywhere, or a log of ours.",
    "compare": "Compare learners on one stream: which is better, since when, how sure.",
    "rank": "Rank learners over many streams, with tests, tables and diagrams for a paper.",
    "detect": "Let detectors watch the errors in a log: when did they rise?",
    "diagnose": "See how labels hang together, and what that does to learners.",
    "bins": "Read how answers got better while labels were on their way, bin by bin.",
    "delay-sweep": "See what late and missing labels cost: score against delay.",
    "export": "Write a stream to CSV, ARFF, Parquet or Arrow, for MOA, river and others.",
    "report": "Make the report of a run folder anew.",
    "list": "List streams, learners, protocols, measures or windows.",
    "plan": "Show what an experiment would do, without doing it.",
    "data": "See which benchmark files are there, and prepare those that are not.",
}
"""Command -> its line in `--help`; each lives in the module of its name."""


class _Commands(click.Group):
    """A group that loads a command's module when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table."""
        return [*COMMANDS]  # once loaded, the command `list` hides the builtin here

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command, loaded now."""
        if name not in COMMANDS:
            return None
        module = import_module(f"streamgauge.cli.{name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """An unknown command is answered with the nearest one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = suggestion(args[0], COMMANDS) or f"; known: {', '.join(COMMANDS)}"
            raise click.UsageError(f"no command is called {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """From the table, so that help loads nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"streamgauge {import_module('streamgauge._core').VERSION}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version)
@click.pass_context
def _streamgauge(ctx: click.Context, debug: bool) -> None:
    """Measure learners on data streams.

    Exit codes: 0 good, 1 a bug of ours, 2 your input, model or disk.
    """
    ctx.obj = debug


def main(args: list[str] | None = None) -> None:
    """Run the command line; every way out has its exit code."""
    debug = "--debug" in (sys.argv[1:] if args is None else args)
    try:
        _streamgauge.main(args, prog_name="streamgauge", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped; what was logged so far is kept", err=True)
        sys.exit(130)
    except SystemExit:  # from click itself: the reader (head, less) has seen enough
        sys.exit(0)
    except (StreamgaugeError, OSError) as error:
        if debug:
            traceback.print_exc()
        click.echo(f"error: {_said(error, sys.argv[1:] if args is None else args)}", err=True)
        sys.exit(2)
    except Exception as error:  # noqa: BLE001 (the last door: said in a sentence, exit 1)
        if debug:
            traceback.print_exc()
        else:
            click.echo(
                f"streamgauge met a bug of its own: {type(error).__name__}: {error}; "
                "run again with --debug and report what it shows",
                err=True,
            )
        sys.exit(1)


def _said(error: Exception, args: list[str]) -> str:
    """The sentence of an error; what the system refused is named, advice names options."""
    if isinstance(error, OSError) and not isinstance(error, StreamgaugeError):
        where = error.filename or "the output"
        return f"{where}: cannot be read or written ({error.strerror or error})"
    name = next(a for a in args if a in COMMANDS)
    module = import_module(f"streamgauge.cli.{name.replace('-', '_')}")
    return as_options(str(error), module.command)
