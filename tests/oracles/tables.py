"""CSV and ARFF written and read the slow, obvious way."""

from __future__ import annotations

import csv
import io
import math
import re

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
MISSING = ("", "?", "NA", "N/A", "NaN", "nan", "NAN", "null", "NULL")


def write_csv(header, rows, *, end="\n", last_end=True, quote_all=False, bom=False, separator=","):
    """Cells are numbers (written by repr), texts (always quoted) or None (left empty)."""
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_NONNUMERIC
    writer = csv.writer(out, lineterminator=end, quoting=quoting, delimiter=separator)
    writer.writerow(header)
    gap = "" if quote_all else Bare("")
    for row in rows:
        writer.writerow([gap if cell is None else cell for cell in row])
    text = out.getvalue()
    if not last_end:
        text = text.removesuffix(end)
    return ("\ufeff" if bom else "") + text


class Bare(float):
    """A number to the csv module, so that it is not quoted; an empty cell in the file."""

    def __new__(cls, _text):
        return super().__new__(cls, 0.0)

    def __repr__(self):
        return ""

    __str__ = __repr__


def write_arff(header, rows, *, end="\n", sparse=False, comments=False):
    """`header` is a list of (name, None or nominal values)."""
    lines = ["% a comment", "@RELATION 'a table'", ""]
    for name, values in header:
        kind = "Numeric" if values is None else "{" + ", ".join(map(arff_cell, values)) + "}"
        lines.append(f"@Attribute {arff_cell(name)} {kind}")
    lines.append("@DATA")
    for row in rows:
        if comments:
            lines += ["% 1,2,3", ""]
        cells = ["?" if cell is None else arff_cell(cell) for cell in row]
        if sparse:
            zeros = [0.0 if values is None else values[0] for _, values in header]
            given = [
                f"{i} {cell}"
                for i, cell in enumerate(cells)
                if row[i] is None or row[i] != zeros[i] or str(row[i]) == "-0.0"
            ]
            lines.append("{" + ", ".join(given) + "}")
        else:
            lines.append(", ".join(cells))
    return end.join(lines) + end


def arff_cell(cell):
    """A number as it is; text between quotes, the way Weka escapes it."""
    if isinstance(cell, float | int):
        return repr(cell)
    escaped = cell.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"')
    escaped = escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return f"'{escaped}'"


def read_csv(text):
    """Header and rows: floats (NaN if missing) or, if a column has text, texts (None if missing).

    Only for files whose texts are quoted or harmless: the csv module forgets the quotes.
    """
    rows = [row for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")) if row]
    header, body = rows[0], rows[1:]
    columns = []
    for i in range(len(header)):
        cells = [row[i] for row in body]
        if all(cell in MISSING or NUMBER.fullmatch(cell) for cell in cells):
            columns.append([math.nan if cell in MISSING else float(cell) for cell in cells])
        else:
            columns.append([None if cell == "" else cell for cell in cells])
    return header, columns


def read_arff(text):
    """Header (name, None or values) and columns of floats and codes, NaN if missing; dense."""
    header, columns, in_data = [], [], False
    for line in re.split("\r\n|\n", text):
        line = line.strip(" \t")
        if not line or line.startswith("%"):
            continue
        if in_data:
            cells = tokens(line, ",")
            for column, (_, values), (cell, quoted, _) in zip(columns, header, cells, strict=True):
                if cell == "?" and not quoted:
                    column.append(math.nan)
                else:
                    column.append(float(cell) if values is None else float(values.index(cell)))
        elif line.lower().startswith("@data"):
            in_data = True
        elif line.lower().startswith("@attribute"):
            rest = line[len("@attribute") :].strip()
            name, _, kind = rest.partition(" ")
            if rest[0] == "'":
                found = tokens(rest, None)
                name, kind = found[0][0], rest[found[0][2] :].strip()
            inside = kind.strip()[1:-1] if kind.strip().startswith("{") else None
            values = None if inside is None else [cell[0] for cell in tokens(inside, ",")]
            header.append((name, values))
            columns.append([])
    return header, columns


def tokens(text, separator):
    """Cells between separators: (text, was it quoted, where it ended)."""
    found, cell, quoted, at = [], "", False, 0
    while at < len(text):
        c = text[at]
        if c == "'" and not cell.strip():
            cell, quoted, at = "", True, at + 1
            while text[at] != "'":
                if text[at] == "\\":
                    at += 1
                    cell += {"n": "\n", "r": "\r", "t": "\t"}.get(text[at], text[at])
                else:
                    cell += text[at]
                at += 1
            if separator is None:
                return [(cell, True, at + 1)]
        elif c == separator:
            found.append((cell if quoted else cell.strip(), quoted, at))
            cell, quoted = "", False
        elif not quoted:
            cell += c
        at += 1
    found.append((cell if quoted else cell.strip(), quoted, at))
    return found
