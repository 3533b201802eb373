"""Changes of single instances, near the worst: what one job, one message or one release takes."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random

from ddsrta_simulator import Choices
from ddsrta_simulator.program import NOTED

MOST = 24  # instances apart from the others
BEFORE = 2  # how far before the worst began, in its length, something may matter


class Apart:
    """Has single instances take something else than habits have them take."""

    def __init__(self, random: Random, nudge: Callable[[], int]) -> None:
        self.random = random
        self.nudge = nudge

    def change(self, choices: Choices, noted: array[int], begin: int, end: int) -> None:
        """One to three of those that were decided about the worst instance."""
        random = self.random
        first = begin - (end - begin) * int((BEFORE + 1) * random.random())
        rows = [k for k in range(0, len(noted), NOTED) if noted[k + 2] >= first]
        for _ in range((1, 1, 1, 2, 3)[int(5 * random.random())] if rows else 0):
            of, number, _, best, worst, value = noted[(k := random.choice(rows)) : k + NOTED]
            self.take(choices, of, number, self.other(best, worst, value))

    def other(self, best: int, worst: int, value: int) -> int:
        """Another value: an end, near what it was, or anything."""
        dice = self.random.random()
        if dice < 0.3:
            return worst if value != worst else best
        if dice < 0.5:
            return best if value != best else worst
        if dice < 0.8:
            return max(best, min(worst, value + self.nudge()))
        return best + int((worst - best + 1) * self.random.random())

    def take(self, choices: Choices, of: int, number: int, value: int) -> None:
        """This instance takes so much; in place of any other one, where there are many."""
        known = list(zip(choices.apart_of, choices.apart_number, strict=True))
        if (of, number) in known:
            k = known.index((of, number))
        elif len(known) == MOST:
            k = int(MOST * self.random.random())
        else:
            k = len(known)
            for column in (choices.apart_of, choices.apart_number, choices.apart_value):
                column.append(0)
            choices.aparts = k + 1
        choices.apart_of[k], choices.apart_number[k], choices.apart_value[k] = of, number, value
