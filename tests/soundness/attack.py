"""Runs of one system that are as bad as can be found: first at random, then climbing."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from ddsrta.simulation import Run, program_of, random_choices, worst_choices
from ddsrta_simulator.program import ALIGNED, CALM, DENSE, SHUFFLED, WILD
from tests.soundness.bounds import bounds_of
from tests.soundness.costs import rates

MOST_JOBS = 1500  # in a run
_SEED = 1 << 62


@dataclass
class Worst:
    """The largest that was seen of each measure, and the choices of that run."""

    system: object
    program: object
    horizon: int
    seen: list[int]
    choices: dict[int, object] = field(default_factory=dict)  # by measure
    messages: int = 0
    events: int = 0
    runs: int = 0

    def run(self, choices) -> bool:
        """Whether this run was worse than all before in anything."""
        run = Run(self.program, choices, histograms=False)
        run.advance(self.horizon)
        self.messages += run.messages
        self.events += run.events
        self.runs += 1
        worse = False
        for measure, value in enumerate(run.worst):
            if value >= self.seen[measure]:
                worse = worse or value > self.seen[measure]
                self.seen[measure] = value
                self.choices[measure] = choices
        return worse


def horizon_of(system, most_jobs=MOST_JOBS) -> int:
    """Long enough for a burst after a while and for what follows, but not for too many jobs."""
    periods = [t.arrival.least_distance(2) for t in system.threads.values() if t.arrival]
    jobs = sum(rates(system).values())
    return max(1, min(1000 + 8 * max(periods, default=0), int(most_jobs / jobs)))


def attack(system, runs, seed, bounds=None, most_jobs=MOST_JOBS) -> Worst:
    """The worst of so many runs: half of them at random, the others changed from the worst ones.

    With bounds, no effort is spent on what has reached its bound.
    """
    program = program_of(system)
    worst = Worst(system, program, horizon_of(system, most_jobs), [-1] * len(program.measures))
    worst.run(worst_choices(program))
    first = (runs + 1) // 2
    for number in range(first):
        worst.run(random_choices(program, seed * 1_000_003 + number, worst.horizon))
    climb(worst, runs - first, Random(f"climb {seed}"), bounds)
    return worst


def climb(worst, steps, random, bounds=None):
    """Changes what was worst for some measure a little, and keeps what is no better."""
    for _ in range(steps):
        wanted = [
            measure
            for measure, value in enumerate(worst.seen)
            if value > 0 and (bounds is None or 0 <= value < bounds[measure])
        ]
        if not wanted:
            return
        choices = worst.choices[random.choice(wanted)].copy()
        for _ in range(random.choice((1, 1, 2, 3))):
            _change(choices, worst, random)
        worst.run(choices)


def _change(choices, worst, random):
    """One decision made anew, or moved a little."""
    p = worst.program
    number = random.randrange(len(p.decisions) + 2 * len(p.sources) + len(p.supply_budget) + 1)
    nudge = random.choice((-1, 1)) * random.choice((1, 1, 3, 10, 40))
    if number < len(p.decisions):
        choices.decision_habit[number] = random.randrange(6)
        choices.decision_turn[number] = max(0, choices.decision_turn[number] + nudge)
        choices.decision_seed[number] = random.randrange(_SEED)
        return
    number -= len(p.decisions)
    if number < 2 * len(p.sources):
        _change_source(choices, number // 2, nudge, worst, random)
        return
    number -= 2 * len(p.sources)
    if number < len(p.supply_budget):
        choices.supply_phase[number] += nudge
        choices.supply_turn[number] += nudge
        return
    choices.tie_mode = random.choice((CALM, SHUFFLED))
    choices.tie_seed = random.randrange(_SEED)


def _change_source(choices, number, nudge, worst, random):
    moments = choices.source_moment
    if random.random() < 0.6:
        moments[number] = max(0, moments[number] + nudge)
    elif random.random() < 0.5:
        moments[number] = random.choice(moments)
    else:
        choices.source_kind[number] = random.choice((ALIGNED, ALIGNED, DENSE, WILD))
        moments[number] = random.randrange(max(1, worst.horizon // 2))
        choices.source_seed[number] = random.randrange(_SEED)
    if choices.source_kind[number] != ALIGNED:  # its first release: within the first period
        moments[number] %= max(1, worst.program.source_gap[number])


@dataclass(frozen=True)
class Violation:
    """A run that was worse than a bound."""

    kind: str
    of: object
    seen: int
    bound: int
    choices: object
    horizon: int

    def __str__(self):
        return f"{self.kind} of {self.of}: {self.seen} seen, at most {self.bound} promised"


def violations(worst, bounds) -> list[Violation]:
    """What was seen to be larger than promised."""
    return [
        Violation(*worst.program.measures[m], seen, bounds[m], worst.choices[m], worst.horizon)
        for m, seen in enumerate(worst.seen)
        if seen > bounds[m] >= 0
    ]


def attacked(system, result, runs, seed) -> list[Violation]:
    """Where an attack shows a result to be wrong."""
    bounds = bounds_of(program_of(system), result)
    return violations(attack(system, runs, seed, bounds), bounds)
