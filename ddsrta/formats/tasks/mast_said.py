"""What is said in one part of a model of MAST, key by key; what nobody asked for is a problem."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ddsrta.base.diagnostics import Diagnostic, Position, shown
from ddsrta.base.units import LONGEST_DURATION
from ddsrta.formats.tasks.mast_text import Node

# Averages and best cases of overheads that are 0 at the worst; what is for other tools.
_IDLE = frozenset(
    f"{what}_{of}"
    for what in ("avg", "best")
    for of in ("context_switch", "isr_switch", "overhead", "case_execution_time", "interarrival")
) - {"best_case_execution_time"}
_OF_TOOLS = frozenset({"preassigned", "model_date", "distribution", "system_pip_behaviour"})


class Reading:
    """Problems and notes of a file, and the unit of its times."""

    def __init__(self, unit: int) -> None:
        self.unit = unit
        self.problems: list[Diagnostic] = []
        self.notes: dict[str, None] = {}

    def wrong(self, at: Position, message: str, advice: str = "") -> None:
        self.problems.append(Diagnostic(at, message, advice))

    def note(self, at: Position, text: str) -> None:
        self.notes[f"{text} (line {at.line})"] = None

    def time(self, value: Fraction, at: Position, up: bool) -> int:
        """A time in ns: rounded where it is none of whole ns, costs up and distances down."""
        exact = value * self.unit
        if not 0 <= exact <= LONGEST_DURATION:
            self.wrong(at, "no time from 0 to 104 days", "is that the unit?")
            return 0
        if exact.denominator > 1:
            self.notes["times that are not whole ns: costs rounded up, distances down"] = None
        return -int(-exact // 1) if up else int(exact // 1)


class Said:
    """The keys of one part."""

    def __init__(self, node: Node, what: str, reading: Reading) -> None:
        self.at = node.at
        self.reading = reading
        self.what = what
        self.keys: dict[str, Node] = node.value if isinstance(node.value, dict) else {}
        self.asked: set[str] = {"type", *_IDLE, *_OF_TOOLS}
        self.kind = self.word("type", required=False)
        if not isinstance(node.value, dict) and node.value:
            reading.wrong(node.at, f"{what}: expected keys with values")

    def get(self, key: str) -> Node | None:
        """The value of a key."""
        self.asked.add(key)
        return self.keys.get(key)

    def word(self, key: str, required: bool = True) -> str:
        """A name or another word."""
        found = self.get(key)
        if found is not None and found.word:
            return found.word
        if found is not None or required:
            at = self.at if found is None else found.at
            self.reading.wrong(at, f"{self.what}: '{key}' is missing or no name")
        return ""

    def number(self, key: str, default: int | None = None) -> Fraction:
        """A number."""
        found = self.get(key)
        if found is not None and isinstance(found.value, Fraction):
            return found.value
        if found is not None or default is None:
            at = self.at if found is None else found.at
            self.reading.wrong(at, f"{self.what}: '{key}' is missing or no number")
        return Fraction(default or 0)

    def time(self, key: str, default: int | None = None, up: bool = True) -> int:
        """A time in ns."""
        found = self.keys.get(key)
        return self.reading.time(self.number(key, default), found.at if found else self.at, up)

    def items(self, key: str) -> list[Node]:
        """The entries of a list; one that stands alone is a list of itself."""
        found = self.get(key)
        if found is None:
            return []
        return found.value if isinstance(found.value, list) else [found]

    def is_at_rest(self, *keys: str, value: int = 0) -> None:
        """Keys whose effect is not read: they must have none."""
        for key in keys:
            found = self.get(key)
            if found is not None and found.value not in (value, "no", [], {}):
                self.refuse(key, found)

    def refuse(self, key: str, found: Node) -> None:
        """What is not read, and may matter."""
        self.reading.wrong(found.at, f"{self.what}: {shown(key, 40)} is not read")

    def done(self) -> None:
        """Nothing may be left that nobody asked for."""
        for key, found in self.keys.items():
            if key not in self.asked:
                self.refuse(key, found)

    def wants(self, *kinds: str) -> bool:
        """Whether it is of one of these kinds; else that is wrong."""
        if self.kind in kinds:
            return True
        self.reading.wrong(self.at, f"{self.what}: {shown(self.kind, 40)} is not read")
        return False


def children(nodes: list[Node], what: str, reading: Reading) -> Iterator[Said]:
    """The parts in a list."""
    for node in nodes:
        yield Said(node, what, reading)
