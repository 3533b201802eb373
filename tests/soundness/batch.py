"""One batch of a campaign: draw, analyse, attack, compare; in a process of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import ddsrta
from ddsrta.analysis.analyze import present
from ddsrta.analysis.solve import solve
from ddsrta.simulation import program_of
from tests.soundness.attack import attack, violations
from tests.soundness.bounds import NOTHING, UNBOUNDED, bounds_of, kinds_of
from tests.soundness.draw import drawn
from tests.soundness.shrink import Shrinker, kind_of
from tests.soundness.tally import Tally
from tests.soundness.yaml_text import to_yaml

MODEST = 0.7  # the load up to which tightness is told

MOST_STEPS = 20_000  # of a window


@dataclass(frozen=True)
class Plan:
    """What every batch needs to know."""

    profile: str = "busy-window"
    runs: int = 20
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


def result_of(system, profile="busy-window"):
    """The analysis of a system, with less patience where there is no fixed point."""
    if profile == "published":
        return ddsrta.analyze(system, profile=profile)
    return present(solve(system, most_steps=MOST_STEPS))


def attack_seed(plan: Plan, seed: int) -> Tally:
    """One system; everything follows from its seed."""
    start = time.process_time()
    system = drawn(seed, plan.kind)
    result = result_of(system, plan.profile)
    bounds = bounds_of(program_of(system), result)
    worst = attack(system, plan.runs, seed, bounds)
    tally = Tally(1, worst.runs, worst.messages, worst.events)
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
