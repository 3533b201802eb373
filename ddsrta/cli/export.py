"""ddsrta export: a system, or what the analysis says of it, as a file for another tool."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.cli.parser import MET
from ddsrta.cli.places import STANDARD, Input, output_argument
from ddsrta.cli.say import say
from ddsrta.cli.streams import put_or_write, read_system, write_bytes
from ddsrta.formats.exported import EXPORTS

if TYPE_CHECKING:
    from ddsrta.formats.exported import Exported

EPILOG = """\
formats:
{}

What the format cannot say is refused with its place where a bound would become too small; what is
only less exact there is said on stderr and, where the format has comments, on top of the file.
Timelines for Perfetto: 'ddsrta simulate --trace'.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG.format("\n".join(f"  {n:10}{what}" for n, (_, what) in EXPORTS.items()))
    parser.add_argument("kind", metavar="FORMAT", choices=EXPORTS, help="one of the formats below")
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    output_argument(parser)


def run(options: Namespace) -> int:
    """Print the file on stdout, and what is not in it on stderr."""
    from ddsrta.base.text import shown

    module = import_module(f"ddsrta.formats.{EXPORTS[options.kind][0]}")
    system = read_system(options.system)
    export = getattr(module, f"export_{options.kind}", None) or module.export
    found: Exported = export(system)
    if isinstance(found.content, str):
        put_or_write(found.content, options.output)
    elif options.output in (None, STANDARD):
        message = f"{options.kind} is no text"
        raise InputError([Diagnostic(None, message, "name a file with --output")])
    else:
        write_bytes(options.output, found.content)
    for line in found.left_out:
        say(f"left out: {shown(line)}")
    return MET
