"""When a message reaches the listener of its subscriber, at the earliest and at the latest."""

from __future__ import annotations

from itertools import pairwise

from ddsrta.bounds.edges import Edge
from ddsrta.bounds.paths.latency import message_latency
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Key
from ddsrta.models.graph import Hop

Hops = tuple[Hop, ...]


def stages_of(solution: Solution, hops: Hops) -> list[Key]:
    """The stages from the job at the start of some hops to the message at their end."""
    keys: list[Key] = [("job", hops[0].source)]
    for hop in hops:
        if hop.topic is not None:
            sample: Key = ("sample", hop.source, hop.topic)
            message: Key = ("message", hop.source, hop.topic, hop.target)
            if message in solution.compiled.stage_number:  # else within a process
                keys += [key for key in (sample, message) if key in solution.compiled.stage_number]
        keys.append(("job", hop.target))
    return keys[:-1]


def edges_of(solution: Solution, keys: list[Key]) -> list[Edge]:
    """The edges between stages that follow one another."""
    stages = solution.compiled.stages
    return [
        next(e for e in stages[solution.number(to)].inputs if e.source == solution.number(source))
        for source, to in pairwise(keys)
    ]


def earliest(edges: list[Edge]) -> int:
    """The least time from the arrival at the first stage to that at the last."""
    return sum(edge.least for edge in edges)


def latest(solution: Solution, keys: list[Key]) -> int | None:
    """The most time from the arrival at the first of these stages to that at the last.

    None where it has no bound, or where a token may wait at an AND job on the way.
    """
    if len(keys) == 1:
        return 0
    if may_wait(solution, keys):
        return None
    total = message_latency(solution, keys[:-1])
    return None if total is None else total + edges_of(solution, keys[-2:])[0].worst


def may_wait(solution: Solution, keys: list[Key]) -> bool:
    """Whether a token may wait at an AND job behind the first of these stages."""
    stages = (solution.compiled.stages[solution.number(key)] for key in keys[1:])
    return any(stage.activation == "and" and len(stage.inputs) > 1 for stage in stages)


def is_least_distance(solution: Solution, job: Key, time: int) -> bool:
    """Whether two jobs of a thread are released at least so far apart."""
    return time <= 0 or solution.count(job, time) <= 1
