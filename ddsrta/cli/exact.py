"""ddsrta exact: worst cases of small systems, from both sides."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.parser import DEFECT, MET, MISSED
from ddsrta.cli.places import Input, Output, output_arguments
from ddsrta.cli.say import on_terminal, say
from ddsrta.cli.simulate import positive
from ddsrta.cli.streams import put_or_write, read_system, style_of, write

EPILOG = """\
All runs are explored, whatever their phases and execution times, and a run is searched for that
takes as long as any can. Sources are periodic; what else is needed is said where a system is
refused. To see such a run: 'ddsrta simulate SYSTEM --attack NAME --gantt', with its --runs.

exit status: 0 each figure is bounded, and in time; 1 one is not, or is not checked, or a finding
takes bounds away; 2 a wrong call, or a system that is not small or not explored; 3 a run is above
what all runs have, or the checker refuses something, which is a defect in ddsrta.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    parser.add_argument(
        "wanted",
        metavar="CHAIN|MESSAGE",
        nargs="*",
        help="only these; a message is a topic, or 'PUBLISHER -> TOPIC -> SUBSCRIBER'",
    )
    parser.add_argument(
        "--states",
        metavar="N",
        type=positive,
        help="how many situations make a system that is not small (default: 20000)",
    )
    parser.add_argument(
        "--runs", metavar="N", type=positive, help="runs of each search (default: 2000)"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the searches")
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        type=Output,
        help="write the proof and the runs for 'ddsrta verify'",
    )
    output_arguments(parser, "a table, or everything")


def run(options: Namespace) -> int:
    """Explore and search; the exit status says whether all is in time."""
    system = read_system(options.system)
    from ddsrta.exploration.exact.exact import RUNS, exact
    from ddsrta.exploration.exact.explore import STATES

    found = exact(
        system,
        options.wanted,
        states=options.states or STATES,
        runs=options.runs or RUNS,
        seed=options.seed,
        tick=_show if on_terminal() else None,
    )
    if on_terminal():
        say("\r\x1b[K", end="")
    if options.format == "json":
        from ddsrta.report.json import text_of

        put_or_write(text_of(found), options.output)
    else:
        from ddsrta.report.exact import exact_text

        put_or_write(exact_text(found, style_of(options.output)), options.output)
    if options.certificate:
        import json

        write(options.certificate, json.dumps(found.certified, separators=(",", ":")) + "\n")
    if any(figure.broken for figure in found.cases):
        say("ddsrta: a run took longer than any can. This is a defect in ddsrta. Please report it.")
        return DEFECT
    if found.check.status == "refuted":
        say("ddsrta: the checker refuses it. This is a defect in ddsrta. Please report it.")
        return DEFECT
    if found.check.status != "confirmed":
        return MISSED
    late = any(figure.late for figure in found.cases)
    return MISSED if late or found.result.errors else MET


def _show(name: str) -> None:
    say(f"\rexplores {name}\x1b[K", end="")
