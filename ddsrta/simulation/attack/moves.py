"""Changes of choices: most of them near the moment at which the worst that was seen began."""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate, pairwise
from random import Random

from ddsrta.simulation.attack.draw import SEED, waited_for
from ddsrta.simulation.attack.hint import Rivals
from ddsrta.simulation.attack.lining import lasting
from ddsrta.simulation.choices import lead
from ddsrta_simulator import Choices, Program
from ddsrta_simulator.program import (
    ALIGNED,
    ALWAYS,
    BEST,
    BEST_THEN_WORST,
    CALM,
    DENSE,
    EITHER,
    RANDOM,
    SHUFFLED,
    WILD,
    WORST,
    WORST_THEN_BEST,
)

HABITS = (
    WORST, WORST, BEST, BEST, WORST_THEN_BEST, WORST_THEN_BEST, BEST_THEN_WORST, BEST_THEN_WORST,
    RANDOM, EITHER,
)  # fmt: skip
TURNING = (WORST_THEN_BEST, BEST_THEN_WORST)
# The fields of what is decided together.
GROUPS = (
    ("decision_habit", "decision_turn", "decision_seed"),
    ("source_kind", "source_moment", "source_seed", "source_jitter", "source_pause"),
    ("supply_phase", "supply_habit", "supply_turn", "supply_seed"),
)


class Moves:
    """Changes choices of one program, a little or a lot."""

    def __init__(self, program: Program, random: Random, rivals: Rivals) -> None:
        self.program = program
        self.random = random
        self.rivals = rivals
        self.steps = sorted(_times(program)) or [1]
        self.longest = self.steps[-1]
        decisions, sources = len(program.decisions), len(program.sources)
        budgets = sum(budget > 0 for budget in program.supply_budget)
        self.rare = set(waited_for(program))
        self.lasting = [lasting(program, source) for source in range(sources)]
        self.supplies = [i for i, budget in enumerate(program.supply_budget) if budget]
        self.kinds = (self.decide, self.release, self.meet, self.reserve, self.tie, self.sweep,
                      self.follow)  # fmt: skip
        follow = 2.0 * sources if program.locks else 0.0
        weights = (
            decisions, 1.5 * sources, 2.0 * sources, 2.0 * budgets, 0.5, 0.1 * decisions, follow,
        )  # fmt: skip
        self.until = list(accumulate(weights))

    def change(self, choices: Choices, measure: int, begin: int, end: int) -> None:
        """One to four changes, with regard to the worst instance of the measure."""
        random, until = self.random, self.until
        for _ in range((1, 1, 1, 2, 2, 4)[int(6 * random.random())]):
            kind = bisect(until, random.random() * until[-1])
            self.kinds[kind](choices, measure, begin, end)

    def nudge(self) -> int:
        """A step back or forth: small, or as long as something in the program takes."""
        random = self.random
        dice = random.random()
        if dice < 0.35:
            size = (1, 1, 1, 2, 3)[int(5 * random.random())]
        elif dice < 0.85:
            size = self.steps[int(len(self.steps) * random.random())]
        else:
            size = int(self.steps[-1] * random.random())
        return size if random.random() < 0.5 else -size

    def moment(self, choices: Choices, measure: int, begin: int, end: int) -> int:
        """A time at which something may matter."""
        random = self.random
        dice = random.random()
        if dice < 0.4:
            return begin
        if dice < 0.55:
            return end
        if dice < 0.75 and len(choices.source_moment):
            return choices.source_moment[int(len(choices.source_moment) * random.random())]
        return begin + int((end - begin + 1) * random.random())

    def decide(self, choices: Choices, measure: int, begin: int, end: int) -> None:
        """Another habit, turn or seed of a decision."""
        random = self.random
        number = int(len(choices.decision_habit) * random.random())
        habit, dice = choices.decision_habit[number], random.random()
        if habit in TURNING and dice < 0.4:
            choices.decision_turn[number] = max(0, choices.decision_turn[number] + self.nudge())
        elif habit in (RANDOM, EITHER) and dice < 0.4:
            choices.decision_seed[number] = int(random.random() * SEED)
        else:
            choices.decision_habit[number] = HABITS[int(10 * random.random())]
            turn = self.moment(choices, measure, begin, end)
            if random.random() < 0.5:
                turn += self.nudge()
            choices.decision_turn[number] = max(0, turn)

    def release(self, choices: Choices, measure: int, begin: int, end: int) -> None:
        """A source earlier or later, or of another kind."""
        random = self.random
        number = int(len(choices.source_kind) * random.random())
        dice = random.random()
        if dice < 0.7:
            moment = choices.source_moment[number] + self.nudge()
            self.place(choices, number, choices.source_kind[number], moment)
        elif dice < 0.8:
            choices.source_seed[number] = int(random.random() * SEED)
            choices.source_jitter[number] = int(2 * random.random())
        else:
            kind = (ALIGNED, ALIGNED, DENSE, WILD)[int(4 * random.random())]
            choices.source_pause[number] = (
                self.program.source_pause[number] if random.random() < 0.5 else 0
            )
            self.place(choices, number, kind, self.moment(choices, measure, begin, end))

    def place(self, choices: Choices, number: int, kind: int, moment: int) -> None:
        """The first release of one that is not aligned is in its first period; or later, where
        what others bring waits for it."""
        moment, gap = max(0, moment), self.program.source_gap[number]
        quiet = kind == DENSE and number in self.rare and self.random.random() < 0.7
        choices.source_kind[number] = kind
        choices.source_moment[number] = moment if kind == ALIGNED or quiet else moment % gap
        if self.program.source_leader[number] >= 0 and self.random.random() < 0.5:
            lead(self.program, choices, number)

    def meet(self, choices: Choices, measure: int, begin: int, end: int) -> None:
        """Work of one source, or of all, arrives as the worst instance begins."""
        random = self.random
        rivals = self.rivals.of(measure)
        if not rivals:
            return
        if random.random() < 0.7:
            rivals = [rivals[int(len(rivals) * random.random())]]
        else:
            rivals = random.sample(rivals, len(rivals))
        target = begin
        if random.random() < 0.3:
            target += int((end - begin + 1) * random.random())
        if random.random() < 0.3:
            target += self.nudge()
        dice = random.random()
        for way in rivals:
            if dice < 0.45:
                lead = way.best
            elif dice < 0.75:
                lead = way.latest
            else:
                lead = way.best + int((way.latest - way.best + 1) * random.random())
            self.place(choices, way.source, ALIGNED, target - lead)

    def follow(self, choices: Choices, measure: int, begin: int, end: int) -> None:
        """Some sources begin one after the other, each where the one before may end: to take a lock
        just when it is free, or to keep the one that was woken for it from running."""
        random, program = self.random, self.program
        count = len(choices.source_moment)
        chain = random.sample(range(count), min(count, 2 + int(3 * random.random())))
        moment = choices.source_moment[chain[0]]
        for other, number in pairwise(chain):
            if random.random() < 0.8:
                moment += self.lasting[other][int(1.5 * random.random())]
            else:
                moment += self.steps[int(len(self.steps) * random.random())]
            thread = program.source_thread[number]
            before = (0, program.thread_worst[thread], program.thread_best[thread])
            moment -= before[int(3 * random.random())]  # what it does before it takes a lock
            moment -= (0, 1, 1, -1)[int(4 * random.random())]
            self.place(choices, number, ALIGNED, moment)

    def sweep(self, choices: Choices, measure: int, begin: int, end: int) -> None:
        """Many decisions take one habit, about the worst instance."""
        random = self.random
        habit = HABITS[int(10 * random.random())]
        turn = max(0, self.moment(choices, measure, begin, end))
        part = random.random()
        for number in range(len(choices.decision_habit)):
            if random.random() < part:
                choices.decision_habit[number] = habit
                choices.decision_turn[number] = turn

    def reserve(self, choices: Choices, measure: int, begin: int, end: int) -> None:
        """A reservation with its gap where the worst instance begins, or a little off."""
        random = self.random
        number = self.supplies[int(len(self.supplies) * random.random())]
        dice = random.random()
        if dice < 0.4:
            nudge = self.nudge()
            choices.supply_phase[number] += nudge
            choices.supply_turn[number] += nudge
        elif dice < 0.6:
            choices.supply_phase[number] += self.nudge()
        elif dice < 0.7:
            habit = (BEST_THEN_WORST, WORST_THEN_BEST, WORST, RANDOM, EITHER)
            choices.supply_habit[number] = habit[int(5 * random.random())]
            choices.supply_seed[number] = int(random.random() * SEED)
        else:
            turn = self.moment(choices, measure, begin, end)
            choices.supply_habit[number] = BEST_THEN_WORST
            choices.supply_turn[number] = turn
            choices.supply_phase[number] = turn - self.program.supply_budget[number]

    def tie(self, choices: Choices, measure: int, begin: int, end: int) -> None:
        """Another order of what happens at one time."""
        random = self.random
        choices.tie_mode = SHUFFLED if random.random() < 0.7 else CALM
        choices.tie_seed = int(random.random() * SEED)
        choices.eager = (0, 0, ALWAYS // 2, ALWAYS)[int(4 * random.random())]


def _times(program: Program) -> set[int]:
    """How long things take, and how long they may differ."""
    times: set[int] = set()
    for best, worst in (
        (program.thread_best, program.thread_worst),
        (program.publication_best, program.publication_worst),
        (program.net_best, program.net_worst),
        (program.read_best, program.read_worst),
        (program.frame_best, program.frame_worst),
        (program.link_best, program.link_worst),
    ):
        for low, high in zip(best, worst, strict=True):
            times |= {low, high, high - low}
    times |= set(program.source_gap) | set(program.source_b) | set(program.supply_budget)
    return {time for time in times if time > 0}


def cross(choices: Choices, other: Choices, random: Random) -> None:
    """Take over about half of what was decided otherwise: whole entries."""
    for group in GROUPS:
        pairs = [(getattr(choices, name), getattr(other, name)) for name in group]
        for number in range(len(pairs[0][0])):
            if random.random() < 0.5:
                for own, theirs in pairs:
                    own[number] = theirs[number]
