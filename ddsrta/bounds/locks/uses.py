"""Who takes which lock of Fast DDS (definition lock-uses, lemma event-threads)."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.bounds.stages import Stage
from ddsrta.models.fastdds import fragments, looks, participant
from ddsrta.models.system import EPSILON, System

Lock = tuple[str, ...]  # ("send", a participant) or ("queue", a flow controller)


class Use(NamedTuple):
    """What one unit of a stage does with a lock: the work under it, and how often it takes it."""

    stage: int
    lock: Lock
    work: int
    holds: int


def uses_of(system: System, stages: list[Stage]) -> list[Use]:
    """All uses of locks that several threads take."""
    found: list[Use] = []
    for number, stage in enumerate(stages):
        if stage.key[0] == "job":
            found += _of_job(system, number, stage)
        elif stage.key[0] == "sample":
            datagrams = fragments(system.topics[stage.key[2]].size)
            found.append(Use(number, _send(system, stage), stage.cost, datagrams))
            found.append(_of_queue(number, stage.server[1], looks(system).sample))
    return found


def _of_queue(number: int, name: str, holds: int) -> Use:
    return Use(number, ("queue", name), holds * EPSILON, holds)


def _send(system: System, stage: Stage) -> Lock:
    return ("send", *participant(system, system.threads[stage.key[1]]))


def _of_job(system: System, number: int, stage: Stage) -> list[Use]:
    """Its own sends, those of an event thread, and its writes to flow controllers."""
    thread = system.threads[stage.key[1]]
    holds = thread.datagrams
    work = thread.wcet if holds else 0
    writes: dict[str, int] = {}
    for publication in thread.publishes:
        copies = len(system.receivers(thread, publication.topic))
        if not copies:
            continue
        if publication.mode == "sync":
            work += publication.count * copies * system.sending_cost(publication).worst
            holds += publication.count * fragments(system.topics[publication.topic].size)
        else:
            name = publication.flow_controller or ""
            writes[name] = writes.get(name, 0) + publication.count
    put = looks(system).put
    found = [_of_queue(number, name, put * count) for name, count in writes.items()]
    if holds:
        found.append(Use(number, _send(system, stage), max(EPSILON, work), holds))
    return found
