"""What the model leaves open, and who decides it in a run: chance, the worst, or an adversary.

A time that the file does not give is taken as 0: nothing that is seen is more than can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Literal, TypeVar

from ddsrta.lf.program.federates import Span
from ddsrta.lf.program.federation import Federation

Kind = Literal["worst", "mixed", "random"]
_T = TypeVar("_T")


class Choices:
    """The choices of one run.

    `worst`: every time is its longest, everything is written, messages leave last. `mixed`: each
    time is its longest or its shortest. `clocks` are how far ahead of the common time each clock
    is. Federates in `silent` write nothing.

    >>> Choices(1, "worst").between(3, 9)
    9
    """

    def __init__(
        self,
        seed: int,
        kind: Kind = "random",
        clocks: Mapping[str, int] | None = None,
        silent: frozenset[str] = frozenset(),
    ) -> None:
        self.chance = Random(seed)
        self.kind = kind
        self.given_clocks = clocks
        self.silent = silent
        self.writing = 1.0 if kind == "worst" else self.chance.choice([1.0, 0.9, 0.6, 0.3])
        self.at_once = self.chance.random() < 0.5
        self.tells_absence = kind != "worst" and self.chance.random() < 0.5
        self.keeps_back = self.chance.random() < 0.5

    @property
    def worst(self) -> bool:
        """Whether every time is its longest."""
        return self.kind == "worst"

    def between(self, best: int, worst: int | None) -> int:
        """A time."""
        if not worst or self.kind == "worst":
            return worst or 0
        draw = self.chance.random()
        if self.kind == "mixed" or draw < 0.5:
            return worst if draw < 0.35 or (self.kind == "mixed" and draw < 0.5) else best
        return self.chance.randint(best, worst)

    def of(self, span: Span | None) -> int:
        """A time of a span."""
        return 0 if span is None else self.between(span.best, span.worst)

    def writes(self, federate: str, always: bool) -> bool:
        """Whether a reaction writes an effect this time."""
        if federate in self.silent:
            return False
        return always or self.writing >= 1 or self.chance.random() < self.writing

    def gap(self, spacing: int | None, usual: int) -> int:
        """From one event of the outer world to the next."""
        least = usual if spacing is None else spacing
        if self.kind == "worst" or self.chance.random() < 0.4:
            return least
        return self.chance.randint(least, 3 * least)

    def shuffled(self, items: Sequence[_T]) -> list[_T]:
        """In any order."""
        found = list(items)
        self.chance.shuffle(found)
        return found


def clocks(federation: Federation, choices: Choices) -> dict[str, int]:
    """How far each clock is ahead, as far apart as they can be or anywhere between."""
    if choices.given_clocks is not None:
        return dict(choices.given_clocks)
    limits = clock_limits(federation)
    extreme = choices.kind != "random" or choices.chance.random() < 0.5
    found: dict[str, int] = {}
    for host in choices.shuffled(all_clocks(federation)):
        low = max((value - limits[host, other] for other, value in found.items()), default=0)
        high = min((value + limits[host, other] for other, value in found.items()), default=0)
        found[host] = (
            choices.chance.choice([low, high]) if extreme else choices.chance.randint(low, high)
        )
    return found


def extreme_clocks(federation: Federation, early: str, late: Sequence[str]) -> dict[str, int]:
    """One clock as far ahead as can be of those in `late`, of the first of them above all;
    the others are ahead, too.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> extreme_clocks(two_federates(), "rear", ["front"])
    {'rear': 0, 'front': -150000}
    """
    limits = clock_limits(federation)
    found: dict[str, int] = {early: 0}
    for host in dict.fromkeys([*late, *all_clocks(federation)]):
        if host in found:
            continue
        if host in late:
            found[host] = max(value - limits[host, other] for other, value in found.items())
        else:
            found[host] = min(value + limits[host, other] for other, value in found.items())
    return found


def all_clocks(federation: Federation) -> list[str]:
    """Those of hosts, and of federates that have their own."""
    return list(dict.fromkeys([*federation.hosts, *federation.clocks.values()]))


def clock_limits(federation: Federation) -> dict[tuple[str, str], int]:
    """How far two clocks can be apart, whatever is said of others in between counted in.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> clock_limits(two_federates())["front", "rear"]
    150000
    """
    place = {name: name for name in federation.hosts}
    place.update({c: federation.federates[f].host for f, c in federation.clocks.items()})
    hosts = list(place)
    limits: dict[tuple[str, str], int] = {}
    for one in hosts:
        for other in hosts:
            low, high = sorted((place[one], place[other]))
            given = federation.clock_errors.get((low, high))
            errors = [federation.hosts[place[name]].clock_error or 0 for name in (one, other)]
            limits[one, other] = 0 if one == other else sum(errors) if given is None else given
    for via in hosts:
        for one in hosts:
            for other in hosts:
                way = limits[one, via] + limits[via, other]
                limits[one, other] = min(limits[one, other], way)
    return limits
