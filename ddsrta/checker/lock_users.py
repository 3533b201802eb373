"""Who takes which lock of Fast DDS, and what note lost-refinements refuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON, sending_cost
from ddsrta.checker.kinds import TAKES_LOCKS
from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.things import System

_FRAGMENT = 64_000
_OF_SAMPLE = 1 + 1 + 1 + 1  # before it looks, in a try, when it was sent, before it sleeps
Lock = tuple[str, ...]


class Use(NamedTuple):
    """Of one unit of a stage: the work under a lock, in so many holds."""

    stage: Key
    lock: Lock
    work: int
    holds: int


def uses(system: System, stages: Mapping[Key, Stage]) -> list[Use]:
    """All uses; refuses systems without bounds."""
    found: list[Use] = []
    participants: dict[str, Lock] = {}
    users: set[tuple[str, str]] = set()
    for key, stage in stages.items():
        if key[0] == "message":
            continue
        send = _participant(system, key[1])
        if key[0] == "sample":
            if participants.setdefault(stage.runner, send) != send:
                what = f"flow controller {shown(stage.runner)} sends for several participants"
                raise CertificateError(f"system: {what}")
            found.append(Use(key, send, stage.cost, _fragments(system, key[2])))
            holds = _OF_SAMPLE + mutexes(system)  # as it is woken
            found.append(Use(key, ("queue", stage.runner), holds * EPSILON, holds))
            users.add((stage.kind, stage.runner))
        elif own := _of_job(system, key, send):
            found += own
            users.add((stage.kind, stage.runner))
    _refuse(system, users)
    return found


def mutexes(system: System) -> int:
    """How many a put takes, and who is woken by one."""
    return system.fastdds.mutexes if system.fastdds else 1


def _participant(system: System, thread: str) -> Lock:
    process = system.threads[thread].process
    if process is not None:
        return ("send", "process", process)
    return ("send", "machine", system.threads[thread].place.machine)


def _fragments(system: System, topic: str) -> int:
    return max(1, -(-system.sizes[topic] // _FRAGMENT))


def _of_job(system: System, key: Key, send: Lock) -> list[Use]:
    """What one job takes; an event thread does all under the send mutex (lemma event-threads)."""
    thread = system.threads[key[1]]
    work, holds = (thread.wcet, thread.datagrams) if thread.datagrams else (0, 0)
    writes: dict[str, int] = {}
    for publication in thread.publishes.values():
        copies = len(system.receivers(key[1], publication.topic))
        if not copies:
            continue
        if publication.controller is None:
            work += publication.messages * copies * sending_cost(system, publication).worst
            holds += publication.messages * _fragments(system, publication.topic)
        else:
            name = publication.controller
            writes[name] = writes.get(name, 0) + publication.messages * mutexes(system)
    found = [Use(key, ("queue", name), count * EPSILON, count) for name, count in writes.items()]
    return [*found, Use(key, send, max(EPSILON, work), holds)] if holds else found


def _refuse(system: System, users: set[tuple[str, str]]) -> None:
    """Threads that take locks have priorities of their own; no executor with several does."""
    places: dict[tuple[str, str | None, int], list[tuple[str, str]]] = {}
    for kind, things in (
        ("thread", system.threads),
        ("executor", system.executors),
        ("flow_controller", system.controllers),
        ("listener", system.listeners),
    ):
        for name, thing in things.items():
            if kind == "thread" and system.threads[name].executor is not None:
                continue
            place = thing.place
            if place.reservation is None:
                where = (place.core, place.partition, place.priority)
                places.setdefault(where, []).append((kind, name))
    for equals in places.values():
        if len(equals) > 1 and users & set(equals):
            raise CertificateError(
                f"system: {shown(equals[0][1])} and {shown(equals[1][1])} have one priority, and "
                "take locks (note lost-refinements)"
            )
    for name, executor in system.executors.items():
        if executor.kind not in TAKES_LOCKS and ("executor", name) in users:
            what = f"system: executor {shown(name)} has several threads that take locks"
            raise CertificateError(what)
        if executor.is_pool:
            raise CertificateError(
                f"system: executor {shown(name)} is on several cores, with locks"
            )
    for name, thread in system.threads.items():
        if any(publication.one_of for publication in thread.publishes.values()):
            raise CertificateError(f"system: {shown(name)} sends one of several, with locks")
    if any(len(system.readers.get(topic, ())) > 1 for topic in system.copies):
        raise CertificateError(
            "system: Fast DDS declares no order of copies (note lost-refinements)"
        )
