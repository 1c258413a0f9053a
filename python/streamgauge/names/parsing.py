"""Text of a name, parsed: `module:object` is an attribute, and nesting and length are limited."""

from __future__ import annotations

import ast
import re

from streamgauge.errors import ParameterError

LONGEST = 100_000
"""Longest text that is parsed, in characters; a list of 10,000 classes fits."""

DEEPEST = 60
"""Deepest nesting of a text; deeper ones would exhaust the stack of the parser or of its reader."""

QUOTED = 200
"""Longest text that an error quotes whole, in characters."""

COLON = "__colon__"
"""Stands for the colon of `module:object` in text that is parsed as Python."""

REFERENCE = re.compile(
    r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
    r"""|(?<![\w.])(?!(?:True|False|None)\b)([A-Za-z_][\w.]*):([A-Za-z_][\w.]*)"""
)
"""Quoted text, or `module:object`."""


def quoted(text: str) -> str:
    """The text in quotation marks, shortened if it is long."""
    return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}…")


def shortened(value: object) -> str:
    """The value as Python writes it, shortened if it is long."""
    text = repr(value)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def parse(who: str, text: str) -> ast.expr:
    """The expression that a text is; an attribute stands in place of each colon.

    Examples
    --------
    >>> ast.unparse(parse("learner", "mine:Last(2)"))
    'mine.__colon__.Last(2)'
    >>> parse("learner", "-" * 9999 + "1")
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: learner: must be nested at most 60 deep
    """
    if len(text) > LONGEST:
        raise ParameterError(f"{who}: must have at most {LONGEST:,} characters, got {len(text):,}")
    plain = REFERENCE.sub(
        lambda m: m.group(1) or f"{m.group(2)}.{COLON}.{m.group(3)}", text.strip()
    )
    try:
        node = ast.parse(plain, mode="eval").body
    except (RecursionError, MemoryError):
        raise ParameterError(f"{who}: must be nested at most {DEEPEST} deep") from None
    except (SyntaxError, ValueError):  # a zero byte is a ValueError
        raise ParameterError(
            f"{who}: must be a name, or a name with parameters like name(size=10)"
        ) from None
    level: list[ast.AST] = [node]
    for _ in range(DEEPEST):
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        if not level:
            return node
    raise ParameterError(f"{who}: must be nested at most {DEEPEST} deep")


def reference(node: ast.expr) -> str:
    """`module:object`, or nothing if the node is something else."""
    text = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
    return text.replace(f".{COLON}.", ":") if COLON in text else ""


def written(node: ast.expr) -> str:
    """The text of a node, as it was written."""
    return ast.unparse(node).replace(f".{COLON}.", ":")
