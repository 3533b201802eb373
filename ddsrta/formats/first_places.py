"""Where a first draft puts executors and listeners: by what they would load a core
with, if what is not known were what the draft guesses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ddsrta.base.units import Size, parse_period, parse_size
from ddsrta.formats.sketch import GroupSketch, NodeSketch
from ddsrta.models.costs import Delays

WCET, RATE, BYTES = "1ms", "10 Hz", "1kB"  # what is guessed
_WORK = 1_000_000
_FULL = 0.8  # of a core: a listener then goes elsewhere


class Place(NamedTuple):
    """The cores of an executor, and that of its listener."""

    cores: tuple[str, ...]
    listener: str


class Loads:
    """What nodes take of a core, as far as a sketch says how often they run.

    >>> from ddsrta.formats.sketch import node
    >>> loads = Loads([node("eye: 100 Hz -> image"), node("log: image")])
    >>> [f"{each:.4f}" for each in (loads.own("eye"), loads.received("log"), loads.own("log"))]
    ['0.1303', '0.0303', '0.1000']
    """

    def __init__(self, nodes: Iterable[NodeSketch]) -> None:
        self.nodes = {each.name: each for each in nodes}
        self.sizes = dict(size for each in self.nodes.values() for size in each.sizes)
        self.publishers: dict[str, list[str]] = {}
        for each in self.nodes.values():
            for topic in each.publishes:
                self.publishers.setdefault(topic, []).append(each.name)
        self.known: dict[str, float] = {}

    def own(self, name: str) -> float:
        """What its callbacks do and send."""
        each = self.nodes[name]
        work = self._rate(name) * (bool(each.rate) or not each.reads)
        work += sum(self._arrives(topic) for topic in each.reads)
        sent = self._rate(name) * sum(self._delay(topic) for topic in each.publishes)
        return work * _WORK + sent

    def received(self, name: str) -> float:
        """What a listener does for it."""
        reads = self.nodes[name].reads
        return sum(self._arrives(topic) * self._delay(topic) for topic in reads)

    def _rate(self, name: str) -> float:
        """How often it publishes, in a nanosecond; what goes in a circle counts once."""
        if name not in self.known:
            self.known[name] = 0.0
            each = self.nodes[name]
            if each.rate or not each.reads:
                self.known[name] = 1 / parse_period(each.rate or RATE)
            else:
                rates = [self._arrives(topic) for topic in each.reads]
                self.known[name] = min(rates) if each.together else sum(rates)
        return self.known[name]

    def _arrives(self, topic: str) -> float:
        return sum(self._rate(name) for name in self.publishers.get(topic, ()))

    def _delay(self, topic: str) -> int:
        return placeholder_of(self.sizes.get(topic, BYTES))


def placeholder_of(size: str) -> int:
    """What to receive a message is taken to need where nobody measured it.

    >>> placeholder_of("1kB")
    303000
    """
    cost = Delays(placeholder=True).of("listener", Size(parse_size(size)))
    assert cost is not None
    return cost.worst


def places(
    groups: Sequence[GroupSketch], machines: Sequence[GroupSketch], loads: Loads
) -> dict[str, Place]:
    """Of all executors, by their names: what loads most has the first choice.

    >>> from ddsrta.formats.sketch import executor, machine, node
    >>> loads = Loads([node("eye: 100 Hz -> image"), node("log: image")])
    >>> groups = [executor("a: eye"), executor("b: log")]
    >>> [each.cores for each in places(groups, [machine("orin: 2")], loads).values()]
    [('orin/c0',), ('orin/c1',)]
    """
    full: dict[str, float] = {f"{m.name}/{core}": 0.0 for m in machines for core in m.members}
    sums = {
        each.name: (sum(map(loads.own, each.members)), sum(map(loads.received, each.members)))
        for each in groups
    }
    found: dict[str, Place] = {}
    for each in sorted(groups, key=lambda one: -sum(sums[one.name])):
        machine = next((m for m in machines if m.name == each.machine), machines[0])
        there = [f"{machine.name}/{core}" for core in machine.members]
        own, received = sums[each.name]
        cores = sorted(there, key=full.__getitem__)[: each.threads]
        for core in cores:
            full[core] += own  # all of it may be on any of them
        listener = cores[0]
        if full[listener] + received > _FULL:
            listener = min(there, key=full.__getitem__)
        full[listener] += received
        found[each.name] = Place(tuple(sorted(cores, key=there.index)), listener)
    return {each.name: found[each.name] for each in groups}
