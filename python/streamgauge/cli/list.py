"""`streamgauge list`: names of streams, learners, measures and other families."""

from __future__ import annotations

import json
from importlib import import_module
from inspect import Parameter, getdoc, signature
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.errors import ParameterError, StreamgaugeError
from streamgauge.measures._compute import matrix
from streamgauge.names import FAMILIES, clash, find, installed, known

PLURALS = {f"{family}s": family for family in FAMILIES}


@click.command()
@click.argument("family", type=click.Choice(sorted(PLURALS)), required=False)
@options.as_json
def command(family: str | None, as_json: bool) -> None:
    """List the names of one family, such as streams or measures, or of all."""
    families = [family] if family else sorted(PLURALS)
    table = {
        plural: [_entry(PLURALS[plural], name) for name in known(PLURALS[plural])]
        + _installed(PLURALS[plural])
        for plural in families
    }
    if as_json:
        if "measures" in table:
            support = matrix()
            for entry in table["measures"]:
                if entry["name"] in support and entry["origin"] == "streamgauge":
                    entry["windows"] = support[entry["name"]]
        click.echo(json.dumps(table[family] if family else table, indent=1))
        return
    for plural, entries in table.items():
        echo(plural if not family else "", nl=not family)
        width = max((len(e["name"]) for e in entries), default=0)
        for e in entries:
            other = f" ({', '.join(e['aliases'])})" if e["aliases"] else ""
            origin = "" if e["origin"] == "streamgauge" else f" [{e['origin']}]"
            echo(f"  {e['name']:<{width}}  {e['about']}{other}{origin}")


def _installed(family: str) -> list[dict[str, Any]]:
    """Entries of installed packages; one that cannot be loaded states why."""
    entries = []
    for name, plugins in installed(family).items():
        origin = ", ".join(plugin.package for plugin in plugins)
        try:
            if sentence := clash(family, name):
                raise ParameterError(sentence)
            entries.append(_entry(family, name) | {"origin": origin})
        except (StreamgaugeError, TypeError, ValueError) as error:
            about = f"not available: {error}"
            entry = {"name": name, "about": about, "aliases": [], "parameters": {}}
            entries.append(entry | {"from": plugins[0].value, "origin": origin})
    return entries


def _entry(family: str, name: str) -> dict[str, Any]:
    thing = find(family, name)
    parameters = {
        p.name: None if p.default is Parameter.empty else repr(p.default)
        for p in signature(thing).parameters.values()
    }
    return {
        "name": name,
        "about": (getdoc(thing) or "").partition("\n")[0],
        "aliases": list(getattr(thing, "aliases", ())),
        "parameters": parameters,
        "from": import_module(thing.__module__).__name__,
        "origin": "streamgauge",
    }
