"""The orders that a subscriber can see, as sets of permutations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TypeVar

from ddsrta.base.frozen import frozen
from ddsrta.bounds.order.compare import always_before
from ddsrta.bounds.solution import Solution
from ddsrta.models.graph import inputs
from ddsrta.models.groups import overlaps
from ddsrta.models.routes import Route, forks, multiplicity, routes_to
from ddsrta.models.system import System
from ddsrta.policies.policy import Argument, broken, kept

MOST_ORDERS = 1000
MANY_WAYS = "more ways lead there than are looked at"
T = TypeVar("T")


@frozen
class Overtaking:
    """A message on `first`, of an event `later` events after that of one on `second`, is seen
    before it: possible or not, and why."""

    first: str
    second: str
    later: int
    possible: bool
    because: str


@frozen
class OrderSet:
    """What a subscriber can see of the events of one origin: jobs of that thread.

    `together`: one job of the subscriber reads the messages of an event on all topics, so that
    their order means nothing.
    """

    subscriber: str
    origin: str
    topics: tuple[str, ...]
    overtakings: tuple[Overtaking, ...]
    together: bool = False

    def overtaking(self, first: str, second: str, later: int = 0) -> Overtaking:
        """Whether a message on one topic can be seen before one on another."""
        return self._found[first, second, later]

    @cached_property
    def _found(self) -> dict[tuple[str, str, int], Overtaking]:
        return {(o.first, o.second, o.later): o for o in self.overtakings}

    @cached_property
    def orders(self) -> tuple[tuple[str, ...], ...]:
        """The orders of the first messages of one event on each topic; at most MOST_ORDERS."""
        possible = _permutations(self.topics, lambda a, b: self.overtaking(a, b).possible)
        return tuple(islice(possible, MOST_ORDERS))

    @cached_property
    def sequences(self) -> tuple[tuple[tuple[str, int], ...], ...]:
        """The same for two successive events, 0 and 1; at most MOST_ORDERS."""
        messages = [(topic, event) for event in (0, 1) for topic in self.topics]
        return tuple(islice(_permutations(messages, self._can_precede), MOST_ORDERS))

    def _can_precede(self, one: tuple[str, int], other: tuple[str, int]) -> bool:
        (first, event), (second, against) = one, other
        if event < against:
            return True
        return self.overtaking(first, second, event - against).possible


def _permutations(
    things: Sequence[T], can_precede: Callable[[T, T], bool]
) -> Iterator[tuple[T, ...]]:
    """All permutations in which each thing can precede all that come after it."""
    if not things:
        yield ()
    for number, thing in enumerate(things):
        rest = [*things[:number], *things[number + 1 :]]
        if all(can_precede(thing, other) for other in rest):
            for tail in _permutations(rest, can_precede):
                yield (thing, *tail)


def order_sets(solution: Solution, subscriber: str) -> list[OrderSet]:
    """The orders at a subscriber, for each thread from whose jobs it gets several topics.

    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> order_sets(solve(two_threads()), "control")
    []
    """
    routes = routes_to(solution.system, subscriber)
    return [
        _order_set(solution, subscriber, origin, found, routes.cut)
        for origin, found in forks(routes).items()
    ]


def order_set(solution: Solution, subscriber: str, origin: str) -> OrderSet:
    """The orders of the messages that stem from jobs of one thread."""
    routes = routes_to(solution.system, subscriber)
    found = routes.by_origin.get(origin, [])
    return _order_set(solution, subscriber, origin, found, routes.cut)


def _order_set(
    solution: Solution, subscriber: str, origin: str, routes: list[Route], cut: bool
) -> OrderSet:
    read = solution.system.threads[subscriber].subscribes
    reached = {route.topic for route in routes}
    topics = tuple(t for t in dict.fromkeys(read.topics if read else ()) if t in reached)
    unclear = MANY_WAYS if cut else _unmatched(solution, routes)
    together = not unclear and _read_together(solution.system, subscriber, routes)
    if together:
        return OrderSet(subscriber, origin, topics, _never(topics), together)
    arguments: dict[tuple[Route, Route, int], Argument] = {}

    def argument(first: Route, second: Route, later: int) -> Argument:
        if unclear:
            return broken(unclear)
        key = (first, second, later)
        if key not in arguments:
            arguments[key] = always_before(solution, first, second, later)
        return arguments[key]

    found = []
    for first in topics:
        for second in topics:
            for later in (0, 1):
                if first != second or later:
                    pairs = [
                        argument(slow, fast, later)
                        for slow in routes
                        for fast in routes
                        if slow.topic == second and fast.topic == first
                    ]
                    weakest = next((a for a in pairs if not a.holds), pairs[0])
                    found.append(
                        Overtaking(first, second, later, not weakest.holds, weakest.because)
                    )
    return OrderSet(subscriber, origin, topics, tuple(found))


def _unmatched(solution: Solution, routes: list[Route]) -> str | None:
    """A job on the way that may take messages of different events together: what an input lost, or
    what overtakes, shifts it against others (lemmas room-overflow and overtaking-jobs)."""
    for name in dict.fromkeys(hop.target for route in routes for hop in route.hops):
        job = solution.compiled.stages[solution.number(("job", name))]
        if job.activation == "and" and len(job.inputs) > 1 and (job.mispaired or job.anew):
            return f"{name} may take messages of different events together"
    return None


def _never(topics: tuple[str, ...]) -> tuple[Overtaking, ...]:
    reason = kept("one job reads the messages of an event on all topics").because
    return tuple(
        Overtaking(first, second, later, False, reason)
        for first in topics
        for second in topics
        for later in (0, 1)
        if first != second or later
    )


def _read_together(system: System, subscriber: str, routes: list[Route]) -> bool:
    """An AND job whose n-th tokens are all of the n-th job of the origin: one way to each topic,
    one message a job, and no thread on the way with other inputs that release it, too."""
    reader = system.threads[subscriber]
    if reader.arrival is not None or reader.activation != "and":
        return False
    if reader.synchronizer is not None and not reader.synchronizer.keeps_numbers:
        return False
    if len({route.topic for route in routes}) < len(routes):
        return False
    for route in routes:
        passed = [system.threads[hop.target] for hop in route.hops[:-1]]
        if any(overlaps(system, system.threads[hop.source]) for hop in route.hops):
            return False
        if any(system.overtakes(*hop) for hop in route.hops):
            return False
        if multiplicity(system, route.hops) != 1 or any(
            thread.activation != "and" and len(inputs(system, thread)) > 1 for thread in passed
        ):
            return False
    return True
