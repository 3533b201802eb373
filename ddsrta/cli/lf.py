"""ddsrta lf: Lingua Franca federations. Each subcommand is a module of ddsrta.cli of its own."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from importlib import import_module

from ddsrta.cli.places import Input, output_arguments

# Each names a module, ddsrta.cli.lf_NAME, and says what it does.
SUBCOMMANDS = {
    "stp": "safe-to-process offsets from execution times, and checks of those that are given",
    "schedule": "latest starts of reactions under schedulers of Lingua Franca and of Linux",
    "lag": "how late a periodic timer may be, by utilisation, under real-time throttling",
    "rti": "lags under an RTI, what it is told and tells, and its price against decentralized",
    "enclaves": "lags of enclaves, which barrier costs what, and a search for a good partition",
    "simulate": "runs of a federation, beside what its coordination bounds",
}


def arguments(parser: ArgumentParser) -> None:
    """A parser for each subcommand."""
    commands = parser.add_subparsers(
        title="subcommands", metavar="SUBCOMMAND", dest="subcommand", required=True
    )
    for name, summary in SUBCOMMANDS.items():
        sub = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            allow_abbrev=False,
            formatter_class=RawDescriptionHelpFormatter,
        )
        import_module(f"ddsrta.cli.lf_{name}").arguments(sub)


def common_arguments(parser: ArgumentParser) -> None:
    """What subcommands that look at a federation have in common."""
    parser.add_argument(
        "federation", metavar="FEDERATION", type=Input, help="federation.yaml, or - for stdin"
    )
    output_arguments(parser)


def run(options: Namespace) -> int:
    """Run the subcommand."""
    status: int = import_module(f"ddsrta.cli.lf_{options.subcommand}").run(options)
    return status
