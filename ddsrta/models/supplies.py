"""What machines are: cores, what a core supplies to its threads, and the links between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from ddsrta.base.frozen import ReadOnly, frozen, part
from ddsrta.base.records import key, record, shape_of
from ddsrta.base.shapes import DURATION, POSITIVE_DURATION, Flag, Reference, Text
from ddsrta.base.structures import Contradiction, Either, ListOf, MapOf

PART = Text(without="/")  # of a core's path, machine/core
# What SCHED_DEADLINE of Linux takes: 1 << DL_SCALE, sched_deadline_period_min_us, _max_us
LEAST_BUDGET, SHORTEST_PERIOD, LONGEST_PERIOD = 1024, 100_000, 4_194_304_000


@record("reservation")
class Reservation:
    """A periodic resource: `budget` of processor time in each `period` (SCHED_DEADLINE, APS)."""

    budget: int = key(POSITIVE_DURATION, "processor time in each period")
    period: int = key(POSITIVE_DURATION, "the period of the budget")

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """The budget fits into the period."""
        if self.budget > self.period:
            yield Contradiction("budget", "the budget is larger than its period")


@frozen
class Core:
    """A processor: whole, or supplying one reservation, or split into partitions by name."""

    machine: str = part(stored="")
    name: str
    reservation: Reservation | None = None
    partitions: Mapping[str, Reservation] = field(default_factory=dict)
    tick: int | None = part(default=None, sparse=True)  # of its machine

    @property
    def path(self) -> str:
        """The name by which threads refer to the core: 'ecu1/c0'."""
        return f"{self.machine}/{self.name}"


@record("core", optional=True)
class CoreDeclaration:
    """What a file says of a core."""

    reservation: Reservation | None = key(
        shape_of(Reservation), "all threads of the core share this supply", default=None
    )
    partitions: Mapping[str, Reservation] | None = key(
        MapOf(shape_of(Reservation)), "adaptive partitions of the core, by name", default=None
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """A core supplies in one way."""
        if self.reservation and self.partitions:
            yield Contradiction((), "a core has either a reservation or partitions")


@record("machine")
class Machine:
    """The cores of a machine: their names, or what is said of each."""

    cores: tuple[str, ...] | Mapping[str, CoreDeclaration] = key(
        Either(
            sequence=ListOf(PART, may_be_empty=False),
            mapping=MapOf(shape_of(CoreDeclaration), name=PART),
            advice="name them: [c0, c1]",
        ),
        "the cores of the machine: a list of names, or names with details",
    )
    tick: int | None = key(
        POSITIVE_DURATION,
        "the most between two ticks of its kernel, Linux 6.6 or later (`1 / CONFIG_HZ`, twice that "
        "with PREEMPT_LAZY): threads of SCHED_OTHER have a fair share then",
        default=None,
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """Every core has a name of its own."""
        names = list(self.cores)
        for index, name in enumerate(names):
            if name in names[:index]:
                yield Contradiction(("cores", index), f"core '{name}' is listed twice")

    def named(self, machine: str) -> Iterator[Core]:
        """The cores of the machine of this name."""
        for name in self.cores:
            said = self.cores[name] if isinstance(self.cores, Mapping) else CoreDeclaration()
            partitions = ReadOnly(said.partitions or {})
            yield Core(machine, name, said.reservation, partitions, self.tick)


@record("link")
class Link:
    """Propagation from one machine to another: at most `delay`, at least `best`. `ordered`: of one
    publisher's messages on a topic, none overtakes another on its way to one reader. `medium`: the
    shared link that sends them before that."""

    source: str = key(Reference(("machines",)), "the sending machine", name="from", stored="from")
    target: str = key(Reference(("machines",)), "the receiving machine", name="to", stored="to")
    delay: int = key(
        DURATION,
        "worst-case propagation, after the link (needed where there is no `link`)",
        default=0,
        shown="",
    )
    best: int = key(DURATION, "best-case propagation", default=0)
    ordered: bool = key(
        Flag(),
        "messages of one publisher on one topic reach a reader in their order (false: whatever "
        "took less time comes first)",
        default=True,
        sparse=True,
    )
    medium: str | None = key(
        Reference(("links",)),
        "the shared link that sends the messages first",
        default=None,
        name="link",
        stored="link",
        sparse=True,
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """A link leads to another machine, and its best case is no worse than its worst."""
        if not given.keys() & {"delay", "link"}:
            message = "the worst-case propagation, or the 'link' that sends the messages"
            yield Contradiction((), "'delay' is missing", message)
        elif self.best > self.delay:
            yield Contradiction("best", "the best case is above the worst")
        if self.source == self.target:
            message = "messages within a machine do not cross the network"
            yield Contradiction((), message, "put the delay into δl of the listener")
