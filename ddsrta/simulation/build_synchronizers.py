"""Threads that wait for sets of messages, as the engine's arrays. Measures, by kind and of what:
`disparity` and `gap` of a thread, ("job", t), and `wait` of the messages of one topic, ("input", t,
topic).
"""

from __future__ import annotations

from ddsrta.models.graph import Hop
from ddsrta.models.synchronization import SyncPolicy
from ddsrta.models.system import System, Thread
from ddsrta_simulator import Measure, Program
from ddsrta_simulator.program import APPROXIMATE, EXACT, LATEST, NEAREST

ACTIVATION: dict[SyncPolicy, int] = {
    "exact_time": EXACT,
    "approximate_time": APPROXIMATE,
    "latest": LATEST,
    "mtd": NEAREST,
}


def add_synchronizers(system: System, program: Program) -> None:
    """What threads with synchronizers make of their inputs: those are known already.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation import program_of
    >>> list(program_of(two_threads()).thread_disparity)
    [-1, -1]
    """
    program.hop_wait.extend([-1] * len(program.hops))
    for number, thread in enumerate(system.threads.values()):
        for entries in (program.thread_fires, program.thread_disparity, program.thread_gap):
            entries.append(-1)
        program.thread_room.append(0)
        if thread.synchronizer is not None:
            _add(program, number, thread)


def _add(program: Program, number: int, thread: Thread) -> None:
    assert thread.synchronizer is not None
    activation = ACTIVATION[thread.synchronizer.policy]
    program.thread_activation[number] = activation
    program.thread_room[number] = thread.synchronizer.queue or 0
    if activation == LATEST:
        program.thread_fires[number] = len(program.decisions)
        program.decisions.append(("fires", thread.name))
    program.thread_disparity[number] = _measure(program, "disparity", ("job", thread.name))
    program.thread_gap[number] = _measure(program, "gap", ("job", thread.name))
    for hop in range(*program.thread_hop[number : number + 2]):
        of = ("input", thread.name, topic_of(thread.name, program.hops[hop]))
        program.hop_wait[hop] = _measure(program, "wait", of)


def topic_of(thread: str, hop: Hop) -> str:
    """The topic whose messages come by a hop: those of a callback are taken by subscriptions that
    have its name and theirs.

    >>> topic_of("fuse", Hop("fuse/scan", None, "fuse"))
    'scan'
    """
    return hop.source.removeprefix(f"{thread}/") if hop.topic is None else hop.topic


def _measure(program: Program, kind: str, of: tuple[str, ...]) -> int:
    program.measures.append(Measure(kind, of))
    return len(program.measures) - 1
