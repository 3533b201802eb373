"""How often a run shows each sequence of the four messages of the experiment, seed by seed."""

from __future__ import annotations

from collections import Counter
from functools import cache

import ddsrta
from casestudies.analyses import FOLDER
from ddsrta.bounds.order.sets import OrderSet, order_sets
from ddsrta.bounds.solve import solve
from ddsrta.simulation import program_of, random_choices
from ddsrta.simulation.deliveries import flow, positions
from ddsrta_simulator.program import DENSE, RANDOM, Choices, Program

SEEDS = 20
HORIZON = 3_000_000_000
NUMBERS = {
    ("state_report", 0): "1",
    ("kinematic_state", 0): "2",
    ("state_report", 1): "3",
    ("kinematic_state", 1): "4",
}


def uniform(program: Program, seed: int) -> Choices:
    """Every time uniform between its best and its worst case; two releases each period."""
    choices = random_choices(program, seed, HORIZON)
    for decision in range(len(program.decisions)):
        choices.decision_habit[decision] = RANDOM
    (interface,) = range(len(program.sources))
    choices.source_kind[interface] = DENSE
    choices.source_moment[interface] = 0
    return choices


@cache
def derived(system: str) -> OrderSet:
    """The orders of the two topics at the planner."""
    loaded = ddsrta.load(FOLDER / "xronos_order" / f"{system}.yaml")
    (found,) = order_sets(solve(loaded), "behavior_planner")
    return found


@cache
def frequencies(system: str) -> Counter[str]:
    """How often each sequence was seen: 1 and 3 are state reports, 2 and 4 kinematic states."""
    loaded = ddsrta.load(FOLDER / "xronos_order" / f"{system}.yaml")
    program, found = program_of(loaded), derived(system)
    seen: Counter[str] = Counter()
    for seed in range(SEEDS):
        log = flow(program, uniform(program, seed), HORIZON).deliveries
        places = positions(log, found.subscriber, found.origin, found.topics)
        for index in range(0, len(places) - 1, 2):  # the two jobs of one burst
            four = {
                NUMBERS[topic, event]: places[index + event][topic][0] for topic, event in NUMBERS
            }
            seen["".join(sorted(four, key=four.get))] += 1
    return seen


def sequences(system: str) -> set[str]:
    """The sequences that the analysis derives, in the same numbers."""
    return {"".join(NUMBERS[message] for message in each) for each in derived(system).sequences}
