"""All commands, with what each takes: one source for completion and the manual page."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from ddsrta.cli.commands import COMMANDS
from ddsrta.cli.parser import add_command, module_of, program
from ddsrta.cli.places import Folder, Input, Output


class Option(NamedTuple):
    """An option, or an argument where it has no `names`; `value` is what stands for its value,
    nothing where it takes none."""

    names: tuple[str, ...]
    value: str
    help: str
    choices: tuple[str, ...] = ()
    is_file: bool = False
    is_folder: bool = False


class Call(NamedTuple):
    """A command, or a subcommand, by its words: a command that has subcommands comes first."""

    words: tuple[str, ...]
    summary: str
    options: tuple[Option, ...]
    epilog: str
    usage: str

    @property
    def flags(self) -> list[str]:
        """The names of its options, long ones where there are two.

        >>> calls()[0].flags[0]
        '--help'
        """
        return [option.names[-1] for option in self.options if option.names]


def calls() -> list[Call]:
    """All of them in the order of --help.

    >>> [" ".join(call.words) for call in calls() if call.words[:1] == ("measure",)]
    ['measure', 'measure delays', 'measure application']
    """
    parser, commands = program()
    for name in COMMANDS:
        import_module(module_of(name)).arguments(add_command(commands, name))
    return list(_calls(parser, (), {}))


def _calls(
    parser: argparse.ArgumentParser, words: tuple[str, ...], helps: dict[str, str]
) -> Iterator[Call]:
    subs = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    options = tuple(_option(a) for a in parser._actions if a not in subs)
    said = helps.get(words[-1], "") if words else parser.description or ""
    yield Call(words, said, options, parser.epilog or "", parser.format_usage())
    for sub in subs:
        below = {each.dest: each.help or "" for each in sub._choices_actions}
        for name, child in sub.choices.items():
            yield from _calls(child, (*words, name), below)


def _option(action: argparse.Action) -> Option:
    kind = action.type if isinstance(action.type, type) else str
    takes = action.nargs != 0
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    choices = tuple(str(each) for each in action.choices or ())
    value = (metavar or ("|".join(choices) if choices else action.dest.upper())) if takes else ""
    text = "" if action.help is None else action.help
    text = text % {**vars(action), "prog": "ddsrta"} if "%" in text else text
    folder = issubclass(kind, Folder)
    is_file = issubclass(kind, Input | Output) and not folder
    return Option(tuple(action.option_strings), value, text, choices, is_file, folder)
