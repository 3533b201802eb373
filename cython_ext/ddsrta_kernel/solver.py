"""All responses and latencies of a problem, and the windows behind them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence

from ddsrta_kernel.again import forget, solve_first, solve_jointly, solve_pending
from ddsrta_kernel.alone import find_alone
from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.candidates import find_candidates
from ddsrta_kernel.counts import pending_count
from ddsrta_kernel.curves import node_count, unit_count
from ddsrta_kernel.groups import examine_group
from ddsrta_kernel.latencies import begin_legs, find_latencies, tell_latencies, tell_steps
from ddsrta_kernel.leading import find_leading
from ddsrta_kernel.meetings import line_up, passing
from ddsrta_kernel.memory import Memory
from ddsrta_kernel.outcomes import Outcome, PendingOutcome, PendingSets, TandemOutcome
from ddsrta_kernel.pack import pack
from ddsrta_kernel.paths import way_finish, work_along
from ddsrta_kernel.pending import begin_pending, examine_pending, own_before
from ddsrta_kernel.problem import FEED, MOST_STEPS, SET_BITS, STEP, UNBOUNDED, Problem
from ddsrta_kernel.rates import demand, find_rates
from ddsrta_kernel.shadow import address, nogil
from ddsrta_kernel.sharing import sharing_length
from ddsrta_kernel.sweeps import allow, begin, iterate, rise
from ddsrta_kernel.walks import walk_on
from ddsrta_kernel.windows import examine, examine_tandem

NOTHING = Outcome(UNBOUNDED, UNBOUNDED, UNBOUNDED, 0, 0, 0, UNBOUNDED)


class Solver(Memory):
    """Finds the global fixed point: all responses and latencies of a problem."""

    def __init__(
        self,
        problem: Problem,
        most_steps: Int = MOST_STEPS,
        is_over: Callable[[], bool] | None = None,
    ) -> None:
        problem.check()
        self.take(problem, is_over)
        self.system.most_steps = most_steps
        pack(self.system)
        find_rates(self.system)
        begin(self.system)

    def solve(self) -> int:
        """Iterates until nothing changes; returns how many windows were examined."""
        with nogil:
            iterate(self.system)
        self.raise_error()
        return self.system.solved

    def rise(self, units: Iterable[int], sweeps: Int) -> int:
        """Goes on from what was found, no further than to ceilings: these units have higher ones.
        Returns how many windows the last of so many sweeps examined; with none, it measures all."""
        for unit in units:
            self.system.dirty[unit] = 1
        with nogil:
            found = rise(self.system, sweeps)
        self.raise_error()
        return found

    def allow(self, most_steps: Int) -> bool:
        """Gives windows so many steps from now on; whether these may find one that was given up."""
        return bool(allow(self.system, most_steps))

    def give_up(self, units: Iterable[int]) -> None:
        """Units that have no bound with less work: none is looked for."""
        for unit in units:
            self.system.overloaded[unit] = 1

    def raise_error(self) -> None:
        """What was raised when it was asked whether to go on."""
        if self.error is not None:
            raise self.error

    @property
    def stopped(self) -> bool:
        """Whether it ended before the fixed point: what has no bound may have one."""
        return bool(self.system.stopped)

    @property
    def solved(self) -> int:
        """How many windows were examined."""
        return self.system.solved

    @property
    def effort(self) -> int:
        """How many evaluations of others that took."""
        return self.system.effort

    def evaluate(self, unit: Int, origin: Int = -1, before: int | None = None) -> Outcome:
        """The bounds of a unit as solved; with an origin, the latency from that unit's arrival."""
        s = self.system
        start: Int = s.place[unit].before if before is None else before
        w = address(s.window[0])
        if s.state[unit].response >= UNBOUNDED or start >= UNBOUNDED:
            return NOTHING
        is_found: Bool = examine(s, unit, origin, start, s.most_steps, w)
        self.raise_error()
        if not is_found:
            return NOTHING
        found = w.response, w.latency, w.length, w.index, w.arrival, w.start, w.finish
        return Outcome(*found, w.opened_by)

    def evaluate_group(self, group: tuple[int, ...], origin: Int, before: Int) -> Outcome:
        """The bounds that a group gives, with the latency from the origin's arrival."""
        s = self.system
        w = address(s.group_window[0])
        g = address(s.group[s.problem.groups])
        g.kind, g.head, g.level, g.first, g.each, g.later, g.least, g.last = group
        is_found: Bool = examine_group(s, g, origin, before, s.most_steps, w)
        self.raise_error()
        if not is_found:
            return NOTHING
        phase = None if w.phase == UNBOUNDED else w.phase
        return Outcome(
            w.response, w.latency, w.length, w.index, w.arrival, 0, w.finish, phase=phase
        )

    def evaluate_tandem(
        self,
        tandem: tuple[int, int, int, int],
        rates: tuple[int, int, int, int],
        feeds: array[int],
        origin: Int,
        before: tuple[int, int],
    ) -> TandemOutcome:
        """The latency from the origin's arrival by two threads in tandem (lemma tandem-window)."""
        s = self.system
        one = address(s.window[0])
        t = address(s.tandem[0])
        t.first, t.last = address(s.window[1]), address(s.window[2])
        t.first_unit, t.last_unit, t.worst, t.link = tandem
        t.first_rate, t.last_rate, t.lumps, t.early = rates
        t.feed, t.base, t.feeds = self.lent(feeds), 0, len(feeds) // FEED
        hopeless = s.overloaded[t.first_unit] or s.overloaded[t.last_unit]
        if max(before) >= UNBOUNDED or hopeless:
            return TandemOutcome(NOTHING, NOTHING, 0, 0)
        is_found: Bool = examine_tandem(s, t, origin, before[0], before[1], one)
        self.raise_error()
        if not is_found:
            return TandemOutcome(NOTHING, NOTHING, 0, 0)
        two = t.first
        first = one.index, one.arrival, one.start, one.finish, one.opened_by
        early = two.index, two.arrival, two.start, two.finish, two.opened_by
        return TandemOutcome(
            Outcome(0, one.latency, one.length, *first),
            Outcome(0, two.latency, two.length, *early),
            t.first_finish,
            t.last_finish,
        )

    def path_finish(
        self, units: array[int], kinds: array[int], rows: array[int], ways: Int, limit: Int
    ) -> int:
        """When a path through units is done, from the arrival at the first, if below a limit; else
        -1. Behind the units stands how early each is left before its end. The `kind` of each unit
        says where what may run beside it ends if not by its relations, or is negative: not known.
        Of rows, what is behind each unit on its own, and bits; then if these count."""
        s, count = self.system, len(units) // 2
        known, behind = self.lent(kinds), self.lent(rows)
        line_up(s, behind)
        return way_finish(s, self.lent(units), count, known, behind, ways, limit)

    def path_work(
        self, units: array[int], kinds: array[int], rows: array[int], length: Int, found: array[int]
    ) -> bool:
        """Whether what meets the path in order says how long it takes; how much of each unit."""
        s, count = self.system, len(units) // 2
        known, behind, work = self.lent(kinds), self.lent(rows), self.lent(found)
        line_up(s, behind)
        return work_along(s, self.lent(units), count, known, behind, length, work)

    def walk(
        self,
        asked: array[int],
        feeds: array[int],
        path: array[int],
        stages: Int,
        start: Int,
        place: Int,
        waited: tuple[int, int],
        from_base: bool,
    ) -> int:
        """So many stages more of a path from a unit, the first at a place: what is asked of them,
        what feeds all tandems, and is known of those before. Where it last waited, and since when;
        returns that."""
        w = address(self.system.walk[0])
        w.system, w.start, w.from_base = self.system, start, from_base
        w.asked, w.feed, w.path = self.lent(asked), self.lent(feeds), self.lent(path)
        w.waited, w.arrived = waited
        steps: Int = len(path) // STEP
        w.first = place - (steps - stages)
        walk_on(w, steps - stages, steps)
        self.raise_error()
        return w.arrived

    def sharing(self, plan: array[int], limit: Int, rounds: Int) -> int:
        """The window of all that shares locks, if so many rounds find one below a limit, or -1."""
        return sharing_length(self.system, self.lent(plan), limit, rounds)

    def lead(self, stages: Int, table: array[int], found: array[int], room: array[int]) -> None:
        """Fills in what leads to each of some stages, whatever the problem, and lines and rows."""
        find_leading(stages, self.lent(table), self.lent(found), self.lent(room))

    def solve_first(self, slow: array[int], uses: Int) -> bool:
        """The fixed point of a problem that has stages, closed windows being ceilings; false where
        there is more to look at than is allowed for. The joins with a slowest input; which
        refinements are used."""
        f = address(self.system.flow[0])
        f.slow, f.failed, f.uses = self.lent(slow), False, uses
        with nogil:
            solve_first(self.system, f)
        return self.is_known()

    def solve_jointly(self, joint: array[int]) -> bool:
        """Once more with windows, by stage, of what flow controllers can have sent together."""
        f = address(self.system.flow[0])
        windows = self.lent(joint)
        with nogil:
            solve_jointly(self.system, f, windows)
        return self.is_known()

    def solve_pending(self, leading: array[int]) -> bool:
        """Once more with what is pending when units arrive, as long as that is less, by what `lead`
        has found."""
        f = address(self.system.flow[0])
        f.leading = self.lent(leading)
        with nogil:
            solve_pending(self.system, f)
        return self.is_known()

    def candidates(
        self,
        layout: tuple[array[int], int, array[int], array[int], int],
        asked: tuple[array[int], array[int]],
        rows: array[int],
        found: array[int],
    ) -> None:
        """What is found of each row of costs and ranks: if all is known, latencies of ways of a
        book, responses of stages. A layout says how units follow from ranks of so many blocks, what
        leads to each stage, and what is used."""
        f = address(self.system.flow[0])
        f.plan, f.blocks = self.lent(layout[0]), layout[1]
        f.leading, f.slow, f.uses = self.lent(layout[2]), self.lent(layout[3]), layout[4]
        f.book, ways = self.lent(asked[0]), len(asked[1]) // 2
        f.knows_orders = False
        asks, values, finds = self.lent(asked[1]), self.lent(rows), self.lent(found)
        count = len(rows) // (self.system.problem.stages + f.blocks)
        self.error, self.system.stopped = None, False  # of those before
        with nogil:
            find_candidates(self.system, f, values, count, asks, ways, finds)
        self.raise_error()

    def is_known(self) -> bool:
        """Whether nothing was more to look at than is allowed for."""
        self.raise_error()
        return not (self.system.flow[0].failed or self.system.stopped)

    def ceilings(self) -> array[int]:
        """Four numbers of each stage: the closed window that bounds it and the one from its
        arrival, unbounded where these do not; its bound without the latter; and whether windows of
        the path to it bound its latency."""
        f = address(self.system.flow[0])
        found = array("q", bytes(32 * self.system.problem.stages))
        values = self.lent(found)
        for i in range(self.system.problem.stages):
            values[4 * i], values[4 * i + 1] = f.ceiling[i], f.pending[i]
            values[4 * i + 2], values[4 * i + 3] = f.instead[i], f.whole[i]
        return found

    def alone(
        self, order: array[int], anchor: Int, row: array[int], asked: Int, told: array[int]
    ) -> int:
        """Fills in when the units of all nodes of an order are done, in a row that says when they
        come at the latest (lemma event-alone). Of one that is asked for, it is told when its window
        begins, by which node, and what runs then; how much that is, -1: all of it is too much."""
        a = address(self.system.flow[0].alone[0])
        a.order, a.row, a.asked, a.told = self.lent(order), self.lent(row), asked, self.lent(told)
        return a.parts if find_alone(a, 0, 0, anchor) else -1

    def latencies(
        self, asked: Sequence[array[int]], found: Sequence[array[int]], exact: Int, goes_on: bool
    ) -> bool:
        """Of a book, orders and ways, each with whether every event counts: fills in the latency of
        each way, and up to the end of each stage; false where that is more than is allowed for.
        Behind so many ways any bound will do. Orders begin with where that of each stage stands,
        or 0: events may be alone in its set. It `goes_on` with what was looked at before."""
        f = address(self.system.flow[0])
        f.book, f.orders, asks = self.lent(asked[0]), self.lent(asked[1]), self.lent(asked[2])
        f.knows_orders, count = len(asked[1]) > 0, len(found[0])
        finds, tells = self.lent(found[0]), self.lent(found[1])
        with nogil:
            if not goes_on:
                begin_legs(self.system, f)
            find_latencies(self.system, f, asks, count, finds, 0, exact)
            if not f.failed:
                tell_steps(f, count, finds, tells)
                tell_latencies(f, count, finds, 0)
            forget(self.system)  # a walk has other numbers for groups
        return self.is_known()

    def ask_pending(self, unit: Int, sets: PendingSets, most: array[int]) -> None:
        """What is asked of a unit that has arrived; how many of each count at most, if known."""
        w = address(self.system.pending[0])
        begin_pending(self.system, w, unit, sets.of_messages)
        w.stages, w.words, w.end, w.left = sets.stages, sets.stages // SET_BITS + 1, -1, 0
        w.leading, w.here = self.lent(sets.leading), self.lent(sets.here)
        w.copied, w.has_copies = self.lent(sets.copied), len(sets.copied) > 0
        w.lines = 2 * w.stages * w.words if sets.lines else -1
        w.unit_of, w.most, w.has_most = self.lent(sets.unit_of), self.lent(most), len(most) > 0

    def pending(
        self,
        unit: Int,
        sets: PendingSets,
        barred: array[int],
        released: tuple[bool, int, int],
        counts: array[int],
        limits: tuple[int, int, int],
    ) -> PendingOutcome:
        """When a unit that has arrived is done at the latest, if what is barred is not in progress.
        Whether it is released by its own core, where all that is as urgent ends if only others
        release it (-1: not so), and how many of its own come with it. With more than so many others
        beside it, when so many evaluations are not left, and where it is not done sooner than that,
        it has no such window."""
        self.ask_pending(unit, sets, counts)
        w = address(self.system.pending[0])
        w.barred, w.bars = self.lent(barred), len(barred)
        w.is_released, w.end, w.own_here = released
        w.left, w.below = limits[1], limits[2]
        finish = examine_pending(w, limits[0])
        if finish < 0:
            return PendingOutcome(-1, w.left, 0, -1, 0, ())
        found = tuple([self.system.counted[i] for i in range(w.others)])
        return PendingOutcome(finish, w.left, w.own, w.blocker, w.blocked, found)

    def pending_count(
        self, unit: Int, other: Int, kind: Int, after: Int, sets: PendingSets, most: array[int]
    ) -> int:
        """How many of another unit, in a relation to it, are pending when a unit arrives, or come
        up to a while after that, that it does not come before."""
        self.ask_pending(unit, sets, most)
        return pending_count(address(self.system.pending[0]), other, kind, after)

    def pending_own(self, unit: Int, sets: PendingSets, most: array[int], start: Int) -> int:
        """How many others of its own are pending when a unit arrives, or may come first then."""
        self.ask_pending(unit, sets, most)
        return own_before(address(self.system.pending[0]), start)

    def passing(self, unit: Int, first: Int, length: Int) -> int:
        """How many of a unit run while a path, with this first one, is on its way so long."""
        return passing(self.system, unit, first, length)

    def count(self, unit: Int, window: Int) -> int:
        """How many units may arrive in a half-open window of this length."""
        return unit_count(self.system, unit, window)

    def node_count(self, node: Int, window: Int) -> int:
        """How many events of a node may come in a half-open window of this length."""
        return node_count(self.system, node, window)

    def shift(self, entry: Int) -> int:
        """By how much windows of the entry's node are longer for it."""
        return self.system.entry_shift[entry]

    def demand(self, unit: Int) -> float:
        """Long-run work at the unit's level, as a fraction of its supply."""
        return demand(self.system, unit)

    def before(self, unit: Int) -> int:
        """The latest arrival of the unit, counted from the event of its node."""
        return self.system.place[unit].before

    def paced(self, unit: Int) -> int:
        """The same, from when that event would come at the node's pace (lemma bursts-once)."""
        return self.system.place[unit].paced

    def done(self, unit: Int) -> int:
        """And the latency from there."""
        return self.system.state[unit].paced

    def entry_paced(self, entry: Int) -> int:
        """By how much windows of the entry's node are longer for it, at the node's pace."""
        return self.system.entry_paced[entry]

    def late(self, node: Int) -> int:
        """How much later than it comes an event may come at the node's pace."""
        return self.system.node[node].late
