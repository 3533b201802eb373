"""Decisions as pure functions of a seed, an instance number and the time."""

from __future__ import annotations

from ddsrta_simulator.memory import Memory
from ddsrta_simulator.program import (
    BEST,
    BEST_THEN_WORST,
    EITHER,
    NOTED,
    RANDOM,
    WORST,
    WORST_THEN_BEST,
)
from ddsrta_simulator.shadow import below, grow, mix
from ddsrta_simulator.structs import Int


class Decisions(Memory):
    """By number; -1 is always worst."""

    def resolved(self, habit: Int, turn: Int, seed: Int, number: Int, time: Int) -> Int:
        """WORST, BEST or RANDOM: what a habit means this time."""
        if habit == EITHER:
            return WORST if mix(seed, number) & 1 else BEST
        if habit == WORST_THEN_BEST:
            return WORST if time < turn else BEST
        if habit == BEST_THEN_WORST:
            return BEST if time < turn else WORST
        return habit

    def habit_of(self, decision: Int, number: Int, time: Int) -> Int:
        """The same of a decision."""
        if decision < 0:
            return WORST
        return self.resolved(
            self.c.decision_habit[decision],
            self.c.decision_turn[decision],
            self.c.decision_seed[decision],
            number,
            time,
        )

    def fixed_habit(self, decision: Int) -> Int:
        """The same of what stays as it is for a whole run."""
        if decision < 0:
            return WORST
        habit = self.c.decision_habit[decision]
        return habit if habit in (WORST, BEST) else RANDOM

    def way_of(self, decision: Int, number: Int, time: Int) -> Int:
        """The same of a decision between few, which an instance may take apart."""
        habit = self.habit_of(decision, number, time)
        if decision < 0:
            return habit
        return self.apart(decision, number, time, WORST, BEST, habit)

    def drawn(self, decision: Int, number: Int, count: Int) -> Int:
        """One of so many, where a decision is at random."""
        return below(self.c.decision_seed[decision], number, count)

    def amount(self, decision: Int, number: Int, time: Int, best: Int, worst: Int) -> Int:
        """Something from best to worst."""
        if decision < 0 or best >= worst:
            return worst
        habit = self.habit_of(decision, number, time)
        value = worst if habit == WORST else best
        if habit == RANDOM:
            value = best + self.drawn(decision, number, worst - best + 1)
        return self.apart(decision, number, time, best, worst, value)

    def apart(self, what: Int, number: Int, time: Int, best: Int, worst: Int, value: Int) -> Int:
        """What this instance takes: as chosen for it alone, or the value."""
        k: Int
        for k in range(self.c.aparts):
            if self.c.apart_of[k] == what and self.c.apart_number[k] == number:
                value = max(best, min(worst, self.c.apart_value[k]))
                break
        if self.noting:
            self.note_down(what, number, time, best, worst, value)
        return value

    def note_down(
        self, what: Int, number: Int, time: Int, best: Int, worst: Int, value: Int
    ) -> None:
        """A row of what was decided."""
        if not grow(self.noted, NOTED):
            self.failed = True
            return
        end = self.noted.count
        self.noted.data[end] = what
        self.noted.data[end + 1] = number
        self.noted.data[end + 2] = time
        self.noted.data[end + 3] = best
        self.noted.data[end + 4] = worst
        self.noted.data[end + 5] = value
        self.noted.count += NOTED

    def reader(self, decision: Int, number: Int, time: Int, readers: Int, copy: Int) -> Int:
        """Which reader a copy of a message is for: in order, backwards, or from any one on."""
        habit = self.way_of(decision, number, time)
        if habit == WORST:
            return copy
        if habit == BEST:
            return readers - 1 - copy
        drawn = mix(self.c.decision_seed[decision], number)
        start: Int = (drawn >> 1) % readers
        return (start + (copy if drawn & 1 else readers - copy)) % readers
