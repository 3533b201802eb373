"""How long others have a lock of Fast DDS that is slept for, or are woken for it (lemmas
lock-holds and lock-waits)."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.bounds.locks.beside import Beside
from ddsrta.bounds.locks.known import Known, Met
from ddsrta.bounds.locks.uses import Lock, Use
from ddsrta.bounds.locks.wait import NO_WAIT
from ddsrta.models.bandwidth import resets_of
from ddsrta.models.fastdds import looks
from ddsrta.models.system import EPSILON
from ddsrta_kernel import UNBOUNDED

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution

_MOST_STEPS = 10_000  # of the search of one fixed point
_NONE: frozenset[int] = frozenset()
# A stage, if the unit is of one; its unit and cost; how much longer than a window it counts.
_Term = tuple[int | None, int, int, int | None]


class Holds(NamedTuple):
    """Some holds of a lock: the work of the longest and of all, and how many."""

    longest: int
    work: int
    number: int


class _Had(NamedTuple):
    """Of the threads of one supply: the work under a lock, what lasts longer because they are kept
    from running, one gap in which the lock is free and one of them woken for it, and the most of
    all that in the window."""

    work: int
    held: int
    gap: int
    most: int


def saturated(time: int) -> int:
    """Definition time-saturation."""
    return min(time, UNBOUNDED)


class Locking:
    """The locks of a solved system."""

    def __init__(self, solution: Solution, sharing: Known | None = None) -> None:
        self.solution = solution
        self.system = solution.system
        self.compiled = solution.compiled
        self.stages = solution.compiled.stages
        self.sharing = sharing or Known(solution.compiled)
        self.uses, self.of = self.sharing.uses, self.sharing.of
        self.responses = [solution.response(number) for number in range(len(self.stages))]
        self.known: dict[tuple[int, int], int] = {}
        self.above: dict[int, list[_Term]] = {}  # what preempts stages
        self.units: dict[tuple[int, int], int | None] = {}  # in windows of a length

    def waiting(
        self,
        lock: Lock,
        window: int,
        known: frozenset[int] = _NONE,
        without: frozenset[int] = _NONE,
    ) -> int:
        """How long stages but some have a lock in a window at most, or are woken for it: they work
        under it, or are preempted. Each release makes one gap at most."""
        supplies: dict[int, list[Use]] = {}
        looks, looker = self.looks(lock, window), None
        releases = 1 + looks  # one before the window
        left_out = known | without
        for use in self.uses[lock]:
            units = self._units(use.stage, window)
            if units is None:
                return UNBOUNDED
            releases += units * use.holds
            if use.stage not in left_out:
                supplies.setdefault(self._supply(use.stage), []).append(use)
                if looks and self.stages[use.stage].key[0] == "sample":
                    looker = use.stage
        had = [self._on_supply(uses, window, known) for uses in supplies.values()]
        if looker is not None:
            had.append(self._looking(looker, looks, window, known))
        each = sum(min(one.most, one.held + releases * one.gap) for one in had)
        gaps = releases * max((one.gap for one in had), default=0)
        all_gaps = sum(min(one.most, one.held) for one in had) + gaps
        return saturated(sum(one.work for one in had) + min(each, all_gaps))

    def together(self, locks: Set[Lock], sending: frozenset[int], window: int, met: Met) -> int:
        """How long stages that are not known have one of these locks or are woken for it, or send
        while that of a writer is waited for, in all: on each supply no longer than they execute
        then, and something more urgent does (lemma waits-together)."""
        locks = locks | {use.lock for number in sending for use in self.of[number]}
        work = {number: [self.stages[number].cost] for number in sending}
        for use in (use for lock in locks for use in self.uses[lock]):
            is_sent = use.stage in sending and use.lock[0] == "send"
            if use.stage not in met.known(use.lock) and not is_sent:
                work.setdefault(use.stage, []).append(use.work)
        total, last = sum(self.looks(lock, window) for lock in locks) * EPSILON, dict[int, int]()
        for number, parts in work.items():
            if (units := self._units(number, window)) is None:
                return UNBOUNDED
            total += units * sum(parts)
            supply, unit_of = self._supply(number), self.compiled.unit_of
            last[supply] = max(number, last.get(supply, number), key=lambda n: unit_of[n])
        known = met.always
        return saturated(total + sum(self._interrupting(n, window, known) for n in last.values()))

    def _units(self, number: int, window: int) -> int | None:
        """How many units of a stage may be pending in a window."""
        if (key := (number, window)) not in self.units:
            response = self.responses[number]
            found = None if response is None else self.solution.count(number, window + response)
            self.units[key] = found
        return self.units[key]

    def _on_supply(self, uses: list[Use], window: int, known: frozenset[int]) -> _Had:
        work = lasting = pending = 0
        for use in uses:
            units, response = self._units(use.stage, window), self.responses[use.stage]
            assert units is not None and response is not None
            holds = Holds(use.work, units * use.work, units * use.holds)
            work += holds.work
            pending += units * response
            lasting += min(units * response, self.lasting(use.stage, holds, known))
        last = max((use.stage for use in uses), key=lambda n: self.compiled.unit_of[n])
        most = min(pending - work, self._interrupting(last, window, known))
        return _Had(work, max(0, lasting - work), self._gap(last, known), max(0, most))

    def looks(self, lock: Lock, window: int) -> int:
        """How often a flow controller with a limit has its queue's lock for no sample: it wakes
        with each period, and looks before it sleeps again (lemma idle-looks)."""
        period = resets_of(self.system, lock[1]) if lock[0] == "queue" else None
        return looks(self.system).period * (window // period + 2) if period else 0

    def refusals(self, controller: str, window: int) -> int:
        """How often a flow controller takes the lock of a writer for a sample that has no room,
        and sends what it gathered: once between two resets (lemma writer-locks)."""
        limit = self.system.flow_controllers[controller].limit
        return window // limit.period + 2 if limit else 0

    def _looking(self, number: int, looks: int, window: int, known: frozenset[int]) -> _Had:
        """What such looks make of the thread of a sample: it may be kept from going on in each."""
        work = looks * EPSILON
        lasting = self.lasting(number, Holds(EPSILON, work, looks), known)
        most = self._interrupting(number, window, known)
        return _Had(work, max(0, lasting - work), self._gap(number, known), most)

    def _gap(self, number: int, known: frozenset[int]) -> int:
        """How long a stage that was woken does not run, without what stages that are known take."""
        one = self.elapsed(number, EPSILON)
        if one >= UNBOUNDED or self._budget(number):
            return one
        return min(one - EPSILON, self._preempting(number, one, known))

    def lasting(self, number: int, holds: Holds, known: frozenset[int] = _NONE) -> int:
        """How long some holds last, without what stages that are known take meanwhile."""
        one = self.elapsed(number, holds.longest)
        if one >= UNBOUNDED or self._budget(number):
            return saturated(holds.number * one)
        more = min(one - holds.longest, self._preempting(number, one, known))
        return saturated(holds.work + holds.number * more)

    def elapsed(self, number: int, work: int) -> int:
        """How long some work of a stage lasts that goes on but for more urgent threads, which may
        have been asleep when it began."""
        key = number, work
        if key not in self.known:  # no less than when stages waited for less
            least = self.sharing.elapsed.get(key, saturated(work))
            self.known[key] = self.sharing.elapsed[key] = self._elapsed(number, work, least)
        return self.known[key]

    def _elapsed(self, number: int, work: int, length: int) -> int:
        """The least of these times that is not less than a length."""
        for _ in range(_MOST_STEPS):
            if length >= UNBOUNDED:
                break
            needed = self._time(number, saturated(work + self._preempting(number, length)))
            if needed <= length:
                return length
            length = needed
        return UNBOUNDED

    def _preempting(self, number: int, length: int, known: frozenset[int] = _NONE) -> int:
        """What preempts a stage in a window that need not open with it asleep."""
        total, count = 0, self.solution.solver.count
        for other, unit, cost, longer in self._above(number):
            if other in known:
                continue
            if longer is None:
                return UNBOUNDED
            total += cost * count(unit, length + longer)
        return total

    def _above(self, number: int) -> list[_Term]:
        """What that is, gathered once."""
        if number not in self.above:
            self.above[number] = [self._term(*each) for each in self.sharing.above(number)]
        return self.above[number]

    def _term(self, unit: int, stage: int | None) -> _Term:
        if stage is None:
            return None, unit, self.compiled.problem.cost[unit], 0
        wait = self.compiled.waits.get(stage, NO_WAIT)
        cost = saturated(self.stages[stage].cost + wait.spinning + wait.stalled)
        return stage, unit, cost, self.responses[stage]

    def _interrupting(self, number: int, length: int, known: frozenset[int] = _NONE) -> int:
        """What keeps a stage from going on in a window: what preempts it, gaps of its supply."""
        total, budget = self._preempting(number, length, known), self._budget(number)
        if budget:
            problem = self.compiled.problem
            period = problem.supply_period[problem.supply[self.compiled.unit_of[number]]]
            total += (length // period + 2) * (period - budget)
            total += self.beside(number).most(length)
        return saturated(total)

    def beside(self, number: int) -> Beside:
        """The other reservations of the core of a SCHED_DEADLINE thread."""
        return self.sharing.beside(number)

    def _budget(self, number: int) -> int:
        return self.sharing.budget_of[number]

    def _time(self, number: int, work: int) -> int:
        """Lemma supply-inverse."""
        problem, budget = self.compiled.problem, self._budget(number)
        if not budget or work <= 0:
            return work
        period = problem.supply_period[problem.supply[self.compiled.unit_of[number]]]
        whole, rest = divmod(work - 1, budget)
        return saturated(2 * (period - budget) + whole * period + rest + 1)

    def _supply(self, number: int) -> int:
        return self.sharing.supply_of[number]
