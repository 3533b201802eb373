"""Chains of a system beside what runs of it show."""

from __future__ import annotations

from functools import cache

import ddsrta
from casestudies.analyses import in_ms, loaded
from casestudies.statements import table
from ddsrta.bounds.deadlines import WORDS

SEEDS, HORIZON = 10, "20s"


@cache
def simulated(study: str, name: str) -> ddsrta.Simulation:
    """Ten runs with random offsets."""
    return ddsrta.simulate(loaded(study, name), horizon=HORIZON, seeds=SEEDS)


def chain_table(study: str, name: str) -> str:
    """What each chain is asked for: the bound, and the largest of the runs."""
    simulation = simulated(study, name)
    rows = []
    for chain, seen in simulation.chains.items():
        observed = getattr(seen, seen.constraint)
        deadline = "–" if seen.deadline is None else in_ms(seen.deadline)
        figures = (in_ms(observed.bound), in_ms(observed.max))
        rows.append([chain, WORDS[seen.constraint], *figures, deadline])
    return table(["chain", "figure", "bound, ms", "seen, ms", "deadline, ms"], rows)


def callback_table(study: str, name: str) -> str:
    """Response times of callbacks, and which window bounds them."""
    simulation = simulated(study, name)
    rows = []
    for callback, bound in simulation.analysis.callbacks.items():
        seen = simulation.callbacks[callback].response.max
        figures = (in_ms(bound.wcrt), "–" if seen is None else in_ms(int(seen)))
        rows.append([callback, bound.executor, *figures, bound.by or "–"])
    return table(["callback", "executor", "response, ms", "seen, ms", "bounded by"], rows)
