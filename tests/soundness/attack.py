"""The product's search for worst runs, beside what an analysis promises of a system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget, Found, Hint, attack_all
from ddsrta.simulation.attack.attack import horizon_of
from ddsrta_simulator import Choices, Program
from tests.soundness.bounds import bounds_of
from tests.soundness.costs import rates

MOST_JOBS = 1500  # in a run, about
MOST_EVENTS = 1_000_000  # in all runs of a system, counted as in a Budget


@dataclass
class Worst:
    """The largest value that was seen of each measure; -1: never, or there is no bound to exceed.

    `found` has the run of each measure that was searched for; `capped` says that the runs took so
    much that not all were made.
    """

    program: Program
    seen: list[int]
    found: dict[int, Found] = field(default_factory=dict)
    runs: int = 0
    messages: int = 0
    events: int = 0
    capped: bool = False

    def add(self, other: Worst) -> None:
        """What another search of the same program found, too."""
        self.runs += other.runs
        self.messages += other.messages
        self.events += other.events
        self.capped = self.capped or other.capped
        for measure, found in other.found.items():
            if measure not in self.found or found.worst > self.seen[measure]:
                self.found[measure] = found
                self.seen[measure] = found.worst


def span_of(system, program, bounds, most_jobs=MOST_JOBS) -> int:
    """How long to simulate: as an attack does by itself, but not for too many jobs."""
    jobs = sum(rates(system).values())
    return max(1, min(horizon_of(program, bounds), int(most_jobs / jobs)))


def attack(
    program: Program,
    bounds: Sequence[int],
    seed: int,
    budget: Budget,
    horizon: int,
    *,
    measures: Sequence[int] | None = None,
    hints: Sequence[Hint] = (),
    known: Sequence[Found] = (),
    enough: bool = False,
) -> Worst:
    """The worst runs of all that has a bound, or of these measures, in one search.

    With `enough`, the first run that exceeds a bound is the last.
    """
    worst = Worst(program, [-1] * len(bounds))
    wanted = [m for m, bound in enumerate(bounds) if bound >= 0] if measures is None else measures
    if not wanted:
        return worst

    def counted(search) -> bool:
        worst.messages, worst.events = search.messages, search.events
        return enough and any(search.worst[m] > bounds[m] >= 0 for m in wanted)

    found = attack_all(
        program,
        wanted,
        seed,
        budget,
        bounds=bounds,
        hints=hints,
        known=known,
        horizon=horizon,
        tick=counted,
    )
    worst.runs = found[0].runs
    if not worst.events:  # all bounds were reached before the first step: by this run at least
        run = found[0].replay()
        worst.messages, worst.events = run.messages, run.events
    for one in found:
        worst.found[one.number] = one
        worst.seen[one.number] = one.worst
    done = all(0 <= bounds[m] <= worst.seen[m] for m in wanted)
    worst.capped = budget.runs is not None and worst.runs < budget.runs and not (done or enough)
    return worst


@dataclass(frozen=True)
class Violation:
    """A run that was worse than a bound."""

    kind: str
    of: object
    seen: int
    bound: int
    choices: Choices
    horizon: int

    def __str__(self):
        return f"{self.kind} of {self.of}: {self.seen} seen, at most {self.bound} promised"


def violations(worst, bounds) -> list[Violation]:
    """What was seen to be larger than promised."""
    return [
        Violation(*one.measure, one.worst, bounds[m], one.choices, one.horizon)
        for m, one in worst.found.items()
        if one.worst > bounds[m] >= 0
    ]


def attacked(system, result, runs, seed) -> list[Violation]:
    """Where an attack shows a result to be wrong."""
    program = program_of(system)
    bounds = bounds_of(program, result)
    budget = Budget(runs=runs, events=MOST_EVENTS)
    worst = attack(program, bounds, seed, budget, span_of(system, program, bounds), enough=True)
    return violations(worst, bounds)
