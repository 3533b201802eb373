"""The last value of a time, from one that is in time towards one that is not, at which all
deadlines hold: few analyses, as bounds mostly grow in proportion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, isqrt

from ddsrta.base.diagnostics import InputError
from ddsrta.base.frozen import frozen
from ddsrta.base.watch import Watch
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.deadlines import deadlines
from ddsrta.bounds.load import utilization
from ddsrta.bounds.result import Result
from ddsrta.exploration.evaluation import Evaluator, Measure, Refused
from ddsrta.exploration.parameters import Parameter, with_values
from ddsrta.models.system import System
from ddsrta_kernel import Solver

COARSE = 10  # parts of a value, where all that falls is a bound without a deadline
FINE = 100  # parts of a value that is as good as the least at which a core is overloaded
FULL = 1 + 1e-9  # of a core: loads are sums of floats
GROWTH = 4  # parts of a value: the first step
FAR = 5  # doublings and halvings of a value that is looked for in a late system
NEAR = 4  # parts of the way to where something is full: of the last one it is looked at
TINY = 1e-9  # what floats may be wrong by
LEAST = 1_000_000  # ns, of a time that is none
PATIENCE = 4  # halvings before what came wrong is foretold again


@frozen
class Seen:
    """What was found at one value: `room` is what each chain has left of its deadline, None where
    it has no bound; `endless`: no deadline falls, but something has no bound, or another fault."""

    is_met: bool
    endless: bool = False
    room: tuple[int | None, ...] = ()
    is_possible: bool = True  # a system can have this value


class Tried:
    """Values of one parameter, each analysed once.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.exploration.parameters import parameters
    >>> system = two_threads()
    >>> wcet = next(each for each in parameters(system) if each.name == "sensor: wcet")
    >>> Tried(system, analyze(system), wcet).at(2_000_000)
    Seen(is_met=True, endless=False, room=(3714000,), is_possible=True)
    """

    def __init__(
        self, system: System, result: Result, parameter: Parameter, watch: Watch | None = None
    ) -> None:
        self.watch = watch
        self._go_on()
        asked = list(deadlines(result))
        self.due = [each.deadline for each in asked]
        self.chains = [each.chain for each in asked]
        self.system = system
        measures = [Measure(each.constraint, each.chain) for each in asked]
        measures.insert(0, Measure("verdict", "met"))
        self.evaluator = Evaluator(system, [parameter.path], measures, watch=watch)
        self.parameter = parameter
        self.known: dict[int, Seen] = {}

    def at(self, value: int) -> Seen:
        """What becomes of the system with this value; raises OverError once time is."""
        if value not in self.known:
            self._go_on()
            (found,) = self.evaluator([[self.parameter.text(value)]])
            self.known[value] = (
                Seen(False, is_possible=False) if isinstance(found, Refused) else self._seen(found)
            )
        return self.known[value]

    def _go_on(self) -> None:
        if self.watch is not None:
            self.watch.go_on()

    def fallen(self, value: int) -> tuple[str, ...]:
        """The chains whose deadlines do not hold with this value, where a system can have it."""
        rooms = zip(self.chains, self.at(value).room, strict=False)
        return tuple(dict.fromkeys(c for c, room in rooms if room is None or room < 0))

    def is_overloaded(self, value: int) -> bool:
        """Whether a core has more work than time with this value, however long joins wait."""
        return is_overloaded(self.system, {self.parameter: value})

    @cached_property
    def full(self) -> int | None:
        """About the last value at which nothing has more work than time, as far as work grows in
        proportion: the larger the value, the more. None where it does not."""
        first = self.parameter.value
        if not self.parameter.covers:
            return None
        last = max(2 * first, first + LEAST)
        try:
            ends = list(map(self._demands, (first, last)))
        except InputError:
            return None
        if len(ends[0]) != len(ends[1]):  # other units: a SCHED_DEADLINE thread, served at one end
            return None
        slopes = [(1 - low, high - low) for low, high in zip(*ends, strict=True) if high > low]
        found = min((room / more for room, more in slopes if more > TINY), default=None)
        return None if found is None else first + ceil(found * (last - first) * (1 - TINY)) - 1

    def _demands(self, value: int) -> list[float]:
        """The long-run work that each unit has to wait for, as a part of the time."""
        problem = compile_system(with_values(self.system, {self.parameter: value})).problem
        return list(map(Solver(problem).demand, range(len(problem))))

    def _seen(self, values: Sequence[int | None]) -> Seen:
        room = tuple(
            None if figure is None else due - figure
            for figure, due in zip(values[1:], self.due, strict=True)
        )
        is_met = values[0] == 1
        endless = not is_met and all(each is not None and each >= 0 for each in room)
        return Seen(is_met, endless, room)


def is_overloaded(system: System, values: Mapping[Parameter, int]) -> bool:
    """Whether a core has more work than time with these values, however long joins wait."""
    try:
        compiled = compile_system(with_values(system, values))
    except InputError:
        return False
    return any(load > FULL for load in utilization(compiled, "any").values())


def overloading(at: Callable[[int], bool], idle: int, full: int) -> int:
    """A value at which something is full, at most one per cent beyond one at which nothing is.

    >>> overloading(lambda value: value >= 1234, 1, 1_000_000)
    1235
    """
    while abs(full - idle) * FINE > min(full, idle):
        # what is given in proportion, and what comes in proportion, are halved alike
        middle = isqrt(idle * full) if min(idle, full) * 2 < max(idle, full) else (idle + full) // 2
        idle, full = (idle, middle) if at(middle) else (middle, full)
    return full


def before_overload(tried: Tried, first: int, last: int) -> tuple[int, int] | None:
    """Where nothing has a deadline: a value that is met, and one that is at most ten per cent
    further at which a core is overloaded; None where bounds end before that. Loads are found
    without windows, which are longest there.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.exploration.parameters import parameters
    >>> system = two_threads().replace("chains", "control loop", deadline=None)
    >>> wcet = next(each for each in parameters(system) if each.name == "sensor: wcet")
    >>> before_overload(Tried(system, analyze(system), wcet), 1_000_000, 1_000_000_000)
    (9067860, 9974645)
    """
    if tried.due or not tried.is_overloaded(last) or tried.is_overloaded(first):
        return None
    full = overloading(tried.is_overloaded, first, last)
    low = -(-full * COARSE // (COARSE + 1)) if first < last else full * COARSE // (COARSE - 1)
    if (low - first) * (last - first) <= 0 or not tried.at(low).is_met:
        return None
    return low, full


def farthest(
    at: Callable[[int], Seen], first: int, last: int, full: int | None = None
) -> tuple[int, int]:
    """The last value that is met, and the next one; where nothing with a deadline falls, one that
    is at most ten per cent further. The first is met, the last is not. The value at which
    something is `full`, if one is known, is where deadlines fall that nothing before it foretells.

    >>> def at(value):
    ...     return Seen(value <= 4321, room=(4321 - value,))
    >>> farthest(at, 100, 1_000_000)
    (4321, 4322)
    """
    sign = 1 if last > first else -1
    wall = None if full is None else sign * (full - first)
    return _Search(at, first, sign, abs(last - first), wall).found()


def nearest(tried: Tried) -> int | None:
    """Of a system that is late, the value of a parameter next to its own that is found to be in
    time, or none. A cost is looked for below; a period on both sides, since a longer one leaves
    more time and a shorter one samples more often.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.exploration.parameters import parameters
    >>> system = two_threads().replace("chains", "control loop", deadline="3ms")
    >>> wcet = next(each for each in parameters(system) if each.name == "sensor: wcet")
    >>> nearest(Tried(system, analyze(system), wcet))
    714000
    """
    first = tried.parameter.value
    if tried.parameter.harder == "more":
        ends = [1, *(first >> shift for shift in range(FAR, 0, -1))]
        known = next((end for end in ends if 0 < end < first and tried.at(end).is_possible), None)
        ends = [] if known is None else [known]
    else:
        ends = [end for shift in range(1, FAR + 1) for end in (first >> shift, first << shift)]
    for end in ends:
        if end and tried.at(end).is_met:
            return farthest(tried.at, end, first)[0]
    return None


class _Search:
    """Between two distances from the first value: at `low` all holds, at `high` not."""

    def __init__(
        self, at: Callable[[int], Seen], first: int, sign: int, distance: int, full: int | None
    ) -> None:
        self.at, self.first, self.sign, self.full = at, first, sign, full
        self.low, self.high = 0, distance
        self.before = 0  # the last distance at which all held, before `low`
        self.trust = 0  # halvings until the next step is foretold

    def found(self) -> tuple[int, int]:
        """The value at each of both. The next value shows how bounds grow, if it is met."""
        self._try(1)
        while self.high - self.low > 1 and not self._is_enough():
            wall = self._wall()
            foretold = self._foretold(wall) if self.trust <= 0 else None
            if foretold is None:
                self.trust -= 1
                self._try(self._next())
            elif self._try(foretold):  # what is just full may have bounds, too
                last = min(foretold + (2 if foretold == wall else 1), self.high - 1)
                while self.low < last and self._try(self.low + 1):
                    pass
            else:
                self.trust = PATIENCE
        return self._value(self.low), self._value(self.high)

    def _value(self, distance: int) -> int:
        return self.first + self.sign * distance

    def _seen(self, distance: int) -> Seen:
        return self.at(self._value(distance))

    def _try(self, distance: int) -> bool:
        is_met = self._seen(distance).is_met
        if is_met:
            self.before, self.low = self.low, distance
        else:
            self.high = distance
        return is_met

    def _is_enough(self) -> bool:
        """Whether no deadline is near: windows take long to find where a load becomes full."""
        near = (self.high - self.low) * COARSE <= abs(self._value(self.low))
        return near and self._seen(self.high).endless

    def _next(self) -> int:
        """Twice as far, or the middle: what has no bound takes longest."""
        middle = (self.low + (self._wall() or self.high)) // 2
        return min(middle, max(2 * self.low, max(self.first, GROWTH) // GROWTH))

    def _foretold(self, wall: int | None) -> int | None:
        """Where the first deadline falls if all goes on in proportion, or something is full."""
        if self.before == self.low:
            return None
        ends = []
        pairs = zip(self._seen(self.before).room, self._seen(self.low).room, strict=True)
        for before, here in pairs:
            if before is not None and here is not None and here < before:
                steps = Fraction(here * (self.low - self.before), before - here)
                ends.append(self.low + int(steps))
        found = min(ends, default=self.high)
        if wall is not None and found >= wall:
            if NEAR * (wall - self.low) > wall:
                return None
            self.full, found = None, wall
        return max(found, self.low + 1) if found < self.high else None

    def _wall(self) -> int | None:
        """Where something is full, if that is between both and not only what has no deadline."""
        full = self.full
        if full is None or not self.low < full < self.high:
            return None
        return None if self._seen(self.high).endless else full
