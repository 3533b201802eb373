"""ddsrta diff: what changed in a model, what that did to each bound, and which change did it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input, output_argument
from ddsrta.cli.streams import put_or_write, style_of
from ddsrta.cli.versions import read_version
from ddsrta.cli.waiting import Progress, add_time_limit, seconds

SECONDS = 60.0
EPILOG = """\
OLD and NEW are files, or REVISION:FILE of git, such as HEAD~1:system.yaml.
Of several changes that move one bound, each gets what it adds on average over all orders in which
they can be made: the Shapley value. Above twelve changes, or where that takes more than --seconds,
each gets what it does alone, and what undoing it alone does.
The exit status is 1 where a bound got worse, less is asked for, or bounds were not compared within
the --time-limit, else 0.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("old", metavar="OLD", type=Input, help="system.yaml, or REVISION:FILE")
    parser.add_argument("new", metavar="NEW", type=Input, help="system.yaml, or REVISION:FILE")
    parser.add_argument(
        "--format",
        choices=("text", "json", "markdown"),
        default="text",
        help="for people, or for programs, or a page for a review",
    )
    output_argument(parser)
    parser.add_argument(
        "--seconds", metavar="S", type=seconds, default=SECONDS,
        help="for sets of changes (default: %(default)g)",
    )  # fmt: skip
    add_time_limit(parser, then="where both analyses are not through then, no bound is compared")


def run(options: Namespace) -> int:
    """Compare, print, and say in the exit status whether something got worse."""
    old, new = read_version(options.old), read_version(options.new)
    from ddsrta.exploration.difference.difference import difference

    with Progress():
        found = difference(old, new, options.seconds, options.time_limit)
    put_or_write(_text(found, options), options.output)
    return MISSED if found.worse or found.comparison.relaxed or found.is_cut else MET


def _text(found: object, options: Namespace) -> str:
    from ddsrta.exploration.difference.difference import Difference

    assert isinstance(found, Difference)
    if options.format == "json":
        from ddsrta.report.json import text_of

        return text_of(found)
    from ddsrta.report.difference import difference_markdown, difference_text

    if options.format == "markdown":
        return difference_markdown(found)
    return difference_text(found, style_of(options.output))
