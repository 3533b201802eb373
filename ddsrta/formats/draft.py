"""A system to be finished by hand: what a file of another tool says, and what had to be guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ddsrta.base.shapes import DURATION, Shape, written
from ddsrta.base.structures import Record
from ddsrta.models.grammar import SYSTEM

_GUESS = "guessed: "


@dataclass(frozen=True)
class Remark:
    """A value with a comment at the end of its line."""

    value: Value
    comment: str


@dataclass(frozen=True)
class LeftOut:
    """A place where something of the file has no word in system.yaml: a comment on its own line."""

    comment: str


Value = str | int | list["Value"] | dict[str, "Value"] | Remark | LeftOut
Mapping = dict[str, Value]


def guessed(value: Value, why: str = "not in the file") -> Remark:
    """A value that the file does not give.

    >>> guessed("1ms")
    Remark(value='1ms', comment='guessed: not in the file')
    """
    return Remark(value, _GUESS + why)


def time_text(nanoseconds: int) -> str:
    """A time as system.yaml has it.

    >>> time_text(15_625_000), time_text(100_000_000)
    ('15.625ms', '100ms')
    """
    return quantity(DURATION, nanoseconds)


def quantity(shape: Shape, value: int) -> str:
    """A value of a shape, without the space that stands in front of a unit.

    >>> from ddsrta.base.shapes import SIZE
    >>> quantity(SIZE, 4000), quantity(SIZE, 36)
    ('4kB', '36B')
    """
    return str(written(shape, value)).replace(" ", "")


@dataclass
class Draft:
    """Sections of a document in the making, and what to tell whoever asked for it.

    `left_out` says what was found and has no place, with the reason; guesses are told by their
    remarks. Its sections are those of a record, the `form`, which says how they are written.

    >>> draft = Draft("two nodes")
    >>> draft.section("topics")["speed"] = {"size": guessed("1kB")}
    >>> draft.guesses()
    ["topics: 'size' of speed: not in the file"]
    """

    name: str
    head: list[str] = field(default_factory=list)
    sections: dict[str, Value] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)
    form: Record = SYSTEM

    def section(self, name: str) -> Mapping:
        """The mapping of a section, begun where there is none yet."""
        assert name in self.form.keys, name
        found = self.sections.setdefault(name, {})
        assert isinstance(found, dict), name
        return found

    def guess_delays(self) -> None:
        """A placeholder for δ: each result says that it rests on that, as it would of no figure."""
        why = "not in the file: measure it on your machine, 'ddsrta measure delays'"
        self.section("delays")["placeholder"] = guessed("true", why)

    def leave_out(self, text: str) -> None:
        """Remember what is not in the draft, and why; said once."""
        self.left_out[text] = None

    def guesses(self) -> list[str]:
        """What was guessed, a line for each kind of guess: where, of whom, and why."""
        found: dict[tuple[str, str, str], dict[str, None]] = {}
        for section in self.form.keys:
            for path, why in _guesses(self.sections.get(section, {}), ()):
                key = path[-1] if len(path) > 1 else ""
                owner = path[0] if path else ""
                found.setdefault((section, key, why), {})[owner] = None
        return [_guess(*key, list(owners)) for key, owners in found.items()]


def _guesses(value: Value, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, Remark):
        if value.comment.startswith(_GUESS):
            yield path, value.comment.removeprefix(_GUESS)
        yield from _guesses(value.value, path)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _guesses(part, (*path, key))
    elif isinstance(value, list):
        for part in value:
            yield from _guesses(part, path)


def _guess(section: str, key: str, why: str, owners: list[str]) -> str:
    rest = len(owners) - 3
    of = ", ".join(owners[:3]) + (f" and {rest} more" if rest > 0 else "")
    what = f"'{key}' of {of}" if key and of else of
    return f"{section}: {what}: {why}" if what else f"{section}: {why}"
