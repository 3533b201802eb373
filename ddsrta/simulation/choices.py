"""What the model leaves open: all worst at once, or at random with a bias to the extremes."""

from __future__ import annotations

from random import Random

from ddsrta_simulator import Choices, Program
from ddsrta_simulator.program import (
    ALIGNED,
    ALWAYS,
    ANY_JITTER,
    BEST,
    BEST_THEN_WORST,
    CALM,
    DENSE,
    EITHER,
    EXTREME_JITTER,
    RANDOM,
    SHUFFLED,
    WILD,
    WORST,
    WORST_THEN_BEST,
)

HABITS = (WORST, WORST, BEST, RANDOM, EITHER, WORST_THEN_BEST, BEST_THEN_WORST)
SUPPLY_HABITS = (BEST_THEN_WORST, BEST_THEN_WORST, WORST, RANDOM, EITHER)
_SEED = 1 << 62


def worst_choices(program: Program) -> Choices:
    """All worst, everything released together at 0, messages handed over at the end of the job.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation.build import program_of
    >>> set(worst_choices(program_of(two_threads())).decision_habit)
    {0}
    """
    choices = Choices()
    for number in range(len(program.decisions)):
        _decide(choices, WORST, 0, number)
    for number in range(len(program.sources)):
        _release(choices, DENSE, 0, number)
    for number, budget in enumerate(program.supply_budget):
        _supply(choices, -budget, BEST_THEN_WORST, 0, number)
    return choices


def _decide(choices: Choices, habit: int, turn: int, seed: int) -> None:
    choices.decision_habit.append(habit)
    choices.decision_turn.append(turn)
    choices.decision_seed.append(seed)


def _release(
    choices: Choices, kind: int, moment: int, seed: int, jitter: int = ANY_JITTER, pause: int = 0
) -> None:
    choices.source_kind.append(kind)
    choices.source_moment.append(moment)
    choices.source_seed.append(seed)
    choices.source_jitter.append(jitter)
    choices.source_pause.append(pause)


def lead(program: Program, choices: Choices, source: int) -> None:
    """Have the first release of a source on a shared clock end at its moment."""
    leader = program.source_leader[source]
    if leader >= 0:
        zero = choices.source_moment[source]
        zero -= program.source_b[source] + program.source_offset[source]
        own = program.source_b[leader] + program.source_offset[leader]
        choices.source_moment[leader] = zero + own


def _supply(choices: Choices, phase: int, habit: int, turn: int, seed: int) -> None:
    choices.supply_phase.append(phase)
    choices.supply_habit.append(habit)
    choices.supply_turn.append(turn)
    choices.supply_seed.append(seed)


def random_choices(program: Program, seed: int, horizon: int) -> Choices:
    """A seed decides. Each decision keeps to a habit; many turn near a common burst.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation.build import program_of
    >>> program = program_of(two_threads())
    >>> random_choices(program, 1, 1000) == random_choices(program, 1, 1000)
    True
    """
    return _Draw(program, seed, horizon).choices


class _Draw:
    """Whatever decides has dice of its own, so that a change of the system changes little else."""

    def __init__(self, program: Program, seed: int, horizon: int) -> None:
        self.program = program
        self.seed = seed
        random = self.dice("all")
        late = random.choice((0, 10, 35)) * random.randrange(1000)
        self.burst = late * horizon // 100_000
        self.bias = random.choice((0, 50, 90))  # of habits to the worst case, in percent
        self.choices = Choices(
            tie_mode=CALM if random.random() < 0.25 else SHUFFLED,
            tie_seed=random.randrange(_SEED),
            eager=random.choice((0, 0, ALWAYS // 2, ALWAYS)),
            eager_seed=random.randrange(_SEED),
        )
        for what in program.decisions:
            self.decide(what)
        for number in range(len(program.sources)):
            self.release(number)
        for leader in sorted(set(program.source_leader) - {-1}):
            followers = [i for i, one in enumerate(program.source_leader) if one == leader]
            clock = self.dice(("clock", program.sources[leader]))
            lead(program, self.choices, clock.choice(followers))
        for core in range(len(program.cores)):
            self.reserve(core)

    def dice(self, what: object) -> Random:
        """The dice of this decision."""
        return Random(f"{self.seed} {what}")

    def moment(self, random: Random, scale: int) -> int:
        """Near the common burst: often at it, else up to `scale` off."""
        off = scale * random.choice((0, 0, 0, 10, 30, 100)) // 100
        return max(0, self.burst + random.randint(-off, off))

    def decide(self, what: object) -> None:
        """The habit of a decision."""
        random = self.dice(what)
        habit = WORST if random.randrange(100) < self.bias else random.choice(HABITS)
        turn = self.moment(random, random.choice((10, 100, 1000, self.burst // 8)))
        _decide(self.choices, habit, turn, random.randrange(_SEED))

    def release(self, source: int) -> None:
        """The releases of a source."""
        random = self.dice(("source", self.program.sources[source]))
        gap = self.program.source_gap[source]
        kind = random.choices((ALIGNED, DENSE, WILD), (70, 10, 20))[0]
        moment = self.moment(random, gap) if kind == ALIGNED else random.randrange(gap)
        jitter = random.choice((ANY_JITTER, EXTREME_JITTER))
        pause = random.choice((0, self.program.source_pause[source]))
        _release(self.choices, kind, moment, random.randrange(_SEED), jitter, pause)

    def reserve(self, core: int) -> None:
        """The reservations of a core: in half of the cases their periods begin together."""
        p = self.program
        random = self.dice(("supplies", p.cores[core]))
        together = random.random() < 0.5
        first = None
        for supply in range(p.core_supply[core], p.core_supply[core + 1]):
            habit = random.choice(SUPPLY_HABITS)
            period = max(1, p.supply_period[supply])
            turn = self.moment(random, period)
            phase = random.randrange(period)
            if habit == BEST_THEN_WORST:
                phase = (turn - p.supply_budget[supply]) % period
            if together and first is not None:
                phase = first % period
            first = phase if first is None else first
            _supply(self.choices, phase, habit, turn, random.randrange(_SEED))
