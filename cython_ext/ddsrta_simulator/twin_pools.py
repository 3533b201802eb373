"""The threads of an executor of ROS 2 that are on several cores.

Written from the behaviour of rclcpp. One thread at a time looks for work, under a mutex that it
also holds while it waits for some: the holder. When it has taken a callback, an idle thread becomes
the holder; so does a thread that ends a callback while all others work. A holder that something
more urgent keeps off its core takes nothing, and no other idle thread can. Of a mutually exclusive
group one callback runs at a time; what waits for it is passed over.
"""

from __future__ import annotations

from ddsrta_simulator.orders import POOL
from ddsrta_simulator.program import BEST, RANDOM, WORST, Program
from ddsrta_simulator.twin_decisions import Decider, mix
from ddsrta_simulator.twin_executors import turns
from ddsrta_simulator.twin_threads import Server, Supply, Unit


class Pool:
    """Its threads, the queues that they share, and the groups in progress."""

    def __init__(self, program: Program, decide: Decider, first: Member) -> None:
        self.program, self.decide, self.first = program, decide, first
        begin, end = program.server_queue[first.number : first.number + 2]
        self.members: list[Member] = []
        self.holder: Member | None = first
        self.picks = 0
        self.busy: set[int] = set()
        self.group = list(program.queue_group[begin:end])
        self.turns = turns(
            list(program.queue_turn[begin:end]), *decide.fixed(program.server_turns[first.number])
        )

    def places(self) -> list[int]:
        """The places of all queues from which something may be taken."""
        return [
            place
            for place, queue in enumerate(self.first.queues)
            if queue and self.group[place] not in self.busy
        ]

    def pick(self) -> int | None:
        """The place that comes next."""
        decision = self.program.server_pick[self.first.number]
        now = self.first.supply.core.now
        habit, seed = self.decide.habit_at(decision, self.picks, now)
        places = self.places()
        if not places:
            return None
        if habit == BEST:
            return next(place for place in self.turns if place in places)
        if habit == RANDOM:
            return places[mix(seed, self.picks) % len(places)]
        return min(places, key=lambda place: self.first.queues[place][0].arrival)

    def pass_on(self, place: int) -> None:
        """A unit was taken: an idle thread may look for more."""
        if self.group[place] >= 0:
            self.busy.add(self.group[place])
        decision = self.program.server_baton[self.first.number]
        habit, seed = self.decide.habit_at(decision, self.picks, self.first.supply.core.now)
        idle = [member for member in self.members if member.current is None]
        if not idle:
            self.holder = None
        elif habit == RANDOM:
            self.holder = idle[mix(seed, self.picks) % len(idle)]
        else:
            kept = [m for m in idle if m.is_kept_off()] if habit == WORST else []
            self.holder = idle[-1] if habit == BEST else [*kept, *idle][0]
        self.picks += 1


class Member(Server):
    """One thread of a pool; the first has the queues of all."""

    __slots__ = ("pool",)

    def __init__(
        self, program: Program, decide: Decider, number: int, supply: Supply, pools: dict[int, Pool]
    ) -> None:
        first, last = program.server_queue[number : number + 2]
        super().__init__(number, POOL, program.server_priority[number], last - first, supply)
        leader = program.server_pool[number]
        self.pool = pools[leader] if leader in pools else Pool(program, decide, self)
        pools[leader] = self.pool
        self.pool.members.append(self)

    def is_kept_off(self) -> bool:
        """Whether something more urgent has its core."""
        other = self.supply.core.top()
        if other is None:
            return False
        return other.supply is not self.supply or other.priority > self.priority

    def _next(self) -> int | None:
        if self.pool.holder is not self or self.current is not None:
            return None
        return self.pool.pick()

    def peek(self) -> Unit | None:
        """The unit that comes next, if it may look for one."""
        place = self._next()
        return None if place is None else self.pool.first.queues[place][0]

    def take(self) -> Unit:
        """Begin the unit that comes next."""
        place = self._next()
        assert place is not None
        self.current = self.pool.first.queues[place].popleft()
        self.pool.pass_on(place)
        return self.current

    def give_back(self, unit: Unit) -> None:
        """It has done a unit: others of the group may be taken, and it looks for work if no other
        thread does."""
        program = self.pool.program
        self.pool.busy.discard(program.queue_group[program.stage_queue[unit.stage]])
        if self.pool.holder is None:
            self.pool.holder = self
