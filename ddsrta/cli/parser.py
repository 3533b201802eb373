"""The command line as argparse sees it: only the module of the chosen command is imported."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NoReturn

from ddsrta.base import files_read
from ddsrta.base.text import columns_of, shown
from ddsrta.base.version import VERSION
from ddsrta.cli import places
from ddsrta.cli.commands import COMMANDS, STATUS
from ddsrta.cli.say import say

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

MET, MISSED, WRONG, DEFECT = 0, 1, 2, 3
INTERRUPTED = 130  # 128 + SIGINT, as shells count


class Parser(argparse.ArgumentParser):
    """Says what is wrong with a call in the same form as everything else on stderr."""

    def error(self, message: str) -> NoReturn:
        """Point at --help instead of printing the whole usage."""
        self.exit(WRONG, f"{self.prog}: {message}; see '{self.prog} --help'\n")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Python 3.11 takes `--name=--` for a list of nothing."""
        if action.option_strings and arg_strings == ["--"]:
            raise argparse.ArgumentError(action, "'--' is no value")
        return super()._get_values(action, arg_strings)

    def _get_formatter(self) -> argparse.HelpFormatter:
        """Each argument asks for one, though few are printed: as wide as the terminal."""
        width = columns_of(sys.__stdout__) or 80
        return argparse.RawDescriptionHelpFormatter(self.prog, width=width - 2)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Help is data, and fails where it cannot be written; the rest is said on stderr."""
        if file is not None and file is sys.stdout:
            file.write(message)
        elif message:
            say(message, end="")


def program() -> tuple[Parser, argparse._SubParsersAction[Parser]]:
    """The parser of the program, and what its commands are added to."""
    parser = Parser(
        prog="ddsrta",
        description="Worst-case latencies of DDS and ROS 2 systems, from a description of them.",
        epilog=STATUS,
        allow_abbrev=False,
    )
    parser.add_argument(
        "-V",
        "--version",
        action="version",
        version=f"ddsrta {VERSION}",
        help="print the version and end",
    )
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", prog="ddsrta"
    )
    return parser, commands


def add_command(commands: argparse._SubParsersAction[Parser], name: str) -> Parser:
    """A parser for one command, which its module fills."""
    summary = COMMANDS[name]
    return commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        allow_abbrev=False,
    )


def run(arguments: Sequence[str]) -> int:
    """Parse the arguments and run the command."""
    command = next((a for a in arguments if not a.startswith("-")), "")
    parser, commands = program()
    is_first = command in COMMANDS and arguments[0] == command  # else this may be about all of them
    for name in [command] if is_first else COMMANDS:
        sub = add_command(commands, name)
        if name == command:
            import_module(module_of(name)).arguments(sub)
    if command and command not in COMMANDS:
        parser.exit(WRONG, f"ddsrta: {_unknown(command)}\n")
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        named = commands.choices.get(command, parser)
        named.error(f"unrecognized arguments: {shown(' '.join(unknown))}{_meant(named, unknown)}")
    if not command:
        parser.error("no command given")
    files_read.begin()
    places.check(options)
    status: int = import_module(module_of(command)).run(options)
    return status


def module_of(command: str) -> str:
    """The module of a command; one that is a word of Python has a name with an underscore."""
    return f"ddsrta.cli.{command}_" if iskeyword(command) else f"ddsrta.cli.{command}"


def _meant(parser: argparse.ArgumentParser, unknown: list[str]) -> str:
    """The option of a command, or of one below it, that is nearest to one that there is not."""
    from ddsrta.base.diagnostics import nearest

    parsers: list[argparse.ArgumentParser] = [parser]
    flags: list[str] = []
    for each in parsers:
        flags += [flag[2:] for flag in each._option_string_actions if flag.startswith("--")]
        subs = (a for a in each._actions if isinstance(a, argparse._SubParsersAction))
        parsers += [child for sub in subs for child in sub.choices.values()]
    words = (word[2:].partition("=")[0] for word in unknown if word.startswith("--"))
    found = next(filter(None, (nearest(word, flags) for word in words)), None)
    return f" (did you mean --{found}?)" if found else ""


def _unknown(command: str) -> str:
    from ddsrta.base.diagnostics import did_you_mean

    return f"there is no command '{shown(command)}'; {did_you_mean(command, COMMANDS)}"
