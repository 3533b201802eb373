"""What is to be small, large or limited: figures, and the numbers that they are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.base.frozen import frozen
from ddsrta.bounds.figures import ARROW
from ddsrta.exploration.evaluation import Measure
from ddsrta.exploration.study.figures import OF_LOADS
from ddsrta.exploration.study.shapes import Unit

UNITS: dict[str, Unit] = {
    "backlog": "count", "cores": "count", "changes": "count",
    "utilization": "share", "imbalance": "share",
}  # fmt: skip


class Numbers(NamedTuple):
    """What is known of a candidate: its measures, the load of each core in millionths (None where
    nobody asks), and how many places differ from the base."""

    measured: Mapping[Measure, int | None]
    loads: Mapping[str, int] | None
    changes: int


@frozen
class Goal:
    """A figure of some things: of several the worst one. `deadlines` are those of chains whose
    slack it is. `sign`: 1 to be small, -1 to be large."""

    figure: str
    names: tuple[str, ...]
    sign: int = 1
    deadlines: tuple[tuple[str, int], ...] = ()  # the figure that is constrained, and by how much
    is_all: bool = False

    @property
    def unit(self) -> Unit:
        """Of its value."""
        return UNITS.get(self.figure, "time")

    @property
    def name(self) -> str:
        """What a person would call it."""
        what = self.figure.replace("_", " ")
        if self.figure == "changes":
            return what
        if self.is_all and self.figure in OF_LOADS:
            return f"highest {what}" if self.figure == "utilization" else what
        word = "least" if self.figure == "slack" else "largest"
        if self.is_all and len(self.names) > 1:
            return f"{word} {what}"
        return (
            f"{what} of {self.names[0]}"
            if len(self.names) == 1
            else f"{word} {what} of {_some(self.names)}"
        )

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What has to be measured."""
        if self.figure == "slack":
            pairs = zip(self.names, self.deadlines, strict=True)
            return tuple(Measure(kind, name) for name, (kind, _) in pairs)
        if self.figure in OF_LOADS or self.figure == "changes":
            return ()
        return tuple(Measure(self.figure, name) for name in self.names)

    def value(self, numbers: Numbers) -> int | None:
        """Of a candidate; None where it is unbounded."""
        if self.figure == "changes":
            return numbers.changes
        if self.figure in OF_LOADS:
            assert numbers.loads is not None
            loads = [numbers.loads[name] for name in self.names]
            if self.figure == "cores":
                return sum(load > 0 for load in loads)
            return max(loads) - (min(loads) if self.figure == "imbalance" else 0)
        found = [numbers.measured[measure] for measure in self.measures]
        known = [value for value in found if value is not None]
        if len(known) < len(found):
            return None
        if self.figure != "slack":
            return max(known)
        return min(due - value for value, (_, due) in zip(known, self.deadlines, strict=True))


def _some(names: Sequence[str]) -> str:
    """
    >>> _some(["a", "b", "c", "d"])
    'a, b and 2 more'
    """
    if len(names) < 4:
        return ", ".join(names)
    return f"{', '.join(names[:2])} and {len(names) - 2} more"


def goal(
    figure: str,
    of: Sequence[str],
    known: Mapping[str, tuple[str, int]],
    sign: int = 1,
    figures: Callable[[str], Sequence[str]] = lambda name: (),
) -> tuple[Goal | None, list[tuple[str, str]]]:
    """The goal, if all that it names is known to have the figure; else what is wrong, and what to
    do: `figures` are those that a name has."""
    names: list[str] = []
    wrong: list[tuple[str, str]] = []
    for name in of:
        found = [each for each in known if each == _plain(name) or each.startswith(f"{name}/")]
        names += found
        if not found:
            what = figure.replace("_", " ")
            has = ", ".join(figures(_plain(name)))
            advice = f"what it has: {has}" if has else did_you_mean(name, known)
            wrong.append((f"the base has no {what} of {shown(name)}", advice))
    names = list(dict.fromkeys(names)) if of else list(known)
    if figure != "changes" and not names and not wrong:
        advice = "give some chain a deadline" if figure == "slack" else ""
        wrong.append((f"nothing of the base has a {figure.replace('_', ' ')}", advice))
    if wrong:
        return None, wrong
    deadlines = tuple(known[name] for name in names) if figure == "slack" else ()
    return Goal(figure, tuple(names), sign, deadlines, not of), []


def _plain(name: str) -> str:
    return ARROW.join(part.strip() for part in name.replace("->", "→").split("→"))
