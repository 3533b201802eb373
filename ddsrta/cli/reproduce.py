"""ddsrta reproduce: tables and figures of papers, with our figures beside them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, shown
from ddsrta.cli.parser import MET
from ddsrta.cli.streams import output_style, put

EPILOG = """\
Without a name, the pieces are listed: what there is, what is closed (the paper does not print what
one would need) and what is not there yet. A piece is analysed when it is asked for; the longest
takes some seconds.
Columns: what the paper prints, its analysis as we compute it ('published'), our bound, the exact
worst case or the worst run that was found, and what the paper measured.
"""
_WIDEST = 220  # a row of Markdown that still fits a line
_PACKAGE = "casestudies"  # beside ddsrta in its repository, inside it where it is installed


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("names", metavar="PIECE", nargs="*", help="what to print: all are listed")
    parser.add_argument("--markdown", action="store_true", help="as tables of Markdown")


def run(options: Namespace) -> int:
    """List the pieces, or print some."""
    pieces = {piece.name: piece for piece in _pieces()}
    for name in options.names:
        if name not in pieces:
            message = f"there is no piece {shown(name)}"
            raise InputError([Diagnostic(None, message, did_you_mean(name, pieces))])
    if not options.names:
        put(_listed(list(pieces.values())))
    for number, name in enumerate(options.names):
        put("\n" * (number > 0) + _printed(pieces[name], options.markdown))
    return MET


def _pieces() -> tuple[Any, ...]:
    """Those of the case studies."""
    if _PACKAGE not in sys.modules:
        ours = Path(__file__).resolve().parents[1]
        folders = (ours / _PACKAGE, ours.parent / _PACKAGE)
        folder = next((each for each in folders if (each / "reproduced.py").is_file()), None)
        if folder is None:
            raise InputError([Diagnostic(None, "the case studies are not installed")])
        where = [str(folder)]
        spec = spec_from_file_location(
            _PACKAGE, folder / "__init__.py", submodule_search_locations=where
        )
        assert spec is not None and spec.loader is not None
        sys.modules[_PACKAGE] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[_PACKAGE])
    found: tuple[Any, ...] = import_module(f"{_PACKAGE}.reproduced").PIECES
    return found


def _listed(pieces: list[Any]) -> str:
    """What there is, then what there is not."""
    from ddsrta.report.table import table

    rows = [[piece.name, piece.shows, piece.source] for piece in pieces if piece.make]
    lines = table(("piece", "what", "source"), rows, output_style())
    text = "\n".join(lines) + "\n\n"
    for piece in pieces:
        if not piece.make:
            text += f"{piece.name}  {piece.shows} ({piece.source})\n    {piece.why}\n"
    return text


def _printed(piece: Any, markdown: bool) -> str:
    """One piece: where it is from, and its table."""
    head = f"{piece.name}  {piece.shows} ({piece.source})"
    if piece.make is None:
        return f"{head}\n{piece.why}\n"
    head += f", in {piece.unit}" if piece.unit else ""
    try:
        made: str = piece.make()
    except Exception as error:
        if type(error).__name__ != "MissingDataError":
            raise
        raise InputError([Diagnostic(None, str(error))]) from error
    if markdown:
        return f"{head}\n\n{made}\n"
    where = f"where each number is from: casestudies/{piece.study}/README.md in the repository"
    return "\n".join([head, "", *_text(made), "", where]) + "\n"


def _text(markdown: str) -> list[str]:
    """The lines of a table of Markdown as it is read on a terminal: where a row is too long for a
    line, each of its cells has a line of its own."""
    from textwrap import wrap

    from ddsrta.report.table import table

    rows = [_cells(line) for line in markdown.splitlines() if line.startswith("| ")]
    title, *body = (row for row in rows if set("".join(row)) != {"-"})
    if max(map(len, markdown.splitlines())) <= _WIDEST:
        titles = [f">{each}" if _numbers(body, n) else each for n, each in enumerate(title)]
        return table(titles, body, output_style())
    lines = []
    for first, *rest in body:
        lines += wrap(first, 96)
        for name, cell in zip(title[1:], rest, strict=False):
            if cell:
                lines += wrap(f"{name}: {cell}", 96, initial_indent="  ", subsequent_indent="    ")
    return lines


def _cells(line: str) -> list[str]:
    """The cells of a row of Markdown, without its marks."""
    inside = line.strip().removeprefix("|").removesuffix("|")
    return [each.strip().replace("**", "").replace("`", "") for each in inside.split("|")]


def _numbers(rows: list[list[str]], place: int) -> bool:
    """Whether a column holds numbers."""
    return any(row[place][:1].isdigit() for row in rows if place < len(row))
