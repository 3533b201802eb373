"""Plain runs of drawn federates against the starts that are said of them, as docs/lf-runs.md counts them:
`python -m tests.lf.bounds.schedulers.campaign --systems N`."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

from ddsrta.lf.bounds.schedulers.judge import Column, schedule
from ddsrta.lf.bounds.schedulers.own import Latest
from ddsrta.lf.bounds.schedulers.throttling import Throttle
from ddsrta.lf.program.federates import Federate, Reaction, Timer
from ddsrta.lf.program.federation import Federation, Host
from tests.lf.bounds.launch import test_launch_runs
from tests.lf.bounds.schedulers.plain_runs import Choices, Order, run_threads, run_workers
from tests.lf.bounds.schedulers.stretched import stretched, unit

POLICIES = ("fifo", "deadline-monotonic", "edf")
UNTHROTTLED = Throttle(1_000_000_000, 1_000_000_000)
ORDERS: dict[str, tuple[Order, ...]] = {
    "np": ("NP",),
    "gedf-np": ("level first", "deadline first"),
}
Reactions = dict[tuple[str, str], tuple[Latest, int]]


def draw(random: Random) -> Federation:
    """One-worker federates on one core, with a timer or two and some deadlines."""
    federates = {}
    for i in range(random.randint(1, 4)):
        timers = {
            f"t{n}": Timer(f"t{n}", random.choice([0, 0, 0, 1, 3, 7]), random.choice([10, 20, 30]))
            for n in range(random.choice([1, 1, 1, 2]))
        }
        reactions = {
            f"r{n}": Reaction(
                f"r{n}",
                f"x{random.randint(0, 2)}",
                (random.choice(list(timers)),),
                wcet=random.choice([0, 1, 1, 2, 3, 5]),
                deadline=random.choice([None, 2, 5, 8, 10, 15]),
            )
            for n in range(random.randint(1, 3))
        }
        federates[f"f{i}"] = Federate(f"f{i}", "h", 1, random.choice(["NP", "GEDF_NP"]),
                                      timers=timers, reactions=reactions,
                                      overhead=random.choice([0, 0, 1]))  # fmt: skip
    return Federation("f", "decentralized", {"h": Host("h", 1)}, federates)


def seen(
    federation: Federation, policy: str, random: Random, longest: bool = False
) -> dict[tuple[str, str], int]:
    federates = list(federation.federates.values())
    orders: list[Order] = [
        "NP" if f.scheduler == "NP" else random.choice(["level first", "deadline first"])
        for f in federates
    ]
    deadlines = {f.name: min(deadline(f), gap(f) if policy == "edf" else 1 << 60)
                 for f in federates}  # fmt: skip
    choices = Choices(random, longest=longest)
    return run_threads(federates, policy, choices, 140, orders, deadlines)


def shuffled(federation: Federation, random: Random) -> Federation:
    """Federates are processes: any of them may be the first to start."""
    names = random.sample(list(federation.federates), len(federation.federates))
    return replace(federation, federates={n: federation.federates[n] for n in names})


def deadline(federate: Federate) -> int:
    return min([r.deadline for r in federate.reactions.values() if r.deadline is not None],
               default=1 << 60)  # fmt: skip


def gap(federate: Federate) -> int:
    """The least time between two tags: each wakes the thread, also one without reactions."""
    times = sorted(
        {
            timer.offset + n * (timer.period or 1)
            for timer in federate.timers.values()
            for n in range(20)
        }
    )
    return min(b - a for a, b in pairwise(times))


def with_deadlines(federate: Federate, random: Random) -> Federation:
    reactions = {
        name: replace(reaction, deadline=random.choice([0, 2, 5, 9]), always=random.random() < 0.5)
        if random.random() < 0.7
        else reaction
        for name, reaction in federate.reactions.items()
    }
    changed = replace(federate, reactions=reactions, overhead=random.choice([0, 0, 1]))
    return Federation("f", "decentralized", {"h": Host("h")}, {"f": changed})


def column(federation: Federation, scheduler: str) -> Column:
    return schedule(federation, [scheduler]).columns[0]  # type: ignore[list-item]


def of_linux(federation: Federation, policy: str) -> dict[tuple[str, str], Latest]:
    """What is said of each reaction under a scheduler of Linux that throttles nobody."""
    ns = unit(policy)
    said = schedule(stretched(federation, ns), [policy], throttle=UNTHROTTLED).columns[0].latest  # type: ignore[list-item]
    return {key: replace(latest, lag=_shrunk(latest.lag, ns), seen=_shrunk(latest.seen, ns))
            for key, latest in said.items()}  # fmt: skip


def _shrunk(lag: int | None, ns: int) -> int | None:
    assert lag is None or not lag % ns
    return lag if lag is None else lag // ns


def of_threads(policy: str, seed: int, runs: int = 6) -> Reactions:
    """Of each reaction what is said under a scheduler of Linux, and the latest start of a few
    runs, of which the first three take as long as they can."""
    random = Random(seed)
    federation = draw(random)
    found = of_linux(federation, policy)
    late: dict[tuple[str, str], int] = {}
    for repeat in range(runs):
        run = seen(shuffled(federation, random), policy, random, longest=repeat < 3)
        late = {key: max(lag, late.get(key, 0)) for key, lag in run.items()}
    return {key: (latest, late.get(key, 0)) for key, latest in found.items()}


def of_workers(scheduler: str, seed: int, runs: int = 10) -> Reactions:
    """The same under a scheduler of Lingua Franca, with the first seven as long as they can be."""
    random = Random(seed)
    federation = with_deadlines(test_launch_runs.draw(random), random)
    found = column(federation, scheduler).latest
    late: dict[str, int] = {}
    for repeat in range(runs):
        choices = Choices(random, longest=repeat < 7)
        order = random.choice(ORDERS[scheduler])
        run = run_workers(federation.federates["f"], order, choices, 700)
        late = {name: max(lag, late.get(name, 0)) for name, lag in run.items()}
    return {key: (latest, late.get(key[1], 0)) for key, latest in found.items()}


def counted(scheduler: str, seeds: range) -> Counter[str]:
    """How many reactions have a bound, and what the runs say of it."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        made = of_workers if scheduler in ORDERS else of_threads
        for latest, late in made(scheduler, seed).values():
            if latest.lag is not None:
                counts["bound"] += 1
                counts["above"] += late > latest.lag
                counts["exact"] += latest.exact
                counts["reached"] += latest.exact and late == latest.lag
    return counts


def main() -> int:
    """Prints a row for each scheduler; 1 if a run is above a bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=500, metavar="N", help="for each scheduler")
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    options = parser.parse_args()
    above = 0
    for scheduler in (*ORDERS, *POLICIES):
        counts = counted(scheduler, range(options.first, options.first + options.systems))
        figures = (counts[key] for key in ("bound", "above", "exact", "reached"))
        print(f"| {scheduler} | {options.systems:,} | {' | '.join(f'{n:,}' for n in figures)} |")
        above += counts["above"]
    return 1 if above else 0


if __name__ == "__main__":
    raise SystemExit(main())
