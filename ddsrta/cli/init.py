"""ddsrta init: a first system.yaml, by a few questions or out of options."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.cli.parser import MET
from ddsrta.cli.places import STANDARD, output_argument
from ddsrta.cli.say import say
from ddsrta.cli.streams import put_or_write

if TYPE_CHECKING:
    from ddsrta.formats.first_draft import Sketch

EPILOG = """\
a node in a line:
  camera: 30 Hz -> image(6MB)      a timer that publishes; a size, if it is known
  detector: image -> objects       a callback for each message
  fusion: image & scan -> tracks   a callback for a set of messages, as message_filters makes them
  planner: 10 Hz, objects -> cmd   a timer that reads the newest message
  motor: cmd                       a callback

Without --node, on a terminal, the command asks. Whatever it guesses ends with '# guessed: …' and is
told on stderr. The file loads and can be analysed at once: 'ddsrta analyze system.yaml'.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("--name", help="what to call the system (default: robot)")
    for option, example, what in (
        ("--node", "'camera: 30 Hz -> image'", "a node (repeatable), see below"),
        (
            "--executor",
            "'vision: camera, detector'",
            "nodes in one executor: vision(4) of four threads, vision@orin on a machine",
        ),
        (
            "--machine",
            "'orin: 4'",
            "a machine and its cores (default: robot: 4); what no --executor puts elsewhere is on "
            "the first",
        ),
        ("--deadline", "'camera -> motor: 100 ms'", "what must be in time"),
    ):
        parser.add_argument(option, metavar=example, action="append", default=[], help=what)
    output_argument(parser)


def run(options: Namespace) -> int:
    """Write the system, and say what was guessed."""
    from ddsrta.formats.first_draft import first_draft
    from ddsrta.formats.yaml_writer import write

    if options.name is not None and not options.name.strip():
        advice = "leave it out, or write for example --name robot"
        raise InputError([Diagnostic(None, "--name is empty", advice)])
    sketch = _asked(options.name) if not options.node and _may_ask() else _given(options)
    draft = first_draft(sketch)
    put_or_write(write(draft), options.output)
    for guess in draft.guesses():
        say(f"guessed: {guess}")
    written = options.output if options.output not in (None, STANDARD) else "system.yaml"
    say(f"next: look at the guesses, then 'ddsrta analyze {written}'")
    return MET


def _may_ask() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _given(options: Namespace) -> Sketch:
    """What options say; all that is wrong with them at once."""
    from ddsrta.formats import sketch

    if not options.node:
        advice = "give --node 'camera: 30 Hz -> image', or call it on a terminal"
        raise InputError([Diagnostic(None, "no node is given", advice)])
    wrong: list[str] = []

    def read(kind: str) -> tuple[Any, ...]:
        return tuple(_read(getattr(sketch, kind), getattr(options, kind), f"--{kind}: ", wrong))

    found = {kind: read(kind) for kind in ("node", "executor", "machine", "deadline")}
    return _whole(options.name, found, wrong)


def _read(
    parse: Callable[[str], Any], texts: list[str], where: str, wrong: list[str]
) -> Iterator[Any]:
    for text in texts:
        try:
            yield parse(text)
        except ValueError as error:
            wrong.append(f"{where}{error}")


def _whole(name: str | None, found: dict[str, tuple[Any, ...]], wrong: list[str]) -> Sketch:
    from ddsrta.formats.first_draft import Sketch
    from ddsrta.formats.sketch import check

    wrong += [] if wrong else check(*found.values())
    if wrong:
        raise InputError([Diagnostic(None, each) for each in wrong])
    return Sketch(name or "robot", *found.values())


def _asked(name: str | None) -> Sketch:
    """What is answered; an answer that cannot be read is asked for again."""
    from ddsrta.formats import sketch

    name = name or _line("What is the system called? [robot] ") or "robot"
    say("\nThe nodes, one a line, and an empty line at the end:")
    say("\n".join(EPILOG.splitlines()[1:6]))
    found = {"node": tuple(_lines(sketch.node))}
    say("\nNodes that share a process and its executor, as 'vision: camera, detector';")
    say("'vision(4): …' has an executor of four threads, 'vision@orin: …' is on machine orin.")
    say("Each other node has a process of its own, on the first machine. An empty line at the end:")
    found["executor"] = tuple(_lines(sketch.executor))
    say("\nA machine and its cores, as 'orin: 4' (robot: 4, if you give none):")
    found["machine"] = tuple(_lines(sketch.machine))
    say("\nWhat must be in time, as 'camera -> motor: 100 ms':")
    found["deadline"] = tuple(_lines(sketch.deadline))
    return _whole(name, found, [] if found["node"] else ["no node is given"])


def _lines(parse: Callable[[str], Any]) -> Iterator[Any]:
    while text := _line("> "):
        try:
            yield parse(text)
        except ValueError as error:
            say(f"  {error}")


def _line(question: str) -> str:
    say(question, end="")
    return sys.stdin.readline().strip()
