"""What the bounds of a system rest on: a certificate that does not say so claims too much."""

from __future__ import annotations

from ddsrta.checker.costs import network
from ddsrta.checker.executors import INLINE, Turns
from ddsrta.checker.reading import shown
from ddsrta.checker.things import System

NO_OVERFLOW = "no-overflow"  # where confirmed queues exceed their rooms


def not_assumed(rule: str) -> str:
    """What is wrong with a certificate that leaves one out."""
    return f"the bounds rest on {shown(rule)}, which is not said to be assumed"


def assumed(system: System) -> set[str]:
    """The assumptions that a certificate of this system has to state."""
    held = {
        "locks": _waits_for_locks(system),
        "link-order": _relies_on_order(system),
        "registration": _relies_on_registration(system),
    }
    return {rule for rule, holds in held.items() if holds}


def _waits_for_locks(system: System) -> bool:
    """Whether publishers and flow controllers may wait for each other."""
    if system.fastdds is None:
        return False
    return any(
        publication.controller is not None and system.receivers(name, publication.topic)
        for name, thread in system.threads.items()
        for publication in thread.publishes.values()
    )


def _relies_on_order(system: System) -> bool:
    """Whether something on its way for a time that varies is taken to keep its order."""
    for name, thread in system.threads.items():
        if thread.follows and not thread.loose and thread.delay.best < thread.delay.worst:
            return True
        for topic in thread.publishes:
            for reader in system.receivers(name, topic):
                way = network(system, name, reader)
                ends = thread.place.machine, system.threads[reader].place.machine
                if way.best < way.worst and ends not in system.loose:
                    return True
    return False


def _relies_on_registration(system: System) -> bool:
    """Whether callbacks of one kind take their turns in the order of the file (theory 18)."""
    for name, executor in system.executors.items():
        kinds = [system.threads[callback].entity for callback in executor.callbacks]
        ordered = [kind for kind in kinds if kind not in (None, INLINE)]
        several = len(set(ordered)) < len(ordered)
        if executor.registered and several and Turns(system, name).in_rounds:
            return True
    return False
