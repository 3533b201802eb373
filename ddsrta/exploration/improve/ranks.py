"""Which things compete by priority, and the values that put them into another order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from ddsrta.base.frozen import frozen
from ddsrta.base.yaml_changes import Step
from ddsrta.exploration.edits import Edit
from ddsrta.exploration.improve.move import View
from ddsrta.models.system import System
from ddsrta.policies import POLICIES
from ddsrta.ros2 import kind_of

FIFO = (1, 99)  # priorities of SCHED_FIFO
TOPICS = (-10, 10)  # priorities of messages, the smaller the more urgent
CALLBACKS = (0, 1000)


@frozen
class Member:
    """A thing with a priority, and the place of that in the file."""

    path: tuple[Step, ...]
    value: int

    @property
    def thing(self) -> tuple[str, ...]:
        """What has it."""
        return tuple(map(str, self.path[:-1]))


Group = tuple[Member, ...]  # those of one priority


@frozen
class Ranking:
    """All that competes by priority in one place: the bigger the `sign` times the value, the more
    urgent."""

    name: str
    members: tuple[Member, ...]
    least: int
    most: int
    sign: int = 1

    @property
    def is_strict(self) -> bool:
        """Whether no two have the same priority."""
        values = {member.value for member in self.members}
        return len(values) == len(self.members)

    @property
    def order(self) -> tuple[Member, ...]:
        """From the least urgent to the most urgent; those alike in the order of the file."""
        return tuple(sorted(self.members, key=lambda member: self.sign * member.value))


def rankings(view: View, least: int = 2) -> list[Ranking]:
    """Of each core, of topics in controllers that look at their priorities, of callbacks: those of
    so many things or more.

    >>> from ddsrta.examples import two_threads
    >>> [one.name for one in rankings(View(two_threads(), {}))]
    ['core ecu/c0', 'core ecu/c1']
    """
    found = [*_of_cores(view), *_of_topics(view), *_of_callbacks(view)]
    return [ranking for ranking in found if len(ranking.members) >= least]


def _of_cores(view: View) -> Iterator[Ranking]:
    """Cores between which something moves are one place."""
    joined = _Joined()
    members: list[tuple[str, Member]] = []
    for section in ("flow_controllers", "listeners", "threads", "executors"):
        for name, each in getattr(view.system, section).items():
            path = (section, name, "priority")
            if view.text(*path) is None or getattr(each, "executor", None):
                continue
            places = [
                f"{c}{_part(each.partition)}" for c in (*getattr(each, "cores", ()), each.core)
            ]
            for place in places:
                joined.join(places[0], place)
            members.append((places[0], Member(path, int(each.priority))))
    for head in dict.fromkeys(joined.head(place) for place, _ in members):
        inside = tuple(member for place, member in members if joined.head(place) == head)
        cores = ", ".join(joined.all(head))
        yield Ranking(f"core{'s' if ', ' in cores else ''} {cores}", inside, *FIFO)


def _part(partition: str | None) -> str:
    return f" partition {partition}" if partition else ""


class _Joined:
    """Sets of places, by one of each."""

    def __init__(self) -> None:
        self.above: dict[str, str] = {}

    def head(self, place: str) -> str:
        while (above := self.above.setdefault(place, place)) != place:
            place = above
        return place

    def join(self, one: str, other: str) -> None:
        self.above[self.head(other)] = self.head(one)

    def all(self, head: str) -> list[str]:
        return [place for place in self.above if self.head(place) == head]


def _of_topics(view: View) -> Iterator[Ranking]:
    system = view.system
    sent = {
        publication.topic
        for thread in system.threads.values()
        for publication in thread.publishes
        if publication.flow_controller and _by_priority(system, publication.flow_controller)
    }
    names = [name for name in system.topics if name in sent and view.node(("topics", name))]
    members = [
        Member(("topics", name, "priority"), int(system.topics[name].priority)) for name in names
    ]
    if all(TOPICS[0] <= member.value <= TOPICS[1] for member in members):
        yield Ranking("topics by priority", tuple(members), *TOPICS, sign=-1)


def _by_priority(system: System, controller: str) -> bool:
    return POLICIES[system.flow_controllers[controller].policy].by_priority


def _of_callbacks(view: View) -> Iterator[Ranking]:
    system = view.system
    for name, executor in system.executors.items():
        if kind_of(executor).by_priority:
            members = tuple(
                Member((*place, "priority"), int(thread.urgency))
                for thread in system.threads.values()
                if thread.executor == name
                and thread.declared_as == thread.name
                and (place := view.declared(thread)) is not None
                and view.text(*place, "priority") is not None
            )
            if all(CALLBACKS[0] <= member.value <= CALLBACKS[1] for member in members):
                yield Ranking(f"callbacks of executor {name}", members, *CALLBACKS)


def alone(members: Iterable[Member]) -> tuple[Group, ...]:
    """An order in which no two are alike."""
    return tuple((member,) for member in members)


def assigned(
    ranking: Ranking, order: Sequence[Group], kept: Collection[Member] = ()
) -> tuple[Edit, ...] | None:
    """Few edits that make the priorities those of an order, from the least urgent group on, of
    which all have one priority; None where there is no room for so many, or not around those that
    are to be `kept`.

    >>> members = [Member(("threads", name, "priority"), value) for name, value in
    ...            (("a", 10), ("b", 20), ("c", 21))]
    >>> a, b, c = members
    >>> ranking = Ranking("core c", tuple(members), 1, 99)
    >>> [(edit.name, edit.value) for edit in assigned(ranking, alone([b, a, c]))]
    [('b: priority', '9')]
    >>> [(edit.name, edit.value) for edit in assigned(ranking, alone([b, a, c]), kept=[b])]
    [('a: priority', '21'), ('c: priority', '22')]
    >>> [(edit.name, edit.value) for edit in assigned(ranking, [(a, b), (c,)])]
    [('b: priority', '10')]
    """
    flip = ranking.least + ranking.most

    def turned(value: int) -> int:
        return value if ranking.sign > 0 else flip - value

    wanted, fixed = [], []
    for number, group in enumerate(order):
        here = {turned(member.value) for member in group if member in kept}
        if len(here) > 1:
            return None
        if here:
            fixed.append(number)
        usual = Counter(turned(member.value) for member in group).most_common(1)[0][0]
        wanted.append(here.pop() if here else usual)
    values = _around(wanted, fixed, ranking.least, ranking.most)
    if values is None:
        return None
    return tuple(
        Edit(member.path, str(turned(value)))
        for group, value in zip(order, values, strict=True)
        for member in group
        if turned(value) != member.value
    )


def _around(values: Sequence[int], fixed: Sequence[int], low: int, high: int) -> list[int] | None:
    """Strictly rising numbers, of which those of some places are these.

    >>> _around([10, 30, 20, 25], [2], 1, 99), _around([10, 30, 20], [1, 2], 1, 99)
    ([10, 19, 20, 25], None)
    """
    found: list[int] = []
    for place in [*fixed, len(values)]:
        ceiling = values[place] - 1 if place < len(values) else high
        part = values[len(found) : place]
        if len(part) > ceiling - low + 1:
            return None
        found += [*strict(part, low, ceiling), *values[place : place + 1]]
        low = ceiling + 2
    return found


def strict(values: Sequence[int], low: int, high: int) -> list[int]:
    """Strictly rising numbers between two, of which as many as can be are these.

    >>> strict([10, 30, 20, 40], 1, 99)
    [10, 30, 31, 40]
    >>> strict([3, 2, 1], 1, 3)
    [1, 2, 3]
    """
    count = len(values)
    shifted = [value - number for number, value in enumerate(values)]
    fits = [low <= shift <= high - count + 1 for shift in shifted]
    best: list[tuple[int, int]] = []  # how many are kept up to here, and which one before it
    for number in range(count):
        before = [
            (best[other][0], -other)
            for other in range(number)
            if fits[other] and shifted[other] <= shifted[number]
        ]
        longest, place = max(before, default=(0, 1))
        best.append((longest + 1, -place) if fits[number] else (0, -1))
    kept = set()
    place = max(range(count), key=lambda n: (best[n][0], -n), default=-1)
    while place >= 0 and fits[place]:
        kept.add(place)
        place = best[place][1]
    return _filled(values, kept, low, high)


def _filled(values: Sequence[int], kept: set[int], low: int, high: int) -> list[int]:
    """The others next to their own values, between those that are kept."""
    found = list(values)
    for number in range(len(values)):
        if number in kept:
            continue
        rest = range(number + 1, len(values))
        after = next((n for n in rest if n in kept), None)
        floor = found[number - 1] + 1 if number else low
        ceiling = high - len(rest) if after is None else found[after] - (after - number)
        found[number] = max(floor, min(ceiling, values[number]))
    return found
