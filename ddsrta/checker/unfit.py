"""What no middleware or scheduler takes as it stands: no bound is that of such a system."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.checker.kinds import SEVERAL_THREADS, TIMERS_THREAD, keeps_wait_set
from ddsrta.checker.members import fits
from ddsrta.checker.policies import POLICIES
from ddsrta.checker.reading import shown
from ddsrta.checker.things import FAIR, Place, Reservation, System

_MOST = 99  # SCHED_FIFO of Linux
_MOST_IN_PARTITIONS = 255  # QNX
_TOPIC_PRIORITIES = range(-10, 11)


def unfit(system: System) -> Iterator[str]:
    """What is not taken, one sentence each."""
    yield from _priorities(system)
    yield from _topics(system)
    yield from _writers(system)
    yield from _senders(system)
    yield from _promises(system)
    yield from _fair(system)
    if any(one.part for thread in system.threads.values() for one in thread.publishes.values()):
        from ddsrta.checker.flow import left_out

        yield from left_out(system)
    if system.has_rounds:
        from ddsrta.checker.circles import unfit_rounds

        yield from unfit_rounds(system)


def _senders(system: System) -> Iterator[str]:
    """What Fast DDS has goes with its own policies."""
    for name, controller in system.controllers.items():
        fast_dds = controller.limit is not None or system.fastdds is not None
        if fast_dds and not POLICIES[controller.policy].of_fast_dds:
            yield f"{shown(name)} has a policy that Fast DDS does not have"


def _places(system: System) -> Iterator[tuple[str, Place]]:
    for name, thread in system.threads.items():
        if thread.executor is None:
            yield name, thread.place
    for things in (system.executors, system.controllers, system.listeners):
        yield from ((name, thing.place) for name, thing in things.items())


def _priorities(system: System) -> Iterator[str]:
    for name, place in _places(system):
        most = _MOST_IN_PARTITIONS if system.cores[place.core].partitions else _MOST
        by_priority = place.reservation is None and place.priority != FAIR
        if by_priority and not 1 <= place.priority <= most:
            yield f"{shown(name)} has priority {place.priority}, not within 1 … {most}"


def _topics(system: System) -> Iterator[str]:
    """For what is out of its range, Fast DDS takes 10."""
    for topic, priority in system.urgency.items():
        if priority not in _TOPIC_PRIORITIES and any(_ordered(system, topic)):
            yield f"topic {shown(topic)} has priority {priority}, not within -10 … 10"


def _ordered(system: System, topic: str) -> Iterator[bool]:
    """Whether each writer of a topic sends it by its priority."""
    for name in system.writers.get(topic, ()):
        controller = system.threads[name].publishes[topic].controller
        if controller is not None and system.readers.get(topic):
            yield POLICIES[system.controllers[controller].policy].by_topic


def _writers(system: System) -> Iterator[str]:
    for name, thread in system.threads.items():
        for topic, publication in thread.publishes.items():
            if publication.clashes:
                yield f"{shown(name)} publishes {shown(topic)} without the controller that it names"


def _promises(system: System) -> Iterator[str]:
    """Of the cores to partitions, and to threads with reservations, also to those without work."""
    reserved: dict[str, list[Reservation]] = {}
    for _, place in _places(system):
        if place.reservation is not None:
            reserved.setdefault(place.core, []).append(place.reservation)
    for name, core in system.cores.items():
        parts = tuple(core.partitions.values()), tuple(reserved.get(name, ()))
        if not all(map(fits, parts)):
            yield f"core {shown(name)} promises more than all of itself"


def _fair(system: System) -> Iterator[str]:
    """SCHED_OTHER is for threads on whole cores where nobody sleeps in between."""
    sleepers = {one.place.core for one in system.controllers.values() if one.limit is not None}
    for name, place in _places(system):
        if place.priority == FAIR:
            core = system.cores[place.core]
            shared = core.reservation or core.partitions or place.core in sleepers
            if shared or system.fastdds is not None or _is_no_fair_pool(system, name, sleepers):
                yield f"{shown(name)} is of SCHED_OTHER where that is not modelled"


def _is_no_fair_pool(system: System, name: str, sleepers: set[str]) -> bool:
    """An executor of several threads on one core, or on several of which threads move, or may spin
    where others are."""
    executor = system.executors.get(name)
    if executor is None or not executor.is_pool:
        return executor is not None and executor.kind in (*SEVERAL_THREADS, *TIMERS_THREAD)
    cores = set(executor.cores)
    beside = [
        other
        for other, place in _places(system)
        if place.priority == FAIR and other != name and not cores.isdisjoint(_cores(system, other))
    ]
    spins = keeps_wait_set(executor.release, executor.groups)
    return bool(executor.moving or cores & sleepers or (spins and beside))


def _cores(system: System, name: str) -> tuple[str, ...]:
    """Where the threads of an executor, or a thread, may be."""
    if name in system.executors:
        executor = system.executors[name]
        return executor.cores or (executor.place.core,)
    place = system.threads[name].place
    return place.cores or (place.core,)
