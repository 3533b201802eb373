"""What a run is given: each decision of its choices, when sources release, and when supplies serve."""

from __future__ import annotations

from ddsrta_simulator import Choices, Program
from ddsrta_simulator.orders import POOL, RESERVED
from ddsrta_simulator.program import (
    ANYWHERE,
    BEST,
    BEST_THEN_WORST,
    CLOSED,
    EITHER,
    OPENED,
    RANDOM,
    TRACE,
    WORST,
    WORST_THEN_BEST,
)
from ddsrta_simulator.shadow import mix
from ddsrta_simulator.simulator import Engine


def covered(program: Program) -> bool:
    """Whether it is without what the oracle does not know: executors on several cores, limits of
    bytes, SCHED_OTHER, and locks and datagrams of a middleware."""
    known = not any(order in (POOL, RESERVED) for order in program.server_order)
    return known and not (
        any(program.server_limit)
        or any(program.server_weight)
        or program.lock_none
        or any(program.publication_batch)
    )


class Decisions:
    """By number; what is open is worst where nothing decides it."""

    def __init__(self, choices: Choices) -> None:
        self.c = choices
        rows = zip(choices.apart_of, choices.apart_number, choices.apart_value, strict=True)
        self.apart: dict[tuple[int, int], int] = {}
        for of, number, value in rows:
            self.apart.setdefault((of, number), value)

    def habit(self, decision: int, number: int, time: int) -> int:
        """WORST, BEST or RANDOM, this time."""
        if decision < 0:
            return WORST
        habit, turn = self.c.decision_habit[decision], self.c.decision_turn[decision]
        if habit == EITHER:
            return WORST if mix(self.c.decision_seed[decision], number) % 2 else BEST
        if habit == WORST_THEN_BEST:
            return WORST if time < turn else BEST
        if habit == BEST_THEN_WORST:
            return BEST if time < turn else WORST
        return habit

    def way(self, decision: int, number: int, time: int) -> int:
        """A habit, or what this instance takes apart."""
        if decision >= 0 and (decision, number) in self.apart:
            return BEST if self.apart[decision, number] >= BEST else WORST
        return self.habit(decision, number, time)

    def amount(self, decision: int, number: int, time: int, best: int, worst: int) -> int:
        """From best to worst."""
        if decision >= 0 and best < worst and (decision, number) in self.apart:
            return sorted((best, self.apart[decision, number], worst))[1]
        habit = self.habit(decision, number, time)
        if habit == RANDOM and best < worst:
            return best + mix(self.c.decision_seed[decision], number) % (worst - best + 1)
        return best if habit == BEST and best < worst else worst

    def reader(self, decision: int, number: int, time: int, readers: int, copy: int) -> int:
        """For whom a copy is: in order, backwards, or round from any one on, in either direction."""
        habit = self.way(decision, number, time)
        if habit == RANDOM:
            drawn = mix(self.c.decision_seed[decision], number)
            return (drawn // 2 + (copy if drawn % 2 else -copy)) % readers
        return copy if habit == WORST else readers - 1 - copy

    def for_good(self, decision: int) -> int:
        """A habit that stays for a run."""
        habit = WORST if decision < 0 else self.c.decision_habit[decision]
        return habit if habit in (WORST, BEST) else RANDOM

    def yields(self, server: int, finished: int) -> bool:
        """Whether a thread without work sleeps before it sees what comes at this time."""
        return mix(mix(self.c.eager_seed, server), finished) % 2**16 < self.c.eager

    def turns(self, program: Program, server: int) -> list[int]:
        """The queues of an executor in the order of their turns, behind that of inline callbacks."""
        first, last = program.server_queue[server : server + 2]
        decision = program.server_turns[server]
        habit = self.for_good(decision)
        seed = 0 if decision < 0 else self.c.decision_seed[decision]

        def turn(queue: int) -> tuple[int, int, int]:
            drawn = mix(seed, queue - first) if habit == RANDOM else 0
            return program.queue_turn[queue], drawn, -queue if habit == BEST else queue

        queues = range(first + 1, last)
        order = sorted((q for q in queues if program.queue_turn[q] != ANYWHERE), key=turn)
        for queue in (q for q in queues if program.queue_turn[q] == ANYWHERE):
            place = len(order) if habit == BEST else 0
            if habit == RANDOM:
                place = mix(seed, queue - first) % (len(order) + 1)
            order.insert(place, queue)
        return order

    def looks_again(self, program: Program, server: int) -> bool:
        """Whether late queues are looked at in their turn, although the round began without them."""
        late = program.server_late[server]
        habit = self.for_good(late)
        return habit == BEST or (habit == RANDOM and mix(self.c.decision_seed[late], 0) % 2 == 1)


def releases(program: Program, choices: Choices, until: int) -> list[list[tuple[int, int]]]:
    """Of each source: when it releases, and when that was due."""
    engine, found = Engine(program, choices), []
    for source in range(len(program.sources)):
        time, own = engine.time[engine.layout.first_source + source], []
        while time < until:
            own.append((time, engine.source[source].due))
            time = engine.next_release(source)
        found.append(own)
    return found


def serving(program: Program, rows: list[int]) -> dict[int, list[int]]:
    """Of each supply with a budget at times of its own: when it begins or stops to serve, as a trace
    has it."""
    found: dict[int, list[int]] = {}
    for time, kind, supply, *_ in zip(*(rows[i::TRACE] for i in range(TRACE)), strict=True):
        if kind in (OPENED, CLOSED) and not program.supply_serves[supply]:
            found.setdefault(supply, []).append(time)
    return found
