"""ddsrta explain: where the time of bounds goes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input, Output, output_arguments
from ddsrta.cli.streams import put_or_write, read_system, style_of, write
from ddsrta.cli.waiting import Progress, add_time_limit

EPILOG = """\
Without a name: the largest causes of each chain that is late or has no bound, or of the tightest. A
name is that of a chain, thread, callback, node or topic, or 'PUBLISHER -> TOPIC -> SUBSCRIBER'. Of
several of a name, as of a chain given by its ends, the largest bound is explained; 'CHAIN/2' is the
second path of a chain.
What does not fit a screen is told by stages and kinds of terms, unless --terms asks for all.
Findings of level 'error' follow, next to which no bound holds, and what is assumed.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    parser.add_argument("name", metavar="NAME", nargs="?", help="a chain, thread, node or message")
    parser.add_argument("--terms", action="store_true", help="term by term, however many")
    add_time_limit(parser)
    output_arguments(parser, "text, or all terms")
    parser.add_argument("--html", metavar="FILE", type=Output, help="write a page with bars, too")


def run(options: Namespace) -> int:
    """Explain; the exit status says whether there is a bound, next to no error."""
    system = read_system(options.system)
    from ddsrta.bounds.evidence.explained import explain

    with Progress():
        found = explain(system, options.name, options.time_limit)
    result = found.result
    if options.html is not None:
        from ddsrta.report.page.report import explained_html

        write(options.html, explained_html(found))
    if options.format == "json":
        from ddsrta.report.json import text_of

        put_or_write(text_of(found), options.output)
    else:
        from ddsrta.report.explanation import explained_text

        text = explained_text(found, style_of(options.output), options.terms)
        put_or_write(text, options.output)
    bounded = all(one.bound is not None for one in found.explanations)
    return MET if bounded and not result.errors else MISSED
