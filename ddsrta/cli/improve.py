"""ddsrta improve: ranked repairs of a late system, and one of them written into its file."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input, output_argument
from ddsrta.cli.progress import Interrupts, Line
from ddsrta.cli.say import say
from ddsrta.cli.streams import put_or_write, read_system, style_of
from ddsrta.cli.waiting import add_time_limit

if TYPE_CHECKING:
    from ddsrta.exploration.improve.repairs import Improvement
    from ddsrta.exploration.improve.search import Heard
    from ddsrta.models.system import System

EPILOG = """\
Single changes are tried first, then orders of priorities, then sets of changes that came nearest.
What is printed was analysed and confirmed by the checker; it is the smallest found, and no proof
that there is none smaller. How many candidates are tried follows from the size of the system, so
that the same file has the same repairs; with --time-limit, the clock decides.
The exit status is 0 where nothing is late, or a repair was written, else 1.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    parser.add_argument(
        "--format",
        choices=("text", "json", "markdown"),
        default="text",
        help="for people, or for programs, or a page for a review",
    )
    output_argument(parser)
    parser.add_argument(
        "--only", metavar="KINDS", action="append", default=[],
        help="kinds of changes, with commas between: priorities, budgets, depth, policies, "
        "controllers, sending, order, offsets, cores, groups, executors, split",
    )  # fmt: skip
    parser.add_argument(
        "--keep", metavar="PATTERN", action="append", default=[],
        help="what must not be changed: a name, or a place such as '*: core' (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--most", metavar="N", type=_count, default=5, help="repairs (default: %(default)s)"
    )
    add_time_limit(parser, "--budget", then="what was found until then is printed")
    parser.add_argument(
        "--candidates", metavar="N", type=_count, help="end after so many (by the size, if missing)"
    )
    parser.add_argument("--all", action="store_true", help="all bounds that a repair moves")
    parser.add_argument("--write", action="store_true", help="put a repair into the file")
    parser.add_argument(
        "--repair", metavar="N", type=_count, default=1, help="which one (default: the first)"
    )


def _count(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) < 1_000_000):
        raise ArgumentTypeError(f"'{text[:40]}' is not a number such as 3")
    return int(text)


def run(options: Namespace) -> int:
    """Search, print, and write a repair if that is asked for."""
    if options.write and options.system == "-":
        raise InputError([Diagnostic(None, "'--write' needs a file", "name it instead of '-'")])
    system = read_system(options.system)
    from ddsrta.exploration.improve.repairs import improve

    with Interrupts() as asked, Line() as line:
        found = improve(
            system,
            only=[name.strip() for each in options.only for name in each.split(",")],
            keep=options.keep,
            most=max(options.most, options.repair),
            candidates=options.candidates or (1_000_000 if options.time_limit else None),
            seconds=options.time_limit,
            hear=lambda heard: line.show(lambda: _heard(heard)),
            stop=asked.came,
        )
    put_or_write(_text(found, options), options.output)
    if options.write and found.before.verdict != "met":
        return _write(system, found, options)
    return MET if found.before.verdict == "met" else MISSED


def _text(found: Improvement, options: Namespace) -> str:
    if options.format == "json":
        from ddsrta.report.json import text_of

        return text_of(found)
    from ddsrta.report.improve import improve_markdown, improve_text

    if options.format == "markdown":
        return improve_markdown(found)
    return improve_text(found, style_of(options.output), options.all)


def _write(system: System, found: Improvement, options: Namespace) -> int:
    """Into the file, if that still says what was analysed."""
    from ddsrta.base.files import atomic_write
    from ddsrta.exploration.improve.writing import is_as_read, repaired_text

    if len(found.repairs) < options.repair:
        say("nothing was written: there is no such repair")
        return MISSED
    repair = found.repairs[options.repair - 1]
    text = repaired_text(system, repair)
    if not is_as_read(system, options.system):
        message = f"'{options.system}' was changed meanwhile: nothing was written"
        raise InputError([Diagnostic(None, message, "run it again")])
    if not os.access(options.system, os.W_OK):  # its folder may be writable
        message = f"cannot write '{options.system}': it is read-only"
        raise InputError([Diagnostic(None, message)])
    try:
        atomic_write(options.system, text)
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"cannot write '{options.system}': {reason}"
        raise InputError([Diagnostic(None, message)]) from error
    say(f"repair [{options.repair}] is in {options.system}")
    return MET


def _heard(heard: Heard) -> str:
    """How far the search is."""
    best = f"{heard.best.wrong} late" if heard.best.wrong else "a repair"
    if heard.hopeless:
        best += f" ({len(heard.hopeless)} by sampling alone)"
    return (
        f"{heard.doing}: {heard.tried} of {heard.candidates} candidates, best: {best}, "
        "Ctrl-C shows what there is"
    )
