"""ddsrta explore: tries what a study leaves open of its base, and says what is best."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.cli.combinations import refuse
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Folder, Input, Output, output_argument
from ddsrta.cli.progress import Interrupts, Line
from ddsrta.cli.say import say
from ddsrta.cli.streams import put_or_write, style_of, write, write_bytes

if TYPE_CHECKING:
    from ddsrta.exploration.study.run import Heard
    from ddsrta.exploration.study.study import Study

EPILOG = """\
A study names its base, a system.yaml, and says what of it is open, what has to be kept, and what
is to be small or large (docs/how-to/explore.md). The same study has the same candidates, and the
same front. Each member of the front was analysed anew and confirmed by the checker; it is the best
of what was tried, and of the space where that is said to be whole.
The exit status is 0 where something keeps all that is asked, else 1.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("study", metavar="FILE", type=Input, help="study.yaml")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="for people, or for programs"
    )
    output_argument(parser)
    parser.add_argument("--html", metavar="FILE", type=Output, help="write a page, too")
    parser.add_argument("--png", metavar="FILE", type=Output, help="write a picture, too")
    parser.add_argument("--all", action="store_true", help="all members of the front, all changes")
    parser.add_argument("--candidates", metavar="N", type=_count, help="as in the study")
    parser.add_argument("--seed", metavar="N", type=_seed, help="as in the study")
    parser.add_argument(
        "--store", metavar="FOLDER", type=Folder, help="keep each batch there as Parquet"
    )
    parser.add_argument("--resume", action="store_true", help="go on with what --store has")
    parser.add_argument(
        "--jobs", metavar="N", type=_count, help="processes that look at candidates"
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="of a Dask cluster, such as tcp://host:8786"
    )
    parser.add_argument(
        "--candidate", metavar="N", type=_count,
        help="one by its number, for --why and --write (the first of the front, if missing)",
    )  # fmt: skip
    parser.add_argument(
        "--why", action="store_true", help="what each change of the candidate does, beside the base"
    )
    parser.add_argument(
        "--write", metavar="FILE", type=Output, help="the candidate as a system.yaml"
    )


def _count(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text[:20]) <= 10_000_000):
        raise ArgumentTypeError(f"{shown(text)} is not a number from 1 to 10,000,000")
    return int(text)


def _seed(text: str) -> int:
    if not (text.isdecimal() and int(text[:20]) <= 10_000_000):
        raise ArgumentTypeError(f"{shown(text)} is not a number from 0 to 10,000,000")
    return int(text)


def run(options: Namespace) -> int:
    """Search, print, and write what is asked for."""
    if not (options.why or options.write):
        refuse(options, ["candidate"], "needs --why or --write")
    if not options.store:
        refuse(options, ["resume"], "needs --store")
    if options.scheduler:
        refuse(options, ["jobs"], "is not for a --scheduler, which has workers of its own")
    from ddsrta.exploration.study.explore import explore

    with Interrupts() as asked, Line() as line:
        found = explore(
            options.study,
            candidates=options.candidates,
            seed=options.seed,
            store=options.store,
            resume=options.resume,
            jobs=options.jobs or 1,
            scheduler=options.scheduler,
            hear=lambda heard: line.show(lambda: _heard(heard)),
            stop=asked.came,
        )
    put_or_write(_text(found, options), options.output)
    _pictures(found, options)
    if options.write and (number := _number(found, options)):
        _is_no_base(found, options.write)
        write(options.write, found.text(number))
        say(f"candidate {number} is in {options.write}")
        if number not in {member.number for member in found.front}:
            say("it is not on the front: 'ddsrta check' says what it keeps")
    return MET if found.front else MISSED


def _is_no_base(found: Study, file: str) -> None:
    """A study of a changed base is another study: its candidates have other numbers."""
    base = found.setup.subject.base.path
    if os.path.exists(base) and os.path.exists(file) and os.path.samefile(base, file):
        message = f"{shown(file)} is the base of the study"
        raise InputError([Diagnostic(None, message, "write the candidate to another file")])


def _pictures(found: Study, options: Namespace) -> None:
    if options.html:
        from ddsrta.report.study_html import study_page

        write(options.html, study_page(found))
    if options.png:
        from ddsrta.report.front_plot import front_png

        write_bytes(options.png, front_png(found))


def _number(found: Study, options: Namespace) -> int:
    """The candidate that is asked for; 0 if there is none."""
    if options.candidate:
        return int(options.candidate)
    if found.front:
        return found.front[0].number
    say("there is no candidate that keeps all that is asked")
    return 0


def _text(found: Study, options: Namespace) -> str:
    if options.format == "json":
        from ddsrta.report.json import text_of

        return text_of(found)
    from ddsrta.report.study import study_text

    style = style_of(options.output)
    text = study_text(found, style, options.all)
    if options.why and (number := _number(found, options)):
        from ddsrta.report.difference import difference_text

        text += f"\nwhy [{number}]\n" + difference_text(found.diff(number), style)
    return text


def _heard(heard: Heard) -> str:
    """How far the search is."""
    best = f"{heard.front} on the front" if heard.front else "none keeps all that is asked"
    return (
        f"{heard.tried} of {heard.most} candidates: {heard.feasible} feasible, {best}, "
        "Ctrl-C shows what there is"
    )
