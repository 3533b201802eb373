"""ddsrta lf: Lingua Franca federations. Each subcommand is a module of ddsrta.cli of its own."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from importlib import import_module

# Each names a module, ddsrta.cli.lf_NAME, and says what it does.
SUBCOMMANDS = {
    "stp": "safe-to-process offsets from execution times, and checks of those that are given",
    "rti": "lags under an RTI, what it is told and tells, and its price against decentralized",
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


def run(options: Namespace) -> int:
    """Run the subcommand."""
    status: int = import_module(f"ddsrta.cli.lf_{options.subcommand}").run(options)
    return status
