"""Threads with their queues: which unit each takes next, and whether it is ready."""

from __future__ import annotations

from dataclasses import dataclass, field

from ddsrta_simulator import Choices, Program
from ddsrta_simulator.orders import ANY, DEADLINE, ROUNDS, TIMERS, TURNS
from ddsrta_simulator.program import BEST, NEVER, RANDOM, WORST
from ddsrta_simulator.shadow import mix
from tests.simulation.oracle.jobs import Jobs, Paths
from tests.simulation.oracle.servers import budgets
from tests.simulation.oracle.things import Unit


@dataclass(eq=False)
class Server:
    """A thread: its queues by number, what it has begun, and how many units it has finished."""

    number: int
    core: int
    supply: int
    queues: dict[int, list[Unit]]
    current: Unit | None = None
    finished: int = 0
    turn: int = -1  # the queue that has its turn, and how many units it had in it
    had: int = 0
    order: list[int] = field(default_factory=list)  # of an executor, by turns
    place: int = 0  # in the round
    round: set[int] = field(default_factory=set)
    looks_again: bool = False
    places: int = 0  # how often there were several cores to go to


class Queues(Jobs):
    """Policies of flow controllers, executors of one thread, and timers."""

    def __init__(self, program: Program, choices: Choices, paths: Paths) -> None:
        super().__init__(program, choices, paths)
        p = program
        self.opened = {supply for supply, budget in enumerate(p.supply_budget) if budget == 0}
        self.budgets = budgets(p)
        self.opened |= set(self.budgets)
        self.ready: list[list[Server]] = [[] for _ in p.supply_core]
        self.servers = [self.server(number) for number in range(len(p.server_supply))]
        self.touched: list[int] = []  # cores
        self.due: set[int] = set()  # timers that wait to be called
        self.called: dict[int, int] = {}

    def server(self, number: int) -> Server:
        """With its queues."""
        p = self.p
        supply = p.server_supply[number]
        queues = range(*p.server_queue[number : number + 2])
        server = Server(number, p.supply_core[supply], supply, {queue: [] for queue in queues})
        if ROUNDS <= p.server_order[number] <= ANY and queues:
            server.order = self.turns(p, number)
            server.looks_again = self.looks_again(p, number)
            server.place = len(server.order)
        return server

    def touch(self, core: int) -> None:
        """Something happened to it."""
        if core not in self.touched:
            self.touched.append(core)

    def top(self, core: int) -> Server | None:
        """The thread that should have it: of the first supply that serves and has any that is ready,
        the most urgent one; of equals, the one that is ready for longest. Of constant-bandwidth
        servers, the one that is due first."""
        supplies = list(range(*self.p.core_supply[core : core + 2]))
        if self.budgets:
            supplies.sort(key=lambda s: self.budgets[s].due if s in self.budgets else NEVER)
        for supply in supplies:
            if supply in self.opened and self.ready[supply]:
                urgency = self.p.server_priority
                return max(self.ready[supply], key=lambda server: urgency[server.number])
        return None

    def is_idle(self, server: int) -> bool:
        """Whether it sleeps."""
        return self.servers[server] not in self.ready[self.servers[server].supply]

    def sleep(self, server: Server) -> None:
        """For want of work."""
        self.ready[server.supply].remove(server)

    def moves(self, server: Server) -> bool:
        """Whether it goes to a core of its set that is at less urgent work: one with the most or
        the least urgent, or any."""
        p, number = self.p, server.number
        found: list[tuple[int, int, int]] = []
        for place in range(*p.server_set[number : number + 2]):
            top = self.top(p.supply_core[p.set_supply[place]])
            urgency = -NEVER if top is None else p.server_priority[top.number]
            if urgency < p.server_priority[number]:
                found.append((urgency, place, p.set_supply[place]))
        if not found:
            return False
        decision = p.server_place[number]
        habit = self.way(decision, server.places, self.now)
        chosen = found[0]
        for count, one in enumerate(found, 1):
            if habit == RANDOM:
                if mix(self.c.decision_seed[decision], server.places + one[1]) % count == 0:
                    chosen = one
            elif one[0] > chosen[0] if habit == WORST else one[0] < chosen[0]:
                chosen = one
        server.places += len(found) > 1
        server.supply, server.core = chosen[2], p.supply_core[chosen[2]]
        return True

    def balance(self) -> None:
        """Who moves waits nowhere while a core of its set is at less urgent work."""
        for server in self.servers:
            if not self.is_idle(server.number) and self.top(server.core) is not server:
                supply, core = server.supply, server.core
                if self.moves(server):
                    self.ready[supply].remove(server)
                    self.ready[server.supply].append(server)
                    self.touch(core)
                    self.touch(server.core)

    def push(self, unit: Unit, queue: int) -> None:
        """At the tail; of timers that a thread of its own watches, at that."""
        p = self.p
        server = self.servers[p.stage_server[unit.stage]]
        self.count(p.stage_pending[unit.stage], 1)
        self.count(p.server_pending[server.number], 1)
        if unit.stage < self.threads and self.is_watched(unit.stage):
            server = self.servers[p.thread_caller[unit.stage]]
            queue = next(iter(server.queues))
        self.bring(unit, server, queue)

    def bring(self, unit: Unit, server: Server, queue: int) -> None:
        """A thread that slept is ready, behind those of its priority."""
        waiting = server.queues[queue]
        waiting.insert(self.place(unit, waiting), unit)
        if self.is_idle(server.number):
            self.moves(server)
            supply = server.supply
            if supply in self.budgets and not self.ready[supply]:
                self.budgets[supply].wakes(self.now)
            self.ready[supply].append(server)
            if self.top(server.core) is server:
                self.poll_at_once(server)
        self.touch(server.core)

    def place(self, unit: Unit, waiting: list[Unit]) -> int:
        """Behind all that waits; or anywhere behind what came the same way."""
        decision = self.p.thread_taken[unit.stage] if unit.stage < self.threads else -1
        if decision < 0 or not waiting:
            return len(waiting)
        same = [place for place, other in enumerate(waiting, 1) if other.hop == unit.hop]
        first, last = max(same, default=0), len(waiting)
        habit = self.way(decision, unit.number, self.now)
        if habit == RANDOM:
            return first + mix(self.c.decision_seed[decision], unit.number) % (last - first + 1)
        return first if habit == WORST else last

    def next_queue(self, server: Server) -> int | None:
        """From which it takes next."""
        order = self.p.server_order[server.number]
        waiting = [queue for queue, units in server.queues.items() if units]
        if not waiting or (ROUNDS <= order <= ANY and waiting[0] == next(iter(server.queues))):
            return waiting[0] if waiting else None
        if order == DEADLINE:
            return min(waiting, key=lambda q: server.queues[q][0].arrival + self.p.queue_due[q])
        if order == TURNS:
            return min(waiting, key=lambda queue: (queue < server.turn, queue))
        if order == ANY:
            return self.any_queue(server, waiting)
        if order == ROUNDS:
            return [*self.rest_of_round(server), *self.by_turns(server)][0]
        return waiting[0]

    def take_turn(self, server: Server, queue: int) -> None:
        """One more unit of the turn of a queue, or of a round."""
        queues = list(server.queues)
        if self.p.server_order[server.number] == ROUNDS:
            if queue != queues[0]:
                if not self.rest_of_round(server):
                    self.poll(server)
                server.round.discard(queue)
                server.place = server.order.index(queue) + 1
            return
        server.had = server.had + 1 if server.turn == queue else 1
        server.turn = queue
        if server.had >= self.p.queue_weight[queue]:
            server.had = 0
            server.turn = queues[(queues.index(queue) + 1) % len(queues)]

    # Executors

    def by_turns(self, server: Server) -> list[int]:
        """The queues with anything in them."""
        return [queue for queue in server.order if server.queues[queue]]

    def rest_of_round(self, server: Server) -> list[int]:
        """Those that are still to be served in the round in progress."""
        late = {queue for queue in server.order if server.looks_again and self.p.queue_late[queue]}
        rest = server.order[server.place :]
        return [queue for queue in rest if server.queues[queue] and queue in server.round | late]

    def poll(self, server: Server) -> None:
        """A round begins: whatever has come by now belongs to it."""
        server.round = set(self.by_turns(server))
        server.place = 0

    def poll_at_once(self, server: Server) -> None:
        """One that was woken, or has done a callback, may look before all that comes now has come."""
        if self.p.server_order[server.number] != ROUNDS or server.queues[next(iter(server.queues))]:
            return
        decision = self.p.server_poll[server.number]
        if self.amount(decision, server.finished, self.now, 0, 1) == 1:
            return
        if not self.rest_of_round(server) and self.by_turns(server):
            self.poll(server)

    def any_queue(self, server: Server, waiting: list[int]) -> int:
        """By arrival, the first by turns, or at random; of the earliest turn."""
        turn = min(self.p.queue_turn[queue] for queue in waiting)
        waiting = [queue for queue in waiting if self.p.queue_turn[queue] == turn]
        decision = self.p.server_pick[server.number]
        habit = self.way(decision, server.finished, self.now)
        if habit == BEST:
            return self.by_turns(server)[0]
        if habit == RANDOM:
            drawn = mix(self.c.decision_seed[decision], server.finished)
            return waiting[drawn % len(waiting)]
        return min(waiting, key=lambda queue: server.queues[queue][0].arrival)

    # Timers

    def is_watched(self, thread: int) -> bool:
        """Whether a thread of its own watches the timer that this is of, if any."""
        caller = self.p.thread_caller[thread]
        return caller >= 0 and self.p.server_order[caller] == TIMERS

    def skips(self, thread: int, due: int) -> bool:
        """Whether a release is none, as a call skips what was due until then; else the timer waits."""
        if self.p.thread_caller[thread] < 0:
            return False
        if thread in self.due or due <= self.called.get(thread, due - 1):
            return True
        self.due.add(thread)
        return False

    def call_timer(self, thread: int) -> None:
        """It waits no more."""
        self.due.discard(thread)
        self.called[thread] = self.now

    def call(self, server: Server) -> None:
        """A thread that watches timers calls all that are due."""
        (units,) = server.queues.values()
        self.sleep(server)
        for unit in units[:]:
            units.remove(unit)
            self.call_timer(unit.stage)
            its = self.servers[self.p.stage_server[unit.stage]]
            self.bring(unit, its, self.p.stage_queue[unit.stage])
