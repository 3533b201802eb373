"""Decisions as pure functions of a seed, an instance number and the time."""

from __future__ import annotations

from ddsrta_simulator.program import (
    BEST,
    BEST_THEN_WORST,
    EITHER,
    RANDOM,
    WORST,
    WORST_THEN_BEST,
    Choices,
)

_WORD = (1 << 64) - 1


def mix(seed: int, number: int) -> int:
    """A number of 64 bits that looks random: the splitmix64 sequence of a seed.

    >>> hex(mix(0, 0))
    '0xe220a8397b1dcdaf'
    """
    z = (seed + (number + 1) * 0x9E3779B97F4A7C15) & _WORD
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _WORD
    return z ^ z >> 31


def resolved(habit: int, turn: int, seed: int, number: int, time: int) -> int:
    """WORST, BEST or RANDOM: what a habit means this time."""
    if habit == EITHER:
        return WORST if mix(seed, number) & 1 else BEST
    if habit == WORST_THEN_BEST:
        return WORST if time < turn else BEST
    if habit == BEST_THEN_WORST:
        return BEST if time < turn else WORST
    return habit


class Decider:
    """The decisions of some choices, by number; -1 is always worst."""

    def __init__(self, choices: Choices) -> None:
        self.habit = choices.decision_habit
        self.turn = choices.decision_turn
        self.seed = choices.decision_seed

    def amount(self, decision: int, number: int, time: int, best: int, worst: int) -> int:
        """Something from best to worst."""
        if decision < 0 or best >= worst:
            return worst
        seed = self.seed[decision]
        habit = resolved(self.habit[decision], self.turn[decision], seed, number, time)
        if habit == RANDOM:
            return best + mix(seed, number) % (worst - best + 1)
        return worst if habit == WORST else best

    def habit_at(self, decision: int, number: int, time: int) -> tuple[int, int]:
        """WORST, BEST or RANDOM, and the seed."""
        if decision < 0:
            return WORST, 0
        seed = self.seed[decision]
        return resolved(self.habit[decision], self.turn[decision], seed, number, time), seed

    def fixed(self, decision: int) -> tuple[int, int]:
        """The same for what stays as it is for a whole run."""
        if decision < 0:
            return WORST, 0
        habit = self.habit[decision]
        return habit if habit in (WORST, BEST) else RANDOM, self.seed[decision]

    def reader(self, decision: int, number: int, time: int, readers: int, copy: int) -> int:
        """Which reader a copy of a message is for: in order, backwards, or from any one on."""
        if decision < 0:
            return copy
        seed = self.seed[decision]
        habit = resolved(self.habit[decision], self.turn[decision], seed, number, time)
        if habit == WORST:
            return copy
        if habit == BEST:
            return readers - 1 - copy
        drawn = mix(seed, number)
        start = (drawn >> 1) % readers
        return (start + (copy if drawn & 1 else readers - copy)) % readers
