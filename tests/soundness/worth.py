"""How far bounds of drawn systems are above the worst run found, and what a refinement is worth.

`python -m tests.soundness.worth --kind pools --seeds 0-299 --without closed_windows`
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from statistics import median, quantiles

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.load import utilization
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.paths.latency import segments
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.exploration.critical_instant import hints_of
from ddsrta.ros2 import KINDS as EXECUTORS
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.bounds.circular_systems import circular
from tests.bounds.forked_systems import forked
from tests.soundness import draw
from tests.soundness.attack import attack, span_of
from tests.soundness.batch import MODEST, MOST_STEPS
from tests.soundness.beside import beside_system
from tests.soundness.bounds import FIGURES, UNBOUNDED, bounds_of, kinds_of
from tests.soundness.bursts import bursts_system
from tests.soundness.declared_copies import with_copies
from tests.soundness.limited import limited_system
from tests.soundness.middleware import fastdds_system
from tests.soundness.pools import PoolDraw, group_loads
from tests.soundness.rallies import rallies_system
from tests.soundness.ros2 import Draw, fitted
from tests.soundness.rounds import rounds_system
from tests.soundness.summary import table

OTHERS = {
    "circles": lambda seed: ddsrta.loads(circular(seed)),
    "bursts": bursts_system,
    "clocked": draw.clocked,
    "copies": lambda seed: with_copies(draw.drawn(seed, "any"), "connection"),
    "fastdds": fastdds_system,
    "limited": limited_system,
    "rounds": rounds_system,
    "beside": beside_system,
    "rallies": rallies_system,
    "forks": lambda seed: ddsrta.loads(forked(seed)),
}
FIGURE_SORTS = [one.replace("_", " ") for one in FIGURES]
SORTS = ("callback", "thread", "controller", "listener", "DDL", *FIGURE_SORTS)
EVENTS = 4000  # of a run, about


def system_of(kind: str, seed: int, load: float, by_slowest: bool = False):
    """The system of a seed; where it is made of executors, with about this load, by the fastest or
    the slowest input of what waits for several."""
    if kind in OTHERS:
        return OTHERS[kind](seed)
    if kind not in EXECUTORS and kind != "pools":
        return draw.drawn(seed, None if kind == "all" else kind)
    name = f"{'pool' if kind == 'pools' else kind} {seed}"
    drawn = (PoolDraw if kind == "pools" else _OneKind)(Random(name), name)
    drawn.load, drawn.kind = load, kind
    return ddsrta.loads(fitted(drawn, by_slowest))


class _OneKind(Draw):
    def executor(self, focus, kind=None):
        return super().executor(focus, self.kind)


@dataclass
class Worth:
    """What was seen of the bounds of one sort."""

    number: int = 0
    unbounded: int = 0
    ratios: list[float] = field(default_factory=list)
    finite: int = 0  # bounds that there are not without a refinement
    gains: list[float] = field(default_factory=list)  # of what is larger without
    higher: int = 0  # with it

    def row(self) -> list[str]:
        """As it is printed."""
        cells = [f"{self.number:,}", f"{self.unbounded / self.number:.1%}"]
        if len(self.ratios) > 1:
            reached = sum(ratio <= 1 for ratio in self.ratios) / len(self.ratios)
            tenths = quantiles(self.ratios, n=10, method="inclusive")
            cells += [f"{median(self.ratios):.2f} / {tenths[8]:.2f}", f"{reached:.0%}"]
        else:
            cells += ["", ""]
        gain = f"{median(self.gains):.2f}" if self.gains else ""
        return [*cells, f"{self.finite:,}", f"{len(self.gains):,}", gain, f"{self.higher:,}"]


def measured(
    kind: str,
    seeds: range,
    load: float = MODEST,
    runs: int = 1000,
    without: str | None = None,
    by_slowest: bool = False,
) -> dict[str, Worth]:
    """The bounds of the systems of these seeds, by what they are of; those with more load than this
    on a core, or more than all of it where they are made for this load, or in a group of a pool,
    are left out."""
    most = 1.0 if kind in EXECUTORS or kind == "pools" else load
    found: dict[str, Worth] = defaultdict(Worth)
    for seed in seeds:
        try:
            system = system_of(kind, seed, load, by_slowest)
        except ddsrta.InputError:  # some circles have what is not modelled
            continue
        compiled, waits = compile_system(system), "any" if by_slowest else "none"
        if max(utilization(compiled, waits).values()) > most:
            continue
        if max(group_loads(compiled, waits).values(), default=0) > 1:
            continue
        program, solution = program_of(system), solve(system, most_steps=MOST_STEPS)
        bounds = bounds_of(program, present(solution))
        plain = bounds
        if without:
            left = Refinements(**{without: False})
            plain = bounds_of(program, present(solve(system, left, MOST_STEPS)))
        seen = _seen(system, program, solution, bounds, seed, runs) if runs else [0] * len(bounds)
        asked = set(_asked(solution))
        for number, sort in enumerate(kinds_of(program, system)):
            if sort in FIGURE_SORTS and tuple(program.measures[number]) not in asked:
                continue
            called = sort == "thread" and system.threads[program.measures[number].of[1]].executor
            name = "callback" if called else sort.split()[0] if sort.startswith("DDL") else sort
            _add(found[name], bounds[number], plain[number], seen[number])
    return {name: found[name] for name in SORTS if found[name].number}


def _asked(solution):
    """The figures that there are of each chain: others are not of it."""
    for path in named_paths(solution.system)[0]:
        latencies = len(segments(solution, path.start, path.hops)) == 1
        figures = FIGURES[:2] if latencies else FIGURES[2:]
        for figure in {*figures, path.chain.constraint} if latencies else figures:
            yield figure, path.path


def _seen(system, program, solution, bounds, seed, runs):
    wanted = [number for number, bound in enumerate(bounds) if bound >= 0]
    hints = hints_of(solution, program, wanted)
    budget = Budget(runs=runs, events=EVENTS * runs)
    return attack(program, bounds, seed, budget, span_of(system, program, bounds), hints=hints).seen


def _add(worth, bound, plain, seen):
    if bound < 0 and bound != UNBOUNDED:
        return
    worth.number += 1
    worth.unbounded += bound == UNBOUNDED
    worth.higher += plain >= 0 and (bound > plain or bound == UNBOUNDED)
    worth.finite += plain == UNBOUNDED and bound >= 0
    if bound >= 0 and seen > 0:
        worth.ratios.append(bound / seen)
    if 0 < bound < plain:
        worth.gains.append(plain / bound)


def page(found: dict[str, Worth]) -> str:
    """A table, in Markdown."""
    head = ["bound / worst run", "bounds", "unbounded", "median / p90", "reached"]
    head += ["finite by it", "lower by it", "times, median", "higher"]
    return table(head, [[name, *worth.row()] for name, worth in found.items()])


def main() -> int:
    """The command line."""
    kinds = ["all", "pools", *EXECUTORS, *OTHERS, *(k for k in draw.KINDS if k != "pools")]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=kinds, default="all")
    parser.add_argument("--load", type=float, default=MODEST)
    parser.add_argument("--seeds", default="0-99", metavar="A-B")
    parser.add_argument("--runs", type=int, default=1000, help="of a system; 0: none are compared")
    parser.add_argument("--without", choices=list(vars(Refinements())), metavar="REFINEMENT")
    parser.add_argument("--by-slowest", action="store_true", help="loads of joins by that input")
    options = parser.parse_args()
    first, last = map(int, options.seeds.split("-"))
    seeds = range(first, last + 1)
    wanted = options.load, options.runs, options.without, options.by_slowest
    print(page(measured(options.kind, seeds, *wanted)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
