"""ddsrta man: the manual page, from the same declarations as --help."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ddsrta.base.version import VERSION
from ddsrta.cli.parser import MET
from ddsrta.cli.streams import put

if TYPE_CHECKING:
    from ddsrta.cli.calls import Call, Option

EPILOG = """\
  ddsrta man > ~/.local/share/man/man1/ddsrta.1; man ddsrta
"""


def arguments(parser: ArgumentParser) -> None:
    """Nothing."""
    parser.epilog = EPILOG


def run(options: Namespace) -> int:
    """Print the page for man."""
    from ddsrta.cli.calls import calls

    put(page(calls()))
    return MET


def page(calls: list[Call]) -> str:
    """The text, in the language of man pages.

    >>> from ddsrta.cli.calls import calls
    >>> page(calls()).splitlines()[1]
    '.SH NAME'
    """
    first, *rest = calls
    lines = [f'.TH DDSRTA 1 "" "ddsrta {VERSION}"', ".SH NAME"]
    lines += [f"ddsrta \\- {_text('timing analysis of DDS, ROS 2 and Lingua Franca systems')}"]
    lines += [".SH SYNOPSIS", ".B ddsrta", r"\fICOMMAND\fR [\fIARGUMENT\fR]..."]
    lines += [".SH DESCRIPTION", _text(first.summary)]
    lines += [".SH OPTIONS", *_options(first), ".SH COMMANDS"]
    for call in rest:
        lines += [f'.SS "{_text(" ".join(("ddsrta", *call.words)))}"', _text(call.summary) + "."]
        lines += [*_options(call)]
        lines += [".PP", ".nf", *map(_text, call.epilog.splitlines()), ".fi"] if call.epilog else []
    lines += [".SH EXIT STATUS", ".nf", *map(_text, first.epilog.splitlines()[1:]), ".fi"]
    return "\n".join(lines) + "\n"


def _options(call: Call) -> Iterator[str]:
    for option in call.options:
        is_usual = call.words and "--help" in option.names
        if not is_usual:
            yield from (".TP", _head(option), _text(option.help) or "\\&")


def _head(option: Option) -> str:
    value = f"\\fI{_text(option.value)}\\fR"
    if not option.names:
        return value
    names = ", ".join(f"\\fB{_text(name)}\\fR" for name in option.names)
    return f"{names} {value}" if option.value else names


def _text(text: str) -> str:
    """Text that man takes for nothing else: its signs escaped, no line that begins a request.

    >>> print(_text(".a-b\\n'c"))
    \\&.a\\-b 'c
    """
    plain = text.rstrip("\n").replace("\n", " ").replace("\\", "\\e").replace("-", "\\-")
    plain = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in plain)
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
