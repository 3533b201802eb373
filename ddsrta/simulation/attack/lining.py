"""Threads lined up for locks: each comes as the one before it ends, who was woken is kept away."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from ddsrta.simulation.choices import worst_choices
from ddsrta_simulator import Choices, Program
from ddsrta_simulator.program import ALIGNED, ASYNC, BEST, RANDOM, WORST


def lined_up(program: Program, random: Random, burst: int) -> Choices:
    """Some sources one after the other, the others during what the first one does."""
    choices = worst_choices(program)
    order = random.sample(range(len(program.sources)), len(program.sources))
    chain = order[: random.randint(2, max(2, len(order)))]
    gap = max(
        (lasting(program, source)[0] for source in chain if not sends(program, source)), default=0
    )
    start = burst + int(random.random() * lasting(program, order[0])[0])
    moments = dict.fromkeys(order, start) | {order[0]: burst}
    for before, source in pairwise(chain):
        moment = moments[before] + lasting(program, before)[0]
        if sends(program, before) and sends(program, source):
            moment += gap  # of one that comes again
        if sends(program, source):
            moment -= program.thread_worst[program.source_thread[source]]
        moments[source] = moment - random.choice((0, 1, 1))
    for source, moment in moments.items():
        choices.source_kind[source] = ALIGNED
        choices.source_moment[source] = max(0, moment)
    for number, what in enumerate(program.decisions):
        if what[0] in ("wake", "write", "split", "look"):
            choices.decision_habit[number] = random.choice((WORST, BEST, RANDOM))
    return choices


def sends(program: Program, source: int) -> bool:
    """Whether a job of a source sends by itself."""
    worst = program.thread_worst[program.source_thread[source]]
    return lasting(program, source)[0] > worst


def lasting(program: Program, source: int) -> tuple[int, int]:
    """How long a job of a source takes with all that it sends itself, at worst and at best."""
    thread = program.source_thread[source]
    worst, best = program.thread_worst[thread], program.thread_best[thread]
    for step in range(program.thread_step[thread], program.thread_step[thread + 1]):
        publication = program.step_publication[step]
        if program.publication_mode[publication] != ASYNC:
            worst += program.publication_worst[publication]
            best += program.publication_best[publication]
    return worst, best
