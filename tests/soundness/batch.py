"""One batch of a campaign: draw, analyse, attack, compare; in a process of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.result import Result
from ddsrta.bounds.solve import solve
from ddsrta.exploration.critical_instant import hints_of
from ddsrta.models.system import System
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.soundness.attack import MOST_EVENTS, Worst, attack, span_of, violations
from tests.soundness.bounds import NOTHING, UNBOUNDED, bounds_of, kinds_of
from tests.soundness.draw import drawn
from tests.soundness.shrink import Shrinker, kind_of
from tests.soundness.tally import Tally
from tests.soundness.yaml_text import to_yaml

MODEST = 0.7  # the load up to which tightness is told

MOST_STEPS = 5000  # of a window; one that takes more is called unbounded
RUNS = 120  # of a system


@dataclass(frozen=True)
class Plan:
    """What every batch needs to know."""

    profile: str = "busy-window"
    runs: int = RUNS
    kind: str | None = None  # of systems; None: all kinds
    size: int = 200  # systems in a batch
    folder: Path | None = None  # where counterexamples are kept
    shrink_seconds: float = 60.0  # of each; 0: they are kept as they are

    def seeds(self, first: int, systems: int, number: int) -> range:
        """The seeds of a batch."""
        start = first + number * self.size
        return range(start, min(start + self.size, first + systems))


def run_batch(plan: Plan, seeds: range) -> Tally:
    """Attack the systems of these seeds."""
    total = Tally()
    for seed in seeds:
        total.add(attack_seed(plan, seed))
    return total


def examined(plan: Plan, seed: int, system: System) -> tuple[Result, list[int], Worst]:
    """A system's result, its bounds and its worst runs. Analysis: with less patience than usual
    where there is no fixed point; the search knows the critical instants of its windows."""
    program = program_of(system)
    if plan.profile == "published":
        solution, result = None, ddsrta.analyze(system, profile=plan.profile)
    else:
        solution = solve(system, most_steps=MOST_STEPS)
        result = present(solution)
    bounds = bounds_of(program, result)
    wanted = [measure for measure, bound in enumerate(bounds) if bound >= 0]
    hints = hints_of(solution, program, wanted) if solution else []
    budget = Budget(runs=plan.runs, events=MOST_EVENTS)
    span = span_of(system, program, bounds)
    return result, bounds, attack(program, bounds, seed, budget, span, hints=hints)


def attack_seed(plan: Plan, seed: int) -> Tally:
    """One system; everything follows from its seed."""
    start = time.process_time()
    system = drawn(seed, plan.kind)
    result, bounds, worst = examined(plan, seed, system)
    tally = Tally(1, worst.runs, worst.messages, worst.events)
    tally.capped = int(worst.capped)
    tally.cut = int(any(finding.rule == "paths-cut" for finding in result.warnings))
    for seen, bound in zip(worst.seen, bounds, strict=True):
        tally.unbounded += bound == UNBOUNDED
        tally.compared += seen >= 0 and bound >= 0
        tally.unseen += seen < 0 <= bound
    if max(core.utilization for core in result.cores.values()) <= MODEST:
        for kind, seen, bound in zip(
            kinds_of(worst.program, system), worst.seen, bounds, strict=True
        ):
            if bound > NOTHING:
                tally.ratio(kind, bound, seen)
    found = violations(worst, bounds)
    files = keep(plan, seed, system, found) if found and plan.folder else {}
    for violation in found:
        kind = kind_of(violation)
        tally.violations.append(
            {"seed": seed, "kind": " ".join(kind), "of": str(violation.of),
             "seen": violation.seen, "bound": violation.bound, "file": files.get(kind)}
        )  # fmt: skip
    tally.seconds = time.process_time() - start
    tally.slowest = [[tally.seconds, seed]]
    return tally


def keep(plan, seed, system, found):
    """Shrink the counterexample of each kind at once and write it down: kind to file name."""
    plan.folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for kind in dict.fromkeys(map(kind_of, found)):
        small = system
        if plan.shrink_seconds:
            search = Shrinker(
                kind, profile=plan.profile, runs=plan.runs, seed=seed, seconds=plan.shrink_seconds
            )
            small = search.shrink(system)
        files[kind] = f"{seed}-{'-'.join(kind)}.yaml"
        worst = max((v for v in found if kind_of(v) == kind), key=lambda v: v.seen - v.bound)
        head = f"# {plan.profile}, seed {seed}. Before shrinking: {worst}.\n"
        (plan.folder / files[kind]).write_text(head + to_yaml(small), encoding="utf-8")
    return files
