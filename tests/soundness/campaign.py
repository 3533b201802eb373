"""Bounds against runs: `python -m tests.soundness.campaign --systems 1000 --seed 1 --jobs 2`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import Pool
from random import Random
from statistics import median, quantiles

import ddsrta
from tests.soundness.choices import Choices, RandomChoices
from tests.soundness.costs import rates
from tests.soundness.focused import focused_system
from tests.soundness.generator import random_system
from tests.soundness.simulator import simulate
from tests.soundness.yaml_text import to_yaml

MOST_JOBS = 1500  # in a run
Measure = tuple[str, object, int, int | None]  # what kind, of what, observed, bound


@dataclass(frozen=True)
class Violation:
    """A run that was worse than a bound: RandomChoices(*run), or Choices() if that is None."""

    kind: str
    of: object
    observed: int
    bound: int
    run: object
    horizon: int


@dataclass
class Outcome:
    """What attacking one system has shown."""

    seed: object
    messages: int = 0
    violations: list[Violation] = field(default_factory=list)
    worst: dict[tuple[str, object], tuple[int, int]] = field(default_factory=dict)
    unbounded: int = 0
    seconds: float = 0.0


def measures(result, seen) -> Iterator[Measure]:
    """Everything of a result that a run can contradict."""
    for name, thread in result.threads.items():
        yield "thread", name, seen.response.get(("job", name), 0), thread.wcrt
    for message in result.messages:
        stream = (message.publisher, message.topic, message.subscriber)
        yield f"ddl {message.mode}", stream, seen.ddl.get(stream, 0), message.ddl
        yield "listener", stream, seen.response.get(("message", *stream), 0), message.listener
        if message.mode == "async":
            sample = ("sample", *stream[:2])
            yield "controller", sample[1:], seen.response.get(sample, 0), message.flow_controller
    for chain in result.chains.values():
        for kind in ("latency", "data_latency", "data_age", "reaction_time"):
            observed = getattr(seen, kind).get(chain.path, 0)
            yield kind.replace("_", " "), chain.path, observed, getattr(chain, kind)
    for name, queue in result.queues.items():
        reader, _, topic = name.partition(" < ")
        key = ("reader", reader, topic) if topic else name
        yield (
            "queue" if not topic else "reader queue",
            name,
            seen.pending.get(key, 0),
            queue.backlog,
        )
        for stream, backlog in queue.streams.items():
            parts = tuple(stream.split(" → "))
            key = ("sample" if len(parts) == 2 else "message", *parts)
            yield "stream queue", stream, seen.pending.get(key, 0), backlog


def horizon_of(system):
    """Long enough for a burst after a while and for what follows, but not for too many jobs."""
    periods = [t.arrival.least_distance(2) for t in system.threads.values() if t.arrival]
    jobs = sum(rates(system).values())
    return min(1000 + 8 * max(periods, default=0), int(MOST_JOBS / jobs))


def attack(system, result, runs, seed) -> list[Violation]:
    """Runs of the system that are worse than the result says."""
    return attacked(system, result, runs, seed).violations


def attacked(system, result, runs, seed) -> Outcome:
    """The same with everything that was counted on the way.

    First all worst together, then half of the runs at random, then half that climb: what made the
    worst run for one of the bounds is changed a little, and kept if it is no better for the bound.
    """
    attacker = _Attack(system, result, seed)
    attacker.run(None, Choices())
    for number in range((runs + 1) // 2):
        attacker.run((f"{seed}/{number}", {}))
    attacker.climb(runs // 2)
    return attacker.outcome


class _Attack:
    """The attack on one system; `best` remembers for each bound the choices of its worst run."""

    def __init__(self, system, result, seed):
        self.system = system
        self.result = result
        self.random = Random(f"attack {seed}")
        self.horizon = horizon_of(system)
        self.outcome = Outcome(seed)
        self.best = {}

    def run(self, recipe, choose=None):
        choose = choose or RandomChoices(*recipe)
        seen = simulate(self.system, self.horizon, choose)
        outcome = self.outcome
        outcome.messages += seen.messages
        outcome.unbounded = 0
        for kind, of, observed, bound in measures(self.result, seen):
            if bound is None:
                outcome.unbounded += 1
                continue
            if observed > bound:
                violation = Violation(kind, of, observed, int(bound), recipe, self.horizon)
                outcome.violations.append(violation)
            worst = outcome.worst.get((kind, of), (0, 0))[0]
            if observed > worst:
                outcome.worst[kind, of] = (observed, int(bound))
            if observed >= worst and recipe:
                self.best[kind, of] = (recipe, list(choose.dice))
        return seen

    def climb(self, steps):
        for _ in range(steps):
            open_ones = [
                key
                for key, (observed, bound) in self.outcome.worst.items()
                if observed < bound and key in self.best
            ]
            if not open_ones:
                return
            (seed, genes), decisions = self.best[self.random.choice(open_ones)]
            self.run((seed, {**genes, **self.changed(seed, genes, decisions)}))

    def changed(self, base, genes, decisions):
        """One to three decisions made anew, or moved a little."""
        random = self.random
        changes = {}
        for what in random.sample(decisions, min(len(decisions), random.choice((1, 1, 2, 3)))):
            seed, nudge = genes.get(what, (base, 0))
            if random.random() < 0.5:
                changes[what] = (
                    seed,
                    nudge + random.choice((-1, 1)) * random.choice((1, 3, 10, 40)),
                )
            else:
                changes[what] = (random.getrandbits(32), 0)
        return changes


def drawn(seed, knobs):
    """The system of a seed: about one core, or with these knobs."""
    return focused_system(seed) if knobs.get("focused") else random_system(seed, **knobs)


def attack_seed(arguments) -> Outcome:
    """Draw, analyse and attack one system."""
    seed, runs, knobs = arguments
    start = time.perf_counter()
    system = drawn(seed, knobs)
    outcome = attacked(system, ddsrta.analyze(system), runs, seed)
    outcome.seconds = time.perf_counter() - start
    return outcome


def campaign(seeds, runs, jobs, knobs=None) -> Iterator[Outcome]:
    """Attack the systems of many seeds."""
    work = [(seed, runs, knobs or {}) for seed in seeds]
    if jobs == 1:
        yield from map(attack_seed, work)
        return
    with Pool(jobs) as pool:
        yield from pool.imap(attack_seed, work, chunksize=4)


def tightness(outcomes) -> dict[str, list[float]]:
    """bound / worst run, for each kind of bound."""
    ratios: dict[str, list[float]] = {}
    for outcome in outcomes:
        for (kind, _), (observed, bound) in outcome.worst.items():
            ratios.setdefault(kind, []).append(bound / observed)
    return ratios


def report(outcomes, knobs):
    """What was attacked, what fell, and how tight the rest is."""
    for outcome in outcomes:
        if outcome.violations:
            worst = max(outcome.violations, key=lambda v: v.observed / max(1, v.bound))
            print(
                f"\nVIOLATED by system {outcome.seed}: {len(outcome.violations)} times, worst {worst}"
            )
            print(to_yaml(drawn(outcome.seed, knobs)))
    violations = sum(len(outcome.violations) for outcome in outcomes)
    fallen = sum(1 for outcome in outcomes if outcome.violations)
    bounds = sum(len(outcome.worst) for outcome in outcomes)
    print(f"{len(outcomes)} systems, {sum(o.messages for o in outcomes)} messages simulated,")
    print(f"{bounds} bounds compared, {sum(o.unbounded for o in outcomes)} unbounded,")
    print(f"{violations} violations in {fallen} systems")
    print(f"{'bound / worst run':<20}{'n':>8}{'median':>8}{'p90':>8}{'reached':>10}")
    for kind, ratios in sorted(tightness(outcomes).items()):
        p90 = quantiles(ratios, n=10)[-1] if len(ratios) > 1 else ratios[0]
        reached = sum(ratio <= 1 for ratio in ratios) / len(ratios)
        print(f"{kind:<20}{len(ratios):>8}{median(ratios):>8.2f}{p90:>8.2f}{reached:>10.0%}")


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--runs", type=int, default=20, help="of each system")
    parser.add_argument("--utilisation", type=float)
    parser.add_argument("--policies", nargs="*")
    for knob in ("threads", "machines", "cores"):
        parser.add_argument(f"--{knob}", nargs=2, type=int, metavar=("LEAST", "MOST"))
    parser.add_argument("--focused", action="store_true", help="systems about one core")
    options = parser.parse_args()
    given = ("focused", "utilisation", "policies", "threads", "machines", "cores")
    knobs = {knob: getattr(options, knob) for knob in given if getattr(options, knob)}
    seeds = range(options.seed, options.seed + options.systems)
    outcomes = list(campaign(seeds, options.runs, options.jobs, knobs))
    report(outcomes, knobs)
    return 1 if any(outcome.violations for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
