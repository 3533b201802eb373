"""ddsrta simulate: what runs show, beside the bounds."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.cli import simulate_attack
from ddsrta.cli.analyze import add_profile
from ddsrta.cli.combinations import refuse
from ddsrta.cli.parser import DEFECT, INTERRUPTED, MET, MISSED
from ddsrta.cli.places import Folder, Input, Output, output_arguments
from ddsrta.cli.say import say
from ddsrta.cli.streams import put_or_write, read_system, style_of

if TYPE_CHECKING:
    from ddsrta.models.system import System
    from ddsrta.simulation.simulation import Simulation

ATTACK = ("runs", "seconds", "gantt", "html", "svg")
RUN = (
    "horizon", "seeds", "events", "jobs", "choices", "histograms", "parquet", "checkpoint",
    "resume", "trace",
)  # fmt: skip
EPILOG = """\
The same system and seed give the same numbers, on any machine and with any --jobs. Ctrl-C stops,
prints what was seen so far and exits with status 130; a second one stops at once.

exit status: as of 'ddsrta analyze', for the bounds; 1 also where a run stopped at --events; 3
where a run shows more than a bound allows, because that is a defect in ddsrta (1 with --profile
published, whose bounds can be optimistic).
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    _runs(parser)
    output_arguments(parser, "tables, or everything")
    parser.add_argument(
        "--histograms", action="store_true", help="also print a histogram of everything"
    )
    add_profile(parser)
    parser.add_argument(
        "--parquet",
        metavar="DIR",
        type=Folder,
        help="write every observation there; needs ddsrta[parquet]",
    )
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        type=Output,
        help="keep there how far it is, to go on with --resume",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on from the checkpoint, with its options"
    )
    parser.add_argument(
        "--trace",
        metavar="FILE",
        type=Output,
        help="write the beginning of the first run, for ui.perfetto.dev",
    )
    simulate_attack.arguments(parser)


def _runs(parser: ArgumentParser) -> None:
    """What is to be simulated."""
    parser.add_argument(
        "--horizon", metavar="TIME", help="such as 10s (default: 1000 times the largest period)"
    )
    parser.add_argument("--seed", metavar="N", type=int, help="the first seed (default: 1)")
    parser.add_argument(
        "--seeds", metavar="K", type=positive, help="runs, with the seeds N … N+K-1 (default: 1)"
    )
    parser.add_argument(
        "--events",
        metavar="N",
        type=positive,
        help="stop a run after so many (default: 100000000)",
    )
    parser.add_argument(
        "--jobs", metavar="J", type=positive, help="runs at the same time (default: 1)"
    )
    parser.add_argument(
        "--choices",
        choices=("random", "worst"),
        help="what the model leaves open: at random, or everything at its worst (default: random)",
    )


def positive(text: str) -> int:
    """A number above 0.

    >>> positive("3")
    3
    """
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise ArgumentTypeError(f"'{text[:40]}' is not a number above 0")
    return int(text)


def run(options: Namespace) -> int:
    """Simulate, print, and say in the exit status how it went."""
    _check(options)
    system = read_system(options.system)
    if options.attack is not None:
        return simulate_attack.run(system, options)
    simulation = _simulation(system, options)
    if options.format == "json":
        from ddsrta.report.json import text_of

        put_or_write(text_of(simulation), options.output)
    else:
        from ddsrta.report.simulation import simulation_text

        style = style_of(options.output)
        text = simulation_text(simulation, style, histograms=options.histograms)
        put_or_write(text, options.output)
    if options.trace is not None:
        from ddsrta.cli.simulate_trace import write_trace

        write_trace(system, simulation, options.trace)
    return _status(simulation)


def _check(options: Namespace) -> None:
    from pathlib import Path

    if options.attack is None:
        refuse(options, ATTACK, "needs --attack")
    else:
        refuse(options, RUN, "is not for --attack", "simulate without it for that")
    if options.format == "json":
        refuse(options, ["gantt"], "draws in text only", "leave out --format json")
    if options.choices == "worst":
        refuse(options, ["seed"], "decides nothing where everything takes its worst case")
    if options.resume and options.checkpoint is None:
        raise InputError([Diagnostic(None, "--resume needs the --checkpoint to go on from")])
    if options.checkpoint is not None and not options.resume and Path(options.checkpoint).exists():
        message = f"the checkpoint '{options.checkpoint}' is there already"
        advice = "go on from it with --resume, or remove it"
        raise InputError([Diagnostic(None, message, advice)])


def _simulation(system: System, options: Namespace) -> Simulation:
    from ddsrta.cli.progress import Bar, Interrupts
    from ddsrta.simulation.simulate import simulate

    with Interrupts() as interrupts, Bar() as bar:
        try:
            return simulate(
                system,
                horizon=options.horizon,
                seed=options.seed,
                seeds=options.seeds,
                jobs=options.jobs or 1,
                events=options.events,
                choices=options.choices,
                profile=options.profile,
                parquet=options.parquet,
                checkpoint=options.checkpoint,
                resume=options.resume,
                stop=interrupts.came,
                tick=bar.show,
            )
        except MemoryError:
            advice = "see 'ddsrta analyze' for what is unbounded, or take a shorter --horizon"
            message = "the simulation needs more memory than there is: its queues grow"
            raise InputError([Diagnostic(None, message, advice)]) from None


def _status(simulation: Simulation) -> int:
    from ddsrta.base.text import plural, shown

    if simulation.violations:
        first = simulation.violations[0]
        if simulation.profile == "published":
            say("The published analysis can be optimistic: the profile 'busy-window' is not.")
            return MISSED
        above = plural(len(simulation.violations), "observation")
        say(f"ddsrta: {above} above a bound, first {shown(first.what)} with seed {first.seed}.")
        say("This is a defect in ddsrta, not in your file. Please report it, with the seed, the")
        say(f"horizon {simulation.horizon}, and the file if you may share it.")
        return DEFECT
    if simulation.interrupted:
        return INTERRUPTED
    if simulation.limited:
        return MISSED
    return MET if simulation.analysis.verdict == "met" else MISSED
