"""Choices from one sequence of dice: much faster than a hash for each decision."""

from __future__ import annotations

from array import array
from random import Random

from ddsrta.simulation.choices import lead
from ddsrta_simulator import Choices, Program
from ddsrta_simulator.program import (
    ALIGNED,
    ALL,
    ALWAYS,
    BEST,
    BEST_THEN_WORST,
    CALM,
    DENSE,
    EITHER,
    RANDOM,
    SHUFFLED,
    TIMED,
    WILD,
    WORST,
    WORST_THEN_BEST,
)

HABITS = (WORST, WORST, WORST, BEST, RANDOM, EITHER, WORST_THEN_BEST, BEST_THEN_WORST)
SUPPLY_HABITS = (BEST_THEN_WORST, BEST_THEN_WORST, BEST_THEN_WORST, WORST, RANDOM, EITHER)
SEED = 1 << 62


def waited_for(program: Program) -> list[int]:
    """The sources that may be quiet for long, where jobs wait for one of each of several inputs, so
    that what the others bring waits for theirs. (One with a period begins with the others.)"""
    if max(program.thread_activation, default=TIMED) < ALL:
        return []
    return [source for source, pause in enumerate(program.source_pause) if pause]


def drawn(program: Program, random: Random, burst: int) -> Choices:
    """Choices that gather round a burst, some more and some less.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation.build import program_of
    >>> drawn(program_of(two_threads()), Random(1), 100).source_kind
    array('q', [1])
    """
    choices = Choices(
        tie_mode=SHUFFLED if random.random() < 0.75 else CALM,
        tie_seed=int(random.random() * SEED),
        eager=(0, 0, ALWAYS // 2, ALWAYS)[int(4 * random.random())],
        eager_seed=int(random.random() * SEED),
    )
    worst = (0.0, 0.5, 0.9)[int(3 * random.random())]
    count = len(program.decisions)
    scale = max(program.source_gap, default=0) >> int(6 * random.random())
    choices.decision_habit = array(
        "q",
        (
            WORST if random.random() < worst else HABITS[int(8 * random.random())]
            for _ in range(count)
        ),
    )
    choices.decision_turn = array("q", (_near(random, burst, scale) for _ in range(count)))
    choices.decision_seed = array("q", (int(random.random() * SEED) for _ in range(count)))
    for source in range(len(program.sources)):
        _release(program, random, burst, source, choices)
    if (rare := waited_for(program)) and random.random() < 0.5:
        quiet = rare[int(len(rare) * random.random())]
        choices.source_kind[quiet] = DENSE
        choices.source_moment[quiet] = _near(random, burst, program.source_gap[quiet])
    for source, leader in enumerate(program.source_leader):
        if leader >= 0 and random.random() < 0.5:
            lead(program, choices, source)
    for core in range(len(program.cores)):
        _reserve(program, random, burst, core, choices)
    return choices


def _near(random: Random, burst: int, scale: int) -> int:
    """Often at the burst, or up to the scale off."""
    dice = random.random()
    if dice < 0.5:
        return burst
    off = scale * (0.1 if dice < 0.67 else 0.3 if dice < 0.83 else 1)
    return max(0, burst + int((2 * random.random() - 1) * (off + 1)))


def _release(program: Program, random: Random, burst: int, source: int, choices: Choices) -> None:
    gap, dice = program.source_gap[source], random.random()
    kind = ALIGNED if dice < 0.75 else DENSE if dice < 0.85 else WILD
    moment = _near(random, burst, gap) if kind == ALIGNED else int(gap * random.random())
    choices.source_kind.append(kind)
    choices.source_moment.append(moment)
    choices.source_seed.append(int(random.random() * SEED))
    choices.source_jitter.append(int(2 * random.random()))
    choices.source_pause.append(program.source_pause[source] if random.random() < 0.5 else 0)


def _reserve(program: Program, random: Random, burst: int, core: int, choices: Choices) -> None:
    """The reservations of a core: in half of the cases their periods begin together."""
    together = random.random() < 0.5
    first = None
    for supply in range(program.core_supply[core], program.core_supply[core + 1]):
        period = program.supply_period[supply] or 1
        habit = SUPPLY_HABITS[int(len(SUPPLY_HABITS) * random.random())]
        turn = _near(random, burst, period)
        phase = int(period * random.random())
        if habit == BEST_THEN_WORST:
            phase = turn - program.supply_budget[supply]
        if together and first is not None:
            phase = first
        first = phase if first is None else first
        choices.supply_habit.append(habit)
        choices.supply_turn.append(turn)
        choices.supply_phase.append(phase)
        choices.supply_seed.append(int(random.random() * SEED))
