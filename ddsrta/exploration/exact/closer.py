"""A run that is nearly the worst, brought closer: sources begin a little sooner or later, and what
takes its most, or its least, does so all the time."""

from __future__ import annotations

from dataclasses import replace

from ddsrta.simulation.attack import Found
from ddsrta.simulation.run import Run
from ddsrta_simulator import Choices
from ddsrta_simulator.program import ALIGNED, BEST, WORST

ROUNDS = 3


def closer(found: Found, most: int) -> Found:
    """The worst that changes in turn come to, of sources by steps that are halved; no run has more
    than `most`.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation.attack import attack
    >>> from ddsrta_simulator import Measure
    >>> found = attack(two_threads(), Measure("response", ("job", "sensor")), 1, runs=5)
    >>> closer(found, found.worst) is found
    True
    """
    p = found.program
    if found.worst < 0 or not p.source_period:
        return found
    free = [i for i, leader in enumerate(p.source_leader) if leader in (-1, i)]
    steps = [1 << power for power in range(max(p.source_period).bit_length() - 1, -1, -1)]
    for round_ in range(ROUNDS):
        before = found.worst
        for decision in range(len(p.decisions)):
            for habit in (WORST, BEST):
                if found.worst < most:
                    found = _decided(found, decision, habit)
        for step in steps:
            for source in free:
                for by in (step, -step):
                    if found.worst < most:
                        found = _moved(found, source, by)
        if found.worst in (before, most) and round_:
            break
    return found


def _decided(found: Found, decision: int, habit: int) -> Found:
    """With another habit."""
    choices = found.choices.copy()
    choices.decision_habit[decision] = habit
    return _tried(found, choices)


def _moved(found: Found, source: int, by: int) -> Found:
    """With this source so much later."""
    choices = found.choices.copy()
    moment = choices.source_moment[source] + by
    if moment < 0 or choices.source_kind[source] != ALIGNED:  # it begins then, with the others
        moment %= found.program.source_period[source]
    choices.source_moment[source] = moment
    return _tried(found, choices)


def _tried(found: Found, choices: Choices) -> Found:
    """With these, where that is worse."""
    run = _ran(found, choices)
    worst, end = run.worst[found.number], run.worst_at[found.number]
    runs = found.runs + 1
    if worst <= found.worst:
        return replace(found, runs=runs)
    return replace(found, worst=worst, end=end, choices=choices, runs=runs)


def _ran(found: Found, choices: Choices) -> Run:
    run = Run(found.program, choices, histograms=False)
    run.advance(found.horizon + max(found.program.source_period))
    return run
