"""How long two cores work at the same time, because one job has work for both (definition fork,
lemma fork-overlap).

A row of a job is what leads to it from the job before, where each stage comes of one other alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.things import FAIR

Thread = tuple[str, str]


class _Way(NamedTuple):
    """A job behind another: its thread and core, its cost, and on which cores the stages between
    are."""

    key: Key
    thread: Thread
    core: str
    cost: int
    between: frozenset[str]


def fork_overlap(
    members: Iterable[Key], stages: Mapping[Key, Stage], neighbours: Neighbours
) -> int:
    """The most that some job of these stages saves, less one nanosecond; 0 where none does."""
    behind: dict[Key, list[_Way]] = defaultdict(list)
    for key in members:
        if key[0] == "job" and (found := _back(stages[key], stages, neighbours)) is not None:
            behind[found[0]].append(found[1])
    most = 0
    for origin, ways in behind.items():
        if len(ways) < 2 or not _is_plain(stages[origin], neighbours):
            continue
        thread, core = _thread(stages[origin]), neighbours.place(stages[origin]).core
        # nothing of a core that the job itself is on runs beside it, but in its own thread
        apart = [way for way in ways if way.core != core or way.thread == thread]
        for ours in {way.thread for way in apart}:
            for other in {way.core for way in apart}:
                most = max(most, _saved(ours, other, apart, behind, thread, core))
    return max(0, most - 1)


def _saved(
    ours: Thread,
    other: str,
    ways: list[_Way],
    behind: Mapping[Key, list[_Way]],
    origin: Thread,
    core: str,
) -> int:
    """What the jobs of one thread, and those of another core, do at the same time."""
    mine = [way for way in ways if way.thread == ours and other not in way.between]
    if not mine or mine[0].core == other:
        return 0
    here = mine[0].core
    theirs = [way.cost for way in ways if way.core == other and here not in way.between]
    if not theirs:
        return 0
    each: list[int] = []
    for job in mine:
        after = [
            way.cost
            for way in behind.get(job.key, ())
            if way.core == other
            and here not in way.between
            and (other != core or way.thread == origin)
        ]
        each.append(min(job.cost, max(after, default=0)))
    # where our thread works alone for the last time, the first of theirs is done, and what each of
    # ours but the one that runs has brought, or it is still to come
    return min(
        sum(job.cost for job in mine),
        *(max(theirs) + sum(each) - alone for alone in each),
    )


def _back(
    stage: Stage, stages: Mapping[Key, Stage], neighbours: Neighbours
) -> tuple[Key, _Way] | None:
    """The job that a job comes of alone, and how."""
    first, between = stage, set[str]()
    while True:
        if not _comes_alone(stage, neighbours):
            return None
        before = stages[stage.inputs[0].source]
        if before.key[0] == "job":
            place = neighbours.place(first)
            way = _Way(first.key, _thread(first), place.core, first.cost, frozenset(between))
            return before.key, way
        between.add(neighbours.place(before).core)
        stage = before


def _comes_alone(stage: Stage, neighbours: Neighbours) -> bool:
    """Whether a stage has one unit for each of one other, at once, and runs as it should."""
    if len(stage.inputs) != 1 or stage.arrival is not None or stage.comes_back is not None:
        return False
    edge = stage.inputs[0]
    one_each = edge.times == 1 and edge.link == 0 and edge.part is None and not edge.again
    given = stage.synchronizer is None and not stage.anew
    return one_each and given and _is_plain(stage, neighbours)


def _is_plain(stage: Stage, neighbours: Neighbours) -> bool:
    """Whether its thread has a whole core, is not of SCHED_OTHER, and does not move."""
    if stage.kind == LINK or stage.reorders or neighbours.cores(stage):
        return False
    place = neighbours.place(stage)
    alone = place.partition is None and place.reservation is None
    return alone and place.priority != FAIR and neighbours.supply(stage)[0] is None


def _thread(stage: Stage) -> Thread:
    return stage.kind, stage.runner
