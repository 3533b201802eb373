"""Decisions as pure functions of a seed, an instance number and the time."""

from __future__ import annotations

from ddsrta_simulator.memory import Memory
from ddsrta_simulator.program import BEST, BEST_THEN_WORST, EITHER, RANDOM, WORST, WORST_THEN_BEST
from ddsrta_simulator.shadow import below, mix
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

    def drawn(self, decision: Int, number: Int, count: Int) -> Int:
        """One of so many, where a decision is at random."""
        return below(self.c.decision_seed[decision], number, count)

    def amount(self, decision: Int, number: Int, time: Int, best: Int, worst: Int) -> Int:
        """Something from best to worst."""
        if decision < 0 or best >= worst:
            return worst
        habit = self.habit_of(decision, number, time)
        if habit == RANDOM:
            return best + self.drawn(decision, number, worst - best + 1)
        return worst if habit == WORST else best

    def reader(self, decision: Int, number: Int, time: Int, readers: Int, copy: Int) -> Int:
        """Which reader a copy of a message is for: in order, backwards, or from any one on."""
        habit = self.habit_of(decision, number, time)
        if habit == WORST:
            return copy
        if habit == BEST:
            return readers - 1 - copy
        drawn = mix(self.c.decision_seed[decision], number)
        start: Int = (drawn >> 1) % readers
        return (start + (copy if drawn & 1 else readers - copy)) % readers
