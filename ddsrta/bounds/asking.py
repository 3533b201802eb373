"""What figures of a solved system ask of the kernel: latencies of ways and responses of stages."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.event_alone.alone import Orders
from ddsrta.bounds.figures import ARROW
from ddsrta.bounds.paths.book import Book
from ddsrta.bounds.paths.concrete import NamedPath
from ddsrta.bounds.paths.latency import stages_of
from ddsrta.bounds.paths.told import Way, Ways
from ddsrta.bounds.present import FIGURES, message_keys
from ddsrta.bounds.result import Verdict
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Key
from ddsrta.bounds.synchronizers.set_responses import subscriptions
from ddsrta.bounds.timer_skips import soonest_skip
from ddsrta.models.graph import Hop
from ddsrta.models.groups import is_timer
from ddsrta_kernel import UNBOUNDED, Solver

Figures = tuple[int | None, ...]
Sum = tuple[int | Way, ...]  # responses of stages and latencies of ways, one after the other


class Longest(NamedTuple):
    """A figure: the longest of some, each the least of some sums. Those that are `needed` are
    unbounded where the first sum is; of none there is no figure."""

    longest: tuple[tuple[Sum, ...], ...]
    needed: bool = False


Asked = int | Way | Longest  # the response of a stage, the latency of a way, or more than that
NO_FIGURE = Longest(())


class Judged(NamedTuple):
    """What a verdict asks for: figures that have deadlines, and what is to have a bound."""

    figures: tuple[Asked, ...]
    deadlines: tuple[int, ...]
    bounds: tuple[Asked, ...]

    def verdict(self, values: Sequence[int | None]) -> Verdict:
        """Of all their values, but for errors."""
        if None in values:
            return "unbounded"
        held = (
            time is not None and time <= due
            for time, due in zip(values, self.deadlines, strict=False)
        )
        return "met" if all(held) else "missed"


class Asking:
    """What figures of a system ask of the kernel; None where they ask for more."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled, self.system = compiled, compiled.system
        self.number = compiled.stage_number
        self.messages = {ARROW.join(keys[-1][1:]): keys for keys in message_keys(compiled)}
        self.paths: dict[str, tuple[Asked | None, ...]] = {}  # as they are asked for
        self.hops: dict[Hop, list[int] | None] = {}

    def chain(self, path: NamedPath, kind: str) -> Asked | None:
        """A figure of a path."""
        return self.figures(path)[FIGURES.index(kind)]

    def figures(self, path: NamedPath) -> tuple[Asked | None, ...]:
        """All `FIGURES` of a path."""
        if path.name not in self.paths:
            self.paths[path.name] = self._figures(path)
        return self.paths[path.name]

    def _figures(self, path: NamedPath) -> tuple[Asked | None, ...]:
        numbers = [self.number["job", path.start]]
        known = self.hops
        for hop in path.hops:
            further = known[hop] if hop in known else known.setdefault(hop, self._hop(hop))
            if further is None:  # it crosses a register
                return NO_FIGURE, NO_FIGURE, None, None
            numbers += further
        way = (*numbers,)
        joins = not self.compiled.structure.bends.isdisjoint(numbers[1:])
        last, every = (way, False), (way, joins)
        trigger = Longest((((last,), (every,)),)) if joins else every
        kind = path.chain.constraint
        return every, trigger, *[None if kind == age else NO_FIGURE for age in FIGURES[2:]]

    def _hop(self, hop: Hop) -> list[int] | None:
        """Its stages; None where it ends with a thread that is released by time."""
        if self.system.threads[hop.target].arrival is not None:
            return None
        keys = *stages_of(self.compiled, hop), ("job", hop.target)
        return [self.number[key] for key in keys]

    def judged(self, paths: Iterable[NamedPath]) -> Judged | None:
        """What a verdict asks for; None where it is more: of orders, or of ages."""
        system = self.system
        if system.orders:
            return None
        bounds = [self.wcrt(name, False) for name in system.threads]
        bounds += [self.ddl(message, False) for message in self.messages]
        figures, deadlines = [], []
        for path in paths:
            figure, deadline = self.chain(path, path.chain.constraint), path.chain.deadline
            if figure is None or (deadline is None and figure is NO_FIGURE):
                return None
            if deadline is None:
                bounds.append(figure)
            else:
                figures.append(figure)
                deadlines.append(deadline)
        return Judged((*figures,), (*deadlines,), (*bounds,))

    def way(self, keys: Iterable[Key]) -> Way:
        """A way by the keys of its stages."""
        return tuple(map(self.number.__getitem__, keys)), False

    def ddl(self, message: str, in_full: bool = True) -> Asked:
        """The data delivery latency of a message, from when its publisher has what it needs; else
        only what has no bound where that has none."""
        keys = self.messages[message]
        kind, name = keys[0][:2]
        parts = subscriptions(self.system.threads[name]) if kind == "job" else ()
        own = self.way(keys)
        if not parts:
            return own
        sums = [((own, self.number["job", part]),) for part in parts]
        return self._longest(sums, parts, keys if in_full else ())

    def wcrt(self, name: str, in_full: bool = True) -> Asked:
        """The response of a thread or callback; else only what has no bound where that has none."""
        own = self.number["job", name]
        parts = subscriptions(self.system.threads[name])
        if not parts:
            return own
        sums = [((self.number["job", part], own),) for part in parts]
        return self._longest(sums, parts, [("job", name)] if in_full else ())

    def _longest(
        self, sums: Sequence[tuple[Sum]], parts: Sequence[str], keys: Sequence[Key]
    ) -> Longest:
        """The longest of some sums, or of the ways there from each part, if they are asked for."""
        if not keys:
            return Longest((*sums,), True)
        ways = [self.way([("job", part), *keys]) for part in parts]
        return Longest(tuple([(*one, (way,)) for one, way in zip(sums, ways, strict=True)]), True)

    def other_ways(self) -> Iterator[Way]:
        """Those by which responses and messages may take less, and that no verdict needs."""
        threads = self.system.threads
        joins = [name for name, thread in threads.items() if subscriptions(thread)]
        messages = (name for name, keys in self.messages.items() if keys[0][1] in joins)
        for one in (*map(self.wcrt, joins), *map(self.ddl, messages)):
            for _, *ways in one.longest if isinstance(one, Longest) else ():
                yield from (way for (way,) in ways if not isinstance(way, int))


class Answers:
    """Some figures, as the kernel answers: the ways of a book, of which it says the latencies, and
    where each figure stands among these and the responses of all stages. Of those that are to be
    `bounded`, which come last, it says a bound, if there is one."""

    def __init__(
        self, solution: Solution, asked: Sequence[Asked], bounded: Sequence[Asked] = ()
    ) -> None:
        numbers: dict[Way, int] = {}
        known: dict[int, _Places | int | None] = {}  # each once, though it is asked for twice
        for some in (asked, bounded):
            self.exact = len(numbers)  # ways: all but those of the last
            for one in some:
                if id(one) not in known:
                    known[id(one)] = _places(one, numbers, len(solution.compiled.stages))
        self.places = [known[id(one)] for one in (*asked, *bounded)]
        book, self.told = Book(solution, [way for way, _ in numbers]), Ways(numbers)
        self.book, self.ends = book.array, {stretch[-1] for stretch in book.numbers}
        waits = [1 if waits else 0 for _, waits in numbers]
        self.ways = array("q", [n for row in zip(book.ways, waits, strict=True) for n in row])
        self.words = array("q")  # of what was asked last
        number = solution.compiled.stage_number
        self.timers: list[tuple[int, int]] = [
            (number["job", name], soonest_skip(thread.arrival))
            for name, thread in solution.system.threads.items()
            if thread.arrival is not None and is_timer(thread)
        ]

    def by(self, solver: Solver, compiled: Compiled, known: Orders | None = None) -> Figures | None:
        """All figures of a solved problem, of which orders of events may be known; None where the
        kernel cannot tell."""
        found = array("q", bytes(4 * len(self.ways)))
        orders = known or Orders(compiled)
        self.words = words = orders.words(self.ends)
        short = orders.closures.left < 0  # then it counts in which order they are asked for
        asked, finds = (self.book, words, self.ways), (found, self.told.steps)
        if short or (found and not solver.latencies(asked, finds, self.exact, False)):
            return None
        response = solver.response
        responses = [response[unit] for unit in compiled.unit_of]
        return self.of([*found, *responses], [stage.cost for stage in compiled.stages], 0)

    def tell(self, solver: Solver) -> Ways | None:
        """The latencies of all ways, when `by` has asked for them; None where the kernel cannot."""
        if ways := self.ways[2 * self.exact :]:
            first = self.told.first[self.exact]
            found, steps = array("q", bytes(4 * len(ways))), self.told.steps[first:]
            asked = self.book, self.words, ways
            if not solver.latencies(asked, (found, steps), len(found), True):
                return None
            self.told.steps[first:] = steps
        return self.told

    def of(self, found: Sequence[int], costs: Sequence[int], begin: int) -> Figures | None:
        """All figures, by the latencies of ways and the responses of stages; None where timers may
        skip releases (lemma timer-skips). Costs stand from a place on."""
        ways = len(self.ways) // 2
        for number, soonest in self.timers:
            response = found[ways + number]
            if response >= UNBOUNDED or response - costs[begin + number] >= soonest:
                return None
        return tuple([
            (None if (time := found[one]) >= UNBOUNDED else time)
            if isinstance(one, int)
            else one and _longest(one, found)
            for one in self.places
        ])  # fmt: skip


class _Places(NamedTuple):
    """A figure as sums of what stands at some places."""

    longest: tuple[tuple[tuple[int, ...], ...], ...]
    needed: bool


def _places(one: Asked, numbers: dict[Way, int], stages: int) -> _Places | int | None:
    """By where they stand: the latencies of ways, which get numbers, and behind these the responses
    of all stages, counted from the end."""
    if one is NO_FIGURE:
        return None
    if not isinstance(one, Longest):
        return _place(one, numbers, stages)
    longest = [
        tuple([tuple([_place(part, numbers, stages) for part in parts]) for parts in sums])
        for sums in one.longest
    ]
    return _Places((*longest,), one.needed)


def _place(one: int | Way, numbers: dict[Way, int], stages: int) -> int:
    return one - stages if isinstance(one, int) else numbers.setdefault(one, len(numbers))


def _longest(places: _Places, found: Sequence[int]) -> int | None:
    longest = -1
    for sums in places.longest:
        times = [sum([found[place] for place in one]) for one in sums]
        least = UNBOUNDED if places.needed and times[0] >= UNBOUNDED else min(times)
        longest = max(longest, least)
    return None if longest < 0 or longest >= UNBOUNDED else longest
