"""ddsrta simulate --attack: the run in which something takes longest, beside its bound."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from io import StringIO
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.text import shown
from ddsrta.cli.parser import DEFECT, INTERRUPTED, MET, MISSED
from ddsrta.cli.places import Output
from ddsrta.cli.progress import Interrupts, Line
from ddsrta.cli.say import say
from ddsrta.cli.streams import put_or_write, style_of, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddsrta.bounds.result import Result
    from ddsrta.exploration.attacks import Attack, Attacked
    from ddsrta.models.system import System

RUNS = 2000


def arguments(parser: ArgumentParser) -> None:
    """What an attack takes."""
    parser.add_argument(
        "--attack",
        metavar="CHAIN|MESSAGE",
        nargs="*",
        help="search for the worst run of these, or of all chains and messages; a message is a "
        "topic, or 'PUBLISHER -> TOPIC -> SUBSCRIBER'",
    )
    parser.add_argument("--runs", metavar="N", help=f"runs of each attack (default: {RUNS})")
    parser.add_argument("--seconds", metavar="S", help="stop each attack after this time")
    parser.add_argument(
        "--gantt", action="store_true", help="also draw the worst instance that each attack found"
    )
    parser.add_argument(
        "--html", metavar="FILE", type=Output, help="write the bounds and these drawings as a page"
    )
    parser.add_argument(
        "--svg", metavar="FILE", type=Output, help="draw the longest instance that was found"
    )


def run(system: System, options: Namespace) -> int:
    """Attack, print, and say in the exit status how it went."""
    from ddsrta.exploration.attacks import attack_system
    from ddsrta.report.attack import attack_text
    from ddsrta.report.json import text_of
    from ddsrta.simulation.attack import Budget

    wanted = [options.attack] if isinstance(options.attack, str) else list(options.attack)
    runs = _number("--runs", getattr(options, "runs", None))
    seconds = _number("--seconds", getattr(options, "seconds", None))
    if runs is None and seconds is None:
        runs = RUNS
    with Interrupts() as asked, Line() as line:

        def told(place: int, count: int, runs: int) -> bool:
            line.show(lambda: f"attack {place + 1} of {count}: {runs} runs, Ctrl-C shows them")
            return asked.came()

        attack = attack_system(
            system,
            wanted,
            seed=1 if options.seed is None else options.seed,
            budget=Budget(runs=runs, seconds=seconds),
            profile=options.profile,
            tick=told,
        )
    if options.format == "json":
        put_or_write(text_of(attack), options.output)
    else:
        text = attack_text(attack, style_of(options.output))
        put_or_write(text + (_charts(attack) if options.gantt else ""), options.output)
    if options.html:
        _write_page(attack, options.html)
    if options.svg:
        _write_picture(attack, options.svg)
    status = status_of(attack.attacked, attack.result)
    return INTERRUPTED if attack.interrupted and status != DEFECT else status


def _charts(attack: Attack) -> str:
    """The worst instances, one below the other."""
    from ddsrta.report.worst_instance import show

    stream = StringIO()
    for one in attack.attacked:
        stream.write(f"\n{shown(one.target.name)}\n")
        show(one.found, stream)
    return stream.getvalue()


def _write_page(attack: Attack, path: str) -> None:
    from ddsrta.report.page.report import Report, report_html

    write(path, report_html(Report(attack.result, attacked=attack.attacked)))


def _write_picture(attack: Attack, path: str) -> None:
    from ddsrta.report.gantt import svg
    from ddsrta.report.worst_instance import instance_of

    for one in sorted(attack.attacked, key=lambda one: -one.found.worst):
        instance = instance_of(one.found)
        if instance is not None:
            write(path, svg(instance))
            return
    say(f"ddsrta: no run showed what could be drawn into '{path}'")


def _number(option: str, text: str | int | None) -> int | None:
    if text is None or isinstance(text, int):
        return text
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise InputError([Diagnostic(None, f"{option} takes a number above 0, not '{text[:40]}'")])
    return int(text)


def status_of(attacked: Sequence[Attacked], result: Result) -> int:
    """How it went: a run above a bound is our defect, unless the bound is a published one."""
    if any(one.broken for one in attacked):
        if result.profile == "published":
            return MISSED
        say(
            "ddsrta: a run took longer than its bound. This is a defect in ddsrta, not in your"
            "\nfile. Please report it, with the seed, and with the file if you may share it."
        )
        return DEFECT
    return MET if result.verdict == "met" else MISSED
